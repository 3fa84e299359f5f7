//@ std
//@ snap = "=1.1.1"
//! Snappy: compresses and decompresses blocks and frames, also damaged ones.
use std::io::{Read, Write};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut packed = snap::raw::Encoder::new().compress_vec(input).unwrap();
    assert_eq!(snap::raw::Decoder::new().decompress_vec(&packed).unwrap(), input);
    let mut writer = snap::write::FrameEncoder::new(vec![]);
    writer.write_all(input).unwrap();
    let mut frames = writer.into_inner().unwrap();
    let mut back = vec![];
    snap::read::FrameDecoder::new(&frames[..]).read_to_end(&mut back).unwrap();
    assert_eq!(back, input);
    let mut text = match snap::raw::Decoder::new().decompress_vec(&input[..input.len().min(100)]) {
        Ok(bytes) => format!("{bytes:?}"),
        Err(error) => error.to_string(),
    };
    if let Some(byte) = frames.get_mut(usize::from(input.first().copied().unwrap_or(3))) {
        *byte ^= 4;
    }
    back.clear();
    text += &format!("{:?} {}", snap::read::FrameDecoder::new(&frames[..]).read_to_end(&mut back).map_err(|e| e.to_string()), back.len());
    packed.extend_from_slice(text.as_bytes());
    put(out, &packed)
}

//@ std
//@ bzip2 = "=0.6.1"
//! bzip2, by code written in Rust: compresses, decompresses, and decompresses damaged data.
use bzip2::{Compression, read::BzDecoder, write::BzEncoder};
use std::io::{Read, Write};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut writer = BzEncoder::new(vec![], Compression::new(1 + input.len() as u32 % 9));
    writer.write_all(input).unwrap();
    let mut packed = writer.finish().unwrap();
    let mut back = vec![];
    BzDecoder::new(&packed[..]).read_to_end(&mut back).unwrap();
    assert_eq!(back, input);
    let mut broken = packed.clone();
    if let Some(byte) = broken.get_mut(usize::from(input.first().copied().unwrap_or(3))) {
        *byte ^= 1 << (input.len() % 8);
    }
    back.clear();
    let result = BzDecoder::new(&broken[..]).read_to_end(&mut back);
    packed.extend_from_slice(format!("{result:?} {}", back.len()).as_bytes());
    put(out, &packed)
}

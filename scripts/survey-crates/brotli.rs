//@ std
//@ support: libm
//@ brotli = { version = "=8.0.2", default-features = false, features = ["std"] }
//! Brotli: compresses, decompresses, and decompresses damaged data.
use std::io::{Read, Write};

#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut packed = vec![];
    let quality = input.len() as u32 % 10;
    let mut writer = brotli::CompressorWriter::new(&mut packed, 1000, quality, 16);
    writer.write_all(input).unwrap();
    drop(writer);
    let mut back = vec![];
    brotli::Decompressor::new(&packed[..], 700).read_to_end(&mut back).unwrap();
    assert_eq!(back, input);
    let mut broken = packed.clone();
    if let Some(byte) = broken.get_mut(usize::from(input.first().copied().unwrap_or(3)) / 4) {
        *byte ^= 1 << (input.len() % 8);
    }
    back.clear();
    let result = brotli::Decompressor::new(&broken[..], 700).take(100_000).read_to_end(&mut back);
    packed.extend_from_slice(format!("{:?} {}", result.map_err(|e| e.to_string()), back.len()).as_bytes());
    put(out, &packed)
}

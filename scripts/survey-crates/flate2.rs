//@ std
//@ flate2 = "=1.1.11"
//! gzip, zlib and deflate: compresses, decompresses, and decompresses a damaged stream.
use flate2::{Compression, read, write};
use std::io::{Read, Write};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let level = Compression::new(input.len() as u32 % 10);
    let mut encoder = write::GzEncoder::new(Vec::new(), level);
    encoder.write_all(input).unwrap();
    let mut packed = encoder.finish().unwrap();
    let mut back = Vec::new();
    read::GzDecoder::new(&packed[..]).read_to_end(&mut back).unwrap();
    assert_eq!(back, input);
    let mut zlib = Vec::new();
    read::ZlibEncoder::new(input, level).read_to_end(&mut zlib).unwrap();
    packed.extend_from_slice(&zlib);

    let at = usize::from(input.first().copied().unwrap_or(3)) % zlib.len();
    zlib[at] ^= 1 << (input.len() % 8);
    let mut some = Vec::new();
    let result = read::ZlibDecoder::new(&zlib[..]).read_to_end(&mut some);
    packed.extend_from_slice(format!("{result:?} {}", some.len()).as_bytes());
    put(out, &packed)
}

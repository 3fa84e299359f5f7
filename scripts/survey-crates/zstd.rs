//@ std
//@ zstd = "=0.13.5"
//! Compresses and decompresses with and without streams, and decompresses a damaged stream. The crate compiles C code.
use std::io::Write;

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let level = 1 + input.len() as i32 % 19;
    let mut packed = zstd::encode_all(input, level).unwrap();
    assert_eq!(zstd::decode_all(&packed[..]).unwrap(), input);
    let mut encoder = zstd::Encoder::new(vec![], 3).unwrap();
    encoder.include_checksum(true).unwrap();
    for part in input.chunks(1000) {
        encoder.write_all(part).unwrap();
    }
    let mut stream = encoder.finish().unwrap();
    let at = usize::from(input.first().copied().unwrap_or(3)) % stream.len();
    stream[at] ^= 1 << (input.len() % 8);
    let text = match zstd::bulk::decompress(&stream, 10_000) {
        Ok(back) => format!("{}", back.len()),
        Err(error) => error.to_string(),
    };
    packed.extend_from_slice(&stream);
    packed.extend_from_slice(text.as_bytes());
    put(out, &packed)
}

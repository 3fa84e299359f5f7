//@ support: heap
//@ bs58 = { version = "=0.5.1", default-features = false, features = ["alloc"] }
//@ input: he11owor1d
//@ input: 2NEpo7TZRRrLZSi2U
//! Encodes and decodes base58 with its alphabets.
extern crate alloc;
use alloc::format;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = &input[..input.len().min(300)];
    let mut text = bs58::encode(input).into_string();
    assert_eq!(bs58::decode(&text).into_vec().as_deref(), Ok(input));
    text += &bs58::encode(input).with_alphabet(bs58::Alphabet::RIPPLE).into_string();
    text += &match bs58::decode(input).into_vec() {
        Ok(bytes) => format!("{bytes:?}"),
        Err(error) => format!("{error}"),
    };
    put(out, text.as_bytes())
}

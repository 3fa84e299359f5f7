//@ support: heap
//@ base64 = { version = "=0.22.1", default-features = false, features = ["alloc"] }
//@ input: SGVsbG8sIHdvcmxkIQ==
//@ input: 3q2-7w
//! Encodes and decodes base64 with several alphabets. Most inputs are not valid base64.
extern crate alloc;
use alloc::format;
use base64::{Engine, engine::general_purpose as engines};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let standard = engines::STANDARD.encode(input);
    let back = engines::STANDARD.decode(&standard);
    assert_eq!(back.as_deref(), Ok(input));
    let mut text = standard;
    engines::URL_SAFE_NO_PAD.encode_string(input, &mut text);
    for engine in [&engines::STANDARD, &engines::STANDARD_NO_PAD, &engines::URL_SAFE_NO_PAD] {
        match engine.decode(input) {
            Ok(bytes) => text += &format!("{bytes:?}"),
            Err(error) => text += &format!("{error}"),
        }
    }
    put(out, text.as_bytes())
}

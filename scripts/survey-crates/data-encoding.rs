//@ support: heap
//@ data-encoding = { version = "=2.11.1", default-features = false, features = ["alloc"] }
//@ input: MZXW6YTBOI======
//@ input: 48656c6c6f
//! Encodes and decodes by tables: base 16, 32 and 64, and an octal encoding defined here.
extern crate alloc;
use alloc::format;
use data_encoding::{BASE32, BASE32_DNSSEC, BASE64URL, HEXLOWER_PERMISSIVE, Specification};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut octal = Specification::new();
    octal.symbols.push_str("01234567");
    octal.translate.from.push_str("Oo");
    octal.translate.to.push_str("00");
    let octal = octal.encoding().unwrap();
    let some = &input[..input.len() / 3 * 3];
    let mut text = octal.encode(some);
    assert_eq!(octal.decode(text.as_bytes()).as_deref(), Ok(some));
    for encoding in [&BASE32, &BASE32_DNSSEC, &BASE64URL, &HEXLOWER_PERMISSIVE] {
        encoding.encode_append(input, &mut text);
        text += &match encoding.decode(input) {
            Ok(bytes) => format!("{bytes:?}"),
            Err(error) => format!("{error}"),
        };
    }
    put(out, text.as_bytes())
}

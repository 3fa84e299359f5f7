//@ support: heap
//@ unicode-normalization = { version = "=0.1.24", default-features = false }
//@ input: Å Å ﬁ é ő 한글 ㈎ ①
//! Converts text to the four normal forms of Unicode.
extern crate alloc;
use alloc::{format, string::String};
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class, is_nfc, is_nfkd};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text: String = input.nfc().collect();
    text.extend(input.nfd());
    text.extend(input.nfkc());
    text.extend(input.nfkd().stream_safe());
    text +=
        &format!("{} {} {}", is_nfc(&input), is_nfkd(&input), input.chars().map(|c| u32::from(canonical_combining_class(c))).sum::<u32>());
    put(out, text.as_bytes())
}

//@ unicode-width = { version = "=0.2.3", default-features = false }
//! Computes the width of a text in columns of a terminal.
use unicode_width::UnicodeWidthStr;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = core::str::from_utf8(input).unwrap_or("größer 日本");
    out[..8].copy_from_slice(&(text.width() as u64).to_le_bytes());
    8
}

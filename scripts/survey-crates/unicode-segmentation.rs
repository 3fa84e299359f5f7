//@ unicode-segmentation = { version = "=1.13.3", default-features = false }
//! Counts the grapheme clusters and the words of a text.
use unicode_segmentation::UnicodeSegmentation;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = core::str::from_utf8(input).unwrap_or("größer 日本");
    out[..8].copy_from_slice(&(text.graphemes(true).count() as u64).to_le_bytes());
    out[8..16].copy_from_slice(&(text.unicode_words().count() as u64).to_le_bytes());
    16
}

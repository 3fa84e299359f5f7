//@ support: heap
//@ lz4_flex = { version = "=0.11.6", default-features = false, features = ["safe-encode", "safe-decode"] }
//! Compresses a block.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    lz4_flex::block::compress_into(input, out).unwrap_or(0)
}

//@ crc32fast = { version = "=1.5.4", default-features = false }
//! CRC-32, by the processor's instructions where it has them.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    out[..4].copy_from_slice(&crc32fast::hash(input).to_le_bytes());
    4
}

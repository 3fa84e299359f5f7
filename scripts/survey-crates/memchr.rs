//@ memchr = { version = "=2.8.3", default-features = false }
//! Searches for a byte and for a string.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let one = memchr::memchr(b'q', input).unwrap_or(1000) as u32;
    let two = memchr::memmem::find(input, b"lazy").unwrap_or(2000) as u32;
    out[..4].copy_from_slice(&one.to_le_bytes());
    out[4..8].copy_from_slice(&two.to_le_bytes());
    8
}

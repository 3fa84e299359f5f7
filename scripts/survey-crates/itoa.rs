//@ itoa = { version = "=1.0.18", default-features = false }
//! Formats integers.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let x = input.iter().fold(7u128, |x, &b| x.wrapping_mul(257).wrapping_add(b.into()));
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(x);
    out[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

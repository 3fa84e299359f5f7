//@ ryu = { version = "=1.0.23", default-features = false }
//! Formats floating-point numbers.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let x = input.iter().fold(1.5f64, |x, &b| x * 1.01 + f64::from(b));
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format(x);
    out[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

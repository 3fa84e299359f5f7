//@ libm = { version = "=0.2.16", default-features = false }
//! Calls the mathematical functions of the C library, written in Rust.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let x = input.iter().fold(0.1f64, |x, &b| x + f64::from(b) / 37.0);
    let y = libm::sin(x) + libm::pow(x, 0.3) + libm::lgamma(x) + libm::erf(x / 1000.0) + libm::fmod(x, 0.7);
    out[..8].copy_from_slice(&y.to_le_bytes());
    8
}

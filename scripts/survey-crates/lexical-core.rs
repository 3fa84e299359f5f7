//@ lexical-core = { version = "=1.0.6", default-features = false, features = ["parse-floats", "parse-integers", "write-floats"] }
//! Parses and formats floating-point numbers.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let n = input.len() as f64 + lexical_core::parse::<f64>(b"31415.9265e-4").unwrap_or(0.0);
    lexical_core::write(n, out).len()
}

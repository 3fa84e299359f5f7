//@ base64ct = { version = "=1.8.3", default-features = false }
//! Encodes Base64 in constant time.
use base64ct::{Base64, Encoding};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    Base64::encode(&input[..input.len().min(300)], out).map_or(0, str::len)
}

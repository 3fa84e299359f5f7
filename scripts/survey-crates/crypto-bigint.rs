//@ crypto-bigint = { version = "=0.5.5", default-features = false }
//! Multiplies two integers of 1024 bits.
use crypto_bigint::{Encoding, U1024};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut bytes = [3; 128];
    bytes[..input.len().min(128)].copy_from_slice(&input[..input.len().min(128)]);
    let x = U1024::from_be_slice(&bytes);
    let (low, high) = x.mul_wide(&x.wrapping_add(&U1024::ONE));
    out[..128].copy_from_slice(&low.to_be_bytes());
    out[128..256].copy_from_slice(&high.to_be_bytes());
    256
}

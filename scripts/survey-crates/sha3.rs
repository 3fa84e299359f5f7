//@ sha3 = { version = "=0.10.9", default-features = false }
//! Hashes with SHA3-256.
use sha3::Digest;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let hash = sha3::Sha3_256::digest(input);
    out[..32].copy_from_slice(&hash);
    32
}

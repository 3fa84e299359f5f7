//@ p256 = { version = "=0.13.2", default-features = false, features = ["ecdsa"] }
//! Makes a deterministic ECDSA signature.
use p256::ecdsa::{Signature, SigningKey, signature::Signer};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let Ok(key) = SigningKey::from_bytes(&[5; 32].into()) else { return 0 };
    let signature: Signature = key.sign(input);
    out[..64].copy_from_slice(&signature.to_bytes());
    64
}

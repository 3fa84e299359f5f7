//@ ed25519-dalek = { version = "=2.2.0", default-features = false }
//! Signs with Ed25519, and verifies the signature.
use ed25519_dalek::{Signer, SigningKey};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let key = SigningKey::from_bytes(&[5; 32]);
    let signature = key.sign(input);
    out[..64].copy_from_slice(&signature.to_bytes());
    out[64] = u8::from(key.verify(input, &signature).is_ok());
    65
}

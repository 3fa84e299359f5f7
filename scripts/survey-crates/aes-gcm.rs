//@ aes-gcm = { version = "=0.10.3", default-features = false, features = ["aes"] }
//! Encrypts with AES-256-GCM in place.
use aes_gcm::{AeadInPlace, Aes256Gcm, KeyInit};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let n = input.len().min(out.len() - 16);
    let (text, rest) = out.split_at_mut(n);
    text.copy_from_slice(&input[..n]);
    let cipher = Aes256Gcm::new(&[7; 32].into());
    match cipher.encrypt_in_place_detached(&[9; 12].into(), b"survey", text) {
        Ok(tag) => rest[..16].copy_from_slice(&tag),
        Err(_) => return 0,
    }
    n + 16
}

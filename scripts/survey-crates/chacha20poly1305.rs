//@ chacha20poly1305 = { version = "=0.10.1", default-features = false }
//! Encrypts with ChaCha20-Poly1305 in place.
use chacha20poly1305::{AeadInPlace, ChaCha20Poly1305, KeyInit};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let n = input.len().min(out.len() - 16);
    let (text, rest) = out.split_at_mut(n);
    text.copy_from_slice(&input[..n]);
    let cipher = ChaCha20Poly1305::new(&[7; 32].into());
    match cipher.encrypt_in_place_detached(&[9; 12].into(), b"survey", text) {
        Ok(tag) => rest[..16].copy_from_slice(&tag),
        Err(_) => return 0,
    }
    n + 16
}

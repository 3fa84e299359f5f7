//@ hmac = { version = "=0.12.1", default-features = false }
//@ sha2 = { version = "=0.10.9", default-features = false }
//! Computes and verifies HMAC-SHA-256.
use hmac::{Hmac, Mac};
use sha2::Sha256;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (key, text) = input.split_at(input.len() / 3);
    let mac = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(text);
    let mut tag: [u8; 32] = mac.clone().finalize().into_bytes().into();
    tag[input.len() % 32] ^= (input.len() % 2) as u8;
    let right = mac.verify_slice(&tag).is_ok();
    let n = put(out, &tag);
    out[n] = right.into();
    n + 1
}

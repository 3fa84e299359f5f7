//@ hkdf = { version = "=0.12.4", default-features = false }
//@ sha2 = { version = "=0.10.9", default-features = false }
//! Derives keys from a key.
use hkdf::Hkdf;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (salt, key) = input.split_at(input.len() / 4);
    let (first, hkdf) = Hkdf::<sha2::Sha256>::extract(Some(salt), key);
    let mut keys = [0; 100];
    let ok = hkdf.expand(b"survey", &mut keys[32..]).is_ok();
    keys[..32].copy_from_slice(&first);
    let short = Hkdf::<sha2::Sha256>::from_prk(&input[..input.len().min(40)]).is_err();
    let n = put(out, &keys);
    out[n..n + 2].copy_from_slice(&[ok.into(), short.into()]);
    n + 2
}

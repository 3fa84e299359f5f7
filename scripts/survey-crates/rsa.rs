//@ std
//@ rsa = { version = "=0.9.8", default-features = false, features = ["std"] }
//@ sha2 = { version = "=0.10.9", default-features = false, features = ["oid"] }
//! Signs, verifies and decrypts with a given key of 512 bits.
use rsa::{BigUint, Pkcs1v15Encrypt, Pkcs1v15Sign, RsaPrivateKey, traits::PublicKeyParts};
use sha2::{Digest, Sha256};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let prime = |text: &[u8]| BigUint::parse_bytes(text, 16).unwrap();
    // 2^255 - 19 and the order of secp256k1's field.
    let p = prime(b"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
    let q = prime(b"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
    let key = RsaPrivateKey::from_p_q(p, q, BigUint::from(65537u32)).unwrap();
    let signature = key.sign(Pkcs1v15Sign::new::<Sha256>(), &Sha256::digest(input)).unwrap();
    let mut found = signature.clone();
    let mut hash = Sha256::digest(input);
    hash[3] ^= (input.len() % 2) as u8;
    let checked = key.to_public_key().verify(Pkcs1v15Sign::new::<Sha256>(), &hash, &signature);
    let mut cipher = signature;
    let n = input.len().min(64);
    cipher[..n].copy_from_slice(&input[..n]);
    let opened = key.decrypt(Pkcs1v15Encrypt, &cipher);
    found.extend_from_slice(format!("{checked:?} {opened:?} {} {:x}", key.size(), key.n()).as_bytes());
    put(out, &found)
}

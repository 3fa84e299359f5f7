//! Columns: the packages' crates on a processor with AES instructions, and other crates for the same operations.

#[cfg(feature = "others")]
pub mod candidates;
#[cfg(feature = "others")]
pub mod others;
mod rust_crypto;

use column::{Aead, Column, Kem, Nonce, OVERHEAD, Signer};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey};
use graviola::key_agreement::x25519::{PublicKey, StaticPrivateKey};
use graviola::signing::eddsa::Ed25519SigningKey;

/// The column of the packages' crates. The packages have no ChaCha20-Poly1305, so this column uses RustCrypto's, the fastest one in Rust.
pub const COLUMN: Column = Column {
    name: "rust",
    aes: Some(|key| Box::new(AesGcm::new(key))),
    chacha: |key| Box::new(rust_crypto::chacha(key)),
    x25519: Some(x25519),
    signer: Some(|seed| Box::new(Key::new(seed))),
    verify: Some(verify),
    batch: Some(verify_batch),
    kem: Some(|seed| Box::new(Decapsulation::new(seed))),
    encapsulate: Some(encapsulate),
    empty: Some(|n| (0..n).for_each(|_| empty(std::hint::black_box(1), 2, 3, 4, 5, 6))),
};

#[inline(never)]
pub fn empty(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) {
    std::hint::black_box((a, b, c, d, e, f));
}

/// graviola's AES-GCM.
pub struct AesGcm(graviola::aead::AesGcm);

impl AesGcm {
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(graviola::aead::AesGcm::new(key))
    }
}

impl Aead for AesGcm {
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]) {
        let (body, tag) = out.split_at_mut(text.len());
        body.copy_from_slice(text);
        self.0.encrypt(nonce, additional, body, tag.try_into().expect("16 bytes"));
    }

    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool {
        let (body, tag) = sealed.split_at(sealed.len() - OVERHEAD);
        out.copy_from_slice(body);
        self.0.decrypt(nonce, additional, out, tag).is_ok()
    }
}

/// Sets `shared` to the shared secret. Returns false if the point is of small order.
pub fn x25519(shared: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
    match StaticPrivateKey::from_array(scalar).diffie_hellman(&PublicKey::from_array(point)) {
        Ok(secret) => *shared = secret.0,
        Err(_) => return false,
    }
    true
}

/// A key of Ed25519.
pub struct Key(Ed25519SigningKey);

impl Key {
    /// # Panics
    ///
    /// Never, because a seed has 32 bytes.
    #[must_use]
    pub fn new(seed: &[u8; 32]) -> Self {
        Self(Ed25519SigningKey::from_bytes(seed).expect("32 bytes"))
    }
}

impl Signer for Key {
    fn public(&self) -> [u8; 32] {
        self.0.public_key().as_bytes()
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message)
    }
}

/// Verifies a signature with ed25519-dalek, as packages/ed25519 does.
#[must_use]
pub fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    VerifyingKey::from_bytes(public).is_ok_and(|key| key.verify(message, &Signature::from_bytes(signature)).is_ok())
}

/// Verifies many signatures at once with ed25519-dalek, as packages/ed25519 does.
#[must_use]
pub fn verify_batch(publics: &[[u8; 32]], messages: &[&[u8]], signatures: &[[u8; 64]]) -> bool {
    let Ok(keys) = publics.iter().map(VerifyingKey::from_bytes).collect::<Result<Vec<_>, _>>() else { return false };
    let signatures: Vec<Signature> = signatures.iter().map(Signature::from_bytes).collect();
    ed25519_dalek::verify_batch(messages, &signatures, &keys).is_ok()
}

/// A decapsulation key of ML-KEM-768.
pub struct Decapsulation(DecapKey);

impl Decapsulation {
    #[must_use]
    pub fn new(seed: &[u8; 64]) -> Self {
        Self(DecapKey::keygen_internal(seed))
    }
}

impl Kem for Decapsulation {
    fn public(&self) -> [u8; 1184] {
        self.0.encapsulation_key().as_bytes()
    }

    fn decapsulate(&self, ciphertext: &[u8; 1088]) -> [u8; 32] {
        *self.0.decaps_internal(&Ciphertext::from(*ciphertext)).as_ref()
    }
}

/// # Panics
///
/// If the key is invalid, or the system has no random numbers.
#[must_use]
pub fn encapsulate(public: &[u8; 1184]) -> ([u8; 32], [u8; 1088]) {
    let key = EncapKey::from_bytes(public).expect("a key");
    let (shared, ciphertext) = key.encaps().expect("random numbers");
    (*shared.as_ref(), *ciphertext.as_ref())
}

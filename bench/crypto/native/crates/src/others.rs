//! The column rust-other: crates for the same operations, which the packages do not use on a processor with AES instructions.

use crate::rust_crypto::RustCrypto;
use aes_gcm::{Aes256Gcm, KeyInit as _};
use column::{Aead, Column, Kem, Nonce, OVERHEAD, Signer};
use ed25519_dalek::{Signer as _, SigningKey};
use graviola::aead::ChaCha20Poly1305;
use graviola::signing::eddsa::Ed25519VerifyingKey;
use libcrux_ml_kem::mlkem768::{self, MlKem768PrivateKey, MlKem768PublicKey};
use x25519_dalek::{PublicKey, StaticSecret};

pub const COLUMN: Column = Column {
    name: "rust-other",
    aes: Some(|key| Box::new(RustCrypto(Aes256Gcm::new(key.into())))),
    chacha: |key| Box::new(ChaCha(ChaCha20Poly1305::new(*key))),
    x25519: Some(|shared, scalar, point| {
        *shared = StaticSecret::from(*scalar).diffie_hellman(&PublicKey::from(*point)).to_bytes();
        *shared != [0; 32]
    }),
    signer: Some(|seed| Box::new(Key(SigningKey::from_bytes(seed)))),
    verify: Some(|public, message, signature| {
        Ed25519VerifyingKey::from_bytes(public).is_ok_and(|key| key.verify(signature, message).is_ok())
    }),
    batch: None,
    kem: Some(|seed| {
        let (private, public) = mlkem768::generate_key_pair(*seed).into_parts();
        Box::new(Decapsulation { private, public })
    }),
    encapsulate: Some(|public| {
        let key = MlKem768PublicKey::from(public);
        assert!(mlkem768::validate_public_key(&key));
        let mut random = [0; 32];
        getrandom::fill(&mut random).expect("random numbers");
        let (ciphertext, shared) = mlkem768::encapsulate(&key, random);
        (shared, ciphertext.into())
    }),
    empty: crate::COLUMN.empty,
};

struct ChaCha(ChaCha20Poly1305);

impl Aead for ChaCha {
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

struct Key(SigningKey);

impl Signer for Key {
    fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

struct Decapsulation {
    private: MlKem768PrivateKey,
    public: MlKem768PublicKey,
}

impl Kem for Decapsulation {
    fn public(&self) -> [u8; 1184] {
        *self.public.as_slice()
    }

    fn decapsulate(&self, ciphertext: &[u8; 1088]) -> [u8; 32] {
        mlkem768::decapsulate(&self.private, &ciphertext.into())
    }
}

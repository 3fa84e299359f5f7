//! Crates that are measured only for their AEADs. No package uses them. libcrux's ChaCha20-Poly1305 is written in Rust, but slower than RustCrypto's.
//! ring's code is the assembly of BoringSSL. Its times show what assembly can achieve.

use column::{Aead, Column, Nonce, OVERHEAD};
use ring::aead::{AES_256_GCM, Aad, CHACHA20_POLY1305, LessSafeKey, Tag, UnboundKey};

/// The column of ring, whose code is BoringSSL's assembly.
pub const RING: Column = Column {
    name: "rust-ring",
    aes: Some(|key| Box::new(Ring::new(&AES_256_GCM, key))),
    chacha: |key| Box::new(Ring::new(&CHACHA20_POLY1305, key)),
    ..AEADS
};

/// The column of libcrux, whose code is HACL*, translated to Rust.
pub const LIBCRUX: Column = Column { name: "rust-libcrux", chacha: |key| Box::new(Libcrux(*key)), ..AEADS };

const AEADS: Column = Column {
    name: "",
    aes: None,
    chacha: crate::COLUMN.chacha,
    x25519: None,
    signer: None,
    verify: None,
    batch: None,
    kem: None,
    encapsulate: None,
    empty: None,
};

struct Ring(LessSafeKey);

impl Ring {
    fn new(algorithm: &'static ring::aead::Algorithm, key: &[u8; 32]) -> Self {
        Self(LessSafeKey::new(UnboundKey::new(algorithm, key).expect("32 bytes")))
    }
}

impl Aead for Ring {
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]) {
        let (body, tag) = out.split_at_mut(text.len());
        body.copy_from_slice(text);
        let nonce = ring::aead::Nonce::assume_unique_for_key(*nonce);
        tag.copy_from_slice(self.0.seal_in_place_separate_tag(nonce, Aad::from(additional), body).expect("not too long").as_ref());
    }

    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool {
        let (body, tag) = sealed.split_at(sealed.len() - OVERHEAD);
        out.copy_from_slice(body);
        let (nonce, tag) = (ring::aead::Nonce::assume_unique_for_key(*nonce), Tag::try_from(tag).expect("16 bytes"));
        self.0.open_in_place_separate_tag(nonce, Aad::from(additional), tag, out, 0..).is_ok()
    }
}

struct Libcrux([u8; 32]);

impl Aead for Libcrux {
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]) {
        libcrux_chacha20poly1305::encrypt(&self.0, text, out, additional, nonce).expect("not too long");
    }

    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool {
        libcrux_chacha20poly1305::decrypt(&self.0, out, sealed, additional, nonce).is_ok()
    }
}

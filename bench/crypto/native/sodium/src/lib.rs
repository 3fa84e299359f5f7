//! The column rust-sodium: libsodium, which the crate libsodium-sys-stable builds from source.

use column::{Aead, Column, Kem, Nonce, Signer};
use libsodium_sys as c;
use std::ptr::{null, null_mut};

/// The column rust-sodium. Call [`init`] before its functions.
pub const COLUMN: Column = Column {
    name: "rust-sodium",
    aes: Some(|key| Box::new(Aes::new(key))),
    chacha: |key| Box::new(ChaCha(*key)),
    // SAFETY: the three arguments are arrays of 32 bytes.
    x25519: Some(|shared, scalar, point| unsafe { c::crypto_scalarmult(shared.as_mut_ptr(), scalar.as_ptr(), point.as_ptr()) == 0 }),
    signer: Some(|seed| {
        let mut key = Key { key: [0; 64], public: [0; 32] };
        // SAFETY: the lengths are those that the library's header demands. This holds for all calls below.
        unsafe { c::crypto_sign_seed_keypair(key.public.as_mut_ptr(), key.key.as_mut_ptr(), seed.as_ptr()) };
        Box::new(key)
    }),
    verify: Some(|public, message, signature| unsafe {
        c::crypto_sign_verify_detached(signature.as_ptr(), message.as_ptr(), message.len() as u64, public.as_ptr()) == 0
    }),
    batch: None,
    kem: Some(|seed| {
        let mut key = Box::new(Decapsulation { secret: [0; 2400], public: [0; 1184] });
        unsafe { c::crypto_kem_mlkem768_seed_keypair(key.public.as_mut_ptr(), key.secret.as_mut_ptr(), seed.as_ptr()) };
        key
    }),
    encapsulate: Some(|public| {
        let (mut shared, mut ciphertext) = ([0; 32], [0; 1088]);
        assert_eq!(unsafe { c::crypto_kem_mlkem768_enc(ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr()) }, 0);
        (shared, ciphertext)
    }),
    // crypto_sign_bytes only returns a constant.
    empty: Some(|n| {
        (0..n).for_each(|_| unsafe {
            std::hint::black_box(c::crypto_sign_bytes());
        });
    }),
};

/// Chooses the library's code for the processor.
///
/// # Panics
///
/// If the library cannot be used.
pub fn init() {
    // SAFETY: sodium_init may be called at any time.
    assert!(unsafe { c::sodium_init() } >= 0 && unsafe { c::crypto_aead_aes256gcm_is_available() } == 1, "libsodium cannot be used here");
}

/// Returns the library's version.
#[must_use]
pub fn version() -> String {
    // SAFETY: the function returns a C string that is never freed.
    unsafe { std::ffi::CStr::from_ptr(c::sodium_version_string()) }.to_string_lossy().into_owned()
}

struct Aes(c::crypto_aead_aes256gcm_state);

impl Aes {
    fn new(key: &[u8; 32]) -> Self {
        // SAFETY: the state is an array of bytes, which the library sets.
        unsafe {
            let mut state = std::mem::zeroed();
            c::crypto_aead_aes256gcm_beforenm(&raw mut state, key.as_ptr());
            Self(state)
        }
    }
}

impl Aead for Aes {
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]) {
        // SAFETY: out has room for text and tag.
        unsafe {
            c::crypto_aead_aes256gcm_encrypt_afternm(
                out.as_mut_ptr(),
                null_mut(),
                text.as_ptr(),
                text.len() as u64,
                additional.as_ptr(),
                additional.len() as u64,
                null(),
                nonce.as_ptr(),
                &raw const self.0,
            );
        }
    }

    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool {
        // SAFETY: out has room for the text.
        unsafe {
            c::crypto_aead_aes256gcm_decrypt_afternm(
                out.as_mut_ptr(),
                null_mut(),
                null_mut(),
                sealed.as_ptr(),
                sealed.len() as u64,
                additional.as_ptr(),
                additional.len() as u64,
                nonce.as_ptr(),
                &raw const self.0,
            ) == 0
        }
    }
}

struct ChaCha([u8; 32]);

impl Aead for ChaCha {
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]) {
        // SAFETY: out has room for text and tag.
        unsafe {
            c::crypto_aead_chacha20poly1305_ietf_encrypt(
                out.as_mut_ptr(),
                null_mut(),
                text.as_ptr(),
                text.len() as u64,
                additional.as_ptr(),
                additional.len() as u64,
                null(),
                nonce.as_ptr(),
                self.0.as_ptr(),
            );
        }
    }

    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool {
        // SAFETY: out has room for the text.
        unsafe {
            c::crypto_aead_chacha20poly1305_ietf_decrypt(
                out.as_mut_ptr(),
                null_mut(),
                null_mut(),
                sealed.as_ptr(),
                sealed.len() as u64,
                additional.as_ptr(),
                additional.len() as u64,
                nonce.as_ptr(),
                self.0.as_ptr(),
            ) == 0
        }
    }
}

struct Key {
    key: [u8; 64],
    public: [u8; 32],
}

impl Signer for Key {
    fn public(&self) -> [u8; 32] {
        self.public
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut signature = [0; 64];
        // SAFETY: the lengths are those that the library's header demands.
        unsafe { c::crypto_sign_detached(signature.as_mut_ptr(), null_mut(), message.as_ptr(), message.len() as u64, self.key.as_ptr()) };
        signature
    }
}

struct Decapsulation {
    secret: [u8; 2400],
    public: [u8; 1184],
}

impl Kem for Decapsulation {
    fn public(&self) -> [u8; 1184] {
        self.public
    }

    fn decapsulate(&self, ciphertext: &[u8; 1088]) -> [u8; 32] {
        let mut shared = [0; 32];
        // SAFETY: the lengths are those that the library's header demands.
        assert_eq!(unsafe { c::crypto_kem_mlkem768_dec(shared.as_mut_ptr(), ciphertext.as_ptr(), self.secret.as_ptr()) }, 0);
        shared
    }
}

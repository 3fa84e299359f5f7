//! What a key is expanded to, and wiped.

#[cfg(target_feature = "aes")]
pub use with_instructions::Keys;
#[cfg(not(target_feature = "aes"))]
pub use without::Keys;

#[cfg(target_feature = "aes")]
mod with_instructions {
    use graviola::aead::AesGcm;

    pub struct Keys(AesGcm);

    impl Keys {
        /// `key` has 16 or 32 bytes.
        pub fn new(key: &[u8]) -> Self {
            Self(AesGcm::new(key))
        }

        pub fn seal(&self, text: &mut [u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            self.0.encrypt(nonce, additional, text, tag);
        }

        pub fn open(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            self.0.decrypt(nonce, additional, text, tag).is_ok()
        }
    }
}

#[cfg(not(target_feature = "aes"))]
mod without {
    use aes_gcm::{AeadInOut as _, Aes128Gcm, Aes256Gcm, KeyInit as _};

    pub enum Keys {
        Aes128(Aes128Gcm),
        Aes256(Aes256Gcm),
    }

    impl Keys {
        /// `key` has 16 or 32 bytes.
        pub fn new(key: &[u8]) -> Self {
            match Aes128Gcm::new_from_slice(key) {
                Ok(keys) => Self::Aes128(keys),
                Err(_) => Self::Aes256(Aes256Gcm::new_from_slice(key).expect("a key of 32 bytes")),
            }
        }

        pub fn seal(&self, text: &mut [u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            let nonce = nonce.into();
            let made = match self {
                Self::Aes128(keys) => keys.encrypt_inout_detached(nonce, additional, text.into()),
                Self::Aes256(keys) => keys.encrypt_inout_detached(nonce, additional, text.into()),
            };
            *tag = made.expect("no longer than AES-GCM can be").into();
        }

        pub fn open(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            let (nonce, tag) = (nonce.into(), tag.into());
            let opened = match self {
                Self::Aes128(keys) => keys.decrypt_inout_detached(nonce, additional, (&mut *text).into(), tag),
                Self::Aes256(keys) => keys.decrypt_inout_detached(nonce, additional, (&mut *text).into(), tag),
            };
            if opened.is_err() {
                text.fill(0);
            }
            opened.is_ok()
        }
    }
}

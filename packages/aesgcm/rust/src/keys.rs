//! What a key is expanded to, and wiped. Round keys that calls leave on the stack are overwritten.

#[cfg(target_feature = "aes")]
pub use graviola::Keys;
#[cfg(not(target_feature = "aes"))]
pub use rust_crypto::Keys;

#[cfg(target_feature = "aes")]
mod graviola {
    use ::graviola::aead::AesGcm;
    use burn_secrets::burn;

    pub struct Keys(AesGcm);

    /// More than its functions need of the stack, in words of eight bytes.
    const BURNT: usize = if cfg!(target_arch = "x86_64") { 320 } else { 1536 };

    impl Keys {
        /// `key` has 16 or 32 bytes.
        pub fn new(key: &[u8]) -> Self {
            Self(AesGcm::new(key))
        }

        pub fn seal(&self, text: &mut [u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            self.encrypt(text, tag, nonce, additional);
            burn::<BURNT>();
        }

        pub fn open(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            let is_right = self.decrypt(text, tag, nonce, additional);
            burn::<BURNT>();
            is_right
        }

        #[inline(never)]
        fn encrypt(&self, text: &mut [u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            self.0.encrypt(nonce, additional, text, tag);
        }

        #[inline(never)]
        fn decrypt(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            self.0.decrypt(nonce, additional, text, tag).is_ok()
        }
    }
}

#[cfg(not(target_feature = "aes"))]
mod rust_crypto {
    use aes_gcm::{AeadInOut as _, Aes128Gcm, Aes256Gcm, KeyInit as _};
    use burn_secrets::burn;

    /// More than its functions need of the stack, in words of eight bytes.
    const BURNT: usize = 896;

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
            self.encrypt(text, tag, nonce, additional);
            burn::<BURNT>();
        }

        pub fn open(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            let is_right = self.decrypt(text, tag, nonce, additional);
            burn::<BURNT>();
            is_right
        }

        #[inline(never)]
        fn encrypt(&self, text: &mut [u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            let nonce = nonce.into();
            let made = match self {
                Self::Aes128(keys) => keys.encrypt_inout_detached(nonce, additional, text.into()),
                Self::Aes256(keys) => keys.encrypt_inout_detached(nonce, additional, text.into()),
            };
            *tag = made.expect("no longer than AES-GCM can be").into();
        }

        #[inline(never)]
        fn decrypt(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
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

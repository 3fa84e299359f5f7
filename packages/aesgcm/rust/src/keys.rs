//! Expanded keys. Each call overwrites the stack on which it may have left round keys or other secrets.

#[cfg(all(target_feature = "aes", target_arch = "aarch64"))]
pub use graviola::Keys;
#[cfg(not(target_feature = "aes"))]
pub use rust_crypto::Keys;
#[cfg(all(target_feature = "aes", target_arch = "x86_64"))]
pub use two::Keys;

/// Keys at the x86-64 levels with AES: the module `short` handles short messages, and graviola handles long messages.
#[cfg(all(target_feature = "aes", target_arch = "x86_64"))]
mod two {
    use super::graviola;
    use crate::short;
    use aes_gcm::aead::inout::InOutBuf;
    use burn_secrets::burn_avx;

    /// The smallest total length of text and additional data, in bytes, for which graviola is faster.
    const LONG: usize = 1024;
    /// The number of eight-byte words of stack to overwrite after a short call. The call uses fewer.
    const BURNT: usize = 144;

    pub struct Keys {
        short: short::Keys,
        long: graviola::Keys,
    }

    impl Keys {
        /// Expands a key of 16 or 32 bytes.
        pub fn new(key: &[u8]) -> Self {
            // SAFETY: a processor of this level has the instructions.
            let short = unsafe { short::Keys::new(key) };
            Self { short, long: graviola::Keys::new(key) }
        }

        pub fn seal(&self, text: InOutBuf<'_, '_, u8>, tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            if is_long(text.len(), additional) {
                return self.long.seal(text, tag, nonce, additional);
            }
            // SAFETY: a processor of this level has the instructions.
            unsafe { self.short.seal(text, tag, nonce, additional) };
            burn_avx::<BURNT>();
        }

        pub fn open(&self, mut text: InOutBuf<'_, '_, u8>, tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            if is_long(text.len(), additional) {
                return self.long.open(text, tag, nonce, additional);
            }
            // SAFETY: a processor of this level has the instructions.
            let is_right = unsafe { self.short.open(text.reborrow(), tag, nonce, additional) };
            burn_avx::<BURNT>();
            if !is_right {
                text.get_out().fill(0);
            }
            is_right
        }
    }

    fn is_long(text: usize, additional: &[u8]) -> bool {
        text >= LONG || additional.len() >= LONG - text
    }
}

#[cfg(target_feature = "aes")]
mod graviola {
    use ::graviola::aead::AesGcm;
    use aes_gcm::aead::inout::InOutBuf;
    use burn_secrets::burn;

    pub struct Keys(AesGcm);

    /// The number of eight-byte words of stack to overwrite after a call. graviola uses fewer.
    const BURNT: usize = if cfg!(target_arch = "x86_64") { 320 } else { 1536 };

    impl Keys {
        /// Expands a key of 16 or 32 bytes.
        pub fn new(key: &[u8]) -> Self {
            Self(AesGcm::new(key))
        }

        pub fn seal(&self, text: InOutBuf<'_, '_, u8>, tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            self.encrypt(text.into_out_with_copied_in(), tag, nonce, additional);
            burn::<BURNT>();
        }

        pub fn open(&self, text: InOutBuf<'_, '_, u8>, tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            let is_right = self.decrypt(text.into_out_with_copied_in(), tag, nonce, additional);
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
    use aes_gcm::aead::inout::InOutBuf;
    use aes_gcm::{AeadInOut as _, Aes128Gcm, Aes256Gcm, KeyInit as _};
    use burn_secrets::burn;

    /// The number of eight-byte words of stack to overwrite after a call. aes-gcm uses fewer.
    const BURNT: usize = 896;

    pub enum Keys {
        Aes128(Aes128Gcm),
        Aes256(Aes256Gcm),
    }

    impl Keys {
        /// Expands a key of 16 or 32 bytes.
        pub fn new(key: &[u8]) -> Self {
            match Aes128Gcm::new_from_slice(key) {
                Ok(keys) => Self::Aes128(keys),
                Err(_) => Self::Aes256(Aes256Gcm::new_from_slice(key).expect("a key of 32 bytes")),
            }
        }

        pub fn seal(&self, text: InOutBuf<'_, '_, u8>, tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            self.encrypt(text, tag, nonce, additional);
            burn::<BURNT>();
        }

        pub fn open(&self, mut text: InOutBuf<'_, '_, u8>, tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            let is_right = self.decrypt(text.reborrow(), tag, nonce, additional);
            burn::<BURNT>();
            if !is_right {
                text.get_out().fill(0);
            }
            is_right
        }

        #[inline(never)]
        fn encrypt(&self, text: InOutBuf<'_, '_, u8>, tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
            let nonce = nonce.into();
            let made = match self {
                Self::Aes128(keys) => keys.encrypt_inout_detached(nonce, additional, text),
                Self::Aes256(keys) => keys.encrypt_inout_detached(nonce, additional, text),
            };
            *tag = made.expect("no longer than AES-GCM can be").into();
        }

        #[inline(never)]
        fn decrypt(&self, text: InOutBuf<'_, '_, u8>, tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
            let (nonce, tag) = (nonce.into(), tag.into());
            let opened = match self {
                Self::Aes128(keys) => keys.decrypt_inout_detached(nonce, additional, text, tag),
                Self::Aes256(keys) => keys.decrypt_inout_detached(nonce, additional, text, tag),
            };
            opened.is_ok()
        }
    }
}

//! Ed25519 signatures without a context. The CPU level of the build selects the crate: graviola or ed25519-dalek. Keys wipe themselves when they are
//! dropped.

#[cfg(not(target_feature = "aes"))]
pub use dalek_code::Signer;
#[cfg(target_feature = "aes")]
pub use graviola_code::Signer;

// graviola needs ADX and BMI on amd64. Each level with AES has both.
#[cfg(target_feature = "aes")]
mod graviola_code {
    use graviola::signing::eddsa::Ed25519SigningKey;

    pub struct Signer(Ed25519SigningKey);

    impl Signer {
        pub fn new(seed: &[u8; 32]) -> Self {
            Self(Ed25519SigningKey::from_bytes(seed).expect("a seed of 32 bytes"))
        }

        pub fn sign(&self, message: &[u8]) -> [u8; 64] {
            self.0.sign(message)
        }

        pub fn public(&self) -> [u8; 32] {
            self.0.public_key().as_bytes()
        }
    }
}

#[cfg(not(target_feature = "aes"))]
mod dalek_code {
    use ed25519_dalek::{Signer as _, SigningKey};

    pub struct Signer(SigningKey);

    impl Signer {
        pub fn new(seed: &[u8; 32]) -> Self {
            Self(SigningKey::from_bytes(seed))
        }

        pub fn sign(&self, message: &[u8]) -> [u8; 64] {
            self.0.sign(message).to_bytes()
        }

        pub fn public(&self) -> [u8; 32] {
            self.0.verifying_key().to_bytes()
        }
    }
}

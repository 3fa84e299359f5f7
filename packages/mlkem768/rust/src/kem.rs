//! The operations of ML-KEM-768. The CPU level of the build selects the crate: graviola or libcrux. Keys wipe themselves when they are dropped.

#[cfg(all(target_arch = "x86_64", target_feature = "aes"))]
pub use graviola_code::{Decapsulation, Encapsulation};
#[cfg(not(all(target_arch = "x86_64", target_feature = "aes")))]
pub use libcrux_code::{Decapsulation, Encapsulation};

// Each x86-64 level with AES has the instructions that graviola needs. graviola's code for arm64 cannot be used, because it uses x28, which Go
// reserves. The functions of graviola that take the randomness as an argument are public but not documented.
#[cfg(all(target_arch = "x86_64", target_feature = "aes"))]
mod graviola_code {
    use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey, Message};

    pub struct Decapsulation(DecapKey);

    impl Decapsulation {
        pub fn new(seed: &[u8; 64]) -> Self {
            Self(DecapKey::keygen_internal(seed))
        }

        pub fn decapsulate(&self, shared: &mut [u8; 32], ciphertext: &[u8; 1088]) {
            *shared = *self.0.decaps_internal(&Ciphertext::from(*ciphertext)).as_ref();
        }

        pub fn encapsulation_key(&self) -> Encapsulation {
            Encapsulation(self.0.encapsulation_key())
        }
    }

    pub struct Encapsulation(EncapKey);

    impl Encapsulation {
        pub fn new(key: &[u8; 1184]) -> Option<Self> {
            EncapKey::from_bytes(key).ok().map(Self)
        }

        pub fn bytes(&self) -> [u8; 1184] {
            self.0.as_bytes()
        }

        pub fn encapsulate(&self, shared: &mut [u8; 32], ciphertext: &mut [u8; 1088], m: &[u8; 32]) {
            let (secret, text) = self.0.clone().encaps_internal(Message(*m));
            *shared = *secret.as_ref();
            *ciphertext = *text.as_ref();
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "aes")))]
mod libcrux_code {
    use libcrux_ml_kem::mlkem768::{
        MlKem768PrivateKey, MlKem768PublicKey, decapsulate, encapsulate, generate_key_pair, validate_public_key,
    };

    pub struct Decapsulation {
        private: MlKem768PrivateKey,
        public: MlKem768PublicKey,
    }

    impl Decapsulation {
        pub fn new(seed: &[u8; 64]) -> Self {
            let (private, public) = generate_key_pair(*seed).into_parts();
            Self { private, public }
        }

        pub fn decapsulate(&self, shared: &mut [u8; 32], ciphertext: &[u8; 1088]) {
            *shared = decapsulate(&self.private, &ciphertext.into());
        }

        pub fn encapsulation_key(&self) -> Encapsulation {
            Encapsulation(self.public.clone())
        }
    }

    impl Drop for Decapsulation {
        fn drop(&mut self) {
            // SAFETY: the value is an array of bytes without a destructor.
            unsafe { zeroize::zeroize_flat_type(&raw mut self.private) };
        }
    }

    pub struct Encapsulation(MlKem768PublicKey);

    impl Encapsulation {
        pub fn new(key: &[u8; 1184]) -> Option<Self> {
            let key = key.into();
            validate_public_key(&key).then_some(Self(key))
        }

        pub fn bytes(&self) -> [u8; 1184] {
            *self.0.as_slice()
        }

        pub fn encapsulate(&self, shared: &mut [u8; 32], ciphertext: &mut [u8; 1088], m: &[u8; 32]) {
            let (text, secret) = encapsulate(&self.0, *m);
            *shared = secret;
            *ciphertext = text.into();
        }
    }
}

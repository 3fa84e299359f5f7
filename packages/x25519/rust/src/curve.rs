//! The X25519 function. The CPU level of the build selects the crate: graviola or curve25519-dalek.

#[cfg(not(target_feature = "aes"))]
pub use dalek_code::{exchange, exchange_base};
#[cfg(target_feature = "aes")]
pub use graviola_code::{exchange, exchange_base};

// graviola needs ADX and BMI on amd64. Each level with AES has both.
#[cfg(target_feature = "aes")]
mod graviola_code {
    use graviola::key_agreement::x25519::{PublicKey, StaticPrivateKey};

    #[inline(never)]
    pub fn exchange(dst: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
        // graviola returns an error only if the shared secret is zero.
        match StaticPrivateKey::from_array(scalar).diffie_hellman(&PublicKey::from_array(point)) {
            Ok(shared) => *dst = shared.0,
            Err(_) => *dst = [0; 32],
        }
        *dst != [0; 32]
    }

    #[inline(never)]
    pub fn exchange_base(dst: &mut [u8; 32], scalar: &[u8; 32]) {
        *dst = StaticPrivateKey::from_array(scalar).public_key().as_bytes();
    }
}

#[cfg(not(target_feature = "aes"))]
mod dalek_code {
    use curve25519_dalek::{edwards::EdwardsPoint, montgomery::MontgomeryPoint};

    #[inline(never)]
    pub fn exchange(dst: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
        *dst = MontgomeryPoint(*point).mul_clamped(*scalar).to_bytes();
        *dst != [0; 32]
    }

    #[inline(never)]
    pub fn exchange_base(dst: &mut [u8; 32], scalar: &[u8; 32]) {
        *dst = EdwardsPoint::mul_base_clamped(*scalar).to_montgomery().to_bytes();
    }
}

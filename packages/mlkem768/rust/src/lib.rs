//! ML-KEM-768 (FIPS 203). The code is graviola's at the x86-64 levels with AES, and otherwise libcrux's.

mod kem;

use burn_secrets::{burn, registers};
use zeroize::Zeroize as _;

/// A DecapsulationKey is the secret key of ML-KEM-768. Several goroutines may use one DecapsulationKey at the same time.
///
/// The key is in the Rust heap. Close wipes the key. Without Close the key is wiped some time after the last reference to the DecapsulationKey is
/// gone.
#[rustgo::object(close)]
pub struct DecapsulationKey(Box<Expanded>);

/// The expanded key, in a box because moving a value leaves a copy in its old place.
struct Expanded {
    seed: [u8; 64],
    key: kem::Decapsulation,
}

impl Expanded {
    #[inline(never)]
    fn new(seed: &[u8; 64]) -> Box<Self> {
        Box::new(Self { seed: *seed, key: kem::Decapsulation::new(seed) })
    }

    #[inline(never)]
    fn decapsulate(&self, shared: &mut [u8; 32], ciphertext: &[u8; 1088]) {
        self.key.decapsulate(shared, ciphertext);
    }
}

/// The numbers of eight-byte words of stack to overwrite: after a key is expanded, and after other calls. The calls use fewer.
const BURNT_BY_KEY: usize = 6144;
const BURNT: usize = 4096;

impl Drop for Expanded {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

#[rustgo::export]
impl DecapsulationKey {
    /// newDecapsulationKey expands a seed, in the form d || z of FIPS 203.
    #[rustgo::export(name = "newDecapsulationKey")]
    pub fn new(seed: &[u8; 64]) -> Self {
        let expanded = Expanded::new(seed);
        burn::<BURNT_BY_KEY>();
        Self(expanded)
    }

    /// bytes sets dst to the seed.
    #[rustgo::export(name = "bytes")]
    pub fn copy_seed(&self, dst: &mut [u8; 64]) {
        *dst = self.0.seed;
        registers();
    }

    /// decapsulate sets shared to the shared key of the ciphertext. For a ciphertext that does not come from an encapsulation for this key, shared is
    /// a pseudo-random key that nobody else knows (implicit rejection).
    #[rustgo::export(name = "decapsulate")]
    pub fn decapsulate(&self, shared: &mut [u8; 32], ciphertext: &[u8; 1088]) {
        self.0.decapsulate(shared, ciphertext);
        burn::<BURNT>();
    }

    /// encapsulationKey returns the public key.
    #[rustgo::export(name = "encapsulationKey")]
    pub fn encapsulation_key(&self) -> EncapsulationKey {
        EncapsulationKey(self.0.key.encapsulation_key())
    }
}

/// An EncapsulationKey is the public key of ML-KEM-768. Several goroutines may use one EncapsulationKey at the same time.
#[rustgo::object]
pub struct EncapsulationKey(kem::Encapsulation);

#[inline(never)]
fn encapsulate(key: &kem::Encapsulation, shared: &mut [u8; 32], ciphertext: &mut [u8; 1088], m: &[u8; 32]) {
    key.encapsulate(shared, ciphertext, m);
}

#[rustgo::export]
impl EncapsulationKey {
    /// newEncapsulationKey reads a public key. It returns nil and false for a key that fails the check of FIPS 203, 7.2.
    #[rustgo::export(name = "newEncapsulationKey")]
    pub fn new(key: &[u8; 1184]) -> Option<Self> {
        kem::Encapsulation::new(key).map(Self)
    }

    /// bytes sets dst to the key.
    #[rustgo::export(name = "bytes")]
    pub fn copy_to(&self, dst: &mut [u8; 1184]) {
        *dst = self.0.bytes();
    }

    /// encapsulate sets shared to the shared key, and ciphertext to its encapsulation, for the random message m.
    #[rustgo::export(name = "encapsulate")]
    pub fn encapsulate(&self, shared: &mut [u8; 32], ciphertext: &mut [u8; 1088], m: &[u8; 32]) {
        encapsulate(&self.0, shared, ciphertext, m);
        burn::<BURNT>();
    }
}

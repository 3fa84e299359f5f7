//@ rand_chacha = { version = "=0.9.0", default-features = false }
//! Generates random numbers from a seed.
use rand_chacha::rand_core::{RngCore, SeedableRng};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut random = rand_chacha::ChaCha20Rng::seed_from_u64(input.len() as u64);
    random.fill_bytes(&mut out[..100]);
    100
}

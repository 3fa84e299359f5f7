//@ rustc-hash = { version = "=2.1.3", default-features = false }
//! Computes the hash that rustc uses.
use core::hash::{Hash, Hasher};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut hasher = rustc_hash::FxHasher::default();
    for part in input.chunks(100) {
        part.hash(&mut hasher);
        hasher.write_u32(part.len() as u32);
    }
    out[..8].copy_from_slice(&hasher.finish().to_le_bytes());
    ("größe", input.first(), [1u16, 2, 3]).hash(&mut hasher);
    out[8..16].copy_from_slice(&hasher.finish().to_le_bytes());
    16
}

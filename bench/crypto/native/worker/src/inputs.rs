//! The inputs of all columns. The columns in Go get the same inputs.

use column::Nonce;

/// Length of a signed message, in bytes.
pub const MESSAGE: usize = 256;
/// Number of signatures in a batch.
pub const BATCH: usize = 64;

/// Returns `N` bytes whose values count up, starting with `from`.
pub fn counting<const N: usize>(from: u8) -> [u8; N] {
    std::array::from_fn(|i| from.wrapping_add(i as u8))
}

pub fn text(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + (i >> 8)) as u8).collect()
}

pub fn key() -> [u8; 32] {
    counting(0)
}

pub fn nonce() -> Nonce {
    counting(100)
}

pub fn additional() -> [u8; 13] {
    counting(50)
}

pub fn point() -> [u8; 32] {
    let mut point = [0; 32];
    point[0] = 9;
    point
}

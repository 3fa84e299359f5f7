//! Random bytes, on systems where `rt` cannot get them from the kernel: darwin and windows.
//!
//! The generator is ChaCha20 (RFC 8439, but with 64 bits each for block counter and nonce, as ChaCha20's author defined it). Go sets a key of 32
//! bytes from the system's generator, once. Each call takes the next nonce and generates a stream from block 0 on. So no two calls use the same
//! block, and no call waits for another. Without knowledge of the key, the output cannot be distinguished from random bytes. The key stays in
//! memory: code that can read the memory of the process can compute earlier output again.

use crate::state::state;
use core::sync::atomic::Ordering;

/// The result of [`fill`] without a key: Linux's error number ENOSYS, negated.
const NO_GENERATOR: isize = -38;

/// Sets the key, before any call of [`fill`]. The parameters are numbers, because the check of a pointer would add code for panics.
#[rustgo::export(name = "randomSeed")]
pub fn seed(a: u64, b: u64, c: u64, d: u64) {
    let random = &state().random;
    for (at, part) in [a, b, c, d].into_iter().enumerate() {
        random.key[2 * at].store(part as u32, Ordering::Relaxed);
        random.key[2 * at + 1].store((part >> 32) as u32, Ordering::Relaxed);
    }
    random.has_key.store(true, Ordering::Release);
}

/// Fills `size` bytes at `to` with random bytes and returns `size`. Returns a negative error number if no key was set.
///
/// # Safety
/// `to` must be writable for `size` bytes.
pub unsafe extern "C" fn fill(to: *mut u8, size: usize) -> isize {
    let random = &state().random;
    if !random.has_key.load(Ordering::Acquire) {
        return NO_GENERATOR;
    }
    let key = core::array::from_fn(|at| random.key[at].load(Ordering::Relaxed));
    let nonce = random.nonce.fetch_add(1, Ordering::Relaxed);
    let mut at = 0;
    let mut number = 0;
    while at < size {
        let bytes = block(&key, number, nonce);
        let part = core::cmp::min(size - at, bytes.len());
        // SAFETY: the caller's promise: `to` is writable for `size` bytes.
        unsafe { to.add(at).copy_from_nonoverlapping(bytes.as_ptr(), part) };
        at += part;
        number += 1;
    }
    size as isize
}

rustgo::__routine!(fill as "randomBytes");

/// Returns block `number` of the key stream for `nonce`.
fn block(key: &[u32; 8], number: u64, nonce: u64) -> [u8; 64] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]); // "expand 32-byte k"
    start[4..12].copy_from_slice(key);
    start[12..].copy_from_slice(&[number as u32, (number >> 32) as u32, nonce as u32, (nonce >> 32) as u32]);
    let mut state = start;
    for _ in 0..10 {
        for column in 0..4 {
            quarter_round(&mut state, [column, column + 4, column + 8, column + 12]);
        }
        for row in 0..4 {
            quarter_round(&mut state, [row, 4 + (row + 1) % 4, 8 + (row + 2) % 4, 12 + (row + 3) % 4]);
        }
    }
    let mut bytes = [0; 64];
    for ((bytes, word), first) in bytes.as_chunks_mut().0.iter_mut().zip(state).zip(start) {
        *bytes = word.wrapping_add(first).to_le_bytes();
    }
    bytes
}

/// The quarter round of RFC 8439, section 2.1.
fn quarter_round(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (left, right, to, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[left] = state[left].wrapping_add(state[right]);
        state[to] = (state[to] ^ state[left]).rotate_left(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the vector of RFC 8439, section 2.3.2. Its 32-bit counter and 96-bit nonce are the same four words as a 64-bit counter and nonce.
    #[test]
    fn a_block_matches_the_rfc() {
        let key = core::array::from_fn(|at| u32::from_le_bytes(core::array::from_fn(|byte| (4 * at + byte) as u8)));
        let bytes = block(&key, 0x0900_0000_0000_0001, 0x0000_0000_4a00_0000);
        assert_eq!(bytes[..16], [0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4]);
        assert_eq!(bytes[48..], [0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e]);
    }
}

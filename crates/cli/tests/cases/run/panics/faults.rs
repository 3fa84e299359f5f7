//! Reads of address 0, for the largest number only, in a leaf function whose frame has a local of one byte. The harness recovers each
//! ten thousand times.
#![no_std]

use core::hint::black_box;

#[rustgo::export]
pub fn byte_faults(x: u64) -> u64 {
    if x == u64::MAX { read(x) } else { x / 3 }
}

#[inline(never)]
fn read(x: u64) -> u64 {
    let byte = black_box(x as u8);
    // SAFETY: none; the address is 0.
    let word = unsafe { (!x as *const u64).read_volatile() };
    u64::from(byte) ^ word
}

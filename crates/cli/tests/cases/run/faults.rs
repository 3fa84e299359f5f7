//! Reads of address 0, for the largest number only, where the frame has one local of a byte and is a leaf's: the harness recovers each
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
    // SAFETY: it is not: the address is 0.
    let word = unsafe { (!x as *const u64).read_volatile() };
    u64::from(byte) ^ word
}

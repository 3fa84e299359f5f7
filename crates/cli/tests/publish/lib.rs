#![no_std]

use core::fmt;
use rustgo::Handle;

/// At returns data[i].
#[rustgo::export]
pub fn at(data: &[u8], i: usize) -> u8 {
    data[i]
}

/// Ones returns the number of bits that are 1. It uses an instruction of the processor's higher level.
#[rustgo::export]
pub fn ones(x: u64) -> u32 {
    x.count_ones()
}

/// Null reads address 0.
#[rustgo::export]
pub fn null(offset: usize) -> u8 {
    unsafe { core::ptr::without_provenance::<u8>(offset).read_volatile() }
}

struct Faulty(usize);

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", null(self.0))
    }
}

/// Unprintable panics, and its message faults.
#[rustgo::export]
pub fn unprintable(offset: usize) {
    panic!("{}", Faulty(offset));
}

/// Same returns h.
#[rustgo::export]
pub fn same(h: Handle) -> Handle {
    h
}

//! Nothing is exported.
#![no_std]

pub fn run(x: u64) -> u64 {
    x + 1
}

//! An architecture that is not there yet.
//@ args: build --arch amd64,arm64
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

//! The go command is missing.
//@ args: build --go no-such-go
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

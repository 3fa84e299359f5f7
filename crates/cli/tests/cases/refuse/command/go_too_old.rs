//! Go is too old.
//@ go: echo go1.23.4; echo /usr/lib/go
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

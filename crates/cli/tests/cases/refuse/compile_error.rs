//! The crate does not compile: the compiler speaks for itself.
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + "one"
}

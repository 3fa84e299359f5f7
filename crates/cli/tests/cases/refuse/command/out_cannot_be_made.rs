//! The output folder cannot be created, because its parent is a file.
//@ out: blocker/go
//@ file blocker: not a folder\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

//! The output folder cannot be made, since what would hold it is a file.
//@ out: blocker/go
//@ file blocker: not a folder\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

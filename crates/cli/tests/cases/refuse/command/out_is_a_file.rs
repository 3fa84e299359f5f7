//! The output folder is a file.
//@ out: blocker
//@ file blocker: not a folder\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

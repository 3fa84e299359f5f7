//! The output folder has a file with the name of an output file, written by another program.
//@ file go/rustgo.go: package mine\n\n// written by hand\n
//@ file go/other.go: package mine\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

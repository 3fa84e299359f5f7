//! The message of `rustgo check --locked` for a package that Go refuses.
//@ args: check --locked
//@ file go/a.go: package a\n\nfunc Run(x uint64) uint64 { return x + 1 }\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

//! A program (package main) cannot be imported.
//@ args: build --package main
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

//! A program is no package that others could import.
//@ args: build --package main
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

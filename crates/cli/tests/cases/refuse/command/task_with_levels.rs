//! A task in a package with several levels of processors.
//@ args: build --cpu x86-64,x86-64-v3
#![no_std]

#[rustgo::export(task)]
pub fn run(x: u64) -> u64 {
    x + 1
}

//! The toolchain named for an architecture does not exist.
//@ args: build --arch amd64,arm64 --toolchain arm64=./no-toolchain
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

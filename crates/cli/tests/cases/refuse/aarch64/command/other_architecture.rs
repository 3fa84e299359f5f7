//! A build script adds a library of the other architecture.
//@ copy rust/build.rs: other_object.rs
#![no_std]

unsafe extern "C" {
    fn other();
}

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    // SAFETY: none; this is refused.
    unsafe { other() };
    x
}

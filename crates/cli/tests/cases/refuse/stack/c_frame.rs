//! C code of a build script, with inline assembly that moves the stack pointer by an unknown amount.
//@ copy rust/build.rs: c_library.rs
//@ file rust/case.c: long frame(long x) { __asm__ volatile("sub %0, %%rsp; add %0, %%rsp" : : "r"(x) : "cc"); return x; }
#![no_std]

unsafe extern "C" {
    fn frame(x: i64) -> i64;
}

#[rustgo::export]
pub fn run(x: i64) -> i64 {
    // SAFETY: none; this is refused.
    unsafe { frame(x) }
}

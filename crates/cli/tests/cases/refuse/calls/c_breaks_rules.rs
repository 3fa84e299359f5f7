//! C code of a build script, with inline assembly that no Go program can run.
//@ copy rust/build.rs: c_library.rs
//@ file rust/case.c: long call(long x) { __asm__ volatile("syscall" : "+a"(x) : : "rcx", "r11", "memory"); return x; }
#![no_std]

unsafe extern "C" {
    fn call(x: i64) -> i64;
}

#[rustgo::export]
pub fn run(x: i64) -> i64 {
    // SAFETY: none; this is refused.
    unsafe { call(x) }
}

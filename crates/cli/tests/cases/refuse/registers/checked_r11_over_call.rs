//! A naked function keeps a value in r11 while it calls a compiled function, which recurses. The convention lets the called function change r11.
use std::arch::naked_asm;

#[inline(never)]
extern "C" fn deep(x: u64) -> u64 {
    if x < 2 { x } else { deep(x / 2).wrapping_mul(3).wrapping_add(deep(x / 3)) ^ x }
}

#[unsafe(naked)]
extern "C" fn reads(_: u64) -> u64 {
    naked_asm!("push rbx", "mov r11, rdi", "call {deep}", "add rax, r11", "pop rbx", "ret", deep = sym deep)
}

#[rustgo::export(stack = "64k")]
pub fn run(x: u64) -> u64 {
    reads(x & 0xff)
}

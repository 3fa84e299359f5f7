//! As checked_r11_over_call. Another naked function keeps a value in r11 in the same way, while it calls a function that does not recurse. The
//! message names only the caller of the function that is refused.
use std::arch::naked_asm;

#[inline(never)]
extern "C" fn shallow(x: u64) -> u64 {
    x.rotate_left(7)
}

#[unsafe(naked)]
extern "C" fn unrelated(_: u64) -> u64 {
    naked_asm!("push rbx", "mov r11, rdi", "call {shallow}", "xor rax, r11", "pop rbx", "ret", shallow = sym shallow)
}

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
    unrelated(x) ^ reads(x & 0xff)
}

//! A recursive naked function reads a value in the register that the stack check overwrites. No compiler made this function,
//! although it has a Rust name.
use std::arch::naked_asm;

#[unsafe(naked)]
unsafe extern "C" fn countdown(sum: u64) -> u64 {
    naked_asm!("mov rax, rdi", "push rax", "add rax, r11", "mov rdi, rax", "dec r11", "js 2f", "call {me}", "2:", "pop rcx", "ret", me = sym countdown)
}

#[unsafe(naked)]
unsafe extern "C" fn start(x: u64) -> u64 {
    naked_asm!("mov r11, rdi", "and r11d, 15", "xor edi, edi", "jmp {countdown}", countdown = sym countdown)
}

#[rustgo::export(stack = "16k")]
pub fn run(x: u64) -> u64 {
    unsafe { start(x) }
}

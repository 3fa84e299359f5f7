//! A recursive naked function leaves a value in r11, which its caller reads after a call through a table. The table has a compiled function too.
use std::arch::{asm, naked_asm};

type Function = extern "C" fn(u64) -> u64;

static FUNCTIONS: [Function; 2] = [keeps, plain];

#[unsafe(naked)]
extern "C" fn keeps(_: u64) -> u64 {
    naked_asm!("mov rax, rdi", "shr rdi", "jz 2f", "push rax", "call {me}", "pop rcx", "2:", "ret", me = sym keeps)
}

extern "C" fn plain(x: u64) -> u64 {
    x + 1
}

#[rustgo::export(stack = "64k")]
pub fn run(x: u64) -> u64 {
    let (found, kept): (u64, u64);
    // SAFETY: the functions change only registers that the convention lets them change.
    unsafe {
        asm!("mov r11, rsi", "call rdx", "mov rcx, r11", in("rsi") x, in("rdx") FUNCTIONS[x as usize % 2], inout("rdi") x & 0xff => _,
            lateout("rax") found, lateout("rcx") kept, clobber_abi("C"));
    }
    found.wrapping_add(kept)
}

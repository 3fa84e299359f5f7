//! Naked functions and assembly that pass values without a convention: in scratch registers over a jump, in the carry flag, and
//! functions that change only memory.
#![no_std]
use core::arch::{asm, naked_asm};

static mut COUNTER: u64 = 0;

/// Changes only memory and flags.
#[unsafe(naked)]
extern "C" fn bump() {
    naked_asm!("add qword ptr [rip + {counter}], 1", "ret", counter = sym COUNTER)
}

#[unsafe(naked)]
extern "C" fn first(_: u64) -> u64 {
    naked_asm!("mov r11, rdi", "lea r10, [rdi + 3]", "jmp {second}", second = sym second)
}

#[unsafe(naked)]
extern "C" fn second() -> u64 {
    naked_asm!("imul r11, r10", "lea rax, [r11 + r10*2]", "ret")
}

/// Sets the carry flag if the low byte is over 100.
#[unsafe(naked)]
extern "C" fn carries(_: u64) {
    naked_asm!("sub rsp, 24", "mov [rsp], rdi", "cmp byte ptr [rsp], 101", "cmc", "lea rsp, [rsp + 24]", "ret")
}

#[rustgo::export]
pub fn jumps(x: u64) -> u64 {
    first(x)
}

#[rustgo::export]
pub fn carried(x: u64) -> u64 {
    let result: u64;
    // SAFETY: the called function preserves all registers.
    unsafe { asm!("call {carries}", "adc {result}, {result}", carries = sym carries, result = inout(reg) x => result, in("rdi") x) }
    result
}

#[rustgo::export]
pub fn kept(x: u64) -> u64 {
    let (mut a, mut b, mut c, mut d) = (x, x ^ 5, x.rotate_left(9), !x);
    // SAFETY: the called function preserves all registers and changes a static.
    unsafe { asm!("call {bump}", bump = sym bump, inout("rsi") a, inout("rdi") b, inout("r8") c, inout("rax") d) }
    a ^ b.rotate_left(1) ^ c.rotate_left(2) ^ d.rotate_left(3)
}

//! A function reads r11 after a call through an unknown pointer, where the register holds no defined value. One target is hand-written, and
//! another target recurses, so its stack check overwrites r11.
use std::arch::{asm, naked_asm};
use std::hint::black_box;

type Function = extern "C" fn(u64) -> u64;

/// Does not change r11.
#[unsafe(naked)]
extern "C" fn plain(_: u64) -> u64 {
    naked_asm!("lea rax, [rdi + 1]", "ret")
}

extern "C" fn deep(x: u64) -> u64 {
    if x < 2 { x } else { black_box(deep as Function)(x / 2).wrapping_add(deep(x / 3)) ^ x }
}

#[rustgo::export(stack = "64k")]
pub fn run(x: u64) -> u64 {
    let functions: Vec<Function> = black_box(vec![plain, deep]);
    let found = functions[x as usize % 2](x & 0xff);
    let zero: u64;
    // SAFETY: the value that the code reads does not matter.
    unsafe { asm!("mov {0}, r11", "xor {0:e}, {0:e}", out(reg) zero) }
    found.wrapping_add(zero)
}

//! Compiled code reads r11 after a call through a pointer in a table, where the register holds no defined value. One target is hand-written, and
//! another target recurses, so its stack check overwrites r11.
use std::arch::{asm, naked_asm};

type Function = extern "C" fn(u64) -> u64;

static FUNCTIONS: [Function; 2] = [plain, deep];

/// Does not change r11.
#[unsafe(naked)]
extern "C" fn plain(_: u64) -> u64 {
    naked_asm!("lea rax, [rdi + 1]", "ret")
}

extern "C" fn deep(x: u64) -> u64 {
    if x < 2 { x } else { deep(x / 2).wrapping_mul(3).wrapping_add(deep(x / 3)) ^ x }
}

#[rustgo::export(stack = "64k")]
pub fn run(x: u64) -> u64 {
    let found = FUNCTIONS[x as usize % 2](x & 0xff);
    let zero: u64;
    // SAFETY: the value that the code reads does not matter.
    unsafe { asm!("mov {0}, r11", "xor {0:e}, {0:e}", out(reg) zero) }
    found.wrapping_add(zero)
}

//! Hand-written assembly in the form of LLVM's outliner.
#![no_std]

core::arch::global_asm!(
    ".globl twice",
    ".type twice,@function",
    "twice:",
    "stp x29, x30, [sp, #-16]!",
    "bl OUTLINED_FUNCTION_0",
    "ldp x29, x30, [sp], #16",
    "ret",
    ".type OUTLINED_FUNCTION_0,@function",
    "OUTLINED_FUNCTION_0:",
    "add x0, x0, x0",
    "ret",
);

unsafe extern "C" {
    fn twice(x: u64) -> u64;
}

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    // SAFETY: none; this is refused.
    unsafe { twice(x) }
}

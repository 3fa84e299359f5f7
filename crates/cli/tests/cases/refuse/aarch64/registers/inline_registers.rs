//! Inline assembly uses x18, which belongs to the system on darwin and windows, and x28, which is g.
#![no_std]

#[rustgo::export]
pub fn changes_g(x: u64) -> u64 {
    // SAFETY: none; this is refused.
    unsafe { core::arch::asm!("mov x28, x9", in("x9") x) };
    x
}

#[rustgo::export]
pub fn reads_g() -> u64 {
    let g;
    // SAFETY: none; this is refused.
    unsafe { core::arch::asm!("ldr x9, [x28, #16]", out("x9") g) };
    g
}

#[rustgo::export]
pub fn uses_the_systems(x: u64) -> u64 {
    // SAFETY: none; this is refused.
    unsafe { core::arch::asm!("mov x18, x9", in("x9") x) };
    x
}

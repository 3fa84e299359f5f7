//! A function pointer made of a number.
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    // SAFETY: none; it must be refused.
    let function: fn(u64) -> u64 = unsafe { core::mem::transmute(x as usize) };
    function(x)
}

//! Calls through pointers that do not point to functions, in a program that takes the address of no function.
#![no_std]

use core::mem::transmute;
use core::sync::atomic::{AtomicUsize, Ordering};

static HOOK: AtomicUsize = AtomicUsize::new(0);

#[rustgo::export]
pub fn set_hook(x: u64) {
    HOOK.store(x as usize, Ordering::Relaxed);
}

#[rustgo::export]
pub fn call_hook(x: u64) -> u64 {
    let local = [x, x ^ 1, x ^ 2];
    // SAFETY: none; the test expects the call to fault.
    let hook: extern "C" fn(&[u64; 3]) -> u64 = unsafe { transmute(HOOK.load(Ordering::Relaxed)) };
    hook(&local) + local[1]
}

/// Calls the address in its argument as the last action, so that the compiler turns the call into a jump.
#[rustgo::export]
pub fn jump_to_number(x: u64) -> u64 {
    // SAFETY: none; the test expects the call to fault.
    let function: extern "C" fn(u64) -> u64 = unsafe { transmute(x as usize) };
    function(x)
}

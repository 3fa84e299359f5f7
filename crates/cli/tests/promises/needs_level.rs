//! A package without code for the lowest level of its architecture starts on processors with the required features.
//@ args: --cpu x86-64-v2,armv8-a+lse
//@ native: bits
#![no_std]
use core::sync::atomic::{AtomicU64, Ordering::SeqCst};

static CALLS: AtomicU64 = AtomicU64::new(0);

/// `Bits` counts bits, and its calls.
#[rustgo::export]
pub fn bits(x: u64) -> u64 {
    CALLS.fetch_add(1, SeqCst);
    x.count_ones().into()
}

/// Calls is the number of calls of `Bits`.
#[rustgo::export]
pub fn calls() -> u64 {
    CALLS.load(SeqCst)
}

//! A package without code for the lowest CPU level starts only on processors that have the required features.
//@ args: --cpu x86-64-v2,armv8-a+lse
//@ native: bits
#![no_std]
use core::sync::atomic::{AtomicU64, Ordering::SeqCst};

static CALLS: AtomicU64 = AtomicU64::new(0);

/// `Bits` counts the bits that are 1, and its own calls.
#[rustgo::export]
pub fn bits(x: u64) -> u64 {
    CALLS.fetch_add(1, SeqCst);
    x.count_ones().into()
}

/// Calls returns how often `Bits` was called.
#[rustgo::export]
pub fn calls() -> u64 {
    CALLS.load(SeqCst)
}

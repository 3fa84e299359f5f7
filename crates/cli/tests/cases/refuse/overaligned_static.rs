//! A mutable static that must lie on a multiple of 64.
#![no_std]
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[repr(align(64))]
struct Line(AtomicU64);
static CALLS: Line = Line(AtomicU64::new(0));

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    CALLS.0.fetch_add(x, Relaxed)
}

//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//@ native: all
//! A crate without std whose panics unwind. The support crate links std, which unwinding needs.

#![no_std]

extern crate alloc;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::sync::atomic::{AtomicU64, Ordering};

static DROPPED: AtomicU64 = AtomicU64::new(0);

struct Counted(Box<u64>);

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(*self.0, Ordering::Relaxed);
    }
}

/// Dropped returns the sum of the numbers whose destructors have run.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// Drops owns a value for each number up to x, and panics if `panics` is true.
#[rustgo::export]
pub fn drops(x: u64, panics: bool) -> u64 {
    let all: Vec<Counted> = (0..=x).map(|i| Counted(Box::new(i))).collect();
    assert!(!panics, "{} values", all.len());
    all.len() as u64
}

#[rustgo::export]
pub fn indexed(x: u64) -> u64 {
    let all: Vec<Box<u64>> = (0..x % 10).map(Box::new).collect();
    *all[(x % 7) as usize] + x
}

#[rustgo::export]
pub fn formatted(x: u64) -> u64 {
    let mut text = String::new();
    for i in 0..x % 20 {
        write!(text, "{i},").expect("a string takes everything");
    }
    text.split(',').nth(8).expect("there are nine parts").parse::<u64>().expect("a number") + x
}

//! A pointer leads to a function that needs nearly the whole stack. The formatter of panic messages calls through other pointers too,
//! but never through that one, so it needs no stack for that function.
#![no_std]

use core::hint::black_box;

/// The sum of a local of 65,000 bytes.
fn deep(n: u64) -> u64 {
    let mut local = [0u8; 65_000];
    black_box(&mut local)[n as usize % 65_000] = n as u8;
    black_box(&local).iter().map(|&b| u64::from(b)).sum()
}

fn plain(n: u64) -> u64 {
    n + 1
}

static WAYS: [fn(u64) -> u64; 2] = [deep, plain];

/// The lowest byte of n, or one more than n.
#[rustgo::export]
pub fn either(n: u64, which: bool) -> u64 {
    black_box(&WAYS)[usize::from(which)](n)
}

/// Panics with n.
#[rustgo::export]
pub fn fail(n: u64) -> u64 {
    panic!("{n} {:?}", black_box(Some(n)))
}

//! The function `deep` needs nearly the whole stack and is called through a pointer. The code that formats panic messages calls through other
//! pointers, which never point to `deep`. So the stack bound of the formatting code must not include the stack of `deep`.
#![no_std]

use core::hint::black_box;

/// Adds up a local array of 65,000 bytes.
fn deep(n: u64) -> u64 {
    let mut local = [0u8; 65_000];
    black_box(&mut local)[n as usize % 65_000] = n as u8;
    black_box(&local).iter().map(|&b| u64::from(b)).sum()
}

fn plain(n: u64) -> u64 {
    n + 1
}

static WAYS: [fn(u64) -> u64; 2] = [deep, plain];

/// Returns n + 1 if `which` is true, else the lowest byte of n.
#[rustgo::export]
pub fn either(n: u64, which: bool) -> u64 {
    black_box(&WAYS)[usize::from(which)](n)
}

/// Panics with a message that contains n.
#[rustgo::export]
pub fn fail(n: u64) -> u64 {
    panic!("{n} {:?}", black_box(Some(n)))
}

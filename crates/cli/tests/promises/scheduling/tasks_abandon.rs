//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "abandon"
//! Calls on stacks of their own, in a crate without std whose panics abandon their frames.
#![no_std]

use core::hint::black_box;

/// Depth recurses n levels deep.
#[rustgo::export(task)]
pub fn depth(n: u64) -> u64 {
    let block = black_box([n; 12]);
    if n == 0 { 0 } else { 1 + depth(n - 1) + block[3] - n }
}

/// Index panics if the index is too large.
#[rustgo::export(task)]
pub fn index(words: &[u64], at: usize) -> u64 {
    words[at]
}

//! A crate without std allocates by the feature `heap` of the support crate.
//@ manifest: [features]
//@ manifest: default = ["rustgo-support/heap"]
#![no_std]
extern crate alloc;
use alloc::{boxed::Box, collections::BTreeMap, format, string::String, vec, vec::Vec};

#[rustgo::export]
pub fn allocates(x: u64) -> u64 {
    let mut words: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for number in 0..x % 300 {
        words.entry(format!("{:x}", number * 7 % 64)).or_default().push(number);
    }
    let longest = words.iter().max_by_key(|(_, numbers)| numbers.len()).map_or(0, |(word, _)| word.len());
    let zeros = vec![0_u64; (x % 1000) as usize];
    let boxed = Box::new([x; 40]);
    words.len() as u64 + longest as u64 + zeros.iter().sum::<u64>() + boxed[(x % 40) as usize]
}

#[rustgo::export]
pub fn too_much_panics(x: u64) -> u64 {
    let mut bytes: Vec<u8> = Vec::new();
    bytes.reserve_exact(if x == u64::MAX { 1 << 62 } else { 1 });
    core::hint::black_box(&mut bytes).capacity().min(1) as u64
}

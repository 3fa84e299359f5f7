//@ support: heap
//@ fixedbitset = { version = "=0.5.7", default-features = false }
//! Uses sets of bits.
extern crate alloc;
use alloc::{format, vec::Vec};
use fixedbitset::FixedBitSet;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut a = FixedBitSet::with_capacity(250);
    let mut b = FixedBitSet::with_capacity(400);
    for (i, &byte) in input.iter().enumerate() {
        if i % 2 == 0 {
            // set panics for a bit beyond the capacity.
            a.set(byte.into(), i % 3 == 0);
        } else {
            b.toggle(usize::from(byte) + i % 100);
        }
    }
    b.toggle_range(10..77);
    let common: Vec<usize> = a.intersection(&b).collect();
    let ones = b.count_ones(30..);
    b.union_with(&a);
    let text = format!("{common:?} {ones} {} {a} {:?} {:?}", a.is_subset(&b), b.minimum(), b.ones().collect::<Vec<_>>());
    put(out, text.as_bytes())
}

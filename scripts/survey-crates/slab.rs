//@ support: heap
//@ slab = { version = "=0.4.12", default-features = false }
//! Stores values under numbers that are reused.
extern crate alloc;
use alloc::{format, string::String, vec::Vec};
use slab::Slab;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut slab: Slab<String> = Slab::with_capacity(4);
    let mut keys = Vec::new();
    for &b in input {
        match b % 4 {
            0 if !keys.is_empty() => drop(slab.remove(keys.swap_remove(usize::from(b) % keys.len()))),
            // remove panics for a missing entry.
            1 if b == 253 => drop(slab.remove(usize::from(b))),
            2 if b > 200 => slab.retain(|key, _| key % 2 == 0 || keys.contains(&key)),
            _ => keys.push(slab.insert(format!("{b:x}"))),
        }
    }
    slab.compact(|value, _, to| value.len() + to > 0);
    let text = format!("{:?} {} {:?}", keys, slab.vacant_key(), slab.iter().collect::<Vec<_>>());
    put(out, text.as_bytes())
}

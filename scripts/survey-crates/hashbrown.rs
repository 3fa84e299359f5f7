//@ support: heap
//@ hashbrown = { version = "=0.17.1", default-features = false, features = ["default-hasher", "inline-more"] }
//! A hash table without std. The hasher's keys are random, so the results are sorted.
extern crate alloc;
use alloc::{format, vec::Vec};
use hashbrown::{HashMap, HashSet};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, pair) in input.windows(2).enumerate() {
        places.entry(pair).or_default().push(at);
    }
    places.retain(|pair, at| pair[0] != b'o' || at.len() > 1);
    let mut sorted: Vec<_> = places.drain().collect();
    sorted.sort();
    let evens: HashSet<u8> = input.iter().copied().step_by(2).collect();
    let odds: HashSet<u8> = input.iter().copied().skip(1).step_by(2).collect();
    let mut both: Vec<_> = evens.intersection(&odds).collect();
    both.sort();
    put(out, format!("{both:?} {} {sorted:?}", evens.is_subset(&odds)).as_bytes())
}

//@ std
//@ indexmap = "=2.14.2"
//! Uses a map and a set that keep the order of insertion.
use indexmap::{IndexMap, IndexSet};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut counts: IndexMap<Vec<u8>, usize> = IndexMap::new();
    for word in input.chunks(3) {
        *counts.entry(word.to_vec()).or_default() += 1;
    }
    if let Some(word) = input.get(..3) {
        counts.shift_remove(word);
    }
    counts.swap_indices(0, counts.len() / 2);
    counts.sort_by(|a, x, b, y| x.cmp(y).then(b.cmp(a)));
    let evens: IndexSet<u8> = input.iter().copied().filter(|b| b % 2 == 0).collect();
    let small: IndexSet<u8> = input.iter().copied().filter(|b| *b < 100).collect();
    let text = format!("{counts:?} {:?} {:?}", evens.intersection(&small), evens.get_index_of(&b'x'));
    put(out, text.as_bytes())
}

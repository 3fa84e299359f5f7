//! HashMap and HashSet with std's default hasher. Its keys are random, and the contents do not depend on them.
use std::collections::{BTreeMap, HashMap, HashSet};

#[rustgo::export(stack = "64k")]
pub fn counted(x: u64) -> u64 {
    let text = format!("{x:b} {} {}", x % 7, x / 3);
    let mut counts: HashMap<char, u64> = HashMap::new();
    text.chars().for_each(|letter| *counts.entry(letter).or_default() += 1);
    let sorted: BTreeMap<char, u64> = counts.into_iter().collect();
    sorted.into_iter().fold(0, |sum: u64, (letter, count)| sum.wrapping_mul(31).wrapping_add(u64::from(letter) * count))
}

#[rustgo::export(stack = "64k")]
pub fn grown(x: u64) -> u64 {
    let mut set: HashSet<String> = HashSet::new();
    for at in 0..x % 300 {
        set.insert((at * x % 101).to_string());
    }
    set.retain(|text| text.len() > 1);
    set.len() as u64 + u64::from(set.contains("17")) * 1000
}

//@ std
//@ ahash = { version = "=0.8.12", default-features = false, features = ["std"] }
//! Hashes with given keys, and uses the hashes in a map. The processor's AES instructions are not used, because they would give other hashes.
use ahash::{AHasher, HashMap, RandomState};
use std::hash::{BuildHasher, Hash, Hasher};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let keys = RandomState::with_seeds(1, 2, 3, input.len() as u64);
    let mut hasher: AHasher = keys.build_hasher();
    input.hash(&mut hasher);
    (input.len(), "größe", 7u128).hash(&mut hasher);
    let hash = hasher.finish();
    let mut map: HashMap<u8, usize> = HashMap::with_hasher(keys);
    for (i, b) in input.iter().enumerate() {
        *map.entry(*b).or_insert(i) += i;
    }
    let mut sorted: Vec<_> = map.into_iter().collect();
    sorted.sort();
    put(out, format!("{hash:x} {sorted:?}").as_bytes())
}

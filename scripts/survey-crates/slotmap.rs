//@ support: heap
//@ slotmap = { version = "=1.0.7", default-features = false }
//! Stores values under keys. A key detects that its value was removed.
extern crate alloc;
use alloc::{format, vec::Vec};
use slotmap::{DefaultKey, HopSlotMap, Key, SecondaryMap, SlotMap};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut map: SlotMap<DefaultKey, u8> = SlotMap::new();
    let mut names: SecondaryMap<DefaultKey, Vec<u8>> = SecondaryMap::new();
    let mut hop: HopSlotMap<DefaultKey, usize> = HopSlotMap::new();
    let (mut keys, mut hops) = (Vec::new(), Vec::new());
    for (i, &b) in input.iter().enumerate() {
        if b % 3 == 0 && !keys.is_empty() {
            map.remove(keys[usize::from(b) % keys.len()]);
            hop.remove(hops[usize::from(b) % hops.len()]);
        } else {
            keys.push(map.insert(b));
            names.insert(keys[keys.len() - 1], alloc::vec![b; i % 5]);
            hops.push(hop.insert(i));
        }
    }
    // Indexing panics if the value of the key was removed.
    let last = keys.first().map_or(0, |key| if input.len() % 2 == 0 { map[*key] } else { 1 });
    let alive = keys.iter().filter(|key| map.contains_key(**key)).count();
    let versions: Vec<u64> = map.keys().map(|key| key.data().as_ffi()).collect();
    let text =
        format!("{last} {alive} {versions:?} {:?} {:?}", hop.iter().collect::<Vec<_>>(), names.values().map(Vec::len).sum::<usize>());
    put(out, text.as_bytes())
}

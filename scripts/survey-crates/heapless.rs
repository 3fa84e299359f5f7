//@ heapless = { version = "=0.8.0", default-features = false }
//! Uses a map and a heap of fixed capacity.
use heapless::{
    FnvIndexMap,
    binary_heap::{BinaryHeap, Max},
};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut map = FnvIndexMap::<u8, u32, 256>::new();
    let mut heap = BinaryHeap::<u8, Max, 128>::new();
    for &b in input {
        match map.get_mut(&b) {
            Some(n) => *n += 1,
            None => drop(map.insert(b, 1)),
        }
        let _ = heap.push(b);
    }
    out[0] = heap.pop().unwrap_or(0);
    out[1] = heap.pop().unwrap_or(0);
    out[2] = map.len() as u8;
    out[3] = map.values().copied().max().unwrap_or(0) as u8;
    4
}

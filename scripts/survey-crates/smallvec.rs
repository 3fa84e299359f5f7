//@ smallvec = { version = "=1.16.6" }
//@ support: heap
//! Uses vectors with elements that are stored inline at first, and move to the heap when the vector grows.
use smallvec::SmallVec;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut some: SmallVec<[u16; 16]> = SmallVec::new();
    for (i, &b) in input.iter().take(1000).enumerate() {
        match b % 5 {
            0 => some.insert(some.len() / 2, i as u16),
            1 => drop(some.pop()),
            2 => some.extend_from_slice(&[i as u16, b.into(), 7]),
            3 if !some.is_empty() => drop(some.swap_remove(usize::from(b) % some.len())),
            // insert panics for an index beyond the end.
            4 if b == 254 => some.insert(usize::from(b), 0),
            _ => some.push(b.into()),
        }
    }
    some.dedup();
    some.retain(|x| *x % 3 != 0);
    let spilled = some.spilled();
    let drained: SmallVec<[u16; 4]> = some.drain(..some.len() / 2).collect();
    some.shrink_to_fit();
    let bytes: SmallVec<[u8; 64]> = some.iter().chain(&drained).flat_map(|x| x.to_le_bytes()).chain([spilled.into()]).collect();
    put(out, &bytes)
}

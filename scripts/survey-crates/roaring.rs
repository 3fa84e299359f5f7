//@ std
//@ roaring = "=0.11.5"
//! Uses compressed sets of numbers.
use roaring::{RoaringBitmap, RoaringTreemap};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let numbers = |step: usize| input.chunks_exact(step).map(|c| c.iter().fold(0u32, |n, &b| n << 7 | u32::from(b)));
    let a: RoaringBitmap = numbers(3).collect();
    let mut b: RoaringBitmap = numbers(2).collect();
    b.insert_range(1000..70_000);
    b.remove_range(3000..3000 + input.len() as u32);
    let both = &a & &b;
    let mut bytes = vec![];
    (&a | &b).serialize_into(&mut bytes).unwrap();
    let back = RoaringBitmap::deserialize_from(&bytes[..]).unwrap();
    let text =
        format!("{} {} {} {:?} {:?} {}", both.len(), (&a ^ &b).len(), (&a - &b).len(), back.select(100), back.max(), back.rank(5000));
    bytes.extend_from_slice(text.as_bytes());
    // The input is rarely a valid serialized set.
    bytes.extend_from_slice(format!("{:?}", RoaringBitmap::deserialize_from(input).map_err(|e| e.to_string())).as_bytes());
    let tree: RoaringTreemap = numbers(4).map(|n| u64::from(n) << 20).collect();
    tree.serialize_into(&mut bytes).unwrap();
    put(out, &bytes)
}

//@ postcard = { version = "=1.1.3", default-features = false }
//@ serde = { version = "1", default-features = false, features = ["derive"] }
//! Serializes and deserializes a struct by serde.
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    id: u64,
    name: &'a str,
    pair: Option<(i32, f32)>,
}

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let record = Record { id: input.len() as u64, name: "survey", pair: Some((-5, 1.5)) };
    let Ok(bytes) = postcard::to_slice(&record, out) else { return 0 };
    let n = bytes.len();
    let Ok(back) = postcard::from_bytes::<Record>(bytes) else { return 1 };
    let sum = back.id as usize + back.name.len() + back.pair.map_or(0, |p| p.0 as usize);
    out[n] = sum as u8;
    n + 1
}

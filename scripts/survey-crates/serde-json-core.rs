//@ serde-json-core = { version = "=0.6.0", default-features = false }
//@ serde = { version = "1", default-features = false, features = ["derive"] }
//! Serializes a struct to JSON and back, by serde.
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Record<'a> {
    id: u32,
    name: &'a str,
    flags: [bool; 3],
}

#[rustgo::export(stack = "16k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let record = Record { id: input.len() as u32, name: "survey", flags: [true, false, true] };
    let Ok(n) = serde_json_core::to_slice(&record, out) else { return 0 };
    let Ok((back, _)) = serde_json_core::from_slice::<Record>(&out[..n]) else { return 1 };
    let sum = back.id as usize + back.name.len() + usize::from(back.flags[2]);
    out[n] = sum as u8;
    n + 1
}

//@ std
//@ serde_json = "=1.0.154"
//@ serde = { version = "1", features = ["derive"] }
//@ input: {"id": 7, "name": "größe \\u00e9\\n", "tags": ["a", "b"], "pair": [1, -2.5e-3]}
//@ input: {"id": 18446744073709551615, "name": "", "tags": [], "pair": null, "more": {"x": [true, false, null, {}]}}
//@ input: [1, 2.5, -0.0, 1e300, 123456789012345678901234567890, "\\ud83d\\ude00", [[[[]]]]]
//! Reads JSON as values and as a struct, and writes it again.
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug)]
struct Record {
    id: u64,
    name: String,
    tags: Vec<String>,
    pair: Option<(f64, f32)>,
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text = match serde_json::from_slice::<serde_json::Value>(input) {
        Ok(value) => format!("{value}\n{value:#}"),
        Err(error) => format!("{error} {:?}", error.classify()),
    };
    text += &match serde_json::from_slice::<Record>(input) {
        Ok(record) => format!("{record:?} {}", serde_json::to_string(&record).unwrap()),
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}

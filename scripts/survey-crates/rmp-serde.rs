//@ std
//@ rmp-serde = "=1.3.0"
//@ serde = { version = "1", features = ["derive"] }
//@ input: \x82\xa2id\x07\xa4name\xa3abc
//@ input: \x92\x07\xa3abc
//! Serializes and deserializes MessagePack by serde, and deserializes the input.
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Record {
    id: u64,
    name: String,
    #[serde(default)]
    values: Vec<Option<f64>>,
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let values = input.iter().map(|&b| (b % 5 != 0).then_some(f64::from(b) / 3.0)).collect();
    let record = Record { id: input.len() as u64 * 77, name: String::from_utf8_lossy(input).into_owned(), values };
    let mut bytes = rmp_serde::to_vec_named(&record).unwrap();
    assert_eq!(rmp_serde::from_slice::<Record>(&bytes).unwrap(), record);
    bytes.extend_from_slice(&rmp_serde::to_vec(&record).unwrap());
    let text = match rmp_serde::from_slice::<Record>(input) {
        Ok(record) => format!("{record:?}"),
        Err(error) => format!("{error} {error:?}"),
    };
    bytes.extend_from_slice(text.as_bytes());
    put(out, &bytes)
}

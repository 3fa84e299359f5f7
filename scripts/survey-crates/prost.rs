//@ std
//@ prost = "=0.14.1"
//@ input: \x08\x96\x01\x12\x07testing\x1a\x02\x08\x05
//@ input: \x22\x03\x01\x02\x03\x2a\x06\x0a\x01k\x10\x96\x01\x35\x00\x00\xc0\x3f
//! Encodes and decodes messages of protocol buffers, and decodes the input as a message.
use prost::Message;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Message)]
struct Record {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, optional, boxed, tag = "3")]
    next: Option<Box<Record>>,
    #[prost(sint32, repeated, tag = "4")]
    numbers: Vec<i32>,
    #[prost(btree_map = "string, int64", tag = "5")]
    map: BTreeMap<String, i64>,
    #[prost(float, tag = "6")]
    share: f32,
    #[prost(oneof = "Kind", tags = "7, 8")]
    kind: Option<Kind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum Kind {
    #[prost(bytes, tag = "7")]
    Raw(Vec<u8>),
    #[prost(bool, tag = "8")]
    Flag(bool),
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let name = String::from_utf8_lossy(&input[..input.len().min(30)]).into_owned();
    let inner = Record { id: 7, kind: Some(Kind::Raw(input.to_vec())), ..Default::default() };
    let numbers = input.iter().map(|&b| i32::from(b) * 99_991 - 10_000_000).collect();
    let map = BTreeMap::from([(name.clone(), -5)]);
    let record =
        Record { id: input.len() as u64 * 1000, name, next: Some(inner.into()), numbers, map, share: 1.5, kind: Some(Kind::Flag(true)) };
    let mut bytes = record.encode_length_delimited_to_vec();
    assert_eq!(Record::decode_length_delimited(&bytes[..]).unwrap(), record);
    let text = match Record::decode(input) {
        Ok(record) => format!("{record:?} {}", record.encoded_len()),
        Err(error) => error.to_string(),
    };
    bytes.extend_from_slice(text.as_bytes());
    put(out, &bytes)
}

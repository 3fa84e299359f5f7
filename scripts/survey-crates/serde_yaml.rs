//@ std
//@ serde_yaml = "=0.9.34"
//@ serde = "1"
//@ input: a: 1\nb: [x, "y", 2.5, ~]\nc:\n  - &anchor {k: v}\n  - *anchor\nd: |\n  raw\n  text\ne: >-\n  folded\n  text\n
//@ input: !tag {x: !!str 7}\n---\n- 0x1F\n- .inf\n- 2001-12-14\n- "größe \\u00e9"\n
//! Parses YAML into values, and writes the values again.
use serde::Deserialize;

#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text = String::new();
    for document in serde_yaml::Deserializer::from_slice(input).take(5) {
        match serde_yaml::Value::deserialize(document) {
            Ok(value) => text += &format!("{value:?}\n{}", serde_yaml::to_string(&value).unwrap_or_else(|e| e.to_string())),
            Err(error) => text += &format!("{error} {:?}\n", error.location()),
        }
    }
    put(out, text.as_bytes())
}

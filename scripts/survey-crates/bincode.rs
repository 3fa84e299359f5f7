//@ std
//@ bincode = "=1.3.3"
//@ serde = { version = "1", features = ["derive"] }
//! Serializes and deserializes structs by serde, and deserializes the input.
use bincode::Options;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Shape {
    Point,
    Circle { radius: f32 },
    Path(Vec<(i16, i16)>),
    Named(String, Box<Shape>),
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let path = input.chunks_exact(4).map(|c| (i16::from_le_bytes([c[0], c[1]]), i16::from_le_bytes([c[2], c[3]]))).collect();
    let name = String::from_utf8_lossy(&input[..input.len().min(50)]).into_owned();
    let shapes =
        BTreeMap::from([(7, Shape::Named(name, Box::new(Shape::Path(path)))), (-1, Shape::Circle { radius: 2.5 }), (0, Shape::Point)]);
    let mut bytes = bincode::serialize(&shapes).unwrap();
    assert_eq!(bincode::deserialize::<BTreeMap<i32, Shape>>(&bytes).unwrap(), shapes);
    bytes.extend_from_slice(&bincode::options().with_big_endian().serialize(&shapes).unwrap());
    let text = match bincode::options().with_limit(3000).allow_trailing_bytes().deserialize::<Vec<Option<Shape>>>(input) {
        Ok(shapes) => format!("{shapes:?}"),
        Err(error) => error.to_string(),
    };
    bytes.extend_from_slice(text.as_bytes());
    put(out, &bytes)
}

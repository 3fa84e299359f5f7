//@ std
//@ ciborium = "=0.2.2"
//@ input: \xa2ca\x01b\xfb?\xf8\x00\x00\x00\x00\x00\x00
//@ input: \x83\x01\x82\x02\x03\xf6\x1a\x00\x01\x00\x00
//! Encodes a value as CBOR, and decodes it and the input.
use ciborium::Value;

#[rustgo::export(stack = "900k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let list = input.iter().take(300).map(|&b| if b % 7 == 0 { Value::Null } else { Value::from(i64::from(b) * 1000 - 90_000) }).collect();
    let map = vec![
        (Value::from("list"), Value::Array(list)),
        (Value::from(7), Value::Bytes(input.to_vec())),
        (Value::from(1.5), Value::Tag(1, Box::new(Value::from("größe")))),
    ];
    let value = Value::Map(map);
    let mut bytes = vec![];
    ciborium::into_writer(&value, &mut bytes).unwrap();
    assert_eq!(ciborium::from_reader::<Value, _>(&bytes[..]).unwrap(), value);
    let text = match ciborium::de::from_reader_with_recursion_limit::<Value, _>(input, 40) {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{error} {error:?}"),
    };
    bytes.extend_from_slice(text.as_bytes());
    put(out, &bytes)
}

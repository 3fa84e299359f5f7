//! JSON pointers into texts.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The value that the pointer leads to, if there is one.
pub fn find<'de>(text: &'de str, pointer: &str) -> Result<Option<&'de RawValue>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let found = if let Some(path) = parts(pointer) {
        Seek { path: &path }.deserialize(&mut deserializer)?
    } else {
        IgnoredAny::deserialize(&mut deserializer)?;
        None
    };
    deserializer.end()?;
    Ok(found)
}

/// The names and numbers that a pointer is made of; `None` if it is none.
fn parts(pointer: &str) -> Option<Vec<String>> {
    match pointer.strip_prefix('/') {
        None if pointer.is_empty() => Some(Vec::new()),
        None => None,
        Some(rest) => Some(rest.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect()),
    }
}

/// What number of an array's element the part of a pointer is.
pub fn index(part: &str) -> Option<usize> {
    let plain = part == "0" || !part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit());
    if plain { part.parse().ok() } else { None }
}

struct Seek<'p> {
    path: &'p [String],
}

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = Option<&'de RawValue>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.path {
            [] => <&RawValue>::deserialize(deserializer).map(Some),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (name, rest) = self.path.split_first().expect("there is a part, or the value itself would have been asked for");
        let mut found = None;
        while let Some(is_it) = map.next_key_seed(Is(name))? {
            if is_it {
                found = map.next_value_seed(Seek { path: rest })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (part, rest) = self.path.split_first().expect("there is a part, or the value itself would have been asked for");
        let mut found = None;
        if let Some(index) = index(part) {
            for _ in 0..index {
                if seq.next_element::<IgnoredAny>()?.is_none() {
                    return Ok(None);
                }
            }
            found = seq.next_element_seed(Seek { path: rest })?.flatten();
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(found)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// Is the name of a member this one?
struct Is<'p>(&'p str);

impl<'de> DeserializeSeed<'de> for Is<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Is<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<bool, E> {
        Ok(name == self.0)
    }
}

//! Documents that have been parsed.

use crate::error::{self, SyntaxError};
use serde_json::Value;
use std::fmt;

/// Kind is what a value is.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Kind {
    /// There is no such value.
    Missing,
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A Document is a JSON text that has been parsed. Its methods take JSON pointers (RFC 6901) such as "/users/0/name"; "" is the whole. Many
/// goroutines may use it at once. It lies outside of Go's heap, and is freed when Go's collector finds that nobody has it.
#[rustgo::object(implements("fmt.Stringer"))]
#[derive(Clone)]
pub struct Document(Value);

/// String returns the document without white space.
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[rustgo::export(stack = "256k", int = "usize")]
impl Document {
    /// Parse parses a JSON text. Values may be nested 128 deep. Strings with \u escapes that are no characters and numbers that no float64 can
    /// hold are errors too; else it accepts what [`check`](crate::check) does. The error is a [`SyntaxError`].
    #[rustgo::export(name = "Parse", blocking_over = 8192)]
    pub fn parse(data: &[u8]) -> Result<Self, SyntaxError> {
        Ok(Self(serde_json::from_str(error::text(data)?)?))
    }

    /// Kind returns what the value is.
    pub fn kind(&self, pointer: &str) -> Kind {
        match self.0.pointer(pointer) {
            None => Kind::Missing,
            Some(Value::Null) => Kind::Null,
            Some(Value::Bool(_)) => Kind::Bool,
            Some(Value::Number(_)) => Kind::Number,
            Some(Value::String(_)) => Kind::String,
            Some(Value::Array(_)) => Kind::Array,
            Some(Value::Object(_)) => Kind::Object,
        }
    }

    /// Text returns a string; ok is false if there is none.
    #[rustgo::export(results(text, ok))]
    pub fn text(&self, pointer: &str) -> Option<&str> {
        self.0.pointer(pointer)?.as_str()
    }

    /// Float64 returns a number; ok is false if there is none.
    #[rustgo::export(results(number, ok))]
    pub fn float64(&self, pointer: &str) -> Option<f64> {
        self.0.pointer(pointer)?.as_f64()
    }

    /// Int64 returns a number that is written as an integer; ok is false if there is none, or it is too large.
    #[rustgo::export(results(number, ok))]
    pub fn int64(&self, pointer: &str) -> Option<i64> {
        self.0.pointer(pointer)?.as_i64()
    }

    /// Bool returns true or false; ok is false if there is neither.
    #[rustgo::export(results(value, ok))]
    pub fn bool(&self, pointer: &str) -> Option<bool> {
        self.0.pointer(pointer)?.as_bool()
    }

    /// Len returns the number of elements of an array, or of members of an object; ok is false if it is neither.
    #[rustgo::export(results(n, ok))]
    pub fn len(&self, pointer: &str) -> Option<usize> {
        match self.0.pointer(pointer)? {
            Value::Array(elements) => Some(elements.len()),
            Value::Object(members) => Some(members.len()),
            _ => None,
        }
    }

    /// Keys iterates over the names of an object's members, in the order in which they are written; over nothing if it is no object.
    pub fn keys(&self, pointer: &str) -> impl Iterator<Item = &str> {
        self.0.pointer(pointer).and_then(Value::as_object).into_iter().flat_map(|members| members.keys().map(String::as_str))
    }

    /// Raw returns the value without white space; ok is false if there is none.
    #[rustgo::export(results(text, ok))]
    pub fn raw(&self, pointer: &str) -> Option<String> {
        self.0.pointer(pointer).map(Value::to_string)
    }
}

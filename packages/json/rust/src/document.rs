//! Parsed documents.

use crate::error::{self, SyntaxError};
use crate::{format, pointer};
use rustgo::GoStr;
use serde_json::Value;
use std::fmt;

/// Kind is the kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Kind {
    /// The pointer leads to no value.
    Missing,
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A Document is a parsed JSON text. Its methods take JSON pointers (RFC 6901) such as "/users/0/name"; "" is the whole document. [EscapeName] turns
/// any name into a part of a pointer. If an object has a name twice, the last member counts. Several goroutines may use a Document at once. The text
/// and the parsed values are in the Rust heap. They are freed after the garbage collector has found the Document unreachable.
#[rustgo::object(implements("fmt.Stringer"))]
#[derive(Clone)]
pub struct Document {
    value: Value,
    text: Box<str>,
    /// True if the text may contain the integer -0, which `value` stores as a float.
    has_negative_zero: bool,
}

/// String returns the text of the document, without white space between values.
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Document {
    /// Returns the value to which the pointer leads.
    fn at(&self, pointer: GoStr<'_>) -> Option<&Value> {
        pointer::parts(pointer::text(pointer)?)?.try_fold(&self.value, |value, part| match value {
            Value::Object(members) => members.get(&*part),
            Value::Array(elements) => elements.get(pointer::index(&part)?),
            _ => None,
        })
    }
}

#[rustgo::export(stack = "256k", int = "usize")]
impl Document {
    /// Parse parses a JSON text. Arrays and objects may be nested 127 deep. Strings with \u escapes of half a surrogate pair are errors, and so are
    /// numbers beyond the range of float64. Otherwise Parse accepts the texts that [`crate::check`] accepts. The error is a
    /// [`crate::error::SyntaxError`].
    #[rustgo::export(name = "Parse", blocking_over = 8192)]
    pub fn parse(data: &[u8]) -> Result<Self, SyntaxError> {
        let data = error::text(data)?;
        let value = serde_json::from_str(data)?;
        let mut text = String::with_capacity(data.len());
        format::compact(data, |part| text.push_str(part));
        // These bytes may also occur within a string, so `has_negative_zero` may be true for a text without the integer -0.
        let is_zero = |rest: &str| ["0,", "0]", "0}"].iter().any(|zero| rest.starts_with(zero));
        let has_negative_zero = text == "-0" || text.split('-').skip(1).any(is_zero);
        Ok(Self { value, text: text.into(), has_negative_zero })
    }

    /// Kind returns the kind of a value, or [`Kind::Missing`] if the pointer leads to no value.
    pub fn kind(&self, pointer: GoStr<'_>) -> Kind {
        match self.at(pointer) {
            None => Kind::Missing,
            Some(Value::Null) => Kind::Null,
            Some(Value::Bool(_)) => Kind::Bool,
            Some(Value::Number(_)) => Kind::Number,
            Some(Value::String(_)) => Kind::String,
            Some(Value::Array(_)) => Kind::Array,
            Some(Value::Object(_)) => Kind::Object,
        }
    }

    /// Text returns the value of a string, unescaped; ok is false if the value is missing or not a string.
    #[rustgo::export(results(text, ok))]
    pub fn text(&self, pointer: GoStr<'_>) -> Option<&str> {
        self.at(pointer)?.as_str()
    }

    /// Float64 returns the value of a number, rounded to the nearest float64; ok is false if the value is missing or not a number.
    #[rustgo::export(results(number, ok))]
    pub fn float64(&self, pointer: GoStr<'_>) -> Option<f64> {
        self.at(pointer)?.as_f64()
    }

    /// Int64 returns the value of a number that is written as an integer; ok is false if the value is missing, not such a number, or outside the
    /// range of int64. If the text contains the integer -0, a call for a negative zero may take as long as Raw.
    #[rustgo::export(results(number, ok))]
    pub fn int64(&self, pointer: GoStr<'_>) -> Option<i64> {
        let value = self.at(pointer)?;
        // serde_json stores the integer -0 as a float, to keep its sign. Only the text distinguishes -0 from -0.0.
        let is_zero = || {
            let is_candidate = self.has_negative_zero && value.as_f64().is_some_and(|number| number == 0.0 && number.is_sign_negative());
            is_candidate && pointer::find(&self.text, pointer) == Some("-0")
        };
        value.as_i64().or_else(|| is_zero().then_some(0))
    }

    /// Bool returns the value of true or false; ok is false if the value is missing or of another kind.
    #[rustgo::export(results(value, ok))]
    pub fn bool(&self, pointer: GoStr<'_>) -> Option<bool> {
        self.at(pointer)?.as_bool()
    }

    /// Len returns the number of an array's elements or of an object's members; ok is false if the value is missing or of another kind.
    #[rustgo::export(results(n, ok))]
    pub fn len(&self, pointer: GoStr<'_>) -> Option<usize> {
        match self.at(pointer)? {
            Value::Array(elements) => Some(elements.len()),
            Value::Object(members) => Some(members.len()),
            _ => None,
        }
    }

    /// Keys iterates over the names of an object's members, in the order in which each name first occurs. It yields nothing if the value is missing
    /// or not an object.
    pub fn keys(&self, pointer: GoStr<'_>) -> impl Iterator<Item = &str> {
        self.at(pointer).and_then(Value::as_object).into_iter().flat_map(|members| members.keys().map(String::as_str))
    }

    /// Raw returns a value as it is written in the text, without white space between values; ok is false if the value is missing. Numbers and strings
    /// are not changed. Each call scans the whole text, so the time is proportional to the length of the text.
    #[rustgo::export(results(text, ok))]
    pub fn raw(&self, pointer: GoStr<'_>) -> Option<&str> {
        pointer::find(&self.text, pointer)
    }
}

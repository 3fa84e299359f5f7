//! Failures, with the reasons that Go code distinguishes.

use std::fmt::{Display, Formatter};

/// The reason for a failure.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[rustgo(name = "reason")]
#[repr(u8)]
pub enum Reason {
    /// The file is not a tokenizer.json, or uses a feature that the crate does not support.
    Format,
    /// A text is not UTF-8.
    Utf8,
    /// A text or a pair cannot be truncated with the given strategy.
    Truncation,
    /// A length or an id in the options or in the file is above its limit.
    Length,
    /// A step of the tokenizer refused a text or ids.
    Text,
}

/// The failure of a call.
#[derive(Debug, rustgo::Error)]
#[rustgo(name = "nativeError")]
pub struct Failure {
    pub reason: Reason,
    pub text: String,
}

impl Failure {
    pub fn new(reason: Reason, text: &dyn Display) -> Self {
        Self { reason, text: text.to_string() }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

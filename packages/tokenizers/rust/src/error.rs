//! Failures, with the reasons that Go code distinguishes.

use std::fmt::{Display, Formatter};

/// The reasons for a failure.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[rustgo(name = "reason")]
#[repr(u8)]
pub enum Reason {
    /// The file is not a tokenizer.json, or has something that the crate does not read.
    Format,
    /// A text is not UTF-8.
    Utf8,
    /// The sequences cannot be truncated as asked.
    Truncation,
    /// A length of the options or of the file is above the limit.
    Length,
    /// A step of the tokenizer refused a text.
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

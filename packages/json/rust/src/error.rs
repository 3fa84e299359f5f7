//! Syntax errors with their line and column.

use std::fmt;

/// A SyntaxError describes an error in a JSON text: the first byte that is not UTF-8, or else the first other error.
#[derive(Debug, PartialEq, rustgo::Error)]
pub struct SyntaxError {
    /// Line is the number of the line, counted from 1.
    pub line: isize,
    /// Column is the number of bytes of the line up to and including the wrong byte.
    pub column: isize,
    /// Reason describes the error, without its place.
    pub reason: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "json: {} at line {} column {}", self.reason, self.line, self.column)
    }
}

impl From<serde_json::Error> for SyntaxError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column, mut reason) = (error.line(), error.column(), error.to_string());
        if let Some(at) = reason.rfind(" at line ") {
            reason.truncate(at);
        }
        Self { line: line.cast_signed(), column: column.cast_signed(), reason }
    }
}

impl SyntaxError {
    /// Makes the error for the byte at an offset in the data.
    pub fn at(data: &[u8], offset: usize, reason: &str) -> Self {
        let before = &data[..offset];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        Self { line: line.cast_signed(), column: column.cast_signed(), reason: reason.to_owned() }
    }
}

/// Returns the data as text, or an error if the data is not UTF-8, as JSON texts must be.
pub fn text(data: &[u8]) -> Result<&str, SyntaxError> {
    str::from_utf8(data).map_err(|error| SyntaxError::at(data, error.valid_up_to(), "invalid UTF-8"))
}

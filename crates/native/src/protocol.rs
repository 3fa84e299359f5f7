//! What passes between the Go test and the native program: version [`VERSION`].
//!
//! Go's side is in the package `nativetest` of the module `rustgo.dev/go` (`protocol.go`, `encode.go`, `show.go`). Whoever changes one side changes the
//! other, and raises the version in both.
//!
//! # Messages
//!
//! Questions and answers alternate, on the standard input and output. Each is its length, a `u32`, and so many bytes. Numbers are little-endian.
//!
//! | question | bytes | answer |
//! |---|---|---|
//! | describe | 0 | JSON: `version`, `exports`, `constants`; see below |
//! | call | 1, number of the export `u32`, most items of an iterator `u32`, arguments | what the call gave |
//! | forget | 2 | nothing: there are no objects any more |
//! | close | 3, number of the object `u32` | nothing: the object was dropped |
//! | zero | 4, words `u32` | nothing: there is another object, the zero value in Go of an inline one, which has the next number |
//!
//! An answer begins with a byte: 0, the text that follows is what there is; 1, the call panicked, and `FILE:LINE:COLUMN\nMESSAGE` follows; 2, the question
//! was not understood, and the reason follows. A program that ends without an answer could not do the call: it crashed, or asked for more memory than
//! `limit::LIMIT`. Go's side then starts another one, and leaves the call out.
//!
//! # Arguments
//!
//! | type | bytes |
//! |---|---|
//! | bool | 0 or 1 |
//! | numbers, runes, handles, enums | as in memory |
//! | string | length `u32`, bytes |
//! | array, struct | the elements or fields, in order |
//! | pointer | 0: nil; 1 and the value; 2, parameter `u8` and index `u32`: leads to that element of a slice that another parameter is, or where a pointer leads that another parameter is |
//! | slice | 0: nil; 1, length `u32` and the elements; 2, parameter `u8`, start `u32`, length `u32`: a part of the slice that an earlier parameter is |
//! | slice that is appended to | 0: nil; 1, length `u32`, the elements, spare capacity `u32` |
//! | object, pointer to an object | 0: nil; 3 and its number `u32`; 4: the zero value in Go |
//!
//! Objects have numbers, from 1 on, in the order in which answers show them and zero makes them. When all are forgotten the numbers begin anew.
//!
//! # Values as text
//!
//! The answer to a call is text, one line for each result and each parameter that leads to memory, as it is after the call: `NAME = VALUE`. A result
//! without a name is `result` and its index. Both sides make the same text, so that a comparison of bytes is enough, and what differs can be shown to
//! people.
//!
//! | type | text |
//! |---|---|
//! | bool, integers, runes | `true`, `-5` |
//! | float32, float64 | `0x3f800000`, the bits; `NaN` for every NaN: Rust does not say which bits the NaN has that an operation gives, and compilers differ |
//! | string | between quotes; a byte that is not printable ASCII, a quote and a backslash are `\x5c` |
//! | array, slice, list | `[1 2 3]`; of bytes, a quoted string after `b` |
//! | pointer | `&` and the value, or `nil` |
//! | struct | `Point{X:1 Y:2}` |
//! | enum | `Color(3)` |
//! | handle | `handle(5)` |
//! | object | `*Queue#3`, or `nil` |
//! | error | `nil`; `error "text" <- "source"`; `ParseError(2) "text"`; `SyntaxError{Line:1} "text"`, with its sources behind it if Go gets them |
//! | iterator | `<1 2 3>`, pairs as `1:2`; ` …` before the end if it was not asked for all |
//!
//! Slices that are nil are shown as empty ones: what is empty is nil in a result, whatever it was in Rust.
//!
//! # Descriptions
//!
//! `exports` is a list of `number`, `name` (as in `Queue.Push`), `params` and `results`, each with `name` and `type`. `constants` is a list of `name`, `type` and
//! `text`. A type has a `kind`: the name of a row in the schema's table of types, and what belongs to it: `elem`, `len`, `mutable`, `name` (in Go), `fields`, `cases`
//! (`name`, `fields`), `values` (of an enum), `items`, `single`, `flags`.

/// The version of all this.
pub const VERSION: u32 = 3;

/// Questions.
pub mod ask {
    #![allow(missing_docs, reason = "the table above")]
    pub const DESCRIBE: u8 = 0;
    pub const CALL: u8 = 1;
    pub const FORGET: u8 = 2;
    pub const CLOSE: u8 = 3;
    pub const ZERO: u8 = 4;
}

/// Answers.
pub mod answer {
    #![allow(missing_docs, reason = "the table above")]
    pub const TEXT: u8 = 0;
    pub const PANIC: u8 = 1;
    pub const MISUNDERSTOOD: u8 = 2;
}

/// Where an argument's memory is.
pub mod place {
    #![allow(missing_docs, reason = "the table above")]
    pub const NIL: u8 = 0;
    pub const FRESH: u8 = 1;
    pub const SHARED: u8 = 2;
    pub const OBJECT: u8 = 3;
    pub const ZERO: u8 = 4;
}

/// Reads a question.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
}

/// Why a question was not understood.
pub type Result<T> = std::result::Result<T, String>;

impl<'a> Reader<'a> {
    /// Reads these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// The next bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(len).ok_or("a question ends early")?;
        self.left = left;
        Ok(taken)
    }

    /// # Errors
    /// As for [`Self::take`].
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// # Errors
    /// As for [`Self::take`].
    pub fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// # Errors
    /// If there is something left.
    pub fn end(&self) -> Result<()> {
        if self.left.is_empty() { Ok(()) } else { Err(format!("{} bytes of a question are left", self.left.len())) }
    }
}

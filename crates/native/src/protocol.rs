//! The messages between the Go test and the native program: version [`VERSION`].
//!
//! The Go side is in the package `nativetest` of the module `rustgo.dev/go` (`protocol.go`, `encode.go`, `show.go`). A change on one side needs
//! the same change on the other, and a new version in both.
//!
//! # Messages
//!
//! Questions and answers alternate, on the standard input and output. Each is a `u32` length followed by that many bytes. Numbers are
//! little-endian.
//!
//! | question | bytes | answer |
//! |---|---|---|
//! | describe | 0 | JSON: `version`, `exports`, `constants`; see below |
//! | call | 1, number of the export `u32`, most items of an iterator `u32`, arguments | what the call gave |
//! | forget | 2 | empty; all objects are forgotten |
//! | close | 3, number of the object `u32` | empty; the object was dropped |
//! | zero | 4, words `u32` | empty; there is a new object with the next number, in the state of Go's zero value of an inline object |
//!
//! An answer begins with a byte: 0 for success, followed by the answer's text; 1 for a panic, followed by `FILE:LINE:COLUMN\nMESSAGE`; 2 for a
//! question that was not understood, followed by the reason. If the program ends without an answer, the call crashed or needed more memory than
//! `limit::LIMIT`. The Go side then starts another program and leaves out the call.
//!
//! # Arguments
//!
//! | type | bytes |
//! |---|---|
//! | bool | 0 or 1 |
//! | numbers, runes, handles, enums | as in memory |
//! | string | length `u32`, bytes |
//! | array, struct | the elements or fields, in order |
//! | pointer | 0: nil; 1 and the value; 2, parameter `u8` and index `u32`: points to that element of another parameter's slice, or to the same value as another pointer parameter |
//! | slice | 0: nil; 1, length `u32` and the elements; 2, parameter `u8`, start `u32`, length `u32`: a part of an earlier parameter's slice |
//! | slice to append to | 0: nil; 1, length `u32`, the elements, spare capacity `u32` |
//! | object, pointer to an object | 0: nil; 3 and its number `u32`; 4: the zero value in Go |
//!
//! Objects are numbered from 1, in the order in which answers show them and `zero` makes them. After `forget` the numbers start again.
//!
//! # Values as text
//!
//! The answer to a call is text, with one line `NAME = VALUE` for each result and for each parameter that leads to memory, in its state after the
//! call. A result without a name is called `result` and its index. Both sides produce the same text, so a comparison of bytes suffices, and
//! differences are readable.
//!
//! | type | text |
//! |---|---|
//! | bool, integers, runes | `true`, `-5` |
//! | float32, float64 | `0x3f800000`, the bits; `NaN` for every NaN, because Rust does not define the bits of a NaN result, and compilers differ |
//! | string | between quotes; a byte that is not printable ASCII, a quote and a backslash are `\x5c` |
//! | array, slice, list | `[1 2 3]`; of bytes, a quoted string after `b` |
//! | pointer | `&` and the value, or `nil` |
//! | struct | `Point{X:1 Y:2}` |
//! | enum | `Color(3)` |
//! | handle | `handle(5)` |
//! | object | `*Queue#3`, or `nil` |
//! | error | `nil`; `error "text" <- "source"`; `ParseError(2) "text"`; `SyntaxError{Line:1} "text"`, followed by its sources if Go gets them |
//! | iterator | `<1 2 3>`, pairs as `1:2`; ` …` before the end if items are left |
//!
//! A nil slice is shown like an empty one, because Go gets nil for every empty result.
//!
//! # Descriptions
//!
//! `exports` is a list of `number`, `name` (such as `Queue.Push`), `params` and `results`, each with `name` and `type`. `constants` is a list of
//! `name`, `type` and `text`. A type has a `kind`, the name of a row in the schema's table of types, and the fields of that kind: `elem`, `len`,
//! `mutable`, `name` (in Go), `fields`, `cases` (`name`, `fields`), `values` (of an enum), `items`, `single`, `flags`.

/// The version of the protocol.
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

/// The forms of an argument that refers to memory.
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

/// The error is the reason why a question was not understood.
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
    /// If fewer bytes are left.
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
    /// If bytes are left.
    pub fn end(&self) -> Result<()> {
        if self.left.is_empty() { Ok(()) } else { Err(format!("{} bytes of a question are left", self.left.len())) }
    }
}

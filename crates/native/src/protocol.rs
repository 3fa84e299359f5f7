//! The messages between the Go test and the native program (this crate): version [`VERSION`].
//!
//! The Go code is in the package `nativetest` of the module `rustgo.dev/go` (`protocol.go`, `encode.go`, `show.go`). A change here needs the
//! corresponding change there, and a new version in both places.
//!
//! # Messages
//!
//! The Go test writes questions to the program's standard input, and the program writes an answer to each on its standard output. Each message is
//! a length (`u32`) followed by that number of bytes. Numbers are little-endian.
//!
//! | question | bytes | answer |
//! |---|---|---|
//! | describe | 0 | JSON: `version`, `exports`, `constants`; see below |
//! | call | 1, number of the export `u32`, largest number of items to fetch from an iterator `u32`, arguments | the results; see "Values as text" |
//! | forget | 2 | empty; all objects were dropped |
//! | close | 3, number of the object `u32` | empty; the object was dropped |
//! | zero | 4, words `u32` | empty; the next number is the number of a new inline object of that many words, in Go's zero state |
//!
//! An answer begins with a byte: 0 for success, followed by the answer's text; 1 for a panic, followed by `FILE:LINE:COLUMN\nMESSAGE`; 2 for a
//! question that the program did not understand, followed by the reason. If the program ends without an answer, the call crashed or needed more
//! memory than `limit::LIMIT`. The Go test then starts the program again and leaves out the call.
//!
//! # Arguments
//!
//! | type | bytes |
//! |---|---|
//! | bool | 0 or 1 |
//! | numbers, runes, handles, enums | as in memory |
//! | string | length `u32`, bytes |
//! | array, struct | the elements or fields, in order |
//! | pointer | 0: nil; 1 and the value: a pointer to a new value; 2, parameter `u8` and index `u32`: a pointer to the element with this index of another parameter's slice, or to the value of another pointer parameter |
//! | slice | 0: nil; 1, length `u32` and the elements: a new slice; 2, parameter `u8`, start `u32`, length `u32`: a part of an earlier parameter's slice |
//! | slice to append to | 0: nil; 1, length `u32`, the elements, spare capacity `u32` |
//! | object, pointer to an object | 0: nil; 3 and its number `u32`; 4: the zero value in Go |
//!
//! Objects are numbered from 1, in the order in which answers show them and `zero` makes them. After `forget` the numbers start at 1 again.
//!
//! # Values as text
//!
//! The answer to a call has one line `NAME = VALUE` for each of these values, in this order: the slices to append to (`appended dst`), the results
//! (`result low`, or `result 0` if the result has no name), and the pointers and slices among the parameters (`xs`), with their values after the
//! call. The Go test and this program produce the same text, so comparing the bytes suffices, and a difference is readable.
//!
//! | type | text |
//! |---|---|
//! | bool, integers, runes | `true`, `-5` |
//! | float32, float64 | `0x3f800000`, the bits; `NaN` for every NaN, because Rust does not define the bits of a NaN that an operation returns, and compilers differ |
//! | string | between quotes, with the form `\x5c` for a quote, a backslash and each byte that is not printable ASCII |
//! | array, slice, list | `[1 2 3]`; if the elements are bytes, `b` and a quoted string |
//! | pointer | `&` and the value, or `nil` |
//! | struct | `Point{X:1 Y:2}` |
//! | enum | `Color(3)` |
//! | handle | `handle(5)` |
//! | object | `*Queue#3`, or `nil` |
//! | error | `nil`; `error "text" <- "source"`; `ParseError(2) "text"`; `SyntaxError{Line:1} "text"`, followed by its sources if Go gets them |
//! | iterator | `<1 2 3>`, pairs as `1:2`; ` …` before the end if items are left |
//!
//! A nil slice has the text of an empty slice, because Go gets nil for every empty result.
//!
//! # Descriptions
//!
//! `exports` is a list of objects with the keys `number`, `name` (such as `Queue.Push`), `params` and `results`; each parameter and result has
//! `name` and `type`. `constants` is a list of objects with `name`, `type` and `text`. A type has a `kind` (the name of a row in the schema's
//! table of types) and the keys of this kind: `elem`, `len`, `mutable`, `name` (in Go), `fields`, `cases` (`name`, `fields`), `values` (of an
//! enum), `items`, `single`, `flags`.

/// The version of the protocol.
pub const VERSION: u32 = 3;

/// The first byte of each kind of question.
pub mod ask {
    #![allow(missing_docs, reason = "the table above")]
    pub const DESCRIBE: u8 = 0;
    pub const CALL: u8 = 1;
    pub const FORGET: u8 = 2;
    pub const CLOSE: u8 = 3;
    pub const ZERO: u8 = 4;
}

/// The first byte of each kind of answer.
pub mod answer {
    #![allow(missing_docs, reason = "the table above")]
    pub const TEXT: u8 = 0;
    pub const PANIC: u8 = 1;
    pub const MISUNDERSTOOD: u8 = 2;
}

/// The byte that tells where an argument in memory is: nowhere (nil), in new memory, in the memory of another parameter, in an object, or in Go's
/// zero value of an object.
pub mod place {
    #![allow(missing_docs, reason = "the table above")]
    pub const NIL: u8 = 0;
    pub const FRESH: u8 = 1;
    pub const SHARED: u8 = 2;
    pub const OBJECT: u8 = 3;
    pub const ZERO: u8 = 4;
}

/// Reads the bytes of a question.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
}

/// A result whose error is the reason why a question was not understood.
pub type Result<T> = std::result::Result<T, String>;

impl<'a> Reader<'a> {
    /// Makes a reader of these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Reads the next `len` bytes.
    ///
    /// # Errors
    /// If fewer than `len` bytes are left.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(len).ok_or("a question ends early")?;
        self.left = left;
        Ok(taken)
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// If no byte is left.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Reads a little-endian number of four bytes.
    ///
    /// # Errors
    /// If fewer than four bytes are left.
    pub fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Checks that all bytes have been read.
    ///
    /// # Errors
    /// If bytes are left.
    pub fn end(&self) -> Result<()> {
        if self.left.is_empty() { Ok(()) } else { Err(format!("{} bytes of a question are left", self.left.len())) }
    }
}

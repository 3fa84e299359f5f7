//! The decoder. It trusts nothing: a payload may come from another version of this crate or be damaged.

use crate::VERSION;
use crate::wire::{self, FIELD_HEADER_LEN, HEADER_LEN, MAGIC, OPTIONAL, kind};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// One exported function: [`crate::describe::Export`], owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The function's name in Go.
    pub go_name: String,
    /// Crate, modules and function: `edwards25519::scalar_base_mult`.
    pub rust_path: String,
    /// The source file, as the compiler names it.
    pub file: String,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The documentation, lines joined by `\n`, each without its leading space.
    pub doc: String,
    /// The stated stack budget in bytes.
    pub stack: Option<u64>,
    /// The parameters, in order.
    pub params: Vec<Field>,
    /// The results, in order.
    pub results: Vec<Field>,
    /// Where the result area begins, in bytes from the start of the argument area: a multiple of 8.
    pub results_offset: u32,
    /// Bytes of arguments and results, as Go counts them: the N of `$FRAME-N`. It ends with the last result, or, where
    /// there is none, with the last argument, without padding: that is what `go vet` (asmdecl) asks for.
    pub frame_size: u32,
}

/// A parameter or result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name in Rust; empty for a result without one.
    pub name: String,
    /// The type in Go.
    pub ty: Type,
    /// Bytes from the start of the argument area, for results too.
    pub offset: u32,
}

/// A Go type: [`crate::describe::Type`], owned. What a handle is `of` was not looked at: [`crate::GoType`] does so.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name is the Go type it stands for")]
pub enum Type {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Int,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Uint,
    Float32,
    Float64,
    Rune,
    String,
    Array { len: u64, elem: Box<Type> },
    Pointer { mutable: bool, elem: Box<Type> },
    Slice { mutable: bool, elem: Box<Type> },
    Handle { of: String },
}

/// Why a section or a payload cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The payload is of another version of the format.
    Version {
        /// The version the crate was built with.
        found: u16,
    },
    /// The bytes end within something.
    Truncated {
        /// What was being read.
        what: &'static str,
    },
    /// The payload does not begin as one does.
    Magic,
    /// A tag this version does not know, in a place where it cannot be skipped.
    Tag {
        /// What was being read.
        what: &'static str,
        /// The unknown number.
        tag: u16,
    },
    /// A field that every export, parameter or result has is not there.
    Missing {
        /// Its name.
        what: &'static str,
    },
    /// A value that cannot be: text that is not UTF-8, a flag that is neither 0 nor 1, bytes left over.
    Invalid {
        /// What is wrong.
        what: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Version { found } => {
                let cure = if *found > VERSION {
                    "install the rustgo of the same release as the crate's rustgo-support"
                } else {
                    "raise the crate's rustgo-support to the release of this rustgo"
                };
                write!(
                    f,
                    "the crate's rustgo-support describes its exports in format version {found}, this rustgo reads version {VERSION}; {cure}"
                )
            }
            Error::Truncated { what } => write!(f, "the description of an export ends within {what}"),
            Error::Magic => f.write_str("the description of an export does not begin with its magic number"),
            Error::Tag { what, tag } => write!(f, "the description of an export has an unknown tag {tag} in {what}"),
            Error::Missing { what } => write!(f, "the description of an export has no {what}"),
            Error::Invalid { what } => write!(f, "the description of an export has {what}"),
        }
    }
}

impl core::error::Error for Error {}

/// One record of the section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Where in the section the pointer to the shim lies, eight bytes: look there for its relocation.
    pub shim_offset: usize,
    /// What [`decode`] reads.
    pub payload: &'a [u8],
}

/// The records of a section named [`crate::SECTION`], in order. Ends after the first error.
#[must_use]
pub fn records(section: &[u8]) -> Records<'_> {
    Records { section, at: 0 }
}

/// See [`records`].
#[derive(Debug, Clone)]
pub struct Records<'a> {
    section: &'a [u8],
    at: usize,
}

/// Shim, length and a reserved word.
const RECORD_HEADER_LEN: usize = 16;

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.section.len() {
            return None;
        }
        let record = self.read();
        if record.is_err() {
            self.at = self.section.len();
        }
        Some(record)
    }
}

impl<'a> Records<'a> {
    fn read(&mut self) -> Result<Record<'a>, Error> {
        let shim_offset = self.at;
        let mut reader = Reader(&self.section[shim_offset..]);
        reader.take(8, "the shim's address")?;
        let len = reader.u32("the length of a payload")? as usize;
        if reader.u32("the head of a record")? != 0 {
            return Err(Error::Invalid { what: "a reserved word that is not zero" });
        }
        let payload = reader.take(len, "a payload")?;
        let padding = (RECORD_HEADER_LEN + len).next_multiple_of(8) - (RECORD_HEADER_LEN + len);
        if reader.take(padding, "the padding after a payload")?.iter().any(|&byte| byte != 0) {
            return Err(Error::Invalid { what: "padding that is not zero" });
        }
        self.at = self.section.len() - reader.0.len();
        Ok(Record { shim_offset, payload })
    }
}

/// Reads the payload of one record.
///
/// # Errors
/// If the payload is of another version, damaged, or not complete.
pub fn decode(payload: &[u8]) -> Result<Export, Error> {
    use wire::export as tag;

    let mut header = Reader(payload);
    if header.take(MAGIC.len(), "the header")? != MAGIC {
        return Err(Error::Magic);
    }
    let version = header.u16("the header")?;
    if version != VERSION {
        return Err(Error::Version { found: version });
    }
    header.u16("the header")?;
    let len = header.u32("the header")? as usize;
    debug_assert_eq!(payload.len() - header.0.len(), HEADER_LEN);
    let fields = Reader(header.take(len, "the fields")?);
    header.end("bytes after the last field")?;

    let mut go_name = None;
    let mut rust_path = None;
    let mut file = None;
    let mut line = None;
    let mut doc = None;
    let mut stack = None;
    let mut params = Vec::new();
    let mut results = Vec::new();
    let mut results_offset = None;
    let mut frame_size = None;
    fields.each("an export", |number, mut content| {
        match number {
            tag::GO_NAME => once(&mut go_name, content.text()?)?,
            tag::RUST_PATH => once(&mut rust_path, content.text()?)?,
            tag::FILE => once(&mut file, content.text()?)?,
            tag::LINE => once(&mut line, content.u32("the line")?)?,
            tag::DOC => once(&mut doc, content.text()?)?,
            tag::STACK => once(&mut stack, content.u64("the stack budget")?)?,
            tag::PARAM => params.push(field(content.rest())?),
            tag::RESULT => results.push(field(content.rest())?),
            tag::RESULTS_OFFSET => once(&mut results_offset, content.u32("the offset of the results")?)?,
            tag::FRAME_SIZE => once(&mut frame_size, content.u32("the size of arguments and results")?)?,
            _ => return Ok(false),
        }
        content.end("bytes after a value")?;
        Ok(true)
    })?;

    Ok(Export {
        go_name: go_name.ok_or(Error::Missing { what: "Go name" })?,
        rust_path: rust_path.ok_or(Error::Missing { what: "path of the function" })?,
        file: file.ok_or(Error::Missing { what: "source file" })?,
        line: line.ok_or(Error::Missing { what: "line" })?,
        doc: doc.ok_or(Error::Missing { what: "documentation" })?,
        stack,
        params,
        results,
        results_offset: results_offset.ok_or(Error::Missing { what: "offset of the results" })?,
        frame_size: frame_size.ok_or(Error::Missing { what: "size of arguments and results" })?,
    })
}

/// A parameter or result.
fn field(content: Reader<'_>) -> Result<Field, Error> {
    use wire::field as tag;

    let mut name = None;
    let mut offset = None;
    let mut ty = None;
    content.each("a parameter or result", |number, mut content| {
        match number {
            tag::NAME => once(&mut name, content.text()?)?,
            tag::OFFSET => once(&mut offset, content.u32("the offset of a parameter or result")?)?,
            tag::TYPE => once(&mut ty, content.ty(MAX_TYPE_DEPTH)?)?,
            _ => return Ok(false),
        }
        content.end("bytes after a value")?;
        Ok(true)
    })?;
    Ok(Field {
        name: name.ok_or(Error::Missing { what: "name of a parameter or result" })?,
        ty: ty.ok_or(Error::Missing { what: "type of a parameter or result" })?,
        offset: offset.ok_or(Error::Missing { what: "offset of a parameter or result" })?,
    })
}

/// Arrays of arrays go no deeper than this; damaged bytes must not exhaust the stack.
const MAX_TYPE_DEPTH: usize = 64;

/// A field that may stand once only.
fn once<T>(place: &mut Option<T>, value: T) -> Result<(), Error> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::Invalid { what: "a field that stands there twice" }),
    }
}

/// What is left to read.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8], Error> {
        let (head, tail) = self.0.split_at_checked(len).ok_or(Error::Truncated { what })?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Error> {
        let (head, tail) = self.0.split_first_chunk().ok_or(Error::Truncated { what })?;
        self.0 = tail;
        Ok(*head)
    }

    fn u16(&mut self, what: &'static str) -> Result<u16, Error> {
        self.array(what).map(u16::from_le_bytes)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, Error> {
        self.array(what).map(u32::from_le_bytes)
    }

    fn u64(&mut self, what: &'static str) -> Result<u64, Error> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Everything that is left, as text.
    fn text(&mut self) -> Result<String, Error> {
        let bytes = core::mem::take(&mut self.0);
        let text = core::str::from_utf8(bytes).map_err(|_| Error::Invalid { what: "text that is not UTF-8" })?;
        Ok(text.to_owned())
    }

    /// Everything that is left, for another reader.
    fn rest(&mut self) -> Reader<'a> {
        Reader(core::mem::take(&mut self.0))
    }

    fn end(self, what: &'static str) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Invalid { what }) }
    }

    /// Calls `known` for each field; it says whether it knows the tag.
    fn each(mut self, what: &'static str, mut known: impl FnMut(u16, Reader<'a>) -> Result<bool, Error>) -> Result<(), Error> {
        while !self.0.is_empty() {
            let before = self.0.len();
            let tag = self.u16(what)?;
            let len = self.u32(what)? as usize;
            debug_assert_eq!(before - self.0.len(), FIELD_HEADER_LEN);
            let content = Reader(self.take(len, what)?);
            if !known(tag, content)? && tag & OPTIONAL == 0 {
                return Err(Error::Tag { what, tag });
            }
        }
        Ok(())
    }

    fn ty(&mut self, depth: usize) -> Result<Type, Error> {
        const WHAT: &str = "a type";
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Error::Invalid { what: "a type that is nested too deeply" });
        };
        let [number] = self.array(WHAT)?;
        Ok(match number {
            kind::BOOL => Type::Bool,
            kind::INT8 => Type::Int8,
            kind::INT16 => Type::Int16,
            kind::INT32 => Type::Int32,
            kind::INT64 => Type::Int64,
            kind::INT => Type::Int,
            kind::UINT8 => Type::Uint8,
            kind::UINT16 => Type::Uint16,
            kind::UINT32 => Type::Uint32,
            kind::UINT64 => Type::Uint64,
            kind::UINT => Type::Uint,
            kind::FLOAT32 => Type::Float32,
            kind::FLOAT64 => Type::Float64,
            kind::RUNE => Type::Rune,
            kind::STRING => Type::String,
            kind::ARRAY => Type::Array { len: self.u64(WHAT)?, elem: Box::new(self.ty(depth)?) },
            kind::POINTER => Type::Pointer { mutable: self.flag()?, elem: Box::new(self.ty(depth)?) },
            kind::SLICE => Type::Slice { mutable: self.flag()?, elem: Box::new(self.ty(depth)?) },
            kind::HANDLE => {
                let len = self.u32(WHAT)? as usize;
                Type::Handle { of: Reader(self.take(len, WHAT)?).text()? }
            }
            _ => return Err(Error::Tag { what: WHAT, tag: number.into() }),
        })
    }

    fn flag(&mut self) -> Result<bool, Error> {
        match self.array("a type")? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(Error::Invalid { what: "a flag that is neither 0 nor 1" }),
        }
    }
}

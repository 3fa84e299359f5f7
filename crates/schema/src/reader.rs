//! Reads bytes that may be damaged. An error contains the name of the damaged construct (such as "a type").

use crate::VERSION;
use crate::wire::{FIELD_HEADER_LEN, OPTIONAL};
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

/// The reason why a section or a payload cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The payload has another version of the format.
    Version {
        /// The payload's version.
        found: u16,
    },
    /// The bytes end in the middle of a construct.
    Truncated {
        /// The name of the construct, such as "a type".
        what: &'static str,
    },
    /// The payload does not begin with the magic bytes.
    Magic,
    /// The record has a kind that this version of the crate does not know.
    Kind {
        /// The number of the unknown kind.
        kind: u32,
    },
    /// A tag is unknown to this version of the crate, in a place where unknown tags must not be skipped.
    Tag {
        /// The name of the construct that contains the tag.
        what: &'static str,
        /// The number of the unknown tag.
        tag: u16,
    },
    /// A mandatory field is missing.
    Missing {
        /// The field's name.
        what: &'static str,
    },
    /// A value is impossible, such as text that is not UTF-8, a flag that is neither 0 nor 1, or a field that occurs twice.
    Invalid {
        /// The description of the value.
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
            Error::Kind { kind } => write!(f, "a record is of kind {kind}, which this rustgo does not know"),
            Error::Tag { what, tag } => write!(f, "the description of an export has an unknown tag {tag} in {what}"),
            Error::Missing { what } => write!(f, "the description of an export has no {what}"),
            Error::Invalid { what } => write!(f, "the description of an export has {what}"),
        }
    }
}

impl core::error::Error for Error {}

/// Stores the value of a field. Returns an error if the field already has a value.
pub fn once<T>(place: &mut Option<T>, value: T) -> Result<(), Error> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::Invalid { what: "a field that stands there twice" }),
    }
}

/// A reader over bytes. The field is the bytes that have not been read yet.
#[derive(Clone, Copy)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The number of unread bytes.
    pub fn left(&self) -> usize {
        self.0.len()
    }

    pub fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8], Error> {
        let (head, tail) = self.0.split_at_checked(len).ok_or(Error::Truncated { what })?;
        self.0 = tail;
        Ok(head)
    }

    /// Reads `len` bytes. Returns a reader over them.
    pub fn part(&mut self, len: usize, what: &'static str) -> Result<Self, Error> {
        self.take(len, what).map(Self)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Error> {
        let (head, tail) = self.0.split_first_chunk().ok_or(Error::Truncated { what })?;
        self.0 = tail;
        Ok(*head)
    }

    pub fn u8(&mut self, what: &'static str) -> Result<u8, Error> {
        self.array(what).map(u8::from_le_bytes)
    }

    pub fn u16(&mut self, what: &'static str) -> Result<u16, Error> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, Error> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, Error> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Reads all remaining bytes as text.
    pub fn text(&mut self) -> Result<String, Error> {
        let bytes = core::mem::take(&mut self.0);
        let text = core::str::from_utf8(bytes).map_err(|_| Error::Invalid { what: "text that is not UTF-8" })?;
        Ok(text.to_owned())
    }

    /// Moves all unread bytes to a new reader. This reader is empty afterwards.
    pub fn rest(&mut self) -> Reader<'a> {
        Reader(core::mem::take(&mut self.0))
    }

    pub fn end(self, what: &'static str) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Invalid { what }) }
    }

    /// Reads fields up to the end of the bytes. Calls `known` with each field's tag and content. `known` returns false for an unknown tag, which is
    /// an error unless the tag has the bit `OPTIONAL`.
    pub fn each(mut self, what: &'static str, mut known: impl FnMut(u16, Reader<'a>) -> Result<bool, Error>) -> Result<(), Error> {
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

    /// Reads a byte that must be 0 or 1.
    pub fn flag(&mut self, what: &'static str) -> Result<bool, Error> {
        match self.u8(what)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::Invalid { what: "a flag that is neither 0 nor 1" }),
        }
    }
}

//! The encoder. It runs in the compiler, in constant evaluation.

use crate::VERSION;
use crate::describe::{Export, Field, Type};
use crate::wire::{self, HEADER_LEN, MAGIC, kind};

/// The length of the payload in bytes.
#[must_use]
pub const fn encoded_len(export: &Export) -> usize {
    // Writing into nothing counts, so that the length cannot disagree with what is written.
    let mut writer = Writer { bytes: [0; 0], at: 0 };
    writer.export(export);
    writer.at
}

/// The length of the payload in bytes, rounded up to a multiple of 8 so that records may follow one another.
#[must_use]
pub const fn padded_len(export: &Export) -> usize {
    encoded_len(export).next_multiple_of(8)
}

/// The payload, followed by zeros up to `N` bytes.
///
/// # Panics
/// If `N` is less than [`encoded_len`]; in constant evaluation that is a compile error.
#[must_use]
pub const fn encode<const N: usize>(export: &Export) -> [u8; N] {
    let mut writer = Writer { bytes: [0; N], at: 0 };
    writer.export(export);
    assert!(writer.at <= N, "the payload is longer than the room for it");
    writer.bytes
}

/// Bytes beyond `N` are counted and dropped.
struct Writer<const N: usize> {
    bytes: [u8; N],
    at: usize,
}

impl<const N: usize> Writer<N> {
    const fn export(&mut self, export: &Export) {
        use wire::export as tag;

        self.raw(&MAGIC);
        self.raw(&VERSION.to_le_bytes());
        self.raw(&[0; 2]);
        self.u32(0);

        self.text(tag::GO_NAME, export.go_name);
        self.text(tag::RUST_PATH, export.rust_path);
        self.text(tag::FILE, export.file);
        self.number(tag::LINE, export.line);
        self.text(tag::DOC, export.doc);
        if let Some(stack) = export.stack {
            let start = self.open(tag::STACK);
            self.raw(&stack.to_le_bytes());
            self.close(start);
        }
        self.fields(tag::PARAM, export.params, 0);
        self.fields(tag::RESULT, export.results, export.results_offset);
        self.number(tag::RESULTS_OFFSET, export.results_offset);
        self.number(tag::FRAME_SIZE, export.frame_size);

        self.close(HEADER_LEN);
    }

    const fn fields(&mut self, tag: u16, fields: &[Field], area: u32) {
        let mut i = 0;
        while i < fields.len() {
            let start = self.open(tag);
            self.text(wire::field::NAME, fields[i].name);
            self.number(wire::field::OFFSET, area + fields[i].offset);
            let ty = self.open(wire::field::TYPE);
            self.ty(&fields[i].ty);
            self.close(ty);
            self.close(start);
            i += 1;
        }
    }

    const fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Bool => self.raw(&[kind::BOOL]),
            Type::Int8 => self.raw(&[kind::INT8]),
            Type::Int16 => self.raw(&[kind::INT16]),
            Type::Int32 => self.raw(&[kind::INT32]),
            Type::Int64 => self.raw(&[kind::INT64]),
            Type::Int => self.raw(&[kind::INT]),
            Type::Uint8 => self.raw(&[kind::UINT8]),
            Type::Uint16 => self.raw(&[kind::UINT16]),
            Type::Uint32 => self.raw(&[kind::UINT32]),
            Type::Uint64 => self.raw(&[kind::UINT64]),
            Type::Uint => self.raw(&[kind::UINT]),
            Type::Float32 => self.raw(&[kind::FLOAT32]),
            Type::Float64 => self.raw(&[kind::FLOAT64]),
            Type::Rune => self.raw(&[kind::RUNE]),
            Type::String => self.raw(&[kind::STRING]),
            Type::Array { len, elem } => {
                self.raw(&[kind::ARRAY]);
                self.raw(&len.to_le_bytes());
                self.ty(elem);
            }
            Type::Pointer { mutable, elem } => {
                self.raw(&[kind::POINTER, *mutable as u8]);
                self.ty(elem);
            }
            Type::Slice { mutable, elem } => {
                self.raw(&[kind::SLICE, *mutable as u8]);
                self.ty(elem);
            }
            Type::Handle { of } => {
                assert!(of.len() <= u32::MAX as usize, "the name of a Go type is longer than 4 GiB");
                self.raw(&[kind::HANDLE]);
                self.u32(of.len() as u32);
                self.raw(of.as_bytes());
            }
        }
    }

    const fn text(&mut self, tag: u16, text: &str) {
        let start = self.open(tag);
        self.raw(text.as_bytes());
        self.close(start);
    }

    const fn number(&mut self, tag: u16, number: u32) {
        let start = self.open(tag);
        self.u32(number);
        self.close(start);
    }

    /// Begins a field; what it returns goes to `close`.
    const fn open(&mut self, tag: u16) -> usize {
        self.raw(&tag.to_le_bytes());
        self.u32(0);
        self.at
    }

    /// Writes the length of what began at `start` into the four bytes before it.
    const fn close(&mut self, start: usize) {
        let len = self.at - start;
        assert!(len <= u32::MAX as usize, "a field of an export's description is longer than 4 GiB");
        let end = self.at;
        self.at = start - 4;
        self.u32(len as u32);
        self.at = end;
    }

    const fn u32(&mut self, number: u32) {
        self.raw(&number.to_le_bytes());
    }

    const fn raw(&mut self, bytes: &[u8]) {
        let mut i = 0;
        while i < bytes.len() {
            if self.at < N {
                self.bytes[self.at] = bytes[i];
            }
            self.at += 1;
            i += 1;
        }
    }
}

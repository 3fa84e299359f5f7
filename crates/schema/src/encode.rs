//! Encodes records, the descriptions of exports. The encoder runs in the compiler, during constant evaluation.

use crate::VERSION;
use crate::describe::{Constant, Field, Function, Type};
use crate::types::Basic;
use crate::wire::{self, HEADER_LEN, MAGIC};
use crate::writer::Writer;

/// The content of a record before encoding.
#[derive(Clone, Copy, Debug)]
pub enum Describe<'a> {
    /// An exported function, or a function of a run-time package.
    Function(&'a Function),
    /// An exported constant or static.
    Constant(&'a Constant),
    /// No content: the record of an item that does not exist, such as a method Clone of a type that is not `Clone`.
    Nothing,
}

impl Describe<'_> {
    /// The length of the payload in bytes.
    #[must_use]
    pub const fn encoded_len(&self) -> usize {
        // A writer of length zero only counts bytes. `encode` uses the same code, so the count equals the number of encoded bytes.
        let mut writer = Writer { bytes: [0; 0], at: 0 };
        writer.payload(self);
        writer.at
    }

    /// The length of the payload in bytes, rounded up to a multiple of 8, so that the next record can follow directly.
    #[must_use]
    pub const fn padded_len(&self) -> usize {
        self.encoded_len().next_multiple_of(8)
    }

    /// Encodes the payload, followed by zeros up to `N` bytes.
    ///
    /// # Panics
    /// If `N` is less than [`Self::encoded_len`]. In constant evaluation this panic is a compile error.
    #[must_use]
    pub const fn encode<const N: usize>(&self) -> [u8; N] {
        let mut writer = Writer { bytes: [0; N], at: 0 };
        writer.payload(self);
        assert!(writer.at <= N, "the payload is longer than the room for it");
        writer.bytes
    }
}

/// True if at least one parameter is a slice or a string.
const fn has_length(params: &[Field]) -> bool {
    let mut i = 0;
    while i < params.len() {
        if matches!(params[i].ty, Type::Slice { .. } | Type::Basic(Basic::String)) {
            return true;
        }
        i += 1;
    }
    false
}

impl<const N: usize> Writer<N> {
    const fn payload(&mut self, what: &Describe<'_>) {
        self.raw(&MAGIC);
        self.raw(&VERSION.to_le_bytes());
        self.raw(&[0; 2]);
        self.u32(0);
        match what {
            Describe::Function(function) => self.function(function),
            Describe::Constant(constant) => self.constant(constant),
            Describe::Nothing => {}
        }
        self.close(HEADER_LEN);
    }

    const fn constant(&mut self, constant: &Constant) {
        use wire::constant as tag;

        self.text(tag::GO_NAME, constant.go_name);
        self.text(tag::RUST_PATH, constant.rust_path);
        self.text(tag::FILE, constant.file);
        self.number(tag::LINE, constant.line);
        self.text(tag::DOC, constant.doc);
        let start = self.open(tag::TYPE);
        self.ty(&constant.ty);
        self.close(start);
        let start = self.open(tag::VALUE);
        self.raw(constant.value);
        self.close(start);
        if constant.variable {
            self.text(tag::VARIABLE, "");
        }
    }

    const fn function(&mut self, function: &Function) {
        use wire::function as tag;

        self.text(tag::GO_NAME, function.go_name);
        self.text(tag::RUST_PATH, function.rust_path);
        self.text(tag::FILE, function.file);
        self.number(tag::LINE, function.line);
        self.text(tag::DOC, function.doc);
        if let Some(stack) = function.stack {
            self.long(tag::STACK, stack);
        }
        if let Some(over) = function.blocking {
            assert!(over == 0 || has_length(function.params), "`blocking_over` counts the bytes of slices and strings, and there are none");
            self.long(tag::BLOCKING, over);
        }
        self.fields(tag::PARAM, function.params, 0);
        self.fields(tag::RESULT, function.results, function.results_offset);
        self.number(tag::RESULTS_OFFSET, function.results_offset);
        self.number(tag::FRAME_SIZE, function.frame_size);
        if !function.owner.is_empty() {
            self.text(tag::OWNER, function.owner);
        }
        if function.role != wire::role::FUNCTION {
            self.number(tag::ROLE, function.role);
        }
        if function.borrows {
            self.text(tag::BORROWS, "");
        }
        if function.nilable != 0 {
            self.long(tag::NILABLE, function.nilable);
        }
        if function.abandons {
            self.text(tag::ABANDONS, "");
        }
        if function.task {
            self.text(tag::TASK, "");
        }
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
}

//! The numbers of the format. A number once given keeps its meaning for ever.

/// The first bytes of every payload.
pub const MAGIC: [u8; 4] = *b"rsgo";

/// Magic, version, a reserved word and the length of the fields.
pub const HEADER_LEN: usize = 12;

/// Tag and length of a field.
#[cfg(any(test, feature = "decode"))]
pub const FIELD_HEADER_LEN: usize = 6;

/// A field with this bit in its tag may be skipped by a reader that does not know it.
#[cfg(any(test, feature = "decode"))]
pub const OPTIONAL: u16 = 0x8000;

/// Tags of an export's fields.
pub mod export {
    pub const GO_NAME: u16 = 1;
    pub const RUST_PATH: u16 = 2;
    pub const FILE: u16 = 3;
    pub const LINE: u16 = 4;
    pub const DOC: u16 = 5;
    /// Absent where no budget is stated.
    pub const STACK: u16 = 6;
    /// Once for each parameter, in order; the content is made of the fields in [`super::field`].
    pub const PARAM: u16 = 7;
    /// Once for each result, in order; the content is made of the fields in [`super::field`].
    pub const RESULT: u16 = 8;
    pub const RESULTS_OFFSET: u16 = 9;
    pub const FRAME_SIZE: u16 = 10;
}

/// Tags of the fields of a parameter or result.
pub mod field {
    pub const NAME: u16 = 1;
    pub const OFFSET: u16 = 2;
    pub const TYPE: u16 = 3;
}

/// Kinds of types: the first byte of a type.
pub mod kind {
    pub const BOOL: u8 = 1;
    pub const INT8: u8 = 2;
    pub const INT16: u8 = 3;
    pub const INT32: u8 = 4;
    pub const INT64: u8 = 5;
    pub const INT: u8 = 6;
    pub const UINT8: u8 = 7;
    pub const UINT16: u8 = 8;
    pub const UINT32: u8 = 9;
    pub const UINT64: u8 = 10;
    pub const UINT: u8 = 11;
    pub const FLOAT32: u8 = 12;
    pub const FLOAT64: u8 = 13;
    pub const RUNE: u8 = 14;
    pub const STRING: u8 = 15;
    /// Then the length, a u64, and the element's type.
    pub const ARRAY: u8 = 16;
    /// Then one byte, 1 where Rust may write through it and 0 where not, and the element's type.
    pub const POINTER: u8 = 17;
    /// As for [`POINTER`].
    pub const SLICE: u8 = 18;
    /// Then the length of a text, a u32, and the text: the Go type as [`crate::GoType`] writes it, or nothing.
    pub const HANDLE: u8 = 19;
}

//! The numbers of the format; those of types are in the table of types. A number once given keeps its meaning for ever.

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

/// Kinds of records, as the head of a record states them. The kind decides what the record's address is and which fields it has.
pub mod record {
    /// An exported function; the address is that of its shim.
    pub const FUNCTION: u32 = 0;
    /// A function of a run-time package, which generated code calls by C's convention; the address is its own. The fields are those of
    /// a function, without parameters and results.
    pub const ROUTINE: u32 = 1;
}

/// Tags of a function's fields.
pub mod function {
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
    /// Absent where the call is an ordinary one.
    pub const BLOCKING: u16 = 11;
}

/// Tags of the fields of a parameter or result.
pub mod field {
    pub const NAME: u16 = 1;
    pub const OFFSET: u16 = 2;
    pub const TYPE: u16 = 3;
}

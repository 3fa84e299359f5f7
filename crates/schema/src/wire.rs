//! The format's numbers, except the numbers of types (see the table in `types`). A number never changes its meaning.

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

/// Kinds of records, stated in the record's header. The kind determines the meaning of the record's address and the fields.
pub mod record {
    /// An exported function; the address is the address of its shim.
    pub const FUNCTION: u32 = 0;
    /// A function of a run-time package, which generated code calls by C's convention; the address is its own. The fields are a function's,
    /// without parameters and results.
    pub const ROUTINE: u32 = 1;
    /// An exported constant or static; the address is null, and the fields are listed in the module `constant`.
    pub const CONSTANT: u32 = 2;
    /// A record without content, for an item that turned out not to exist while the crate was compiled. The address is null.
    pub const NOTHING: u32 = 3;
}

/// The role of a function in the Go package.
pub mod role {
    /// A function that Go code calls. With an owner, it is an associated function of that type.
    pub const FUNCTION: u32 = 0;
    /// A method of the owner. The first parameter is the receiver.
    pub const METHOD: u32 = 1;
    /// Drops a value of the owner: `func(unsafe.Pointer)`.
    pub const DROP: u32 = 2;
    /// Fetches the text of the owner, an error without fields: `func(number uint32, into []byte) uint` writes as much of the text as fits and
    /// returns its whole length.
    pub const TEXT: u32 = 3;
    /// Fetches items from an iterator made by the function of the same owner and name: `func(iterator unsafe.Pointer, want uint, items
    /// *[N]item, …) uint` returns the number of items, at most `want`. Fewer than `want` means that the iterator has ended.
    pub const NEXT: u32 = 4;
    /// Drops an iterator: `func(unsafe.Pointer)`.
    pub const END: u32 = 5;
    /// Frees the memory of a text or list: `func(address unsafe.Pointer, size, align uint)`. All functions share it.
    pub const RELEASE: u32 = 6;
}

/// Bits of an object's flags.
pub mod object {
    /// Go gets a method Close.
    pub const CLOSE: u64 = 1;
    /// The Rust type is not `Sync`: every method locks the object exclusively.
    pub const EXCLUSIVE: u64 = 2;
    /// The zero value in Go is the `Default` of the Rust type.
    pub const ZERO: u64 = 4;
}

/// Tags of a function's fields.
pub mod function {
    pub const GO_NAME: u16 = 1;
    pub const RUST_PATH: u16 = 2;
    pub const FILE: u16 = 3;
    pub const LINE: u16 = 4;
    pub const DOC: u16 = 5;
    /// Absent if the author states no budget.
    pub const STACK: u16 = 6;
    /// Once for each parameter, in order; the content is made of the fields in [`super::field`].
    pub const PARAM: u16 = 7;
    /// Once for each result, in order; the content is made of the fields in [`super::field`].
    pub const RESULT: u16 = 8;
    pub const RESULTS_OFFSET: u16 = 9;
    pub const FRAME_SIZE: u16 = 10;
    /// Absent for calls that do not block.
    pub const BLOCKING: u16 = 11;
    /// The Rust path of the type that the function belongs to; absent for a free function.
    pub const OWNER: u16 = 12;
    /// One of [`super::role`]; absent for [`super::role::FUNCTION`].
    pub const ROLE: u16 = 13;
    /// Present, and empty, if results may point into memory that the parameters refer to.
    pub const BORROWS: u16 = 14;
    /// Bit i is set if parameter i may be nil, for the first 64 parameters; absent if none may be nil.
    pub const NILABLE: u16 = 15;
}

/// Tags of a constant's fields.
pub mod constant {
    pub const GO_NAME: u16 = 1;
    pub const RUST_PATH: u16 = 2;
    pub const FILE: u16 = 3;
    pub const LINE: u16 = 4;
    pub const DOC: u16 = 5;
    pub const TYPE: u16 = 6;
    /// The value's bytes in Go's memory, little-endian; the bytes of the text, if the constant is a string.
    pub const VALUE: u16 = 7;
    /// Present, and empty, if Go gets a variable instead of a constant.
    pub const VARIABLE: u16 = 8;
}

/// Tags of the fields of a parameter or result.
pub mod field {
    pub const NAME: u16 = 1;
    pub const OFFSET: u16 = 2;
    pub const TYPE: u16 = 3;
}

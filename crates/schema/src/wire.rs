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
    /// An exported constant or static; the address is null, and the fields are those in the module `constant`.
    pub const CONSTANT: u32 = 2;
    /// Nothing: what the record would describe does not exist, as its author found out while the crate was compiled. The address is null.
    pub const NOTHING: u32 = 3;
}

/// What a function is to the Go package.
pub mod role {
    /// A function that Go code calls. If it has an owner, it is an associated function of that type.
    pub const FUNCTION: u32 = 0;
    /// A method of the owner. The first parameter is the receiver.
    pub const METHOD: u32 = 1;
    /// Drops a value of the owner: `func(unsafe.Pointer)`.
    pub const DROP: u32 = 2;
    /// The text of an error of the owner without fields: `func(number uint32, into []byte) uint` writes as much of it as fits and returns the length of all.
    pub const TEXT: u32 = 3;
    /// Fetches from an iterator that the function of the same owner and name made: `func(iterator unsafe.Pointer, want uint, items *[N]item, …) uint`, as many items
    /// as it says, at most `want`; fewer than that are the last ones.
    pub const NEXT: u32 = 4;
    /// Drops such an iterator: `func(unsafe.Pointer)`.
    pub const END: u32 = 5;
    /// Frees what a text or list had allocated: `func(address unsafe.Pointer, size, align uint)`. There is one for all functions.
    pub const RELEASE: u32 = 6;
}

/// Bits of an object's flags.
pub mod object {
    /// Go gets a method Close.
    pub const CLOSE: u64 = 1;
    /// The Rust type is not `Sync`: every method has the object for itself.
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
    /// The Rust path of the type that the function belongs to; absent where it belongs to none.
    pub const OWNER: u16 = 12;
    /// One of [`super::role`]; absent for [`super::role::FUNCTION`].
    pub const ROLE: u16 = 13;
    /// Present, and empty, where results may point into what the parameters refer to.
    pub const BORROWS: u16 = 14;
    /// A bit for each of the first 64 parameters that may be nil; absent where none may.
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
    /// The bytes in Go's memory, little-endian; of a text, its bytes.
    pub const VALUE: u16 = 7;
    /// Present, and empty, where Go gets a variable.
    pub const VARIABLE: u16 = 8;
}

/// Tags of the fields of a parameter or result.
pub mod field {
    pub const NAME: u16 = 1;
    pub const OFFSET: u16 = 2;
    pub const TYPE: u16 = 3;
}

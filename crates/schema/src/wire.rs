//! The numbers of the record format. The numbers of types are in the table in `types`. A number never changes its meaning.

/// The first bytes of every payload.
pub const MAGIC: [u8; 4] = *b"rsgo";

/// The number of bytes of a payload's header: magic bytes, version, two reserved bytes, and the length of the fields.
pub const HEADER_LEN: usize = 12;

/// The number of bytes of a field's tag and length.
#[cfg(any(test, feature = "decode"))]
pub const FIELD_HEADER_LEN: usize = 6;

/// The bit in a field's tag that lets a reader skip the field if the reader does not know the tag.
#[cfg(any(test, feature = "decode"))]
pub const OPTIONAL: u16 = 0x8000;

/// The kinds of records. The kind is a part of the record's header, and determines the meaning of the record's address and fields.
pub mod record {
    /// An exported function. The record's address is the address of the function's shim, which Go's assembly calls.
    pub const FUNCTION: u32 = 0;
    /// A function of a run-time package. Generated code calls the function by C's calling convention. The record's address is the address of the
    /// function itself. The fields are the same as for an exported function, without parameters and results.
    pub const ROUTINE: u32 = 1;
    /// An exported constant or static. The record's address is null. The fields are listed in the module `constant`.
    pub const CONSTANT: u32 = 2;
    /// A record without content, for an item that does not exist, such as the method Clone of a type that is not `Clone`.
    /// The record's address is null.
    pub const NOTHING: u32 = 3;
}

/// The roles of functions in the Go package. The owner of a function is the type that the function belongs to.
pub mod role {
    /// A function that Go code calls. If it has an owner, it is an associated function of the owner.
    pub const FUNCTION: u32 = 0;
    /// A method of the owner. The first parameter is the receiver.
    pub const METHOD: u32 = 1;
    /// Drops a value of the owner: `func(unsafe.Pointer)`.
    pub const DROP: u32 = 2;
    /// Writes the text of an error without fields into a slice: `func(number uint32, into []byte) uint`. The owner is the error's type. The
    /// function writes as much of the text as fits, and returns the length of the whole text.
    pub const TEXT: u32 = 3;
    /// Fetches items from an iterator: `func(iterator unsafe.Pointer, want uint, items *[N]item, …) uint`. The iterator is a result of the
    /// function with the same owner and name. The result is the number of items, at most `want`. A number less than `want` means that the iterator
    /// has ended.
    pub const NEXT: u32 = 4;
    /// Drops an iterator, a result of the function with the same owner and name: `func(unsafe.Pointer)`.
    pub const END: u32 = 5;
    /// Frees the memory of a text or list: `func(address unsafe.Pointer, size, align uint)`. A package has one function with this role.
    pub const RELEASE: u32 = 6;
}

/// The bits in the flags of an object type.
pub mod object {
    /// Set if the type has a method Close in Go.
    pub const CLOSE: u64 = 1;
    /// Set if the Rust type need not be `Sync`. Then every method locks the object exclusively.
    pub const EXCLUSIVE: u64 = 2;
    /// Set if Go's zero value means the `Default` of the Rust type.
    pub const ZERO: u64 = 4;
    /// Set if an object can still be used after a panic has unwound a call that may change the object.
    pub const UNWIND_SAFE: u64 = 8;
}

/// The tags of the fields that describe a function.
pub mod function {
    pub const GO_NAME: u16 = 1;
    pub const RUST_PATH: u16 = 2;
    pub const FILE: u16 = 3;
    pub const LINE: u16 = 4;
    pub const DOC: u16 = 5;
    /// The stack budget in bytes. The field is absent if the author states no budget.
    pub const STACK: u16 = 6;
    /// A parameter, with fields of the module [`super::field`]. There is one such field for each parameter, in order.
    pub const PARAM: u16 = 7;
    /// A result, with fields of the module [`super::field`]. There is one such field for each result, in order.
    pub const RESULT: u16 = 8;
    pub const RESULTS_OFFSET: u16 = 9;
    pub const FRAME_SIZE: u16 = 10;
    /// A call that passes more bytes than this number is blocking. The field is absent if no call is blocking.
    pub const BLOCKING: u16 = 11;
    /// The Rust path of the type that the function belongs to. The field is absent for a free function.
    pub const OWNER: u16 = 12;
    /// The function's role, one of [`super::role`]. The field is absent for [`super::role::FUNCTION`].
    pub const ROLE: u16 = 13;
    /// An empty field. It is present if results may point into memory that the parameters refer to.
    pub const BORROWS: u16 = 14;
    /// A number. Bit i is set if parameter i may be nil, for the first 64 parameters. The field is absent if no parameter may be nil.
    pub const NILABLE: u16 = 15;
    /// An empty field. It is present if panics abandon the frames of the function.
    pub const ABANDONS: u16 = 16;
    /// An empty field. It is present if each call runs on a separate stack.
    pub const TASK: u16 = 17;
}

/// The tags of the fields that describe a constant.
pub mod constant {
    pub const GO_NAME: u16 = 1;
    pub const RUST_PATH: u16 = 2;
    pub const FILE: u16 = 3;
    pub const LINE: u16 = 4;
    pub const DOC: u16 = 5;
    pub const TYPE: u16 = 6;
    /// The value as bytes in Go's memory, little-endian. For a string, the bytes of the text.
    pub const VALUE: u16 = 7;
    /// An empty field. It is present if the constant becomes a variable in Go.
    pub const VARIABLE: u16 = 8;
}

/// The tags of the fields that describe a parameter or result.
pub mod field {
    pub const NAME: u16 = 1;
    pub const OFFSET: u16 = 2;
    pub const TYPE: u16 = 3;
}

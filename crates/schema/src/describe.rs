//! The form of a record's content that the macro writes: constants for [`crate::Describe`].

pub use crate::types::described::{Decl, Member, Type, Variant};

/// The description of an exported function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The function's name in Go.
    pub go_name: &'static str,
    /// The function's path in Rust: crate, modules and function, such as `edwards25519::scalar_base_mult`.
    pub rust_path: &'static str,
    /// The name of the source file, as `file!()` states it.
    pub file: &'static str,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The documentation: lines joined by `\n`, each without its leading space.
    pub doc: &'static str,
    /// The stack budget in bytes, if the author states it.
    pub stack: Option<u64>,
    /// The number of bytes above which a call is blocking: Go's scheduler is notified of a call whose slices and strings together hold more
    /// bytes than this number. 0 means every call; `None` means no call.
    pub blocking: Option<u64>,
    /// The parameters, in order.
    pub params: &'static [Field],
    /// The results, in order.
    pub results: &'static [Field],
    /// The offset of the result area from the start of the argument area, in bytes; a multiple of 8.
    pub results_offset: u32,
    /// The number of bytes of arguments and results, which is the number N in `$FRAME-N` of Go's assembly.
    pub frame_size: u32,
    /// The Rust path of the type that the function belongs to; empty for a free function.
    pub owner: &'static str,
    /// The function's role, one of [`crate::role`].
    pub role: u32,
    /// True if results may point into memory that the parameters refer to.
    pub borrows: bool,
    /// Bit i is set if parameter i may be nil. Only the first 64 parameters have a bit.
    pub nilable: u64,
}

impl Function {
    /// A description whose fields are all empty, as a base for struct update syntax.
    pub const EMPTY: Self = Self {
        go_name: "",
        rust_path: "",
        file: "",
        line: 0,
        doc: "",
        stack: None,
        blocking: None,
        params: &[],
        results: &[],
        results_offset: 0,
        frame_size: 0,
        owner: "",
        role: crate::role::FUNCTION,
        borrows: false,
        nilable: 0,
    };
}

/// The description of an exported constant or static.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The constant's name in Go.
    pub go_name: &'static str,
    /// The constant's path in Rust: crate, modules and constant.
    pub rust_path: &'static str,
    /// The name of the source file, as `file!()` states it.
    pub file: &'static str,
    /// The line of the constant's name, counted from 1.
    pub line: u32,
    /// The documentation: lines joined by `\n`, each without its leading space.
    pub doc: &'static str,
    /// The constant's type in Go.
    pub ty: Type,
    /// The value's bytes in Go's memory, little-endian; for a string, the bytes of the text.
    pub value: &'static [u8],
    /// True if Go gets a variable; false if Go gets a constant, provided that Go has constants of this type.
    pub variable: bool,
}

/// A parameter or result.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in Rust; empty for a result that has no name.
    pub name: &'static str,
    /// The type in Go.
    pub ty: Type,
    /// The offset in bytes: of a parameter from the start of the argument area, of a result from the start of the result area (the encoder
    /// adds [`Function::results_offset`]).
    pub offset: u32,
}

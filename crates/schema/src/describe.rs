//! The macro's form of a record's content: constants for [`crate::Describe`].

pub use crate::types::described::{Decl, Member, Type, Variant};

/// One exported function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The function's name in Go.
    pub go_name: &'static str,
    /// Crate, modules and function: `edwards25519::scalar_base_mult`.
    pub rust_path: &'static str,
    /// The source file, as `file!()` gives it.
    pub file: &'static str,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The documentation, lines joined by `\n`, each without its leading space.
    pub doc: &'static str,
    /// The stated stack budget in bytes.
    pub stack: Option<u64>,
    /// For blocking calls: Go's scheduler is notified of a call whose slices and strings together hold more bytes than this; 0 means every
    /// call.
    pub blocking: Option<u64>,
    /// The parameters, in order.
    pub params: &'static [Field],
    /// The results, in order.
    pub results: &'static [Field],
    /// Offset of the result area from the start of the argument area, in bytes: a multiple of 8.
    pub results_offset: u32,
    /// Bytes of arguments and results, as Go counts them: the N of `$FRAME-N`.
    pub frame_size: u32,
    /// The Rust path of the type that the function belongs to; empty for a free function.
    pub owner: &'static str,
    /// One of [`crate::role`].
    pub role: u32,
    /// Results may point into memory that the parameters refer to.
    pub borrows: bool,
    /// Bit i is set if parameter i may be nil. Only the first 64 parameters have a bit.
    pub nilable: u64,
}

impl Function {
    /// All fields empty, as a base for struct update syntax.
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

/// An exported constant or static.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The name in Go.
    pub go_name: &'static str,
    /// Crate, modules and constant.
    pub rust_path: &'static str,
    /// The source file, as `file!()` gives it.
    pub file: &'static str,
    /// The line of the constant's name, counted from 1.
    pub line: u32,
    /// The documentation, lines joined by `\n`, each without its leading space.
    pub doc: &'static str,
    /// The type in Go.
    pub ty: Type,
    /// The value's bytes in Go's memory, little-endian; the bytes of the text, if the constant is a string.
    pub value: &'static [u8],
    /// True: Go gets a variable. False: Go gets a constant, if Go has constants of that type.
    pub variable: bool,
}

/// A parameter or result.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in Rust; empty for a result without one.
    pub name: &'static str,
    /// The type in Go.
    pub ty: Type,
    /// Bytes from the start of the argument area; for results, of the result area (the encoder adds
    /// [`Function::results_offset`]).
    pub offset: u32,
}

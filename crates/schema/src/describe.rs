//! What the macro describes: constants all through, for [`crate::Describe`].

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
    /// The scheduler is told of calls of the function, if the slices and strings that they pass hold more bytes than this together; with 0, of
    /// all calls.
    pub blocking: Option<u64>,
    /// The parameters, in order.
    pub params: &'static [Field],
    /// The results, in order.
    pub results: &'static [Field],
    /// Where the result area begins, in bytes from the start of the argument area: a multiple of 8.
    pub results_offset: u32,
    /// Bytes of arguments and results, as Go counts them: the N of `$FRAME-N`.
    pub frame_size: u32,
    /// The Rust path of the type that the function belongs to; empty where it belongs to none.
    pub owner: &'static str,
    /// One of [`crate::role`].
    pub role: u32,
    /// May results point into what the parameters refer to?
    pub borrows: bool,
    /// A bit for each of the first 64 parameters, the lowest for the first: may it be nil?
    pub nilable: u64,
}

impl Function {
    /// A function without anything, to be completed.
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
    /// The bytes in Go's memory, little-endian; of a text, its bytes.
    pub value: &'static [u8],
    /// Does Go get a variable? A constant otherwise, if Go has constants of that type.
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

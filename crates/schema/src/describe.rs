//! The content of records in the form that the macro writes: constants, which [`crate::Describe`] encodes.

pub use crate::types::described::{Decl, Member, Method, Type, Variant};

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
    /// The stack budget in bytes. `None` if the author states no budget.
    pub stack: Option<u64>,
    /// A call is blocking (Go's scheduler is notified of the call) if the slices and strings among its arguments together have more bytes than this
    /// number. 0: every call is blocking. `None`: no call is blocking.
    pub blocking: Option<u64>,
    /// The parameters, in order.
    pub params: &'static [Field],
    /// The results, in order.
    pub results: &'static [Field],
    /// The offset of the result area from the start of the argument area, in bytes. It is a multiple of 8.
    pub results_offset: u32,
    /// The number of bytes of arguments and results: the number N in `$FRAME-N` of Go's assembly.
    pub frame_size: u32,
    /// The Rust path of the type that the function belongs to. Empty for a free function.
    pub owner: &'static str,
    /// The function's role in the Go package: one of the constants in [`crate::role`].
    pub role: u32,
    /// True if results may point into memory that the parameters refer to.
    pub borrows: bool,
    /// Bit i is set if parameter i may be nil. Only the first 64 parameters have a bit.
    pub nilable: u64,
    /// True if panics abandon the frames of the function, although panics unwind in the package.
    pub abandons: bool,
    /// True if each call runs on a separate stack, outside of Go's memory.
    pub task: bool,
}

impl Function {
    /// A description with empty fields, as a base for struct update syntax (`..EMPTY`).
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
        abandons: false,
        task: false,
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
    /// The value as bytes in Go's memory, little-endian. For a string, the bytes of the text.
    pub value: &'static [u8],
    /// True if the item must become a variable in Go. If false, it becomes a constant, or a variable if Go has no constants of the type or value.
    pub variable: bool,
}

/// A parameter or result.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The parameter's name in Rust, or the result's name in `results(…)`. Empty for a result without a name.
    pub name: &'static str,
    /// The type in Go.
    pub ty: Type,
    /// The offset in bytes: for a parameter from the start of the argument area, for a result from the start of the result area. (The encoder adds
    /// [`Function::results_offset`] to the offset of a result.)
    pub offset: u32,
}

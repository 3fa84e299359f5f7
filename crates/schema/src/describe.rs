//! The description of an export as the macro writes it: constants all through, for [`crate::encode`].

/// One exported function.
#[derive(Clone, Copy, Debug)]
pub struct Export {
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
    /// The parameters, in order.
    pub params: &'static [Field],
    /// The results, in order.
    pub results: &'static [Field],
    /// Where the result area begins, in bytes from the start of the argument area: a multiple of 8.
    pub results_offset: u32,
    /// Bytes of arguments and results, as Go counts them: the N of `$FRAME-N`.
    pub frame_size: u32,
}

/// A parameter or result.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in Rust; empty for a result without one.
    pub name: &'static str,
    /// The type in Go.
    pub ty: Type,
    /// Bytes from the start of the argument area; for results, of the result area (the encoder adds
    /// [`Export::results_offset`]).
    pub offset: u32,
}

/// A Go type.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int8`
    Int8,
    /// `int16`
    Int16,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `int`
    Int,
    /// `uint8`, and so `byte`
    Uint8,
    /// `uint16`
    Uint16,
    /// `uint32`
    Uint32,
    /// `uint64`
    Uint64,
    /// `uint`
    Uint,
    /// `float32`
    Float32,
    /// `float64`
    Float64,
    /// `rune`
    Rune,
    /// `string`
    String,
    /// `[len]elem`
    Array {
        /// Number of elements.
        len: u64,
        /// Their type.
        elem: &'static Type,
    },
    /// `*elem`
    Pointer {
        /// May Rust write through it?
        mutable: bool,
        /// What it points to.
        elem: &'static Type,
    },
    /// `[]elem`
    Slice {
        /// May Rust write to the elements?
        mutable: bool,
        /// Their type.
        elem: &'static Type,
    },
    /// `handle.Of[of]`, or `handle.Handle`, of the Go module `rustgo.dev/go`
    Handle {
        /// What it stands for, as [`crate::GoType`] reads it; empty where that is not said.
        of: &'static str,
    },
}

//! What generated code, the support crate and the Go package `rt` agree on: names, offsets, sizes of stacks, the report of a panic.
//!
//! None of the three is compiled with another, so each states these facts itself: the tool in this file, the support crate in
//! `crates/support/src/panic.rs`, `rt` in `go/rt/entry.go` and `panic_*.s`. Neither side can change alone: the tests below read the
//! sources of the other two, and docs/abi.md, and fail where they disagree with this file.
//!
//! The functions of `rt` that generated code calls, their arguments and the stack that they need are in the table of
//! [`exits`](crate::exits), which the same tests compare.

/// The support crate's formatter, which `rt` calls for the text of a panic: `extern "C" fn(*const PanicInfo, *mut Report)`.
pub const FORMAT_PANIC: &str = "rustgo_format_panic";
/// Takes the place of the functions in which std reports that an allocator has no memory left.
pub const ALLOC_ERROR: &str = "rustgo_alloc_error";

/// `--cfg` for all that the tool builds.
pub const CFG: &str = "rustgo";
/// `--cfg` for the crate and the support crate where the crate links std.
pub const CFG_STD: &str = "rustgo_std";

/// Offset of `g.stack.lo` in g: the address of the lowest byte of the goroutine's stack. `rt` sets it while a message is formatted.
pub const G_STACK_LO: u32 = 0;
/// Offset of the limit of the call that is running, counted from `g.stack.lo`. Entries store it there, and so does `rt` for the formatter;
/// checked entries compare SP with it.
pub const LIMIT: u32 = 0;

/// Bytes above `g.stack.lo` that Go keeps free for chains of NOSPLIT functions (`StackNosplitBase`, internal/abi/stack.go). A framed entry
/// leaves them free, too: the limit of the call is one of them.
pub const NOSPLIT_STACK: u32 = 800;
/// Bytes that Windows may write below SP when a fault happens (`stackSystem`, runtime/stack.go).
pub const WINDOWS_STACK: u32 = 4096;

/// Bytes of the stack on which `rt` calls the formatter.
pub const FORMATTER_STACK: u32 = 64 << 10;
/// SP is a multiple of this before that call.
pub const FORMATTER_ALIGN: u32 = 64;
/// Bytes at the lower end of that stack: the limit, and zeros that must stay zero. [`WINDOWS_STACK`] follows.
pub const FORMATTER_GUARD: u32 = 1024;
/// Bytes of the longest message: the report's `capacity`.
pub const MESSAGE: u32 = 4096;

/// A field of the report of a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub offset: u32,
    /// In Rust: `Report`. In Go, where it is `report`, the name is in camelCase.
    pub name: &'static str,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The formatter writes there: `*mut u8`.
    Buffer,
    /// The formatter points there: `*const u8`.
    Text,
    Size,
    Number,
}

/// What the formatter is given (`message`, `capacity`) and fills in.
pub const REPORT: [Field; 7] = [
    Field { offset: 0, name: "message", kind: Kind::Buffer },
    Field { offset: 8, name: "capacity", kind: Kind::Size },
    Field { offset: 16, name: "length", kind: Kind::Size },
    Field { offset: 24, name: "file", kind: Kind::Text },
    Field { offset: 32, name: "file_len", kind: Kind::Size },
    Field { offset: 40, name: "line", kind: Kind::Number },
    Field { offset: 44, name: "column", kind: Kind::Number },
];

impl Kind {
    /// In Rust, in Go, and the size in bytes, which is also the alignment.
    pub fn spelled(self) -> (&'static str, &'static str, u32) {
        match self {
            Kind::Buffer => ("*mut u8", "*byte", 8),
            Kind::Text => ("*const u8", "*byte", 8),
            Kind::Size => ("usize", "uintptr", 8),
            Kind::Number => ("u32", "uint32", 4),
        }
    }
}

#[cfg(test)]
mod tests;

//! Reads the object files of `go tool asm`, for the module verify.
//!
//! Go's `cmd/internal/goobj/objfile.go` defines the format: a text line with system, architecture and Go version, a line `!`, then blocks of
//! fixed-size records. A table of offsets locates the blocks. The magic number `\x00go120ld` is the same in Go 1.20 to 1.27. Between these versions
//! only the following numbers differ: relocation kinds from 32 up (see [`reloc`]), symbol kinds above 11 (see [`kind`]), and the runtime's built-in
//! symbols (see [`builtin`]).
//!
//! The reader checks every offset and count. Damaged bytes give an error; they never cause a panic, or an allocation out of proportion to the
//! input.

mod builtin;
pub mod consts;
mod pcln;
mod reader;

pub use consts::{abi, func_flag, kind, reloc, symbol_flag};

/// An object file of the Go assembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoObject {
    /// The operating system in the header line (`GOOS`).
    pub goos: String,
    /// The architecture in the header line (`GOARCH`).
    pub goarch: String,
    /// The Go version in the header line, such as `go1.26.8`.
    pub version: String,
    /// The source files in the line tables, in the order of the object's file table, without the assembler's prefix `gofile..`.
    pub files: Vec<String>,
    /// The symbols that the file defines, in the file's order. First come the package symbols (in assembly these are the file-local symbols); then
    /// short hashed symbols; then hashed symbols (the pc tables, which have no names); then symbols that other packages refer to by name.
    pub symbols: Vec<Symbol>,
}

/// A symbol that the file defines, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name by which the linker knows the symbol, such as `example.org/x.F`. For a file-local symbol: the name in the assembly source, without
    /// `<>`. Empty for a pc table.
    pub name: String,
    /// The number of the symbol's ABI, from [`abi`].
    pub abi: u16,
    /// The number of the symbol's kind, from [`kind`].
    pub kind: u8,
    /// The symbol's flags: bits from [`symbol_flag`].
    pub flags: u8,
    /// The alignment in bytes. If it is 0, the linker chooses the alignment.
    pub align: u32,
    /// The size in bytes. The bytes from the end of `data` up to this size are zero.
    pub size: u32,
    /// The content, at most `size` bytes. Relocated fields are zero.
    pub data: Vec<u8>,
    /// The relocations, ordered by offset.
    pub relocs: Vec<Reloc>,
    /// The runtime's data about the function. None if the symbol is not a function.
    pub func: Option<FuncInfo>,
}

impl Symbol {
    /// Returns true if the symbol is executable code.
    pub fn is_text(&self) -> bool {
        self.kind == kind::STEXT || self.kind == kind::STEXTFIPS
    }
    /// Returns true if the function has the flag NOSPLIT, so it has no stack check. The source sets the flag, or the assembler sets it for a leaf
    /// function.
    pub fn nosplit(&self) -> bool {
        self.flags & symbol_flag::NOSPLIT != 0
    }
}

/// A field that the linker fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// The field's offset from the symbol's first byte.
    pub offset: u32,
    /// The field's size in bytes. The size is 0 for a mark, which changes no bytes.
    pub size: u8,
    /// The number of the relocation's kind, from [`reloc`].
    pub kind: u16,
    pub addend: i64,
    /// The name of the target symbol. Empty if the relocation has no target (such as [`reloc::R_CALLIND`]).
    pub target: String,
    /// The number of the target's ABI, from [`abi`].
    pub target_abi: u16,
    /// Index of the target in [`GoObject::symbols`], if the file defines the target.
    pub target_index: Option<usize>,
}

/// The data about a function that the runtime uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncInfo {
    /// Number of bytes of arguments and results (the N of `$FRAME-N`). `0x8000_0000` if the source does not state the number.
    pub args: u32,
    /// Number of bytes of the frame, as the assembler counts them.
    pub locals: u32,
    /// The function's flags: bits from [`func_flag`] (`abi.FuncFlag`).
    pub flags: u8,
    /// The SP table: pairs of a pc and the number of bytes by which SP is below its value on entry. A pair applies from its pc up to the pc of the
    /// next pair, or up to the end of the function. Empty if the object has no table for the function.
    pub pcsp: Vec<(u32, i32)>,
    /// The file table: pairs of a pc and the index into [`GoObject::files`] that applies from this pc on. The index is −1 if the file is unknown.
    pub pcfile: Vec<(u32, i32)>,
    /// The line table: pairs of a pc and the source line that applies from this pc on. The line is −1 if it is unknown.
    pub pcline: Vec<(u32, i32)>,
}

impl FuncInfo {
    /// Returns the number of bytes by which SP is below its value on entry when the function is at `pc`, which counts from the function's first byte.
    /// Returns None if the object has no SP table for the function.
    pub fn sp_delta(&self, pc: u32) -> Option<i32> {
        value_at(&self.pcsp, pc)
    }
    /// Returns the source line at `pc`, which counts from the function's first byte.
    pub fn line(&self, pc: u32) -> Option<i32> {
        value_at(&self.pcline, pc)
    }
    /// Returns the index into [`GoObject::files`] at `pc`, which counts from the function's first byte.
    pub fn file(&self, pc: u32) -> Option<i32> {
        value_at(&self.pcfile, pc)
    }
}

/// Finds the value at `pc` in a table ordered by pc.
fn value_at(table: &[(u32, i32)], pc: u32) -> Option<i32> {
    let next = table.partition_point(|&(start, _)| start <= pc);
    next.checked_sub(1).map(|index| table[index].1)
}

/// Reads an object file.
///
/// # Errors
/// Describes the problem with the bytes: not a Go object, another format version, truncated, inconsistent.
pub fn read(bytes: &[u8]) -> Result<GoObject, String> {
    reader::read(bytes)
}

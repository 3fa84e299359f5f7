//! Reads the object files of `go tool asm`, for verify.
//!
//! The format is that of Go's `cmd/internal/goobj/objfile.go`: a text line with system, architecture and Go version, a line `!`, then blocks of
//! fixed-size records, found through a table of offsets. The magic `\x00go120ld` has not changed from Go 1.20 to 1.27. Between these versions only
//! the numbers of relocation kinds from 32 up and of the runtime's built-in symbols differ (see [`reloc`] and [`builtin`]).
//!
//! Every offset and count is checked: damaged bytes give an error, never a panic, and never an allocation out of proportion to the input.

mod builtin;
pub mod consts;
mod pcln;
mod reader;

pub use consts::{abi, func_flag, kind, reloc, symbol_flag};

/// An object file of the Go assembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoObject {
    /// `GOOS` of the header line.
    pub goos: String,
    /// `GOARCH` of the header line.
    pub goarch: String,
    /// The Go version of the header line, such as `go1.26.8`.
    pub version: String,
    /// The source files in the line tables, in the order of the object's file table, without the assembler's prefix `gofile..`.
    pub files: Vec<String>,
    /// The symbols defined in the file, in its order: package symbols (file-local ones in assembly), short hashed, hashed (the pc tables,
    /// without names), and symbols referred to by name.
    pub symbols: Vec<Symbol>,
}

/// A symbol with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The linker's name: `example.org/x.F`. File-local symbols as written, without `<>`. Empty for pc tables.
    pub name: String,
    /// See [`abi`].
    pub abi: u16,
    /// See [`kind`].
    pub kind: u8,
    /// See [`symbol_flag`].
    pub flags: u8,
    /// In bytes. 0 leaves the choice to the linker.
    pub align: u32,
    /// In bytes. The part beyond `data` is zero.
    pub size: u32,
    /// At most `size` bytes. Relocated fields are zero.
    pub data: Vec<u8>,
    /// By ascending offset.
    pub relocs: Vec<Reloc>,
    /// For functions only.
    pub func: Option<FuncInfo>,
}

impl Symbol {
    /// Is it executable?
    pub fn is_text(&self) -> bool {
        self.kind == kind::STEXT || self.kind == kind::STEXTFIPS
    }
    /// Does the function lack a stack check, by its flag or because the assembler took it for a leaf?
    pub fn nosplit(&self) -> bool {
        self.flags & symbol_flag::NOSPLIT != 0
    }
}

/// A field that the linker fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// The field's offset from the symbol's first byte.
    pub offset: u32,
    /// The field's size in bytes. 0 for markers, which change nothing.
    pub size: u8,
    /// See [`reloc`].
    pub kind: u16,
    pub addend: i64,
    /// The target's name. Empty if the relocation has none (such as [`reloc::R_CALLIND`]).
    pub target: String,
    /// See [`abi`].
    pub target_abi: u16,
    /// Index into [`GoObject::symbols`] if the file defines the target.
    pub target_index: Option<usize>,
}

/// The runtime's facts about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncInfo {
    /// Bytes of arguments and results (the N of `$FRAME-N`). `0x8000_0000` if the source does not state it.
    pub args: u32,
    /// Bytes of the frame, as the assembler counts them.
    pub locals: u32,
    /// `abi.FuncFlag`, see [`func_flag`].
    pub flags: u8,
    /// Bytes from SP to its value on entry, from this pc to the next entry's pc or the end of the function. Empty if the object has no table
    /// for the function.
    pub pcsp: Vec<(u32, i32)>,
    /// Index into [`GoObject::files`] from this pc on. −1 if unknown.
    pub pcfile: Vec<(u32, i32)>,
    /// Line from this pc on. −1 if unknown.
    pub pcline: Vec<(u32, i32)>,
}

impl FuncInfo {
    /// Bytes from SP to its value on entry at `pc` (from the function's first byte), if the table covers it.
    pub fn sp_delta(&self, pc: u32) -> Option<i32> {
        value_at(&self.pcsp, pc)
    }
    /// Line at `pc`.
    pub fn line(&self, pc: u32) -> Option<i32> {
        value_at(&self.pcline, pc)
    }
    /// Index into [`GoObject::files`] at `pc`.
    pub fn file(&self, pc: u32) -> Option<i32> {
        value_at(&self.pcfile, pc)
    }
}

/// The value at `pc` in a table ordered by pc.
fn value_at(table: &[(u32, i32)], pc: u32) -> Option<i32> {
    let next = table.partition_point(|&(start, _)| start <= pc);
    next.checked_sub(1).map(|index| table[index].1)
}

/// Reads an object file.
///
/// # Errors
/// The problem with the bytes: not a Go object, another format version, truncated, inconsistent.
pub fn read(bytes: &[u8]) -> Result<GoObject, String> {
    reader::read(bytes)
}

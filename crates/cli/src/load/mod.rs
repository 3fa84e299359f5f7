//! Archive → Object: a small linker, which collects everything that the exports reach. The module [`crate::decode`] then decodes the code.
//!
//! The linker starts at the exports and follows relocations. It resolves a name to the definition that an ordinary linker would use. Later stages do
//! not depend on file formats: they see functions, data, relocations and source lines.
//!
//! ```text
//!  bytes ─archive→ Members ─linked, symbols→ Names ─exports→ roots ─walk→ functions, data ─lines, fragments→ Object
//!                                                    split: the functions of one section
//!                                                    data_bounds: where a jump table may end
//! ```
//!
//! Unlike an ordinary linker, this linker does not relax instructions, and it includes sections whole without merging their strings. It refuses
//! constructors, because a Go program never runs them. It does not choose between the copies of a COMDAT group: a reference to a local symbol goes to
//! the copy in the same object, and a reference to a global name goes to the first copy.

mod archive;
mod data_bounds;
mod debug_info;
mod exports;
mod fragments;
mod inlined;
mod lines;
mod linked;
mod no_threads;
mod relocations;
mod replaced;
mod split;
mod symbols;
mod system;
mod tls;
mod unwind;
mod walk;
mod weak_symbols;

use crate::abi;
use crate::diag::{Diagnostic, ErrorCode, Failure, Place, Result, Source};
use crate::exits::Exit;
use crate::ids::{DataId, ExportId, FileId, FuncId, SectionId};
use crate::target;
use cranelift_entity::PrimaryMap;
pub use exports::{is_written, refers_to_inline};
use std::path::Path;
pub use unwind::{Action, CallSite, Unwinding};

/// Reads a static library and collects everything that its exports reach. Every object in the library must be ELF for the architecture of
/// `target`.
///
/// `display_path` turns a source file's name in the debug information into the displayed name. Functions and data are numbered in the order in which
/// the exports reach them, and the exports are sorted by Go name. So equal archives give equal objects.
///
/// # Errors
/// [`ErrorCode::Archive`] (damaged; names the member), [`ErrorCode::Architecture`] (for another machine or system), [`ErrorCode::NoExports`],
/// [`ErrorCode::Schema`], [`ErrorCode::Unsupported`] (an ifunc, an absolute symbol, a static over 256 MiB, `rayon::spawn` without threads). A
/// constructor or an executable stack causes no error by itself: [`Object::refused`] gets the reason.
pub fn load(archive: &Path, target: target::Target, display_path: &dyn Fn(&str) -> String, kind: Kind) -> Result<Object> {
    let bytes = std::fs::read(archive)
        .map_err(|error| Diagnostic::new(ErrorCode::Archive, format!("cannot read the archive {}: {error}", archive.display())))?;
    collected(&bytes, (&archive.display().to_string(), target), display_path, kind)
}

/// Settings of the crate's build that the code in the archive does not show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// True if panics unwind. Then the functions get their unwind tables ([`Function::unwinding`]).
    pub unwinds: bool,
    /// True if Rust code cannot start threads. Then all exports are tasks: they run on a stack of `rt` instead of the goroutine's stack, one after
    /// the other.
    pub no_threads: bool,
    /// True if the author allows `rayon::spawn` and similar functions in a crate without threads. These functions queue work that may never be done.
    pub allows_spawn: bool,
}

/// Does the work of [`load`] for an archive in memory. Messages call the archive `name`.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(bytes: &[u8], name: &str, target: target::Target, display_path: &dyn Fn(&str) -> String) -> Result<Object> {
    collected(bytes, (name, target), display_path, Kind::default())
}

/// Does the work of [`load_bytes`], and also reads the unwind tables ([`Function::unwinding`]).
///
/// # Errors
/// As [`load`].
pub fn load_with_unwinding(bytes: &[u8], name: &str, target: target::Target, display_path: &dyn Fn(&str) -> String) -> Result<Object> {
    collected(bytes, (name, target), display_path, Kind { unwinds: true, ..Kind::default() })
}

fn collected(bytes: &[u8], (name, target): (&str, target::Target), display_path: &dyn Fn(&str) -> String, kind: Kind) -> Result<Object> {
    let machine = relocations::Machine::of(target.arch);
    let members = archive::members(bytes, machine, &name)?;
    let linked = linked::linked(&members)?;
    let refused = system::reasons(&members, &linked)?;
    let with_all = |failure| match failure {
        Failure::Refused(more) => Failure::Refused([refused.clone(), more].concat()),
        other => other,
    };
    let names = symbols::Names::new(&members, &linked)?;
    let mut walk = walk::Walk::new(&members, &names, kind)?;
    let exports::Described { exports, constants } = exports::read(&members, &mut walk, kind.no_threads)?;
    let format_panic = walk.root_by_name(abi::FORMAT_PANIC.as_bytes())?;
    let reached = walk.finish().map_err(with_all)?;
    let (mut functions, files) = lines::add(&members, &reached.origins, &reached.sections, reached.functions, display_path);
    if kind.unwinds {
        unwind::add(&members, &reached.origins, &reached.sections, &mut functions)?;
        unwind::abandoned::remove(&exports, format_panic, &reached.sections, &mut functions, &reached.data);
    }
    // In messages, a shim (the generated function that implements an export) has the path of the author's function.
    for export in exports.values() {
        functions[export.shim].path.clone_from(&export.schema.rust_path);
    }
    let roots = exports.values().map(|export| export.shim).chain(format_panic).collect();
    let (functions, data) = fragments::merge(machine, &reached.sections, functions, reached.data, &roots);
    Ok(Object {
        target,
        unwinds: kind.unwinds,
        no_threads: kind.no_threads,
        ends_process: false,
        functions,
        data,
        sections: reached.sections,
        files,
        exports,
        constants,
        format_panic,
        twice: names.twice().map(|name| String::from_utf8_lossy(name).into_owned()).collect(),
        refused,
    })
}

/// The code and data that the exports reach by relocations, before the code is decoded.
#[derive(Debug)]
pub struct Object {
    /// The architecture and processor level that the code was compiled for.
    pub target: target::Target,
    /// True if panics unwind. Then control may continue at a landing pad instead of returning from a call, and the functions have unwind tables.
    pub unwinds: bool,
    /// The names that both Rust code and C or assembly define, without functions such as `memcpy` that compilers call. In Rust code, such a name is a
    /// function of rustgo's C library.
    pub twice: Vec<String>,
    /// True if Rust code cannot start threads. Then all exports are tasks ([`Kind::no_threads`]).
    pub no_threads: bool,
    /// True if the process must end where a call would abandon its frames (leave them without running their destructors).
    pub ends_process: bool,
    pub functions: PrimaryMap<FuncId, Function>,
    pub data: PrimaryMap<DataId, Data>,
    pub sections: PrimaryMap<SectionId, CodeSection>,
    pub files: PrimaryMap<FileId, String>,
    /// The exported functions, sorted by Go name.
    pub exports: PrimaryMap<ExportId, Export>,
    /// The exported constants, sorted by Go name.
    pub constants: Vec<rustgo_schema::Constant>,
    /// The support crate's function that formats a panic message ([`abi::FORMAT_PANIC`]), if the exports reach it.
    pub format_panic: Option<FuncId>,
    /// Reasons to refuse the crate. Later stages add their own reasons, so that the user sees all reasons at once.
    pub refused: Vec<Diagnostic>,
}

impl Object {
    /// The source place of the code at an offset in a function.
    pub fn place(&self, function: &Function, offset: u32) -> Place {
        let none = Place::of(&function.path);
        let Some(line) = function.line_at(offset) else { return none };
        let file = &self.files[line.file];
        let call = function.inlined_at(offset).filter(|_| !lines::is_authors(file));
        match call {
            Some(call) => {
                let inlined = Some(Source { file: file.clone(), line: line.line });
                Place { file: Some(self.files[call.file].clone()), line: Some(call.line), inlined, ..none }
            }
            None => Place { file: Some(file.clone()), line: Some(line.line), ..none },
        }
    }

    /// Finds the byte that lies `by` bytes after the first byte of `function`, in the same section. Returns the function that contains this byte, and
    /// the byte's offset in that function.
    pub fn code_at(&self, function: FuncId, by: i64) -> Option<(FuncId, u32)> {
        let function = &self.functions[function];
        self.in_section(function.section, function.offset.checked_add_signed(by)?)
    }

    /// The function that contains the byte at this offset of a section, and the byte's offset in the function.
    pub fn in_section(&self, section: SectionId, offset: u64) -> Option<(FuncId, u32)> {
        let functions = &self.sections[section].functions;
        let after = functions.partition_point(|&id| self.functions[id].offset <= offset);
        let id = functions[after.checked_sub(1)?];
        let function = &self.functions[id];
        let inside = u32::try_from(offset - function.offset).ok()?;
        match &function.merged {
            Some(merged) => (inside < merged.size).then_some((merged.into, merged.start + inside)),
            None => (inside < function.own_size()).then_some((id, inside)),
        }
    }
}

/// An exported function: the macro's description, and the shim (the generated function that Go calls).
#[derive(Clone, Debug)]
pub struct Export {
    pub schema: rustgo_schema::Function,
    pub shim: FuncId,
    /// True if the function is a routine of the run-time package `rt`. Then `shim` is the function itself, and generated code calls it by the
    /// C convention.
    pub is_routine: bool,
}

/// An executable section. A branch between two functions of the section may have no relocation.
#[derive(Debug)]
pub struct CodeSection {
    /// The functions of the section, by ascending offset.
    pub functions: Vec<FuncId>,
}

#[derive(Debug)]
pub struct Function {
    /// The function's mangled name in the symbol table.
    pub symbol: String,
    /// The demangled path without the hash: `curve25519_dalek::edwards::EdwardsPoint::compress`.
    pub path: String,
    /// True if a symbol of type FUNC names the function. Otherwise the function starts at a label without a type or at the section's start, and its
    /// bytes may be code or data.
    pub is_typed: bool,
    /// The archive member that contains the function.
    pub member: String,
    /// True if the archive member states that only LLVM-based compilers (rustc, clang) produced the member.
    pub is_llvm: bool,
    /// True if the debug information states that rustc compiled the function. False for assembly (also naked functions) and for functions
    /// without debug information.
    pub is_rust: bool,
    /// True if the debug information states that gcc compiled the function with `-fno-ipa-ra`. Then the function passes values to other functions
    /// only as the calling convention allows: it keeps no value across a call in a register that the convention lets the callee change.
    pub is_gcc: bool,
    pub section: SectionId,
    /// Offset of the function's first byte in its section.
    pub offset: u64,
    /// The bytes up to the next function of the section or to the section's end, including padding. Bytes in relocated fields have no meaning;
    /// `relocs` has the addends.
    pub code: Vec<u8>,
    /// Guaranteed alignment of the first byte: a power of two.
    pub align: u64,
    /// The relocations in the code, by ascending offset from the function's first byte.
    pub relocs: Vec<Reloc>,
    /// The source lines, by ascending offset. Each entry gives the file and line of the code up to the next entry, in the innermost inlined
    /// function. Neighbouring entries differ. Code before the first entry has no line. Empty without debug information.
    pub lines: Vec<Line>,
    /// The inlined calls that stand in the author's files, outer calls first.
    pub inlined: Vec<Inlined>,
    /// The function's fragments (code that the compiler moved to another section), by ascending start. Their code follows the function's own
    /// code in `code`. Control never falls through into a fragment.
    pub parts: Vec<Part>,
    /// The place of the code, if this function is a fragment that was merged into another function. Then `code`, `relocs`, `lines` and `inlined` are
    /// empty.
    pub merged: Option<Merged>,
    /// The function's unwind tables, or the reason why they cannot be used. `None` if the object has no tables for the function, or if the tables
    /// were not read.
    pub unwinding: Option<std::result::Result<Unwinding, Box<Diagnostic>>>,
}

/// A fragment, as part of the function that contains the fragment's code now. The compiler had moved this code to another section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Offset of the fragment's first byte in the function.
    pub start: u32,
    /// The section that the fragment comes from.
    pub section: SectionId,
    pub offset: u64,
}

/// The place of a merged fragment's code in the function that contains the code now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub into: FuncId,
    /// Offset of the fragment's first byte in the function `into`.
    pub start: u32,
    /// Size of the fragment in bytes.
    pub size: u32,
}

/// Crates that the precompiled standard library contains.
const COMPILED_BEFORE: [&str; 17] = [
    "addr2line",
    "adler2",
    "alloc",
    "cfg_if",
    "compiler_builtins",
    "core",
    "getopts",
    "gimli",
    "hashbrown",
    "libc",
    "memchr",
    "miniz_oxide",
    "object",
    "rustc_demangle",
    "std",
    "std_detect",
    "unwind",
];

impl Function {
    /// True if rustc compiled the function with the flags that rustgo gives. False for assembly (functions whose symbol is not mangled by rustc) and
    /// for crates that the precompiled standard library may contain.
    pub fn is_compiled_here(&self) -> bool {
        let krate = self.member.split(['-', '.']).next().unwrap_or_default();
        self.member.ends_with(".rcgu.o") && self.is_mangled() && !COMPILED_BEFORE.contains(&krate) && !krate.starts_with("rustc_std_")
    }

    /// True if the function's symbol has the form of rustc's mangled names.
    pub fn is_mangled(&self) -> bool {
        self.symbol.starts_with("_R") || self.symbol.starts_with("_ZN")
    }

    /// Size in bytes of the function's own code, which precedes its fragments.
    fn own_size(&self) -> u32 {
        self.parts.first().map_or(self.code.len() as u32, |part| part.start)
    }

    /// The section that originally contained the code at an offset of the function, and the code's offset in that section. Code of a merged fragment
    /// comes from another section than the function.
    pub fn origin(&self, offset: u32) -> (SectionId, u64) {
        match self.parts.iter().rfind(|part| part.start <= offset) {
            Some(part) => (part.section, part.offset + u64::from(offset - part.start)),
            None => (self.section, self.offset + u64::from(offset)),
        }
    }

    /// True if a merged fragment begins at this offset.
    pub fn starts_part(&self, offset: u32) -> bool {
        self.parts.iter().any(|part| part.start == offset)
    }

    /// The function's own code and the code of each fragment, each with its start in the function.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let starts = std::iter::once(0).chain(self.parts.iter().map(|part| part.start));
        let ends = self.parts.iter().map(|part| part.start).chain(std::iter::once(self.code.len() as u32));
        starts.zip(ends).map(|(start, end)| (start, &self.code[start as usize..end as usize]))
    }

    /// The source line of the code at an offset.
    pub fn line_at(&self, offset: u32) -> Option<Line> {
        let after = self.lines.partition_point(|l| l.offset <= offset);
        after.checked_sub(1).map(|at| self.lines[at])
    }

    /// The innermost inlined call that contains the code at an offset. Only inlined calls in the author's files count.
    pub fn inlined_at(&self, offset: u32) -> Option<&Inlined> {
        self.inlined.iter().rfind(|call| (call.start..call.end).contains(&offset))
    }
}

/// A call that the compiler inlined, as a range of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// The inlined code begins at the offset `start` of the function that contains it, and ends before the offset `end`.
    pub start: u32,
    pub end: u32,
    /// The source file that contains the call.
    pub file: FileId,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub offset: u32,
    pub file: FileId,
    pub line: u32,
}

/// Data: a whole data section of the archive, a tentative definition of C, or data that `load` generates.
#[derive(Debug)]
pub struct Data {
    /// The name of the section or its symbol, for messages.
    pub name: String,
    /// The archive member that contains the section. Empty for generated data that belongs to no member.
    pub member: String,
    /// The section's content; zeros for .bss.
    pub bytes: Vec<u8>,
    pub align: u64,
    /// True if the program may write to the section. False for `.data.rel.ro`, to which only a dynamic linker writes.
    pub writable: bool,
    /// True if a linker may merge equal items of the section (`SHF_MERGE`). The items of such a section are constants without a name in the source.
    pub mergeable: bool,
    /// The relocations in the section, by ascending offset.
    pub relocs: Vec<Reloc>,
    /// Offsets where items may begin in the section. Known only for sections that may contain jump tables: sections that contain distances to
    /// code or addresses inside functions.
    pub bounds: DataBounds,
}

impl Data {
    /// The number of 32-bit distances to code that follow each other without a gap and end at `offset`.
    pub fn distances_before(&self, offset: u32) -> u32 {
        let here = self.relocs.partition_point(|reloc| reloc.offset < offset);
        let before = self.relocs[..here].iter().rev().zip(1u32..);
        let entries = before.take_while(|&(reloc, k)| reloc.is_distance() && reloc.offset.checked_add(4 * k) == Some(offset));
        entries.count() as u32
    }

    /// True if the section has a byte at this offset.
    pub fn has(&self, offset: i64) -> bool {
        usize::try_from(offset).is_ok_and(|offset| offset < self.bytes.len())
    }
}

/// The offsets in a data section to which the section's object refers. References from sections that no export reaches count too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataBounds {
    /// Offsets of places that have a symbol, or whose address occurs in code or data, in ascending order. A jump table may begin at such an offset.
    pub starts: Vec<u32>,
    /// All offsets of `starts`, and offsets that instructions read or write, in ascending order. An instruction may end with an immediate, whose size
    /// is unknown here and changes the addend. So an accessed place is listed once for each possible size of the immediate.
    pub used: Vec<u32>,
}

/// A relocation. The stored value is S + addend (− P for relative kinds). S is the address of `target`, and P the address of the relocated field.
///
/// The `target` of a branch or call is the function that it goes to. A relative field in data (an entry of a jump table) is different. The entry is a
/// distance from the start of the table, but its relocation counts from the entry. So the addend is too large by the entry's offset in the table.
/// Therefore `target` may be a neighbour of the function that the entry refers to: only the offset of `target` plus the addend is exact
/// ([`Object::code_at`]). When `load` merges a fragment into a function, the function becomes the `target` of relocations that refer to the fragment.
/// Relative fields in data stay unchanged, because they may refer to a neighbour of their `target`. So only the `target` of such a field may be a
/// merged fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloc {
    pub offset: u32,
    pub kind: RelocKind,
    pub target: Target,
    pub addend: i64,
}

impl Reloc {
    /// True if the relocation stores a 32-bit distance to code, as in jump tables and relative vtables.
    pub fn is_distance(&self) -> bool {
        self.kind == RelocKind::Pc32 && matches!(self.target, Target::Function(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelocKind {
    /// A 32-bit distance from the field (R_X86_64_PC32, and R_X86_64_PLT32, which means the same without a PLT; R_AARCH64_PREL32).
    Pc32,
    /// A 32-bit distance from the field to a pointer-sized cell that contains the target's address (x86-64's GOTPCREL and its relaxable forms;
    /// R_AARCH64_GOTPCREL32). Only in code: for a field in data, `load` makes the cell, and the field becomes a [`RelocKind::Pc32`] to the cell. The
    /// cell contains S + addend + (bytes from the field to the end of the instruction). (This sum is S itself unless the symbol lies inside a data
    /// section.) So an LEA with a [`RelocKind::Pc32`] of this target and addend can replace a load from the cell.
    GotPc32,
    /// A 64-bit absolute address.
    Abs64,
    /// A 64-bit distance from the field.
    Pc64,
    /// AArch64: the 26 bits of a B or BL, the distance from the instruction in words (R_AARCH64_JUMP26 and CALL26).
    Branch26,
    /// AArch64: the 21 bits of an ADR, the distance from the instruction in bytes (R_AARCH64_ADR_PREL_LO21).
    Adr,
    /// AArch64: the 21 bits of an ADRP, the distance in pages from the instruction's 4 KiB page to the page of S + addend
    /// (R_AARCH64_ADR_PREL_PG_HI21, with and without overflow check). A [`RelocKind::PageOffset`] adds the offset in that page.
    Page,
    /// AArch64: the 12 bits of an ADD, a load or a store: the offset of S + addend in its 4 KiB page, in units of the access size
    /// (R_AARCH64_ADD_ABS_LO12_NC, LDST8_… to LDST128_ABS_LO12_NC). The addend may differ from the addend of the preceding [`RelocKind::Page`].
    PageOffset,
    /// AArch64: the distance in pages, as for [`RelocKind::Page`], to a pointer-sized cell that holds S + addend (R_AARCH64_ADR_GOT_PAGE). The addend
    /// is the symbol's offset in its section, so the cell holds the symbol's address. If the addend in the file is not zero, the relocation becomes
    /// [`RelocKind::Other`].
    GotPage,
    /// AArch64: the 12 bits of a 64-bit load from the cell that [`RelocKind::GotPage`] refers to: the cell's offset in its page
    /// (R_AARCH64_LD64_GOT_LO12_NC).
    GotPageOffset,
    /// A relocation for thread-local storage that `load` cannot replace.
    ThreadLocal,
    /// A relocation of unknown kind, with its number in the file: for example AArch64's conditional branches to symbols (R_AARCH64_CONDBR19,
    /// TSTBR14). Refused if an export reaches the relocation.
    Other(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A function; the addend counts from its first byte.
    Function(FuncId),
    /// A data section; the addend counts from its first byte.
    Data(DataId),
    /// An exit from Rust code: a function that nothing in the archive defines and that the Go package `rt` provides. std's own `rust_begin_unwind`
    /// counts as [`Exit::Throw`] if panics unwind, otherwise as [`Exit::Panic`].
    Exit(Exit),
    /// A symbol that nothing in the archive defines.
    Undefined(String),
    /// A place in a variable that lies in a code section. The string is the variable's name. Lowering cannot move the variable: the variable may
    /// contain distances to the code around it, and objects do not record such distances.
    AmongCode(String),
}

impl Target {
    /// For a variable in a code section, the reason why generated code has no symbol for it; `None` for any other target.
    pub fn among_code(&self) -> Option<String> {
        match self {
            Target::AmongCode(name) => {
                Some(format!("refers to {name}, data that lies among code; move it to a data section such as .rodata"))
            }
            _ => None,
        }
    }
}

//! Archive → Object: a small linker.
//!
//! It starts at the exports and takes what their sections reach through relocations, from the archive member that
//! defines it, of those that a linker would take. File formats end here: later stages see functions, data, relocations and lines.
//!
//! ```text
//! bytes ─archive→ Members ─linked, symbols→ Names ─exports→ roots ─walk→ functions, data ─lines, fragments→ Object
//!                                                   split: the functions of one section
//!                                                   anchors: where a jump table may end
//! ```
//!
//! What a linker would do and this does not: merge strings (the sections are carried as they are), relax, have
//! constructors run (they are refused), decide between COMDAT groups (each object's references go to its own copy, or to
//! the first by name).

mod archive;
mod data_bounds;
mod debug_info;
mod exports;
mod fragments;
mod inlined;
mod lines;
mod linked;
mod relocations;
mod replaced;
mod split;
mod symbols;
mod system;
mod tls;
mod walk;
mod weak_symbols;

use crate::abi;
use crate::diag::{Diagnostic, ErrorCode, Place, Result, Source};
use crate::exits::Exit;
use crate::ids::{DataId, ExportId, FileId, FuncId, SectionId};
use crate::target;
use cranelift_entity::PrimaryMap;
use std::path::Path;

/// Reads a static library and what its exports reach. Every object in it must be ELF for the architecture of `target`.
///
/// `display_path` turns the name of a source file, as the debug information has it, into the name that people shall
/// see. Functions and data are numbered in the order in which the exports, sorted by their Go names, reach them: the
/// same archive gives the same object.
///
/// # Errors
/// [`ErrorCode::Archive`] (damaged, naming the member), [`ErrorCode::Architecture`] (made for another machine or system),
/// [`ErrorCode::NoExports`], [`ErrorCode::Schema`], [`ErrorCode::Unsupported`] (an ifunc, an absolute symbol, a static over 256 MiB, a
/// constructor, a stack that can be executed).
pub fn load(archive: &Path, target: target::Target, display_path: &dyn Fn(&str) -> String) -> Result<Object> {
    let bytes = std::fs::read(archive)
        .map_err(|error| Diagnostic::new(ErrorCode::Archive, format!("cannot read the archive {}: {error}", archive.display())))?;
    load_bytes(&bytes, &archive.display().to_string(), target, display_path)
}

/// [`load`] of an archive in memory; `name` stands for it in messages.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(bytes: &[u8], name: &str, target: target::Target, display_path: &dyn Fn(&str) -> String) -> Result<Object> {
    let machine = relocations::Machine::of(target.arch);
    let members = archive::members(bytes, machine, &name)?;
    let linked = linked::linked(&members)?;
    system::refuse(&members, &linked)?;
    let names = symbols::Names::new(&members, &linked)?;
    let mut walk = walk::Walk::new(&members, &names)?;
    let exports::Described { exports, constants } = exports::read(&members, &mut walk)?;
    let format_panic = walk.root_by_name(abi::FORMAT_PANIC.as_bytes())?;
    let reached = walk.finish()?;
    let (mut functions, files) = lines::add(&members, &reached.origins, &reached.sections, reached.functions, display_path);
    // A shim is known by the function it was made for.
    for export in exports.values() {
        functions[export.shim].path.clone_from(&export.schema.rust_path);
    }
    let roots = exports.values().map(|export| export.shim).chain(format_panic).collect();
    let (functions, data) = fragments::merge(machine, &reached.sections, functions, reached.data, &roots);
    Ok(Object { target, functions, data, sections: reached.sections, files, exports, constants, format_panic })
}

/// Everything the exports can reach by relocation, before any code has been understood.
#[derive(Debug)]
pub struct Object {
    /// What it was compiled for.
    pub target: target::Target,
    pub functions: PrimaryMap<FuncId, Function>,
    pub data: PrimaryMap<DataId, Data>,
    pub sections: PrimaryMap<SectionId, CodeSection>,
    pub files: PrimaryMap<FileId, String>,
    /// In the order of their Go names.
    pub exports: PrimaryMap<ExportId, Export>,
    /// In the order of their Go names.
    pub constants: Vec<rustgo_schema::Constant>,
    /// [`abi::FORMAT_PANIC`] of the support crate, if the object has it.
    pub format_panic: Option<FuncId>,
}

impl Object {
    /// The source place of an offset in a function.
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

    /// What lies `by` bytes behind the first byte of a function, in its section: the function that has this byte now, and the byte's
    /// offset in it.
    pub fn code_at(&self, function: FuncId, by: i64) -> Option<(FuncId, u32)> {
        let function = &self.functions[function];
        self.in_section(function.section, function.offset.checked_add_signed(by)?)
    }

    /// The function that has the byte at this offset of a section, and the byte's offset in it.
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

/// One exported function: what the macro said of it, and the shim that implements it.
#[derive(Debug)]
pub struct Export {
    pub schema: rustgo_schema::Function,
    pub shim: FuncId,
    /// A function of a run-time package: `shim` is the function itself, which generated code calls by C's convention.
    pub is_routine: bool,
}

/// An executable section, for branches that cross from one function of it to another without a relocation.
#[derive(Debug)]
pub struct CodeSection {
    /// The functions of the section, by ascending offset.
    pub functions: Vec<FuncId>,
}

#[derive(Debug)]
pub struct Function {
    /// The linker's name (mangled).
    pub symbol: String,
    /// The demangled path without the hash: `curve25519_dalek::edwards::EdwardsPoint::compress`.
    pub path: String,
    /// Does a symbol say that it is a function? Otherwise it may be anything that a label, or a section, begins with.
    pub is_typed: bool,
    /// The archive member it comes from.
    pub member: String,
    /// Does the member say that LLVM has compiled it, and nothing else? That is rustc and clang.
    pub is_llvm: bool,
    /// Does the debug information say that rustc has compiled it? Not of assembly, naked functions among it, nor where there is none.
    pub is_rust: bool,
    /// Does the debug information say that gcc has compiled it, and was told that a called function may change whatever the convention lets it,
    /// even where gcc sees that it does not (`-fno-ipa-ra`)?
    pub is_gcc: bool,
    pub section: SectionId,
    /// Offset of the first byte in its section.
    pub offset: u64,
    /// The bytes, up to the next function of the section or its end (padding included). Fields to be relocated hold
    /// what the compiler left there, usually zero: it counts for nothing (the addends are in `relocs`).
    pub code: Vec<u8>,
    /// Alignment of the first byte that the section promises (a power of two).
    pub align: u64,
    /// By ascending offset; offsets count from the function's first byte.
    pub relocs: Vec<Reloc>,
    /// By ascending offset: from here on, this file and line (the innermost inlined function's). Neighbours differ.
    /// Empty without debug information; code before the first entry has no line.
    pub lines: Vec<Line>,
    /// Inlined calls that stand in the author's files, those inside others' code after them.
    pub inlined: Vec<Inlined>,
    /// By ascending start: fragments that the compiler put elsewhere (cold parts), behind the function's own code. Nothing falls into
    /// a part from what stands before it.
    pub parts: Vec<Part>,
    /// Where the code is now, if this is such a fragment; then `code`, `relocs` and `lines` are empty.
    pub merged: Option<Merged>,
}

/// A fragment that has become part of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Of its first byte in the function.
    pub start: u32,
    /// Where it comes from: its section, and the offset of its first byte there.
    pub section: SectionId,
    pub offset: u64,
}

/// Where a fragment's code is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    pub into: FuncId,
    /// Of its first byte in that function.
    pub start: u32,
    /// In bytes.
    pub size: u32,
}

/// Crates that come compiled with rustc, where the standard library is not rebuilt.
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
    /// Has rustc compiled it with our flags? Not if it is assembly, by its name, or may be of the standard library as it comes.
    pub fn is_compiled_here(&self) -> bool {
        let krate = self.member.split(['-', '.']).next().unwrap_or_default();
        self.member.ends_with(".rcgu.o") && self.is_mangled() && !COMPILED_BEFORE.contains(&krate) && !krate.starts_with("rustc_std_")
    }

    /// Does its symbol have the form of rustc's?
    pub fn is_mangled(&self) -> bool {
        self.symbol.starts_with("_R") || self.symbol.starts_with("_ZN")
    }

    /// Bytes before the first fragment.
    fn own_size(&self) -> u32 {
        self.parts.first().map_or(self.code.len() as u32, |part| part.start)
    }

    /// The section of an offset in the function, and the offset there.
    pub fn origin(&self, offset: u32) -> (SectionId, u64) {
        match self.parts.iter().rfind(|part| part.start <= offset) {
            Some(part) => (part.section, part.offset + u64::from(offset - part.start)),
            None => (self.section, self.offset + u64::from(offset)),
        }
    }

    /// Does a fragment begin at this offset?
    pub fn starts_part(&self, offset: u32) -> bool {
        self.parts.iter().any(|part| part.start == offset)
    }

    /// The code from each part's start on, the function's own first.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let starts = std::iter::once(0).chain(self.parts.iter().map(|part| part.start));
        let ends = self.parts.iter().map(|part| part.start).chain(std::iter::once(self.code.len() as u32));
        starts.zip(ends).map(|(start, end)| (start, &self.code[start as usize..end as usize]))
    }

    /// The row of the line table that covers an offset.
    pub fn line_at(&self, offset: u32) -> Option<Line> {
        let after = self.lines.partition_point(|l| l.offset <= offset);
        after.checked_sub(1).map(|at| self.lines[at])
    }

    /// The innermost inlined call in the author's files whose code an offset is part of.
    pub fn inlined_at(&self, offset: u32) -> Option<&Inlined> {
        self.inlined.iter().rfind(|call| (call.start..call.end).contains(&offset))
    }
}

/// A call that the compiler inlined, and the code that it became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// In the function.
    pub start: u32,
    pub end: u32,
    /// Where the call stands in the source.
    pub file: FileId,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub offset: u32,
    pub file: FileId,
    pub line: u32,
}

/// A data section, whole.
#[derive(Debug)]
pub struct Data {
    /// The section's or its symbol's name, for people.
    pub name: String,
    /// The archive member it comes from.
    pub member: String,
    /// The content; zeros for .bss.
    pub bytes: Vec<u8>,
    pub align: u64,
    /// May the program write to it? (`.data.rel.ro` is not writable: only the linker writes it)
    pub writable: bool,
    /// May a linker make one of equal pieces (`SHF_MERGE`)? They are constants that no source gives a name.
    pub mergeable: bool,
    /// By ascending offset.
    pub relocs: Vec<Reloc>,
    /// What else may begin in the section; known where it has distances to code or addresses inside functions, which may be jump tables.
    pub anchors: Anchors,
}

impl Data {
    /// How many distances to code stand right before `offset`, one behind the other.
    pub fn distances_before(&self, offset: u32) -> u32 {
        let here = self.relocs.partition_point(|reloc| reloc.offset < offset);
        let before = self.relocs[..here].iter().rev().zip(1u32..);
        let entries = before.take_while(|&(reloc, k)| reloc.is_distance() && reloc.offset.checked_add(4 * k) == Some(offset));
        entries.count() as u32
    }

    /// Does the section have a byte at this offset?
    pub fn has(&self, offset: i64) -> bool {
        usize::try_from(offset).is_ok_and(|offset| offset < self.bytes.len())
    }
}

/// The places of a data section that its object refers to, from code and data that are not reached too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// Ascending: where a symbol stands or of which an address is made, so that a table may begin there.
    pub starts: Vec<u32>,
    /// Ascending: the same, and what instructions read or write. The last four bytes of an instruction may be its immediate, and
    /// then a place is given once for each size that may have.
    pub used: Vec<u32>,
}

/// The value stored is S + addend (− P for the relative kinds), with S the address of `target`.
///
/// In a section of several functions a branch or call names the function it goes to. A relative field in data (an
/// entry of a jump table) may name a neighbour of the function it means, because its addend counts from the table:
/// the sum of the function's offset and the addend is right in any case ([`Object::code_at`]). So it may name a fragment that
/// is part of another function, which nothing else does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloc {
    pub offset: u32,
    pub kind: RelocKind,
    pub target: Target,
    pub addend: i64,
}

impl Reloc {
    /// A 32-bit distance to code, as jump tables and relative vtables hold them.
    pub fn is_distance(&self) -> bool {
        self.kind == RelocKind::Pc32 && matches!(self.target, Target::Function(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelocKind {
    /// 32 bits, relative to the field (R_X86_64_PC32, and PLT32, which is the same without a PLT; R_AARCH64_PREL32).
    Pc32,
    /// 32 bits, relative to the field, of a pointer-sized cell that holds the target's address (x86-64's GOTPCREL and its relaxable forms;
    /// R_AARCH64_GOTPCREL32). Data has none: the cell is made, and the relocation is a [`RelocKind::Pc32`] of that.
    /// What the cell holds is S + addend + (bytes from the field to the end of the instruction), so that a load from
    /// the cell becomes an LEA with this relocation as [`RelocKind::Pc32`]; the sum is S itself but where the symbol
    /// stands inside a data section.
    GotPc32,
    /// 64 bits, absolute.
    Abs64,
    /// 64 bits, relative to the field.
    Pc64,
    /// AArch64: the 26 bits of a B or BL, the distance from the instruction in words (R_AARCH64_JUMP26 and CALL26).
    Branch26,
    /// AArch64: the 21 bits of an ADR, the distance from the instruction in bytes (R_AARCH64_ADR_PREL_LO21).
    Adr,
    /// AArch64: the 21 bits of an ADRP, from the instruction's page of 4 KiB to that of S + addend, in pages
    /// (R_AARCH64_ADR_PREL_PG_HI21, with and without a check for overflow). [`RelocKind::PageOffset`] gives the rest.
    Page,
    /// AArch64: the 12 bits of an ADD, a load or a store: the place of S + addend in its page of 4 KiB, in units of
    /// what the instruction moves (R_AARCH64_ADD_ABS_LO12_NC, LDST8_… to LDST128_ABS_LO12_NC). The addend need not be
    /// that of the [`RelocKind::Page`] before it.
    PageOffset,
    /// AArch64: as [`RelocKind::Page`], of a pointer-sized cell that holds S + addend (R_AARCH64_ADR_GOT_PAGE). The
    /// addend is the place of the symbol in its section, so that the cell holds the symbol's address; one in the file
    /// itself makes the relocation [`RelocKind::Other`].
    GotPage,
    /// AArch64: as [`RelocKind::PageOffset`] of a load of 64 bits, of the same cell as [`RelocKind::GotPage`]
    /// (R_AARCH64_LD64_GOT_LO12_NC).
    GotPageOffset,
    /// Anything of thread-local storage.
    ThreadLocal,
    /// Not understood (AArch64's conditional branches to symbols, R_AARCH64_CONDBR19 and TSTBR14, among them): the
    /// format's own number. Refused where it is reached.
    Other(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The first byte of the function.
    Function(FuncId),
    /// The first byte of the section.
    Data(DataId),
    /// A way out of Rust code: its symbol, which nothing in the archive defines. std's own `rust_begin_unwind` means [`Exit::Panic`].
    Exit(Exit),
    /// A symbol nothing in the archive defines.
    Undefined(String),
    /// A place in a variable of this name that lies in a section of code. Where that goes nobody knows: it may hold distances to the
    /// code around it, of which an object says nothing.
    AmongCode(String),
}

impl Target {
    /// Why nothing can stand for it, if nothing can.
    pub fn among_code(&self) -> Option<String> {
        match self {
            Target::AmongCode(name) => {
                Some(format!("refers to {name}, data that lies among code; it belongs into a section of data, such as .rodata"))
            }
            _ => None,
        }
    }
}

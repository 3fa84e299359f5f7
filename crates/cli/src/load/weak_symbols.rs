//! Resolves weak references to undefined symbols as null, like a linker.
//!
//! C code refers weakly to an optional function and tests if the function exists: `if (hook) hook(x);`. A linker gives a weak undefined symbol the
//! address 0 (System V ABI, gABI chapter 4, "Symbol Table"; AAELF64, "Weak References"). In a Go package
//!
//! - a GOT cell for the address becomes a constant of eight zero bytes, which code reads;
//! - an address in data becomes the addend alone;
//! - a call or jump goes to a generated function that reads address 0, so that Go reports a nil dereference. (A native
//!   amd64 program would jump to address 0. On arm64 a linker silently removes such a call.)
//!
//! Any other reference would be a distance to address 0. No compiler emits such a distance in position-independent code, so the reference is refused
//! as undefined.

use super::archive::{Member, RawReloc};
use super::relocations::{Machine, Use};
use super::symbols::{Meaning, MemberId, Names, path};
use super::{Data, DataBounds, Function, RelocKind};
use crate::diag::Result;
use crate::exits::Exit;
use crate::ids::SectionId;
use object::SectionIndex;
use object::elf;

/// The replacement of a weak undefined symbol in code.
pub(super) enum Replacement {
    /// A generated function that faults.
    Function,
    /// A generated cell of eight zero bytes, which code reads as the symbol's address.
    Cell,
}

/// The section index of a generated function. No file contains the function's code.
pub(super) const NO_SECTION: SectionIndex = SectionIndex(usize::MAX);

/// Names that a linker itself defines (GNU ld, lld: the names in their default scripts).
const LINKERS: [&str; 24] = [
    "_GLOBAL_OFFSET_TABLE_",
    "_DYNAMIC",
    "__ehdr_start",
    "__executable_start",
    "__dso_handle",
    "__TMC_END__",
    "__bss_start",
    "_end",
    "end",
    "_etext",
    "etext",
    "__etext",
    "_edata",
    "edata",
    "__init_array_start",
    "__init_array_end",
    "__fini_array_start",
    "__fini_array_end",
    "__preinit_array_start",
    "__preinit_array_end",
    "__rela_iplt_start",
    "__rela_iplt_end",
    "_TLS_MODULE_BASE_",
    "_init",
];

/// The symbol's name, if the relocation is a weak reference to an undefined symbol. `None` for names that a linker defines, and for the exits of the
/// Go package `rt`.
pub(super) fn name<'a>(members: &[Member<'a>], names: &Names<'a>, member: MemberId, reloc: RawReloc) -> Result<Option<&'a [u8]>> {
    let Some(symbol) = reloc.symbol else { return Ok(None) };
    if members[member.0].symbol(symbol)?.st_bind() != elf::STB_WEAK {
        return Ok(None);
    }
    let Meaning::Undefined(name) = names.resolve(members, member, symbol)? else { return Ok(None) };
    // A linker makes names with these two prefixes from the names of sections.
    let of_section = [&b"__start_"[..], b"__stop_"].iter().any(|prefix| name.starts_with(prefix));
    let is_linkers = of_section || LINKERS.iter().any(|known| known.as_bytes() == name);
    Ok((!is_linkers && Exit::named(name).is_none()).then_some(name))
}

/// Returns the replacement of a weak undefined symbol that a relocation in code refers to, and the new kind of the relocation. `bytes` is the
/// content of the section.
pub(super) fn in_code(machine: &Machine, reloc: RawReloc, bytes: &[u8]) -> Option<(RelocKind, Replacement)> {
    let kind = machine.kind(reloc.kind);
    let is_branch = matches!(machine.use_of(bytes, reloc.offset), Use::Call | Use::Jump);
    let to_function = match kind {
        RelocKind::Pc32 | RelocKind::Branch26 => is_branch,
        RelocKind::GotPc32 => machine.branches_by_cell(bytes, reloc.offset),
        _ => false,
    };
    match kind {
        _ if to_function => Some((kind, Replacement::Function)),
        RelocKind::GotPc32 => Some((RelocKind::Pc32, Replacement::Cell)),
        RelocKind::GotPage if reloc.addend == 0 => Some((RelocKind::Page, Replacement::Cell)),
        RelocKind::GotPageOffset if reloc.addend == 0 => Some((RelocKind::PageOffset, Replacement::Cell)),
        _ => None,
    }
}

/// Makes a cell of eight zero bytes. Code reads the address of a weak undefined symbol from this cell.
pub(super) fn cell() -> Data {
    let (name, member) = ("null (a cell with an address)".to_owned(), String::new());
    Data { name, member, bytes: vec![0; 8], align: 8, writable: false, mergeable: false, relocs: Vec::new(), bounds: DataBounds::default() }
}

/// Makes a function that faults, in a section of its own. Calls of a weak undefined symbol go to this function.
pub(super) fn function(member: &Member<'_>, name: &[u8], section: SectionId) -> Function {
    let symbol = String::from_utf8_lossy(name).into_owned();
    Function {
        path: path(&symbol),
        symbol,
        is_typed: true,
        member: member.name.clone(),
        is_llvm: false,
        is_rust: false,
        is_gcc: false,
        section,
        offset: 0,
        code: member.machine.fault.to_vec(),
        align: 16,
        relocs: Vec::new(),
        lines: Vec::new(),
        inlined: Vec::new(),
        parts: Vec::new(),
        merged: None,
        unwinding: None,
    }
}

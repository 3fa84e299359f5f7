//! Weak references to symbols that nothing defines: null.
//!
//! C tells in this way whether a program has an optional function: `if (hook) hook(x);`. A linker gives such a symbol the address 0 (System
//! V ABI, gABI chapter 4, "Symbol Table"; AAELF64, "Weak References"). Here
//!
//! - a cell of the GOT that would hold the address is a constant of eight zeros, and the instruction reads that;
//! - an address in data is 0 and the addend;
//! - a call or jump leads to a function made here, which reads address 0: where the program gets there, Go reports a nil dereference.
//!   (On amd64 the native program would jump to address 0. On arm64 a linker leaves such a call out, without a word.)
//!
//! Anything else would make a distance to address 0. No compiler does that in position-independent code, and it is refused as
//! undefined.

use super::archive::{Member, RawReloc};
use super::relocations::{Machine, Use};
use super::symbols::{Meaning, MemberId, Names, path};
use super::{Anchors, Data, Function, RelocKind};
use crate::diag::Result;
use crate::exits::Exit;
use crate::ids::SectionId;
use object::SectionIndex;
use object::elf;

/// What stands for the symbol in code.
pub(super) enum Stand {
    /// A function that faults.
    Function,
    /// A cell that holds null.
    Cell,
}

/// The section of a function made here: no file has it.
pub(super) const NO_SECTION: SectionIndex = SectionIndex(usize::MAX);

/// Names that a linker defines, whatever the objects say (GNU ld, lld: what their default scripts provide).
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

/// The name of the symbol, if the relocation is a weak reference to one that nothing defines.
pub(super) fn name<'a>(members: &[Member<'a>], names: &Names<'a>, member: MemberId, reloc: RawReloc) -> Result<Option<&'a [u8]>> {
    let Some(symbol) = reloc.symbol else { return Ok(None) };
    if members[member.0].symbol(symbol)?.st_bind() != elf::STB_WEAK {
        return Ok(None);
    }
    let Meaning::Undefined(name) = names.resolve(members, member, symbol)? else { return Ok(None) };
    // A linker makes these two of a section's name.
    let of_section = [&b"__start_"[..], b"__stop_"].iter().any(|prefix| name.starts_with(prefix));
    let is_linkers = of_section || LINKERS.iter().any(|known| known.as_bytes() == name);
    Ok((!is_linkers && Exit::named(name).is_none()).then_some(name))
}

/// What a field of code that refers to such a symbol becomes, in a section of these bytes.
pub(super) fn in_code(machine: &Machine, reloc: RawReloc, bytes: &[u8]) -> Option<(RelocKind, Stand)> {
    let kind = machine.kind(reloc.kind);
    let is_branch = matches!(machine.use_of(bytes, reloc.offset), Use::Call | Use::Jump);
    let to_function = match kind {
        RelocKind::Pc32 | RelocKind::Branch26 => is_branch,
        RelocKind::GotPc32 => machine.branches_by_cell(bytes, reloc.offset),
        _ => false,
    };
    match kind {
        _ if to_function => Some((kind, Stand::Function)),
        RelocKind::GotPc32 => Some((RelocKind::Pc32, Stand::Cell)),
        RelocKind::GotPage if reloc.addend == 0 => Some((RelocKind::Page, Stand::Cell)),
        RelocKind::GotPageOffset if reloc.addend == 0 => Some((RelocKind::PageOffset, Stand::Cell)),
        _ => None,
    }
}

/// The cell.
pub(super) fn cell() -> Data {
    let (name, member) = ("null (a cell with an address)".to_owned(), String::new());
    Data { name, member, bytes: vec![0; 8], align: 8, writable: false, mergeable: false, relocs: Vec::new(), anchors: Anchors::default() }
}

/// The function, in a section of its own.
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
    }
}

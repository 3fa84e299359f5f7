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

use super::archive::RawReloc;
use super::machine::Use;
use super::symbols::{Meaning, MemberId, path};
use super::walk::{Node, Resolution, Walk};
use super::{Anchors, CodeSection, Data, Function, RelocKind, Target};
use crate::diag::Result;
use crate::exits::Exit;
use crate::ids::{DataId, FuncId};
use object::SectionIndex;
use object::elf;
use std::collections::HashMap;

/// What has been made so far.
#[derive(Default)]
pub(super) struct Nulls<'a> {
    /// The cell that holds null.
    cell: Option<DataId>,
    /// By the symbol's name.
    functions: HashMap<&'a [u8], FuncId>,
}

/// What stands for null in data.
pub(super) enum Null {
    /// The address itself, in place of the field: 0 and the addend.
    Address([u8; 8]),
    /// The distance to the cell.
    Cell(DataId),
}

/// The section of a function made here: no file has it.
const NO_SECTION: SectionIndex = SectionIndex(usize::MAX);

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

impl<'a> Walk<'_, 'a> {
    /// The name of the symbol, if the relocation is a weak reference to one that nothing defines.
    fn null(&self, member_id: MemberId, reloc: RawReloc) -> Result<Option<&'a [u8]>> {
        let Some(symbol) = reloc.symbol else { return Ok(None) };
        if self.member(member_id).symbol(symbol)?.st_bind() != elf::STB_WEAK {
            return Ok(None);
        }
        let Meaning::Undefined(name) = self.names.resolve(self.members, member_id, symbol)? else { return Ok(None) };
        // A linker makes these two of a section's name.
        let of_section = [&b"__start_"[..], b"__stop_"].iter().any(|prefix| name.starts_with(prefix));
        let is_linkers = of_section || LINKERS.iter().any(|known| known.as_bytes() == name);
        Ok((!is_linkers && Exit::named(name).is_none()).then_some(name))
    }

    /// What a field of code becomes, in a section of these bytes.
    pub(super) fn null_in_code(
        &mut self,
        member_id: MemberId,
        reloc: RawReloc,
        bytes: &[u8],
        from: Node,
    ) -> Result<Option<(RelocKind, Resolution)>> {
        let Some(name) = self.null(member_id, reloc)? else { return Ok(None) };
        let machine = self.member(member_id).machine;
        let kind = machine.kind(reloc.kind);
        let is_branch = matches!(machine.use_of(bytes, reloc.offset), Use::Call | Use::Jump);
        let to_function = match kind {
            RelocKind::Pc32 | RelocKind::Branch26 => is_branch,
            RelocKind::GotPc32 => machine.branches_by_cell(bytes, reloc.offset),
            _ => false,
        };
        if to_function {
            let function = self.null_function(member_id, name, from);
            return Ok(Some((kind, Resolution::new(Target::Function(function), reloc.addend))));
        }
        let kind = match kind {
            RelocKind::GotPc32 => RelocKind::Pc32,
            RelocKind::GotPage if reloc.addend == 0 => RelocKind::Page,
            RelocKind::GotPageOffset if reloc.addend == 0 => RelocKind::PageOffset,
            _ => return Ok(None),
        };
        let cell = self.null_cell(Some(from));
        Ok(Some((kind, Resolution::new(Target::Data(cell), reloc.addend))))
    }

    /// What a field of data becomes.
    pub(super) fn null_in_data(&mut self, member_id: MemberId, reloc: RawReloc, from: Option<Node>) -> Result<Option<Null>> {
        if self.null(member_id, reloc)?.is_none() {
            return Ok(None);
        }
        Ok(match self.member(member_id).machine.kind(reloc.kind) {
            RelocKind::Abs64 => Some(Null::Address(reloc.addend.to_le_bytes())),
            RelocKind::GotPc32 => Some(Null::Cell(self.null_cell(from))),
            _ => None,
        })
    }

    fn null_cell(&mut self, from: Option<Node>) -> DataId {
        if let Some(cell) = self.nulls.cell {
            return cell;
        }
        let (name, member) = ("null (a cell with an address)".to_owned(), String::new());
        let (relocs, anchors) = (Vec::new(), Anchors::default());
        let cell = self.push_data(Data { name, member, bytes: vec![0; 8], align: 8, writable: false, relocs, anchors }, from);
        self.nulls.cell = Some(cell);
        cell
    }

    /// A function that reads address 0.
    fn null_function(&mut self, member_id: MemberId, name: &'a [u8], from: Node) -> FuncId {
        if let Some(&function) = self.nulls.functions.get(name) {
            return function;
        }
        let member = self.member(member_id);
        let section = self.reached.sections.next_key();
        let symbol = String::from_utf8_lossy(name).into_owned();
        let function = self.reached.functions.push(Function {
            path: path(&symbol),
            symbol,
            is_typed: true,
            member: member.name.clone(),
            is_llvm: false,
            is_rust: false,
            section,
            offset: 0,
            code: member.machine.fault.to_vec(),
            align: 16,
            relocs: Vec::new(),
            lines: Vec::new(),
            inlined: Vec::new(),
            parts: Vec::new(),
            merged: None,
        });
        self.reached.sections.push(CodeSection { functions: vec![function] });
        self.reached.origins.push((member_id, NO_SECTION));
        self.function_from[function] = Some(from);
        self.nulls.functions.insert(name, function);
        function
    }
}

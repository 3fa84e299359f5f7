//! Reads the unwind tables of the archive's objects: for each function, the compiler's description of the frame at each instruction (`.eh_frame`),
//! and the landing pads of the calls (`.gcc_except_table`).
//!
//! Lowering lays code out anew, so no running program uses the tables. They serve two purposes. The landing pads are edges of control flow that the
//! code itself does not show. The frames state SP and the places of saved registers: tests compare these statements with the results of the analysis.
//!
//! The fields of `.eh_frame` are distances from the fields to code and data. So each section of the object gets a place in an imaginary address
//! space, and this module applies the relocations for these places.

pub(super) mod abandoned;
mod lsda;

use super::archive::{LE, Member};
use super::symbols::MemberId;
use super::{CodeSection, Function, RelocKind};
use crate::code::Reg;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::ids::{FuncId, SectionId};
use cranelift_entity::PrimaryMap;
use gimli::{BaseAddresses, CfaRule, CieOrFde, EhFrame, EndianSlice, LittleEndian, Pointer, RegisterRule, UnwindSection as _};
use lsda::Lsda;
pub use lsda::{Action, CallSite, Pad};
use object::SectionIndex;
use object::elf;
use object::read::elf::Sym as _;
use std::collections::{BTreeMap, HashMap};

/// The unwind tables of one function.
#[derive(Clone, Debug, Default)]
pub struct Unwinding {
    /// The frames, by ascending start. Code between two frames has no description.
    pub frames: Vec<Frame>,
    /// The call sites, by ascending start. `None` if the function has no table of call sites: then, if any call unwinds, control leaves the function.
    pub sites: Option<Vec<CallSite>>,
}

/// The frame of a function in a range of its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Offset of the first byte in the function.
    pub start: u32,
    pub end: u32,
    /// A register, and the distance in bytes from its value to the caller's SP. The caller's SP is the value of SP after the function has returned.
    pub caller_sp: (Reg, i64),
    /// The callee-saved registers that the function has saved: for each, the distance in bytes from the caller's SP to the word with its
    /// value.
    pub saved: BTreeMap<Reg, i64>,
    /// Size in bytes of the stack arguments of a call in this range. If the call unwinds, SP at the landing pad is higher by this number than at the
    /// call.
    pub arguments: u32,
}

/// The name of rustc's personality: the function that interprets the call sites of Rust code.
const PERSONALITY: &str = "rust_eh_personality";

impl Unwinding {
    /// The frame at an offset of the function.
    pub fn frame_at(&self, offset: u32) -> Option<&Frame> {
        let after = self.frames.partition_point(|frame| frame.start <= offset);
        self.frames[..after].last().filter(|frame| offset < frame.end)
    }

    /// The call site at an offset of the function.
    pub fn site_at(&self, offset: u32) -> Option<&CallSite> {
        let sites = self.sites.as_deref().unwrap_or_default();
        let after = sites.partition_point(|site| site.start <= offset);
        sites[..after].last().filter(|site| offset < site.end)
    }

    /// Adds the tables of a fragment whose code has `size` bytes and now begins at `start` of the function.
    ///
    /// The function or the fragment may have no table of call sites. Then, if a call in its code unwinds, control leaves the function. But in a
    /// joined table, a missing call site would mean that unwinding ends at the call. So the joined table gets a call site without a landing pad for
    /// the code that had no table.
    pub(super) fn append(&mut self, fragment: Unwinding, start: u32, size: u32) {
        self.frames.extend(fragment.frames.into_iter().map(|frame| Frame { start: frame.start + start, end: frame.end + start, ..frame }));
        if self.sites.is_none() && fragment.sites.is_none() {
            return;
        }
        let moved = |site: CallSite| CallSite {
            start: site.start + start,
            end: site.end + start,
            pad: site.pad.map(|pad| Pad { offset: pad.offset + start, ..pad }),
        };
        let leaves = |size| vec![CallSite { start: 0, end: size, pad: None }];
        self.sites.get_or_insert_with(|| leaves(start)).extend(fragment.sites.unwrap_or_else(|| leaves(size)).into_iter().map(moved));
    }
}

/// Sets the unwind tables of all functions.
///
/// # Errors
/// [`ErrorCode::Archive`] if an object's unwind tables are damaged.
pub(super) fn add(
    members: &[Member<'_>],
    origins: &PrimaryMap<SectionId, (MemberId, SectionIndex)>,
    sections: &PrimaryMap<SectionId, CodeSection>,
    functions: &mut PrimaryMap<FuncId, Function>,
) -> Result<()> {
    let mut wanted: BTreeMap<MemberId, HashMap<usize, &[FuncId]>> = BTreeMap::new();
    for (id, &(member, section)) in origins {
        wanted.entry(member).or_default().insert(section.0, &sections[id].functions);
    }
    for (&member, wanted) in &wanted {
        let member = &members[member.0];
        let space = Space::new(member)?;
        for section in member.sections_named(b".eh_frame")? {
            Tables { member, space: &space, wanted, exceptions: HashMap::new(), personalities: HashMap::new() }.read(section, functions)?;
        }
    }
    Ok(())
}

/// An imaginary address space with all sections of one object.
struct Space {
    /// For each section: the address of its first byte, its size and its index. In ascending order.
    sections: Vec<(u64, u64, SectionIndex)>,
    bases: HashMap<usize, u64>,
    /// The base address of the symbols that the object does not define. A symbol's address is this base plus the symbol's index in the symbol table.
    undefined: u64,
}

impl Space {
    fn new(member: &Member<'_>) -> Result<Space> {
        let (mut sections, mut bases, mut next) = (Vec::new(), HashMap::new(), 1u64);
        // The first section is a placeholder (ELF gABI).
        for (index, _) in member.sections.enumerate().skip(1) {
            if !member.flags(index)?.contains(elf::SHF_ALLOC) {
                continue;
            }
            let size = member.size(index)?;
            sections.push((next, size, index));
            bases.insert(index.0, next);
            // A byte between two sections keeps the end of the first distinct from the start of the second.
            next = next.saturating_add(size).saturating_add(1);
        }
        Ok(Space { sections, bases, undefined: next })
    }

    fn symbol(&self, member: &Member<'_>, index: object::SymbolIndex) -> Result<u64> {
        let base = member.symbol_section(index)?.and_then(|section| self.bases.get(&section.0));
        Ok(match base {
            Some(base) => base.wrapping_add(member.symbol(index)?.st_value(LE)),
            None => self.undefined.wrapping_add(index.0 as u64),
        })
    }

    /// The section and the offset at this address.
    fn place(&self, address: u64) -> Option<(SectionIndex, u64)> {
        let after = self.sections.partition_point(|&(base, ..)| base <= address);
        let (base, size, section) = self.sections[after.checked_sub(1)?];
        (address - base < size).then_some((section, address - base))
    }

    /// The bytes of a section with its relocations applied.
    fn relocated(&self, member: &Member<'_>, section: SectionIndex) -> Result<Vec<u8>> {
        let mut bytes = member.bytes(section)?;
        let base = self.bases.get(&section.0).copied().unwrap_or_default();
        for reloc in member.relocs(section)? {
            let target = match reloc.symbol {
                Some(symbol) => self.symbol(member, symbol)?,
                None => 0,
            };
            let value = target.wrapping_add_signed(reloc.addend);
            let distance = value.wrapping_sub(base.wrapping_add(reloc.offset));
            let (value, size) = match member.machine.kind(reloc.kind) {
                RelocKind::Abs64 => (value, 8),
                RelocKind::Pc64 => (distance, 8),
                RelocKind::Pc32 if i32::try_from(distance.cast_signed()).is_ok() => (distance, 4),
                _ => return Err(member.damaged(format!("an unwind table has a relocation of kind {}", reloc.kind))),
            };
            let field = usize::try_from(reloc.offset).ok().and_then(|at| bytes.get_mut(at..at.checked_add(size)?));
            let field = field.ok_or_else(|| member.damaged("a relocation lies after the end of its section"))?;
            field.copy_from_slice(&value.to_le_bytes()[..size]);
        }
        Ok(bytes)
    }
}

type Bytes<'a> = EndianSlice<'a, LittleEndian>;
type Fde<'a> = gimli::FrameDescriptionEntry<Bytes<'a>>;

/// A section with data about landing pads: its bytes, and the offsets of its relocations.
type Exceptions = (Vec<u8>, Vec<u64>);

/// The unwind tables of one object.
struct Tables<'w, 'a> {
    member: &'w Member<'a>,
    space: &'w Space,
    /// For each section with wanted code, its functions.
    wanted: &'w HashMap<usize, &'w [FuncId]>,
    exceptions: HashMap<SectionIndex, Exceptions>,
    /// The names of personalities, by address.
    personalities: HashMap<u64, String>,
}

impl Tables<'_, '_> {
    fn read(&mut self, section: SectionIndex, functions: &mut PrimaryMap<FuncId, Function>) -> Result<()> {
        let bytes = self.space.relocated(self.member, section)?;
        let mut frames = EhFrame::new(&bytes, LittleEndian);
        frames.set_vendor(self.member.machine.vendor);
        let bases = BaseAddresses::default().set_eh_frame(self.space.bases.get(&section.0).copied().unwrap_or_default());
        let damaged = |error: gimli::Error| self.member.damaged(format!("the section .eh_frame: {error}"));
        let mut entries = frames.entries(&bases);
        let mut found = Vec::new();
        while let Some(entry) = entries.next().map_err(damaged)? {
            let CieOrFde::Fde(partial) = entry else { continue };
            let fde = partial.parse(|_, bases, offset| frames.cie_from_offset(bases, offset)).map_err(damaged)?;
            let Some(place) = self.space.place(fde.initial_address()) else { continue };
            for function in self.functions_at(place, fde.len(), functions) {
                let frames = match misfit(place, fde.len(), &functions[function]) {
                    None => self.frames(&frames, &bases, &fde, &functions[function]).map_err(damaged)?,
                    Some(what) if fde.lsda().is_some() => Err(self.refuse(&functions[function], what)),
                    // The entry does not fit the function, but it has no landing pads. So ignore the entry: if a call unwinds, control leaves the
                    // function, as in a function without an entry.
                    Some(_) => continue,
                };
                found.push((function, fde.clone(), frames));
            }
        }
        for (id, fde, frames) in found {
            let described = match frames {
                Ok(frames) => self.sites(&fde, &functions[id])?.map(|sites| Unwinding { frames, sites }),
                Err(reason) => Err(reason),
            };
            let described = described.map_err(Box::new);
            let function = &mut functions[id];
            function.unwinding = match (function.unwinding.take(), described) {
                (None, described) => Some(described),
                (Some(_), _) => Some(Err(Box::new(self.refuse(function, "is described by two unwind tables")))),
            };
        }
        Ok(())
    }

    fn refuse(&self, function: &Function, what: &str) -> Diagnostic {
        Diagnostic::new(ErrorCode::Unsupported, format!("{} {what}", function.path)).note(format!("in {}", self.member.name))
    }

    /// The wanted functions that contain any of the `size` bytes of code at this place.
    fn functions_at(&self, (section, offset): (SectionIndex, u64), size: u64, functions: &PrimaryMap<FuncId, Function>) -> Vec<FuncId> {
        let all = self.wanted.get(&section.0).copied().unwrap_or_default();
        // The functions fill the section: the first function begins at the section's first byte, and each function ends where the next one begins.
        let first = all.partition_point(|&id| functions[id].offset <= offset).saturating_sub(1);
        all[first..].iter().copied().take_while(|&id| functions[id].offset < offset.saturating_add(size)).collect()
    }

    /// The frames of the function that the entry describes, or the reason to refuse the function.
    fn frames(
        &self,
        frames: &EhFrame<Bytes<'_>>,
        bases: &BaseAddresses,
        fde: &Fde<'_>,
        function: &Function,
    ) -> gimli::Result<std::result::Result<Vec<Frame>, Diagnostic>> {
        let mut context = gimli::UnwindContext::new();
        let mut rows = fde.rows(frames, bases, &mut context)?;
        let mut found: Vec<Frame> = Vec::new();
        let register = |register: gimli::Register| (self.member.machine.dwarf_register)(register.0);
        let refuse = |what| Ok(Err(self.refuse(function, what)));
        while let Some(row) = rows.next_row()? {
            let CfaRule::RegisterAndOffset { register: base, offset } = *row.cfa() else {
                return refuse("has a frame that a program computes");
            };
            let Some(base) = register(base) else { return refuse("has a frame that an unknown register points to") };
            let mut saved = BTreeMap::new();
            for &(number, ref rule) in row.registers() {
                match (register(number), rule) {
                    (_, RegisterRule::SameValue | RegisterRule::Undefined) => {}
                    (Some(register), &RegisterRule::Offset(at)) => drop(saved.insert(register, at)),
                    // Ignore rules for registers that the analysis does not number: the return address of x86-64, vector registers, and the
                    // pseudo-register that shows if the return address is signed (`DW_CFA_AARCH64_negate_ra_state`).
                    (None, RegisterRule::Offset(_) | RegisterRule::Constant(_)) => {}
                    _ => return refuse("has a frame with a register that is not saved in memory"),
                }
            }
            let offset_of = |address: u64| address.saturating_sub(fde.initial_address()).min(fde.len()) as u32;
            let Ok(arguments) = u32::try_from(row.saved_args_size()) else { return refuse("has a frame of over 4 GiB") };
            let (start, end) = (offset_of(row.start_address()), offset_of(row.end_address()));
            if start < end {
                found.push(Frame { start, end, caller_sp: (base, offset), saved, arguments });
            }
        }
        Ok(Ok(found))
    }

    /// The call sites of the function that the entry describes, or the reason to refuse the function.
    fn sites(&mut self, fde: &Fde<'_>, function: &Function) -> Result<std::result::Result<Option<Vec<CallSite>>, Diagnostic>> {
        let Some(pointer) = fde.lsda() else { return Ok(Ok(None)) };
        let personality = match fde.personality() {
            Some(Pointer::Direct(address) | Pointer::Indirect(address)) => self.personality(address)?,
            None => "no personality".to_owned(),
        };
        if personality != PERSONALITY {
            let what = format!("has landing pads of another language than Rust ({personality})");
            let error = self.refuse(function, &what).hint("compile this code without exceptions: C++ compilers have -fno-exceptions");
            return Ok(Err(error));
        }
        let place = if let Pointer::Direct(address) = pointer { self.space.place(address) } else { None };
        let Some((section, offset)) = place else {
            return Ok(Err(self.refuse(function, "has landing pads at an unknown place")));
        };
        if !self.exceptions.contains_key(&section) {
            let offsets = self.member.relocs(section)?.iter().map(|reloc| reloc.offset).collect();
            self.exceptions.insert(section, (self.member.bytes(section)?, offsets));
        }
        let (bytes, relocs) = &self.exceptions[&section];
        // `place` returns an offset inside the section.
        let bytes = &bytes[offset as usize..];
        let relocated = |at: usize| relocs.binary_search(&(offset + at as u64)).is_ok();
        // The offsets of call sites count from the first byte of the code that the entry describes.
        let sites = Lsda { bytes, size: fde.len() as u32, relocated: &relocated }.decode();
        let refused = |refusal: lsda::Refusal| self.refuse(function, &format!("has landing pads that cannot be read: {refusal}"));
        Ok(sites.map(Some).map_err(refused))
    }

    /// The name of the personality at this address, or of the personality whose address is in the cell at this address.
    fn personality(&mut self, address: u64) -> Result<String> {
        if let Some(known) = self.personalities.get(&address) {
            return Ok(known.clone());
        }
        let mut name = "an unknown personality".to_owned();
        for (index, symbol) in self.member.symbols.enumerate().filter(|(index, _)| index.0 != 0) {
            if symbol.st_type() != elf::STT_SECTION && self.space.symbol(self.member, index)? == address {
                let found = String::from_utf8_lossy(self.member.symbol_name(symbol)?).into_owned();
                name = found.strip_prefix("DW.ref.").unwrap_or(&found).to_owned();
            }
        }
        self.personalities.insert(address, name.clone());
        Ok(name)
    }
}

/// The reason why an entry for `size` bytes of code at this place does not describe this function alone; `None` if it does. The entry may leave out
/// padding after the function.
fn misfit((_, offset): (SectionIndex, u64), size: u64, function: &Function) -> Option<&'static str> {
    if offset != function.offset {
        Some("has landing pads in an unwind table that does not begin at its start")
    } else if offset.saturating_add(size) > function.offset + function.code.len() as u64 {
        Some("shares an unwind table with other code")
    } else {
        None
    }
}

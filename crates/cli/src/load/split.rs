//! Finds where the functions of an executable section begin, from symbols and references.
//!
//! rustc gives every function a section of its own. Assemblers and C compilers put many functions into one section. A function begins at every symbol
//! of type FUNC, at every global label without a type, and at a local label that another section refers to. (Hand-written assembly often states no
//! type.) Other local labels are places inside a function.
//!
//! AArch64's assemblers mark the starts of instructions and data with the symbols `$x` and `$d`. These symbols start no function. Data between
//! instructions stays part of the preceding function: later stages decode the data as code. If control reaches bytes that cannot be decoded, the
//! function is refused.

use super::archive::{LE, Member, RawReloc};
use crate::diag::Result;
use object::elf;
use object::read::elf::Sym as _;
use object::{SectionIndex, SymbolIndex};
use std::collections::{BTreeMap, HashMap};

/// The start of a function, and the symbol that names it, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub offset: u64,
    pub symbol: Option<SymbolIndex>,
    /// True if the symbol states that it names a function.
    pub is_typed: bool,
}

/// The labels and variables of one object, by section.
pub(super) struct Labels {
    sections: HashMap<SectionIndex, Vec<Label>>,
    /// For each section, its variables: offset and symbol.
    objects: HashMap<SectionIndex, Vec<(u64, SymbolIndex)>>,
}

#[derive(Clone, Copy)]
struct Label {
    offset: u64,
    symbol: SymbolIndex,
    kind: Kind,
    /// Length of the label's name in bytes.
    length: usize,
}

/// Kinds of labels, best first. If several labels have the same offset, the label of the best kind names the function. Among labels of the same
/// kind, the shortest name wins (C names come with and without a leading underscore), then the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Function,
    LocalFunction,
    Global,
    /// A local label without a type. It starts a function only if another section refers to it.
    Local,
}

impl Labels {
    pub fn new(member: &Member<'_>) -> Result<Self> {
        let mut sections: HashMap<SectionIndex, Vec<Label>> = HashMap::new();
        let mut objects: HashMap<SectionIndex, Vec<(u64, SymbolIndex)>> = HashMap::new();
        for (index, symbol) in member.symbols.enumerate().filter(|(index, _)| index.0 != 0) {
            let local = symbol.st_bind() == elf::STB_LOCAL;
            let kind = match symbol.st_type() {
                elf::STT_FUNC if local => Kind::LocalFunction,
                elf::STT_FUNC => Kind::Function,
                elf::STT_NOTYPE if local => Kind::Local,
                elf::STT_NOTYPE => Kind::Global,
                elf::STT_OBJECT | elf::STT_TLS => {
                    if let Some(section) = member.symbol_section(index)? {
                        objects.entry(section).or_default().push((symbol.st_value(LE), index));
                    }
                    continue;
                }
                _ => continue,
            };
            let Some(section) = member.symbol_section(index)? else { continue };
            // The symbols that the assembler adds have no name.
            let name = member.symbol_name(symbol)?;
            let length = name.len();
            if length > 0 && !(kind == Kind::Local && member.machine.is_mapping(name)) {
                sections.entry(section).or_default().push(Label { offset: symbol.st_value(LE), symbol: index, kind, length });
            }
        }
        Ok(Labels { sections, objects })
    }

    /// The only variable of the section, if it begins at the section's first byte. (rustc gives each static a section.)
    pub fn only_object(&self, section: SectionIndex) -> Option<SymbolIndex> {
        match self.objects.get(&section)?.as_slice() {
            &[(0, symbol)] => Some(symbol),
            _ => None,
        }
    }

    /// The variable that contains this offset of a code section. A variable without a size ends at the next label. The start of a function
    /// belongs to no variable.
    pub fn object_at(&self, member: &Member<'_>, section: SectionIndex, place: u64) -> Result<Option<SymbolIndex>> {
        let labels = self.sections.get(&section).map(Vec::as_slice).unwrap_or_default();
        if labels.iter().any(|label| label.offset == place && matches!(label.kind, Kind::Function | Kind::LocalFunction)) {
            return Ok(None);
        }
        for &(start, symbol) in self.objects.get(&section).into_iter().flatten().filter(|(start, _)| *start <= place) {
            let covered = match member.symbol(symbol)?.st_size(LE) {
                0 => !labels.iter().any(|label| (start + 1..=place).contains(&label.offset)),
                size => place - start < size,
            };
            if covered {
                return Ok(Some(symbol));
            }
        }
        Ok(None)
    }

    /// The starts of the functions in a section, by ascending offset. The first function begins at the section's first byte.
    pub fn starts(&self, member: &Member<'_>, section: SectionIndex) -> Result<Vec<Start>> {
        let size = member.size(section)?;
        let labels = self.sections.get(&section).map(Vec::as_slice).unwrap_or_default();
        let referred = if labels.iter().any(|label| label.kind == Kind::Local) { referred(member, section)? } else { Vec::new() };
        let mut starts: BTreeMap<u64, Option<Label>> = BTreeMap::from([(0, None)]);
        for label in labels {
            // A label at the section's end marks only the end. A label beyond the end has no meaning.
            if label.offset >= size || label.kind == Kind::Local && referred.binary_search(&label.offset).is_err() {
                continue;
            }
            let best = starts.entry(label.offset).or_default();
            if best.is_none_or(|best| (label.kind, label.length) < (best.kind, best.length)) {
                *best = Some(*label);
            }
        }
        let start = |(offset, best): (u64, Option<Label>)| Start {
            offset,
            symbol: best.map(|best| best.symbol),
            is_typed: best.is_some_and(|best| matches!(best.kind, Kind::Function | Kind::LocalFunction)),
        };
        Ok(starts.into_iter().map(start).collect())
    }
}

/// The offsets in `section` that other sections of the object refer to, ascending. (Other objects cannot refer to a local label.)
fn referred(member: &Member<'_>, section: SectionIndex) -> Result<Vec<u64>> {
    let mut places = Vec::new();
    for (other, header) in member.sections.enumerate() {
        use object::read::elf::SectionHeader as _;
        if other == section || !header.sh_flags(LE).contains(elf::SHF_ALLOC) || is_unwinding(member.section_name(other)?) {
            continue;
        }
        let in_code = member.is_code(other)?;
        for reloc in member.relocs(other)? {
            let Some(symbol) = reloc.symbol else { continue };
            if member.symbol_section(symbol)? != Some(section) {
                continue;
            }
            let symbol = member.symbol(symbol)?;
            let value = symbol.st_value(LE);
            places.push(if symbol.st_type() == elf::STT_SECTION { place(member, value, reloc, in_code) } else { value });
        }
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

/// True for a section of unwind tables. Unwind tables refer to the start of every function. Their other references do not matter for the split.
pub(super) fn is_unwinding(section: &[u8]) -> bool {
    section.starts_with(b".eh_frame") || section.starts_with(b".gcc_except_table")
}

/// The offset in a section that a relocation against the section's symbol refers to. `in_code` is true if the relocation is in code. On x86-64, the
/// distance in a relative field of an instruction counts from the instruction's end, four bytes after the field's start. So the addend is four too
/// small. On AArch64 the addend is exact.
pub(super) fn place(member: &Member<'_>, value: u64, reloc: RawReloc, in_code: bool) -> u64 {
    value.wrapping_add_signed(reloc.addend).wrapping_add(member.machine.addend_gap(reloc.kind, in_code))
}

//! Reads the debug information (DWARF) of a relocatable object, for source lines and inlined calls.
//!
//! A relocatable object has no addresses yet. So each section gets 4 GiB of an imaginary address space, and this module applies the relocations of
//! debug sections while it reads the sections. Every address then encodes a section and an offset in the section.

use super::archive::{LE, Member};
use crate::diag::Result;
use gimli::{EndianSlice, LittleEndian, Reader as _, RelocateReader};
use object::SectionIndex;
use object::read::elf::Sym as _;
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) type Bytes<'a> = RelocateReader<EndianSlice<'a, LittleEndian>, &'a Relocations>;

/// The debug sections of an object.
pub(super) struct Contents<'a> {
    sections: HashMap<&'a str, (Cow<'a, [u8]>, Relocations)>,
    none: Relocations,
}

impl<'a> Contents<'a> {
    pub(super) fn new(member: &'a Member<'a>) -> Contents<'a> {
        let mut sections = HashMap::new();
        for (index, _) in member.sections.enumerate() {
            let Some(name) = member.section_name(index).ok().and_then(|name| std::str::from_utf8(name).ok()) else { continue };
            if !READ.iter().any(|section| section.name() == name) {
                continue;
            }
            if let (Some(bytes), Ok(relocations)) = (member.debug_bytes(index), Relocations::new(member, index)) {
                sections.insert(name, (bytes, relocations));
            }
        }
        Contents { sections, none: Relocations::default() }
    }

    pub(super) fn dwarf(&self) -> gimli::Result<gimli::Dwarf<Bytes<'_>>> {
        gimli::Dwarf::load(|id| {
            let (bytes, relocations) = match self.sections.get(id.name()) {
                Some((bytes, relocations)) => (bytes.as_ref(), relocations),
                None => (&[][..], &self.none),
            };
            Ok::<_, gimli::Error>(RelocateReader::new(EndianSlice::new(bytes, LittleEndian), relocations))
        })
    }
}

/// The debug sections that are read: the line tables; the debug information entries, for inlined calls and for the compiler of each function; and the
/// texts, addresses and ranges to which these two refer.
const READ: [gimli::SectionId; 9] = [
    gimli::SectionId::DebugAbbrev,
    gimli::SectionId::DebugAddr,
    gimli::SectionId::DebugInfo,
    gimli::SectionId::DebugLine,
    gimli::SectionId::DebugLineStr,
    gimli::SectionId::DebugRanges,
    gimli::SectionId::DebugRngLists,
    gimli::SectionId::DebugStr,
    gimli::SectionId::DebugStrOffsets,
];

/// The names of source files in the debug information, without duplicates.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) names: Vec<String>,
    indices: HashMap<String, u32>,
}

impl Sources {
    pub(super) fn intern(&mut self, name: String) -> u32 {
        *self.indices.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() as u32 - 1
        })
    }
}

/// The name of a source file in a line table, with its folder. The name is absolute unless a compiler option hides the working directory.
pub(super) fn file_name<'a>(
    dwarf: &gimli::Dwarf<Bytes<'a>>,
    unit: &gimli::Unit<Bytes<'a>>,
    header: &gimli::LineProgramHeader<Bytes<'a>>,
    index: u64,
) -> Option<String> {
    let text = |attribute| Some(dwarf.attr_string(unit, attribute).ok()?.to_string_lossy().ok()?.into_owned());
    let file = header.file(index)?;
    let mut name = text(file.path_name())?;
    let folder = file.directory(header).and_then(text).unwrap_or_default();
    // Folder 0 is the unit's folder. Before DWARF 5 the line table does not list folder 0. From DWARF 5 on the table lists it. Relative names of
    // other folders are relative to folder 0.
    let root = match &unit.comp_dir {
        Some(root) => root.to_string_lossy().ok()?.into_owned(),
        None => String::new(),
    };
    for parent in [folder, root] {
        if !name.starts_with('/') && !parent.is_empty() && !name.starts_with(&format!("{parent}/")) {
            name = format!("{}/{name}", parent.trim_end_matches('/'));
        }
    }
    Some(name)
}

/// The values that relocations write into a debug section, by ascending offset.
#[derive(Debug, Default)]
pub(super) struct Relocations(Vec<(usize, u64)>);

impl Relocations {
    fn new(member: &Member<'_>, section: SectionIndex) -> Result<Self> {
        let mut values = Vec::new();
        for reloc in member.relocs(section)? {
            if !member.machine.is_absolute(reloc.kind) {
                continue;
            }
            let base = match reloc.symbol {
                Some(symbol) => match member.symbol_section(symbol)? {
                    Some(section) if member.is_code(section)? => address(section, member.symbol(symbol)?.st_value(LE)),
                    _ => member.symbol(symbol)?.st_value(LE),
                },
                None => 0,
            };
            values.push((reloc.offset as usize, base.wrapping_add_signed(reloc.addend)));
        }
        Ok(Relocations(values))
    }

    fn get(&self, offset: usize) -> Option<u64> {
        self.0.binary_search_by_key(&offset, |&(offset, _)| offset).ok().map(|index| self.0[index].1)
    }
}

impl gimli::Relocate for &Relocations {
    fn relocate_address(&self, offset: usize, value: u64) -> gimli::Result<u64> {
        Ok(self.get(offset).unwrap_or(value))
    }
    fn relocate_offset(&self, offset: usize, value: usize) -> gimli::Result<usize> {
        Ok(self.get(offset).map_or(value, |value| value as usize))
    }
}

/// The imaginary address of an offset in a section. The first 4 GiB belong to no section: an address there belongs to a function that the compiler
/// dropped.
fn address(section: SectionIndex, offset: u64) -> u64 {
    ((section.0 as u64) << 32).wrapping_add(offset)
}

/// The section and the offset that an imaginary address encodes. `None` for a function that the compiler dropped.
pub(super) fn place(address: u64) -> Option<(u64, u64)> {
    match address >> 32 {
        0 => None,
        section => Some((section, address & u64::from(u32::MAX))),
    }
}

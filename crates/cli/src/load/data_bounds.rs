//! Finds the places in data sections that an object refers to. [`crate::analyze`] uses these places as bounds of jump tables.
//!
//! An object does not state the length of a jump table. A table ends at the latest where another item of the section begins. Every item in use has a
//! symbol, or a relocation of the same object refers to the item. So this module reads all symbols and relocations of the object, also in sections
//! that no export reaches.

use super::DataBounds;
use super::archive::{LE, Member};
use super::relocations::Use;
use super::split::is_unwinding;
use crate::diag::Result;
use object::SectionIndex;
use object::elf;
use object::read::elf::{SectionHeader as _, Sym as _};
use std::collections::HashMap;

/// Returns the referenced places of each data section of an object.
pub(super) fn of(member: &Member<'_>) -> Result<HashMap<SectionIndex, DataBounds>> {
    let mut found: HashMap<SectionIndex, DataBounds> = HashMap::new();
    let mut add = |section: SectionIndex, place: u64, is_start: bool| {
        if let Ok(place) = u32::try_from(place) {
            let bounds = found.entry(section).or_default();
            bounds.used.push(place);
            if is_start {
                bounds.starts.push(place);
            }
        }
    };
    for (index, symbol) in member.symbols.enumerate().filter(|(index, _)| index.0 != 0) {
        if let Some(section) = member.symbol_section(index)?.filter(|_| symbol.st_type() != elf::STT_FILE)
            && (symbol.st_type() != elf::STT_SECTION)
            && !member.is_code(section)?
        {
            add(section, symbol.st_value(LE), true);
        }
    }
    for (from, header) in member.sections.enumerate() {
        if !header.sh_flags(LE).contains(elf::SHF_ALLOC) || is_unwinding(member.section_name(from)?) {
            continue;
        }
        let relocs = member.relocs(from)?;
        let code = if relocs.is_empty() || !member.is_code(from)? { None } else { Some(member.bytes(from)?) };
        for reloc in relocs {
            let Some(index) = reloc.symbol else { continue };
            let Some(section) = member.symbol_section(index)? else { continue };
            if member.is_code(section)? {
                continue;
            }
            let place = member.symbol(index)?.st_value(LE).wrapping_add_signed(reloc.addend);
            let Some(code) = &code else {
                add(section, place, true);
                continue;
            };
            let place = place.wrapping_add(member.machine.addend_gap(reloc.kind, true));
            match member.machine.use_of(code, reloc.offset) {
                Use::Operand => member.machine.immediates().iter().for_each(|size| add(section, place.wrapping_add(*size), false)),
                _ => add(section, place, true),
            }
        }
    }
    for bounds in found.values_mut() {
        for places in [&mut bounds.starts, &mut bounds.used] {
            places.sort_unstable();
            places.dedup();
        }
    }
    Ok(found)
}

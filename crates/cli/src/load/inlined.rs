//! Calls that the compiler inlined: where they stand in the author's source; and functions that rustc has compiled.
//!
//! The line table tells the line of the innermost inlined function, which may be one of the standard library. The tree of debug
//! information entries tells the calls that led there (DWARF 5, section 3.3.8, "Inlined Subroutines").

use super::debug_info::{Bytes, Sources, file_name, place};
use super::{Function, Inlined};
use crate::ids::{FileId, SectionId};
use cranelift_entity::SecondaryMap;
use gimli::constants as dw;
use std::collections::{BTreeSet, HashMap};

/// The code of an inlined call, in its section.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    start: u64,
    end: u64,
    /// In the tree of entries: a call inside another's code is deeper.
    depth: isize,
    /// The place of the call: an index into the names of [`Sources`], and a line.
    source: u32,
    line: u32,
}

/// What the entries say, by section.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) frames: SecondaryMap<SectionId, Vec<Frame>>,
    /// Where functions begin that rustc has compiled. Assembly in Rust's source has no entry in such a unit.
    pub(super) compiled: SecondaryMap<SectionId, BTreeSet<u64>>,
}

/// Reads the entries of a unit, as far as they are about the wanted sections.
pub(super) fn read_unit<'a>(
    dwarf: &gimli::Dwarf<Bytes<'a>>,
    unit: &gimli::Unit<Bytes<'a>>,
    wanted: &HashMap<u64, SectionId>,
    sources: &mut Sources,
    found: &mut Entries,
) -> gimli::Result<()> {
    let Some(header) = unit.line_program.as_ref().map(gimli::IncompleteLineProgram::header) else { return Ok(()) };
    let mut indices: HashMap<u64, Option<u32>> = HashMap::new();
    let mut entries = unit.entries();
    let mut is_rust = false;
    while let Some(entry) = entries.next_dfs()? {
        match entry.tag() {
            dw::DW_TAG_compile_unit => {
                is_rust = matches!(entry.attr_value(dw::DW_AT_language), Some(gimli::AttributeValue::Language(dw::DW_LANG_Rust)))
            }
            dw::DW_TAG_subprogram if is_rust => {
                let start =
                    entry.attr_value(dw::DW_AT_low_pc).and_then(|value| dwarf.attr_address(unit, value).ok().flatten()).and_then(place);
                if let Some((id, start)) = start.and_then(|(section, start)| Some((*wanted.get(&section)?, start))) {
                    found.compiled[id].insert(start);
                }
            }
            _ => {}
        }
        if entry.tag() != dw::DW_TAG_inlined_subroutine {
            continue;
        }
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        let (Some(file), Some(line)) = (file_index(entry), number(dw::DW_AT_call_line)) else { continue };
        let source = *indices.entry(file).or_insert_with(|| file_name(dwarf, unit, header, file).map(|name| sources.intern(name)));
        let (Some(source), Ok(line)) = (source, u32::try_from(line)) else { continue };
        let mut ranges = dwarf.die_ranges(unit, entry)?;
        while let Some(range) = ranges.next()? {
            let Some((section, start)) = place(range.begin) else { continue };
            let Some(&id) = wanted.get(&section) else { continue };
            let end = start.saturating_add(range.end.saturating_sub(range.begin));
            found.frames[id].push(Frame { start, end, depth: entry.depth(), source, line });
        }
    }
    Ok(())
}

/// The file of the call: gimli knows the attribute's forms as an index of a file.
fn file_index(entry: &gimli::DebuggingInformationEntry<Bytes<'_>>) -> Option<u64> {
    match entry.attr_value(dw::DW_AT_call_file)? {
        gimli::AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    }
}

/// The part of a section's frames that is about one function and whose calls stand in the author's files; the deeper later.
pub(super) fn inlined_of(frames: &[Frame], function: &Function, mut file: impl FnMut(u32) -> Option<FileId>) -> Vec<Inlined> {
    let (start, end) = (function.offset, function.offset + function.code.len() as u64);
    let mut own: Vec<Frame> = frames.iter().filter(|frame| frame.start < end && frame.end > start).copied().collect();
    own.sort_by_key(|frame| frame.depth);
    let inlined = |frame: Frame| {
        let (from, to) = (frame.start.max(start) - start, frame.end.min(end) - start);
        Some(Inlined { start: from as u32, end: to as u32, file: file(frame.source)?, line: frame.line })
    };
    own.into_iter().filter_map(inlined).collect()
}

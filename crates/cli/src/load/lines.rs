//! Source lines: the DWARF line tables of the objects that contributed code.
//!
//! A relocatable object has no addresses yet. Each section is given 4 GiB of an imaginary address space, and the
//! relocations of the debug sections are applied as they are read; an address then tells section and offset. Lines are
//! for people, so what is damaged or missing is left out and nothing is refused for it.

use super::archive::{LE, Member};
use super::symbols::MemberId;
use super::{CodeSection, Function, Line};
use crate::diag::Result;
use crate::ids::{FileId, FuncId, SectionId};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use gimli::{EndianSlice, LittleEndian, Reader as _, RelocateReader};
use object::SectionIndex;
use object::read::elf::Sym as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// A row of a line table.
#[derive(Clone, Copy)]
struct Row {
    /// In the section.
    offset: u64,
    /// Index into [`Sources::names`] and line; none at the end of a sequence.
    place: Option<(u32, u32)>,
}

/// The names of source files as the debug information has them, each once.
#[derive(Default)]
struct Sources {
    names: Vec<String>,
    indices: HashMap<String, u32>,
}

impl Sources {
    fn intern(&mut self, name: String) -> u32 {
        *self.indices.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.names.len() as u32 - 1
        })
    }
}

/// Gives every function its lines, and makes the list of the files they name.
pub(super) fn add(
    members: &[Member<'_>],
    origins: &PrimaryMap<SectionId, (MemberId, SectionIndex)>,
    sections: &PrimaryMap<SectionId, CodeSection>,
    mut functions: PrimaryMap<FuncId, Function>,
    display_path: &dyn Fn(&str) -> String,
) -> (PrimaryMap<FuncId, Function>, PrimaryMap<FileId, String>) {
    let mut wanted: BTreeMap<MemberId, HashMap<u64, SectionId>> = BTreeMap::new();
    for (id, &(member, section)) in origins {
        wanted.entry(member).or_default().insert(section.0 as u64, id);
    }
    let mut sources = Sources::default();
    let mut rows: SecondaryMap<SectionId, Vec<Row>> = SecondaryMap::new();
    for (member, wanted) in &wanted {
        // Half of a damaged table is better than none of it.
        let _ = read(&members[member.0], wanted, &mut sources, &mut rows);
    }

    let mut files = Files { display_path, list: PrimaryMap::new(), by_name: HashMap::new(), by_source: HashMap::new() };
    for (id, section) in sections {
        let rows = tidy(std::mem::take(&mut rows[id]));
        for &function in &section.functions {
            let function = &mut functions[function];
            function.lines = lines_of(&rows, function, |source| files.id(&sources.names[source as usize], source));
        }
    }
    (functions, files.list)
}

/// The files that functions name, by the names people shall see.
struct Files<'a> {
    display_path: &'a dyn Fn(&str) -> String,
    list: PrimaryMap<FileId, String>,
    by_name: HashMap<String, FileId>,
    by_source: HashMap<u32, FileId>,
}

impl Files<'_> {
    fn id(&mut self, name: &str, source: u32) -> FileId {
        *self.by_source.entry(source).or_insert_with(|| {
            let name = (self.display_path)(name);
            *self.by_name.entry(name).or_insert_with_key(|name| self.list.push(name.clone()))
        })
    }
}

/// The rows by offset, one for each. Of several rows at one place the last says what the code there is (the others
/// have no code); the end of one sequence says nothing about the next one's start.
fn tidy(mut rows: Vec<Row>) -> Vec<Row> {
    // The sort is stable: the table's order decides.
    rows.sort_by_key(|row| (row.offset, row.place.is_some()));
    rows.dedup_by(|later, kept| {
        let same = later.offset == kept.offset;
        if same {
            *kept = *later;
        }
        same
    });
    rows
}

/// The part of a section's rows that is about one function.
fn lines_of(rows: &[Row], function: &Function, mut file: impl FnMut(u32) -> FileId) -> Vec<Line> {
    let (start, end) = (function.offset, function.offset + function.code.len() as u64);
    // The row in effect where the function begins may stand before it.
    let first = rows.partition_point(|row| row.offset <= start).saturating_sub(1);
    let mut lines: Vec<Line> = Vec::new();
    for row in rows[first..].iter().take_while(|row| row.offset < end) {
        let Some((source, line)) = row.place else { continue };
        let line = Line { offset: row.offset.saturating_sub(start) as u32, file: file(source), line };
        if lines.last().is_none_or(|last| (last.file, last.line) != (line.file, line.line)) {
            lines.push(line);
        }
    }
    lines
}

type Bytes<'a> = RelocateReader<EndianSlice<'a, LittleEndian>, &'a Relocations>;

/// Reads the line tables of an object, as far as they are about the wanted sections.
fn read(
    member: &Member<'_>,
    wanted: &HashMap<u64, SectionId>,
    sources: &mut Sources,
    rows: &mut SecondaryMap<SectionId, Vec<Row>>,
) -> gimli::Result<()> {
    let mut content: HashMap<&str, (Cow<'_, [u8]>, Relocations)> = HashMap::new();
    for (index, _) in member.sections.enumerate() {
        let Some(name) = member.section_name(index).ok().and_then(|name| std::str::from_utf8(name).ok()) else { continue };
        if !READ.iter().any(|section| section.name() == name) {
            continue;
        }
        if let (Some(bytes), Ok(relocations)) = (member.debug_bytes(index), Relocations::new(member, index)) {
            content.insert(name, (bytes, relocations));
        }
    }
    let none = Relocations::default();
    let dwarf = gimli::Dwarf::load(|id| {
        let (bytes, relocations) = match content.get(id.name()) {
            Some((bytes, relocations)) => (bytes.as_ref(), relocations),
            None => (&[][..], &none),
        };
        Ok::<_, gimli::Error>(RelocateReader::new(EndianSlice::new(bytes, LittleEndian), relocations))
    })?;
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        // One unreadable unit does not speak against the next.
        if let Ok(unit) = dwarf.unit(header) {
            let _ = read_unit(&dwarf, unit, wanted, sources, rows);
        }
    }
    Ok(())
}

/// What the line tables and the names in them need.
const READ: [gimli::SectionId; 7] = [
    gimli::SectionId::DebugAbbrev,
    gimli::SectionId::DebugAddr,
    gimli::SectionId::DebugInfo,
    gimli::SectionId::DebugLine,
    gimli::SectionId::DebugLineStr,
    gimli::SectionId::DebugStr,
    gimli::SectionId::DebugStrOffsets,
];

fn read_unit<'a>(
    dwarf: &gimli::Dwarf<Bytes<'a>>,
    mut unit: gimli::Unit<Bytes<'a>>,
    wanted: &HashMap<u64, SectionId>,
    sources: &mut Sources,
    rows: &mut SecondaryMap<SectionId, Vec<Row>>,
) -> gimli::Result<()> {
    let Some(program) = unit.line_program.take() else { return Ok(()) };
    let mut indices: HashMap<u64, Option<u32>> = HashMap::new();
    let mut table = program.rows();
    while let Some((header, row)) = table.next_row()? {
        let Some((section, offset)) = place(row.address()) else { continue };
        let Some(&id) = wanted.get(&section) else { continue };
        let place = if row.end_sequence() {
            None
        } else {
            // Line 0 is the compiler's own code: it belongs to the line before it.
            let Some(line) = row.line().and_then(|line| u32::try_from(line.get()).ok()) else { continue };
            let source = match indices.get(&row.file_index()) {
                Some(&known) => known,
                None => {
                    let name = file_name(dwarf, &unit, header, row.file_index());
                    *indices.entry(row.file_index()).or_insert(name.map(|name| sources.intern(name)))
                }
            };
            let Some(source) = source else { continue };
            Some((source, line))
        };
        rows[id].push(Row { offset, place });
    }
    Ok(())
}

/// The name of a file of a line table, with its folder: absolute, unless the compiler was told to hide where it ran.
fn file_name<'a>(
    dwarf: &gimli::Dwarf<Bytes<'a>>,
    unit: &gimli::Unit<Bytes<'a>>,
    header: &gimli::LineProgramHeader<Bytes<'a>>,
    index: u64,
) -> Option<String> {
    let text = |attribute| Some(dwarf.attr_string(unit, attribute).ok()?.to_string_lossy().ok()?.into_owned());
    let file = header.file(index)?;
    let mut name = text(file.path_name())?;
    let folder = file.directory(header).and_then(text).unwrap_or_default();
    // Before DWARF 5 folder 0 is the unit's; from 5 on it is in the table, and other relative folders count from it.
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

/// What the relocations of a debug section put where, by ascending offset.
#[derive(Debug, Default)]
struct Relocations(Vec<(usize, u64)>);

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

/// Where a section lies in the imaginary address space. Nothing lies in its first 4 GiB: an address there was left
/// behind by a function that the compiler dropped.
fn address(section: SectionIndex, offset: u64) -> u64 {
    ((section.0 as u64) << 32).wrapping_add(offset)
}

/// Section and offset of an address.
fn place(address: u64) -> Option<(u64, u64)> {
    match address >> 32 {
        0 => None,
        section => Some((section, address & u64::from(u32::MAX))),
    }
}

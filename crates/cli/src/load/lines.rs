//! Reads source lines from the line tables of the linked objects, for messages and tracebacks.
//!
//! Damaged or missing tables are skipped and cause no refusal.

use super::archive::Member;
use super::debug_info::{Bytes, Contents, Sources, file_name, place};
use super::inlined::{self, Compiler, Entries};
use super::symbols::MemberId;
use super::{CodeSection, Function, Line};
use crate::ids::{FileId, FuncId, SectionId};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use object::SectionIndex;
use std::collections::{BTreeMap, HashMap};

/// A row of a line table: the source line of the code that begins at an offset.
#[derive(Clone, Copy)]
struct Row {
    /// Offset of the code in its section.
    offset: u64,
    /// The index of the source file in [`Sources::names`], and the line. `None` at the end of a sequence of rows.
    place: Option<(u32, u32)>,
}

/// Sets each function's source lines, inlined calls and compiler. Returns the functions and the list of source files.
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
    let mut entries = Entries::default();
    for (member, wanted) in &wanted {
        // A damaged table may still have useful rows, so the error is ignored.
        let _ = read(&members[member.0], wanted, &mut sources, &mut rows, &mut entries);
    }

    let mut files = Files { display_path, list: PrimaryMap::new(), by_name: HashMap::new(), by_source: HashMap::new() };
    for (id, section) in sections {
        let rows = tidy(std::mem::take(&mut rows[id]));
        for &function in &section.functions {
            let function = &mut functions[function];
            let compiler = entries.compiled[id].get(&function.offset).copied();
            (function.is_rust, function.is_gcc) = (compiler == Some(Compiler::Rustc), compiler == Some(Compiler::Gcc));
            function.lines = lines_of(&rows, function, |source| files.id(&sources.names[source as usize], source));
            function.inlined = inlined::inlined_of(&entries.frames[id], function, |source| {
                let file = files.id(&sources.names[source as usize], source);
                is_authors(&files.list[file]).then_some(file)
            });
        }
    }
    (functions, files.list)
}

/// True if the displayed name is relative to the Go package. Only files of the author's crate have such names; all other names are absolute.
pub(super) fn is_authors(name: &str) -> bool {
    !name.starts_with('/')
}

/// The source files that functions refer to. Files with equal displayed names count as one file.
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

/// Sorts the rows by offset and keeps at most one row for each offset. If the table has several rows for an offset, the last row describes the code
/// there, because the others cover no code. A row that ends a sequence gives way to a row that starts another sequence at the same offset.
fn tidy(mut rows: Vec<Row>) -> Vec<Row> {
    // The sort is stable: rows with equal offsets stay in the table's order.
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

/// The source lines of one function.
fn lines_of(rows: &[Row], function: &Function, mut file: impl FnMut(u32) -> FileId) -> Vec<Line> {
    let (start, end) = (function.offset, function.offset + function.code.len() as u64);
    // The row that applies at the function's start may have a smaller offset.
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

/// Reads the line tables of an object. Keeps only rows of the sections in `wanted`.
fn read(
    member: &Member<'_>,
    wanted: &HashMap<u64, SectionId>,
    sources: &mut Sources,
    rows: &mut SecondaryMap<SectionId, Vec<Row>>,
    entries: &mut Entries,
) -> gimli::Result<()> {
    let contents = Contents::new(member);
    let dwarf = contents.dwarf()?;
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        // Compilation units are independent, so an unreadable unit does not affect the others.
        if let Ok(unit) = dwarf.unit(header) {
            let _ = inlined::read_unit(&dwarf, &unit, wanted, sources, entries);
            let _ = read_unit(&dwarf, unit, wanted, sources, rows);
        }
    }
    Ok(())
}

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
            // Line 0 marks code that the compiler added. Skip the row, so that this code counts as part of the preceding line.
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

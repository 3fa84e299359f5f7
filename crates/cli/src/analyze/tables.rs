//! Finds the targets of a jump through a jump table, from relocations in data. [`super::flow`] then follows these targets.
//!
//! A jump table is a sequence of 32-bit distances from the table to places in the function. Nothing in an object file states its length: the table
//! ends where the relocations have a gap, or where another table begins.
//!
//! Another table can begin only at a place whose address is made somewhere in the object. But such an address may have another purpose: for example,
//! code may make the address of the element before an array's first element. So a place certainly ends the table only if the entries after the place
//! cannot belong to this table and can belong to another one. If they can belong to this table, the place ends the table only if the function also
//! uses a table that begins there ([`Table::doubt`]). Every entry must be understood: lowering builds a new table, and an entry that is missing there
//! would send the jump to a wrong address.
//!
//! Sources: System V psABI §3.5.7 (position-independent `switch`), LLVM's `EK_LabelDifference32`, gcc's
//! `ADDR_DIFF_VEC`.

use crate::code::{Code, Flow, Inst};
use crate::ids::{DataId, FuncId};
use crate::load::{Data, Object, Reloc, RelocKind, Target};
use std::collections::{HashMap, HashSet};

/// Maximum gap between two items of a section that counts as padding, in bytes.
const PADDING: usize = 64;

/// The entries of a jump table.
pub(super) struct Table {
    /// The targets in the order of the table, as offsets in the function.
    pub targets: Vec<u32>,
    /// The place at which the table ends, provided that another table begins there; `None` if the table's end is certain.
    pub doubt: Option<i64>,
}

/// Returns the entries of the jump table at the place (`data`, `start`). `bound` is the minimum number of entries, if the code shows this number.
///
/// # Errors
/// Describes the defect of the table, as text for a message.
pub(super) fn entries(object: &Object, id: FuncId, code: &Code, (data, start): (DataId, i64), bound: Option<u64>) -> Result<Table, String> {
    let section = &object.data[data];
    let Ok(first) = u32::try_from(start) else { return Err("it begins before its section".into()) };
    let run = run(section, first);
    let count = run.len();
    if begins_inside(section, first) {
        return Err("a jump through it may also use the entries before it".into());
    }
    // Returns the target of entry `k` if the table begins at entry `from`. The distance in an entry counts from the table's start, but the addend of
    // its relocation counts from the entry itself, so subtract the distance between the two.
    let place = |k: usize, from: usize| {
        let Target::Function(named) = run[k].target else { return None };
        object.code_at(named, run[k].addend - 4 * (k - from) as i64)
    };
    let target = |k: usize| place(k, 0).filter(|&(to, offset)| to == id && code.at(offset).is_some()).map(|(_, offset)| offset);
    let table = |length: usize, doubt: Option<i64>| {
        let targets: Option<Vec<u32>> = (0..length).map(target).collect();
        targets.map(|targets| Table { targets, doubt }).ok_or_else(|| "one of its entries is not a place in the function".to_owned())
    };
    let wanted = bound.map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    if count == 0 || wanted.is_some_and(|wanted| wanted > count) {
        let of = wanted.map_or(String::new(), |wanted| format!(" of {wanted}"));
        return Err(format!("it has {} entries{of}", if count == 0 { "no".to_owned() } else { count.to_string() }));
    }
    // The places where another item may begin, each with the index of the first entry after the place. A place in the middle of an entry does
    // not end the table before this entry.
    let after = section.bounds.starts.partition_point(|&at| at <= first);
    let starts = section.bounds.starts[after..].iter().map(|&at| ((at - first).div_ceil(4) as usize, i64::from(at)));
    let mut ends = starts.take_while(|&(k, _)| k < count).peekable();
    let Some((end, at)) = ends.next() else {
        if wanted.is_none() && !is_end(section, first as usize + 4 * count) {
            return Err("no other item begins where its relocations end".into());
        }
        return table(count, None);
    };
    match wanted {
        // Entries beyond the minimum number do no harm.
        Some(wanted) if wanted <= end => return table(end, None),
        // The code shows that the table does not end at `end`.
        Some(wanted) => return table(wanted, None),
        None => {}
    }
    let mut more = end..ends.find(|&(k, _)| k > end).map_or(count, |(k, _)| k);
    if more.clone().all(|k| target(k).is_some()) {
        return table(end, Some(at));
    }
    let other = place(end, end).map(|(to, _)| to);
    let belongs = |(to, offset): (FuncId, u32)| Some(to) == other && (to != id || code.at(offset).is_some());
    if more.all(|k| place(k, end).is_some_and(belongs)) {
        return table(end, None);
    }
    Err("one of its entries is not a place in the function".into())
}

/// Returns the relocations of a table that begins at `first`: consecutive distances to code.
fn run(section: &Data, first: u32) -> &[Reloc] {
    let from = section.relocs.partition_point(|reloc| reloc.offset < first);
    let relocs = &section.relocs[from..];
    let is_entry = |(k, reloc): &(usize, &Reloc)| reloc.offset as usize == first as usize + 4 * k && reloc.is_distance();
    &relocs[..relocs.iter().enumerate().take_while(is_entry).count()]
}

/// True if table entries end directly before `first`, and no table can begin at one of these entries. Then these entries and the entries from `first`
/// on form one table, and code refers to the middle of this table.
fn begins_inside(section: &Data, first: u32) -> bool {
    let entries = section.distances_before(first);
    let from = first - 4 * entries;
    entries > 0 && !section.bounds.starts.iter().any(|at| (from..first).contains(at))
}

/// True if only padding lies between `end` and the next item that the object refers to, or the end of the section.
fn is_end(section: &Data, end: usize) -> bool {
    let used = &section.bounds.used;
    let next = used.get(used.partition_point(|&at| (at as usize) < end));
    let next = next.map_or(usize::MAX, |&at| at as usize).min(section.bytes.len());
    let reloc = section.relocs.get(section.relocs.partition_point(|reloc| (reloc.offset as usize) < end));
    let is_relocated = reloc.is_some_and(|reloc| (reloc.offset as usize) < next);
    next - end < PADDING && !is_relocated && section.bytes[end..next].iter().all(|&byte| byte == 0)
}

/// True if the function can compute addresses of places inside itself: from distances in data, or from the address of a function.
pub(super) fn has_places(object: &Object, places: &Places, id: FuncId, code: &Code) -> bool {
    let function = &object.functions[id];
    // Code compiled by rustc never computes a place in one function from the address of another function.
    let counts = |named: FuncId| named == id || !function.is_rust;
    let makes_address = |inst: &Inst| {
        let named = match inst.reloc.map(|r| &function.relocs[r as usize].target) {
            Some(&Target::Function(named)) => Some(named),
            _ => None,
        };
        inst.flow == Flow::Next && inst.function_address.into_iter().chain(named).any(counts)
    };
    code.insts.iter().any(makes_address) || places.with_distances.contains(&id)
}

/// The places inside functions to which relocations in data refer.
#[derive(Debug)]
pub(super) struct Places {
    /// For each function, the places in it whose addresses data contains, as offsets in ascending order: the labels of a computed `goto`.
    labels: HashMap<FuncId, Vec<u32>>,
    /// The functions that contain the target of a distance in data.
    with_distances: HashSet<FuncId>,
}

impl Places {
    /// Finds the places of all functions.
    pub fn of(object: &Object) -> Places {
        let mut places = Places { labels: HashMap::new(), with_distances: HashSet::new() };
        for reloc in object.data.values().flat_map(|data| &data.relocs) {
            match reloc.target {
                // The address of the function itself is not a place inside it.
                Target::Function(_) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 => {}
                // Replace an addend that does not fit by `u32::MAX`. No instruction has this offset.
                Target::Function(id) if reloc.kind == RelocKind::Abs64 => {
                    places.labels.entry(id).or_default().push(u32::try_from(reloc.addend).unwrap_or(u32::MAX));
                }
                // The entry's distance counts from the table's start, but the relocation's addend counts from the entry. So the addend gives a place
                // that is wrong by at most the table's length. The addend is exact enough to find the function.
                Target::Function(named) => places.with_distances.extend(object.code_at(named, reloc.addend).map(|(to, _)| to)),
                _ => {}
            }
        }
        for labels in places.labels.values_mut() {
            labels.sort_unstable();
            labels.dedup();
        }
        places
    }

    /// Returns the places in the function whose addresses data contains, as offsets.
    pub fn labels(&self, id: FuncId) -> &[u32] {
        self.labels.get(&id).map_or(&[], Vec::as_slice)
    }
}

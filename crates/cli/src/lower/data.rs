//! Decides which data sections of the object the package includes, assigns each section a place in a Go symbol, and generates these symbols.
//!
//! A section becomes one symbol. If sections refer to each other by distances (relative lookup tables), they form a group, which shares one symbol.
//! Then the distances are constants.
//!
//! Go aligns a data symbol by its size, up to 32 bytes (`symalign` in cmd/link). Data that needs a larger alignment is accepted in two cases:
//!
//! - Read-only data without pointers becomes a text symbol, whose alignment can be stated.
//! - Data that begins as zeros gets a symbol that is larger than the data. The data lies at the first address in the symbol with the required
//!   alignment, and code that refers to the data rounds the symbol's address. The rounded address is known only at run time. So the symbol can have
//!   no initial content, and other data cannot be initialised with the address.

use super::FunctionContext;
use super::symbols::Symbols;
use crate::analyze::{Edge, EdgeKind, Instance, complete_data_hint};
use crate::code::{Flow, Inst};
use crate::diag::{Diagnostic, ErrorCode};
use crate::exits::Exit;
use crate::goasm::{Data, Item, Op};
use crate::ids::{DataId, FuncId};
use crate::load::{Data as Section, Object, Reloc, RelocKind, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The largest alignment in bytes that a Go data symbol can have on every platform.
const GO_ALIGN: u64 = 32;
/// The largest alignment in bytes that `PCALIGN` can state for a text symbol in every version of Go.
const TEXT_ALIGN: u64 = 2048;
/// The largest alignment in bytes that rustgo accepts for data that begins as zeros.
const ROUNDED_ALIGN: u64 = 1 << 16;

/// The place in the package of one byte of a data section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub symbol: String,
    /// Offset from the symbol, or from the rounded address if `rounded` is set.
    pub offset: i64,
    /// The alignment to which code rounds the symbol's address, a power of two. The data begins at the symbol's first address that is a
    /// multiple of this number. `None` if Go aligns the symbol sufficiently.
    pub rounded: Option<u64>,
}

impl Place {
    /// Returns the two numbers that code adds to the symbol's address: the first before code rounds the address down, the second afterwards (0
    /// without rounding).
    pub fn steps(&self) -> (i64, i64) {
        match self.rounded {
            Some(rounded) => (rounded as i64 - 1, self.offset),
            None => (self.offset, 0),
        }
    }
}

/// The properties of the symbol of a group (sections that share a symbol).
struct Shape {
    align: u64,
    writable: bool,
    /// The alignment to which code rounds the group's address; `None` if Go can align the group, if the group does not begin as zeros, or if its
    /// alignment exceeds [`ROUNDED_ALIGN`].
    rounded: Option<u64>,
}

impl Shape {
    fn of(sections: &[&Section], machine: &dyn DataLowering) -> Shape {
        let align = sections.iter().map(|data| data.align).max().unwrap_or(1);
        let writable = sections.iter().any(|data| data.writable);
        let is_zero = || sections.iter().all(|data| data.relocs.is_empty() && data.bytes.iter().all(|&byte| byte == 0));
        let wants = align > if writable { GO_ALIGN } else { TEXT_ALIGN };
        Shape { align, writable, rounded: (wants && align <= ROUNDED_ALIGN && is_zero()).then(|| machine.rounds_to(align)) }
    }
}

/// The part of data lowering that differs between machines.
pub trait DataLowering {
    /// Returns the alignment to which code rounds the address of data that needs the alignment `align`. Both are powers of two up to 65536,
    /// and the result is at least `align`.
    fn rounds_to(&self, align: u64) -> u64;
    /// Returns the content of a text symbol that holds data: the bytes, padded to whole instructions, and the operation that emits them.
    fn bytes_in_text(&self, bytes: Vec<u8>) -> (Vec<u8>, Op);
}

/// The data sections that the package includes. Lowering a function adds the sections that the function refers to.
pub struct DataPlan<'a> {
    object: &'a Object,
    machine: &'a dyn DataLowering,
    /// For each section, the first section of its group, and the section's offset in the group's symbol. A group consists of the sections that share
    /// a symbol.
    groups: BTreeMap<DataId, (DataId, u64)>,
    members: BTreeMap<DataId, Vec<DataId>>,
    /// The properties of each group's symbol, by the first section of the group.
    shapes: BTreeMap<DataId, Shape>,
    used: BTreeSet<DataId>,
    /// The groups in `used` whose symbols are not generated yet.
    pending: BTreeSet<DataId>,
    /// The places (section, offset) that code or data refers to.
    referenced: BTreeSet<(DataId, i64)>,
    /// Generated 8-byte cells that hold the address of a function, as in a linker's global offset table. The key is the function's symbol and
    /// an offset, the value is the cell's name.
    cells: BTreeMap<(String, i64), String>,
    /// For each label of a computed jump (function, offset before lowering), its place after lowering (symbol, offset). `None` if the function
    /// is emitted more than once.
    labels: BTreeMap<(FuncId, u32), Option<(String, i64)>>,
}

impl<'a> DataPlan<'a> {
    pub fn new(object: &'a Object, machine: &'a dyn DataLowering) -> Self {
        let mut leader: BTreeMap<DataId, DataId> = object.data.keys().map(|d| (d, d)).collect();
        // Returns the first section of the group of `d`, and shortens the path to it (union-find with path halving).
        fn find(leader: &mut BTreeMap<DataId, DataId>, mut d: DataId) -> DataId {
            while leader[&d] != d {
                let next = leader[&leader[&d]];
                leader.insert(d, next);
                d = next;
            }
            d
        }
        for (id, data) in &object.data {
            for reloc in &data.relocs {
                if let (RelocKind::Pc32 | RelocKind::Pc64, Target::Data(to)) = (reloc.kind, &reloc.target) {
                    let (a, b) = (find(&mut leader, id), find(&mut leader, *to));
                    let (low, high) = (a.min(b), a.max(b));
                    leader.insert(high, low);
                }
            }
        }
        let mut members: BTreeMap<DataId, Vec<DataId>> = BTreeMap::new();
        for id in object.data.keys() {
            members.entry(find(&mut leader, id)).or_default().push(id);
        }
        let (mut groups, mut shapes) = (BTreeMap::new(), BTreeMap::new());
        for (&first, ids) in &members {
            let sections: Vec<&Section> = ids.iter().map(|&id| &object.data[id]).collect();
            shapes.insert(first, Shape::of(&sections, machine));
            let mut at = 0u64;
            for &id in ids {
                at = at.next_multiple_of(object.data[id].align.max(1));
                groups.insert(id, (first, at));
                at += object.data[id].bytes.len() as u64;
            }
        }
        let pointers = object.data.values().flat_map(|data| &data.relocs).filter(|reloc| reloc.kind == RelocKind::Abs64);
        let referenced =
            pointers.filter_map(|reloc| if let Target::Data(to) = reloc.target { Some((to, reloc.addend)) } else { None }).collect();
        let (used, pending, cells, labels) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        DataPlan { object, machine, groups, members, shapes, used, pending, referenced, cells, labels }
    }

    /// Returns the place in the package of a byte of a section, and includes the section in the package.
    pub fn place(&mut self, id: DataId, offset: i64) -> Place {
        let (first, at) = self.groups[&id];
        if self.used.insert(first) {
            self.pending.insert(first);
        }
        self.referenced.insert((id, offset));
        Place { symbol: self.symbol(first), offset: at as i64 + offset, rounded: self.shapes[&first].rounded }
    }

    /// Returns the place of a generated cell that holds the address of a symbol plus `addend`.
    pub fn cell(&mut self, symbol: &str, addend: i64) -> Place {
        let next = self.cells.len() + 1;
        let name = self.cells.entry((symbol.to_owned(), addend)).or_insert_with(|| format!("rust·cell·{next}<>"));
        Place { symbol: name.clone(), offset: 0, rounded: None }
    }

    /// Records the new places of a function's labels, for its computed jumps. The function's code is in `symbol`, and `places` gives the new
    /// offset of each instruction.
    pub fn labels(&mut self, context: &FunctionContext<'_>, symbol: &str, places: &BTreeMap<usize, u32>) {
        let jumps = context.instance.summary.tables.values().filter(|table| table.place.is_none());
        let targets: BTreeSet<u32> = jumps.flat_map(|table| table.targets.iter().copied()).collect();
        for to in targets {
            let place = context.code.at(to).and_then(|at| places.get(&at)).map(|&offset| (symbol.to_owned(), i64::from(offset)));
            self.labels.entry((context.instance.function, to)).and_modify(|known| *known = None).or_insert(place);
        }
    }

    /// Returns a text for an error message: the names of the sections in a group, their alignment, and the reason why no data can hold the group's
    /// address.
    fn names_with_alignment(&self, id: DataId) -> String {
        let (first, _) = self.groups[&id];
        let names: Vec<&str> = self.members[&first].iter().map(|&id| self.object.data[id].name.as_str()).collect();
        format!("{}, which must be aligned to {} bytes: its address is known only at run time", names.join(", "), self.shapes[&first].align)
    }

    fn symbol(&self, first: DataId) -> String {
        format!("rust·{}·{}<>", if self.shapes[&first].writable { "data" } else { "rodata" }, first.as_u32())
    }

    /// Generates the symbols of all included data, and of all data that included data refers to.
    pub fn finish(mut self, symbols: &Symbols<'_>) -> Result<Vec<Item>, Vec<Diagnostic>> {
        let mut items = Vec::new();
        let mut errors = Vec::new();
        let tables = JumpTables::of(symbols);
        while let Some(first) = self.pending.pop_first() {
            match self.group(first, symbols, &tables) {
                Ok(item) => items.push((first, item)),
                Err(diagnostic) => errors.push(diagnostic),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        items.sort_by_key(|(first, _)| *first);
        let mut items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
        for ((symbol, addend), name) in &self.cells {
            items.push(Item::Data(Data {
                comment: format!("The address of {symbol}."),
                identity: None,
                name: name.clone(),
                read_only: true,
                size: 8,
                bytes: vec![0; 8],
                pointers: vec![(0, symbol.clone(), *addend)],
            }));
        }
        Ok(items)
    }

    /// Checks a relocation in emitted data that stores a distance to code. Returns the reason to refuse the relocation; `None` if the relocation is
    /// accepted. `named` is the function that the relocation's symbol names; the target may lie in a neighbouring function. The distance is accepted
    /// if it is an entry of a jump table that lowering copies, or of a table that no emitted function uses.
    fn distance_refusal(&self, symbols: &Symbols<'_>, known: &JumpTables<'_>, id: DataId, reloc: &Reloc, named: FuncId) -> Option<String> {
        let mut extents = known.extents.get(&id).into_iter().flatten();
        if let Some(extent) = extents.find(|extent| extent.contains(&reloc.offset)) {
            // Only a reference to the table's start shows that the table has another use. A reference to a place inside the table may belong to an
            // array after the table: code may compute the address of the place one element before the array.
            let is_referenced = self.referenced.contains(&(id, i64::from(extent.start)));
            let is_read = known.distances.range((id, extent.start)..(id, extent.end)).next().is_some();
            return (is_referenced || is_read).then(|| "holds a jump table that is used for more than its jump".to_owned());
        }
        // No emitted function uses a table that contains this distance, so the start of the distance's table is unknown. Search backward for a place
        // where a table can begin, with only distances between the place and this distance. If a table began there, the distance would lead to a
        // place in a certain function (`owner`). The place is the table's start if this function jumps through a table there.
        let run = self.object.data[id].distances_before(reloc.offset);
        let starts = &self.object.data[id].bounds.starts;
        let from = starts.partition_point(|&start| start < reloc.offset - 4 * run);
        let to = starts.partition_point(|&start| start <= reloc.offset);
        let owner = |start: u32| self.object.code_at(named, reloc.addend - i64::from(reloc.offset - start)).map(|(owner, _)| owner);
        let mut tables = starts[from..to].iter().rev().filter_map(|&start| Some((start, owner(start)?)));
        let Some((start, owner)) = tables.find(|&(start, owner)| known.jumps_through(symbols, owner, (id, i64::from(start)))) else {
            return Some("holds a distance to a function, which changes in a Go program".to_owned());
        };
        let is_unknown = |edge: &Edge| edge.indirect && edge.kind == EdgeKind::Tail && edge.targets.is_none();
        let mut instances = known.instances.get(&owner).into_iter().flatten();
        let referenced = self.referenced.contains(&(id, i64::from(start)));
        let is_read = instances.any(|instance| referenced || instance.summary.edges.iter().any(is_unknown));
        is_read.then(|| format!("has a relocation that a Go object cannot express ({:?} of {:?})", reloc.kind, reloc.target))
    }

    fn group(&mut self, first: DataId, symbols: &Symbols<'_>, tables: &JumpTables<'_>) -> Result<Item, Diagnostic> {
        let ids = self.members[&first].clone();
        let object = self.object;
        let size = ids.iter().map(|id| self.groups[id].1 + object.data[*id].bytes.len() as u64).max().unwrap_or(0);
        let Shape { align, writable, rounded } = self.shapes[&first];
        let mut bytes = vec![0; size as usize];
        let mut pointers = Vec::new();
        for &id in &ids {
            let data = &object.data[id];
            let base = self.groups[&id].1;
            bytes[base as usize..base as usize + data.bytes.len()].copy_from_slice(&data.bytes);
            for reloc in &data.relocs {
                let at = base + u64::from(reloc.offset);
                let refuse = |what: String| {
                    let error = Diagnostic::new(ErrorCode::Unsupported, format!("the data {} {what}", data.name));
                    Err(complete_data_hint(error.note(format!("in {}", data.member)), &data.member))
                };
                if let Some(what) = reloc.target.among_code() {
                    return refuse(what);
                }
                match (reloc.kind, &reloc.target) {
                    (RelocKind::Abs64, _) if !at.is_multiple_of(8) => return refuse("holds a pointer that is not aligned".into()),
                    (RelocKind::Abs64, Target::Data(to)) => {
                        let place = self.place(*to, reloc.addend);
                        if place.rounded.is_some() {
                            return refuse(format!("holds the address of {}", self.names_with_alignment(*to)))
                                .map_err(|refused| refused.hint("compute that address in code, or lower the alignment of the static"));
                        }
                        pointers.push((at as u32, place.symbol, place.offset));
                    }
                    // Lowering moves the function's instructions. The new address of a place inside the function is known only if
                    // a jump of the function goes there.
                    (RelocKind::Abs64, Target::Function(id)) if reloc.addend != 0 => {
                        let label = u32::try_from(reloc.addend).ok().and_then(|offset| self.labels.get(&(*id, offset)).cloned());
                        match label {
                            Some(Some((symbol, offset))) => pointers.push((at as u32, symbol, offset)),
                            Some(None) => return refuse("holds an address inside a function that is emitted more than once".into()),
                            None if tables.instances.contains_key(id) => {
                                return refuse("holds an address inside a function that none of its jumps use".into());
                            }
                            // No export reaches the function, so no jump goes to this place.
                            None => pointers.push((at as u32, symbols.exit(Exit::Missing), 0)),
                        }
                    }
                    (RelocKind::Abs64, target) => {
                        let (symbol, start) = symbols.address(target);
                        pointers.push((at as u32, symbol, start + reloc.addend));
                    }
                    (RelocKind::Pc32 | RelocKind::Pc64, Target::Data(to)) => {
                        let value = self.groups[to].1 as i64 + reloc.addend - at as i64;
                        let width = if reloc.kind == RelocKind::Pc32 { 4 } else { 8 };
                        bytes[at as usize..at as usize + width].copy_from_slice(&value.to_le_bytes()[..width]);
                    }
                    // Lowering copies jump tables into the functions that use them, and jumps read only these copies.
                    (RelocKind::Pc32, Target::Function(named)) => match self.distance_refusal(symbols, tables, id, reloc, *named) {
                        Some(why) => return refuse(why),
                        None => bytes[at as usize..at as usize + 4].fill(0),
                    },
                    (kind, target) => return refuse(format!("has a relocation that a Go object cannot express ({kind:?} of {target:?})")),
                }
            }
        }
        pointers.sort();
        let names: Vec<String> = ids.iter().map(|&d| object.data[d].name.clone()).collect();
        let comment = format!("{}, {size} bytes, aligned to {align}.", names.join(", "));
        let symbol = self.symbol(first);
        let identity = (writable || !ids.iter().all(|&id| is_constant(&object.data[id]))).then(|| names.join(", "));
        if let Some(rounded) = rounded {
            let comment = format!("{comment} They begin at the first multiple of {rounded} here.");
            let size = size + rounded - 1;
            return Ok(Item::Data(Data { comment, identity, name: symbol, read_only: false, size, bytes: Vec::new(), pointers }));
        }
        if align > GO_ALIGN {
            let zeros = "let it begin as zeros and set it before it is used, or lower its alignment";
            let (what, most, hint) = match (writable, pointers.is_empty()) {
                (false, true) if align <= TEXT_ALIGN => {
                    return Ok(Item::Text(super::glue::data_in_text(self.machine, (comment, identity), &symbol, align, bytes)));
                }
                _ if bytes.iter().all(|&byte| byte == 0) && pointers.is_empty() => {
                    ("that begins as zeros", ROUNDED_ALIGN, "lower its alignment")
                }
                (true, _) => ("that does not begin as zeros", GO_ALIGN, zeros),
                (false, true) => ("that is read only", TEXT_ALIGN, "lower its alignment, or copy it to a static that begins as zeros"),
                (false, false) => ("that holds addresses", GO_ALIGN, "lower its alignment, or store numbers instead of references"),
            };
            return Err(Diagnostic::new(
                ErrorCode::Unsupported,
                format!("the data {} must be aligned to {align} bytes; data {what} can be aligned to {most} at most", names.join(", ")),
            )
            .hint(hint));
        }
        // Go's linker aligns a symbol to the largest power of two that is at most its size, so make the size at least the alignment.
        let size = size.max(align).max(1);
        Ok(Item::Data(Data { comment, identity, name: symbol, read_only: !writable, size, bytes, pointers }))
    }
}

/// For each searched pair of a function and a place (section, offset): true if the function jumps through a table at the place.
type KnownJumps = BTreeMap<(FuncId, (DataId, i64)), bool>;

/// The jump tables of all emitted functions, and the distances to code that functions read for another purpose than a jump.
struct JumpTables<'a> {
    /// For each section, the offsets of the jump tables in it.
    extents: BTreeMap<DataId, Vec<Range<u32>>>,
    /// The places (section, offset) of distances to code that some function reads for another purpose than a jump.
    distances: BTreeSet<(DataId, u32)>,
    /// The emitted instances of each function.
    instances: BTreeMap<FuncId, Vec<&'a Instance>>,
    /// Keeps the results of [`jumps_through`].
    jumps: RefCell<KnownJumps>,
}

impl<'a> JumpTables<'a> {
    fn of(symbols: &Symbols<'a>) -> JumpTables<'a> {
        let facts = symbols.facts;
        let (mut extents, mut instances): (BTreeMap<_, Vec<_>>, BTreeMap<_, Vec<_>>) = Default::default();
        let mut distances = BTreeSet::new();
        for instance in facts.emitted.iter().map(|&me| &facts.instances[me]) {
            instances.entry(instance.function).or_default().push(instance);
            distances.extend(&instance.summary.distances);
            for table in instance.summary.tables.values() {
                if let Some((data, first)) = table.place {
                    extents.entry(data).or_default().push(first..first + 4 * table.targets.len() as u32);
                }
            }
        }
        JumpTables { extents, distances, instances, jumps: RefCell::default() }
    }

    fn jumps_through(&self, symbols: &Symbols<'_>, function: FuncId, place: (DataId, i64)) -> bool {
        *self.jumps.borrow_mut().entry((function, place)).or_insert_with(|| jumps_through(symbols, function, place))
    }
}

/// True if the section holds constants that a compiler generated. Such constants may be merged with equal constants. Their symbols are local (`.L`).
fn is_constant(section: &Section) -> bool {
    section.mergeable || section.name.contains("..L")
}

/// True if the function may use a jump table at `place`: the function contains an indirect jump and makes the address of `place`. Also true if the
/// function's code cannot be decoded.
fn jumps_through(symbols: &Symbols<'_>, function: FuncId, place: (DataId, i64)) -> bool {
    let Ok(code) = &symbols.program.codes[function] else { return true };
    let names = |inst: &Inst| {
        let Some(reloc) = inst.reloc.map(|reloc| &symbols.object.functions[function].relocs[reloc as usize]) else { return false };
        // A PC-relative distance counts from the end of the instruction; the relocation's addend counts from the field that holds the
        // distance.
        let by = if reloc.kind == RelocKind::Pc32 { i64::from(inst.end() - reloc.offset) } else { 0 };
        matches!(reloc.target, Target::Data(id) if (id, reloc.addend + by) == place)
    };
    code.insts.iter().any(|inst| inst.flow == Flow::IndirectJump) && code.insts.iter().any(names)
}

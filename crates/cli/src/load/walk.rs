//! Collects everything that the exports reach, section by section.
//!
//! If a relocation refers to a place in a section, the whole section is added, as a linker with `--gc-sections` does. Sections are read in the order
//! in which they are found, so the numbering depends only on the archive.

use super::archive::{LE, Member, RawReloc, is_only_relocated};
use super::data_bounds;
use super::no_threads;
use super::relocations::ThreadLocal;
use super::replaced::{replaced, std_panic};
use super::split::{self, Labels, Start};
use super::symbols::{Meaning, MemberId, Names, Place, path, section_path};
use super::tls::Image;
use super::weak_symbols;
use super::{CodeSection, Data, DataBounds, Function, Kind, Reloc, RelocKind, Target};
use crate::activity;
use crate::diag::{self, Call, Diagnostic, ErrorCode, Result};
use crate::exits::Exit;
use crate::ids::{DataId, FuncId, SectionId};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use object::elf;
use object::read::elf::Sym as _;
use object::{SectionIndex, SymbolIndex};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// The functions and data that the exports reach, and their places in the archive.
pub(super) struct Reached {
    pub functions: PrimaryMap<FuncId, Function>,
    pub data: PrimaryMap<DataId, Data>,
    pub sections: PrimaryMap<SectionId, CodeSection>,
    /// For each code section, the archive member and section that it comes from.
    pub origins: PrimaryMap<SectionId, (MemberId, SectionIndex)>,
}

/// The state of the search for everything that the exports reach.
pub(super) struct Walk<'w, 'a> {
    members: &'w [Member<'a>],
    names: &'w Names<'a>,
    labels: HashMap<MemberId, Labels>,
    bounds: HashMap<MemberId, HashMap<SectionIndex, DataBounds>>,
    /// The choices of the crate's compilation.
    kind: Kind,
    /// The place of std's `rust_begin_unwind`, if the crate links std. References to this function become references to [`Exit::Throw`] if panics
    /// unwind, otherwise to [`Exit::Panic`].
    std_panic: Option<Place>,
    /// The places of std's functions that the tool replaces, each with the name of its replacement in the support crate.
    replaced: Vec<(Place, &'static str)>,
    reached: Reached,
    code: HashMap<(MemberId, SectionIndex), SectionId>,
    sections: HashMap<(MemberId, SectionIndex), DataId>,
    commons: HashMap<&'a [u8], DataId>,
    /// The generated cells to which fields in data contain distances. Each cell contains an address, and is listed with the relocation that fills the
    /// cell.
    cells: Vec<(Reloc, DataId)>,
    thread_locals: Image,
    /// The generated cell of eight zero bytes, from which code reads the address (null) of an undefined weak symbol. For each undefined weak symbol
    /// that code calls, `null_functions` has a generated function, which faults.
    null_cell: Option<DataId>,
    null_functions: HashMap<&'a [u8], FuncId>,
    /// Sections that were found and not yet read.
    queue: VecDeque<Pending>,
    /// For each function, the function or data that first referred to the function. `data_from` is the same for data.
    function_from: SecondaryMap<FuncId, Option<Node>>,
    data_from: SecondaryMap<DataId, Option<Node>>,
}

#[derive(Clone, Copy)]
enum Pending {
    Code(SectionId),
    Data(DataId, MemberId, SectionIndex),
    /// A section of thread-local variables, and the offset of its first byte in the image.
    ThreadLocals(MemberId, SectionIndex, u64),
}

/// The replacement of a relocated field that refers to a thread-local variable.
enum ThreadLocalField {
    /// The variable's distance from the start of its block, as bytes to store in the field.
    Distance(Vec<u8>),
    /// The cell that selects the variable. The field gets the distance to the cell.
    Cell(DataId),
}

/// The resolved target of a relocation.
pub(super) struct Resolution {
    pub target: Target,
    /// Offset from the target's first byte.
    pub addend: i64,
    /// True if the target is a thread-local variable.
    thread_local: bool,
}

impl Resolution {
    fn new(target: Target, addend: i64) -> Self {
        Resolution { target, addend, thread_local: false }
    }
}

#[derive(Clone, Copy)]
enum Node {
    Function(FuncId),
    Data(DataId),
}

impl<'w, 'a> Walk<'w, 'a> {
    pub fn new(members: &'w [Member<'a>], names: &'w Names<'a>, kind: Kind) -> Result<Self> {
        Ok(Walk {
            members,
            names,
            labels: HashMap::new(),
            bounds: HashMap::new(),
            kind,
            std_panic: std_panic(members)?,
            replaced: replaced(members)?,
            reached: Reached {
                functions: PrimaryMap::new(),
                data: PrimaryMap::new(),
                sections: PrimaryMap::new(),
                origins: PrimaryMap::new(),
            },
            code: HashMap::new(),
            sections: HashMap::new(),
            commons: HashMap::new(),
            cells: Vec::new(),
            thread_locals: Image::default(),
            null_cell: None,
            null_functions: HashMap::new(),
            queue: VecDeque::new(),
            function_from: SecondaryMap::new(),
            data_from: SecondaryMap::new(),
        })
    }

    /// Adds the target of a relocation as a root, a start of the search.
    pub fn root(&mut self, member: MemberId, reloc: RawReloc) -> Result<Resolution> {
        self.target(member, reloc, None)
    }

    /// Adds the function with this name as a root. Returns `None` if no object defines such a function.
    pub fn root_by_name(&mut self, name: &[u8]) -> Result<Option<FuncId>> {
        let Some((member, symbol)) = self.names.get(name) else { return Ok(None) };
        let reloc = RawReloc { offset: 0, kind: self.member(member).machine.abs64, symbol: Some(symbol), addend: 0 };
        match self.target(member, reloc, None)? {
            Resolution { target: Target::Function(function), addend: 0, .. } => Ok(Some(function)),
            _ => Ok(None),
        }
    }

    /// Reads everything that the roots reach.
    pub fn finish(mut self) -> Result<Reached> {
        let mut read = 0;
        while let Some(found) = self.queue.pop_front() {
            activity::report(read, read + self.queue.len() + 1, "sections", "");
            read += 1;
            match found {
                Pending::Code(section) => self.read_code(section)?,
                Pending::Data(data, member, section) => self.read_data(data, member, section)?,
                Pending::ThreadLocals(member, section, start) => self.read_thread_locals(member, section, start)?,
            }
        }
        self.thread_locals.finish(&mut self.reached.data);
        Ok(self.reached)
    }

    fn member(&self, member: MemberId) -> &'w Member<'a> {
        &self.members[member.0]
    }

    fn read_code(&mut self, id: SectionId) -> Result<()> {
        let (member_id, section) = self.reached.origins[id];
        let member = self.member(member_id);
        let bytes = member.bytes(section)?;
        let functions = self.reached.sections[id].functions.clone();
        let mut relocs = member.relocs(section)?.into_iter().peekable();
        for (index, &function) in functions.iter().enumerate() {
            let start = self.reached.functions[function].offset;
            let end = functions.get(index + 1).map_or(bytes.len() as u64, |&next| self.reached.functions[next].offset);
            let code =
                bytes.get(start as usize..end as usize).ok_or_else(|| member.damaged("a section is shorter than its symbols say"))?;
            self.reached.functions[function].code = code.to_vec();
            let mut resolved = Vec::new();
            while let Some(reloc) = relocs.next_if(|reloc| reloc.offset < end) {
                if let Some(expected) = self.thread_local(member_id, reloc)? {
                    let at = (reloc.offset - start) as usize;
                    match expected {
                        ThreadLocalField::Distance(bytes) => {
                            let code = &mut self.reached.functions[function].code;
                            code.get_mut(at..at + bytes.len())
                                .ok_or_else(|| member.damaged("a relocation lies after the end of its section"))?
                                .copy_from_slice(&bytes);
                        }
                        ThreadLocalField::Cell(cell) => {
                            let resolution = Resolution::new(Target::Data(cell), reloc.addend);
                            resolved.push(Reloc { kind: RelocKind::Pc32, ..finished(member, reloc, resolution, start, end)? });
                        }
                    }
                    continue;
                }
                if let Some((kind, resolution)) = self.null_in_code(member_id, reloc, &bytes, Node::Function(function))? {
                    resolved.push(Reloc { kind, ..finished(member, reloc, resolution, start, end)? });
                    continue;
                }
                let resolution = self.target(member_id, reloc, Some(Node::Function(function)))?;
                resolved.push(finished(member, reloc, resolution, start, end)?);
            }
            self.reached.functions[function].relocs = resolved;
        }
        match relocs.next() {
            Some(reloc) => Err(member.damaged(format!("a relocation at {:#x} lies after the end of its section", reloc.offset))),
            None => Ok(()),
        }
    }

    /// Returns the replacement of a field that a thread-local relocation fills. `None` if the relocation is of another kind, if a Go object cannot
    /// express it, or if no object defines the variable.
    fn thread_local(&mut self, member_id: MemberId, reloc: RawReloc) -> Result<Option<ThreadLocalField>> {
        let Some(expected) = self.member(member_id).machine.thread_local(reloc.kind) else { return Ok(None) };
        if expected == ThreadLocal::Module {
            return Ok(Some(ThreadLocalField::Cell(self.thread_locals.cell(&mut self.reached.data, 0))));
        }
        let Some(symbol) = reloc.symbol else { return Ok(None) };
        let Meaning::Place(place) = self.names.resolve(self.members, member_id, symbol)? else { return Ok(None) };
        let member = self.member(place.member);
        if !member.flags(place.section)?.contains(elf::SHF_TLS) {
            return Ok(None);
        }
        let section = (place.member, place.section);
        let start = match self.thread_locals.place(place.member, place.section) {
            Some(start) => start,
            None => {
                let (size, align) = (member.bytes(place.section)?.len() as u64, member.align(place.section)?);
                let start = self.thread_locals.take(&mut self.reached.data, section, size, align);
                self.queue.push_back(Pending::ThreadLocals(place.member, place.section, start));
                start
            }
        };
        // The distance counts from the end of the instruction, which is the end of the four-byte field. So the addend is four too small.
        let by = if expected == ThreadLocal::Variable { reloc.addend + 4 } else { reloc.addend };
        let at = start.wrapping_add(place.offset).wrapping_add_signed(by);
        Ok(Some(match expected {
            ThreadLocal::Distance(size) => ThreadLocalField::Distance(at.to_le_bytes()[..size].to_vec()),
            ThreadLocal::Variable | ThreadLocal::Module => ThreadLocalField::Cell(self.thread_locals.cell(&mut self.reached.data, at)),
        }))
    }

    fn read_thread_locals(&mut self, member_id: MemberId, section: SectionIndex, start: u64) -> Result<()> {
        let member = self.member(member_id);
        let mut bytes = member.bytes(section)?;
        let resolved = self.resolved(member_id, section, &mut bytes, None)?;
        self.thread_locals.fill(&mut self.reached.data, start, &bytes, resolved);
        Ok(())
    }

    fn read_data(&mut self, id: DataId, member_id: MemberId, section: SectionIndex) -> Result<()> {
        let member = self.member(member_id);
        let mut bytes = member.bytes(section)?;
        let resolved = self.resolved(member_id, section, &mut bytes, Some(id))?;
        self.reached.data[id].bytes = bytes;
        let may_be_table = |reloc: &Reloc| {
            let is_entry = reloc.kind == RelocKind::Pc32 || reloc.kind == RelocKind::Abs64 && reloc.addend != 0;
            is_entry && matches!(reloc.target, Target::Function(_))
        };
        if resolved.iter().any(may_be_table) {
            self.reached.data[id].bounds = self.bounds(member_id)?.get(&section).cloned().unwrap_or_default();
        }
        self.reached.data[id].relocs = resolved;
        Ok(())
    }

    /// Resolves the relocations of a data section or, if `id` is `None`, of a section of thread-local variables. A value that is already known goes
    /// into `bytes` and needs no relocation.
    fn resolved(&mut self, member_id: MemberId, section: SectionIndex, bytes: &mut [u8], id: Option<DataId>) -> Result<Vec<Reloc>> {
        let member = self.member(member_id);
        let (from, end) = (id.map(Node::Data), bytes.len() as u64);
        let mut resolved = Vec::new();
        for reloc in member.relocs(section)? {
            if weak_symbols::name(self.members, self.names, member_id, reloc)?.is_some() {
                match member.machine.kind(reloc.kind) {
                    RelocKind::Abs64 => {
                        let field = usize::try_from(reloc.offset).ok().and_then(|at| bytes.get_mut(at..at.checked_add(8)?));
                        let field = field.ok_or_else(|| member.damaged("a relocation lies after the end of its section"))?;
                        field.copy_from_slice(&reloc.addend.to_le_bytes());
                        continue;
                    }
                    RelocKind::GotPc32 => {
                        let resolution = Resolution::new(Target::Data(self.null_cell(from)), reloc.addend);
                        resolved.push(Reloc { kind: RelocKind::Pc32, ..finished(member, reloc, resolution, 0, end)? });
                        continue;
                    }
                    _ => {}
                }
            }
            let resolution = self.target(member_id, reloc, from)?;
            let relocation = finished(member, reloc, resolution, 0, end)?;
            resolved.push(match (relocation.kind, id) {
                (RelocKind::GotPc32, Some(id)) => self.distance_of_cell(member, id, relocation, reloc.addend),
                _ => relocation,
            });
        }
        Ok(resolved)
    }

    /// Returns the replacement of a weak reference in code to an undefined symbol. `None` for any other reference.
    fn null_in_code(&mut self, member_id: MemberId, reloc: RawReloc, bytes: &[u8], from: Node) -> Result<Option<(RelocKind, Resolution)>> {
        let Some(name) = weak_symbols::name(self.members, self.names, member_id, reloc)? else { return Ok(None) };
        let member = self.member(member_id);
        let (kind, target) = match weak_symbols::in_code(member.machine, reloc, bytes) {
            Some((kind, weak_symbols::Replacement::Function)) => {
                (kind, Target::Function(self.null_function(member, member_id, name, from)))
            }
            Some((kind, weak_symbols::Replacement::Cell)) => (kind, Target::Data(self.null_cell(Some(from)))),
            None => return Ok(None),
        };
        Ok(Some((kind, Resolution::new(target, reloc.addend))))
    }

    fn null_cell(&mut self, from: Option<Node>) -> DataId {
        let cell = self.null_cell.unwrap_or_else(|| self.push_data(weak_symbols::cell(), from));
        *self.null_cell.insert(cell)
    }

    fn null_function(&mut self, member: &Member<'_>, member_id: MemberId, name: &'a [u8], from: Node) -> FuncId {
        if let Some(&function) = self.null_functions.get(name) {
            return function;
        }
        let section = self.reached.sections.next_key();
        let function = self.reached.functions.push(weak_symbols::function(member, name, section));
        self.reached.sections.push(CodeSection { functions: vec![function] });
        self.reached.origins.push((member_id, weak_symbols::NO_SECTION));
        self.function_from[function] = Some(from);
        self.null_functions.insert(name, function);
        function
    }

    /// Converts a relocation in data that stores the distance to a GOT cell, a cell that contains an address. (LLVM emits such distances in relative
    /// tables.) A linker would place the cell in its GOT. Here the cell becomes ordinary data. `addend` counts from the cell's start.
    fn distance_of_cell(&mut self, member: &Member<'_>, from: DataId, reloc: Reloc, addend: i64) -> Reloc {
        let Reloc { offset, target, addend: sum, .. } = reloc;
        let holds = Reloc { offset: 0, kind: RelocKind::Abs64, target, addend: sum.wrapping_sub(addend) };
        let known = self.cells.iter().find(|(held, _)| *held == holds).map(|&(_, id)| id);
        let cell = known.unwrap_or_else(|| {
            let name = format!("{} (a cell with an address)", self.reached.data[from].name);
            let (bytes, bounds, relocs) = (vec![0; 8], DataBounds::default(), vec![holds.clone()]);
            let data = Data { name, member: member.name.clone(), bytes, align: 8, writable: false, mergeable: false, relocs, bounds };
            let id = self.push_data(data, Some(Node::Data(from)));
            self.cells.push((holds, id));
            id
        });
        Reloc { offset, kind: RelocKind::Pc32, target: Target::Data(cell), addend }
    }

    fn bounds(&mut self, member: MemberId) -> Result<&HashMap<SectionIndex, DataBounds>> {
        let object = self.member(member);
        match self.bounds.entry(member) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(data_bounds::of(object)?)),
        }
    }

    /// Resolves a relocation's target, and adds the target's section if it is new.
    fn target(&mut self, member: MemberId, reloc: RawReloc, from: Option<Node>) -> Result<Resolution> {
        let Some(symbol) = reloc.symbol else {
            let what = format!("a relocation of kind {} refers to address 0", reloc.kind);
            return self.refuse(member, what, from);
        };
        match self.names.resolve(self.members, member, symbol)? {
            Meaning::Undefined(name) => {
                let exit = if self.kind.unwinds { Exit::named_unwinding(name) } else { Exit::named(name) };
                let target = exit.map_or_else(|| Target::Undefined(text(name)), Target::Exit);
                Ok(Resolution::new(target, reloc.addend))
            }
            Meaning::Absolute(name) => self.refuse(member, format!("{} is an absolute symbol", text(name)), from),
            Meaning::Indirect(name) => self.refuse(member, format!("{} is chosen when a program is loaded (ifunc)", text(name)), from),
            Meaning::Common { member, symbol, name, align } => {
                Ok(Resolution::new(Target::Data(self.common((member, symbol), name, align, from)?), reloc.addend))
            }
            Meaning::Place(place) => self.place(place, reloc, from),
        }
    }

    fn place(&mut self, place: Place, reloc: RawReloc, from: Option<Node>) -> Result<Resolution> {
        let member = self.member(place.member);
        // If the relocation names a section's symbol, only the addend shows which function the relocation refers to.
        let expected = if place.section_symbol {
            split::place(member, place.offset, reloc, matches!(from, Some(Node::Function(_))))
        } else {
            place.offset
        };
        let offset = place.offset.wrapping_add_signed(reloc.addend);
        if self.std_panic.is_some_and(|panic| (panic.member, panic.section, panic.offset) == (place.member, place.section, expected)) {
            let exit = if self.kind.unwinds { Exit::Throw } else { Exit::Panic };
            return Ok(Resolution::new(Target::Exit(exit), offset.wrapping_sub(expected).cast_signed()));
        }
        let refers_here = |(std, _): &&(Place, &str)| (std.member, std.section, std.offset) == (place.member, place.section, expected);
        if let Some(&(_, name)) = self.replaced.iter().find(refers_here)
            && let Some(ours) = self.root_by_name(name.as_bytes())?
        {
            return Ok(Resolution::new(Target::Function(ours), offset.wrapping_sub(expected).cast_signed()));
        }
        if member.is_code(place.section)? {
            if let Some(symbol) = self.labels(place.member)?.object_at(member, place.section, expected)? {
                let name = path(&text(member.symbol_name(member.symbol(symbol)?)?));
                return Ok(Resolution::new(Target::AmongCode(name), offset.wrapping_sub(expected).cast_signed()));
            }
            let section = self.code(place.member, place.section, from)?;
            let functions = &self.reached.sections[section].functions;
            let next = functions.partition_point(|&function| self.reached.functions[function].offset <= expected);
            let function = functions[next.saturating_sub(1)];
            let start = self.reached.functions[function].offset;
            return Ok(Resolution::new(Target::Function(function), offset.wrapping_sub(start).cast_signed()));
        }
        let target = Target::Data(self.data(place.member, place.section, from)?);
        Ok(Resolution { target, addend: offset.cast_signed(), thread_local: member.flags(place.section)?.contains(elf::SHF_TLS) })
    }

    /// Adds an executable section with all of its functions.
    fn code(&mut self, member_id: MemberId, section: SectionIndex, from: Option<Node>) -> Result<SectionId> {
        if let Some(&id) = self.code.get(&(member_id, section)) {
            return Ok(id);
        }
        let member = self.member(member_id);
        let align = member.align(section)?;
        let is_llvm = member.is_llvm;
        let starts = self.labels(member_id)?.starts(member, section)?;
        let id = self.reached.sections.next_key();
        let mut functions = Vec::with_capacity(starts.len());
        for Start { offset, symbol, is_typed } in starts {
            let symbol = match symbol {
                Some(symbol) => text(member.symbol_name(member.symbol(symbol)?)?),
                None => text(member.section_name(section)?),
            };
            if self.kind.no_threads && !self.kind.allows_spawn && no_threads::does_spawned_work(&symbol) {
                return Err(no_threads::refusal(self.chain(from)).into());
            }
            let function = self.reached.functions.push(Function {
                path: path(&symbol),
                symbol,
                is_typed,
                member: member.name.clone(),
                is_llvm,
                section: id,
                offset,
                code: Vec::new(),
                align: if offset == 0 { align } else { align.min(1 << offset.trailing_zeros()) },
                relocs: Vec::new(),
                is_rust: false,
                is_gcc: false,
                lines: Vec::new(),
                inlined: Vec::new(),
                parts: Vec::new(),
                merged: None,
                unwinding: None,
            });
            self.function_from[function] = from;
            functions.push(function);
        }
        self.reached.sections.push(CodeSection { functions });
        self.reached.origins.push((member_id, section));
        self.code.insert((member_id, section), id);
        self.queue.push_back(Pending::Code(id));
        Ok(id)
    }

    fn labels(&mut self, member: MemberId) -> Result<&Labels> {
        let object = self.member(member);
        match self.labels.entry(member) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Labels::new(object)?)),
        }
    }

    /// Adds a data section.
    fn data(&mut self, member_id: MemberId, section: SectionIndex, from: Option<Node>) -> Result<DataId> {
        if let Some(&id) = self.sections.get(&(member_id, section)) {
            return Ok(id);
        }
        let member = self.member(member_id);
        let name = member.section_name(section)?;
        let flags = member.flags(section)?;
        if !flags.contains(elf::SHF_ALLOC) {
            return Err(member.damaged(format!("code refers to section {}, which is not loaded into memory", text(name))));
        }
        let writable = flags.contains(elf::SHF_WRITE) && !is_only_relocated(name);
        let label = match self.labels(member_id)?.only_object(section) {
            Some(symbol) => path(&text(member.symbol_name(member.symbol(symbol)?)?)),
            None => section_path(&text(name)),
        };
        let data = Data {
            name: label,
            member: member.name.clone(),
            bytes: Vec::new(),
            align: member.align(section)?,
            writable,
            mergeable: flags.contains(elf::SHF_MERGE),
            relocs: Vec::new(),
            bounds: DataBounds::default(),
        };
        let id = self.push_data(data, from);
        self.sections.insert((member_id, section), id);
        self.queue.push_back(Pending::Data(id, member_id, section));
        Ok(id)
    }

    /// Adds a tentative definition of C as data.
    fn common(&mut self, (member_id, symbol): (MemberId, SymbolIndex), name: &'a [u8], align: u64, from: Option<Node>) -> Result<DataId> {
        if let Some(&id) = self.commons.get(name) {
            return Ok(id);
        }
        let member = self.member(member_id);
        let raw = member.symbol(symbol)?;
        let align = align.max(1);
        if !align.is_power_of_two() {
            return Err(member.damaged(format!("{} has the impossible alignment {align}", text(name))));
        }
        let bytes = member.zeros(raw.st_size(LE))?;
        let (relocs, bounds) = (Vec::new(), DataBounds::default());
        let data = Data { name: text(name), member: member.name.clone(), bytes, align, writable: true, mergeable: false, relocs, bounds };
        let id = self.push_data(data, from);
        self.commons.insert(name, id);
        Ok(id)
    }

    fn push_data(&mut self, data: Data, from: Option<Node>) -> DataId {
        let id = self.reached.data.push(data);
        self.data_from[id] = from;
        id
    }

    fn refuse<T>(&self, member: MemberId, what: String, from: Option<Node>) -> Result<T> {
        let message = format!("{what}, which a Go object cannot express");
        let member = format!("it is referred to in the archive member {}", self.member(member).name);
        Err(Diagnostic::new(ErrorCode::Unsupported, message).chain(self.chain(from)).note(member).into())
    }

    /// The path by which an export first reached `node`, for messages.
    fn chain(&self, mut node: Option<Node>) -> Vec<Call> {
        let mut chain = Vec::new();
        while let Some(step) = node {
            let function = match step {
                Node::Function(id) => self.reached.functions[id].path.clone(),
                Node::Data(id) => self.reached.data[id].name.clone(),
            };
            // The last element of the chain is the function or data that refers to the refused target.
            chain.push(Call { place: diag::Place::of(function), how: Some("refers to") });
            node = match step {
                Node::Function(id) => self.function_from[id],
                Node::Data(id) => self.data_from[id],
            };
        }
        if let Some(last) = chain.first_mut() {
            last.how = None;
        }
        chain.reverse();
        chain
    }
}

/// Makes a relocation of a function or data item, whose bytes in the section go from `start` to `end`. The offset of the returned relocation counts
/// from `start`.
fn finished(member: &Member<'_>, reloc: RawReloc, resolution: Resolution, start: u64, end: u64) -> Result<Reloc> {
    let Resolution { target, addend, thread_local } = resolution;
    let kind = match member.machine.kind(reloc.kind) {
        _ if thread_local => RelocKind::ThreadLocal,
        // By the ABI, the addend is part of the cell's content, but some linkers add the addend to the cell's address. So such a relocation is
        // refused.
        RelocKind::GotPage | RelocKind::GotPageOffset if reloc.addend != 0 => RelocKind::Other(reloc.kind),
        kind => kind,
    };
    let length = match kind {
        RelocKind::Abs64 | RelocKind::Pc64 => 8,
        RelocKind::Pc32 | RelocKind::GotPc32 => 4,
        // An AArch64 relocation of an instruction must be at the instruction's first byte.
        RelocKind::Branch26 | RelocKind::Adr | RelocKind::Page | RelocKind::PageOffset | RelocKind::GotPage | RelocKind::GotPageOffset => {
            if !reloc.offset.is_multiple_of(4) {
                return Err(member.damaged(format!("a relocation at {:#x} lies inside an instruction", reloc.offset)));
            }
            4
        }
        RelocKind::ThreadLocal | RelocKind::Other(_) => 1,
    };
    let offset = reloc.offset.checked_sub(start).and_then(|offset| u32::try_from(offset).ok());
    match offset.filter(|_| reloc.offset.checked_add(length).is_some_and(|behind| behind <= end)) {
        Some(offset) => Ok(Reloc { offset, kind, target, addend }),
        None => Err(member.damaged(format!("a relocation at {:#x} lies outside of its function or section", reloc.offset))),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

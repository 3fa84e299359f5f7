//! Gives the analysis of one function access to other functions and to data: values of static cells, and outcomes of calls.

use super::Explorer;
use crate::analyze::flow::{Callees, Outcome, by_convention};
use crate::analyze::graph::InstanceId;
use crate::analyze::machine::Knowledge;
use crate::analyze::summary::{Edge, Summary};
use crate::analyze::value::Value;
use crate::code::Callee;
use crate::ids::DataId;
use crate::load::{Data, Object, Reloc, RelocKind, Target};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The functions by which Rust begins to unwind, and continues to unwind after a landing pad (Itanium C++ ABI, exception handling, 1.3).
const UNWINDING: [&str; 2] = ["_Unwind_RaiseException", "_Unwind_Resume"];

/// Maximum number of functions in a table of function pointers. A load from such a table gives the set of its functions. A load from a larger table
/// gives an unknown value, so that a call of the loaded pointer may reach any function whose address is taken. Without this limit, many functions
/// that call through one large table would need quadratic time and memory.
const LARGEST_TABLE: usize = 256;

/// Gives the analysis of one function access to other functions and to data.
pub(super) struct View<'w, 'a> {
    pub explorer: &'w mut Explorer<'a>,
    pub me: InstanceId,
}

impl Knowledge for View<'_, '_> {
    fn object(&self) -> &Object {
        self.explorer.object
    }

    fn entry_alignment(&self) -> Option<(u8, u8)> {
        self.explorer.functions[self.me].1.map(|entry| (entry, self.explorer.alignment()))
    }

    fn load(&mut self, data: DataId, offset: i64) -> Value {
        let section = &self.explorer.object.data[data];
        if !section.writable {
            return initial(self.explorer.object, data, offset);
        }
        self.explorer.readers.entry(data).or_default().insert(self.me);
        if self.explorer.exposed.contains(&data) {
            return Value::Unknown;
        }
        match self.explorer.cells.get(&(data, offset)) {
            Some(value) => value.clone(),
            None => initial(self.explorer.object, data, offset),
        }
    }

    fn load_any(&mut self, data: DataId, from: i64) -> Value {
        let section = &self.explorer.object.data[data];
        if section.writable {
            return Value::Unknown;
        }
        if let Some(label) = labels(section, from) {
            return label;
        }
        let mut targets = BTreeSet::new();
        for reloc in &section.relocs {
            if targets.len() > LARGEST_TABLE {
                return Value::Unknown;
            }
            match Callee::of(&reloc.target) {
                Some(callee) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 => targets.insert(callee),
                _ => return Value::Unknown,
            };
        }
        if targets.is_empty() { Value::Unknown } else { Value::Code(Arc::new(targets)) }
    }

    fn store(&mut self, data: DataId, offset: i64, value: &Value) {
        if !self.explorer.object.data[data].writable {
            return;
        }
        // Record only addresses of code and data, because such an address means the same in every function. Another value, for example the value of a
        // register on entry, has a meaning only in the function that stores it.
        let value = if value.is_address() { value } else { &Value::Unknown };
        let old = match self.explorer.cells.get(&(data, offset)) {
            Some(old) => old.clone(),
            None if self.explorer.object.data[data].relocs.iter().any(|r| i64::from(r.offset) == offset) => {
                initial(self.explorer.object, data, offset)
            }
            // The cell starts as zero, a null pointer. No code calls a null pointer, so the zero does not count.
            None => value.clone(),
        };
        let joined = old.join(value);
        if self.explorer.cells.get(&(data, offset)) != Some(&joined) {
            self.explorer.cells.insert((data, offset), joined);
            self.explorer.wake(data);
        }
    }

    fn take_address(&mut self, data: DataId) {
        if self.explorer.object.data[data].writable && self.explorer.exposed.insert(data) {
            self.explorer.wake(data);
        }
    }
}

impl Callees for View<'_, '_> {
    fn outcome(&mut self, callee: &Callee, edge: &Edge) -> Outcome {
        let id = match callee {
            Callee::Function(id) => id,
            Callee::Undefined(name) if self.explorer.object.unwinds && UNWINDING.contains(&name.as_str()) => {
                return Outcome { unwinds: true, ..Outcome::default() };
            }
            // Assume that an undefined function never returns. A call of the function is refused or, in code that runs only after a panic, goes to a
            // stub that never returns. If the function counted as returning, the analysis could find errors in code that never runs, for example
            // after a call of `abort`.
            Callee::Undefined(_) if self.explorer.lenient => return by_convention(self.explorer.machine),
            Callee::Undefined(_) => return Outcome::default(),
            Callee::Exit(exit) if exit.row().returns => return by_convention(self.explorer.machine),
            Callee::Exit(exit) => return Outcome { unwinds: exit.row().unwinds, ..Outcome::default() },
        };
        let alignment = self.explorer.alignment_at(self.me, edge, *id);
        let target = self.explorer.instance(*id, alignment);
        self.explorer.analyze_new_callee(target);
        if self.explorer.alignment_at(self.me, edge, *id) != alignment {
            // The analysis of the callee has just shown that the callee takes stack arguments. The caller's analysis has assumed the opposite, so
            // repeat it.
            self.explorer.queue.insert(self.me);
        }
        // Register the caller only after the callee's analysis. Otherwise the new result would queue the caller again, although this analysis of the
        // caller already uses the result.
        self.explorer.callers.entry(target).or_default().insert(self.me);
        match &self.explorer.summaries[target.as_u32() as usize] {
            Some(Summary { returns, clobbers, changes, unwinds, lost, .. }) => {
                Outcome { returns: *returns, clobbers: clobbers | changes, unwinds: *unwinds, lost: *lost }
            }
            None => Outcome::default(),
        }
    }
}

/// Returns the value of the entries if a table of addresses inside one function begins at `from`; otherwise `None`. The table ends at a gap in the
/// relocations, or where another item may begin.
fn labels(section: &Data, from: i64) -> Option<Value> {
    let first = u32::try_from(from).ok()?;
    let at = section.relocs.partition_point(|reloc| reloc.offset < first);
    let Target::Function(id) = section.relocs.get(at)?.target else { return None };
    let next = section.bounds.starts.partition_point(|&start| start <= first);
    let end = section.bounds.starts.get(next).copied().unwrap_or(u32::MAX);
    let entries = section.relocs[at..].iter().enumerate();
    let mut entries = entries.take_while(|(k, reloc)| reloc.offset as usize == first as usize + 8 * k && reloc.offset < end).peekable();
    entries.peek()?;
    let is_label = |reloc: &Reloc| reloc.kind == RelocKind::Abs64 && reloc.addend != 0 && reloc.target == Target::Function(id);
    entries.all(|(_, reloc)| is_label(reloc)).then_some(Value::Label(id))
}

/// Returns the initial value of a cell in a data section.
fn initial(object: &Object, data: DataId, offset: i64) -> Value {
    let section = &object.data[data];
    let Ok(at) = u32::try_from(offset) else { return Value::Unknown };
    let found = section.relocs.binary_search_by_key(&at, |r| r.offset);
    match found.map(|i| &section.relocs[i]) {
        Ok(reloc) if reloc.kind == RelocKind::Abs64 => match &reloc.target {
            Target::Data(id) => Value::Data(*id, reloc.addend),
            Target::Function(id) if reloc.addend != 0 => Value::Label(*id),
            target => match Callee::of(target) {
                Some(callee) if reloc.addend == 0 => Value::code(callee),
                _ => Value::Unknown,
            },
        },
        _ => Value::Unknown,
    }
}

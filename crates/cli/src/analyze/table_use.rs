//! Proves that a function uses the addresses of its jump tables only for the jumps through them. The proof follows the copies of words that `flow`
//! records. Lowering builds new tables, so lowering depends on this proof.
//!
//! Lowering builds a new table, and the instruction that makes the old table's address gets the address of the new table. The entries of the new
//! table are other numbers, and other data follows the table, so only the jump may depend on the entries. Code may copy the address, keep it in the
//! frame, load an entry through it, and add the entry to the address for the jump. Every other read is refused: this module refuses other reads in
//! the function itself, and lowering refuses reads in other functions ([`TableAddresses`]).
//!
//! After the jump, the register still holds the table's address, but compilers treat the register as undefined: compiled code may pass or return this
//! register where any value will do. So the jump marks the address as *spent*, and then such uses are accepted.
//!
//! In a function compiled by rustc, LLVM made the table, and only the jump reads its address. Any other read of the register, even on a path that
//! does not lead to the jump, reads an undefined value. But inline assembly may have a table of its own. So two uses are refused: an access through
//! the table's address to anything but an entry, and, before the jump, a read of an entry, or of the sum of an entry and the address, for another
//! purpose than the jump.

use super::summary::{Summary, TableAddresses};
use crate::code::{Word, WordUses};
use crate::ids::DataId;
use crate::load::Object;
use std::collections::{BTreeMap, BTreeSet};

pub(super) type Place = (DataId, i64);

/// The facts about each instruction that `flow` records for this proof.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub words: BTreeMap<usize, WordUses>,
    /// For each call, the registers that the call may change, one bit each.
    pub lost: BTreeMap<usize, u32>,
    /// For each instruction, the distances to code that the instruction reads from data, as (section, offset).
    distances: BTreeMap<usize, Vec<(DataId, u32)>>,
}

impl Recorded {
    /// Records the distances to code that the instruction `at` accesses in data. They replace the distances recorded for this instruction before.
    /// `place` is (section, offset, number of bytes), as in `Effect::data`. If the operand has an index, `place` is the place at index 0.
    pub fn access(&mut self, object: &Object, at: usize, place: Option<(DataId, i64, i64)>) {
        self.distances.remove(&at);
        let Some((id, from, size)) = place else { return };
        let relocs = &object.data[id].relocs;
        let first = relocs.partition_point(|reloc| i64::from(reloc.offset) + 4 <= from);
        let reached = relocs[first..].iter().take_while(|reloc| i64::from(reloc.offset) < from + size.max(1));
        let found: Vec<(DataId, u32)> = reached.filter(|reloc| reloc.is_distance()).map(|reloc| (id, reloc.offset)).collect();
        if !found.is_empty() {
            self.distances.insert(at, found);
        }
    }
}

/// The ways in which a function uses the addresses of its jump tables.
#[derive(Debug, Default)]
pub(super) struct TableUse {
    /// The instructions that misuse a table's address or a value computed from it.
    pub misused: BTreeSet<usize>,
    /// For each instruction, the registers that hold a table's address, or a value computed from the address, before the instruction.
    pub table_addresses: BTreeMap<usize, TableAddresses>,
    /// The distances to code that the function reads from data for another purpose than a jump, as (section, offset).
    pub distances: BTreeSet<(DataId, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Address,
    Entry,
    Target,
}

/// The facts about a word that, on some path, holds a jump table's address, an entry of the table, or the sum of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hold {
    /// The word's value, if it is equal on every path; `None` if the word may have another value on some path.
    exactly: Option<(Kind, Place)>,
    spent: bool,
    /// Number of lowest bytes of the word that have been overwritten.
    low: u8,
}

impl Hold {
    /// True if the word is, on every path, an entry of a table, or the sum of an entry and the table's address.
    fn is_number(&self) -> bool {
        self.exactly.is_some_and(|(kind, _)| kind != Kind::Address)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    regs: BTreeMap<usize, Hold>,
    /// The frame words that hold such a value, by distance in bytes from SP on entry. For each word, what is known about it, and a mask with one bit
    /// for each of its eight bytes: the bit is set until the byte is overwritten.
    slots: BTreeMap<i64, (Hold, u8)>,
}

fn join(a: Option<Hold>, b: Option<Hold>) -> Option<Hold> {
    match (a, b) {
        (Some(a), Some(b)) => {
            Some(Hold { exactly: a.exactly.filter(|_| a.exactly == b.exactly), spent: a.spent && b.spent, low: a.low.min(b.low) })
        }
        (one, other) => one.or(other).map(|hold| Hold { exactly: None, ..hold }),
    }
}

impl State {
    fn join(&self, other: &State) -> State {
        let regs = self.regs.keys().chain(other.regs.keys());
        let slots = self.slots.keys().chain(other.slots.keys());
        let slot = |state: &State, at: &i64| state.slots.get(at).copied();
        State {
            regs: regs.filter_map(|reg| Some((*reg, join(self.regs.get(reg).copied(), other.regs.get(reg).copied())?))).collect(),
            slots: slots
                .filter_map(|at| {
                    let (a, b) = (slot(self, at), slot(other, at));
                    let bytes = a.map_or(0, |(_, bytes)| bytes) | b.map_or(0, |(_, bytes)| bytes);
                    Some((*at, (join(a.map(|(hold, _)| hold), b.map(|(hold, _)| hold))?, bytes)))
                })
                .collect(),
        }
    }

    /// Returns the words of the frame that overlap the `size` bytes that begin at `from`, each with one bit for every overlapping byte.
    fn overlapping(&self, (from, size): (i64, i64)) -> Vec<(i64, u8)> {
        let near = self.slots.range(from - 7..from + size);
        let bits = |at: i64| (0..8).filter(|byte| (from..from + size).contains(&(at + byte))).fold(0u8, |set, byte| set | 1 << byte);
        near.map(|(&at, &(_, bytes))| (at, bits(at) & bytes)).filter(|&(_, bits)| bits != 0).collect()
    }

    fn table_addresses(&self, is_rust: bool) -> TableAddresses {
        let of = |spent: bool| {
            let regs = self.regs.iter().filter(|(_, hold)| hold.low == 0 && (hold.spent || is_rust && !hold.is_number()) == spent);
            regs.fold(0, |set, (reg, _)| set | 1 << reg)
        };
        TableAddresses { fresh: of(false), spent: of(true) }
    }

    /// Updates the state by an instruction. Returns true if the instruction misuses a table's address.
    fn step(&mut self, words: &WordUses, tables: &BTreeSet<Place>, is_rust: bool) -> bool {
        let held = |state: &State, reg: usize, kind: Kind, place: Place| {
            state.regs.get(&reg).is_some_and(|hold| hold.low == 0 && hold.exactly == Some((kind, place)))
        };
        // Code that uses an address reads all 8 bytes of the register. So after the jump, a read of fewer bytes does not use the address, and is
        // harmless.
        let is_address = |hold: &Hold, bytes: i64| match is_rust {
            true => !hold.spent && hold.is_number(),
            false => !hold.spent || bytes >= 8,
        };
        let is_read =
            |&(reg, bytes): &(usize, u8)| self.regs.get(&reg).is_some_and(|hold| bytes > hold.low && is_address(hold, bytes.into()));
        let is_based = |reg: &usize| self.regs.get(reg).is_some_and(|hold| hold.exactly.is_some() && hold.low == 0);
        let mut misused = words.reads.iter().any(is_read) || words.entry.is_none() && words.based.iter().any(is_based);
        misused |= words.frame_read.is_some_and(|place| {
            let parts = self.overlapping(place);
            parts.iter().any(|(at, _)| is_address(&self.slots[at].0, place.1))
        });
        let mut made = Vec::new();
        for &(from, to) in &words.copies {
            let hold = match from {
                Word::Reg(reg) => self.regs.get(&reg).copied(),
                Word::Slot(at) => {
                    let parts = self.overlapping((at, 8));
                    misused |= parts.iter().any(|&part| part != (at, u8::MAX) && is_address(&self.slots[&part.0].0, 8));
                    self.slots.get(&at).map(|&(hold, _)| hold).filter(|_| !parts.is_empty())
                }
            };
            made.push((to, hold));
        }
        let fresh = |kind: Kind, place: Place| Some(Hold { exactly: Some((kind, place)), spent: false, low: 0 });
        if let Some((to, place)) = words.address.filter(|(_, place)| tables.contains(place)) {
            made.push((Word::Reg(to), fresh(Kind::Address, place)));
        }
        if let Some((base, to, place)) = words.entry {
            let is_copy = held(self, base, Kind::Address, place);
            misused |= !is_copy && (self.regs.contains_key(&base) || tables.contains(&place));
            made.push((Word::Reg(to), fresh(Kind::Entry, place).filter(|_| is_copy)));
        }
        if let Some((to, base, entry, place)) = words.target {
            let is_copy = held(self, base, Kind::Address, place) && held(self, entry, Kind::Entry, place);
            let any = self.regs.contains_key(&base) || self.regs.contains_key(&entry);
            misused |= !is_copy && (any || tables.contains(&place));
            made.push((Word::Reg(to), fresh(Kind::Target, place).filter(|_| is_copy)));
        }
        for &(reg, bytes) in &words.writes {
            match self.regs.get_mut(&reg) {
                // If a word is partly overwritten, the rest of the address is still followed. A spent word is forgotten instead, because compilers do
                // not use its remaining bytes.
                Some(hold) if bytes < 8 && !hold.spent => *hold = Hold { exactly: None, low: hold.low.max(bytes), ..*hold },
                _ => drop(self.regs.remove(&reg)),
            }
        }
        let slots = made.iter().filter_map(|&(to, _)| if let Word::Slot(at) = to { Some((at, 8)) } else { None });
        for place in words.frame_written.into_iter().chain(slots) {
            for (at, bits) in self.overlapping(place) {
                self.slots.entry(at).and_modify(|(_, bytes)| *bytes &= !bits);
            }
        }
        self.slots.retain(|_, (_, bytes)| *bytes != 0);
        for (to, hold) in made {
            match (to, hold) {
                (Word::Reg(reg), Some(hold)) => drop(self.regs.insert(reg, hold)),
                (Word::Reg(reg), None) => drop(self.regs.remove(&reg)),
                (Word::Slot(at), Some(hold)) => drop(self.slots.insert(at, (hold, u8::MAX))),
                (Word::Slot(_), None) => {}
            }
        }
        if let Some(place) = words.jump {
            let slots = self.slots.values_mut().map(|(hold, _)| hold);
            for hold in self.regs.values_mut().chain(slots) {
                hold.spent |= hold.exactly.is_none_or(|(_, of)| of == place);
            }
        }
        misused
    }
}

/// Follows the addresses of `tables` over the instructions that `flow` has reached. `successors` has for each instruction the instructions that
/// may come next. `is_rust` is true if rustc compiled the function.
pub(super) fn find(recorded: &Recorded, summary: &Summary, successors: &[Vec<usize>], tables: &BTreeSet<Place>, is_rust: bool) -> TableUse {
    let mut found = TableUse::default();
    for (at, distances) in &recorded.distances {
        let entry = recorded.words.get(at).and_then(|words| words.entry);
        if !entry.is_some_and(|(_, _, place)| tables.contains(&place)) {
            found.distances.extend(distances);
        }
    }
    if tables.is_empty() {
        return found;
    }
    let none = WordUses::default();
    let mut predecessors = vec![0u32; successors.len()];
    successors.iter().flatten().for_each(|&to| predecessors[to] += 1);
    // The states before the first instruction of each basic block.
    let mut states: BTreeMap<usize, State> = BTreeMap::from([(0, State::default())]);
    let mut queue = BTreeSet::from([0]);
    while let Some(mut at) = queue.pop_first() {
        let mut state = states[&at].clone();
        loop {
            if summary.escaping_values.contains_key(&at) {
                found.table_addresses.insert(at, state.table_addresses(is_rust));
            }
            if state.step(recorded.words.get(&at).unwrap_or(&none), tables, is_rust) {
                found.misused.insert(at);
            }
            if let Some(lost) = recorded.lost.get(&at) {
                state.regs.retain(|reg, _| lost >> reg & 1 == 0);
                let sp = -i64::from(summary.depths[at].unwrap_or(0));
                state.slots.retain(|&slot, _| slot >= sp);
            }
            if let [next] = successors[at][..]
                && predecessors[next] == 1
                && next != 0
            {
                at = next;
                continue;
            }
            for &to in &successors[at] {
                let joined = states.get(&to).map_or_else(|| state.clone(), |known| known.join(&state));
                if states.get(&to) != Some(&joined) {
                    states.insert(to, joined);
                    queue.insert(to);
                }
            }
            break;
        }
    }
    found.table_addresses.retain(|_, table_addresses| *table_addresses != TableAddresses::default());
    found
}

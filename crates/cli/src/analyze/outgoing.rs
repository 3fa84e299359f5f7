//! Determines which words of a function's frame may be arguments of a call, from the loads and stores that [`super::flow`] sees. The result limits
//! the number of arguments that lowering moves or copies.

use super::machine::Machine;
use super::state::State;
use super::summary::Edge;
use super::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The words of a function's frame, grouped by how the function uses them. Each word is given by its distance in bytes from SP on entry.
#[derive(Clone, Debug, Default)]
pub struct Outgoing {
    /// The words that the function itself reads. No call passes these words as arguments.
    read: BTreeSet<i64>,
    /// The frame addresses that the function passes to callees in registers.
    passed_addresses: BTreeSet<i64>,
    /// The words in which the function stores a frame address (amd64).
    addresses: BTreeSet<i64>,
    /// The words that an instruction reads while the analysis does not know that they hold a frame address.
    taken: BTreeSet<i64>,
    /// For each call, the words that have been written before it ([`State::written`]).
    written: BTreeMap<usize, u64>,
}

const WORD: i64 = 8;

/// The index of the first of the last eight bits of [`State::written`]. If these eight bits are all set, assume that all words above them are written
/// too, because `State::written` has no bits for the words above.
const ALL: u32 = u64::BITS - 8;

impl Outgoing {
    pub fn read(&mut self, bytes: Option<(i64, i64)>) {
        if let Some((from, to)) = bytes {
            self.read.extend((from.div_euclid(WORD)..(to + WORD - 1).div_euclid(WORD)).map(|word| word * WORD));
        }
    }

    /// Records an instruction that reads the word `taken` and writes the bytes `written`. `state` is the state after the instruction.
    pub fn keep(&mut self, state: &State, taken: Option<i64>, written: Option<(i64, i64)>) {
        self.taken.extend(taken);
        let is_address = |at: &i64| matches!(state.slots.value(*at), Some(Value::Sp(_)));
        self.addresses.extend(written.map(|(at, _)| at).filter(is_address));
    }

    /// True if the function stores a frame address in a word, and reads the word where the analysis no longer knows its content. Such a read may copy
    /// the address unseen by the analysis.
    pub fn rereads_address(&self) -> bool {
        !self.addresses.is_disjoint(&self.taken)
    }

    /// Records a call, or a jump to another function. `state` is the state before the instruction.
    pub fn call(&mut self, machine: &dyn Machine, at: usize, state: &State) {
        self.written.insert(at, state.written);
        let registers = state.regs.iter().enumerate().filter(|&(reg, _)| machine.argument_registers() >> reg & 1 != 0);
        self.passed_addresses.extend(registers.filter_map(|(_, value)| match value {
            Value::Sp(at) => Some(*at),
            _ => None,
        }));
    }

    /// Returns the number of bytes from SP up to the first word that the function itself reads. That word cannot be an argument of this call, because
    /// only the callee reads arguments.
    pub fn unread(&self, edge: &Edge) -> u32 {
        let sp = -i64::from(edge.depth);
        u32::try_from(self.read.range(sp..).next().copied().unwrap_or(0) - sp).unwrap_or(0)
    }

    /// Returns [`Edge::passable`] for amd64 and a function compiled by rustc. The words that may be arguments lie between SP and the first word that
    /// the function itself reads. The result is the number of bytes from SP to the end of the last of these words that was written since the last
    /// call.
    pub fn passable(&self, edge: &Edge) -> u32 {
        let written = self.written.get(&edge.inst).copied().unwrap_or(0);
        written_end(written, self.unread(edge) / WORD as u32) * WORD as u32
    }

    /// Returns [`Edge::written`] and [`Edge::passable`] for arm64. Compilers put stack arguments at SP without gaps, and only the callee reads
    /// them.
    pub fn passed(&self, edge: &Edge, is_llvm: bool) -> (u32, u32) {
        let sp = -i64::from(edge.depth);
        let read = self.read.range(sp..).next().copied().unwrap_or(0);
        let own = self.passed_addresses.range(sp..read.max(sp)).next().copied().unwrap_or(read);
        let words = |end: i64| u32::try_from((end - sp) / WORD).unwrap_or(0);
        let written = self.written.get(&edge.inst).copied().unwrap_or(0);
        let passable = if is_llvm { written_end(written, words(read)) } else { words(read) };
        (written_end(written, words(own)) * WORD as u32, passable * WORD as u32)
    }
}

/// Returns the maximum number of bytes of stack arguments that a call in this state may pass, as far as the code before the call shows. The arguments
/// are at most the words from SP up to the first word that holds a callee-saved register's value on entry. If the code has written none of these
/// words, the result is 0.
pub fn written(machine: &dyn Machine, state: &State) -> u32 {
    let sp = state.sp(machine.sp());
    let saved = |value: &Value| match value {
        Value::Entry(reg) => machine.callee_saved().contains(&usize::from(*reg)),
        _ => false,
    };
    let end = state.slots.range(sp..0).find(|(_, value)| saved(value)).map_or(0, |(at, _)| at);
    let words = u32::try_from((end - sp) / 8).unwrap_or(0);
    let noted = if words < u64::BITS { state.written & ((1 << words) - 1) } else { state.written };
    if noted != 0 { words * 8 } else { 0 }
}

/// Returns the end of the last written word among the first `words`, as a number of words.
fn written_end(written: u64, words: u32) -> u32 {
    let written = if words < u64::BITS { written & ((1 << words) - 1) } else { written };
    // If all of the last eight recorded words are written, words further up may be written too.
    if written >> ALL == u64::MAX >> ALL { words } else { u64::BITS - written.leading_zeros() }
}

//! Which words of a function's frame may be arguments for what it calls.

use super::machine::Machine;
use super::state::{State, Value};
use super::summary::Edge;
use std::collections::{BTreeMap, BTreeSet};

/// What a function does with the words of its frame: which of them are arguments for what it calls.
#[derive(Clone, Debug, Default)]
pub struct Outgoing {
    /// Those that it reads, by their distance from SP on entry.
    read: BTreeSet<i64>,
    /// Addresses that it hands on.
    handed_on: BTreeSet<i64>,
    /// Those in which it keeps an address of its frame (amd64).
    addresses: BTreeSet<i64>,
    /// Those that it reads somewhere where it is not known that they do.
    taken: BTreeSet<i64>,
    /// By call: what is written ([`State::written`]).
    written: BTreeMap<usize, u64>,
}

const WORD: i64 = 8;

/// Where all words from here on are written, those that follow may be, too.
const ALL: u32 = u64::BITS - 8;

impl Outgoing {
    pub fn read(&mut self, bytes: Option<(i64, i64)>) {
        if let Some((from, to)) = bytes {
            self.read.extend((from.div_euclid(WORD)..(to + WORD - 1).div_euclid(WORD)).map(|word| word * WORD));
        }
    }

    /// An instruction reads the word `taken`, and writes these bytes; `state` is the one behind it.
    pub fn keep(&mut self, state: &State, taken: Option<i64>, written: Option<(i64, i64)>) {
        self.taken.extend(taken);
        let is_address = |at: &i64| matches!(state.slots.get(at), Some((Value::Sp(_), _)));
        self.addresses.extend(written.map(|(at, _)| at).filter(is_address));
    }

    /// Is a word read as anything that has held an address of the frame? That one may have moved by then.
    pub fn loses_address(&self) -> bool {
        !self.addresses.is_disjoint(&self.taken)
    }

    /// A call, or a jump to another function, in this state.
    pub fn call(&mut self, machine: &dyn Machine, at: usize, state: &State) {
        self.written.insert(at, state.written);
        let registers = state.regs.iter().enumerate().filter(|&(reg, _)| machine.argument_registers() >> reg & 1 != 0);
        self.handed_on.extend(registers.filter_map(|(_, value)| match value {
            Value::Sp(at) => Some(*at),
            _ => None,
        }));
    }

    /// Bytes from SP up to the first word that the function reads, at this call: what it reads itself is no argument for another.
    pub fn unread(&self, edge: &Edge) -> u32 {
        let sp = -i64::from(edge.depth);
        u32::try_from(self.read.range(sp..).next().copied().unwrap_or(0) - sp).unwrap_or(0)
    }

    /// [`Edge::passable`] on amd64, of a function that rustc has compiled: bytes from SP up to the last word that it has written since its
    /// last call, of those below the first that it reads.
    pub fn passable(&self, edge: &Edge) -> u32 {
        let written = self.written.get(&edge.inst).copied().unwrap_or(0);
        last(written, self.unread(edge) / WORD as u32) * WORD as u32
    }

    /// [`Edge::written`] and [`Edge::passable`] on arm64. Where compilers pass arguments on the stack they begin at SP, nothing else lies among them,
    /// and only the callee reads them.
    pub fn passed(&self, edge: &Edge, is_llvm: bool) -> (u32, u32) {
        let sp = -i64::from(edge.depth);
        let read = self.read.range(sp..).next().copied().unwrap_or(0);
        let own = self.handed_on.range(sp..read.max(sp)).next().copied().unwrap_or(read);
        let words = |end: i64| u32::try_from((end - sp) / WORD).unwrap_or(0);
        let written = self.written.get(&edge.inst).copied().unwrap_or(0);
        let passable = if is_llvm { last(written, words(read)) } else { words(read) };
        (last(written, words(own)) * WORD as u32, passable * WORD as u32)
    }
}

/// Bytes of arguments that a call may pass on the stack in this state, as far as it is known before the rest of the function: all words
/// from SP up to the first that keeps what a callee-saved register held, if any of them has been written.
pub fn written(machine: &dyn Machine, state: &State) -> u32 {
    let sp = state.sp(machine.sp());
    let saved = |value: &Value| match value {
        Value::Entry(reg) => machine.callee_saved().contains(&usize::from(*reg)),
        _ => false,
    };
    let end = state.slots.range(sp..0).find(|(_, (value, _))| saved(value)).map_or(0, |(&at, _)| at);
    let words = u32::try_from((end - sp) / 8).unwrap_or(0);
    let noted = if words < u64::BITS { state.written & ((1 << words) - 1) } else { state.written };
    if noted != 0 { words * 8 } else { 0 }
}

/// How far the words reach that are written, of so many that may be.
fn last(written: u64, words: u32) -> u32 {
    let written = if words < u64::BITS { written & ((1 << words) - 1) } else { written };
    // What follows is not noted.
    if written >> ALL == u64::MAX >> ALL { words } else { u64::BITS - written.leading_zeros() }
}

//! Which words of a function's frame may be arguments for what it calls (arm64).

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
    /// By call: what is written ([`State::written`]).
    written: BTreeMap<usize, u64>,
}

const WORD: i64 = 8;

/// Where one of the words from here on is written, all that follow may be: an argument has eight words at most, and need not be written
/// whole.
const ALL: u32 = u64::BITS - 8;

impl Outgoing {
    pub fn read(&mut self, bytes: Option<(i64, i64)>) {
        if let Some((from, to)) = bytes {
            self.read.extend((from.div_euclid(WORD)..(to + WORD - 1).div_euclid(WORD)).map(|word| word * WORD));
        }
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

    /// [`Edge::written`]. Where compilers pass arguments on the stack they begin at SP, nothing else lies among them, and only the callee
    /// reads them.
    pub fn passed(&self, edge: &Edge) -> u32 {
        let sp = -i64::from(edge.depth);
        let own = self.read.range(sp..).chain(self.handed_on.range(sp..)).min().copied().unwrap_or(0);
        let words = u32::try_from((own - sp) / WORD).unwrap_or(0);
        let written = self.written.get(&edge.inst).copied().unwrap_or(0);
        let written = if words < u64::BITS { written & ((1 << words) - 1) } else { written };
        let count = match u64::BITS - written.leading_zeros() {
            // What follows is not noted.
            ALL.. => words,
            count => count,
        };
        count * WORD as u32
    }
}

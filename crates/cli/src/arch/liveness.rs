//! Which registers are read later. What an instruction reads and writes is the machine's affair; this follows control.

use super::{Code, Dest, Flow};
use crate::analyze::JumpTable;
use std::collections::BTreeMap;

/// A set of registers (and what else a machine counts), one bit each.
pub type Set = u32;

/// By instruction: what is live before and after it.
pub struct Liveness {
    before: Vec<Set>,
    after: Vec<Set>,
}

/// By instruction: what it reads, and what it replaces whatever it held. Nothing for one that is not reached.
pub struct Uses {
    pub reads: Vec<Set>,
    pub writes: Vec<Set>,
}

impl Liveness {
    /// Live before the instruction.
    pub fn before(&self, at: usize) -> Set {
        self.before[at]
    }

    /// Live after it.
    pub fn after(&self, at: usize) -> Set {
        self.after[at]
    }

    /// Backward dataflow over the instructions that are reached: those that have a depth.
    pub fn new(code: &Code, uses: &Uses, tables: &BTreeMap<usize, JumpTable>, depths: &[Option<u32>]) -> Liveness {
        let count = code.insts.len();
        let mut live = Liveness { before: vec![0; count], after: vec![0; count] };
        loop {
            let mut changed = false;
            for at in (0..count).rev().filter(|&at| depths[at].is_some()) {
                let out = live.behind(code, tables, at);
                let before = uses.reads[at] | (out & !uses.writes[at]);
                changed |= live.before[at] != before;
                live.before[at] = before;
                live.after[at] = out;
            }
            if !changed {
                return live;
            }
        }
    }

    /// Live before any instruction of the function that can follow.
    fn behind(&self, code: &Code, tables: &BTreeMap<usize, JumpTable>, at: usize) -> Set {
        let live = |to: Option<usize>| to.and_then(|to| self.before.get(to)).copied().unwrap_or(0);
        let next = live(Some(at + 1));
        match &code.insts[at].flow {
            Flow::Jump(Dest::Local(to)) => live(code.at(*to)),
            Flow::Branch(Dest::Local(to)) => live(code.at(*to)) | next,
            Flow::IndirectJump => tables.get(&at).into_iter().flat_map(|table| &table.targets).fold(0, |set, &to| set | live(code.at(to))),
            Flow::Jump(_) | Flow::Return | Flow::Trap | Flow::Forbidden(..) => 0,
            Flow::Next | Flow::Call(_) | Flow::IndirectCall | Flow::Branch(_) => next,
        }
    }
}

//! Which registers are read later: needed where a scratch register must be found.

use super::insn::{LR, SP};
use super::{CALLEE_SAVED, Code, instruction};
use crate::arch::{Dest, Flow};
use crate::load::Function;

/// Registers that a callee may read: x0 to x8 (arguments, the place of a large result).
const ARGUMENTS: u32 = 0x1ff;
/// Registers that a caller may read after a return: x0 to x7.
const RESULTS: u32 = 0xff;

fn saved() -> u32 {
    CALLEE_SAVED.iter().fold(1 << SP | 1 << LR, |set, r| set | 1 << r)
}

/// By instruction: what is live before and after it, as a set of registers (bit = number).
pub struct Liveness {
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Liveness {
    /// Live before the instruction.
    pub fn before(&self, at: usize) -> u32 {
        self.before[at]
    }
    /// Live after it.
    pub fn after(&self, at: usize) -> u32 {
        self.after[at]
    }

    /// Backward dataflow over the instructions that are reached.
    pub fn new(function: &Function, code: &Code, depths: &[Option<u32>]) -> Liveness {
        let count = code.insts.len();
        let mut reads = vec![0u32; count];
        let mut writes = vec![0u32; count];
        for (at, inst) in code.insts.iter().enumerate().filter(|(at, _)| depths[*at].is_some()) {
            let i = instruction(function, inst);
            (reads[at], writes[at]) = (i.reads, i.writes);
            match &inst.flow {
                // No relocation: a branch the assembler resolved within hand-written code, which may have rules of its own.
                Flow::Call(Dest::Entry(_)) | Flow::Jump(Dest::Entry(_)) | Flow::Branch(Dest::Entry(_)) if inst.reloc.is_none() => {
                    reads[at] = u32::MAX;
                }
                Flow::Call(_) | Flow::IndirectCall => {
                    reads[at] |= ARGUMENTS | saved() & !(1 << LR);
                    writes[at] |= !saved() | 1 << LR;
                }
                Flow::Return => reads[at] |= RESULTS | saved(),
                Flow::Jump(Dest::Entry(_)) | Flow::Branch(Dest::Entry(_)) | Flow::IndirectJump => reads[at] |= ARGUMENTS | saved(),
                _ => {}
            }
        }
        let mut before = vec![0u32; count];
        let mut after = vec![0u32; count];
        loop {
            let mut changed = false;
            for at in (0..count).rev().filter(|&at| depths[at].is_some()) {
                let follow = |to: Option<usize>| to.and_then(|to| before.get(to)).copied().unwrap_or(0);
                let out = match &code.insts[at].flow {
                    Flow::Jump(Dest::Local(to)) => follow(code.at(*to)),
                    Flow::Branch(Dest::Local(to)) => follow(code.at(*to)) | follow(Some(at + 1)),
                    Flow::Jump(_) | Flow::Return | Flow::Trap | Flow::Forbidden(..) | Flow::IndirectJump => 0,
                    Flow::Next | Flow::Call(_) | Flow::IndirectCall | Flow::Branch(_) => follow(Some(at + 1)),
                };
                let live = reads[at] | (out & !writes[at]);
                changed |= before[at] != live;
                before[at] = live;
                after[at] = out;
            }
            if !changed {
                return Liveness { before, after };
            }
        }
    }
}

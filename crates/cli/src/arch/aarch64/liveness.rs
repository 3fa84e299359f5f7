//! Which registers are read later: needed where a scratch register must be found.

use super::insn::{LR, SP};
use super::{CALLEE_SAVED, Code, instruction};
use crate::analyze::Summary;
use crate::arch::liveness::{Liveness, Uses};
use crate::arch::{Dest, Flow};
use crate::load::Function;

/// Registers that a callee may read: x0 to x8 (arguments, the place of a large result).
const ARGUMENTS: u32 = 0x1ff;
/// Registers that a caller may read after a return: x0 to x7.
const RESULTS: u32 = 0xff;

fn saved() -> u32 {
    CALLEE_SAVED.iter().fold(1 << SP | 1 << LR, |set, r| set | 1 << r)
}

/// What is live in a function, as sets of registers (bit = number).
pub fn liveness(function: &Function, code: &Code, summary: &Summary) -> Liveness {
    let count = code.insts.len();
    let (mut reads, mut writes) = (vec![0; count], vec![0; count]);
    for (at, inst) in code.insts.iter().enumerate().filter(|(at, _)| summary.depths[*at].is_some()) {
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
    Liveness::new(code, &Uses { reads, writes }, &summary.tables, &summary.depths)
}

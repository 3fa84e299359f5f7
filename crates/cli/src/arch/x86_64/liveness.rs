//! Which registers are read later: needed where a scratch register, or the flags, must be spared.

use super::{CALLEE_SAVED, Code, RSP, instruction, number};
use crate::analyze::Summary;
use crate::arch::liveness::{Liveness, Uses};
use crate::arch::{Dest, Flow};
use crate::load::Function;
use iced_x86::{InstructionInfoFactory, InstructionInfoOptions, OpAccess};

/// Bits of a set from this one on: the status flags, each for itself, since many instructions change but some of them
/// (`bt`, `inc`).
pub const FIRST_FLAG: u32 = 16;
/// All status flags.
pub const FLAGS: u32 = STATUS << FIRST_FLAG;
const ALL: u32 = 0xFFFF | FLAGS;

/// Registers that a callee may read: arguments (rdi, rsi, rdx, rcx, r8, r9), rax (vector count) and r10 (static chain).
const ARGUMENTS: u32 = 1 << 7 | 1 << 6 | 1 << 2 | 1 << 1 | 1 << 8 | 1 << 9 | 1 | 1 << 10;
/// Registers that a caller may read after a return: rax, rdx, rcx.
const RESULTS: u32 = 1 | 1 << 2 | 1 << 1;

fn saved() -> u32 {
    CALLEE_SAVED.iter().fold(1 << RSP, |set, r| set | 1 << r)
}

/// What is live in a function, as sets of registers (bit = number) and flags.
pub fn liveness(function: &Function, code: &Code, summary: &Summary) -> Liveness {
    let count = code.insts.len();
    let (mut reads, mut writes) = (vec![0; count], vec![0; count]);
    let mut factory = InstructionInfoFactory::new();
    for (at, inst) in code.insts.iter().enumerate() {
        if summary.depths[at].is_none() {
            continue;
        }
        let i = instruction(function, inst);
        for used in factory.info_options(&i, InstructionInfoOptions::NO_MEMORY_USAGE).used_registers() {
            let Some(reg) = number(used.register()) else { continue };
            match used.access() {
                // A write of 8 or 16 bits keeps the rest of the register.
                OpAccess::Write if used.register().size() >= 4 => writes[at] |= 1 << reg,
                OpAccess::NoMemAccess | OpAccess::None => {}
                _ => reads[at] |= 1 << reg,
            }
        }
        reads[at] |= (i.rflags_read() & STATUS) << FIRST_FLAG;
        // A flag that is replaced, or left undefined, was dead. A shift by a count that may be zero replaces none.
        if !may_keep_flags(&i) {
            writes[at] |= (i.rflags_modified() & STATUS) << FIRST_FLAG;
        }
        match &inst.flow {
            // No relocation: a branch the assembler resolved within hand-written code, which may have rules of its own.
            Flow::Call(Dest::Entry(_)) if inst.reloc.is_none() => reads[at] = ALL & !FLAGS,
            Flow::Call(_) | Flow::IndirectCall => {
                reads[at] |= ARGUMENTS | saved();
                writes[at] |= ALL & !saved();
            }
            Flow::Return => reads[at] |= RESULTS | saved(),
            Flow::Jump(Dest::Entry(_)) | Flow::Branch(Dest::Entry(_)) if inst.reloc.is_none() => reads[at] = ALL & !FLAGS,
            Flow::Jump(Dest::Entry(_)) | Flow::Branch(Dest::Entry(_)) => reads[at] |= ARGUMENTS | saved(),
            Flow::IndirectJump if !summary.tables.contains_key(&at) => reads[at] |= ARGUMENTS | saved(),
            _ => {}
        }
    }
    Liveness::new(code, &Uses { reads, writes }, &summary.tables, &summary.depths)
}

/// OF, SF, ZF, AF, CF, PF as iced numbers them: its lowest six bits.
const STATUS: u32 = iced_x86::RflagsBits::OF
    | iced_x86::RflagsBits::SF
    | iced_x86::RflagsBits::ZF
    | iced_x86::RflagsBits::AF
    | iced_x86::RflagsBits::CF
    | iced_x86::RflagsBits::PF;

fn may_keep_flags(i: &iced_x86::Instruction) -> bool {
    use iced_x86::Mnemonic as M;
    matches!(i.mnemonic(), M::Shl | M::Shr | M::Sar | M::Shld | M::Shrd | M::Rol | M::Ror | M::Rcl | M::Rcr)
}

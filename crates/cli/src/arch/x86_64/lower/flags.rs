//! Lowers moves of SP between an instruction that sets flags and an instruction that reads them.
//!
//! For such moves, compilers use `lea` or `mov`, which change no flags. An example is an epilogue before a conditional branch. Go's assembler tracks
//! such a move only through the mnemonic `ADJSP`, which changes the flags.

use super::super::liveness::{FIRST_FLAG, FLAGS};
use super::encode::push_pop;
use super::{Body, GO_NAMES, Lowered, Piece, RSP, instruction};
use crate::code::{Flow, Role, Set};
use iced_x86::{InstructionInfoFactory, OpKind, Register};
use std::collections::BTreeSet;

/// The maximum number of words that are pushed or popped in place of one move of SP.
const MOST_WORDS: u32 = 32;

/// Returns the flags in a set, in the numbering of the crate iced.
pub(super) fn live(set: Set) -> u32 {
    ((set & FLAGS) >> FIRST_FLAG) as u32
}

impl Body<'_, '_, '_> {
    /// Emits a move of SP down by `by` bytes for the instruction `at`. The move preserves the flags in `live`.
    pub(super) fn adjust_keeping_flags(&mut self, at: usize, by: i64, live: u32) -> Lowered<()> {
        if by == 0 {
            return Ok(());
        }
        if let Some(setter) = self.repeatable_setter(at, live) {
            self.adjust(by);
            self.pieces.push(Piece::Depth(self.tracked));
            self.raw(self.bytes(&self.context.code.insts[setter]));
            return Ok(());
        }
        self.adjust_by_words(at, by)
    }

    /// Emits a move of SP down by `by` bytes for the instruction `at`, one word at a time. Pushes and pops change no flag.
    pub(super) fn adjust_by_words(&mut self, at: usize, by: i64) -> Lowered<()> {
        let words = u32::try_from(by.unsigned_abs() / 8).unwrap_or(u32::MAX);
        // A push writes a word of the frame that has no value yet. A pop writes a register that no later code reads.
        let popped = (0..16).find(|&r| r != RSP && self.context.liveness().after(at) >> r & 1 == 0);
        // A push is impossible if the function keeps values below SP, in the red zone.
        let pushed = Some(0).filter(|_| !self.context.instance.summary.red_zone);
        let reg = if by > 0 { pushed } else { popped };
        let Some(reg) = reg.filter(|_| by % 8 == 0 && words <= MOST_WORDS) else {
            return Err(self.context.refuse(at, "moves the stack pointer between setting flags and reading them"));
        };
        for _ in 0..words {
            self.pieces.push(Piece::Depth(self.tracked));
            if by > 0 {
                self.mnemonic(format!("PUSHQ {}", GO_NAMES[reg]), push_pop(0x50, reg), 8);
            } else {
                self.mnemonic(format!("POPQ {}", GO_NAMES[reg]), push_pop(0x58, reg), -8);
            }
        }
        Ok(())
    }

    /// Returns the last instruction before `at` that changed flags in `live`, if repeating this instruction at `at` sets all these flags again. The
    /// instruction must have no other effect (as `test`, `cmp`, `vptest`), and must read only registers. None of these registers may have changed
    /// since.
    fn repeatable_setter(&self, at: usize, live: u32) -> Option<usize> {
        let targets = self.context.targets();
        let mut factory = InstructionInfoFactory::new();
        let mut written: BTreeSet<Register> = BTreeSet::new();
        for before in (0..at).rev() {
            let inst = &self.context.code.insts[before];
            // If control may enter between the instruction and `at`, no instruction can be repeated.
            if targets.contains(&(before + 1)) || self.context.instance.summary.depths[before].is_none() {
                return None;
            }
            if inst.flow != Flow::Next || inst.role != Role::Plain {
                return None;
            }
            let i = instruction(self.context.function, inst);
            let used = factory.info(&i).used_registers();
            if i.rflags_modified() & live == 0 {
                written.extend(used.iter().filter(|u| writes(u.access())).map(|u| u.register().full_register()));
                continue;
            }
            // The x87 register stack may have moved since then, because some comparisons pop it (`fcomip`).
            let is_plain = |k: u32| i.op_kind(k) != OpKind::Memory && !i.op_register(k).is_st();
            let only_registers = (0..i.op_count()).all(is_plain) && inst.reloc.is_none();
            let repeats = used.iter().all(|u| {
                let full = u.register().full_register();
                !writes(u.access()) && full != Register::RSP && !written.contains(&full)
            });
            // An instruction that reads flags could have another result when it is repeated.
            let sets = i.rflags_modified() & live == live && i.rflags_read() == 0;
            return (only_registers && repeats && sets).then_some(before);
        }
        None
    }
}

fn writes(access: iced_x86::OpAccess) -> bool {
    use iced_x86::OpAccess::{CondRead, NoMemAccess, None, Read};
    !matches!(access, Read | CondRead | NoMemAccess | None)
}

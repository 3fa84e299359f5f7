//! Follows the calls that unwind: control goes to a landing pad of the function, or to the caller.
//!
//! A landing pad is a second place where a call may end. SP at the landing pad is SP after the call, raised by the size of the call's stack
//! arguments. The callee-saved registers have the same values as at the call, except for registers that a callee has changed and not saved. The
//! exception and the selector are in the registers that return results (psABI §3.2.3; Itanium C++ ABI, exception handling, 2.5.2).

use super::{Walk, by_convention};
use crate::analyze::state::State;
use crate::analyze::summary::{Unwound, Way};
use crate::analyze::value::Value;
use crate::code::Reg;
use crate::diag::ErrorCode;
use std::collections::BTreeMap;

impl Walk<'_> {
    /// Follows the unwinding of the call `at`. `lost` has the callee-saved registers that the callee may have changed when it unwinds.
    /// `resumes` is true if the call ends a landing pad. `state` is the state at the call.
    pub(super) fn unwind(&mut self, at: usize, (lost, resumes): (u32, bool), state: &State) -> Option<Unwound> {
        let inst = &self.code.insts[at];
        let tables = match &self.function.unwinding {
            Some(Err(reason)) => {
                if self.failed.insert(at) {
                    let place = self.object.place(self.function, inst.offset);
                    self.summary.errors.push(reason.as_ref().clone().at(place));
                }
                return None;
            }
            Some(Ok(tables)) => Some(tables),
            None => None,
        };
        let (saved, kept) = (self.saved(state), self.kept(lost, state));
        // Look up the last byte of the call, not the return address: the return address belongs to the next instruction, and this instruction may be
        // in another call site.
        let last = inst.end() - 1;
        let way = match tables.filter(|tables| tables.sites.is_some()) {
            None => Way::Leaves,
            Some(tables) => match tables.site_at(last).map(|site| site.pad) {
                None => Way::Ends,
                Some(None) => Way::Leaves,
                Some(Some(pad)) => {
                    let (Some(index), Some(frame)) = (self.code.at(pad.offset), tables.frame_at(last)) else {
                        self.fail(at, ErrorCode::Unsupported, "unwinds to a place that is not the start of an instruction".into());
                        return None;
                    };
                    Way::Lands { pad: index, action: pad.action, arguments: frame.arguments }
                }
            },
        };
        match way {
            Way::Lands { pad, arguments, .. } => {
                let (sp, mut landed) = (self.machine.sp(), state.clone());
                let top = state.sp(sp) + i64::from(arguments);
                self.machine.returned(&mut landed, by_convention(self.machine).clobbers | lost);
                landed.regs[sp] = Value::Sp(top);
                landed.slots.forget_below(top);
                landed.written = 0;
                self.successors[at].push(pad);
                self.reach(pad, &landed);
            }
            Way::Leaves => {
                if resumes {
                    self.exits.push(at);
                }
                let is_lost = |reg: &&Reg| kept >> **reg & 1 == 0 && !saved.contains_key(*reg);
                self.leave_unwinding(self.machine.callee_saved().iter().filter(is_lost).fold(0, |set, reg| set | 1 << reg));
            }
            Way::Ends => {}
        }
        Some(Unwound { saved, kept, way })
    }

    /// Records that a jump to another function may unwind to the caller of this function.
    pub(super) fn unwind_from_tail(&mut self, lost: u32, state: &State) {
        let kept = self.kept(lost, state);
        self.leave_unwinding(self.machine.callee_saved().iter().filter(|&&reg| kept >> reg & 1 == 0).fold(0, |set, reg| set | 1 << reg));
    }

    fn leave_unwinding(&mut self, lost: u32) {
        self.summary.unwinds = true;
        self.summary.lost |= lost;
    }

    /// Returns the callee-saved registers whose value on entry is in the frame, each with the distance of the highest such word from SP on entry.
    fn saved(&self, state: &State) -> BTreeMap<Reg, i64> {
        // The distances of words in an aligned frame are not exact.
        let lowest = state.aligned.map_or(i64::MIN, |frame| frame.top);
        let word = |reg: Reg| state.slots.from(lowest).filter(|(_, value)| **value == Value::Entry(reg as u8)).last();
        self.machine.callee_saved().iter().filter_map(|&reg| Some((reg, word(reg)?.0))).collect()
    }

    /// Returns the callee-saved registers that still hold their value on entry after a callee may have changed the registers in `lost`.
    fn kept(&self, lost: u32, state: &State) -> u32 {
        let is_kept = |reg: &&Reg| state.regs[**reg] == Value::Entry(**reg as u8) && lost >> **reg & 1 == 0;
        self.machine.callee_saved().iter().filter(is_kept).fold(0, |set, reg| set | 1 << reg)
    }
}

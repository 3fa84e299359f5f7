//! What a function hands on where control leaves it, beyond what it means to: upper parts of addresses, which lowering makes only where
//! somebody reads them, and what callee-saved registers held on entry, which may be one of its caller's.

use super::flow::Summary;
use crate::arch::{Machine, State, Value};

/// What others may find where control goes to them, or returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    /// Registers that hold an upper part of an address, or may, a bit each.
    pub parts: u32,
    /// The frame keeps one where a callee could find it as an argument.
    pub kept_part: bool,
    /// Registers other than SP that hold the address it had on entry, a bit each.
    pub between: u32,
    /// Callee-saved registers that hold what they held on entry, a bit each.
    pub untouched: u32,
    /// Of which of them the frame keeps that where a callee could find it as an argument.
    pub kept: u32,
}

/// The callee-saved register whose value on entry this is, as a set.
fn callers(machine: &dyn Machine, value: &Value) -> u32 {
    match value {
        Value::Entry(reg) if machine.callee_saved().contains(&usize::from(*reg)) => 1 << reg,
        _ => 0,
    }
}

/// Where SP is, from SP on entry.
fn sp(machine: &dyn Machine, state: &State) -> i64 {
    match state.regs[machine.sp()] {
        Value::Sp(at) => at,
        _ => unreachable!("the stack pointer is always known"),
    }
}

/// Callee-saved registers whose value on entry is no longer followed where two ways meet.
pub fn forgotten(machine: &dyn Machine, a: &State, b: &State) -> u32 {
    let regs = a.regs.iter().zip(&b.regs).filter(|(a, b)| a != b).map(|(a, b)| callers(machine, a) | callers(machine, b));
    let slots = |a: &State, b: &State| {
        let frame = a.slots.range(sp(machine, a)..);
        let lost = frame.filter(|(at, (value, _))| b.slots.get(at).is_none_or(|(other, _)| other != value));
        lost.fold(0, |set, (_, (value, _))| set | callers(machine, value))
    };
    regs.fold(0, |set, regs| set | regs) | slots(a, b) | slots(b, a)
}

/// Notes what others may find where control leaves at this instruction, on this way too.
pub fn note(summary: &mut Summary, machine: &dyn Machine, at: usize, state: &State) {
    let mut crossing = summary.crossings.get(&at).copied().unwrap_or_default();
    for (reg, value) in state.regs.iter().enumerate() {
        let entry = callers(machine, value);
        if entry == 1 << reg {
            crossing.untouched |= entry;
        } else {
            // In another register it may be anything.
            summary.uses_entry |= entry;
        }
        crossing.between |= u32::from(reg != machine.sp() && *value == Value::Sp(0)) << reg;
        crossing.parts |= u32::from(value.is_part()) << reg;
    }
    for (_, (value, _)) in state.slots.range(sp(machine, state)..) {
        crossing.kept |= callers(machine, value);
        crossing.kept_part |= value.is_part();
    }
    summary.crossings.insert(at, crossing);
}

//! Values that escape where control leaves a function, beyond its arguments and results: upper parts of addresses,
//! which lowering computes only if another function reads them, and entry values of callee-saved registers, which may
//! be values of the caller. Lowering reads the result to decide which registers and address parts are live.

use super::machine::Machine;
use super::state::{State, Value};
use super::summary::Summary;
use std::collections::BTreeMap;

/// The callee-saved register whose entry value this is, as a set.
fn callers(machine: &dyn Machine, value: &Value) -> u32 {
    match value {
        Value::Entry(reg) if machine.callee_saved().contains(&usize::from(*reg)) => 1 << reg,
        _ => 0,
    }
}

/// Callee-saved registers whose entry value is no longer tracked after two paths join.
pub fn forgotten(machine: &dyn Machine, a: &State, b: &State) -> u32 {
    let regs = a.regs.iter().zip(&b.regs).filter(|(a, b)| a != b).map(|(a, b)| callers(machine, a) | callers(machine, b));
    let slots = |a: &State, b: &State| {
        let frame = a.slots.range(a.sp(machine.sp())..);
        let lost = frame.filter(|(at, (value, _))| b.slots.get(at).is_none_or(|(other, _)| other != value));
        lost.fold(0, |set, (_, (value, _))| set | callers(machine, value))
    };
    regs.fold(0, |set, regs| set | regs) | slots(a, b) | slots(b, a)
}

/// Adds the values that escape on this path at the instruction `at`, which leaves the function.
pub fn note(summary: &mut Summary, machine: &dyn Machine, at: usize, state: &State) {
    let mut crossing = summary.crossings.get(&at).copied().unwrap_or_default();
    for (reg, value) in state.regs.iter().enumerate() {
        let entry = callers(machine, value);
        if entry == 1 << reg {
            crossing.untouched |= entry;
        } else {
            // Another register holds the entry value and may use it for anything.
            summary.uses_entry |= entry;
        }
        crossing.between |= u32::from(reg != machine.sp() && *value == Value::Sp(0)) << reg;
        crossing.parts |= u32::from(value.is_part()) << reg;
    }
    for (_, (value, _)) in state.slots.range(state.sp(machine.sp())..) {
        crossing.kept |= callers(machine, value);
        crossing.kept_part |= value.is_part();
    }
    summary.crossings.insert(at, crossing);
}

/// Registers whose entry value only the frame holds, not any register that a call preserves, with the distance from SP
/// of the highest such word.
pub fn kept(machine: &dyn Machine, state: &State) -> BTreeMap<usize, u32> {
    let Some(link) = machine.link() else { return BTreeMap::new() };
    let mut kept = BTreeMap::new();
    let sp = state.sp(machine.sp());
    for (at, (value, _)) in state.slots.range(sp..) {
        if let Value::Entry(reg) = *value
            && let Ok(above) = u32::try_from(at - sp)
        {
            kept.insert(usize::from(reg), above);
        }
    }
    kept.retain(|&reg, _| reg == link || machine.callee_saved().contains(&reg));
    kept.retain(|&reg, _| !state.regs.iter().enumerate().any(|(holder, value)| holder != link && *value == Value::Entry(reg as u8)));
    kept
}

//! Finds values that are still in registers or in the frame where control leaves a function: at a call, a jump to another function, or a return.
//! Other code may read these values although they are neither arguments nor results.
//!
//! Three kinds of values matter:
//!
//! - The upper part of an address (the result of `adrp` on arm64): lowering computes this part only if other code reads it.
//! - The value that a callee-saved register had on entry: a caller may still need this value.
//! - The value of SP on entry, in another register than SP: a callee may use it to access the frame or the arguments.
//!
//! From these values lowering decides which registers and upper parts are live. On arm64, lowering refuses a function that passes SP on entry to
//! another function, unless the function copies its stack arguments or has none.

use super::machine::Machine;
use super::state::State;
use super::summary::Summary;
use super::value::Value;
use std::collections::BTreeMap;

/// If `value` is the value of a callee-saved register on entry, returns the set of this register, as a bit mask; otherwise the empty set.
fn callee_saved_entry(machine: &dyn Machine, value: &Value) -> u32 {
    match value {
        Value::Entry(reg) if machine.callee_saved().contains(&usize::from(*reg)) => 1 << reg,
        _ => 0,
    }
}

/// Returns the callee-saved registers whose value on entry is in some register or frame word on only one of two joining paths, as a bit mask. At the
/// join, the analysis loses track of this value.
pub fn lost_at_join(machine: &dyn Machine, a: &State, b: &State) -> u32 {
    let regs =
        a.regs.iter().zip(&b.regs).filter(|(a, b)| a != b).map(|(a, b)| callee_saved_entry(machine, a) | callee_saved_entry(machine, b));
    let slots = |a: &State, b: &State| {
        let saved = a.slots.from(a.sp(machine.sp())).map(|(at, value)| (at, value, callee_saved_entry(machine, value)));
        let lost = saved.filter(|&(at, value, entry)| entry != 0 && b.slots.value(at) != Some(value));
        lost.fold(0, |set, (.., entry)| set | entry)
    };
    regs.fold(0, |set, regs| set | regs) | slots(a, b) | slots(b, a)
}

/// Adds to the summary the values that other code may read after control has left the function at the instruction `at`. `state` is the state on one
/// path to `at`.
pub fn note(summary: &mut Summary, machine: &dyn Machine, at: usize, state: &State) {
    let mut escaping = summary.escaping_values.get(&at).copied().unwrap_or_default();
    for (reg, value) in state.regs.iter().enumerate() {
        let entry = callee_saved_entry(machine, value);
        if entry == 1 << reg {
            escaping.preserved |= entry;
        } else {
            // The value is in another register than the callee-saved register itself, so code may use the value for anything.
            summary.uses_entry |= entry;
        }
        escaping.entry_sp |= u32::from(reg != machine.sp() && *value == Value::Sp(0)) << reg;
        escaping.address_parts |= u32::from(value.is_part()) << reg;
    }
    for (_, value) in state.slots.from(state.sp(machine.sp())) {
        escaping.saved_in_frame |= callee_saved_entry(machine, value);
        escaping.part_in_frame |= value.is_part();
    }
    summary.escaping_values.insert(at, escaping);
}

/// Returns the callee-saved registers whose value on entry is in the frame but in no register, each with the distance in bytes from SP to the highest
/// word that holds the value. The link register is treated like a callee-saved register. A value that is in the link register counts as being in no
/// register, because a call overwrites the link register.
pub fn only_in_frame(machine: &dyn Machine, state: &State) -> BTreeMap<usize, u32> {
    let Some(link) = machine.link() else { return BTreeMap::new() };
    let mut found = BTreeMap::new();
    let sp = state.sp(machine.sp());
    for (at, value) in state.slots.from(sp) {
        if let Value::Entry(reg) = *value
            && let Ok(above) = u32::try_from(at - sp)
        {
            found.insert(usize::from(reg), above);
        }
    }
    found.retain(|&reg, _| reg == link || machine.callee_saved().contains(&reg));
    found.retain(|&reg, _| !state.regs.iter().enumerate().any(|(holder, value)| holder != link && *value == Value::Entry(reg as u8)));
    found
}

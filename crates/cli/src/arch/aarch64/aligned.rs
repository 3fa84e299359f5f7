//! Frames aligned beyond 16 bytes: `sub x9, sp, #size; and sp, x9, #-64`.
//!
//! How far that moves SP depends on SP at entry, and Go's table must have a number. So SP itself is not aligned: the lowered frame has
//! room for the alignment that moves SP furthest, the address that would be SP is kept in the word below all that the aligned
//! frame may be, and every operand on SP goes through a register that is loaded from there (see `lower`). Addresses that count from
//! SP and those that count from SP on entry, through the frame pointer, lie at a distance that is not known. So here they have
//! numbers of their own ([`AlignedFrame`]), and code that gets from one to the other is refused, as is code that moves SP again
//! before it goes back to where it was.

use super::insn::SP;
use crate::analyze::{AlignedFrame, Refusal, State, Value, refuse};
use crate::code::Reg;
use crate::diag::ErrorCode;
use std::ops::RangeInclusive;

/// SP is a multiple of this always.
const PROMISED: u32 = 16;

/// The value, rounded down to a multiple of `to`.
pub fn rounded(value: &Value, to: u32) -> Value {
    match *value {
        Value::Sp(from) if to <= PROMISED && from % i64::from(PROMISED) == 0 => Value::Sp(from),
        Value::Sp(from) => Value::Aligned { from, to },
        _ => Value::Unknown,
    }
}

/// SP becomes this.
pub fn enter(state: &mut State, value: &Value) -> Result<(), Refusal> {
    let top = state.sp(SP);
    let (from, to) = match *value {
        _ if state.aligned.is_some() => return refuse(ErrorCode::DynamicStack, "aligns the stack pointer in a frame that it has aligned"),
        Value::Sp(to) if to % i64::from(PROMISED) == 0 => {
            state.regs[SP] = Value::Sp(to);
            return Ok(());
        }
        Value::Aligned { from, to } if from <= top && from % i64::from(PROMISED) == 0 => (from, to),
        _ => return refuse(ErrorCode::DynamicStack, "aligns the stack pointer to an address that is not understood"),
    };
    forget_below(state, top);
    // The word above the lowest number is never part of the frame: SP moves by less than its alignment.
    let bottom = from - i64::from(to);
    state.regs[SP] = Value::Sp(bottom);
    state.aligned = Some(AlignedFrame { top, bottom, size: top - from });
    Ok(())
}

/// SP becomes `rn` + `by`, which must be where it was before, or above.
pub fn leave(state: &mut State, rn: Reg, by: i64) -> Result<(), Refusal> {
    let top = state.aligned.map_or(0, |frame| frame.top);
    match state.regs[rn] {
        Value::Sp(from) if from >= top && from + by >= top && (from + by) % i64::from(PROMISED) == 0 => {
            forget_below(state, top);
            state.regs[SP] = Value::Sp(from + by);
            state.aligned = None;
            Ok(())
        }
        _ => refuse(ErrorCode::DynamicStack, "moves the stack pointer in a frame that it aligns"),
    }
}

/// Addresses below `top` mean something else from here on, and what lies there is dead.
fn forget_below(state: &mut State, top: i64) {
    let stale = |value: &Value| matches!(value, Value::Sp(at) if *at < top);
    state.slots.retain(|&at, _| at >= top);
    for value in state.regs.iter_mut().chain(state.slots.values_mut().map(|(value, _)| value)) {
        if stale(value) {
            *value = Value::Lost;
        }
    }
}

/// From the address `base` the code gets to those of `range`. Both must count from SP, or both from SP on entry.
pub fn within(state: &State, base: i64, range: RangeInclusive<i64>) -> Result<(), Refusal> {
    let Some(frame) = state.aligned else { return Ok(()) };
    let understood = match base < frame.top {
        true => *range.start() >= frame.bottom && *range.end() <= frame.bottom + frame.size,
        false => *range.start() >= frame.top,
    };
    match understood {
        true => Ok(()),
        false => refuse(ErrorCode::DynamicStack, "reaches across a frame that it aligns, whose distance from the rest is not known"),
    }
}

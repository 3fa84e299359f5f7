//! Tracks, in the abstract state, frames that are aligned to more than 16 bytes. For example, code aligns its frame by `sub x9, sp, #size; and sp,
//! x9, #-64`. The module `step` calls this module for such moves of SP.
//!
//! An alignment moves SP by a distance that depends on SP on entry, but Go's table of SP needs a constant. So lowered code does not align SP (see
//! `lower`). The lowered frame is large enough for the alignment that moves SP furthest. Lowered code computes the address that the compiler's SP
//! would have, and stores this address in a word below all places that the aligned frame may occupy. Every operand on SP uses a register that is
//! loaded from this word.
//!
//! The distance between the aligned SP and SP on entry is unknown. So the analysis gives the aligned frame its own range of distances from SP on
//! entry ([`AlignedFrame`]). Code is refused if it computes an address in the aligned frame from an address outside, or the other way round. The only
//! exception is the [start of an index](begins_outside): LLVM may compute this address outside the frame from an address inside. Code is refused too
//! if it moves SP again before it restores SP.

use super::insn::SP;
use crate::analyze::{AlignedFrame, Refusal, State, Value, refuse};
use crate::code::Reg;
use crate::diag::ErrorCode;
use std::ops::RangeInclusive;

/// SP is always a multiple of this number of bytes.
const PROMISED: u32 = 16;

/// Rounds the value down to a multiple of `to`.
pub fn rounded(value: &Value, to: u32) -> Value {
    match *value {
        Value::Sp(from) if to <= PROMISED && from % i64::from(PROMISED) == 0 => Value::Sp(from),
        Value::Sp(from) => Value::Aligned { from, to },
        _ => Value::Unknown,
    }
}

/// Sets SP to `value`. If `value` is an aligned address, an aligned frame begins.
pub fn enter(state: &mut State, value: &Value) -> Result<(), Refusal> {
    let top = state.sp(SP);
    let (from, to) = match *value {
        _ if state.aligned.is_some() => return refuse(ErrorCode::DynamicStack, "aligns the stack pointer again in an aligned frame"),
        Value::Sp(to) if to % i64::from(PROMISED) == 0 => {
            state.regs[SP] = Value::Sp(to);
            return Ok(());
        }
        Value::Aligned { from, to } if from <= top && from % i64::from(PROMISED) == 0 => (from, to),
        _ => return refuse(ErrorCode::DynamicStack, "aligns the stack pointer from an unknown address"),
    };
    forget_below(state, top);
    // The alignment lowers SP by less than `to` bytes. So the word at `bottom` lies below the aligned frame.
    let bottom = from - i64::from(to);
    state.regs[SP] = Value::Sp(bottom);
    state.aligned = Some(AlignedFrame { top, bottom, size: top - from });
    Ok(())
}

/// Sets SP to `rn` + `by`, which ends an aligned frame. The address in `rn` and the sum must be known and not lower than SP before the alignment, and
/// the sum must be a multiple of 16. Otherwise the instruction is refused.
pub fn leave(state: &mut State, rn: Reg, by: i64) -> Result<(), Refusal> {
    let top = state.aligned.map_or(0, |frame| frame.top);
    match state.regs[rn] {
        Value::Sp(from) if from >= top && from + by >= top && (from + by) % i64::from(PROMISED) == 0 => {
            forget_below(state, top);
            state.regs[SP] = Value::Sp(from + by);
            state.aligned = None;
            Ok(())
        }
        _ => refuse(ErrorCode::DynamicStack, "moves the stack pointer in an aligned frame"),
    }
}

/// Forgets what the analysis knows about addresses below `top`. When an aligned frame begins or ends, a distance below `top` gets another meaning.
/// Code no longer reads the words that lay there.
fn forget_below(state: &mut State, top: i64) {
    let stale = |value: &Value| matches!(value, Value::Sp(at) if *at < top);
    state.slots.forget_below(top);
    for value in state.regs.iter_mut().chain(state.slots.values_mut()) {
        if stale(value) {
            *value = Value::Lost;
        }
    }
}

/// Refuses an access that leaves its area, because the distance between the aligned frame and the memory above it is unknown. If the base lies in the
/// aligned frame, `range` must lie in this frame too. If the base lies above the aligned frame, `range` must lie above it too.
pub fn within(state: &State, base: i64, range: RangeInclusive<i64>) -> Result<(), Refusal> {
    let Some(frame) = state.aligned else { return Ok(()) };
    let understood = match base < frame.top {
        true => *range.start() >= frame.bottom && *range.end() <= frame.bottom + frame.size,
        false => *range.start() >= frame.top,
    };
    match understood {
        true => Ok(()),
        false => refuse(ErrorCode::DynamicStack, "accesses memory across an aligned frame at an unknown distance"),
    }
}

/// True if the address `to` lies outside the aligned frame, and the address `base`, from which code computes `to`, lies inside. Compilers do this for
/// an index that does not begin at 0. For `a[i - 19]` they compute the address 19 elements below `a`, and then add `i`. The sum lies inside the frame
/// again. Lowered code computes `to` from the same `base`, so the sum is right.
pub fn begins_outside(state: &State, base: i64, to: i64) -> bool {
    state.aligned.is_some_and(|frame| base < frame.top) && within(state, base, to..=to).is_err()
}

//! Defines the abstract state before an instruction: SP, and the values of registers and frame words. [`super::flow`] and each machine's `step`
//! compute this state.

use super::slots::{Slot, Slots};
use super::value::Value;
use crate::code::Reg;

/// The state of registers and memory before an instruction, as far as the analysis knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The values of the registers, by register number. The stack pointer always has the value [`Value::Sp`].
    pub regs: Vec<Value>,
    /// The values of frame words.
    pub slots: Slots,
    /// True if code that the analysis does not follow may know an address in the frame. Then a call, or a store to an unknown place, may change the
    /// frame.
    pub escaped: bool,
    /// The frame below the former SP, if code has aligned SP by an unknown distance.
    pub aligned: Option<AlignedFrame>,
    /// Bit i is set if the word 8·i bytes above SP has been written. On arm64, and in functions compiled by rustc, writes before the last call do not
    /// count.
    pub written: u64,
    /// True if rustc compiled the function. Rust source code cannot store the target of a jump through a table. So if a frame word holds such a
    /// target, LLVM has spilled the target there, and no pointer to the word exists.
    pub is_rust: bool,
}

/// The part of the frame between the aligned SP and the former SP. It exists after code has aligned SP to more than the convention guarantees. The
/// distance between the two values of SP is unknown. So the analysis gives the words of this part made-up distances from SP on entry. These distances
/// are lower than all exact distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedFrame {
    /// The former SP, as a distance in bytes from SP on entry. The distances of all words at or above the former SP are exact.
    pub top: i64,
    /// The made-up distance of the aligned SP from SP on entry.
    pub bottom: i64,
    /// The minimum size of the aligned frame in bytes, from the aligned SP up.
    pub size: i64,
}

impl State {
    /// Returns the distance of SP from SP on entry, in bytes. `register` is the number of the stack pointer.
    pub fn sp(&self, register: Reg) -> i64 {
        match self.regs[register] {
            Value::Sp(at) => at,
            // `step` refuses every instruction that would give SP an unknown value.
            _ => unreachable!("the stack pointer is always known"),
        }
    }

    /// Returns the state where two paths join; `None` if this state equals `self`.
    pub fn join(&self, other: &State) -> Option<State> {
        // If a register holds a frame address on one path only, the analysis no longer tracks the address, so any later code may use the address.
        let lost = self.regs.iter().zip(&other.regs).any(|(a, b)| a != b && (a.is_in_frame() || b.is_in_frame()));
        let escaped = self.escaped || other.escaped || lost;
        let written = self.written | other.written;
        let slots = self.slots.join(&other.slots);
        let same_regs = self.regs.iter().zip(&other.regs).all(|(a, b)| a == b || a.join(b) == *a);
        if slots.is_none() && same_regs && (escaped, written) == (self.escaped, self.written) {
            return None;
        }
        let regs = self.regs.iter().zip(&other.regs).map(|(a, b)| a.join(b)).collect();
        let slots = slots.unwrap_or_else(|| self.slots.clone());
        Some(State { regs, slots, escaped, aligned: self.aligned, written, is_rust: self.is_rust })
    }

    /// Adapts `written` to a new SP that is lower by `down` bytes, or higher if `down` is negative.
    pub fn shift_written(&mut self, down: i64) {
        let words = u32::try_from(down.unsigned_abs() / 8).unwrap_or(u32::MAX);
        let moved = if down < 0 { self.written.checked_shr(words) } else { self.written.checked_shl(words) };
        self.written = moved.unwrap_or(0);
    }

    /// Records that the bytes from `from` up to `to`, as distances above SP, are written.
    pub fn note_written(&mut self, from: i64, to: i64) {
        for word in from.max(0) / 8..((to + 7) / 8).min(i64::from(u64::BITS)) {
            self.written |= 1 << word;
        }
    }

    /// Forgets the frame words that a store at an unknown index may have changed. Words in which a push saved a register or a frame address stay
    /// known, because compilers index arrays and not saved registers. Words with the upper part of an address (arm64) stay known too.
    pub fn forget_frame(&mut self) {
        self.slots.retain(|slot| slot.pushed && is_saved(&slot.value) || slot.value.is_part());
    }

    /// Forgets the frame words that a call, or a store to an unknown address, may have changed.
    pub fn forget_memory(&mut self) {
        if self.escaped {
            // Compilers push registers and frame addresses, and store upper parts of addresses, in order to reload them. So these values stay known.
            // Any other word, even a pushed one, may be a stack argument, which a callee may change. Only the origin of such a word stays known.
            self.slots.retain(|Slot { value, pushed }| {
                let is_llvm_s = self.is_rust && matches!(value, Value::TableTarget(..));
                if is_llvm_s || value.is_part() || *pushed && is_saved(value) {
                    return true;
                }
                let origin = value.origin();
                if let Some(origin) = origin {
                    *value = Value::Reloaded(origin);
                }
                origin.is_some()
            });
        }
    }
}

/// True for a value that a push saves, so that a pop restores it later: a register's value on entry, or a frame address.
fn is_saved(value: &Value) -> bool {
    matches!(value, Value::Entry(_) | Value::Sp(_) | Value::Lost)
}

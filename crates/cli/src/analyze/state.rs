//! The abstract state before an instruction: SP, and the values of registers and frame words. [`super::flow`] and the machines' `step` compute it.

use crate::code::{Callee, Reg};
use crate::ids::{DataId, FuncId};
use crate::load::Target;
use std::collections::{BTreeMap, BTreeSet};

/// The value of a word, as far as the analysis knows it. Two different values join to [`Value::Unknown`] or to one of the weaker values at the end
/// of the list; sets of code join to their union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Unknown,
    /// The value that the register with this number had on entry to the function.
    Entry(u8),
    /// The value of SP on entry plus this many bytes.
    Sp(i64),
    /// The value of SP on entry plus `from` bytes, rounded down to a multiple of `to`.
    Aligned {
        from: i64,
        to: u32,
    },
    /// The entry address of one of the callees in this set.
    Code(BTreeSet<Callee>),
    /// The address of a byte in a data section: section and offset.
    Data(DataId, i64),
    /// An entry of a table of relative jumps, read from the table that begins at this place (section, offset).
    TableOffset(DataId, i64),
    /// An entry of the table of relative jumps at this place, in the lower half of a register whose upper half is zero.
    TableWord(DataId, i64),
    /// The sum of the address of the table at this place and an entry of the table.
    TableTarget(DataId, i64),
    /// The upper part of the address of a place in data, or of the GOT cell that holds this address. Code adds the lower part to get the whole
    /// address. So lowering computes the upper part only where code reads it as a number.
    Page {
        to: Target,
        addend: i64,
        cell: bool,
    },
    /// The upper part of an address on one path, and another value on another path.
    Mixed,
    /// A value that code must not read: a frame address after a call that may have replaced it, or from before SP was aligned.
    Lost,
    /// The address of a place inside this function, from a table of addresses.
    Label(FuncId),
    /// An unknown number that is a multiple of this number.
    Multiple(u8),
    /// This number, in a register. Code for arm64 computes the sizes of large frames in registers.
    Number(u64),
    /// An unknown whole word that was copied from memory outside the frame, passed by a caller, or returned by a callee; this function
    /// computed nothing with it. As the target of a jump it is a function, because a function itself computes the addresses of places inside
    /// it.
    Whole,
    /// A word as in [`Value::Whole`], with its origin.
    Loaded(Origin),
    /// An unknown whole word from the frame, or on another path the address of a place inside this function. Nothing was computed with the
    /// word since it was stored.
    Kept,
    /// A word as in [`Value::Kept`], with the origin of the word that was stored.
    Reloaded(Origin),
}

/// The origin of a word. No proof depends on it: it only shows which functions a call through the word is likely to reach (`default_budget`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The word was loaded from memory outside the frame, at this offset in bytes from an address.
    At { offset: i64, base: Base },
    /// The word was loaded from memory outside the frame, at an index.
    Indexed,
    /// The caller passed the word as an argument.
    FromCaller,
}

/// The kind of address from which a word was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// The address may be a sum, such as the address of a slice element.
    Sum,
    /// The address is a word with which nothing was computed.
    Whole,
    /// The address is an argument from the caller.
    FromCaller,
    /// The address is the second or third argument. In a function that formats, this argument is a `core::fmt::Formatter`.
    LaterArgument,
    /// The address was loaded from offset 8 of a second or third argument: the vtable of the `Formatter`'s writer.
    Writer,
}

impl Origin {
    /// The origin of a word at this offset from an address in a register. `later` has the numbers of the registers that pass the second and
    /// third argument.
    pub fn at(base: &Value, offset: i64, later: [u8; 2]) -> Origin {
        let base = match base {
            &Value::Entry(reg) if later.contains(&reg) => Base::LaterArgument,
            Value::Entry(_) => Base::FromCaller,
            Value::Loaded(Origin::At { offset: 8, base: Base::LaterArgument })
            | Value::Reloaded(Origin::At { offset: 8, base: Base::LaterArgument }) => Base::Writer,
            base if base.is_copied() => Base::Whole,
            _ => Base::Sum,
        };
        Origin::At { offset, base }
    }

    /// The origin of the word that lies `bytes` after this word in memory.
    pub fn further(self, bytes: i64) -> Origin {
        match self {
            Origin::At { offset, base } => Origin::At { offset: offset + bytes, base },
            other => other,
        }
    }
}

impl Value {
    pub fn code(callee: Callee) -> Value {
        Value::Code(BTreeSet::from([callee]))
    }
    /// True for an address through which code can reach functions in ways that no call graph shows.
    pub fn is_address(&self) -> bool {
        matches!(self, Value::Code(_) | Value::Data(..))
    }
    /// True for an address in the function's own frame or next to it.
    pub fn is_in_frame(&self) -> bool {
        matches!(self, Value::Sp(_) | Value::Aligned { .. })
    }
    /// True if the value is, or may be, the upper part of an address.
    pub fn is_part(&self) -> bool {
        matches!(self, Value::Page { .. } | Value::Mixed)
    }
    /// True for a whole word that this function did not compute. Such a word is never the address of a place inside this function.
    pub fn is_whole(&self) -> bool {
        matches!(self, Value::Whole | Value::Loaded(_) | Value::Entry(_) | Value::Code(_))
    }
    /// True if nothing was computed with the word since it was stored or passed.
    pub fn is_copied(&self) -> bool {
        self.is_whole() || matches!(self, Value::Kept | Value::Reloaded(_) | Value::Label(_))
    }
    /// The origin of the word, if known.
    pub fn origin(&self) -> Option<Origin> {
        match *self {
            Value::Loaded(origin) | Value::Reloaded(origin) => Some(origin),
            Value::Entry(_) => Some(Origin::FromCaller),
            _ => None,
        }
    }
    /// The value where two paths join.
    pub fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Value::Code(a), Value::Code(b)) => Value::Code(a | b),
            (Value::Lost, _) | (_, Value::Lost) => Value::Lost,
            (a, b) if a.is_part() || b.is_part() => Value::Mixed,
            (a, b) if a.is_whole() && b.is_whole() => Value::Whole,
            (a, b) if a.is_copied() && b.is_copied() && a.origin().is_some() && a.origin() == b.origin() => {
                a.origin().map_or(Value::Kept, Value::Reloaded)
            }
            (a, b) if a.is_copied() && b.is_copied() => Value::Kept,
            _ => Value::Unknown,
        }
    }
}

/// The value of a register after a call, if the callee may change the register. `result` states if the register returns a result, and `before` is
/// its value before the call. The callee may leave the old value on some paths, but not in a register for results.
pub fn value_after_call(result: bool, before: &Value) -> Value {
    if result || before.is_whole() { Value::Whole } else { Value::Unknown }
}

/// The knowledge of the analysis before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The values of the registers, by number. The stack pointer always has the value [`Value::Sp`].
    pub regs: Vec<Value>,
    /// The values of frame words, by distance in bytes from SP on entry. The `bool` is true if a push wrote the word, so that no pointer leads
    /// to it.
    pub slots: BTreeMap<i64, (Value, bool)>,
    /// True if a frame address has been made that an unknown store or a call may use.
    pub escaped: bool,
    /// The frame below SP, after SP was aligned by an unknown distance.
    pub aligned: Option<AlignedFrame>,
    /// A set of words, one bit for each of the first words from SP up: the words that have been written since the last call (on arm64 and in
    /// functions compiled by rustc) or at any time (otherwise).
    pub written: u64,
    /// True if rustc compiled the function. In Rust source code, the target of a jump through a table is not a value. So if a word of the
    /// frame holds such a target, LLVM stored it there, and no pointer leads to the word.
    pub is_rust: bool,
}

/// The frame between the aligned SP and the former SP, after SP was aligned to more than the convention guarantees. The distance between the two
/// SPs is unknown. So this frame gets its own range of distances from SP on entry, below all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedFrame {
    /// The former SP, as a distance from SP on entry. The distances of all words at or above the former SP are exact.
    pub top: i64,
    /// The number that is used as the aligned SP's distance from SP on entry.
    pub bottom: i64,
    /// The number of bytes that the frame has at least, from the aligned SP up.
    pub size: i64,
}

impl State {
    /// The distance of SP from SP on entry, in bytes. `register` is the number of the stack pointer.
    pub fn sp(&self, register: Reg) -> i64 {
        match self.regs[register] {
            Value::Sp(at) => at,
            // `step` refuses every instruction that would give SP an unknown value.
            _ => unreachable!("the stack pointer is always known"),
        }
    }

    /// The state where two paths join; `None` if it equals `self`.
    pub fn join(&self, other: &State) -> Option<State> {
        let regs: Vec<Value> = self.regs.iter().zip(&other.regs).map(|(a, b)| a.join(b)).collect();
        let nothing = (Value::Unknown, true);
        let slots = self
            .slots
            .keys()
            .chain(other.slots.keys())
            .filter_map(|at| {
                let (a, pa) = self.slots.get(at).unwrap_or(&nothing);
                let (b, pb) = other.slots.get(at).unwrap_or(&nothing);
                let value = a.join(b);
                (!matches!(value, Value::Unknown | Value::Kept)).then_some((*at, (value, *pa && *pb)))
            })
            .collect();
        // If a frame address joins another value, the analysis no longer tracks it, so any later code may use it.
        let lost = self.regs.iter().zip(&other.regs).any(|(a, b)| a != b && (a.is_in_frame() || b.is_in_frame()));
        let escaped = self.escaped || other.escaped || lost;
        let written = self.written | other.written;
        let joined = State { regs, slots, escaped, aligned: self.aligned, written, is_rust: self.is_rust };
        (joined != *self).then_some(joined)
    }

    /// Adapts `written` to a new SP that is lower by `down` bytes, or higher if the number is negative.
    pub fn shift_written(&mut self, down: i64) {
        let words = u32::try_from(down.unsigned_abs() / 8).unwrap_or(u32::MAX);
        let moved = if down < 0 { self.written.checked_shr(words) } else { self.written.checked_shl(words) };
        self.written = moved.unwrap_or(0);
    }

    /// Records that the bytes from `from` to `to`, counted from SP up, are written.
    pub fn note_written(&mut self, from: i64, to: i64) {
        for word in from.max(0) / 8..((to + 7) / 8).min(i64::from(u64::BITS)) {
            self.written |= 1 << word;
        }
    }

    /// Forgets the frame words that a call, or a store to an unknown address, may have changed.
    pub fn forget_memory(&mut self) {
        if self.escaped {
            // A pushed word may be an argument, which the callee may change. Compilers reload only saved registers, frame addresses and
            // upper parts of addresses from pushed words, so only such values stay known.
            self.slots.retain(|_, (value, pushed)| {
                let saved = matches!(value, Value::Entry(_) | Value::Sp(_) | Value::Lost);
                let is_llvm_s = self.is_rust && matches!(value, Value::TableTarget(..));
                if is_llvm_s || value.is_part() || *pushed && saved {
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

//! The abstract state before an instruction: values of registers and frame words, and SP. [`super::flow`] and the
//! machines' `step` compute it.

use crate::code::{Callee, Reg};
use crate::ids::{DataId, FuncId};
use crate::load::Target;
use std::collections::{BTreeMap, BTreeSet};

/// The value of a word. The lattice: a value joins with another to [`Value::Unknown`] or one of the weaker values
/// below; sets of code grow by union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Unknown,
    /// The value that the register had on entry to the function.
    Entry(u8),
    /// SP on entry plus this many bytes.
    Sp(i64),
    /// SP on entry plus `from` bytes, rounded down to a multiple of `to`.
    Aligned {
        from: i64,
        to: u32,
    },
    /// The entry address of a callee in this set.
    Code(BTreeSet<Callee>),
    /// An address in a data section.
    Data(DataId, i64),
    /// An entry of the table of relative jumps at this address.
    TableOffset(DataId, i64),
    /// The same in the lower half of a register whose upper half is zero.
    TableWord(DataId, i64),
    /// The sum of such an entry and the table's address.
    TableTarget(DataId, i64),
    /// The upper part of this address, or of the address of a GOT cell that holds it. Adding the lower part yields the
    /// whole address, so lowering computes the upper part only where code reads it as a number.
    Page {
        to: Target,
        addend: i64,
        cell: bool,
    },
    /// The upper part of an address on one path, another value on another path.
    Mixed,
    /// A value that may not be read: a frame address before a call that may have replaced it, or before SP was aligned.
    Lost,
    /// A place inside this function, from a table of addresses.
    Label(FuncId),
    /// A multiple of this number.
    Multiple(u8),
    /// This number, in a register: arm64 code computes the sizes of large frames this way.
    Number(u64),
    /// An unknown whole word that was copied from memory outside the frame, passed by a caller, or returned by a
    /// callee; nothing was computed with it here. As a jump target it is a function: addresses of places inside this
    /// function are computed by this function.
    Whole,
    /// The same, with its origin.
    Loaded(Origin),
    /// An unknown whole word from the frame, or on another path a place inside this function. Nothing was computed with
    /// it since it was stored.
    Kept,
    /// The same, with the origin of the word that was stored.
    Reloaded(Origin),
}

/// The origin of a word. No proof depends on it: it only indicates which functions a call through the word is
/// likely to reach (`default_budget`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Memory outside the frame, at this offset in bytes from an address.
    At { offset: i64, base: Base },
    /// Such memory, at an index.
    Indexed,
    /// An argument from the caller.
    FromCaller,
}

/// The kind of address that a word was loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// Possibly a sum, such as the address of a slice element.
    Sum,
    /// An unmodified word.
    Whole,
    /// An argument from the caller.
    FromCaller,
    /// A second or third argument. In a function that formats, it is a `core::fmt::Formatter`.
    LaterArgument,
    /// Loaded from offset 8 of such an argument: the vtable of the `Formatter`'s writer.
    Writer,
}

impl Origin {
    /// The word at this offset from the register's address. `later`: the registers of the second and third argument.
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

    /// The word that lies `bytes` further.
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
    /// An address through which code can reach functions in ways that no call graph shows.
    pub fn is_address(&self) -> bool {
        matches!(self, Value::Code(_) | Value::Data(..))
    }
    /// An address in or next to the function's own frame.
    pub fn is_in_frame(&self) -> bool {
        matches!(self, Value::Sp(_) | Value::Aligned { .. })
    }
    /// The upper part of an address, or possibly one.
    pub fn is_part(&self) -> bool {
        matches!(self, Value::Page { .. } | Value::Mixed)
    }
    /// Neither computed here nor a place inside this function.
    pub fn is_whole(&self) -> bool {
        matches!(self, Value::Whole | Value::Loaded(_) | Value::Entry(_) | Value::Code(_))
    }
    /// A word as it was stored or passed: nothing was computed with it since.
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
    /// The value after two paths join.
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

/// The value of a register after a callee that may change it. `result`: does the register pass a result? `before`: its
/// value before the call. On some paths the callee may leave the old value, but not in a result register.
pub fn value_after_call(result: bool, before: &Value) -> Value {
    if result || before.is_whole() { Value::Whole } else { Value::Unknown }
}

/// The abstract state before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By register number. The stack pointer always holds [`Value::Sp`].
    pub regs: Vec<Value>,
    /// Words of the frame, by distance from SP on entry. `true`: written by a push, so no pointer leads to it.
    pub slots: BTreeMap<i64, (Value, bool)>,
    /// Has a frame address been made that an unknown store or a call may use?
    pub escaped: bool,
    /// The frame below an SP that was aligned by an unknown distance.
    pub aligned: Option<AlignedFrame>,
    /// Which of the first words from SP up have been written, one bit each: since the last call on arm64 and in
    /// functions compiled by rustc, otherwise at any time.
    pub written: u64,
    /// Was the function compiled by rustc? Then the target of a table jump is no value of the program: a frame word
    /// that holds it is a spill of LLVM, and no pointer leads to it.
    pub is_rust: bool,
}

/// A frame between the aligned SP and the former SP, after SP was aligned to more than the convention guarantees. The
/// distance between the two is unknown, so the frame gets a range of its own in the distances from SP on entry, below
/// all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedFrame {
    /// The former SP. Up to here, distances from SP on entry are exact.
    pub top: i64,
    /// The number that stands for the aligned SP.
    pub bottom: i64,
    /// Bytes from the aligned SP up that the frame has at least.
    pub size: i64,
}

impl State {
    /// SP, in bytes from SP on entry. `register`: the machine's stack pointer.
    pub fn sp(&self, register: Reg) -> i64 {
        match self.regs[register] {
            Value::Sp(at) => at,
            // `step` refuses every instruction that would make it something else.
            _ => unreachable!("the stack pointer is always known"),
        }
    }

    /// The state after two paths join; `None` if it equals `self`.
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
        // A frame address that joins another value is no longer tracked, so any later code may use it.
        let lost = self.regs.iter().zip(&other.regs).any(|(a, b)| a != b && (a.is_in_frame() || b.is_in_frame()));
        let escaped = self.escaped || other.escaped || lost;
        let written = self.written | other.written;
        let joined = State { regs, slots, escaped, aligned: self.aligned, written, is_rust: self.is_rust };
        (joined != *self).then_some(joined)
    }

    /// SP moves down by this many bytes, or up if the number is negative.
    pub fn shift_written(&mut self, down: i64) {
        let words = u32::try_from(down.unsigned_abs() / 8).unwrap_or(u32::MAX);
        let moved = if down < 0 { self.written.checked_shr(words) } else { self.written.checked_shl(words) };
        self.written = moved.unwrap_or(0);
    }

    /// Records that these bytes, counted from SP up, are written.
    pub fn note_written(&mut self, from: i64, to: i64) {
        for word in from.max(0) / 8..((to + 7) / 8).min(i64::from(u64::BITS)) {
            self.written |= 1 << word;
        }
    }

    /// Forgets what an untracked store or a call may have changed.
    pub fn forget_memory(&mut self) {
        if self.escaped {
            // A pushed word may be an argument, which the callee may change. Compilers reload from such words only
            // saved registers, frame addresses and upper parts of addresses, so only these stay known.
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

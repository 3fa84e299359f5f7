//! Defines the abstract state before an instruction: SP, and the values of registers and frame words. [`super::flow`] and each machine's `step`
//! compute it.

use crate::code::{Callee, Reg};
use crate::ids::{DataId, FuncId};
use crate::load::Target;
use std::collections::{BTreeMap, BTreeSet};

/// The value of a word, as far as the analysis knows it. Where two paths join, different values become [`Value::Unknown`] or one of the weaker
/// values at the end of the list; sets of code become their union.
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
    /// The address of a byte in a data section, as (section, offset).
    Data(DataId, i64),
    /// An entry of a table of relative jumps. The table begins at this place (section, offset).
    TableOffset(DataId, i64),
    /// An entry of the table of relative jumps at this place, in the lower half of a register whose upper half is zero.
    TableWord(DataId, i64),
    /// The sum of an entry of a table of relative jumps and the address of this table.
    TableTarget(DataId, i64),
    /// The upper part of an address: of a place in data, or of the GOT cell that holds the place's address. Code adds the lower part to get
    /// the whole address. So lowering computes the upper part only where code reads it as a number.
    Page {
        to: Target,
        addend: i64,
        cell: bool,
    },
    /// The upper part of an address on one path, and another value on another path.
    Mixed,
    /// A value that code must not read: a frame address after a call that may have replaced it, or a frame address from before SP was aligned.
    Lost,
    /// The address of a place inside this function, loaded from a table of addresses.
    Label(FuncId),
    /// An unknown number that is a multiple of the given number.
    Multiple(u8),
    /// A known number in a register. Code for arm64 computes the sizes of large frames in registers.
    Number(u64),
    /// An unknown whole word that was copied from memory outside the frame, passed by a caller, or returned by a callee; this function
    /// computed nothing with it. A jump to such a word goes to the start of a function, because only a function itself computes addresses of
    /// places inside it.
    Whole,
    /// A word as described at [`Value::Whole`], with its origin.
    Loaded(Origin),
    /// An unknown whole word from the frame. On another path it may be the address of a place inside this function. Nothing was computed with
    /// the word since it was stored.
    Kept,
    /// A word as described at [`Value::Kept`], with the origin of the stored word.
    Reloaded(Origin),
}

/// The place from which a word came. No proof depends on it: the origin only shows which functions a call through the word is likely to reach
/// (`default_budget`).
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
    /// The address may be a sum, for example the address of a slice element.
    Sum,
    /// The address is a word that the function did not compute.
    Whole,
    /// The address is an argument that the caller passed.
    FromCaller,
    /// The address is the second or third argument. In a function that formats a value, this argument is a `core::fmt::Formatter`.
    LaterArgument,
    /// The address was loaded from offset 8 of a second or third argument: it is the vtable of the writer in a `Formatter`.
    Writer,
}

impl Origin {
    /// Returns the origin of a word that is loaded at `offset` from the address `base`. `later` has the numbers of the registers that pass the
    /// second and third argument.
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

    /// Returns the origin of the word that lies `bytes` after this word in memory.
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
    /// True for an address through which code can reach functions in ways that the call graph does not show.
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
    /// Returns the origin of the word, if known.
    pub fn origin(&self) -> Option<Origin> {
        match *self {
            Value::Loaded(origin) | Value::Reloaded(origin) => Some(origin),
            Value::Entry(_) => Some(Origin::FromCaller),
            _ => None,
        }
    }
    /// Returns the value of the word where two paths with the values `self` and `other` join.
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

/// Returns the value of a register after a call whose callee may change the register. `result` is true if the register returns a result, and
/// `before` is the register's value before the call. The callee may leave the old value on some paths, but not in a register that returns a
/// result.
pub fn value_after_call(result: bool, before: &Value) -> Value {
    if result || before.is_whole() { Value::Whole } else { Value::Unknown }
}

/// The state of registers and memory before an instruction, as far as the analysis knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The values of the registers, by register number. The stack pointer always has the value [`Value::Sp`].
    pub regs: Vec<Value>,
    /// The values of frame words, by distance in bytes from SP on entry. The `bool` is true if a push wrote the word, so that no pointer leads
    /// to the word.
    pub slots: BTreeMap<i64, (Value, bool)>,
    /// True if an address in the frame exists that a call or a store to an unknown place may use.
    pub escaped: bool,
    /// The frame below SP, after SP was aligned by an unknown distance.
    pub aligned: Option<AlignedFrame>,
    /// One bit for each of the first words from SP up: set if the word has been written since the last call (on arm64, and in functions
    /// compiled by rustc) or at any time (otherwise).
    pub written: u64,
    /// True if rustc compiled the function. In Rust source code, the target of a jump through a table is not a value. So if a word of the
    /// frame holds such a target, LLVM stored it there, and no pointer leads to the word.
    pub is_rust: bool,
}

/// The frame between the aligned SP and the former SP, after code aligned SP to more than the convention guarantees. The distance between the two
/// SPs is unknown. So this frame gets its own range of distances from SP on entry, below all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedFrame {
    /// The former SP, as a distance in bytes from SP on entry. The distances of all words at or above the former SP are exact.
    pub top: i64,
    /// The number that stands for the aligned SP's distance from SP on entry.
    pub bottom: i64,
    /// Minimum number of bytes that the frame has, from the aligned SP up.
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
        // If a register holds a frame address on one path only, the analysis no longer tracks the address, so any later code may use it.
        let lost = self.regs.iter().zip(&other.regs).any(|(a, b)| a != b && (a.is_in_frame() || b.is_in_frame()));
        let escaped = self.escaped || other.escaped || lost;
        let written = self.written | other.written;
        let joined = State { regs, slots, escaped, aligned: self.aligned, written, is_rust: self.is_rust };
        (joined != *self).then_some(joined)
    }

    /// Adapts `written` to a new SP that is lower by `down` bytes, or higher if `down` is negative.
    pub fn shift_written(&mut self, down: i64) {
        let words = u32::try_from(down.unsigned_abs() / 8).unwrap_or(u32::MAX);
        let moved = if down < 0 { self.written.checked_shr(words) } else { self.written.checked_shl(words) };
        self.written = moved.unwrap_or(0);
    }

    /// Records that the bytes from offset `from` up to offset `to`, counted from SP up, are written.
    pub fn note_written(&mut self, from: i64, to: i64) {
        for word in from.max(0) / 8..((to + 7) / 8).min(i64::from(u64::BITS)) {
            self.written |= 1 << word;
        }
    }

    /// Forgets the frame words that a call, or a store to an unknown address, may have changed.
    pub fn forget_memory(&mut self) {
        if self.escaped {
            // A pushed word may be an argument, which the callee may change. Compilers reload only saved registers, frame addresses and
            // upper parts of addresses from pushed words, so only these values stay known.
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

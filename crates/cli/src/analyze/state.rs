//! What is known before an instruction: of registers, of words in the frame, of SP.

use crate::code::{Callee, Reg};
use crate::ids::{DataId, FuncId};
use crate::load::Target;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a word. The lattice: a value, or [`Value::Unknown`]; sets of code grow by union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Unknown,
    /// What the register held when the function was entered.
    Entry(u8),
    /// SP on entry plus this many bytes.
    Sp(i64),
    /// SP on entry plus `from` bytes, rounded down to a multiple of `to`.
    Aligned {
        from: i64,
        to: u32,
    },
    /// The entry of one of these.
    Code(BTreeSet<Callee>),
    /// An address in a data section.
    Data(DataId, i64),
    /// An entry of the table of relative jumps at this address.
    TableOffset(DataId, i64),
    /// The same in the lower half of a register whose upper half is zero.
    TableWord(DataId, i64),
    /// The sum of such an entry and the table's address.
    TableTarget(DataId, i64),
    /// The upper part of this address, or of that of a cell which holds it (the GOT). Who adds the lower part makes the whole, so
    /// lowering makes the upper part only where somebody reads it as a number.
    Page {
        to: Target,
        addend: i64,
        cell: bool,
    },
    /// On one way here an upper part of an address, on another something else.
    Mixed,
    /// Nothing that may be read: what was an address in the frame, before a call that may have replaced it, or before SP was aligned.
    Lost,
    /// A place inside this function: an entry of a table of addresses.
    Label(FuncId),
    /// A multiple of this.
    Multiple(u8),
    /// This number, in a register: arm64 makes the sizes of large frames so.
    Number(u64),
    /// Not known, but a whole word that was copied from memory outside of the frame, handed over by a caller, or returned by a callee;
    /// nothing was computed here. If control goes there, it goes to a function: places inside this one are addresses that this one computes.
    Whole,
    /// The same, found there.
    Loaded(Found),
    /// Not known, but a whole word from the frame, or a place inside this function on another way. Nothing was computed with it since it
    /// was stored.
    Kept,
    /// The same; what the function has stored there was found here.
    Reloaded(Found),
}

/// Where a word was found. Nothing proved rests on it: it says which functions a call through the word is likely to reach (`likely`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// In memory outside of the frame, so many bytes from an address.
    At { offset: i64, base: Base },
    /// There, at an index.
    Indexed,
    /// The caller has handed it over.
    Handed,
}

/// The address from which on a word was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// It may be a sum: that of an element of a slice.
    Sum,
    /// A whole word itself.
    Whole,
    /// What the caller has handed over.
    Handed,
    /// The same, as a second or third argument: where the function formats something, that is a `core::fmt::Formatter`.
    Later,
    /// Loaded from 8 bytes behind that: the table of methods of what the `Formatter` writes to.
    Writer,
}

impl Found {
    /// What lies so many bytes from where this register points. `later`: the registers of a second and a third argument.
    pub fn at(base: &Value, offset: i64, later: [u8; 2]) -> Found {
        let base = match base {
            &Value::Entry(reg) if later.contains(&reg) => Base::Later,
            Value::Entry(_) => Base::Handed,
            Value::Loaded(Found::At { offset: 8, base: Base::Later }) | Value::Reloaded(Found::At { offset: 8, base: Base::Later }) => {
                Base::Writer
            }
            base if base.is_copied() => Base::Whole,
            _ => Base::Sum,
        };
        Found::At { offset, base }
    }

    /// What lies so many bytes behind it.
    pub fn behind(self, bytes: i64) -> Found {
        match self {
            Found::At { offset, base } => Found::At { offset: offset + bytes, base },
            other => other,
        }
    }
}

impl Value {
    pub fn code(callee: Callee) -> Value {
        Value::Code(BTreeSet::from([callee]))
    }
    /// An address by which functions can be reached, and calls made that no call graph shows.
    pub fn is_address(&self) -> bool {
        matches!(self, Value::Code(_) | Value::Data(..))
    }
    /// An address in the function's own frame, or beside it.
    pub fn is_in_frame(&self) -> bool {
        matches!(self, Value::Sp(_) | Value::Aligned { .. })
    }
    /// An upper part of an address, or what may be one.
    pub fn is_part(&self) -> bool {
        matches!(self, Value::Page { .. } | Value::Mixed)
    }
    /// Neither computed here nor a place inside this function.
    pub fn is_whole(&self) -> bool {
        matches!(self, Value::Whole | Value::Loaded(_) | Value::Entry(_) | Value::Code(_))
    }
    /// A word as it was stored, or handed over: nothing has been computed with it since.
    pub fn is_copied(&self) -> bool {
        self.is_whole() || matches!(self, Value::Kept | Value::Reloaded(_) | Value::Label(_))
    }
    /// Where it was found, as far as is seen.
    pub fn found(&self) -> Option<Found> {
        match *self {
            Value::Loaded(found) | Value::Reloaded(found) => Some(found),
            Value::Entry(_) => Some(Found::Handed),
            _ => None,
        }
    }
    /// The value where two paths meet.
    pub fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Value::Code(a), Value::Code(b)) => Value::Code(a | b),
            (Value::Lost, _) | (_, Value::Lost) => Value::Lost,
            (a, b) if a.is_part() || b.is_part() => Value::Mixed,
            (a, b) if a.is_whole() && b.is_whole() => Value::Whole,
            (a, b) if a.is_copied() && b.is_copied() && a.found().is_some() && a.found() == b.found() => {
                a.found().map_or(Value::Kept, Value::Reloaded)
            }
            (a, b) if a.is_copied() && b.is_copied() => Value::Kept,
            _ => Value::Unknown,
        }
    }
}

/// What a callee has left in a register that it may change, and that held this before. On some way it may leave what was there, but not
/// where the caller reads a result.
pub fn left(result: bool, before: &Value) -> Value {
    if result || before.is_whole() { Value::Whole } else { Value::Unknown }
}

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By the machine's register numbers; the stack pointer always holds [`Value::Sp`].
    pub regs: Vec<Value>,
    /// Words of the frame, by their distance from SP on entry. `true`: written by a push, so no pointer leads there.
    pub slots: BTreeMap<i64, (Value, bool)>,
    /// Has an address within the frame been made that a store or a call could use?
    pub escaped: bool,
    /// Where SP has been aligned by a distance that is not known: its frame.
    pub aligned: Option<AlignedFrame>,
    /// Of the first words from SP up those that have been written, a bit each: since the last call on arm64 and in what rustc has
    /// compiled, otherwise at any time before.
    pub written: u64,
    /// Has rustc compiled the function? Then where a table leads is no value of the program: a word of the frame that holds it is LLVM's,
    /// and no address leads there.
    pub is_rust: bool,
}

/// A frame between SP, which has been aligned to more than anyone promises, and where SP was before. How far these are apart is not
/// known, so the frame is given a place of its own in the numbers that are distances from SP on entry, below all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedFrame {
    /// Where SP was before. Up to here, distances from SP on entry are what they say.
    pub top: i64,
    /// The number that stands for SP.
    pub bottom: i64,
    /// What the frame has for certain, in bytes: from SP up.
    pub size: i64,
}

impl State {
    /// Where SP is, in bytes from SP on entry; `register`: the machine's stack pointer.
    pub fn sp(&self, register: Reg) -> i64 {
        match self.regs[register] {
            Value::Sp(at) => at,
            // Each step refuses what would make it anything else.
            _ => unreachable!("the stack pointer is always known"),
        }
    }

    /// The state where two paths meet; `None` if nothing new is learned over `self`.
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
        // An address of the frame that meets another value is one that anybody may use from here on.
        let lost = self.regs.iter().zip(&other.regs).any(|(a, b)| a != b && (a.is_in_frame() || b.is_in_frame()));
        let escaped = self.escaped || other.escaped || lost;
        let written = self.written | other.written;
        let joined = State { regs, slots, escaped, aligned: self.aligned, written, is_rust: self.is_rust };
        (joined != *self).then_some(joined)
    }

    /// SP has gone down by this many bytes, or up by less than none.
    pub fn shift_written(&mut self, down: i64) {
        let words = u32::try_from(down.unsigned_abs() / 8).unwrap_or(u32::MAX);
        let moved = if down < 0 { self.written.checked_shr(words) } else { self.written.checked_shl(words) };
        self.written = moved.unwrap_or(0);
    }

    /// These bytes, from SP up, have been written.
    pub fn note_written(&mut self, from: i64, to: i64) {
        for word in from.max(0) / 8..((to + 7) / 8).min(i64::from(u64::BITS)) {
            self.written |= 1 << word;
        }
    }

    /// A store through a pointer that is not understood, or a call: what it may have changed is forgotten.
    pub fn forget_memory(&mut self) {
        if self.escaped {
            // A pushed word may be an argument too, which the callee may change: what compilers keep in one and load again is
            // a register that they save, a frame's address, or part of an address. Where one of these may be, it must be known.
            self.slots.retain(|_, (value, pushed)| {
                let saved = matches!(value, Value::Entry(_) | Value::Sp(_) | Value::Lost);
                let is_llvm_s = self.is_rust && matches!(value, Value::TableTarget(..));
                if is_llvm_s || value.is_part() || *pushed && saved {
                    return true;
                }
                let found = value.found();
                if let Some(found) = found {
                    *value = Value::Reloaded(found);
                }
                found.is_some()
            });
        }
    }
}

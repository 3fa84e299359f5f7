//! Defines [`Value`], the abstract value of a register or of a word of the frame.

use crate::code::Callee;
use crate::ids::{DataId, FuncId};
use crate::load::Target;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The value of a word, as far as the analysis knows the value. Where two paths with different values join, the result is a weaker description that
/// fits both values ([`Value::join`]). Two sets of callees become their union. Other values become `Mixed`, `Lost`, `Whole`, `Kept` or `Reloaded`, or
/// `Unknown` if none of these fits.
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
    Code(Arc<BTreeSet<Callee>>),
    /// The address of a byte in a data section, as (section, offset).
    Data(DataId, i64),
    /// An entry of the jump table that begins at this place (section, offset). The entry is a distance from the table to code.
    TableOffset(DataId, i64),
    /// An entry of the jump table at this place, in the lower half of a register whose upper half is zero.
    TableWord(DataId, i64),
    /// The address of the jump table at this place plus an entry of the table: the target of the jump.
    TableTarget(DataId, i64),
    /// The upper part of an address: the address of a place in data or, if `cell` is true, of the GOT cell that holds this address. Code adds the
    /// lower part to get the whole address. Lowering computes the whole address at this addition. It computes the upper part only if code reads the
    /// part as a number.
    Page {
        to: Target,
        addend: i64,
        cell: bool,
    },
    /// The upper part of an address on one path, and another value on another path.
    Mixed,
    /// A frame address that may be wrong by now: a callee may have changed the register, or an aligned frame has begun or ended since the address was
    /// made (only on arm64). Code may save and restore such a value. Code that uses the value in any other way is refused.
    Lost,
    /// The address of a place inside the function with this id, loaded from data.
    Label(FuncId),
    /// An unknown number that is a multiple of the given number.
    Multiple(u8),
    /// A known number in a register. Code for arm64 computes the sizes of large frames in registers.
    Number(u64),
    /// An unknown whole word (all 8 bytes) that this function did not compute: it was copied from memory outside the frame, passed by a caller, or
    /// returned by a callee. A jump to such a word goes to the start of a function, because only this function itself computes addresses of places
    /// inside this function.
    Whole,
    /// A word as described at [`Value::Whole`], with its origin.
    Loaded(Origin),
    /// An unknown whole word from the frame, unchanged since it was stored. Unlike [`Value::Whole`], it may be the address of a place inside this
    /// function.
    Kept,
    /// A word as described at [`Value::Kept`], with the origin of the stored word.
    Reloaded(Origin),
}

/// The place from which a word came. No proof depends on an origin: an origin only shows which functions a call through the word is likely to reach
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
        Value::Code(Arc::new(BTreeSet::from([callee])))
    }
    /// True for an address of code or data. If code stores such an address in memory, other code may call functions through the address, and the call
    /// graph does not show these calls.
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
    /// True for a word that is never the address of a place inside this function: the address at which a function starts, or a whole word that this
    /// function did not compute.
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
            (Value::Code(a), Value::Code(b)) => Value::Code(Arc::new(&**a | &**b)),
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

/// Returns the value of a register after a call whose callee may change the register. `result` is true if the register returns a result, and `before`
/// is the register's value before the call. The callee may leave the old value in the register on some of its paths, but not in a register that
/// returns a result.
pub fn value_after_call(result: bool, before: &Value) -> Value {
    if result || before.is_whole() { Value::Whole } else { Value::Unknown }
}

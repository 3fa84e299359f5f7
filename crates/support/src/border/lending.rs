//! Results that borrow from parameters: from which parameters they borrow, and whether Go gets the borrowed memory or a copy.
//!
//! Go gets a text without a copy only if the text lies in a Go string, which nothing may write to, or in static Rust memory. Go gets a slice
//! without a copy only if the slice lies in a Go slice or array, because Go may write to the slice. The attribute derives from the written
//! lifetimes from which parameters a result can borrow; the compiler checks this through [`lent`] and similar functions.

use super::check::Extent;
use super::element::holds_bool;
use super::output::mode;
use super::parameter::{Parameter, Witness};
use super::results::Fields;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// Returns the [`mode`] bits for the results of a function whose results may borrow from parameters of the types `lenders`.
#[must_use]
pub const fn mode_of(lenders: &[Type], int: bool, iterator: bool) -> u8 {
    // Nothing checks in which memory the items of an iterator lie, so Go gets copies of their slices.
    let (mut mode, mut any, mut i) = (if iterator { mode::SLICES } else { 0 }, false, 0);
    while i < lenders.len() {
        let (lends, copied) = match &lenders[i] {
            Type::Basic(Basic::String) | Type::Slice { elem: Type::Basic(Basic::String), .. } => (true, mode::SLICES),
            Type::Pointer { elem: Type::Object { .. }, .. } | Type::Append { .. } => (true, mode::COPIED),
            // A `bool` needs a copy, because Rust can return its byte as a `u8`, and Go could then write 2 to this byte.
            Type::Slice { elem, .. } | Type::Pointer { elem, .. } => (true, if holds_bool(elem) { mode::COPIED } else { mode::TEXTS }),
            _ => (false, 0),
        };
        any |= lends;
        mode |= copied;
        i += 1;
    }
    mode | if any { 0 } else { mode::SLICES } | if int { mode::INT } else { 0 }
}

/// Counts the `Append` parameters among the given types.
#[must_use]
pub const fn appended(parameters: &[Type]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < parameters.len() {
        count += matches!(&parameters[i], Type::Append { .. }) as usize;
        i += 1;
    }
    count
}

/// True if a result that Go copies after the call may borrow from a read-only inline object. The shim may have only a copy of such an object in its
/// stack frame, so the borrowed memory would not exist any more when Go copies it.
#[must_use]
pub const fn ends_early(lenders: &[Type], results: &Fields) -> bool {
    let (mut inline, mut i) = (false, 0);
    while i < lenders.len() {
        inline |= matches!(&lenders[i], Type::Pointer { mutable: false, elem: Type::Object { words: 1.., .. } });
        i += 1;
    }
    inline && results.shared()
}

/// A value of any type, for code that is only type-checked and never runs.
#[must_use]
pub fn nowhere<T>() -> T {
    unreachable!()
}

/// Only for type checks, never called: returns a parameter of the witness's type, whose lifetime is the call's. The result type is [`Parameter::It`],
/// so that the compiler does not infer the type from the author's function.
pub fn passed<'call, P: Parameter<'call>>(_: Witness<P>) -> P::It {
    nowhere()
}

/// Asserts that a result lives as long as the parameters from which it borrows.
pub fn lent<'lent, T: 'lent>(_: T) {}

/// Asserts that the `Ok` type of a `Result` lives as long as the parameters from which it borrows. Errors need no assertion, because the shim
/// converts them immediately. The argument is the whole `Result` as the author wrote it, because an alias of `Result` can stand for other
/// types.
pub fn lent_if_any<'lent, T: 'lent, E>(_: Result<T, E>) {}

/// Asserts that the items of an iterator are of type `T`, and live as long as the parameters from which they borrow.
pub fn lent_one_by_one<'lent, T: 'lent, I: Iterator<Item = T>>(_: I) {}

/// Asserts that an iterator outlives `'kept`, and returns it.
pub fn kept<'kept, I: 'kept>(iterator: I) -> I {
    iterator
}

/// Asserts that any thread may fetch items from an iterator.
pub fn fetched<I: super::object::Fetched>(_: I) {}

/// Calls [`Parameter::meets`] for the type of the witness.
///
/// # Safety
/// The caller must meet the requirements of [`Parameter::meets`].
#[inline]
pub unsafe fn meets<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, extent: Extent) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { P::meets(raw, extent) }
}

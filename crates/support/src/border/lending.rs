//! Results that borrow: from what, and whether Go gets that or a copy.
//!
//! Go gets a text without a copy only if it lies in a string of Go's, since nobody may write there, or in Rust's memory for ever. It gets a slice without a
//! copy only if it lies in a slice or array of Go's, since Go may write there. Which of the parameters a result can borrow from the attribute tells by the
//! lifetimes, as they are written; [`lent`] and its like have the compiler agree.

use super::check::Extent;
use super::output::mode;
use super::parameter::{Parameter, Witness};
use super::results::Fields;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// How the results are to be understood of a function that lends them from parameters of these types; see [`mode`].
#[must_use]
pub const fn mode_of(lenders: &[Type], int: bool, iterator: bool) -> u8 {
    // What an iterator gives is not seen by those who check where it lies.
    let (mut mode, mut any, mut i) = (if iterator { mode::SLICES } else { 0 }, false, 0);
    while i < lenders.len() {
        let (lends, copied) = match &lenders[i] {
            Type::Basic(Basic::String) | Type::Slice { elem: Type::Basic(Basic::String), .. } => (true, mode::SLICES),
            Type::Pointer { elem: Type::Object { .. }, .. } | Type::Append { .. } => (true, mode::COPIED),
            // Rust can show a `bool` as a byte, which Go could then set to 2.
            Type::Slice { elem, .. } | Type::Pointer { elem, .. } => (true, if holds_bool(elem) { mode::COPIED } else { mode::TEXTS }),
            _ => (false, 0),
        };
        any |= lends;
        mode |= copied;
        i += 1;
    }
    mode | if any { 0 } else { mode::SLICES } | if int { mode::INT } else { 0 }
}

/// Is there a `bool` in what Go's memory holds?
pub(super) const fn holds_bool(ty: &Type) -> bool {
    match ty {
        Type::Basic(basic) => matches!(basic, Basic::Bool),
        Type::Array { elem, .. } | Type::Slice { elem, .. } => holds_bool(elem),
        Type::Struct { fields, .. } => {
            let mut i = 0;
            while i < fields.len() {
                if holds_bool(&fields[i].ty) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

/// How many of the parameters are appended to?
#[must_use]
pub const fn appended(parameters: &[Type]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < parameters.len() {
        count += matches!(&parameters[i], Type::Append { .. }) as usize;
        i += 1;
    }
    count
}

/// Do results that Go copies after the call borrow from an inline object? While it is read it may be a copy of its own, which ends with the call.
#[must_use]
pub const fn ends_early(lenders: &[Type], results: &Fields) -> bool {
    let (mut inline, mut i) = (false, 0);
    while i < lenders.len() {
        inline |= matches!(&lenders[i], Type::Pointer { mutable: false, elem: Type::Object { words: 1.., .. } });
        i += 1;
    }
    inline && results.shared()
}

/// A value of the parameter's type, with the lifetime that what Go passes has. For the compiler alone: nobody calls it.
#[must_use]
pub fn nowhere<T>() -> T {
    unreachable!()
}

/// The same, of the type that a witness stands for. It is [`Parameter::It`], so that the compiler does not infer from the function what the type may be.
pub fn passed<'call, P: Parameter<'call>>(_: Witness<P>) -> P::It {
    nowhere()
}

/// What a function gives lives as long as those parameters that, by the lifetimes, lend it.
pub fn lent<'lent, T: 'lent>(_: T) {}

/// The same for the value of a `Result`. Its error is made into texts at once. Both types are as they are written, and an alias must not mean others.
pub fn lent_if_any<'lent, T: 'lent, E>(_: Result<T, E>) {}

/// The same for what an iterator gives.
pub fn lent_one_by_one<'lent, I: Iterator<Item: 'lent>>(_: I) {}

/// An iterator lives as long as what it holds.
pub fn kept<'kept, I: 'kept>(iterator: I) -> I {
    iterator
}

/// Goroutines may fetch from an iterator on any thread.
pub fn fetched<I: super::object::Fetched>(_: I) {}

/// [`Parameter::meets`] of the type that the witness stands for.
///
/// # Safety
/// As for [`Parameter::meets`].
#[inline]
pub unsafe fn meets<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, extent: Extent) -> bool {
    // SAFETY: the caller's.
    unsafe { P::meets(raw, extent) }
}

//! Results that borrow: from which parameters, and whether Go gets the borrowed memory or a copy.
//!
//! Go gets a text without a copy only if it lies in a Go string, which nothing may write to, or in static Rust memory. Go gets a slice without a
//! copy only if it lies in a Go slice or array, because Go may write there. The attribute derives from the written lifetimes which parameters a
//! result can borrow from; the compiler checks this through [`lent`] and similar functions.

use super::check::Extent;
use super::element::holds_bool;
use super::output::mode;
use super::parameter::{Parameter, Witness};
use super::results::Fields;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// The conversion of the results of a function whose lending parameters have the given types; see [`mode`].
#[must_use]
pub const fn mode_of(lenders: &[Type], int: bool, iterator: bool) -> u8 {
    // The items of an iterator are not checked for the memory that they lie in.
    let (mut mode, mut any, mut i) = (if iterator { mode::SLICES } else { 0 }, false, 0);
    while i < lenders.len() {
        let (lends, copied) = match &lenders[i] {
            Type::Basic(Basic::String) | Type::Slice { elem: Type::Basic(Basic::String), .. } => (true, mode::SLICES),
            Type::Pointer { elem: Type::Object { .. }, .. } | Type::Append { .. } => (true, mode::COPIED),
            // Rust can return a `bool` as a byte, and Go could then set that byte to 2.
            Type::Slice { elem, .. } | Type::Pointer { elem, .. } => (true, if holds_bool(elem) { mode::COPIED } else { mode::TEXTS }),
            _ => (false, 0),
        };
        any |= lends;
        mode |= copied;
        i += 1;
    }
    mode | if any { 0 } else { mode::SLICES } | if int { mode::INT } else { 0 }
}

/// The number of `Append` parameters.
#[must_use]
pub const fn appended(parameters: &[Type]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < parameters.len() {
        count += matches!(&parameters[i], Type::Append { .. }) as usize;
        i += 1;
    }
    count
}

/// True if results that Go copies after the call borrow from an inline object. A read-only inline object may be a copy that ends with the call.
#[must_use]
pub const fn ends_early(lenders: &[Type], results: &Fields) -> bool {
    let (mut inline, mut i) = (false, 0);
    while i < lenders.len() {
        inline |= matches!(&lenders[i], Type::Pointer { mutable: false, elem: Type::Object { words: 1.., .. } });
        i += 1;
    }
    inline && results.shared()
}

/// A value of the parameter's type, with the lifetime of the arguments. It exists only for the compiler and is never called.
#[must_use]
pub fn nowhere<T>() -> T {
    unreachable!()
}

/// The same for the type that a witness stands for. The result is [`Parameter::It`], so that the compiler does not infer the type from the
/// function.
pub fn passed<'call, P: Parameter<'call>>(_: Witness<P>) -> P::It {
    nowhere()
}

/// Asserts that a result lives as long as the parameters that lend it.
pub fn lent<'lent, T: 'lent>(_: T) {}

/// The same for the `Ok` type of a `Result`; errors are converted to texts immediately. Both types are given as written, because an alias could
/// mean others.
pub fn lent_if_any<'lent, T: 'lent, E>(_: Result<T, E>) {}

/// The same for the items of an iterator.
pub fn lent_one_by_one<'lent, I: Iterator<Item: 'lent>>(_: I) {}

/// Asserts that an iterator lives as long as the memory that it holds.
pub fn kept<'kept, I: 'kept>(iterator: I) -> I {
    iterator
}

/// Asserts that any thread may fetch from an iterator.
pub fn fetched<I: super::object::Fetched>(_: I) {}

/// [`Parameter::meets`] for the type that the witness stands for.
///
/// # Safety
/// As for [`Parameter::meets`].
#[inline]
pub unsafe fn meets<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, extent: Extent) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { P::meets(raw, extent) }
}

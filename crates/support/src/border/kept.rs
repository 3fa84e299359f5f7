//! The states of the Go values that Rust keeps. Each value has a word that Rust and Go both access.

use core::num::NonZeroU64;
use core::sync::atomic::{AtomicU32, Ordering};

/// The states that the word of a Go value can have. The address of the word is the number by which Rust identifies the value. The state is 0 until
/// Rust owns the value. The package `rt` has the same numbers.
///
/// The word of an error is 0 or RELEASED, plus RETURNED for each time that Rust has returned the error to Go and Go has not yet received it.
pub(super) const RELEASED: u32 = 1;
const TAKEN: u32 = 2;
#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
pub(super) const RETURNED: u32 = 1 << 8;
/// The state of a context that is done.
#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
pub(super) const KEPT_DONE: u32 = 4;

/// Returns the word with the state of a Go value. Rust and Go both read and write the word.
///
/// # Safety
/// The number must come from Go, and Rust must not have released it.
pub(super) unsafe fn word<'a>(number: NonZeroU64) -> &'a AtomicU32 {
    // SAFETY: the number is the address of a word that exists as long as the program, and that Rust and Go access atomically.
    unsafe { AtomicU32::from_ptr(core::ptr::with_exposed_provenance_mut(number.get() as usize)) }
}

/// Tells Go that Rust does not need a Go value any more.
///
/// # Safety
/// The caller must meet the requirements of `word`.
pub(super) unsafe fn release(number: NonZeroU64) {
    // SAFETY: as promised by the caller.
    unsafe { word(number) }.store(RELEASED, Ordering::Release);
}

/// Tells Go that Rust owns a Go value from now on, and returns the number of the value.
///
/// # Safety
/// The caller must meet the requirements of `word`.
pub(super) unsafe fn take_over(number: NonZeroU64) -> NonZeroU64 {
    // SAFETY: as promised by the caller.
    unsafe { word(number) }.store(TAKEN, Ordering::Release);
    number
}

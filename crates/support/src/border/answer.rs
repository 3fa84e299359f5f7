//! The results of Go functions that Rust calls.

use super::element::{Element, all_valid};
use super::output::Optional;
use super::parameter::by_words;
use core::mem::MaybeUninit;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// The largest number of results of a Go function: four values and an error.
const MOST: usize = 5;

/// The types of a Go function's results.
#[derive(Clone, Copy)]
pub struct Types {
    types: [Type; MOST],
    len: usize,
}

impl Types {
    /// The types of a function without results.
    pub const NONE: Self = Self { types: [Type::Basic(Basic::Bool); MOST], len: 0 };

    /// Appends a type.
    #[must_use]
    pub const fn and(mut self, ty: Type) -> Self {
        self.types[self.len] = ty;
        self.len += 1;
        self
    }

    /// Returns the types.
    #[must_use]
    pub const fn list(&'static self) -> &'static [Type] {
        self.types.split_at(self.len).0
    }
}

/// The result of a Go function that Rust calls: nothing, one value, an `Option` or a tuple of values, or a `Result` whose `Ok` type is one of them
/// and whose `Err` type is [`GoError`](crate::GoError).
///
/// # Safety
/// `Raw` must have the layout of a Go struct with fields of the types in `TYPES`.
#[diagnostic::on_unimplemented(
    message = "a Go function cannot return `{Self}` to Rust",
    note = "a Go function that Rust calls returns nothing, a number, `bool`, `char`, an array of them, a type that derives `Value`, a handle, an object that is not `inline`, `String` or `Vec<T>`, an `Option` or a tuple of these, or `Result<T, rustgo::GoError>`"
)]
pub unsafe trait Answer: Sized {
    /// The memory to which Go writes the results.
    type Raw;

    /// The types of the Go function's results.
    const TYPES: Types;

    /// Converts the results that Go has written.
    ///
    /// # Safety
    /// Go must have written results of the types in `TYPES`. No other code may use the memory that the results refer to.
    ///
    /// # Panics
    /// If a result is not valid in Rust.
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Self::Raw>) -> Self;

    /// Returns an error with this text for a Go function that could not be called. Returns `None` if `Self` has no error.
    fn refused(why: &'static str) -> Option<Self> {
        let _ = why;
        None
    }
}

/// One result of a Go function that is not an error.
///
/// # Safety
/// `Raw` must have the layout of the Go type `TYPE`.
#[diagnostic::on_unimplemented(
    message = "a Go function cannot return `{Self}` to Rust",
    note = "a Go function that Rust calls returns nothing, a number, `bool`, `char`, an array of them, a type that derives `Value`, a handle, an object that is not `inline`, `String` or `Vec<T>`, an `Option` or a tuple of these, or `Result<T, rustgo::GoError>`"
)]
pub unsafe trait One: Sized {
    /// The memory to which Go writes the result.
    type Raw;

    /// The type of the Go function's result.
    const TYPE: Type;

    /// True if `discard` does something.
    const OWNS: bool = false;

    /// Converts the result that Go has written.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Answer::take`].
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Self::Raw>) -> Self;

    /// Drops the result that Go has written.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Answer::take`]. Only one of `take` and `discard` may be called for a result.
    unsafe fn discard(raw: &MaybeUninit<Self::Raw>) {
        let _ = raw;
    }
}

/// A result that Go has written. Its destructor drops a result that Rust does not take: another result is not valid, or the `Option` is `None`.
struct Untaken<'a, T: One>(&'a MaybeUninit<T::Raw>);

impl<T: One> Untaken<'_, T> {
    /// Converts the result.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Answer::take`].
    #[inline]
    #[track_caller]
    unsafe fn take(self) -> T {
        let raw = self.0;
        core::mem::forget(self);
        // SAFETY: as promised by the caller.
        unsafe { T::take(raw) }
    }
}

impl<T: One> Drop for Untaken<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if T::OWNS {
            // SAFETY: Go has written the result, and Rust has not taken it.
            unsafe { T::discard(self.0) }
        }
    }
}

/// Panics because Go has returned nil instead of an object.
#[cold]
#[inline(never)]
#[track_caller]
pub fn nil(go_name: &'static str) -> ! {
    panic!("a Go function has returned nil instead of a {go_name}")
}

/// The results of a Go function that are not an error.
///
/// # Safety
/// The implementation must meet the requirements of [`Answer`].
#[diagnostic::on_unimplemented(
    message = "a Go function cannot return `{Self}` to Rust",
    note = "a Go function that Rust calls returns nothing, a number, `bool`, `char`, an array of them, a type that derives `Value`, a handle, an object that is not `inline`, `String` or `Vec<T>`, an `Option` or a tuple of these, or `Result<T, rustgo::GoError>`"
)]
pub unsafe trait Values: Sized {
    /// The memory to which Go writes the results.
    type Raw;

    /// The types of the Go function's results.
    const TYPES: Types;

    /// Converts the results that Go has written.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Answer::take`].
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Self::Raw>) -> Self;
}

#[cold]
#[inline(never)]
#[track_caller]
fn invalid(what: &'static str) -> ! {
    panic!("a Go function has returned {what}")
}

// SAFETY: an element has the same layout in both languages.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element> One for T {
    type Raw = T;
    const TYPE: Type = T::TYPE;

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<T>) -> T {
        // SAFETY: Go has written a value; its bytes are checked before they are used as a value of the Rust type.
        unsafe {
            if let Some(what) = T::INVALID
                && !all_valid(raw.as_ptr(), 1)
            {
                invalid(what);
            }
            by_words(raw)
        }
    }
}

// SAFETY: the memory holds the only result, or nothing if the result has no bytes.
#[diagnostic::do_not_recommend]
unsafe impl<T: One> Values for T {
    type Raw = T::Raw;
    // A type without bytes, such as `()`, is no result in Go.
    const TYPES: Types = if size_of::<T::Raw>() == 0 { Types::NONE } else { Types::NONE.and(T::TYPE) };

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<T::Raw>) -> Self {
        // SAFETY: as promised by the caller.
        unsafe { T::take(raw) }
    }
}

/// A value and the `bool` that tells whether there is one.
#[repr(C)]
pub struct Perhaps<T>(MaybeUninit<T>, bool);

// SAFETY: the memory has the value and a `bool`.
#[diagnostic::do_not_recommend]
unsafe impl<T: One + Optional> Values for Option<T> {
    type Raw = Perhaps<T::Raw>;
    const TYPES: Types = Types::NONE.and(T::TYPE).and(Type::Basic(Basic::Bool));

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Self::Raw>) -> Self {
        // SAFETY: Go has written the value and the `bool`, and Go stores only 0 or 1 in a `bool`.
        unsafe {
            let raw = raw.assume_init_ref();
            let value = Untaken::<T>(&raw.0);
            if raw.1 { Some(value.take()) } else { None }
        }
    }
}

macro_rules! tuples {
    ($($area:ident: $($letter:ident $index:tt),*;)*) => {$(
        /// The results of a Go function, one after another.
        #[repr(C)]
        pub struct $area<$($letter),*>($(MaybeUninit<$letter>),*);

        // SAFETY: the memory has the values, one after another.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($letter: One),*> Values for ($($letter,)*) {
            type Raw = $area<$($letter::Raw),*>;
            const TYPES: Types = Types::NONE$(.and($letter::TYPE))*;

            #[inline]
            #[track_caller]
            unsafe fn take(raw: &MaybeUninit<Self::Raw>) -> Self {
                // SAFETY: as promised by the caller; the fields may be uninitialised.
                unsafe {
                    let raw = raw.assume_init_ref();
                    let values = ($(Untaken::<$letter>(&raw.$index),)*);
                    ($(values.$index.take(),)*)
                }
            }
        }
    )*};
}

tuples! {
    Pair: A 0, B 1;
    Triple: A 0, B 1, C 2;
    Quadruple: A 0, B 1, C 2, D 3;
}

// SAFETY: `Values` has the same requirements.
#[diagnostic::do_not_recommend]
unsafe impl<V: Values> Answer for V {
    type Raw = V::Raw;
    const TYPES: Types = V::TYPES;

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<V::Raw>) -> Self {
        // SAFETY: as promised by the caller.
        unsafe { V::take(raw) }
    }
}

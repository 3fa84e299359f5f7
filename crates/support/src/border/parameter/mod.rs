//! The types that a parameter of an exported function can have.

mod memory;
mod pointer;

pub(super) use memory::{Slice, Str};
pub use pointer::{Pointed, check_nilable, check_pointer};

use super::check::{self, Access, Extent};
use super::element::{Element, all_valid, laid_out};
use crate::handle::{GoType, Handle};
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit, align_of, size_of};
use rustgo_schema::{Basic, describe::Type};

/// A type that can be a parameter of an exported function.
///
/// `'call` is the duration of the call. No reference may live longer, because the arguments may lie on Go's stack
/// (`//go:noescape`).
///
/// # Safety
/// `Raw` must have the layout of the Go type that `TYPE` describes, in an argument area. `ACCESS` and `meets` must cover all memory to which the
/// value from `take` refers. If the access is exclusive, `extent` must cover this memory too. `CHANGEABLE` must be true if Go can change any of this
/// memory.
#[diagnostic::on_unimplemented(
    message = "parameters of type `{Self}` cannot cross the boundary to Go",
    label = "cannot be a parameter",
    note = "derive what Go shall see: `#[derive(rustgo::Value)]` for plain data, `#[rustgo::object]` for a type with methods; a value that stays in Go is a `Handle<T>`",
    note = "a parameter can be a number of up to 64 bits, `bool`, `char`, `&str`, `String`, a `Handle<T>`, `&[T]`, `&mut [T]`, `Vec<T>`, an array, `&T` or `&mut T`, and an `Option` of a handle, a `&T` or a `&mut T`; objects are passed one by one, not in a list",
    note = "a Go value whose methods Rust calls is a `Go<'_, dyn Trait>` of a trait with `#[rustgo::interface]`, or an `OwnedGo<dyn Trait>` if Rust keeps it or the trait asks for `Send`, `Sync` or `'static`"
)]
pub unsafe trait Parameter<'call>: Sized {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Parameter<'call>;

    /// A witness of the type: a value by which generated code refers to the type.
    const WITNESS: Witness<Self::It> = PhantomData;

    /// The parameter's representation in Go's argument area.
    type Raw;

    /// The corresponding Go type.
    const TYPE: Type;

    /// How Rust accesses the memory that the parameter refers to.
    const ACCESS: Access = Access::None;

    /// True if Go can change the parameter's memory after the function has returned. False for strings, which never change, and for objects in the
    /// Rust heap.
    const CHANGEABLE: bool = false;

    /// True if Go may pass nil, which becomes `None`.
    const NILABLE: bool = false;

    /// The type of a place in the shim's stack frame for a copy of a value that cannot be used in Go's memory.
    type Room;

    /// Returns the contiguous memory that the parameter refers to: for a slice of strings or slices, the outer slice alone.
    ///
    /// # Safety
    /// The caller must meet the requirements of `check`, and `check` must have returned.
    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        let _ = raw;
        Extent::NOTHING
    }

    /// True if the parameter's memory has a byte in common with `other`.
    ///
    /// # Safety
    /// The caller must meet the requirements of `extent`.
    #[inline]
    unsafe fn meets(raw: &Self::Raw, other: Extent) -> bool {
        // SAFETY: as promised by the caller.
        unsafe { Self::extent(raw) }.meets(other)
    }

    /// Panics with the parameter's name if the argument cannot be used. The check does not depend on other arguments.
    ///
    /// # Safety
    /// `raw` must meet the requirements of `take`.
    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        let _ = (raw, name);
    }

    /// Runs code of the author that produces a value (an object's default), and stores the value in the room. All parameters are prepared
    /// before one is taken, so that a panic of this code leaves no object half-changed.
    ///
    /// # Safety
    /// `raw` must meet the requirements of `take`.
    #[inline]
    unsafe fn prepare(raw: &Self::Raw, room: &mut MaybeUninit<Self::Room>) {
        let _ = (raw, room);
    }

    /// Ends the use of the argument after a panic that has unwound the call. If `take` has not been called, this function does nothing.
    ///
    /// # Safety
    /// `raw` must meet the requirements of `take`, and nothing may use the value that `take` returned any more.
    #[inline]
    unsafe fn unwound(raw: &Self::Raw) {
        let _ = raw;
    }

    /// Converts the argument to the Rust value.
    ///
    /// # Safety
    /// `raw` must come from a Go call with an argument of the type that `TYPE` describes. `check`, and `prepare` for all parameters, must have
    /// returned. During `'call` no other code may write to the parameter's memory, or, if the access is exclusive, read it.
    unsafe fn take(raw: &Self::Raw, room: &'call mut MaybeUninit<Self::Room>) -> Self;
}

/// Calls [`Parameter::take`] for the type of the witness.
///
/// # Safety
/// The caller must meet the requirements of [`Parameter::take`].
#[inline(always)]
pub unsafe fn take<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, room: &'call mut MaybeUninit<P::Room>) -> P {
    // SAFETY: as promised by the caller.
    unsafe { P::take(raw, room) }
}

/// Calls [`Parameter::prepare`] for the type of the witness.
///
/// # Safety
/// The caller must meet the requirements of [`Parameter::prepare`].
#[inline(always)]
pub unsafe fn prepare<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, room: &mut MaybeUninit<P::Room>) {
    // SAFETY: as promised by the caller.
    unsafe { P::prepare(raw, room) }
}

/// Returns an empty [`Parameter::Room`] for the type of the witness.
#[must_use]
#[inline(always)]
pub const fn room<'call, P: Parameter<'call>>(_: Witness<P>) -> MaybeUninit<P::Room> {
    MaybeUninit::uninit()
}

/// Returns [`Parameter::CHANGEABLE`] for the type of the witness.
#[must_use]
pub const fn is_changeable<'call, P: Parameter<'call>>(_: Witness<P>) -> bool {
    P::CHANGEABLE
}

/// Returns [`Parameter::NILABLE`] for the type of the witness.
#[must_use]
pub const fn is_nilable<'call, P: Parameter<'call>>(_: Witness<P>) -> bool {
    P::NILABLE
}

/// Converts a T to a U. Both are the same type, which the compiler may not be able to see.
///
/// The shim passes [`Parameter::It`] to the author's function through this conversion. Without the conversion, a parameter whose type does not
/// implement the trait would cause a second error: the compiler would infer `It` from the function's signature and report a mismatch there.
///
/// # Safety
/// The types must be the same.
#[inline(always)]
pub unsafe fn same<T, U>(value: T) -> U {
    const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) }
    let value = ManuallyDrop::new(value);
    // SAFETY: as promised by the caller; the value is not used again.
    unsafe { (&raw const value).cast::<U>().read() }
}

/// A value that represents a type, so that generated code need not repeat the type's name. A witness of a `'static` reference does not convert to
/// a witness of a reference that lives only for the call.
pub type Witness<T> = PhantomData<fn(T)>;

/// Returns [`Parameter::TYPE`] for the type of the witness.
#[must_use]
pub const fn type_of<'call, P: Parameter<'call>>(_: Witness<P>) -> Type {
    laid_out::<P::Raw>(P::TYPE)
}

macro_rules! values {
    ($($rust:ty,)*) => {$(
        // SAFETY: `Element` requires the same layout in Go, and the value refers to no memory.
        #[diagnostic::do_not_recommend]
        unsafe impl Parameter<'_> for $rust {
            type It = Self;
            type Raw = $rust;
            type Room = ();
            const TYPE: Type = <$rust as Element>::TYPE;

            #[inline]
            unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
                *raw
            }
        }
    )*};
}

values! { u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64, bool, }

// SAFETY: a rune is an int32; the value refers to no memory.
#[diagnostic::do_not_recommend]
unsafe impl Parameter<'_> for char {
    type It = Self;
    type Raw = u32;
    type Room = ();
    const TYPE: Type = Type::Basic(Basic::Rune);

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &u32, name: &'static str) {
        if char::from_u32(*raw).is_none() {
            check::not_a_char(name, *raw);
        }
    }

    #[inline]
    unsafe fn take(raw: &u32, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: `check` has refused numbers that are not characters.
        unsafe { char::from_u32_unchecked(*raw) }
    }
}

// SAFETY: a handle is a uint64 in Go; it refers to no memory that Rust can access.
unsafe impl<T: GoType + ?Sized> Parameter<'_> for Handle<T> {
    type It = Handle<T::It>;
    type Raw = u64;
    type Room = ();
    const TYPE: Type = <Self as Element>::TYPE;

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &u64, name: &'static str) {
        if *raw == 0 {
            check::zero_handle(name);
        }
    }

    #[inline]
    unsafe fn take(raw: &u64, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: `check` has refused zero.
        unsafe { Self::from_bits(*raw).unwrap_unchecked() }
    }
}

// SAFETY: a handle is a `uint64` in Go, and the number zero is `None`. A handle refers to no memory that Rust can access.
unsafe impl<T: GoType + ?Sized> Parameter<'_> for Option<Handle<T>> {
    type It = Option<Handle<T::It>>;
    type Raw = u64;
    type Room = ();
    const TYPE: Type = <Self as Element>::TYPE;

    #[inline]
    unsafe fn take(raw: &u64, _: &mut MaybeUninit<()>) -> Self {
        Handle::from_bits(*raw)
    }
}
// SAFETY: in both languages an array consists of its elements, one after another; the value refers to no memory.
#[diagnostic::do_not_recommend]
unsafe impl<'call, T: Element, const N: usize> Parameter<'call> for [T; N] {
    type It = [T::It; N];
    type Raw = MaybeUninit<Self>;
    type Room = ();
    const TYPE: Type = <Self as Element>::TYPE;

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: Go has initialised the array.
        unsafe { check_elements(raw.as_ptr().cast::<T>(), N, name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: Go has initialised the array, and `check` has refused invalid elements. Elements are plain data, which may be copied.
        unsafe { by_words(raw) }
    }
}

/// Copies a value from an argument area. A short value is copied word by word, because Go's callers have just written the arguments word by word.
/// A 16-byte load that spans two such stores would stall the processor for 5 ns or more. The loads are volatile, so that the compiler does not
/// merge them.
///
/// # Safety
/// The value must be initialised and may be duplicated by copying its bytes.
#[inline]
pub unsafe fn by_words<T>(value: &MaybeUninit<T>) -> T {
    if align_of::<T>() != align_of::<u64>() || size_of::<T>() / size_of::<u64>() > 8 {
        // SAFETY: as promised by the caller.
        return unsafe { value.assume_init_read() };
    }
    let mut copy = MaybeUninit::<T>::uninit();
    let (from, to) = (value.as_ptr().cast::<MaybeUninit<u64>>(), copy.as_mut_ptr().cast::<MaybeUninit<u64>>());
    for word in 0..size_of::<T>() / size_of::<u64>() {
        // SAFETY: the word lies within both values. Their alignment is a word's, and their size is a whole number of words.
        unsafe { to.add(word).write(from.add(word).read_volatile()) }
    }
    // SAFETY: all words were copied from an initialised value.
    unsafe { copy.assume_init() }
}

/// A `usize` that is Go's `int`.
#[repr(transparent)]
pub struct Int(usize);

// SAFETY: Go's int has the same size; negative numbers are refused.
#[diagnostic::do_not_recommend]
unsafe impl Parameter<'_> for Int {
    type It = Self;
    type Raw = isize;
    type Room = ();
    const TYPE: Type = Type::Basic(Basic::Int);

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &isize, name: &'static str) {
        if *raw < 0 {
            check::negative(name, *raw);
        }
    }

    #[inline]
    unsafe fn take(raw: &isize, _: &mut MaybeUninit<()>) -> Self {
        Self(raw.cast_unsigned())
    }
}

/// Checks a parameter whose type derives [`Value`](macro@crate::Value) and that Go passes by value.
///
/// # Safety
/// The caller must meet the requirements of [`Parameter::take`].
#[inline]
#[track_caller]
pub unsafe fn check_value<T: Element>(raw: &MaybeUninit<T>, name: &'static str) {
    // SAFETY: as promised by the caller.
    unsafe { check_elements(raw.as_ptr(), 1, name) }
}
/// Checks the elements that a Go pointer or slice refers to.
///
/// # Safety
/// The caller must meet the requirements of [`all_valid`].
#[inline]
#[track_caller]
unsafe fn check_elements<T: Element>(at: *const T, len: usize, name: &'static str) {
    if let Some(what) = T::INVALID {
        // SAFETY: as promised by the caller.
        if !unsafe { all_valid(at, len) } {
            check::invalid_value(name, what);
        }
    }
}

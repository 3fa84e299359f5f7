//! What can be a parameter.

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
/// `'call` is the time of the call: a reference must not be asked to live longer, since that is what lets Go keep the
/// arguments on its stack (`//go:noescape`).
///
/// # Safety
/// `Raw` must be laid out as Go lays out the type that `TYPE` describes, in an argument area; `ACCESS` and `extent` must
/// name everything that the value made by `take` refers to, and `CHANGEABLE` must be true if Go can change any of it.
#[diagnostic::on_unimplemented(
    message = "parameters of type `{Self}` cannot cross the border to Go",
    label = "cannot be a parameter",
    note = "derive what Go shall see: `#[derive(rustgo::Value)]` for plain data, `#[rustgo::object]` for a type with methods; a value that stays in Go is a `Handle<T>`",
    note = "a parameter can be a number of up to 64 bits, `bool`, `char`, `&str`, `String`, a `Handle<T>`, `&[T]`, `&mut [T]`, `Vec<T>`, an array, `&T` or `&mut T`, and an `Option` of a handle, a `&T` or a `&mut T`; objects are passed one by one, not in a list"
)]
pub unsafe trait Parameter<'call>: Sized {
    /// The type itself. Of a type that cannot be a parameter it is unknown, so that nothing else can be wrong with it.
    type It: Parameter<'call>;

    /// Stands for the type.
    const WITNESS: Witness<Self::It> = PhantomData;

    /// What lies in the argument area.
    type Raw;

    /// The type in Go.
    const TYPE: Type;

    /// What Rust may do with what it refers to.
    const ACCESS: Access = Access::None;

    /// Can Go change what it refers to, once the function has returned? Not so of strings, and of objects that are kept for Rust meanwhile.
    const CHANGEABLE: bool = false;

    /// May Go pass nil, which is `None`?
    const NILABLE: bool = false;

    /// Room for a copy of what cannot be used where it lies.
    type Room;

    /// The memory it refers to.
    ///
    /// # Safety
    /// As for `check`, which must have returned.
    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        let _ = raw;
        Extent::NOTHING
    }

    /// Has what it refers to a byte in common with this memory?
    ///
    /// # Safety
    /// As for `extent`.
    #[inline]
    unsafe fn meets(raw: &Self::Raw, other: Extent) -> bool {
        // SAFETY: the caller's.
        unsafe { Self::extent(raw) }.meets(other)
    }

    /// Panics, naming the parameter, if the argument cannot be taken whatever the others are.
    ///
    /// # Safety
    /// As for `take`.
    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        let _ = (raw, name);
    }

    /// Runs code of the author's that the value needs, while nothing has been changed that a panic of it would leave so. What it gives lies in the room.
    ///
    /// # Safety
    /// As for `take`.
    #[inline]
    unsafe fn prepare(raw: &Self::Raw, room: &mut MaybeUninit<Self::Room>) {
        let _ = (raw, room);
    }

    /// The Rust value.
    ///
    /// # Safety
    /// `raw` must come from a call by Go with an argument of the type that `TYPE` describes, `check` must have returned, and `prepare` for all parameters,
    /// and for the time `'call` nobody else may write to what it refers to or, if it is exclusive, read it.
    unsafe fn take(raw: &Self::Raw, room: &'call mut MaybeUninit<Self::Room>) -> Self;
}

/// [`Parameter::take`] of the type that the first argument stands for.
///
/// # Safety
/// As for [`Parameter::take`].
#[inline(always)]
pub unsafe fn take<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, room: &'call mut MaybeUninit<P::Room>) -> P {
    // SAFETY: the caller's.
    unsafe { P::take(raw, room) }
}

/// [`Parameter::prepare`] of the type that the first argument stands for.
///
/// # Safety
/// As for [`Parameter::prepare`].
#[inline(always)]
pub unsafe fn prepare<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw, room: &mut MaybeUninit<P::Room>) {
    // SAFETY: the caller's.
    unsafe { P::prepare(raw, room) }
}

/// [`Parameter::Room`] of the type that the argument stands for.
#[must_use]
#[inline(always)]
pub const fn room<'call, P: Parameter<'call>>(_: Witness<P>) -> MaybeUninit<P::Room> {
    MaybeUninit::uninit()
}

/// [`Parameter::CHANGEABLE`] of the type that the argument stands for.
#[must_use]
pub const fn is_changeable<'call, P: Parameter<'call>>(_: Witness<P>) -> bool {
    P::CHANGEABLE
}

/// [`Parameter::NILABLE`] of the type that the argument stands for.
#[must_use]
pub const fn is_nilable<'call, P: Parameter<'call>>(_: Witness<P>) -> bool {
    P::NILABLE
}

/// The value itself, as what it is known to be: T is U, though the compiler may not see it.
///
/// The shim passes [`Parameter::It`] to the author's function through this. Without it the compiler would infer from the function's
/// signature what `It` is where a type has none, and report the type again.
///
/// # Safety
/// The types must be the same.
#[inline(always)]
pub unsafe fn same<T, U>(value: T) -> U {
    const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) }
    let value = ManuallyDrop::new(value);
    // SAFETY: the caller's; the value is used no more.
    unsafe { (&raw const value).cast::<U>().read() }
}

/// A value that stands for a type, so that what takes it need not name the type again. A witness of a reference that lives for ever is none
/// of a reference that lives as long as the call.
pub type Witness<T> = PhantomData<fn(T)>;

/// [`Parameter::TYPE`] of the type that the value stands for.
#[must_use]
pub const fn type_of<'call, P: Parameter<'call>>(_: Witness<P>) -> Type {
    laid_out::<P::Raw>(P::TYPE)
}

macro_rules! values {
    ($($rust:ty,)*) => {$(
        // SAFETY: as for `Element`; it refers to nothing.
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

// SAFETY: a rune is an int32; it refers to nothing.
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
        // SAFETY: checked.
        unsafe { char::from_u32_unchecked(*raw) }
    }
}

// SAFETY: a handle is a uint64 in Go; it refers to nothing that Rust can reach.
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
        // SAFETY: not zero (checked).
        unsafe { Self::from_bits(*raw).unwrap_unchecked() }
    }
}

// SAFETY: as above.
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
// SAFETY: arrays are their elements in both languages; it refers to nothing.
#[diagnostic::do_not_recommend]
unsafe impl<'call, T: Element, const N: usize> Parameter<'call> for [T; N] {
    type It = [T::It; N];
    type Raw = MaybeUninit<Self>;
    type Room = ();
    const TYPE: Type = <Self as Element>::TYPE;

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: Go has initialised it.
        unsafe { check_elements(raw.as_ptr().cast::<T>(), N, name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: initialised, and valid (checked). Elements are plain data, of which a copy is as good.
        unsafe { by_words(raw) }
    }
}

/// A copy of a value in an argument area, made word by word if it is short: Go's callers have just written it so, and a processor has a load of 16
/// bytes wait for both stores that it spans, 5 ns and more. The compiler may not join loads that are volatile.
///
/// # Safety
/// It must be initialised, and a copy as good.
#[inline]
pub unsafe fn by_words<T>(value: &MaybeUninit<T>) -> T {
    if align_of::<T>() != align_of::<u64>() || size_of::<T>() / size_of::<u64>() > 8 {
        // SAFETY: the caller's.
        return unsafe { value.assume_init_read() };
    }
    let mut copy = MaybeUninit::<T>::uninit();
    let (from, to) = (value.as_ptr().cast::<MaybeUninit<u64>>(), copy.as_mut_ptr().cast::<MaybeUninit<u64>>());
    for word in 0..size_of::<T>() / size_of::<u64>() {
        // SAFETY: within both, which are aligned for words and are whole numbers of them.
        unsafe { to.add(word).write(from.add(word).read_volatile()) }
    }
    // SAFETY: it is what the value was.
    unsafe { copy.assume_init() }
}

/// A `usize` that is Go's `int`.
#[repr(transparent)]
pub struct Int(usize);

// SAFETY: Go's int is as wide, and negative ones are refused.
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

/// A value in Go's memory, by value: for types that derive [`Value`](macro@crate::Value).
///
/// # Safety
/// As for [`Parameter::take`].
#[inline]
#[track_caller]
pub unsafe fn check_value<T: Element>(raw: &MaybeUninit<T>, name: &'static str) {
    // SAFETY: the caller's.
    unsafe { check_elements(raw.as_ptr(), 1, name) }
}
/// What a Go pointer or slice refers to.
///
/// # Safety
/// As for [`all_valid`].
#[inline]
#[track_caller]
unsafe fn check_elements<T: Element>(at: *const T, len: usize, name: &'static str) {
    if let Some(what) = T::INVALID {
        // SAFETY: the caller's.
        if !unsafe { all_valid(at, len) } {
            check::holds(name, what);
        }
    }
}

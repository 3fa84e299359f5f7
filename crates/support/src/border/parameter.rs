//! What can be a parameter.

use super::check::{self, Access, Extent};
use super::element::{Element, all_valid, laid_out};
use crate::handle::{GoType, Handle};
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, align_of, size_of};
use core::ptr::NonNull;
use rustgo_schema::{Basic, describe::Type};

/// A type that can be a parameter of an exported function.
///
/// `'call` is the time of the call: a reference must not be asked to live longer, since that is what lets Go keep the
/// arguments on its stack (`//go:noescape`).
///
/// # Safety
/// `Raw` must be laid out as Go lays out the type that `TYPE` describes, in an argument area; `ACCESS` and `extent` must
/// name everything that the value made by `take` refers to.
#[diagnostic::on_unimplemented(
    message = "parameters of type `{Self}` cannot cross the border to Go",
    label = "cannot be a parameter",
    note = "pass what Go has a type for: the parts of a struct or tuple as parameters of their own, a list as `&[T]`, a text as `&str`, a value that stays in Go as a `Handle<T>`",
    note = "a parameter can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char`, `&str`, a `Handle<T>`, `&[T]`, `&mut [T]`, `&T` or `&mut T`, and an `Option` of a handle, a `&T` or a `&mut T`"
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

    /// The memory it refers to.
    #[inline]
    fn extent(raw: &Self::Raw) -> Extent {
        let _ = raw;
        Extent::NOTHING
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

    /// The Rust value.
    ///
    /// # Safety
    /// `raw` must come from a call by Go with an argument of the type that `TYPE` describes, `check` must have returned,
    /// and for the time `'call` nobody else may write to what it refers to or, if it is exclusive, read it.
    unsafe fn take(raw: &Self::Raw) -> Self;
}

/// [`Parameter::take`] of the type that the first argument stands for.
///
/// # Safety
/// As for [`Parameter::take`].
#[inline(always)]
pub unsafe fn take<'call, P: Parameter<'call>>(_: Witness<P>, raw: &P::Raw) -> P {
    // SAFETY: the caller's.
    unsafe { P::take(raw) }
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
            const TYPE: Type = <$rust as Element>::TYPE;

            #[inline]
            unsafe fn take(raw: &Self::Raw) -> Self {
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
    const TYPE: Type = Type::Basic(Basic::Rune);

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &u32, name: &'static str) {
        if char::from_u32(*raw).is_none() {
            check::not_a_char(name, *raw);
        }
    }

    #[inline]
    unsafe fn take(raw: &u32) -> Self {
        // SAFETY: checked.
        unsafe { char::from_u32_unchecked(*raw) }
    }
}

// SAFETY: a handle is a uint64 in Go; it refers to nothing that Rust can reach.
unsafe impl<T: GoType + ?Sized> Parameter<'_> for Handle<T> {
    type It = Handle<T::It>;
    type Raw = u64;
    const TYPE: Type = <Self as Element>::TYPE;

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &u64, name: &'static str) {
        if *raw == 0 {
            check::zero_handle(name);
        }
    }

    #[inline]
    unsafe fn take(raw: &u64) -> Self {
        // SAFETY: not zero (checked).
        unsafe { Self::from_bits(*raw).unwrap_unchecked() }
    }
}

// SAFETY: as above.
unsafe impl<T: GoType + ?Sized> Parameter<'_> for Option<Handle<T>> {
    type It = Option<Handle<T::It>>;
    type Raw = u64;
    const TYPE: Type = <Self as Element>::TYPE;

    #[inline]
    unsafe fn take(raw: &u64) -> Self {
        Handle::from_bits(*raw)
    }
}

/// A Go pointer that must not be nil.
///
/// # Safety
/// As for [`Parameter::take`].
#[inline]
#[track_caller]
unsafe fn check_pointer<T: Element>(at: *const T, name: &'static str) {
    if at.is_null() {
        check::nil(name);
    }
    // SAFETY: Go's pointers are nil or point to an initialised value.
    unsafe { check_elements(at, 1, name) }
}

/// A Go pointer that may be nil.
///
/// # Safety
/// As for [`Parameter::take`].
#[inline]
#[track_caller]
unsafe fn check_nilable<T: Element>(at: *const T, name: &'static str) {
    if !at.is_null() {
        // SAFETY: as above.
        unsafe { check_elements(at, 1, name) }
    }
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

/// `[attributes] [generics] reference, its `It`, what it is in Go's memory, …;`
macro_rules! pointer {
    ($(#[$attribute:meta])* [$($of:tt)*] $reference:ty, $it:ty, $elem:ty, $access:ident $check:ident $($mutable:ident)?) => {
        // SAFETY: a Go pointer is an address, and nil is zero; what it points to is all it refers to.
        $(#[$attribute])*
        unsafe impl<'call, $($of)*> Parameter<'call> for $reference {
            type It = $it;
            type Raw = *mut $elem;
            const TYPE: Type = Type::Pointer { mutable: matches!(Access::$access, Access::Exclusive), elem: &<$elem as Element>::TYPE };
            const ACCESS: Access = Access::$access;

            #[inline]
            fn extent(raw: &Self::Raw) -> Extent {
                Extent { start: raw.addr(), len: if raw.is_null() { 0 } else { size_of::<$elem>() } }
            }

            #[inline]
            #[track_caller]
            unsafe fn check(raw: &Self::Raw, name: &'static str) {
                // SAFETY: the caller's.
                unsafe { $check(*raw, name) }
            }

            #[inline]
            unsafe fn take(raw: &Self::Raw) -> Self {
                // SAFETY: nil is refused (checked) or None. Else it points to a value that Go allocated, initialised, aligned as Go
                // aligns the type (its natural alignment, which is Rust's), and valid (checked). The caller vouches for the time
                // 'call. No other parameter overlaps what Rust may write to (`disjoint`).
                unsafe { pointer!(@take $check *raw, $($mutable)?) }
            }
        }
    };
    (@take check_pointer $raw:expr,) => { &*$raw };
    (@take check_pointer $raw:expr, mut) => { &mut *$raw };
    (@take check_nilable $raw:expr,) => { $raw.as_ref() };
    (@take check_nilable $raw:expr, mut) => { $raw.as_mut() };
}

macro_rules! to_values {
    ($($rust:ty)*) => {$(
        pointer!(#[diagnostic::do_not_recommend] [] &'call $rust, Self, $rust, Shared check_pointer);
        pointer!(#[diagnostic::do_not_recommend] [] &'call mut $rust, Self, $rust, Exclusive check_pointer mut);
    )*};
}

to_values! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool char }

// Not for all elements at once: where one cannot cross, the compiler would speak of references instead.
pointer!([T: Element + 'call, const N: usize] &'call [T; N], &'call [T::It; N], [T; N], Shared check_pointer);
pointer!([T: Element + 'call, const N: usize] &'call mut [T; N], &'call mut [T::It; N], [T; N], Exclusive check_pointer mut);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call Handle<T>, &'call Handle<T::It>, Handle<T>, Shared check_pointer);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call mut Handle<T>, &'call mut Handle<T::It>, Handle<T>, Exclusive check_pointer mut);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call Option<Handle<T>>, &'call Option<Handle<T::It>>, Option<Handle<T>>, Shared check_pointer);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call mut Option<Handle<T>>, &'call mut Option<Handle<T::It>>, Option<Handle<T>>, Exclusive check_pointer mut);
pointer!(#[diagnostic::do_not_recommend] [T: Element + 'call] Option<&'call T>, Option<&'call T::It>, T, Shared check_nilable);
pointer!(#[diagnostic::do_not_recommend] [T: Element + 'call] Option<&'call mut T>, Option<&'call mut T::It>, T, Exclusive check_nilable mut);

/// A Go slice.
#[repr(C)]
pub struct Slice<T> {
    data: *mut T,
    len: usize,
    cap: usize,
}

impl<T> Slice<T> {
    #[inline]
    fn extent(&self) -> Extent {
        // Go's allocator keeps every object below isize::MAX bytes.
        Extent { start: self.data.addr(), len: self.len.wrapping_mul(size_of::<T>()) }
    }

    /// The first element. Of an empty slice too a Rust pointer is never null.
    #[inline]
    fn start(&self) -> *mut T {
        if self.data.is_null() { NonNull::dangling().as_ptr() } else { self.data }
    }

    /// # Safety
    /// As for [`Parameter::take`].
    #[inline]
    #[track_caller]
    unsafe fn check(&self, name: &'static str)
    where
        T: Element,
    {
        // SAFETY: Go's slices hold `len` initialised values.
        unsafe { check_elements(self.data, self.len, name) }
    }
}

// SAFETY: a Go slice is these three words, of which the first two say what Rust may touch.
unsafe impl<'call, T: Element + 'call> Parameter<'call> for &'call [T] {
    type It = &'call [T::It];
    type Raw = Slice<T>;
    const TYPE: Type = Type::Slice { mutable: false, elem: &T::TYPE };
    const ACCESS: Access = Access::Shared;

    #[inline]
    fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: the caller's.
        unsafe { raw.check(name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw) -> Self {
        // SAFETY: the slice is nil with no elements (`start` sees to that) or points to `len` elements of one Go object,
        // initialised, aligned as Go aligns the element type (its natural alignment, which is Rust's), and valid
        // (checked). The caller vouches for the time 'call.
        unsafe { core::slice::from_raw_parts(raw.start(), raw.len) }
    }
}

// SAFETY: as above.
unsafe impl<'call, T: Element + 'call> Parameter<'call> for &'call mut [T] {
    type It = &'call mut [T::It];
    type Raw = Slice<T>;
    const TYPE: Type = Type::Slice { mutable: true, elem: &T::TYPE };
    const ACCESS: Access = Access::Exclusive;

    #[inline]
    fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: the caller's.
        unsafe { raw.check(name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw) -> Self {
        // SAFETY: as for `&[T]`; no other parameter overlaps it (`disjoint`).
        unsafe { core::slice::from_raw_parts_mut(raw.start(), raw.len) }
    }
}

/// A Go string.
#[repr(C)]
pub struct Str {
    data: *const u8,
    len: usize,
}

impl Str {
    /// # Safety
    /// As for [`Parameter::take`].
    #[inline]
    unsafe fn bytes<'call>(&self) -> &'call [u8] {
        let start = if self.data.is_null() { NonNull::<u8>::dangling().as_ptr().cast_const() } else { self.data };
        // SAFETY: a Go string is empty or points to `len` bytes, which nobody writes to.
        unsafe { core::slice::from_raw_parts(start, self.len) }
    }
}

// SAFETY: a Go string is these two words.
#[diagnostic::do_not_recommend]
unsafe impl<'call> Parameter<'call> for &'call str {
    type It = Self;
    type Raw = Str;
    const TYPE: Type = Type::Basic(Basic::String);
    const ACCESS: Access = Access::Shared;

    #[inline]
    fn extent(raw: &Self::Raw) -> Extent {
        Extent { start: raw.data.addr(), len: raw.len }
    }

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: the caller's.
        if let Err(error) = core::str::from_utf8(unsafe { raw.bytes() }) {
            check::not_utf8(name, error.valid_up_to());
        }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw) -> Self {
        // SAFETY: the caller's; checked.
        unsafe { core::str::from_utf8_unchecked(raw.bytes()) }
    }
}

//! Types that can be one of several results, an element of a list, a field of an error, or an item of an iterator.

use super::check::Extent;
use super::element::Element;
use super::parameter::{Slice, Str};
use crate::handle::{GoType, Handle};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// Bits that select how results are converted.
pub mod mode {
    /// Set if texts may lie in memory that Go could change or free. Go then gets copies. If the bit is not set, texts lie in Go strings or in
    /// static memory.
    pub const TEXTS: u8 = 1;
    /// Set if `usize` becomes Go's `int` (otherwise `uint`).
    pub const INT: u8 = 2;
    /// Set if slices may lie in memory that Go must not write to or cannot keep. Go then gets copies. If the bit is not set, slices lie in Go
    /// slices or arrays.
    pub const SLICES: u8 = 4;
    /// Go gets copies of all texts and slices. Fields of errors and arguments of Go functions have this mode.
    pub const COPIED: u8 = TEXTS | SLICES;
    /// The same as `COPIED`, but `usize` is Go's `int`. Fields of errors with `int = "usize"` have this mode.
    pub const COPIED_INT: u8 = COPIED | INT;
}

/// A type that can be one of several results.
///
/// # Safety
/// `Raw` must have the size, alignment and meaning of the Go type that `TYPE` describes. All zeros must be a value that owns nothing.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot cross the boundary to Go",
    label = "cannot be a result",
    note = "derive what Go shall see: `#[derive(rustgo::Value)]` for plain data, `#[rustgo::object]` for a type with methods",
    note = "one of several results, an element of a list, what an iterator gives, or a field of an error that has no `#[rustgo(skip)]`, can be a number of up to 64 bits, `bool`, `char`, an array of them, a `Handle<T>`, `String`, `Vec<T>`, `&str` or `&[T]`"
)]
pub unsafe trait Output<const MODE: u8>: Sized {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Output<MODE>;

    /// The result's representation in the result area.
    type Raw;

    /// A value by which generated code can refer to the type `Raw`.
    const RAW: PhantomData<fn() -> Self::Raw> = PhantomData;

    /// The corresponding Go type.
    const TYPE: Type;

    /// True if `Raw` is `Self`, so that no conversion is needed.
    const DIRECT: bool = false;

    /// True if `known` returns true for the memory of every slice that Go gets without a copy. (`known` returns true for memory that
    /// overlaps an argument slice.)
    #[inline]
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
        let _ = known;
        true
    }

    /// Panics if the Go type cannot represent the value.
    #[inline]
    #[track_caller]
    fn fits(&self) {}

    /// Converts the value to its representation in the result area.
    ///
    /// # Panics
    /// If the Go type cannot represent the value.
    #[track_caller]
    fn into_raw(self) -> Self::Raw;

    /// Converts the value as [`into_raw`](Self::into_raw) does. A raw value has no destructor, but a `Converted` has.
    ///
    /// # Panics
    /// If the Go type cannot represent the value.
    #[inline]
    #[track_caller]
    fn convert(self) -> Converted<Self, MODE> {
        Converted(ManuallyDrop::new(self.into_raw()))
    }

    /// Drops a value that was converted for Go but not passed to Go.
    ///
    /// # Safety
    /// The value must come from [`into_raw`](Self::into_raw), and nothing may use it afterwards.
    #[inline]
    unsafe fn discard(raw: Self::Raw) {
        let _ = raw;
    }
}

/// A value that was converted for Go. Its destructor discards the value: if a later conversion or destructor panics, Go does not get the value.
#[repr(transparent)]
pub struct Converted<T: Output<MODE>, const MODE: u8>(ManuallyDrop<T::Raw>);

impl<T: Output<MODE>, const MODE: u8> Converted<T, MODE> {
    /// Returns the raw value, which has no destructor.
    #[inline]
    #[must_use]
    pub fn raw(self) -> T::Raw {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: the value is not used again.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }
}

impl<T: Output<MODE>, const MODE: u8> Drop for Converted<T, MODE> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the value comes from `into_raw`, and nothing uses it afterwards.
        unsafe { T::discard(ManuallyDrop::take(&mut self.0)) }
    }
}

/// A type `T` for which a result of type `Option<T>` becomes two Go results: a `T` and a `bool`. (An `Option` of a handle is a single Go result,
/// in which zero means `None`.)
pub trait Optional {}

macro_rules! output {
    ($([$($of:tt)*] $rust:ty,)*) => {$(
        // SAFETY: the type has the same size, alignment and representation in Go, and Go's type can represent every Rust value.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($of)* const MODE: u8> Output<MODE> for $rust {
            type It = Self;
            type Raw = Self;
            const TYPE: Type = <Self as Element>::TYPE;
            const DIRECT: bool = true;

            #[inline]
            fn into_raw(self) -> Self {
                self
            }
        }
    )*};
}

output! {
    [] u8, [] u16, [] u32, [] u64, [] i8, [] i16, [] i32, [] i64, [] isize, [] f32, [] f64, [] bool, [] char,
    [T: GoType + ?Sized,] Handle<T>,
    // For `Option<Handle<T>>`: the option has the same size as the handle, and `None` is Go's zero handle.
    [T: GoType + ?Sized,] Option<Handle<T>>,
}

// SAFETY: in both languages an array consists of its elements, one after another.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element, const N: usize, const MODE: u8> Output<MODE> for [T; N] {
    type It = Self;
    type Raw = Self;
    const TYPE: Type = <Self as Element>::TYPE;
    const DIRECT: bool = true;

    #[inline]
    fn into_raw(self) -> Self {
        self
    }
}

// SAFETY: Go's uint and int have the same size; if the Go type is int, numbers that are too large are refused.
#[diagnostic::do_not_recommend]
unsafe impl<const MODE: u8> Output<MODE> for usize {
    type It = Self;
    type Raw = Self;
    const TYPE: Type = Type::Basic(if MODE & mode::INT == 0 { Basic::Uint } else { Basic::Int });
    // Without the bit `INT` no conversion is needed. With the bit, each number of a list must be checked.
    const DIRECT: bool = MODE & mode::INT == 0;

    #[inline]
    fn fits(&self) {
        if MODE & mode::INT != 0 && *self > isize::MAX as usize {
            super::check::too_large(*self);
        }
    }

    #[inline]
    fn into_raw(self) -> Self {
        Output::<MODE>::fits(&self);
        self
    }
}

// SAFETY: `Raw` has the two words of a Go string. An empty string gets a nil pointer, because an empty Rust text may have any address.
#[diagnostic::do_not_recommend]
unsafe impl<const MODE: u8> Output<MODE> for &str {
    type It = Self;
    type Raw = Str;
    const TYPE: Type = if MODE & mode::TEXTS == 0 { Type::Basic(Basic::String) } else { Type::Text { freed: false } };

    #[inline]
    fn into_raw(self) -> Str {
        Str::of(self.as_bytes())
    }
}

macro_rules! slice {
    ($($mode:literal $raw:ty, $described:ident { $fact:ident: false };)*) => {$(
        // SAFETY: `Raw` has the three words of a Go slice without spare capacity, or the address and length of memory that Go copies. An
        // empty slice gets a nil pointer.
        #[diagnostic::do_not_recommend]
        unsafe impl<'a, T: Element> Output<$mode> for &'a [T] {
            type It = &'a [T::It];
            type Raw = $raw;
            const TYPE: Type = Type::$described { $fact: false, elem: &<T as Element>::TYPE };

            #[inline]
            fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
                let extent = Extent { start: self.as_ptr().addr(), len: self.len() * size_of::<T>() };
                $mode & mode::SLICES != 0 || extent.len == 0 || known(extent)
            }

            #[inline]
            fn into_raw(self) -> Self::Raw {
                <$raw>::of(self)
            }
        }
    )*};
}

slice! {
    0 Slice<T>, Slice { mutable: false };
    1 Slice<T>, Slice { mutable: false };
    2 Slice<T>, Slice { mutable: false };
    3 Slice<T>, Slice { mutable: false };
    4 Shared<T>, List { freed: false };
    5 Shared<T>, List { freed: false };
    6 Shared<T>, List { freed: false };
    7 Shared<T>, List { freed: false };
}

/// Memory that Go copies: its address and length.
#[repr(C)]
pub struct Shared<T> {
    data: *const T,
    len: usize,
}

impl<T> Shared<T> {
    #[inline]
    fn of(slice: &[T]) -> Self {
        Self { data: if slice.is_empty() { core::ptr::null() } else { slice.as_ptr() }, len: slice.len() }
    }
}

macro_rules! optional {
    ($([$($of:tt)*] $rust:ty,)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($of)*> Optional for $rust {}
    )*};
}

optional! {
    [] u8, [] u16, [] u32, [] u64, [] usize, [] i8, [] i16, [] i32, [] i64, [] isize, [] f32, [] f64, [] bool, [] char,
    [T: Element, const N: usize] [T; N], [] &str, [T: Element] &[T],
}

//! `String` and `Vec` at the boundary between Go and Rust. Go copies the memory that Rust has allocated, and then frees this memory by the
//! function `release`.

mod append;
mod failure;
mod func;
mod iterator;
mod object;
mod streams;
mod text;

pub use append::Append;
pub use failure::{SOURCES, Sourceless, Texts, text_of};
pub use func::{GoError, OwnedFunc};
pub use iterator::{begin, end, next, next_pair};
pub use object::{
    check as check_boxed, drop, extent as extent_of_boxed, give, resolve as resolve_boxed, resolve_exclusive as resolve_exclusive_boxed,
    take_given, take_out, unwound as unwound_boxed,
};

pub use streams::{
    Context, OwnedReadSeeker, OwnedReadWriter, OwnedReader, OwnedReaderAt, OwnedWriteSeeker, OwnedWriter, ReadSeeker, ReadWriter, Reader,
    ReaderAt, WriteSeeker, Writer, poll,
};

use crate::border::check::{Access, Extent};
use crate::border::element::Element;
use crate::border::output::{Converted, Optional, Output};
use crate::border::parameter::Parameter;
use crate::border::views::Strs;
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::{ManuallyDrop, MaybeUninit, size_of};
use core::ptr::null_mut;
use rustgo_schema::describe::Type;

/// Memory that Go copies and then frees: its address, and the length and capacity as numbers of elements. If the capacity is 0, nothing is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Owned {
    data: *mut u8,
    len: usize,
    cap: usize,
}

impl Owned {
    /// No memory.
    pub const NOTHING: Self = Self { data: null_mut(), len: 0, cap: 0 };

    /// Transfers the ownership of the elements to Go.
    pub fn of<T>(vec: Vec<T>) -> Self {
        const { assert!(size_of::<T>() != 0) }
        if vec.capacity() == 0 {
            return Self::NOTHING;
        }
        let mut vec = ManuallyDrop::new(vec);
        Self { data: vec.as_mut_ptr().cast(), len: vec.len(), cap: vec.capacity() }
    }

    /// Takes the elements back.
    ///
    /// # Safety
    /// The memory must come from [`of`](Self::of) with elements of this type, and nothing may use it afterwards.
    unsafe fn take<T>(self) -> Vec<T> {
        // SAFETY: as promised by the caller.
        if self.cap == 0 { Vec::new() } else { unsafe { Vec::from_raw_parts(self.data.cast(), self.len, self.cap) } }
    }
}

// SAFETY: the raw result is a text in Rust's memory. Go frees this memory.
#[diagnostic::do_not_recommend]
unsafe impl<const MODE: u8> Output<MODE> for String {
    type It = Self;
    type Raw = Owned;
    const TYPE: Type = Type::Text { freed: true };

    #[inline]
    fn into_raw(self) -> Owned {
        Owned::of(self.into_bytes())
    }

    #[inline]
    unsafe fn discard(raw: Owned) {
        // SAFETY: as promised by the caller; the memory is a list of bytes.
        core::mem::drop(unsafe { raw.take::<u8>() });
    }
}

// SAFETY: the raw result is a list of the elements. The elements are unchanged, or each is converted.
#[diagnostic::do_not_recommend]
unsafe impl<T: Output<MODE>, const MODE: u8> Output<MODE> for Vec<T> {
    type It = Vec<T::It>;
    type Raw = Owned;
    const TYPE: Type = Type::List { freed: true, elem: &<T as Output<MODE>>::TYPE };

    #[inline]
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
        self.iter().all(|element| element.within(known))
    }

    #[inline]
    fn fits(&self) {
        if !T::DIRECT {
            for element in self {
                element.fits();
            }
        }
    }

    #[inline]
    fn into_raw(self) -> Owned {
        if T::DIRECT {
            return Owned::of(self);
        }
        // All elements are checked before std converts them one by one, so that a panic names a line of the author's code.
        self.fits();
        // If the conversion of an element panics, the converted elements are discarded, because the list is dropped. (std writes to the same memory
        // if the elements keep their size.)
        Owned::of(self.into_iter().map(T::convert).collect::<Vec<Converted<T, MODE>>>())
    }

    #[inline]
    unsafe fn discard(raw: Owned) {
        // SAFETY: as promised by the caller; the memory is a list of raw elements. (A type without a conversion is its own raw type.)
        unsafe { discard_all(raw.take::<T::Raw>().into_iter(), |element| T::discard(element)) }
    }
}

/// Discards all elements. If the discard of an element panics, the other elements are discarded nevertheless, as when a `Vec` is dropped.
fn discard_all<T>(elements: alloc::vec::IntoIter<T>, discard: impl FnMut(T)) {
    struct Rest<T, F: FnMut(T)>(alloc::vec::IntoIter<T>, F);
    impl<T, F: FnMut(T)> Rest<T, F> {
        fn discard(&mut self) {
            self.0.by_ref().for_each(&mut self.1);
        }
    }
    impl<T, F: FnMut(T)> Drop for Rest<T, F> {
        fn drop(&mut self) {
            self.discard();
        }
    }
    Rest(elements, discard).discard();
}

macro_rules! by_way_of {
    ($([$($of:tt)*] $rust:ty, $way:ty, $into:expr;)*) => {$(
        // SAFETY: the result is converted to the type `$way`, whose implementation meets the requirements.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($of)* const MODE: u8> Output<MODE> for $rust {
            type It = Self;
            type Raw = Owned;
            const TYPE: Type = <$way as Output<MODE>>::TYPE;

            #[inline]
            fn into_raw(self) -> Owned {
                let into: fn(Self) -> $way = $into;
                Output::<MODE>::into_raw(into(self))
            }

            #[inline]
            unsafe fn discard(raw: Owned) {
                // SAFETY: as promised by the caller.
                unsafe { <$way as Output<MODE>>::discard(raw) }
            }
        }
    )*};
}

by_way_of! {
    [] Box<str>, String, String::from;
    [] Cow<'_, str>, String, Cow::into_owned;
    [T: Element + Clone + Output<MODE>,] Cow<'_, [T]>, Vec<T>, Cow::into_owned;
}

// SAFETY: the result is converted to a `Vec`, which meets the requirements.
#[diagnostic::do_not_recommend]
unsafe impl<T: Output<MODE>, const MODE: u8> Output<MODE> for Box<[T]> {
    type It = Box<[T::It]>;
    type Raw = Owned;
    const TYPE: Type = <Vec<T> as Output<MODE>>::TYPE;

    #[inline]
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
        self.iter().all(|element| element.within(known))
    }

    #[inline]
    fn fits(&self) {
        if !T::DIRECT {
            self.iter().for_each(T::fits);
        }
    }

    #[inline]
    fn into_raw(self) -> Owned {
        self.into_vec().into_raw()
    }

    #[inline]
    unsafe fn discard(raw: Owned) {
        // SAFETY: as promised by the caller.
        unsafe { <Vec<T> as Output<MODE>>::discard(raw) }
    }
}

#[diagnostic::do_not_recommend]
impl Optional for String {}
#[diagnostic::do_not_recommend]
impl Optional for Box<str> {}
#[diagnostic::do_not_recommend]
impl Optional for Cow<'_, str> {}
#[diagnostic::do_not_recommend]
impl<T> Optional for Vec<T> {}
#[diagnostic::do_not_recommend]
impl<T> Optional for Box<[T]> {}
#[diagnostic::do_not_recommend]
impl<T: Clone> Optional for Cow<'_, [T]> {}

/// Implements `Parameter` for owned types. Arguments of the macro: generics; the owned type; its associated type `It`; the borrowed type that is
/// copied; the expression that copies a borrowed value.
macro_rules! copied_from {
    ($([$($of:tt)*] $owned:ty, $it:ty, $borrowed:ty, |$from:ident| $copy:expr;)*) => {$(
        // SAFETY: the borrowed type meets the requirements, and its value is copied.
        #[diagnostic::do_not_recommend]
        unsafe impl<'call, $($of)*> Parameter<'call> for $owned {
            type It = $it;
            type Raw = <$borrowed as Parameter<'call>>::Raw;
            type Room = ();
            const TYPE: Type = <$borrowed as Parameter<'call>>::TYPE;
            const ACCESS: Access = <$borrowed as Parameter<'call>>::ACCESS;

            #[inline]
            unsafe fn extent(raw: &Self::Raw) -> Extent {
                // SAFETY: as promised by the caller.
                unsafe { <$borrowed as Parameter<'call>>::extent(raw) }
            }

            #[inline]
            unsafe fn meets(raw: &Self::Raw, other: Extent) -> bool {
                // SAFETY: as promised by the caller.
                unsafe { <$borrowed as Parameter<'call>>::meets(raw, other) }
            }

            #[inline]
            #[track_caller]
            unsafe fn check(raw: &Self::Raw, name: &'static str) {
                // SAFETY: as promised by the caller.
                unsafe { <$borrowed as Parameter<'call>>::check(raw, name) }
            }

            #[inline]
            unsafe fn take(raw: &Self::Raw, room: &'call mut MaybeUninit<()>) -> Self {
                // SAFETY: as promised by the caller; `check` has accepted the argument.
                let $from = unsafe { <$borrowed as Parameter<'call>>::take(raw, room) };
                $copy
            }
        }
    )*};
}

copied_from! {
    [] String, Self, &'call str, |text| text.to_owned();
    [T: Element + 'call] Vec<T>, Vec<T::It>, &'call [T], |elements| copy(elements);
    [] Vec<String>, Self, Strs<'call>, |texts| texts.iter().map(str::to_owned).collect();
}

/// Copies elements. Elements are plain data, so they need not implement `Clone`.
fn copy<T: Element>(elements: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(elements.len());
    // SAFETY: there is room for all elements.
    unsafe {
        core::ptr::copy_nonoverlapping(elements.as_ptr(), copy.as_mut_ptr(), elements.len());
        copy.set_len(elements.len());
    }
    copy
}

crate::__when_built_by_rustgo! {
    mod release;
}

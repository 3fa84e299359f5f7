//! What can be a result.

use super::element::Element;
use crate::handle::{GoType, Handle};
use core::mem::{offset_of, size_of};
use rustgo_schema::describe::{Field, Type};

/// A type that can be the result of an exported function: a scalar or handle, `()`, or a tuple of these, which Go sees as
/// several results. An `Option` of a scalar or a tuple has a `bool` as the last one, and zeros before it where there is nothing.
///
/// # Safety
/// `put` must write, at the offsets in `FIELDS`, values of the Go types that `FIELDS` describes, and nothing beyond
/// `SIZE` bytes.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot cross the border to Go",
    label = "cannot be a result",
    note = "return the parts that Go needs, as one result each; what is more goes into a `&mut` parameter",
    note = "a result can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char`, a `Handle<T>`, an `Option` of one, `()`, a tuple of up to eight of them, or an `Option` of such a tuple"
)]
pub unsafe trait Results {
    /// The type itself.
    type It: Results;

    /// The results, with their offsets in the result area.
    const FIELDS: &'static [Field];

    /// Bytes up to the end of the last result.
    const SIZE: usize;

    /// Writes the results.
    ///
    /// # Safety
    /// `area` must be a multiple of 8 and point to `SIZE` bytes that may be written.
    unsafe fn put(self, area: *mut u8);
}

/// A type that gives Go `N` results.
#[diagnostic::on_unimplemented(
    message = "`results` names {N}, but a result of type `{Self}` gives Go another number of results",
    label = "names {N}",
    note = "name one for each part of a tuple, and one more for the `bool` of an `Option`"
)]
pub trait Count<const N: usize>: Results {
    /// Stands for it.
    const NAMED: () = ();
}

/// A type that can be one of several results.
///
/// # Safety
/// Size, alignment and meaning must be those of the Go type that `TYPE` describes.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot cross the border to Go",
    label = "cannot be a result",
    note = "return the parts that Go needs, as one result each; what is more goes into a `&mut` parameter",
    note = "a result can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char`, a `Handle<T>`, an `Option` of one, `()`, or a tuple of up to eight of them"
)]
pub unsafe trait Scalar {
    /// The type in Go.
    const TYPE: Type;
}

macro_rules! scalar {
    ($([$($of:tt)*] $rust:ty,)*) => {$(
        // SAFETY: the same size, alignment and representation in Go; every Rust value is one that Go can hold.
        unsafe impl<$($of)*> Scalar for $rust {
            const TYPE: Type = <Self as Element>::TYPE;
        }

        #[diagnostic::do_not_recommend]
        impl<$($of)*> Count<1> for $rust {}

        // SAFETY: an unnamed result at the start of the area.
        unsafe impl<$($of)*> Results for $rust {
            type It = Self;
            const FIELDS: &'static [Field] = &[Field { name: "", ty: <Self as Element>::TYPE, offset: 0 }];
            const SIZE: usize = size_of::<$rust>();

            #[inline]
            unsafe fn put(self, area: *mut u8) {
                // SAFETY: the caller's; no scalar is aligned to more than 8.
                unsafe { area.cast::<$rust>().write(self) }
            }
        }
    )*};
}

/// What follows the value that may be missing.
const PRESENT: Type = <bool as Element>::TYPE;

macro_rules! option {
    ($($rust:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Count<2> for Option<$rust> {}

        // SAFETY: the value at the start of the area, and a bool behind it.
        #[diagnostic::do_not_recommend]
        unsafe impl Results for Option<$rust> {
            type It = Self;
            const FIELDS: &'static [Field] = &[
                Field { name: "", ty: <$rust as Element>::TYPE, offset: 0 },
                Field { name: "", ty: PRESENT, offset: size_of::<$rust>() as u32 },
            ];
            const SIZE: usize = size_of::<$rust>() + size_of::<bool>();

            #[inline]
            unsafe fn put(self, area: *mut u8) {
                // SAFETY: the caller's; no scalar is aligned to more than 8, and zeros are a value of each.
                unsafe {
                    match self {
                        Some(value) => area.cast::<$rust>().write(value),
                        None => area.write_bytes(0, size_of::<$rust>()),
                    }
                    area.add(size_of::<$rust>()).cast::<bool>().write(self.is_some());
                }
            }
        }
    )*};
}

option! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool char }

scalar! {
    [] u8, [] u16, [] u32, [] u64, [] usize, [] i8, [] i16, [] i32, [] i64, [] isize, [] f32, [] f64, [] bool, [] char,
    [T: GoType + ?Sized] Handle<T>,
    // As wide; None is zero, which in Go stands for nothing.
    [T: GoType + ?Sized] Option<Handle<T>>,
}

// SAFETY: nothing is described and nothing written.
#[diagnostic::do_not_recommend]
unsafe impl Results for () {
    type It = Self;
    const FIELDS: &'static [Field] = &[];
    const SIZE: usize = 0;

    #[inline]
    unsafe fn put(self, _: *mut u8) {}
}

macro_rules! tuple {
    ($area:ty: $($ty:ident $index:tt),* ; $last:ident $last_index:tt $present:tt) => {
        const _: () = {
            /// Go's result area: each result at its natural alignment, in order, and the bool that an `Option` has.
            #[repr(C)]
            struct Area<$($ty,)* $last>($($ty,)* $last, bool);

            #[diagnostic::do_not_recommend]
            impl<$($ty: Scalar,)* $last: Scalar> Count<$present> for ($($ty,)* $last,) {}

            #[diagnostic::do_not_recommend]
            impl<$($ty: Scalar,)* $last: Scalar> Count<{ $present + 1 }> for Option<($($ty,)* $last,)> {}

            // SAFETY: the fields are written where the area has them.
            #[diagnostic::do_not_recommend]
            unsafe impl<$($ty: Scalar,)* $last: Scalar> Results for ($($ty,)* $last,) {
                type It = Self;
                const FIELDS: &'static [Field] = &[
                    $(Field { name: "", ty: $ty::TYPE, offset: offset_of!($area, $index) as u32 },)*
                    Field { name: "", ty: $last::TYPE, offset: offset_of!($area, $last_index) as u32 },
                ];
                const SIZE: usize = offset_of!($area, $last_index) + size_of::<$last>();

                #[inline]
                unsafe fn put(self, area: *mut u8) {
                    // Field by field: what lies between them and after them is not ours.
                    let area = area.cast::<$area>();
                    // SAFETY: the caller's; no scalar is aligned to more than 8.
                    unsafe {
                        $((&raw mut (*area).$index).write(self.$index);)*
                        (&raw mut (*area).$last_index).write(self.$last_index);
                    }
                }
            }

            // SAFETY: as above.
            #[diagnostic::do_not_recommend]
            unsafe impl<$($ty: Scalar,)* $last: Scalar> Results for Option<($($ty,)* $last,)> {
                type It = Self;
                const FIELDS: &'static [Field] = &[
                    $(Field { name: "", ty: $ty::TYPE, offset: offset_of!($area, $index) as u32 },)*
                    Field { name: "", ty: $last::TYPE, offset: offset_of!($area, $last_index) as u32 },
                    Field { name: "", ty: PRESENT, offset: offset_of!($area, $present) as u32 },
                ];
                const SIZE: usize = offset_of!($area, $present) + size_of::<bool>();

                #[inline]
                unsafe fn put(self, area: *mut u8) {
                    let fields = area.cast::<$area>();
                    // SAFETY: as above; zeros are a value of each scalar in Go.
                    unsafe {
                        (&raw mut (*fields).$present).write(self.is_some());
                        match self {
                            Some(value) => value.put(area),
                            None => {
                                $((&raw mut (*fields).$index).write_bytes(0, 1);)*
                                (&raw mut (*fields).$last_index).write_bytes(0, 1);
                            }
                        }
                    }
                }
            }
        };
    };
}

tuple!(Area<A>: ; A 0 1);
tuple!(Area<A, B>: A 0; B 1 2);
tuple!(Area<A, B, C>: A 0, B 1; C 2 3);
tuple!(Area<A, B, C, D>: A 0, B 1, C 2; D 3 4);
tuple!(Area<A, B, C, D, E>: A 0, B 1, C 2, D 3; E 4 5);
tuple!(Area<A, B, C, D, E, F>: A 0, B 1, C 2, D 3, E 4; F 5 6);
tuple!(Area<A, B, C, D, E, F, G>: A 0, B 1, C 2, D 3, E 4, F 5; G 6 7);
tuple!(Area<A, B, C, D, E, F, G, H>: A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7 8);

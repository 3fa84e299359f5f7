//! What can be a result.

use super::element::Element;
use crate::handle::{GoType, Handle};
use core::mem::{offset_of, size_of};
use rustgo_schema::describe::{Field, Type};

/// A type that can be the result of an exported function: a scalar or handle, `()`, or a tuple of these, which Go sees as
/// several results.
///
/// # Safety
/// `put` must write, at the offsets in `FIELDS`, values of the Go types that `FIELDS` describes, and nothing beyond
/// `SIZE` bytes.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot cross the border to Go",
    label = "cannot be a result",
    note = "return the parts that Go needs, as one result each; what is more goes into a `&mut` parameter",
    note = "a result can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char`, a `Handle<T>`, an `Option` of one, `()`, or a tuple of up to eight of them"
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
    ($area:ty: $($ty:ident $index:tt),* ; $last:ident $last_index:tt) => {
        const _: () = {
            /// Go's result area: each result at its natural alignment, in order.
            #[repr(C)]
            struct Area<$($ty,)* $last>($($ty,)* $last);

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
        };
    };
}

tuple!(Area<A>: ; A 0);
tuple!(Area<A, B>: A 0; B 1);
tuple!(Area<A, B, C>: A 0, B 1; C 2);
tuple!(Area<A, B, C, D>: A 0, B 1, C 2; D 3);
tuple!(Area<A, B, C, D, E>: A 0, B 1, C 2, D 3; E 4);
tuple!(Area<A, B, C, D, E, F>: A 0, B 1, C 2, D 3, E 4; F 5);
tuple!(Area<A, B, C, D, E, F, G>: A 0, B 1, C 2, D 3, E 4, F 5; G 6);
tuple!(Area<A, B, C, D, E, F, G, H>: A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7);

//! Pointers to single values.

use super::check_elements;
use crate::border::check::{self, Extent};
use crate::border::element::Element;
use crate::handle::{GoType, Handle};
use core::mem::{MaybeUninit, size_of};
use rustgo_schema::describe::Type;

/// A type to which a Go pointer can point.
///
/// # Safety
/// `TYPE` must describe the memory to which the Go pointer points. `shared` and `exclusive` must return a reference to a Rust value that lives as
/// long as that memory. The value must lie within the range of `extent`, or the range must belong to this value alone. `check` must refuse every
/// pointer that violates one of the conditions. Rust must not write to a shared value.
#[diagnostic::on_unimplemented(
    message = "pointers to `{Self}` cannot cross the boundary to Go",
    label = "cannot be pointed to",
    note = "derive what Go shall see: `#[derive(rustgo::Value)]` for plain data, `#[rustgo::object]` for a type with methods",
    note = "Go pointers can lead to numbers of up to 64 bits, `bool`, `char`, handles, arrays of them, and types that derive `rustgo::Value` or have `#[rustgo::object]`"
)]
pub unsafe trait Pointed: Sized {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Pointed;

    /// The corresponding Go type.
    const TYPE: Type;

    /// The constant [`Parameter::CHANGEABLE`](super::Parameter::CHANGEABLE) of references to this type.
    const CHANGEABLE: bool;

    /// The type [`Parameter::Room`](super::Parameter::Room) of shared references to this type.
    type Room;

    /// Returns the memory that Rust uses through the pointer.
    ///
    /// # Safety
    /// The caller must meet the requirements of `check`.
    unsafe fn extent(at: *mut u8) -> Extent;

    /// Panics with the parameter's name if the pointer cannot be used. `exclusive` means that Rust will write to the value.
    ///
    /// # Safety
    /// `at` must be a Go pointer to the memory that `TYPE` describes, and not nil.
    unsafe fn check(at: *mut u8, name: &'static str, exclusive: bool);

    /// The function [`Parameter::prepare`](super::Parameter::prepare) of shared references to this type.
    ///
    /// # Safety
    /// The caller must meet the requirements of `check`, and `check` must have returned.
    #[inline]
    unsafe fn prepare(at: *mut u8, room: &mut MaybeUninit<Self::Room>) {
        let _ = (at, room);
    }

    /// Returns the reference for reading.
    ///
    /// # Safety
    /// The caller must meet the requirements of `check`. `check`, and `prepare` with the same room, must have returned. No code may write to
    /// the value while the reference lives.
    unsafe fn shared(at: *mut u8, room: &mut MaybeUninit<Self::Room>) -> &Self;

    /// Returns the reference for writing.
    ///
    /// # Safety
    /// The caller must meet the requirements of `check`, and `check` must have returned. No other code may use the value while the reference
    /// lives.
    unsafe fn exclusive<'call>(at: *mut u8) -> &'call mut Self;

    /// The function [`Parameter::unwound`](super::Parameter::unwound) of references to this type. `exclusive` is true if Rust could write to the
    /// value.
    ///
    /// # Safety
    /// The caller must meet the requirements of `check`, and nothing may use the reference any more.
    #[inline]
    unsafe fn unwound(at: *mut u8, exclusive: bool) {
        let _ = (at, exclusive);
    }
}

// SAFETY: an element has the same bytes in Go's memory as in Rust.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element> Pointed for T {
    type It = T::It;
    const TYPE: Type = <T as Element>::TYPE;
    const CHANGEABLE: bool = true;
    type Room = ();

    #[inline]
    unsafe fn extent(at: *mut u8) -> Extent {
        Extent { start: at.addr(), len: size_of::<T>() }
    }

    #[inline]
    #[track_caller]
    unsafe fn check(at: *mut u8, name: &'static str, _: bool) {
        // SAFETY: a Go pointer is nil or points to an initialised value.
        unsafe { check_elements(at.cast::<T>(), 1, name) }
    }

    #[inline]
    unsafe fn shared(at: *mut u8, _: &mut MaybeUninit<()>) -> &T {
        // SAFETY: as promised by the caller.
        unsafe { &*at.cast() }
    }

    #[inline]
    unsafe fn exclusive<'call>(at: *mut u8) -> &'call mut T {
        // SAFETY: as promised by the caller.
        unsafe { &mut *at.cast() }
    }
}

/// Checks a pointer that must not be nil.
///
/// # Safety
/// The caller must meet the requirements of [`Parameter::take`](super::Parameter::take).
#[inline]
#[track_caller]
pub unsafe fn check_pointer<T: Pointed>(at: *mut u8, name: &'static str, exclusive: bool) {
    if at.is_null() {
        check::nil(name);
    }
    // SAFETY: as promised by the caller.
    unsafe { T::check(at, name, exclusive) }
}

/// Checks a pointer that may be nil.
///
/// # Safety
/// The caller must meet the requirements of [`Parameter::take`](super::Parameter::take).
#[inline]
#[track_caller]
pub unsafe fn check_nilable<T: Pointed>(at: *mut u8, name: &'static str, exclusive: bool) {
    if !at.is_null() {
        // SAFETY: as promised by the caller.
        unsafe { T::check(at, name, exclusive) }
    }
}

/// Implements `Parameter` for a type of references. Arguments of the macro: attributes, generics, the reference type, its associated type `It`,
/// the type in Go's memory, the access, and the check.
#[doc(hidden)]
#[macro_export]
macro_rules! __pointer {
    ($(#[$attribute:meta])* [$($of:tt)*] $reference:ty, $it:ty, $elem:ty, $access:ident $check:ident $($mutable:ident)?) => {
        // SAFETY: a Go pointer is an address, and nil is zero. The value refers only to the memory that the pointer points to.
        $(#[$attribute])*
        unsafe impl<'call, $($of)*> $crate::Parameter<'call> for $reference {
            type It = $it;
            type Raw = *mut ::core::primitive::u8;
            const TYPE: $crate::__private::describe::Type = $crate::__private::describe::Type::Pointer {
                mutable: ::core::matches!($crate::__private::Access::$access, $crate::__private::Access::Exclusive),
                elem: &<$elem as $crate::Pointed>::TYPE,
            };
            const ACCESS: $crate::__private::Access = $crate::__private::Access::$access;
            const CHANGEABLE: ::core::primitive::bool = <$elem as $crate::Pointed>::CHANGEABLE;
            const NILABLE: ::core::primitive::bool = $crate::__pointer!(@nilable $check);
            type Room = <$elem as $crate::Pointed>::Room;

            #[inline]
            unsafe fn extent(__raw: &<Self as $crate::Parameter<'call>>::Raw) -> $crate::__private::Extent {
                if (*__raw).is_null() {
                    return $crate::__private::Extent::NOTHING;
                }
                // SAFETY: as promised by the caller; the pointer is not nil.
                unsafe { <$elem as $crate::Pointed>::extent(*__raw) }
            }

            #[inline]
            #[track_caller]
            unsafe fn check(__raw: &<Self as $crate::Parameter<'call>>::Raw, __name: &'static ::core::primitive::str) {
                // SAFETY: as promised by the caller.
                unsafe {
                    $crate::__private::$check::<$elem>(*__raw, __name, ::core::matches!(<Self as $crate::Parameter<'call>>::ACCESS, $crate::__private::Access::Exclusive))
                }
            }

            #[inline]
            unsafe fn prepare(__raw: &<Self as $crate::Parameter<'call>>::Raw, __room: &mut ::core::mem::MaybeUninit<<Self as $crate::Parameter<'call>>::Room>) {
                $crate::__pointer!(@prepare $elem, *__raw, __room, $($mutable)?)
            }

            #[inline]
            unsafe fn take(__raw: &<Self as $crate::Parameter<'call>>::Raw, __room: &'call mut ::core::mem::MaybeUninit<<Self as $crate::Parameter<'call>>::Room>) -> Self {
                // SAFETY: nil is refused (checked) or becomes None. Otherwise the pointer leads to a value in Go's memory that is
                // initialised, aligned (Go's alignment of the type equals Rust's), and valid (checked). The caller promises the
                // lifetime 'call. No other parameter overlaps memory that Rust may write to (`disjoint`).
                unsafe { $crate::__pointer!(@take $elem, $check *__raw, __room, $($mutable)?) }
            }

            #[inline]
            unsafe fn unwound(__raw: &<Self as $crate::Parameter<'call>>::Raw) {
                if !(*__raw).is_null() {
                    // SAFETY: as promised by the caller; the pointer is not nil.
                    unsafe { <$elem as $crate::Pointed>::unwound(*__raw, ::core::matches!(<Self as $crate::Parameter<'call>>::ACCESS, $crate::__private::Access::Exclusive)) }
                }
            }
        }
    };
    (@prepare $elem:ty, $raw:expr, $room:ident,) => {
        if !$raw.is_null() {
            // SAFETY: as promised by the caller; the pointer is not nil.
            unsafe { <$elem as $crate::Pointed>::prepare($raw, $room) }
        }
    };
    (@prepare $elem:ty, $raw:expr, $room:ident, mut) => {{
        let _ = ($raw, $room);
    }};
    (@nilable check_pointer) => { false };
    (@nilable check_nilable) => { true };
    (@take $elem:ty, check_pointer $raw:expr, $room:ident,) => { <$elem as $crate::Pointed>::shared($raw, $room) };
    (@take $elem:ty, check_pointer $raw:expr, $room:ident, mut) => {{
        let _ = $room;
        <$elem as $crate::Pointed>::exclusive($raw)
    }};
    (@take $elem:ty, check_nilable $raw:expr, $room:ident,) => {
        if $raw.is_null() { ::core::option::Option::None } else { ::core::option::Option::Some(<$elem as $crate::Pointed>::shared($raw, $room)) }
    };
    (@take $elem:ty, check_nilable $raw:expr, $room:ident, mut) => {{
        let _ = $room;
        if $raw.is_null() { ::core::option::Option::None } else { ::core::option::Option::Some(<$elem as $crate::Pointed>::exclusive($raw)) }
    }};
}

use crate::__pointer as pointer;

macro_rules! to_values {
    ($($rust:ty)*) => {$(
        pointer!(#[diagnostic::do_not_recommend] [] &'call $rust, Self, $rust, Shared check_pointer);
        pointer!(#[diagnostic::do_not_recommend] [] &'call mut $rust, Self, $rust, Exclusive check_pointer mut);
    )*};
}

to_values! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool char }

// There is one implementation for each kind of element. With a generic implementation, the compiler would report the reference type instead of the
// element type that cannot cross the boundary.
pointer!([T: Element + 'call, const N: usize] &'call [T; N], &'call [T::It; N], [T; N], Shared check_pointer);
pointer!([T: Element + 'call, const N: usize] &'call mut [T; N], &'call mut [T::It; N], [T; N], Exclusive check_pointer mut);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call Handle<T>, &'call Handle<T::It>, Handle<T>, Shared check_pointer);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call mut Handle<T>, &'call mut Handle<T::It>, Handle<T>, Exclusive check_pointer mut);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call Option<Handle<T>>, &'call Option<Handle<T::It>>, Option<Handle<T>>, Shared check_pointer);
pointer!(#[diagnostic::do_not_recommend] [T: GoType + ?Sized + 'call] &'call mut Option<Handle<T>>, &'call mut Option<Handle<T::It>>, Option<Handle<T>>, Exclusive check_pointer mut);
pointer!(#[diagnostic::do_not_recommend] [T: Pointed + 'call] Option<&'call T>, Option<&'call T::It>, T, Shared check_nilable);
pointer!(#[diagnostic::do_not_recommend] [T: Pointed + 'call] Option<&'call mut T>, Option<&'call mut T::It>, T, Exclusive check_nilable mut);

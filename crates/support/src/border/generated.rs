//! The parts of the expansions of the derive macros and of `#[rustgo::object]` that do not depend on the fields of the type.
//!
//! The macros expand in the author's module, where the author may have declared any name. So the macros use whole paths, for primitive types too,
//! and variable names that no author uses. (If the author had a constant of that name, `let` would match it instead of declaring a variable.)

use rustgo_schema::describe::{Field, Function, Type};
use rustgo_schema::{Basic, role};

/// Returns the first of the values that is `Some`.
#[must_use]
pub const fn first(all: &[Option<&'static str>]) -> Option<&'static str> {
    let mut i = 0;
    while i < all.len() {
        if all[i].is_some() {
            return all[i];
        }
        i += 1;
    }
    None
}

/// The number of items that Go fetches from an iterator in one call: as many as fit into 1 KiB, between 1 and 64.
#[must_use]
pub const fn batch(items: &[Type]) -> u64 {
    let (mut size, mut i) = (0, 0);
    while i < items.len() {
        size += items[i].layout().size;
        i += 1;
    }
    match 1024_u64.checked_div(size) {
        Some(0) => 1,
        Some(fits) if fits < 64 => fits,
        _ => 64,
    }
}

/// The description of the function that gives the text of an error without fields.
pub const TEXT: Function = Function {
    params: &[
        Field { name: "number", ty: Type::Basic(Basic::Uint32), offset: 0 },
        Field { name: "into", ty: Type::Slice { mutable: true, elem: &Type::Basic(Basic::Uint8) }, offset: 8 },
    ],
    results: &[Field { name: "", ty: Type::Basic(Basic::Uint), offset: 0 }],
    results_offset: 32,
    frame_size: 40,
    role: role::TEXT,
    ..Function::EMPTY
};

/// Concatenates two texts.
///
/// # Panics
/// If `N` is not the sum of their lengths.
#[must_use]
pub const fn concat<const N: usize>(a: &str, b: &str) -> [u8; N] {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    assert!(a.len() + b.len() == N);
    let mut both = [0; N];
    let mut i = 0;
    while i < N {
        both[i] = if i < a.len() { a[i] } else { b[i - a.len()] };
        i += 1;
    }
    both
}

/// Concatenates two constant texts.
#[doc(hidden)]
#[macro_export]
macro_rules! __concat {
    ($a:expr, $b:expr) => {{
        const A: &::core::primitive::str = $a;
        const B: &::core::primitive::str = $b;
        const BOTH: &[::core::primitive::u8] =
            &$crate::__private::concat::<{ ::core::primitive::str::len(A) + ::core::primitive::str::len(B) }>(A, B);
        match ::core::str::from_utf8(BOTH) {
            ::core::result::Result::Ok(__text) => __text,
            ::core::result::Result::Err(_) => "",
        }
    }};
}

/// For a type that derives `Value`: implements the traits of the boundary, except `Element`.
#[doc(hidden)]
#[macro_export]
macro_rules! __value {
    ($value:ident) => {
        // SAFETY: the value's bytes lie in Go's memory and refer to no other memory.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::Parameter<'_> for $value {
            type It = Self;
            type Raw = ::core::mem::MaybeUninit<$value>;
            type Room = ();
            const TYPE: $crate::__private::describe::Type = <$value as $crate::Element>::TYPE;

            #[inline]
            #[track_caller]
            unsafe fn check(__raw: &<Self as $crate::Parameter<'_>>::Raw, __name: &'static ::core::primitive::str) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::check_value(__raw, __name) }
            }

            #[inline]
            unsafe fn take(__raw: &<Self as $crate::Parameter<'_>>::Raw, _: &mut ::core::mem::MaybeUninit<()>) -> Self {
                // SAFETY: Go has initialised the value, and `check` has accepted it.
                unsafe { $crate::__private::by_words(__raw) }
            }
        }

        // SAFETY: the type has the same layout in Go and Rust.
        #[diagnostic::do_not_recommend]
        unsafe impl<const MODE: ::core::primitive::u8> $crate::Output<MODE> for $value {
            type It = Self;
            type Raw = Self;
            const TYPE: $crate::__private::describe::Type = <$value as $crate::Element>::TYPE;
            const DIRECT: ::core::primitive::bool = true;

            #[inline]
            fn into_raw(self) -> Self {
                self
            }
        }

        #[diagnostic::do_not_recommend]
        impl $crate::Optional for $value {}
        $crate::__pointer!(#[diagnostic::do_not_recommend] [] &'call $value, Self, $value, Shared check_pointer);
        $crate::__pointer!(#[diagnostic::do_not_recommend] [] &'call mut $value, Self, $value, Exclusive check_pointer mut);
    };
}

/// Implements the traits of an object that lives in the Rust heap.
#[doc(hidden)]
#[macro_export]
macro_rules! __boxed {
    ($object:ident, $described:ident) => {
        // SAFETY: Go's struct points to the value. While a call uses the value, `rt.Object` ensures that Go does not drop the value, and
        // that no other call uses it exclusively.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::Pointed for $object {
            type It = Self;
            const TYPE: $crate::__private::describe::Type = $described;
            const CHANGEABLE: ::core::primitive::bool = false;
            type Room = ();

            #[inline]
            unsafe fn extent(__at: *mut ::core::primitive::u8) -> $crate::__private::Extent {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::extent_of_boxed(__at) }
            }

            #[inline]
            #[track_caller]
            unsafe fn check(__at: *mut ::core::primitive::u8, __name: &'static ::core::primitive::str, _: ::core::primitive::bool) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::check_boxed::<$object>(__at, __name) }
            }

            #[inline]
            unsafe fn shared(__at: *mut ::core::primitive::u8, _: &mut ::core::mem::MaybeUninit<()>) -> &Self {
                // SAFETY: as promised by the caller.
                unsafe { &*$crate::__private::resolve_boxed(__at, &$described) }
            }

            #[inline]
            unsafe fn exclusive<'call>(__at: *mut ::core::primitive::u8) -> &'call mut Self {
                // SAFETY: as promised by the caller.
                unsafe { &mut *$crate::__private::resolve_exclusive_boxed(__at) }
            }

            #[inline]
            unsafe fn unwound(__at: *mut ::core::primitive::u8, __exclusive: ::core::primitive::bool) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::unwound_boxed(__at, __exclusive, &$described) }
            }
        }

        // SAFETY: Go gives up the value when it passes the object by value.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::Parameter<'_> for $object {
            type It = Self;
            type Raw = *mut ::core::primitive::u8;
            type Room = ();
            const TYPE: $crate::__private::describe::Type = $described;
            const ACCESS: $crate::__private::Access = $crate::__private::Access::Exclusive;

            #[inline]
            unsafe fn extent(__raw: &<Self as $crate::Parameter<'_>>::Raw) -> $crate::__private::Extent {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::extent_of_boxed(*__raw) }
            }

            #[inline]
            #[track_caller]
            unsafe fn check(__raw: &<Self as $crate::Parameter<'_>>::Raw, __name: &'static ::core::primitive::str) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::check_pointer::<$object>(*__raw, __name, true) }
            }

            #[inline]
            unsafe fn take(__raw: &<Self as $crate::Parameter<'_>>::Raw, _: &mut ::core::mem::MaybeUninit<()>) -> Self {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::take_out(*__raw) }
            }

            #[inline]
            unsafe fn unwound(__raw: &<Self as $crate::Parameter<'_>>::Raw) {
                if !(*__raw).is_null() {
                    // SAFETY: as promised by the caller.
                    unsafe { $crate::__private::unwound_boxed(*__raw, true, &$described) }
                }
            }
        }

        // SAFETY: the raw result is the address of a value that Go owns from now on.
        #[diagnostic::do_not_recommend]
        unsafe impl<const MODE: ::core::primitive::u8> $crate::Output<MODE> for $object {
            type It = Self;
            type Raw = *mut ::core::primitive::u8;
            const TYPE: $crate::__private::describe::Type = $described;

            #[inline]
            fn into_raw(self) -> *mut ::core::primitive::u8 {
                $crate::__private::give(self)
            }

            #[inline]
            unsafe fn discard(__raw: *mut ::core::primitive::u8) {
                // SAFETY: as promised by the caller; `into_raw` has made the address.
                let _: $object = unsafe { $crate::__private::take_given(__raw) };
            }
        }

        // SAFETY: `rt` has taken the value out of the Go object, or writes null for nil.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::__private::One for $object {
            type Raw = *mut ::core::primitive::u8;
            const TYPE: $crate::__private::describe::Type = $described;
            const OWNS: ::core::primitive::bool = true;

            #[inline]
            #[track_caller]
            unsafe fn take(__raw: &::core::mem::MaybeUninit<*mut ::core::primitive::u8>) -> Self {
                // SAFETY: as promised by the caller.
                unsafe {
                    let __at = ::core::mem::MaybeUninit::assume_init_read(__raw);
                    if <*mut ::core::primitive::u8>::is_null(__at) {
                        $crate::__private::nil_answer(<$object as $crate::Declared>::GO_NAME);
                    }
                    $crate::__private::take_given(__at)
                }
            }

            #[inline]
            unsafe fn discard(__raw: &::core::mem::MaybeUninit<*mut ::core::primitive::u8>) {
                // SAFETY: as promised by the caller.
                unsafe {
                    let __at = ::core::mem::MaybeUninit::assume_init_read(__raw);
                    if !<*mut ::core::primitive::u8>::is_null(__at) {
                        let _: $object = $crate::__private::take_given(__at);
                    }
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl $crate::Optional for $object {}
        $crate::__pointer!(#[diagnostic::do_not_recommend] [] &'call $object, Self, $object, Shared check_pointer);
        $crate::__pointer!(#[diagnostic::do_not_recommend] [] &'call mut $object, Self, $object, Exclusive check_pointer mut);
    };
}

/// Implements the traits of an inline object, which lives in Go's memory.
#[doc(hidden)]
#[macro_export]
macro_rules! __inline {
    ($object:ident, $words:ident, $described:ident, $default:ident) => {
        // SAFETY: Go's struct holds the value. The value is the type's default or was stored by Rust.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::Pointed for $object {
            type It = Self;
            const TYPE: $crate::__private::describe::Type = $described;
            const CHANGEABLE: ::core::primitive::bool = true;
            type Room = $object;

            #[inline]
            unsafe fn extent(__at: *mut ::core::primitive::u8) -> $crate::__private::Extent {
                $crate::__private::extent_of_inline::<$object>(__at)
            }

            #[inline]
            #[track_caller]
            unsafe fn check(__at: *mut ::core::primitive::u8, __name: &'static ::core::primitive::str, __exclusive: ::core::primitive::bool) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::check_inline::<$object>(__at, __name, __exclusive, $default) }
            }

            #[inline]
            unsafe fn prepare(__at: *mut ::core::primitive::u8, __room: &mut ::core::mem::MaybeUninit<$object>) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::prepare_inline(__at, __room, $default) }
            }

            #[inline]
            unsafe fn shared(__at: *mut ::core::primitive::u8, __room: &mut ::core::mem::MaybeUninit<$object>) -> &Self {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::shared_inline(__at, __room) }
            }

            #[inline]
            unsafe fn exclusive<'call>(__at: *mut ::core::primitive::u8) -> &'call mut Self {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::exclusive_inline(__at) }
            }
        }

        // SAFETY: Rust gets a copy of the value in Go's struct, or the type's default if the struct holds no value.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::Parameter<'_> for $object {
            type It = Self;
            type Raw = *mut ::core::primitive::u8;
            type Room = $object;
            const TYPE: $crate::__private::describe::Type = <&'static $object as $crate::Parameter<'static>>::TYPE;
            const ACCESS: $crate::__private::Access = $crate::__private::Access::Shared;

            #[inline]
            unsafe fn extent(__raw: &<Self as $crate::Parameter<'_>>::Raw) -> $crate::__private::Extent {
                $crate::__private::extent_of_inline::<$object>(*__raw)
            }

            #[inline]
            #[track_caller]
            unsafe fn check(__raw: &<Self as $crate::Parameter<'_>>::Raw, __name: &'static ::core::primitive::str) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::check_pointer::<$object>(*__raw, __name, false) }
            }

            #[inline]
            unsafe fn prepare(__raw: &<Self as $crate::Parameter<'_>>::Raw, __room: &mut ::core::mem::MaybeUninit<$object>) {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::prepare_inline(*__raw, __room, $default) }
            }

            #[inline]
            unsafe fn take(__raw: &<Self as $crate::Parameter<'_>>::Raw, __room: &mut ::core::mem::MaybeUninit<$object>) -> Self {
                // SAFETY: as promised by the caller.
                unsafe { $crate::__private::copy_inline(*__raw, __room) }
            }
        }

        // SAFETY: the raw result is the content of Go's struct for the object.
        #[diagnostic::do_not_recommend]
        unsafe impl<const MODE: ::core::primitive::u8> $crate::Output<MODE> for $object {
            type It = Self;
            type Raw = [::core::mem::MaybeUninit<::core::primitive::u64>; $words];
            const TYPE: $crate::__private::describe::Type = $described;

            #[inline]
            fn into_raw(self) -> <Self as $crate::Output<MODE>>::Raw {
                $crate::__private::inline(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl $crate::Optional for $object {}
        $crate::__pointer!(#[diagnostic::do_not_recommend] [] &'call $object, Self, $object, Shared check_pointer);
        $crate::__pointer!(#[diagnostic::do_not_recommend] [] &'call mut $object, Self, $object, Exclusive check_pointer mut);
    };
}

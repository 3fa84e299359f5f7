//! The methods that an object has because its type is `Clone` or `Display`.

use super::output::Output;
use super::parameter::{Pointed, check_pointer};
use super::record::Shim;
use core::mem::MaybeUninit;

/// The code of the method Clone of an object.
///
/// # Safety
/// `args` and `results` must point to the argument and result areas of a Go call whose only argument is the receiver.
pub unsafe extern "C-unwind" fn clone<T>(args: *const u8, results: *mut u8)
where
    T: Clone + Pointed + Output<0>,
{
    // SAFETY: as promised by the caller; the receiver was checked.
    crate::__shim_body! {
        @unwound { unwound::<T>(args); }
        let copy = receiver::<T>(args, &mut MaybeUninit::uninit()).clone();
        results.cast::<T::Raw>().write(copy.into_raw());
    }
}

/// Checks the receiver of a method and returns it.
///
/// # Safety
/// `args` must point to the argument area of a Go call whose only argument is the receiver.
#[inline]
pub(in crate::border) unsafe fn receiver<T: Pointed>(args: *const u8, room: &mut MaybeUninit<T::Room>) -> &T {
    // SAFETY: as promised by the caller.
    unsafe {
        let raw = args.cast::<*mut u8>().read();
        check_pointer::<T>(raw, "self", false);
        T::prepare(raw, room);
        T::shared(raw, room)
    }
}

/// Ends the use of the receiver after a panic that has unwound the method.
///
/// # Safety
/// The caller must meet the requirements of [`receiver`]. The reference that `receiver` returned must not be used any more.
#[inline]
pub(in crate::border) unsafe fn unwound<T: Pointed>(args: *const u8) {
    // SAFETY: as promised by the caller.
    unsafe {
        let raw = args.cast::<*mut u8>().read();
        if !raw.is_null() {
            T::unwound(raw, false);
        }
    }
}

/// Finds at compile time the methods of an object whose type implements `Clone` or `Display`. For each of the two traits that the type implements,
/// an inherent constant hides the constant of [`NoMethods`].
pub struct Methods<T>(core::marker::PhantomData<T>);

/// The constants of [`Methods`] for a type that does not implement `Clone` or does not implement `Display`.
pub trait NoMethods {
    /// `None`: the type is not `Clone`.
    const CLONE: Option<Shim> = None;
    /// `None`: the type is not `Display`.
    const STRING: Option<Shim> = None;
}

impl<T> NoMethods for Methods<T> {}

impl<T: Clone + Pointed + Output<0>> Methods<T> {
    /// The shim of the method Clone.
    pub const CLONE: Option<Shim> = Some(clone::<T>);
}

/// Creates the records of the methods Clone and String, if the type has them.
#[doc(hidden)]
#[macro_export]
macro_rules! __methods {
    ($object:ident, $method:ident, $described:ident) => {
        const _: () = {
            use $crate::__private::NoMethods as _;
            const CLONE: $crate::__private::describe::Function = $crate::__private::describe::Function {
                go_name: "Clone",
                rust_path: $crate::__concat!($method.rust_path, "::<Clone>"),
                doc: "Clone returns a copy, which has nothing in common with the original.",
                results: &[$crate::__private::describe::Field { name: "", ty: $described, offset: 0 }],
                frame_size: 8 + $crate::__private::describe::Type::layout(&$described).size as ::core::primitive::u32,
                ..$method
            };
            const SHIM: ::core::option::Option<$crate::__private::Shim> = <$crate::__private::Methods<$object>>::CLONE;
            const WHAT: $crate::__private::Describe<'static> = if ::core::option::Option::is_some(&SHIM) {
                $crate::__private::Describe::Function(&CLONE)
            } else {
                $crate::__private::Describe::Nothing
            };
            #[used]
            #[cfg_attr(not(target_family = "wasm"), unsafe(link_section = "rustgo_exports"))]
            static RECORD: $crate::__private::Record<{ $crate::__private::Describe::padded_len(&WHAT) }> =
                $crate::__private::Record::new(SHIM, &WHAT);
        };
        const _: () = {
            use $crate::__private::NoMethods as _;
            const STRING: $crate::__private::describe::Function = $crate::__private::describe::Function {
                go_name: "String",
                rust_path: $crate::__concat!($method.rust_path, "::<Display>"),
                doc: "String returns the text of the object.",
                results: &[$crate::__private::describe::Field {
                    name: "",
                    ty: $crate::__private::describe::Type::Text { freed: true },
                    offset: 0,
                }],
                frame_size: 32,
                ..$method
            };
            const SHIM: ::core::option::Option<$crate::__private::Shim> = <$crate::__private::Methods<$object>>::STRING;
            const WHAT: $crate::__private::Describe<'static> = if ::core::option::Option::is_some(&SHIM) {
                $crate::__private::Describe::Function(&STRING)
            } else {
                $crate::__private::Describe::Nothing
            };
            #[used]
            #[cfg_attr(not(target_family = "wasm"), unsafe(link_section = "rustgo_exports"))]
            static RECORD: $crate::__private::Record<{ $crate::__private::Describe::padded_len(&WHAT) }> =
                $crate::__private::Record::new(SHIM, &WHAT);
        };
    };
}

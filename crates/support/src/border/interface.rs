//! Go values of the interfaces that the author declares as traits.

use super::func::{Signature, callee, numbered};
use super::kept::{release, take_over};
use super::parameter::Parameter;
use core::fmt::{Debug, Formatter, Result as Formatted};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::num::NonZeroU64;
use rustgo_schema::describe::{Decl, Method, Type};

/// A trait with the attribute [`macro@crate::interface`], as the type `dyn Trait`.
///
/// # Safety
/// `METHODS` must describe the methods that generated code calls by their indices.
pub unsafe trait Interface {
    /// The interface's description.
    const DECL: Decl;
    /// The methods that Go implements.
    const METHODS: &'static [Method];
}

/// An [`Interface`] whose values Rust can use during a call, without keeping them.
pub trait Borrowable: Interface {}

/// A parameter of an export: a Go value whose type implements the interface that a Rust trait declares with [`macro@crate::interface`].
///
/// `Go<'_, dyn Loader>` is `Copy` and implements the trait `Loader`; each method calls the method of the Go value. While the Go method runs, Rust
/// waits. If the method panics or ends its goroutine, the Rust functions unwind, and then Go's panic continues with its value.
///
/// An export with such a parameter is a task: it runs on a stack of its own (`#[rustgo::export(task)]`). A nil value causes a panic; a parameter of
/// the type `Option<Go<…>>` may be nil.
pub struct Go<'call, T: ?Sized> {
    number: NonZeroU64,
    // Only the thread that runs the export can use the value, and only until the export returns.
    call: PhantomData<(&'call (), *const T)>,
}

impl<T: ?Sized> Clone for Go<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Go<'_, T> {}

/// A [`Go`] that Rust may keep: in an object, in a `Box<dyn Trait>`, in a static.
///
/// Rust can call its methods in every export that runs as a task (`#[rustgo::export(task)]`, or an export with a parameter that makes it one), on
/// every thread. The destructor of an object can call them when the object is closed. Elsewhere a call returns an error if its result is a `Result`,
/// and panics otherwise. Several threads may call methods at one time; the Go value has to allow that.
///
/// Go's collector keeps the value until the `OwnedGo` is dropped. If the value refers to a Go object that owns the `OwnedGo`, neither is ever freed,
/// unless the object is closed.
pub struct OwnedGo<T: ?Sized> {
    number: NonZeroU64,
    // Makes the type `Send` and `Sync`, because Go values can be used on every thread.
    interface: PhantomData<fn(&T)>,
}

impl<T: ?Sized> Drop for OwnedGo<T> {
    fn drop(&mut self) {
        // SAFETY: the number comes from Go and is released here only.
        unsafe { release(self.number) }
    }
}

macro_rules! values {
    ($([$($of:tt)*] $ty:ty;)*) => {$(
        impl<$($of)*> $ty {
            /// Returns the callee of the methods with the signature `F`. Only generated code calls `__callee`.
            ///
            /// # Safety
            /// The callee must be used only to call methods by their indices.
            #[doc(hidden)]
            #[inline]
            pub unsafe fn __callee<F: Signature>(&self) -> &F::Callee {
                callee::<F>(&self.number)
            }
        }

        impl<$($of)*> Debug for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
                f.write_str(T::DECL.go_name)
            }
        }
    )*};
}

values! {
    [T: Borrowable + ?Sized] Go<'_, T>;
    [T: Interface + ?Sized] OwnedGo<T>;
}

/// Calls a method of a Go value. Arguments of the macro: the value; the method's index; its signature; the arguments. The attribute
/// [`macro@crate::interface`] writes the calls of this macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __go_method {
    ($value:expr, $index:literal, $signature:ty, $($argument:expr),*) => {
        // SAFETY: the attribute has described the method with this index and this signature.
        unsafe { $value.__callee::<$signature>().__method($index $(, $argument)*) }
    };
}

/// Implements [`Interface`]. The attribute [`macro@crate::interface`] writes the calls of this macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __interface {
    ($interface:ty, $decl:expr, $methods:expr) => {
        // SAFETY: generated code calls only the methods that the attribute describes.
        unsafe impl $crate::Interface for $interface {
            const DECL: $crate::__private::describe::Decl = $decl;
            const METHODS: &'static [$crate::__private::describe::Method] = $methods;
        }
    };
}

numbered! {
    [T: Borrowable + ?Sized] Go<'call, T>,
    Type::Trait { decl: T::DECL, kept: false, methods: T::METHODS },
    |number| Go { number, call: PhantomData }
}

numbered! {
    [T: Interface + ?Sized] OwnedGo<T>,
    Type::Trait { decl: T::DECL, kept: true, methods: T::METHODS },
    // SAFETY: Go has made the number for this call.
    |number| OwnedGo { number: unsafe { take_over(number) }, interface: PhantomData }
}

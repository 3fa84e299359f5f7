//! Go functions that Rust calls.

use super::element::Element;
use super::output::{Output, mode};
use super::parameter::Parameter;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::num::NonZeroU64;
use rustgo_schema::describe::Type;

/// A Go function, which Rust calls with [`Func::call`] during the call that has got it.
///
/// `F` is a pointer type: `Func<'_, fn(u64, u64) -> bool>` is `func(uint64, uint64) bool` in Go. A function has at most four parameters, of the types that
/// results can have without borrowing, and at most one result: a number, a `bool`, or an array of them.
///
/// An export with such a parameter is a task: it runs on a stack of its own (`#[rustgo::export(task)]`). While the Go function runs, Rust waits. If the Go
/// function panics or ends its goroutine, the Rust functions unwind, and Go's panic goes on with its value.
///
/// A nil function causes a panic. A parameter of the type `Option<Func<…>>` may be nil.
#[derive(Clone, Copy)]
pub struct Func<'call, F> {
    number: NonZeroU64,
    // The function can be called only by the thread and during the call that has got it.
    call: PhantomData<(&'call (), *const F)>,
}

/// The result of a Go function that Rust calls.
///
/// # Safety
/// `RESULTS` must describe a value of the type, or nothing for `()`. Every value of the Go type must be one of the type.
#[diagnostic::on_unimplemented(
    message = "a Go function cannot return `{Self}` to Rust",
    note = "a Go function that Rust calls returns nothing, a number, a `bool`, or an array of them"
)]
pub unsafe trait Answer: Copy {
    /// The types of the Go function's results.
    const RESULTS: &'static [Type];
}

// SAFETY: there is no result.
unsafe impl Answer for () {
    const RESULTS: &'static [Type] = &[];
}

macro_rules! answers {
    ($($rust:ty,)*) => {$(
        // SAFETY: both languages have the same values.
        #[diagnostic::do_not_recommend]
        unsafe impl Answer for $rust {
            const RESULTS: &'static [Type] = &[<$rust as Element>::TYPE];
        }

        // SAFETY: in both languages an array consists of its elements, one after another.
        #[diagnostic::do_not_recommend]
        unsafe impl<const N: usize> Answer for [$rust; N] {
            const RESULTS: &'static [Type] = &[<[$rust; N] as Element>::TYPE];
        }
    )*};
}

answers! { u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64, bool, }

unsafe extern "C" {
    /// Calls the Go function with this number. Returns 0 if it has returned, 1 if it has panicked or ended its goroutine, 2 if Rust was not called on a
    /// stack of its own. `rt` defines it.
    #[cfg(rustgo)]
    fn rustgo_call(number: u64, arguments: *const u8, result: *mut u8) -> u64;
}

/// A program without Go has no Go functions.
#[cfg(not(rustgo))]
unsafe fn rustgo_call(_number: u64, _arguments: *const u8, _result: *mut u8) -> u64 {
    2
}

/// Calls a Go function.
///
/// # Safety
/// The arguments and the result must have the layout that the function's type describes.
#[inline]
unsafe fn call<A, R: Answer>(number: u64, arguments: A) -> R {
    // Go takes the arguments over, as it does with results.
    let arguments = ManuallyDrop::new(arguments);
    let mut result = MaybeUninit::<R>::zeroed();
    // SAFETY: as promised by the caller.
    let answer = unsafe { rustgo_call(number, (&raw const arguments).cast(), result.as_mut_ptr().cast()) };
    if answer != 0 {
        not_returned(answer);
    }
    // SAFETY: Go has stored a value, and every value of the Go type is valid. Without a result there is nothing to store.
    unsafe { result.assume_init() }
}

/// The text of the panic after a Go function has panicked. The package `rt` compares it.
const PANICKED: &str = "a Go function that Rust has called panicked";

/// Unwinds after a Go function has not returned.
#[cold]
#[inline(never)]
fn not_returned(answer: u64) -> ! {
    if answer != 1 {
        panic!("a Go function was called outside of the call that has got it");
    }
    #[cfg(rustgo_unwind)]
    std::panic::resume_unwind(std::boxed::Box::new(PANICKED));
    #[cfg(not(rustgo_unwind))]
    panic!("{PANICKED}");
}

macro_rules! functions {
    ($(($($argument:ident $value:ident),*))*) => {$(
        impl<$($argument: Output<{ mode::COPIED }>,)* R: Answer> Func<'_, fn($($argument),*) -> R> {
            /// Calls the Go function.
            ///
            /// # Panics
            /// If the Go function panics or ends its goroutine. If an argument does not fit in its Go type.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "a Go function has as many")]
            pub fn call(&self $(, $value: $argument)*) -> R {
                #[repr(C)]
                struct Arguments<$($argument),*>($($argument),*);
                let arguments = Arguments($($value.into_raw()),*);
                // SAFETY: `TYPE` describes this struct and the result.
                unsafe { call(self.number.get(), arguments) }
            }
        }

        // SAFETY: the parameter is a number, which refers to no memory that Rust can access.
        #[diagnostic::do_not_recommend]
        unsafe impl<'call, $($argument: Output<{ mode::COPIED }>,)* R: Answer> Parameter<'call> for Func<'call, fn($($argument),*) -> R> {
            type It = Self;
            type Raw = u64;
            type Room = ();
            const TYPE: Type = Type::Func { params: &[$(<$argument>::TYPE),*], results: R::RESULTS };

            #[inline]
            #[track_caller]
            unsafe fn check(raw: &u64, name: &'static str) {
                if *raw == 0 {
                    super::check::nil(name);
                }
            }

            #[inline]
            unsafe fn take(raw: &u64, _: &'call mut MaybeUninit<()>) -> Self {
                // SAFETY: `check` has refused 0.
                Func { number: unsafe { NonZeroU64::new_unchecked(*raw) }, call: PhantomData }
            }
        }

        // SAFETY: as without `Option`.
        #[diagnostic::do_not_recommend]
        unsafe impl<'call, $($argument: Output<{ mode::COPIED }>,)* R: Answer> Parameter<'call> for Option<Func<'call, fn($($argument),*) -> R>> {
            type It = Self;
            type Raw = u64;
            type Room = ();
            const TYPE: Type = Type::Func { params: &[$(<$argument>::TYPE),*], results: R::RESULTS };
            const NILABLE: bool = true;

            #[inline]
            unsafe fn take(raw: &u64, _: &'call mut MaybeUninit<()>) -> Self {
                Some(Func { number: NonZeroU64::new(*raw)?, call: PhantomData })
            }
        }
    )*};
}

functions! {
    ()
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
}

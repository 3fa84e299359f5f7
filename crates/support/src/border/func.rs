//! Go functions that Rust calls.

// `fn(A)` and `fn(&A)` are different types for the compiler. The lint warns that a later compiler may reject implementations for both.
#![allow(coherence_leak_check)]

use super::answer::Answer;
use super::output::{Output, mode};
use super::parameter::Parameter;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::num::NonZeroU64;
use core::ops::Deref;
use rustgo_schema::describe::Type;

/// A Go function that an export has as a parameter. Rust can call it with [`call`](Callee) until the export returns.
///
/// `F` is a pointer type: `Func<'_, fn(&str, u64) -> bool>` is `func(string, uint64) bool` in Go. A function has at most four parameters. A parameter
/// has a type that an export can return without borrowing, or is a `&str` or `&[T]`, which Go gets as a copy. The result is nothing, or has a type
/// that implements [`Answer`]: a number, a text, a list, an object, an `Option` or a tuple of such types, or a `Result` with a
/// [`GoError`](crate::GoError).
///
/// An export with such a parameter is a task: it runs on a stack of its own (`#[rustgo::export(task)]`). While the Go function runs, Rust waits. If
/// the Go function panics or ends its goroutine, the Rust functions unwind, and then Go's panic continues with its value.
///
/// To pass the function to code that needs a closure, use [`as_fn`](Callee) or `|a, b| f.call(a, b)`.
///
/// A nil function causes a panic. A parameter of the type `Option<Func<…>>` may be nil.
pub struct Func<'call, F> {
    number: NonZeroU64,
    // Only the thread that runs the export can call the function, and only until the export returns.
    call: PhantomData<(&'call (), *const F)>,
}

impl<F> Clone for Func<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Func<'_, F> {}

/// A pointer type that describes a Go function.
///
/// # Safety
/// `PARAMS` must describe the arguments that the methods of `Callee` pass.
#[diagnostic::on_unimplemented(
    message = "a Go function cannot have the type `{Self}`",
    label = "cannot be a Go function",
    note = "write it as a pointer type, such as `fn(u64, &str) -> bool`, with at most four parameters: numbers, `bool`, `char`, arrays of them, `String`, `Vec<T>`, `&str`, `&[T]`, structs and enums that derive `Value`, handles, objects"
)]
pub unsafe trait Signature {
    /// `Self`. Generated code names the type as `<T as Signature>::It`. If `T` lacks this trait, the compiler reports only that: it does not know the
    /// type `It`, so it finds no further errors.
    type It: Signature;
    /// The type with the method `call`.
    type Callee;
    /// The result.
    type Result: Answer;
    /// The types of the Go function's parameters.
    const PARAMS: &'static [Type];
}

/// Marks a parameter of a Go function that is passed by value, so that Go owns it.
pub struct Own<T>(PhantomData<T>);

/// Marks a parameter of a Go function that is passed by reference: Rust keeps it, and Go gets a copy.
pub struct Lent<T: ?Sized>(PhantomData<T>);

/// The methods of a Go function: `call`, with the parameters of the function's type, and `as_fn`, which returns a closure.
#[repr(transparent)]
pub struct Callee<P, R> {
    number: NonZeroU64,
    signature: PhantomData<*const (P, R)>,
}

impl<F: Signature> Deref for Func<'_, F> {
    type Target = F::Callee;

    #[inline]
    fn deref(&self) -> &F::Callee {
        callee::<F>(&self.number)
    }
}

/// Returns the methods of a Go function.
#[inline]
pub(super) fn callee<F: Signature>(number: &NonZeroU64) -> &F::Callee {
    const { assert!(size_of::<F::Callee>() == size_of::<NonZeroU64>() && align_of::<F::Callee>() == align_of::<NonZeroU64>()) }
    // SAFETY: the callee is a transparent struct of the number.
    unsafe { &*(&raw const *number).cast::<F::Callee>() }
}

unsafe extern "C" {
    /// Calls the Go function with this number. `panicking` is not 0 while the thread panics. Returns 0 if the Go function has returned, and 1 plus
    /// 256 times the number of the panic if the Go function has panicked or ended its goroutine. If there was no call, returns [`OUTSIDE`], 3 (the
    /// garbage collector drops an object) or [`NO_MORE`]. `rt` defines `rustgo_call`.
    #[cfg(all(rustgo, not(target_family = "wasm")))]
    fn rustgo_call(number: u64, arguments: *const u8, result: *mut u8, panicking: u64) -> u64;
}

/// Stands in where no Go function exists: in a program without Go, and in translated code (the tool refuses to translate a crate that calls Go).
#[cfg(not(all(rustgo, not(target_family = "wasm"))))]
unsafe fn rustgo_call(_number: u64, _arguments: *const u8, _result: *mut u8, _panicking: u64) -> u64 {
    OUTSIDE
}

/// Calls a Go function.
///
/// # Safety
/// The arguments and the result must have the layout that the function's type describes.
#[inline]
#[track_caller]
pub(super) unsafe fn call<A, R: Answer>(number: u64, arguments: A) -> R {
    // Once Go is called, Go owns the arguments, so Rust must not drop them.
    let arguments = ManuallyDrop::new(arguments);
    let mut result = MaybeUninit::<R::Raw>::zeroed();
    #[cfg(rustgo_unwind)]
    let panicking = u64::from(std::thread::panicking());
    #[cfg(not(rustgo_unwind))]
    let panicking = 0;
    // SAFETY: as promised by the caller.
    let answer = unsafe { rustgo_call(number, (&raw const arguments).cast(), result.as_mut_ptr().cast(), panicking) };
    if answer != 0 {
        return match answer & 0xff {
            1 => panicked(answer >> 8),
            _ => not_called(answer, ManuallyDrop::into_inner(arguments)),
        };
    }
    // SAFETY: Go has stored a value of the type that `R` describes.
    unsafe { R::take(&result) }
}

/// Lets other goroutines run, if the call is a task.
#[cfg_attr(not(any(not(rustgo), rustgo_std, feature = "heap")), allow(dead_code))]
pub(super) fn pause() {
    // SAFETY: with the number 0 (`yields` in go/rt/tasks.go) `rt` calls no Go function, so it uses neither the arguments nor the result.
    let _ = unsafe { rustgo_call(0, core::ptr::null(), core::ptr::null_mut(), 0) };
}

/// The start of the message of the Rust panic that follows the panic of a Go function. The Go panic's number follows in parentheses. `rt` reads both.
const PANICKED: &str = "a Go function that Rust has called panicked";

/// Unwinds the Rust frames after a Go function has panicked with the panic of this number.
#[cold]
#[inline(never)]
#[track_caller]
fn panicked(number: u64) -> ! {
    #[cfg(rustgo_unwind)]
    std::panic::resume_unwind(std::boxed::Box::new(std::format!("{PANICKED} ({number})")));
    #[cfg(not(rustgo_unwind))]
    panic!("{PANICKED} ({number})");
}

/// The answer of `rustgo_call` in a call that does not run on a stack of its own.
const OUTSIDE: u64 = 2;
/// The answer of `rustgo_call` after too many calls in a task that drops an object for the garbage collector. Go refuses each call in such a task.
/// The first calls get the answer 3, and a function with an error result then returns an error. After the answer `NO_MORE` every call panics.
const NO_MORE: u64 = 4;

/// Returns an error, or panics, because the Go function was not called. Drops the arguments, because Go does not own them.
#[cold]
#[inline(never)]
#[track_caller]
fn not_called<A, R: Answer>(answer: u64, arguments: A) -> R {
    drop(arguments);
    let why = match answer {
        OUTSIDE => "a Go function was called outside of a call that runs as a task: the export lacks the option `task`",
        _ => "Rust cannot call Go while the garbage collector frees an object that was not closed",
    };
    match R::refused(why) {
        Some(error) if answer != NO_MORE => error,
        _ => panic!("{why}"),
    }
}

/// Implements `Signature`. Each parameter is a list: its generic parameter, bound, type, marker, the type whose `Output` describes it, and its name.
macro_rules! implement {
    ($([[$($declared:tt)*] [$($bound:tt)*] [$($ty:tt)*] [$($mark:tt)*] [$($described:tt)*] $value:ident])*) => {
        // SAFETY: the arguments below have these types.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($($declared)*,)* R: Answer> Signature for fn($($($ty)*),*) -> R where $($($bound)*,)* {
            type It = Self;
            type Callee = Callee<($($($mark)*,)*), R>;
            type Result = R;
            const PARAMS: &'static [Type] = &[$(<$($described)* as Output<{ mode::COPIED }>>::TYPE),*];
        }

        impl<$($($declared)*,)* R: Answer> Callee<($($($mark)*,)*), R> where $($($bound)*,)* {
            /// Calls the Go function.
            ///
            /// # Panics
            /// If the Go function panics or ends its goroutine; if the Go function cannot be called and `R` has no error; if an argument or the
            /// result is not valid.
            #[inline]
            #[track_caller]
            #[allow(clippy::too_many_arguments, reason = "a Go function has as many")]
            pub fn call(&self $(, $value: $($ty)*)*) -> R {
                // The values are passed in a struct with Go's layout.
                pass!(self; $($value)*)
            }

            /// Calls the method with this index of the Go value whose number `self` holds. Only generated code calls `__method`.
            ///
            /// # Safety
            /// The value must have a method with this index, and its signature must be the callee's.
            ///
            /// # Panics
            /// As `call`.
            #[doc(hidden)]
            #[inline]
            #[track_caller]
            #[allow(clippy::too_many_arguments, reason = "a Go method has as many, and the index")]
            pub unsafe fn __method(&self, index: u64 $(, $value: $($ty)*)*) -> R {
                pass!(self, index; $($value)*)
            }

            /// Returns a closure that calls the Go function.
            #[inline]
            pub fn as_fn(&self) -> impl Fn($($($ty)*),*) -> R {
                move |$($value: $($ty)*),*| self.call($($value),*)
            }
        }
    };
}

/// Calls a Go function with up to four arguments, or a method by its index.
macro_rules! pass {
    ($this:ident $(, $index:ident)?; $($value:ident)*) => { pass!(@ $this ($($index)?); [$($value)*]) };
    (@ $this:ident (); []) => {
        // SAFETY: there are no arguments, and the signature describes the result.
        unsafe { call($this.number.get(), ()) }
    };
    (@ $this:ident $index:tt; []) => { pass!(# $this $index; Arguments0<>(); ) };
    (@ $this:ident $index:tt; [$a:ident]) => { pass!(# $this $index; Arguments1<A>(A); $a) };
    (@ $this:ident $index:tt; [$a:ident $b:ident]) => { pass!(# $this $index; Arguments2<A, B>(A, B); $a $b) };
    (@ $this:ident $index:tt; [$a:ident $b:ident $c:ident]) => { pass!(# $this $index; Arguments3<A, B, C>(A, B, C); $a $b $c) };
    (@ $this:ident $index:tt; [$a:ident $b:ident $c:ident $d:ident]) => {
        pass!(# $this $index; Arguments4<A, B, C, D>(A, B, C, D); $a $b $c $d)
    };
    (# $this:ident ($($index:ident)?); $name:ident<$($letter:ident),*>($($field:ident),*); $($value:ident)*) => {{
        #[repr(C)]
        struct $name<$($letter),*>($(pass!(% $index),)? $($field),*);
        let arguments = $name($($index,)? $(Output::<{ mode::COPIED }>::convert($value)),*);
        // SAFETY: the signature describes this struct and the result.
        unsafe { call($this.number.get(), arguments) }
    }};
    (% $index:ident) => { u64 };
}

/// Implements `Signature` for all combinations of parameters passed by value and by reference.
macro_rules! signatures {
    ([$($done:tt)*]) => { implement! { $($done)* } };
    ([$($done:tt)*] $letter:ident $value:ident $($rest:ident)*) => {
        signatures! { [$($done)* [[$letter] [$letter: Output<{ mode::COPIED }>] [$letter] [Own<$letter>] [$letter] $value]] $($rest)* }
        signatures! {
            [$($done)* [[$letter: ?Sized + 'static] [for<'a> &'a $letter: Output<{ mode::COPIED }>] [&$letter] [Lent<$letter>] [&'static $letter] $value]]
            $($rest)*
        }
    };
}

signatures! { [] }
signatures! { [] A a }
signatures! { [] A a B b }
signatures! { [] A a B b C c }
signatures! { [] A a B b C c D d }

/// Implements [`Parameter`] for a type whose values hold the number of a Go value, and for an `Option` of the type. Arguments of the macro: generics;
/// the type; the Go type; the expression that makes a value from a number. The number of nil is 0.
macro_rules! numbered {
    ([$($of:tt)*] $ty:ty, $described:expr, |$number:ident| $make:expr) => {
        // SAFETY: the parameter is a number, which refers to no memory of Go's heap.
        #[diagnostic::do_not_recommend]
        unsafe impl<'call, $($of)*> Parameter<'call> for $ty {
            type It = Self;
            type Raw = u64;
            type Room = ();
            const TYPE: Type = $described;

            #[inline]
            #[track_caller]
            unsafe fn check(raw: &u64, name: &'static str) {
                if *raw == 0 {
                    $crate::border::check::nil(name);
                }
            }

            #[inline]
            unsafe fn take(raw: &u64, _: &'call mut MaybeUninit<()>) -> Self {
                // SAFETY: `check` has refused 0.
                let $number = unsafe { NonZeroU64::new_unchecked(*raw) };
                $make
            }
        }

        // SAFETY: as without `Option`.
        #[diagnostic::do_not_recommend]
        unsafe impl<'call, $($of)*> Parameter<'call> for Option<$ty> {
            type It = Self;
            type Raw = u64;
            type Room = ();
            const TYPE: Type = $described;
            const NILABLE: bool = true;

            #[inline]
            unsafe fn take(raw: &u64, _: &'call mut MaybeUninit<()>) -> Self {
                let $number = NonZeroU64::new(*raw)?;
                Some($make)
            }
        }
    };
}

pub(super) use numbered;

numbered! {
    [F: Signature] Func<'call, F>,
    Type::Func { kept: false, params: F::PARAMS, results: F::Result::TYPES.list() },
    |number| Func { number, call: PhantomData }
}

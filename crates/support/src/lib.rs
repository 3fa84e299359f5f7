//! The library for the author of a Rust crate that [rustgo](https://rustgo.dev) turns into a Go package.
//!
//! ```
//! /// Sum adds up xs, modulo 2⁶⁴.
//! #[rustgo::export]
//! pub fn sum(xs: &[u64]) -> u64 {
//!     xs.iter().fold(0, |sum, x| sum.wrapping_add(*x))
//! }
//! # fn main() {}
//! ```
//!
//! The crate stays an ordinary library: the attribute checks that the function's types can cross the boundary to Go and leaves the function
//! unchanged. When the command line tool builds the crate, it passes `--cfg rustgo`. Only then does the attribute add a shim and a description of
//! the function (see [`macro@export`]), and only then does this crate define the panic handler and the memory functions of a freestanding program.
//!
//! | Rust | Go | |
//! |---|---|---|
//! | `u8`…`u64`, `i8`…`i64`, `usize`, `isize`, `f32`, `f64`, `bool`, `char` | `uint8`…`uint64`, `int8`…`int64`, `uint`, `int`, `float32`, `float64`, `bool`, `rune` | with `int = "usize"`, `usize` is `int` |
//! | `[T; N]`, `&[T]`, `&mut [T]` | `[N]T`, `[]T` | in place; `[T; N]` by value |
//! | `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` | `*T` | in place; nil is `None`, and a panic without `Option` |
//! | a struct or an enum without fields with `#[derive(rustgo::Value)]` ([`macro@Value`]) | a struct; a number with constants and `String` | by value, and in slices, arrays, structs and behind pointers |
//! | `&str`, [`GoStr`] | `string` | in place; a [`GoStr`] need not be UTF-8 |
//! | [`Strs`], [`Slices<T>`](Slices) | `[]string`, `[][]T` | in place |
//! | `String`, `Vec<T>`, `Vec<String>` | `string`, `[]T`, `[]string` | copied |
//! | [`&mut Append<T>`](Append) | `dst []T`, and a first result `[]T` | as Go's own `append` |
//! | [`Handle<T>`](Handle), `Option<Handle<T>>` | `handle.Of[T]`, a number that stands for a Go value | |
//! | a type with `#[rustgo::object]` ([`macro@object`]) | a type with methods | in the Rust heap, or in Go's memory |
//! | [`Func<'_, fn(A) -> R>`](Func), [`OwnedFunc`] | `func(A) R` | called by Rust |
//! | [`Go<'_, dyn Trait>`](Go), [`OwnedGo<dyn Trait>`](OwnedGo) of a trait with [`macro@interface`] | an interface | called by Rust |
//!
//! Results can have these types:
//!
//! | Rust | Go | |
//! |---|---|---|
//! | numbers, arrays, values, handles, objects | as for parameters | |
//! | `String`, `Vec<T>`, `Box<str>`, `Box<[T]>`, `Cow<str>`, `Cow<[T]>` | `string`, `[]T` | copied into Go's memory, and freed |
//! | `&str`, [`GoStr`], `&[T]` | `string`, `[]T` | with or without a copy: see the text below the table |
//! | a tuple of up to eight such types | several results | |
//! | `Option<T>` of a result type or of a tuple | the same as for `T`, and a `bool` | |
//! | `Result<T, E>` of a result type, tuple, `Option` or `()` | the same as for `T`, and an `error` | `E` is `Display`, and Go gets its text and the texts of its sources; or `E` derives [`macro@Error`], and Go gets a type for it |
//! | `impl Iterator<Item = T>`, `impl Iterator<Item = (K, V)>` | `iter.Seq[T]`, `iter.Seq2[K, V]` | the iterator is `Send` |
//!
//! Go gets a text without a copy only if the text lies in a Go string or is static, and a slice only if the slice lies in a Go slice or array. Go
//! gets a copy of other borrowed memory: memory of an object, a static slice, and a slice of a string's bytes, which Go must not write to. If Go
//! would get a returned slice without a copy, but the slice lies outside the argument slices, the call panics. An iterator must not hold memory that
//! Go could change while the iterator lives. So an iterator may hold strings and objects of the Rust heap, but no slices or pointers.
//!
//! Before the call, the shim checks the arguments. It panics, with the name of the parameter, if
//!
//! - a pointer, a Go function or an interface value without `Option` is nil,
//! - a string is not UTF-8, or a rune is not a character,
//! - a number is not a variant of its enum,
//! - a handle without `Option` is zero,
//! - an `int` for a `usize` is negative,
//! - an object is closed or was not made by a constructor,
//! - the memory of a `&mut` parameter overlaps the memory of another parameter.
//!
//! A nil slice is the empty slice.
//!
//! `#[rustgo::export]` can be placed on functions, `impl` blocks, constants and statics. `Vec`, `String` and types made of them, objects in the
//! heap, iterators, and errors with texts need a heap: std's heap, or, without std, the feature `heap`.

#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]
// Only this crate is compiled with unstable features, and only if panics unwind (see `unwinding`) or for translated code (see `translated`).
#![cfg_attr(rustgo_unwind, feature(core_intrinsics, optimize_attribute, panic_can_unwind, rt, std_internals, update_panic_count))]
#![cfg_attr(all(rustgo, target_family = "wasm"), feature(alloc_error_hook, rt, update_panic_count))]
#![cfg_attr(any(rustgo_unwind, all(rustgo, target_family = "wasm")), allow(internal_features))]

// A crate built by rustgo has an allocator only if it links std or enables the feature `heap`. Only such crates can use the crate `alloc`.
#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
extern crate alloc;
// In an ordinary build for a system that has std, the types for readers and writers implement std's traits. The tool sets `rustgo_io` only if
// another crate links std: `extern crate std` would link std into every package, and the tool could not find out whether the crate needs std.
#[cfg(any(test, rustgo_unwind, rustgo_io, all(not(rustgo), any(unix, windows))))]
extern crate std;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("rustgo: Go's `int` and `uint` are taken to be 64 bits wide");

#[cfg(all(rustgo, feature = "heap", not(rustgo_std)))]
mod allocator;
mod border;
mod handle;
// The module exists only in crates that need it, because code added to a crate can change what the compiler generates for the crate's own code.
#[cfg(any(test, all(rustgo, not(target_family = "wasm"), any(rustgo_std, feature = "heap", feature = "libc", feature = "libm"))))]
mod libc;
#[cfg(all(not(rustgo), not(test), target_os = "linux", feature = "testing", feature = "libm"))]
#[path = "libc/math.rs"]
mod mathematics;
#[cfg(any(all(rustgo, not(target_family = "wasm")), test))]
mod mem;
#[cfg(any(rustgo, test))]
mod panic;
#[cfg(all(rustgo, target_family = "wasm"))]
mod translated;
#[cfg(rustgo_unwind)]
mod unwinding;

#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
pub use border::{
    Append, Context, GoError, OwnedFunc, OwnedReadSeeker, OwnedReadWriter, OwnedReader, OwnedReaderAt, OwnedWriteSeeker, OwnedWriter,
    ReadSeeker, ReadWriter, Reader, ReaderAt, WriteSeeker, Writer, poll,
};
// These items are re-exported at the root, because the compiler's messages name them and should not show a private path.
pub use border::{Answer, Callee, Func, Go, GoStr, OwnedGo, Slices, Strs};
#[doc(hidden)]
pub use border::{
    Borrowable, Copied, Count, CountAndError, Declared, Displayed, Element, Failure, Fallible, Fetched, Interface, Movable, Optional,
    Output, Parameter, Plain, Pointed, Results, Sharable, Signature, fetched,
};
pub use handle::{Any, GoType, Handle};
pub use rustgo_macro::{Error, Value, export, go_type, interface, object};

/// Items that only code generated by [`macro@export`] uses. They may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use crate::border::*;
    #[cfg(rustgo_unwind)]
    pub use crate::unwinding::catch;
    pub use rustgo_schema::{Basic, Describe, describe, object as flags, role};
}

/// The body of a shim: unsafe code that may panic. If panics unwind, the shim catches them, so that they become Go panics. The code in
/// `@unwound { … }` runs after a panic that has unwound the body; that code must not panic.
#[doc(hidden)]
#[macro_export]
#[cfg(not(rustgo_unwind))]
macro_rules! __shim_body {
    // In this build no panic unwinds, so the code of `@unwound` never runs. It is compiled all the same: without it, rustc would report functions
    // that are called only there as unused.
    (@unwound { $($after:tt)* } $($body:tt)*) => { unsafe { if false { $($after)* } $($body)* } };
    ($($body:tt)*) => { unsafe { $($body)* } };
}

#[doc(hidden)]
#[macro_export]
#[cfg(rustgo_unwind)]
macro_rules! __shim_body {
    (@unwound { $($after:tt)* } $($body:tt)*) => { $crate::__private::catch(|| unsafe { $($body)* }, || unsafe { $($after)* }) };
    ($($body:tt)*) => { $crate::__private::catch(|| unsafe { $($body)* }, || ()) };
}

/// Keeps the given code only if rustgo builds the crate. The attribute generates such code for the command line tool. The condition is in this
/// crate and not in generated code, so that only this crate must declare the configuration name (rustc's `unexpected_cfgs`).
#[doc(hidden)]
#[macro_export]
#[cfg(any(rustgo, feature = "testing"))]
macro_rules! __when_built_by_rustgo {
    ($($items:tt)*) => { $($items)* };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(any(rustgo, feature = "testing")))]
macro_rules! __when_built_by_rustgo {
    ($($items:tt)*) => {};
}

/// Declares a function of a run-time package as a *routine*: generated code of other packages calls it by C's calling convention, under a name
/// from rustgo's table `crates/cli/src/exits.rs`. Arguments are passed in registers, and results in the first two registers.
#[doc(hidden)]
#[macro_export]
macro_rules! __routine {
    ($function:ident as $name:literal) => {
        $crate::__when_built_by_rustgo! {
            const _: () = {
                const ROUTINE: $crate::__private::describe::Function = $crate::__private::describe::Function {
                    go_name: $name,
                    rust_path: ::core::concat!(::core::module_path!(), "::", ::core::stringify!($function)),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    ..$crate::__private::describe::Function::EMPTY
                };
                #[used]
                #[cfg_attr(not(target_family = "wasm"), unsafe(link_section = "rustgo_exports"))]
                static RECORD: $crate::__private::Record<{ $crate::__private::Describe::padded_len(&$crate::__private::Describe::Function(&ROUTINE)) }> =
                    // SAFETY: callers know the function's type, and only the command line tool reads the record.
                    unsafe { $crate::__private::Record::routine($function as *const (), &ROUTINE) };
            };
        }
    };
}

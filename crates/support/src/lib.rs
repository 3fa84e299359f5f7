//! What the author of a Rust crate links to make a Go package of it with [rustgo](https://rustgo.dev).
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
//! The crate stays an ordinary library: the attribute checks that the function's types can cross the border to Go and
//! leaves it as it is. When the command line tool builds the crate it passes `--cfg rustgo`; only then does the
//! attribute add a shim and a description of the function (see [`macro@export`]), and only then does this crate bring what
//! a freestanding program needs: the panic handler and the memory functions that the compiler calls.
//!
//! | Rust | Go |
//! |---|---|
//! | `u8`…`u64`, `i8`…`i64`, `usize`, `isize`, `f32`, `f64`, `bool`, `char` | `uint8`…`uint64`, `int8`…`int64`, `uint`, `int`, `float32`, `float64`, `bool`, `rune` |
//! | `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` | `*T` |
//! | `&[T]`, `&mut [T]` | `[]T` |
//! | `&str` | `string` |
//! | [`Handle<T>`](Handle), `Option<Handle<T>>` | `handle.Of[T]`, a number that stands for a Go value |
//! | a result of one of the scalar types or a handle, or a tuple of up to eight of them | one or several results |
//! | a result `Option<T>` of one of the scalar types or such a tuple | the same, and a `bool` |
//!
//! Of pointers and slices, `T` is one of the scalar types, a handle or an array of these; of handles, the Rust name of a Go
//! type (see [`macro@go_type`]). Before the function is called, the shim panics, naming the parameter, if a pointer is
//! nil that is no `Option`, a string is not UTF-8, a rune is not a character, a handle that is no `Option` is zero, or a `&mut` parameter
//! overlaps another one. The nil slice is the empty slice.

#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

#[cfg(test)]
extern crate std;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("rustgo: Go's `int` and `uint` are taken to be 64 bits wide");

#[cfg(all(rustgo, feature = "heap", not(rustgo_std)))]
mod allocator;
mod border;
mod handle;
// Not in a crate that needs none of it: what stands beside its code changes what the compiler makes of that.
#[cfg(any(test, all(rustgo, any(rustgo_std, feature = "heap", feature = "libc", feature = "libm"))))]
mod libc;
#[cfg(any(rustgo, test))]
mod mem;
#[cfg(any(rustgo, test))]
mod panic;

#[doc(hidden)]
pub use border::{Count, Element, Parameter, Results, Scalar};
pub use handle::{Any, GoType, Handle};
pub use rustgo_macro::{export, go_type};

/// For the code that [`macro@export`] generates, and for nothing else: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::border::{Record, Witness, disjoint, frame_size, named, results_offset, same, take, type_of};
    pub use rustgo_schema::{describe, padded_len};
}

/// Keeps what the attribute generates for the command line tool, when that is what builds.
///
/// The condition stands here and not in the generated code, so that no crate but this one need know the configuration
/// name (rustc's `unexpected_cfgs`).
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

/// Makes a function of a run-time package a *routine*: generated code in other packages calls it by C's convention, under a name that
/// rustgo's table of exits has. It has its arguments in registers, and results in the first two.
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
                    doc: "",
                    stack: ::core::option::Option::None,
                    blocking: ::core::option::Option::None,
                    params: &[],
                    results: &[],
                    results_offset: 0,
                    frame_size: 0,
                };
                #[used]
                #[unsafe(link_section = "rustgo_exports")]
                static RECORD: $crate::__private::Record<{ $crate::__private::padded_len(&ROUTINE) }> =
                    // SAFETY: who calls it knows its type; the record is read by the command line tool alone.
                    unsafe { $crate::__private::Record::routine($function as *const (), &ROUTINE) };
            };
        }
    };
}

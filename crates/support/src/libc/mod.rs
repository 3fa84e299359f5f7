//! The functions of a C library that std and C code refer to. A Go program has none, so this is the part that makes sense in one.
//!
//! A package carries only what its exports reach: these are ordinary functions with C's names, each in a section of its own. Their
//! signatures are those of Linux's C library (glibc), whatever system the Go program runs on, because the code is compiled for Linux;
//! numbers of errors, clocks and system calls are Linux's too.
//!
//! | file | functions |
//! |---|---|
//! | `strings` | `memchr`, `strcmp` and the like, by the caller's memory alone |
//! | `memory` | those that allocate, on top of `malloc`, which is the Go package `rt`'s |
//! | `error` | errno and the texts of errors |
//! | `output` | `write` to the standard output and error streams |
//! | `time` | `clock_gettime` |
//! | `random` | `getrandom` |
//! | `futex` | `syscall`, which std's locks call |
//! | `process` | `abort`, the empty environment, C's assert |
//! | `files` | files: each call fails |
//! | `threads` | destructors of thread-locals: they do not run |
//! | `unwind` | backtraces: they are empty |
//! | `math` | C's mathematics, from the crate libm (feature `libm`) |
//!
//! What needs the operating system calls a function of the Go package `rt` by a name that begins with `rustgo_`; the command line tool
//! leads the call there (`crates/cli/src/exits.rs`). [`system`] declares these functions.
//!
//! What is not here is refused when the package is built: threads, sockets, processes, sleeping.

mod error;
#[cfg(all(rustgo, feature = "libm"))]
mod math;
mod strings;

#[cfg(rustgo)]
mod files;
#[cfg(rustgo)]
mod futex;
#[cfg(rustgo)]
mod memory;
#[cfg(rustgo)]
mod output;
#[cfg(rustgo)]
mod process;
#[cfg(rustgo)]
mod random;
#[cfg(rustgo)]
mod system;
#[cfg(rustgo)]
mod threads;
#[cfg(rustgo)]
mod time;
#[cfg(rustgo)]
mod unwind;

#[cfg(test)]
mod tests;

//! The C library for std and C code. A Go program has no C library, so this module defines the functions of C that make sense in a Go program.
//!
//! The functions are ordinary functions with C's names, each in a section of its own. So a package includes only the functions that its exports can
//! reach. The functions have the signatures of Linux's C library (glibc) on every system, because the code is compiled for Linux. The numbers of
//! errors, clocks and system calls are Linux's too.
//!
//! | file | functions |
//! |---|---|
//! | `strings` | `memchr`, `strcmp` and similar functions that use only the caller's memory |
//! | `text` | `strcpy`, `strstr`, `strtol` and similar functions, in the locale "C" |
//! | `ctype` | `isalpha`, `iswalpha` and similar functions, in the locale "C" |
//! | `format`, `variadic` | `snprintf` and similar functions |
//! | `streams` | `printf`, `fputs` and similar functions, whose output is not buffered |
//! | `sort` | `qsort`, `bsearch` |
//! | `memory` | functions that allocate, by `malloc` of the Go package `rt` |
//! | `error` | errno and the texts of errors |
//! | `output` | `write` to the standard output and error streams, neither of which counts as a terminal |
//! | `time` | `clock_gettime`, `gettimeofday`, `time` |
//! | `calendar` | `gmtime_r`, `localtime_r`, `timegm`, `mktime`; the time zone is UTC |
//! | `random` | `getrandom` |
//! | `futex` | `syscall`, which std's locks call |
//! | `process` | `abort`, the empty environment, C's assert |
//! | `files` | functions for files, which always fail |
//! | `threads` | destructors of thread-locals, which never run; the place of the stack, which is not known |
//! | `unwind` | backtraces, which are empty |
//! | `math` | C's mathematics, from the crate libm (feature `libm`) |
//!
//! Functions that need the operating system call a function of the Go package `rt` whose name begins with `rustgo_`; the command line tool
//! redirects the call (`crates/cli/src/exits.rs`). The module [`system`] declares these functions.
//!
//! rustgo refuses a package that needs other functions, such as those for threads, sockets, processes and sleeping.

#[cfg(any(rustgo, all(test, target_os = "linux")))]
mod calendar;
mod ctype;
mod error;
mod format;
#[cfg(all(rustgo, feature = "libm"))]
mod math;
#[cfg(any(rustgo, all(test, target_os = "linux")))]
mod sort;
mod strings;
mod text;
mod variadic;

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
mod streams;
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

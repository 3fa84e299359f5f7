//! The C library's functions for files. Rust code in a Go program has no files, so each function fails, as on a system without the system call
//! (with ENOSYS; std's `ErrorKind` is `Unsupported`).
//!
//! The functions exist because much of std refers to files, in code that is not reached or has an alternative: a HashMap takes its keys from
//! `/dev/urandom` if `getrandom` fails, a file may limit the number of processors, and a backtrace reads the program's file. A crate that needs
//! files compiles, and gets the error when it runs. The author should let Go open files and pass the data as an argument.

use super::error::{ENOSYS, fail};
use super::random::getrandom;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null_mut, without_provenance_mut};

/// Defines functions that fail with -1, whatever their arguments are.
macro_rules! fail {
    ($($name:ident)*) => {
        $(
            /// Fails with -1.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> isize {
                fail(ENOSYS)
            }
        )*
    };
}

fail! {
    open open64 close read readv pread64 lseek64
    stat64 lstat64 fstat64 statx readlink
    poll munmap sched_getaffinity
}

/// Fails with a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn getcwd() -> *mut c_char {
    fail(ENOSYS);
    null_mut()
}

/// Fails with a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn realpath() -> *mut c_char {
    fail(ENOSYS);
    null_mut()
}

/// Fails with the address that has all bits set (`MAP_FAILED`).
#[unsafe(no_mangle)]
pub extern "C" fn mmap64() -> *mut c_void {
    fail(ENOSYS);
    without_provenance_mut(usize::MAX)
}

/// Does nothing and returns 0, because Rust code cannot know of any loaded shared library.
#[unsafe(no_mangle)]
pub extern "C" fn dl_iterate_phdr() -> c_int {
    0
}

/// Returns the address of `getrandom` if `name` is `getrandom`, because std asks whether the C library has this function. Returns null for other
/// names.
///
/// # Safety
/// `name` must be a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlsym(_library: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: as promised by the caller.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"getrandom" => getrandom as *mut c_void,
        _ => null_mut(),
    }
}

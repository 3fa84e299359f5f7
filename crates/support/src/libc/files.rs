//! Files: there are none. Each function fails, as on a system that lacks the call (ENOSYS; std's kind is `Unsupported`).
//!
//! They are here because much of std refers to files on paths that are not taken, or that have another way: a HashMap takes its keys
//! from `/dev/urandom` if `getrandom` fails, the number of processors may be limited by a file, a backtrace reads the program. Code
//! whose purpose is to read files compiles, and gets the error. Go opens files, and passes the data in.

use super::error::ENOSYS;
use super::random::getrandom;
use super::system::fail;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null_mut, without_provenance_mut};

/// Functions that fail with -1. Which arguments they are given does not matter.
macro_rules! fail {
    ($($name:ident)*) => {
        $(
            /// Fails.
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

/// Fails with null.
#[unsafe(no_mangle)]
pub extern "C" fn getcwd() -> *mut c_char {
    fail(ENOSYS);
    null_mut()
}

/// Fails with null.
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

/// Calls nobody back: no shared library is loaded that Rust code could know of.
#[unsafe(no_mangle)]
pub extern "C" fn dl_iterate_phdr() -> c_int {
    0
}

/// The address of a function by its name, for code that asks whether the C library has it: getrandom, or null.
///
/// # Safety
/// `name` must be a text of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlsym(_library: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: the caller's.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"getrandom" => getrandom as *mut c_void,
        _ => null_mut(),
    }
}

//! The C library's functions for files. Rust code in a Go program has no files, so the functions for files fail with ENOSYS, as on a system without
//! the system call (std's `ErrorKind` is `Unsupported`).
//!
//! The functions exist because much of std refers to files, in code that is not reached or has an alternative: a HashMap takes its keys from
//! `/dev/urandom` if `getrandom` fails, a file may limit the number of processors that std counts, and a backtrace reads the program's file. A crate
//! that needs files compiles, and gets the error when it runs. The author should let Go open files and pass the data as an argument.

use super::error::{ENOSYS, ENOTTY, fail};
use super::random::getrandom;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{null_mut, without_provenance_mut};

/// Defines functions that ignore their arguments, return -1 and set errno to ENOSYS.
macro_rules! fail {
    ($($name:ident)*) => {
        $(
            /// Returns -1 and sets errno to ENOSYS.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> isize {
                fail(ENOSYS)
            }
        )*
    };
}

fail! {
    open open64 openat64 close read readv pread64 pwrite64 lseek64 ftruncate64 fsync fdatasync fcntl flock
    chown fchown lchown chroot mkfifo
    stat64 lstat64 fstat64 fstatat64 statx readlink access
    mkdir rmdir unlink unlinkat rename link linkat symlink chmod fchmod utimensat futimens
    closedir dirfd chdir copy_file_range sendfile64
    poll munmap sched_getaffinity
}

/// Fails with ENOTTY: no stream is a device.
#[unsafe(no_mangle)]
pub extern "C" fn ioctl() -> c_int {
    fail(ENOTTY) as c_int
}

/// Defines functions that ignore their arguments, return a null pointer and set errno to ENOSYS.
macro_rules! fail_with_null {
    ($($name:ident)*) => {
        $(
            /// Returns a null pointer and sets errno to ENOSYS.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> *mut c_void {
                fail(ENOSYS);
                null_mut()
            }
        )*
    };
}

fail_with_null! { getcwd realpath opendir fdopendir readdir64 }

/// Returns the address that has all bits set (`MAP_FAILED`), and sets errno to ENOSYS.
#[unsafe(no_mangle)]
pub extern "C" fn mmap64() -> *mut c_void {
    fail(ENOSYS);
    without_provenance_mut(usize::MAX)
}

/// Returns 0 without calling the callback, because no loaded shared library is known to Rust code.
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

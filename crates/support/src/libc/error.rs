//! errno, and the texts of error numbers.

use core::ffi::c_int;
#[cfg(rustgo)]
use {
    super::system::rustgo_heap_processor,
    core::sync::atomic::{AtomicI32, Ordering},
};

/// The error numbers that the functions of this module use. Source: include/uapi/asm-generic/errno-base.h and errno.h of Linux.
#[cfg_attr(not(rustgo), allow(dead_code, reason = "tests are built without the functions that need the system"))]
mod numbers {
    use core::ffi::c_int;

    #[cfg(rustgo_no_threads)]
    pub const ESRCH: c_int = 3;
    pub const EINTR: c_int = 4;
    pub const EIO: c_int = 5;
    pub const EBADF: c_int = 9;
    pub const EAGAIN: c_int = 11;
    pub const ENOMEM: c_int = 12;
    pub const EINVAL: c_int = 22;
    pub const ENOTTY: c_int = 25;
    pub const ERANGE: c_int = 34;
    pub const ENOSYS: c_int = 38;
    pub const EOVERFLOW: c_int = 75;
    pub const ETIMEDOUT: c_int = 110;
}
#[cfg_attr(not(rustgo), allow(unused_imports, reason = "as above"))]
pub use numbers::*;

/// The values of errno, one for each processor of Go's scheduler. A goroutine stays on its processor while Rust code runs (a task may change
/// processors while it runs Go code), so no other call changes the number that a failed function has stored for its caller. Calls whose processor is
/// unknown, or has a number from `PROCESSORS` on, share the last element, so such a call may read another call's number.
#[cfg(rustgo)]
static ERRNO: [AtomicI32; PROCESSORS + 1] = [const { AtomicI32::new(0) }; PROCESSORS + 1];
#[cfg(rustgo)]
const PROCESSORS: usize = 1024;

#[cfg(rustgo)]
fn cell() -> &'static AtomicI32 {
    let processor = usize::try_from(rustgo_heap_processor()).unwrap_or(PROCESSORS);
    &ERRNO[processor.min(PROCESSORS)]
}

/// Sets errno.
#[cfg(rustgo)]
pub fn set(number: c_int) {
    cell().store(number, Ordering::Relaxed);
}

/// Returns the address of errno.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub extern "C" fn __errno_location() -> *mut c_int {
    cell().as_ptr()
}

/// Converts the result of a system call to the result of a C function: the same number, or -1 with the error number in errno.
#[cfg(rustgo)]
pub fn result(result: isize) -> isize {
    match c_int::try_from(result) {
        Ok(number @ -4095..0) => fail(-number),
        _ => result,
    }
}

/// Stores the error number in errno, and returns -1, the result of a C function that fails.
#[cfg(rustgo)]
pub fn fail(number: c_int) -> isize {
    set(number);
    -1
}

/// The texts of the errors for which std has an `ErrorKind`, and of other frequent errors. Source: glibc's output.
const TEXTS: [(u8, &str); COUNT] = [
    (0, "Success"),
    (1, "Operation not permitted"),
    (2, "No such file or directory"),
    (3, "No such process"),
    (4, "Interrupted system call"),
    (5, "Input/output error"),
    (6, "No such device or address"),
    (7, "Argument list too long"),
    (8, "Exec format error"),
    (9, "Bad file descriptor"),
    (10, "No child processes"),
    (11, "Resource temporarily unavailable"),
    (12, "Cannot allocate memory"),
    (13, "Permission denied"),
    (14, "Bad address"),
    (15, "Block device required"),
    (16, "Device or resource busy"),
    (17, "File exists"),
    (18, "Invalid cross-device link"),
    (19, "No such device"),
    (20, "Not a directory"),
    (21, "Is a directory"),
    (22, "Invalid argument"),
    (23, "Too many open files in system"),
    (24, "Too many open files"),
    (25, "Inappropriate ioctl for device"),
    (26, "Text file busy"),
    (27, "File too large"),
    (28, "No space left on device"),
    (29, "Illegal seek"),
    (30, "Read-only file system"),
    (31, "Too many links"),
    (32, "Broken pipe"),
    (33, "Numerical argument out of domain"),
    (34, "Numerical result out of range"),
    (35, "Resource deadlock avoided"),
    (36, "File name too long"),
    (37, "No locks available"),
    (38, "Function not implemented"),
    (39, "Directory not empty"),
    (40, "Too many levels of symbolic links"),
    (61, "No data available"),
    (62, "Timer expired"),
    (71, "Protocol error"),
    (74, "Bad message"),
    (75, "Value too large for defined data type"),
    (84, "Invalid or incomplete multibyte or wide character"),
    (88, "Socket operation on non-socket"),
    (90, "Message too long"),
    (93, "Protocol not supported"),
    (95, "Operation not supported"),
    (98, "Address already in use"),
    (99, "Cannot assign requested address"),
    (100, "Network is down"),
    (101, "Network is unreachable"),
    (103, "Software caused connection abort"),
    (104, "Connection reset by peer"),
    (105, "No buffer space available"),
    (106, "Transport endpoint is already connected"),
    (107, "Transport endpoint is not connected"),
    (110, "Connection timed out"),
    (111, "Connection refused"),
    (113, "No route to host"),
    (114, "Operation already in progress"),
    (115, "Operation now in progress"),
    (116, "Stale file handle"),
    (122, "Disk quota exceeded"),
    (125, "Operation canceled"),
];
const COUNT: usize = 68;

/// Returns the text of an error number; `None` if the table `TEXTS` lacks the number.
pub fn text(number: c_int) -> Option<&'static str> {
    let number = u8::try_from(number).ok()?;
    let at = TEXTS.binary_search_by_key(&number, |row| row.0).ok()?;
    Some(TEXTS[at].1)
}

/// Writes the text of an error number and a zero byte. The text of an unknown number is `Unknown error` and the number. If the text does not fit,
/// it is cut off and the function returns ERANGE instead of zero.
///
/// # Safety
/// `to` must be writable for `size` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn __xpg_strerror_r(number: c_int, to: *mut u8, size: usize) -> c_int {
    let mut digits = [0; 11];
    let (text, digits) = match text(number) {
        Some(text) => (text, &[][..]),
        None => ("Unknown error ", decimal(number, &mut digits)),
    };
    let mut at = 0;
    for &byte in text.as_bytes().iter().chain(digits) {
        if at + 1 >= size {
            break;
        }
        // SAFETY: as promised by the caller. `at` is less than `size`.
        unsafe { to.add(at).write(byte) };
        at += 1;
    }
    if size > 0 {
        // SAFETY: as promised by the caller. `at` is less than `size`.
        unsafe { to.add(at).write(0) };
    }
    if at < text.len() + digits.len() || size == 0 { ERANGE } else { 0 }
}

/// Formats a number in decimal. The standard library's formatting is not used, because it would become part of every package that can fail.
fn decimal(number: c_int, to: &mut [u8; 11]) -> &[u8] {
    let mut at = to.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        to[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        to[at] = b'-';
    }
    &to[at..]
}

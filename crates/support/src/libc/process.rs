//! Functions for the process. Rust code cannot end the process, and does not see its environment.

use super::error::{EINVAL, fail};
use core::ffi::{CStr, c_char, c_int, c_long, c_uint};
use core::ptr::null_mut;

/// Panics: only Go may end the program.
#[unsafe(no_mangle)]
pub extern "C" fn abort() -> ! {
    panic!("aborted")
}

/// Called when C's macro `assert` fails. Panics with the text of the assertion.
///
/// # Safety
/// The texts must be C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __assert_fail(condition: *const c_char, file: *const c_char, line: c_uint, _function: *const c_char) -> ! {
    // SAFETY: as promised by the caller.
    let text = |text| unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("?");
    panic!("assertion failed: {}, {}:{line}", text(condition), text(file))
}

/// The environment, which is always empty. The variables of Go's environment are not included: a Go program changes its variables without informing
/// C, and Rust code may run before Go has read the variables.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is C's")]
pub static mut environ: *mut *mut c_char = (&raw mut NO_VARIABLES).cast();
static mut NO_VARIABLES: [*mut c_char; 1] = [null_mut()];

/// Returns null: no environment variable is set.
#[unsafe(no_mangle)]
pub extern "C" fn getenv(_name: *const c_char) -> *mut c_char {
    null_mut()
}

/// Returns a property of the system. Only the page size is known; all other requests fail.
#[unsafe(no_mangle)]
pub extern "C" fn sysconf(name: c_int) -> c_long {
    // Source of the numbers: include/bits/confname.h of glibc, include/uapi/linux/auxvec.h of Linux.
    const PAGE_SIZE: c_int = 30;
    const AT_PAGESZ: usize = 6;
    unsafe extern "C" {
        safe fn getauxval(kind: usize) -> usize;
    }
    match name {
        PAGE_SIZE => getauxval(AT_PAGESZ) as c_long,
        _ => fail(EINVAL) as c_long,
    }
}

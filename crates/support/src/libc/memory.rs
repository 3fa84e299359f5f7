//! Functions of the C library that allocate. They call the Rust heap's functions.

use super::error::{ENOMEM, set};
use super::strings::strnlen;
use core::ptr::null_mut;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn realloc(address: *mut u8, size: usize) -> *mut u8;
    fn aligned_alloc(alignment: usize, size: usize) -> *mut u8;
    fn strlen(text: *const u8) -> usize;
}

/// Returns a copy of a text, or null if there is no memory left.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn strdup(text: *const u8) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { copy(text, strlen(text)) }
}

/// Returns a copy of at most the first `most` bytes of a text, or null if there is no memory left.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte, or for `most` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn strndup(text: *const u8, most: usize) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { copy(text, strnlen(text, most)) }
}

/// Returns a copy of `len` bytes followed by a zero byte, or null if there is no memory left.
///
/// # Safety
/// `text` must be readable for `len` bytes.
unsafe fn copy(text: *const u8, len: usize) -> *mut u8 {
    // SAFETY: every size is allowed.
    let to = unsafe { malloc(len + 1) };
    if !to.is_null() {
        // SAFETY: as promised by the caller; `to` has room for the text and a zero byte.
        unsafe {
            to.copy_from_nonoverlapping(text, len);
            to.add(len).write(0);
        }
    }
    to
}

/// Calls `realloc` for `count` elements. If their total size does not fit into a `usize`, returns null and changes nothing.
///
/// # Safety
/// The caller must meet the requirements of `realloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reallocarray(address: *mut u8, count: usize, size: usize) -> *mut u8 {
    match count.checked_mul(size) {
        // SAFETY: as promised by the caller.
        Some(size) => unsafe { realloc(address, size) },
        None => {
            set(ENOMEM);
            null_mut()
        }
    }
}

/// The older name of `aligned_alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn memalign(alignment: usize, size: usize) -> *mut u8 {
    // SAFETY: the heap accepts every size and alignment.
    unsafe { aligned_alloc(alignment, size) }
}

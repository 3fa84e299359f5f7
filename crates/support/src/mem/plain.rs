//! The memory functions for machines that have no assembly versions. Tests compare the assembly versions with this module.
//!
//! Every memory access is volatile. The compiler neither merges volatile accesses nor replaces loops of volatile accesses by calls of memory
//! functions.

use core::ptr::{read_volatile, write_volatile};

/// Copies `len` bytes; the two areas do not overlap.
///
/// # Safety
/// `src` must be readable and `dst` writable for `len` bytes.
#[cfg_attr(all(rustgo, not(any(target_arch = "x86_64", target_arch = "aarch64"))), unsafe(no_mangle))]
pub unsafe extern "C" fn memcpy(dst: *mut u8, src: *const u8, len: usize) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { forward(dst, src, len) };
    dst
}

/// Copies `len` bytes; the two areas may overlap.
///
/// # Safety
/// The caller must meet the requirements of `memcpy`, except that the areas may overlap.
#[cfg_attr(all(rustgo, not(any(target_arch = "x86_64", target_arch = "aarch64"))), unsafe(no_mangle))]
pub unsafe extern "C" fn memmove(dst: *mut u8, src: *const u8, len: usize) -> *mut u8 {
    // SAFETY: as promised by the caller. The copy runs forward unless the destination begins within the source.
    unsafe {
        if dst.addr().wrapping_sub(src.addr()) >= len {
            forward(dst, src, len);
        } else {
            backward(dst, src, len);
        }
    }
    dst
}

/// Sets `len` bytes to the low eight bits of `value`.
///
/// # Safety
/// `dst` must be writable for `len` bytes.
#[cfg_attr(all(rustgo, not(any(target_arch = "x86_64", target_arch = "aarch64"))), unsafe(no_mangle))]
pub unsafe extern "C" fn memset(dst: *mut u8, value: i32, len: usize) -> *mut u8 {
    let byte = value as u8;
    let word = usize::from_ne_bytes([byte; WORD]);
    let mut at = 0;
    // SAFETY: as promised by the caller; `at` stays below `len`.
    unsafe {
        if dst.addr().is_multiple_of(WORD) {
            while len - at >= WORD {
                write_volatile(dst.add(at).cast::<usize>(), word);
                at += WORD;
            }
        }
        while at < len {
            write_volatile(dst.add(at), byte);
            at += 1;
        }
    }
    dst
}

/// Compares two areas as sequences of unsigned bytes. The result is negative, zero or positive.
///
/// # Safety
/// Both areas must be readable for `len` bytes.
#[cfg_attr(all(rustgo, not(any(target_arch = "x86_64", target_arch = "aarch64"))), unsafe(no_mangle))]
pub unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    let mut at = 0;
    while at < len {
        // SAFETY: as promised by the caller; `at` stays below `len`.
        let (x, y) = unsafe { (read_volatile(a.add(at)), read_volatile(b.add(at))) };
        if x != y {
            return i32::from(x) - i32::from(y);
        }
        at += 1;
    }
    0
}

/// Returns zero if the two areas are equal, and another number if not.
///
/// # Safety
/// The caller must meet the requirements of `memcmp`.
#[cfg_attr(all(rustgo, not(any(target_arch = "x86_64", target_arch = "aarch64"))), unsafe(no_mangle))]
pub unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    // SAFETY: as promised by the caller.
    unsafe { memcmp(a, b, len) }
}

/// Returns the number of bytes before the first zero byte.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
#[cfg_attr(all(rustgo, not(any(target_arch = "x86_64", target_arch = "aarch64"))), unsafe(no_mangle))]
pub unsafe extern "C" fn strlen(text: *const u8) -> usize {
    let mut len = 0;
    // SAFETY: as promised by the caller.
    while unsafe { read_volatile(text.add(len)) } != 0 {
        len += 1;
    }
    len
}

/// The number of bytes in a machine word.
const WORD: usize = size_of::<usize>();

/// Copies `len` bytes from the first to the last.
///
/// # Safety
/// The caller must meet the requirements of `memcpy`, except that the areas may overlap if `dst` is below `src`.
unsafe fn forward(dst: *mut u8, src: *const u8, len: usize) {
    let mut at = 0;
    // SAFETY: as promised by the caller; `at` stays below `len`. Words are used only if both areas are aligned.
    unsafe {
        if (dst.addr() | src.addr()).is_multiple_of(WORD) {
            while len - at >= WORD {
                write_volatile(dst.add(at).cast::<usize>(), read_volatile(src.add(at).cast::<usize>()));
                at += WORD;
            }
        }
        while at < len {
            write_volatile(dst.add(at), read_volatile(src.add(at)));
            at += 1;
        }
    }
}

/// Copies `len` bytes from the last to the first.
///
/// # Safety
/// The caller must meet the requirements of `memcpy`, except that the areas may overlap if `dst` is above `src`.
unsafe fn backward(dst: *mut u8, src: *const u8, len: usize) {
    let mut at = len;
    // SAFETY: as promised by the caller; `at` stays below `len`. Words are used only if both areas are aligned.
    unsafe {
        if (dst.addr() | src.addr()).is_multiple_of(WORD) {
            while !at.is_multiple_of(WORD) {
                at -= 1;
                write_volatile(dst.add(at), read_volatile(src.add(at)));
            }
            while at > 0 {
                at -= WORD;
                write_volatile(dst.add(at).cast::<usize>(), read_volatile(src.add(at).cast::<usize>()));
            }
        }
        while at > 0 {
            at -= 1;
            write_volatile(dst.add(at), read_volatile(src.add(at)));
        }
    }
}

//! Functions on memory and on C strings. (The module `mem` has `strlen` and the memory functions that the compiler calls implicitly.)
//!
//! Each memory access is volatile. Otherwise the compiler could recognise a function's loop and replace the loop by a call of the function itself.

use core::ptr::{null_mut, read_volatile};

/// Returns the address of the first of `len` bytes that equals `byte`, or null.
///
/// The function reads whole words from aligned addresses, so no word reaches into a memory page that contains no byte of the area. The area may be
/// shorter than `len` if it contains the byte (C11, 7.24.5.1).
///
/// # Safety
/// `from` must be readable up to the first such byte, or for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn memchr(from: *const u8, byte: i32, len: usize) -> *mut u8 {
    let byte = byte as u8;
    let mut at = 0;
    while at < len {
        let here = from.wrapping_add(at);
        if here.addr().is_multiple_of(WORD) && len - at >= WORD {
            // SAFETY: as promised by the caller. The word is aligned, so it lies in a memory page of the area.
            if !has(unsafe { read_volatile(here.cast::<usize>()) }, byte) {
                at += WORD;
                continue;
            }
        }
        // SAFETY: as promised by the caller.
        if unsafe { read_volatile(here) } == byte {
            return here.cast_mut();
        }
        at += 1;
    }
    null_mut()
}

/// Returns the address of the last of `len` bytes that equals `byte`, or null.
///
/// # Safety
/// `from` must be readable for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn memrchr(from: *const u8, byte: i32, len: usize) -> *mut u8 {
    let byte = byte as u8;
    let mut end = len;
    while end > 0 {
        let behind = from.wrapping_add(end);
        if behind.addr().is_multiple_of(WORD) && end >= WORD {
            // SAFETY: as promised by the caller.
            if !has(unsafe { read_volatile(behind.wrapping_sub(WORD).cast::<usize>()) }, byte) {
                end -= WORD;
                continue;
            }
        }
        end -= 1;
        let here = from.wrapping_add(end);
        // SAFETY: as promised by the caller.
        if unsafe { read_volatile(here) } == byte {
            return here.cast_mut();
        }
    }
    null_mut()
}

/// Returns the number of bytes before the first zero byte, at most `most`.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte, or for `most` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strnlen(text: *const u8, most: usize) -> usize {
    // SAFETY: as promised by the caller.
    let end = unsafe { memchr(text, 0, most) };
    if end.is_null() { most } else { end.addr() - text.addr() }
}

/// Compares two texts as sequences of unsigned bytes. The result is negative, zero or positive.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strcmp(a: *const u8, b: *const u8) -> i32 {
    // SAFETY: as promised by the caller.
    unsafe { strncmp(a, b, usize::MAX) }
}

/// Compares the first `most` bytes of two texts, as [`strcmp`] does.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte, or for `most` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strncmp(a: *const u8, b: *const u8, most: usize) -> i32 {
    let mut at = 0;
    while at < most {
        // SAFETY: as promised by the caller. Neither text has ended before this index.
        let (x, y) = unsafe { (read_volatile(a.wrapping_add(at)), read_volatile(b.wrapping_add(at))) };
        if x != y || x == 0 {
            return i32::from(x) - i32::from(y);
        }
        at += 1;
    }
    0
}

/// Returns the address of the first byte of a text that equals `byte`, or null. The zero byte is part of the text.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strchr(text: *const u8, byte: i32) -> *mut u8 {
    let mut here = text;
    loop {
        // SAFETY: as promised by the caller. The text has not ended before this byte.
        let found = unsafe { read_volatile(here) };
        if found == byte as u8 {
            return here.cast_mut();
        }
        if found == 0 {
            return null_mut();
        }
        here = here.wrapping_add(1);
    }
}

/// Returns the address of the last byte of a text that equals `byte`, or null. The zero byte is part of the text.
///
/// # Safety
/// The caller must meet the requirements of [`strchr`].
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strrchr(text: *const u8, byte: i32) -> *mut u8 {
    let (mut here, mut last) = (text, null_mut());
    loop {
        // SAFETY: as promised by the caller. The text has not ended before this byte.
        let found = unsafe { read_volatile(here) };
        if found == byte as u8 {
            last = here.cast_mut();
        }
        if found == 0 {
            return last;
        }
        here = here.wrapping_add(1);
    }
}

/// The number of bytes in a machine word.
const WORD: usize = size_of::<usize>();

/// True if one of the word's bytes equals `byte`. The XOR with `byte` in every byte turns equal bytes into zero bytes. Subtracting 1 from every byte
/// then sets a highest bit that was clear before only if the byte is zero, or a lower byte is zero and borrows.
fn has(word: usize, byte: u8) -> bool {
    const ONES: usize = usize::MAX / 0xff;
    let zero_where_equal = word ^ (ONES * byte as usize);
    zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & (ONES << 7) != 0
}

//! Functions that copy and search C strings, and that read numbers from them, in the locale "C".
//!
//! Each memory access is volatile, so that the compiler does not replace a function's loop by a call of the function itself. No function calls
//! another by its C name: the compiler would replace a call of `stpcpy` whose result is not used by a call of `strcpy`, even inside `strcpy`.

use super::error::ERANGE;
#[cfg(rustgo)]
use super::error::set;
use core::ptr::{null_mut, read_volatile, write_volatile};

/// The byte `at` bytes after `text`.
///
/// # Safety
/// The byte must be readable.
unsafe fn byte(text: *const u8, at: usize) -> u8 {
    // SAFETY: as promised by the caller.
    unsafe { read_volatile(text.wrapping_add(at)) }
}

/// Returns the address of a text's zero byte.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
unsafe fn end_of(text: *mut u8) -> *mut u8 {
    let mut at = 0;
    // SAFETY: as promised by the caller. The text has not ended before this byte.
    while unsafe { byte(text, at) } != 0 {
        at += 1;
    }
    text.wrapping_add(at)
}

/// Copies a text with its zero byte. Returns the address of the zero byte in `to`.
///
/// # Safety
/// `from` must be readable up to and including its first zero byte, and `to` writable for as many bytes. The two must not overlap.
unsafe fn copy(to: *mut u8, from: *const u8) -> *mut u8 {
    let mut at = 0;
    loop {
        // SAFETY: as promised by the caller. The text has not ended before this byte.
        let copied = unsafe { byte(from, at) };
        // SAFETY: as promised by the caller.
        unsafe { write_volatile(to.wrapping_add(at), copied) };
        if copied == 0 {
            return to.wrapping_add(at);
        }
        at += 1;
    }
}

/// Copies a text with its zero byte. Returns the address of the zero byte in `to`.
///
/// # Safety
/// `from` must be readable up to and including its first zero byte, and `to` writable for as many bytes. The two must not overlap.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn stpcpy(to: *mut u8, from: *const u8) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { copy(to, from) }
}

/// Copies a text with its zero byte. Returns `to`.
///
/// # Safety
/// `from` must be readable up to and including its first zero byte, and `to` writable for as many bytes. The two must not overlap.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strcpy(to: *mut u8, from: *const u8) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { copy(to, from) };
    to
}

/// Writes exactly `size` bytes: the text, cut off if it is longer, and zero bytes after it. Returns `to`.
///
/// # Safety
/// `from` must be readable up to and including its first zero byte, or for `size` bytes; `to` must be writable for `size` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strncpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    let mut ended = false;
    for at in 0..size {
        // SAFETY: as promised by the caller. The text is not read after its end.
        let copied = if ended { 0 } else { unsafe { byte(from, at) } };
        ended = copied == 0;
        // SAFETY: as promised by the caller.
        unsafe { write_volatile(to.wrapping_add(at), copied) };
    }
    to
}

/// Appends a text. Returns `to`.
///
/// # Safety
/// `to` must be a text with room for the text `from`. The two must not overlap.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strcat(to: *mut u8, from: *const u8) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { copy(end_of(to), from) };
    to
}

/// Appends at most the first `most` bytes of a text, and a zero byte. Returns `to`.
///
/// # Safety
/// `to` must be a text with room for the appended bytes and a zero byte. `from` must be readable up to and including its first zero byte, or for
/// `most` bytes. The two must not overlap.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strncat(to: *mut u8, from: *const u8, most: usize) -> *mut u8 {
    // SAFETY: as promised by the caller.
    let end = unsafe { end_of(to) };
    let mut at = 0;
    while at < most {
        // SAFETY: as promised by the caller. The text has not ended before this byte.
        let copied = unsafe { byte(from, at) };
        if copied == 0 {
            break;
        }
        // SAFETY: as promised by the caller.
        unsafe { write_volatile(end.wrapping_add(at), copied) };
        at += 1;
    }
    // SAFETY: as promised by the caller.
    unsafe { write_volatile(end.wrapping_add(at), 0) };
    to
}

/// True if the text `set` contains the byte.
///
/// # Safety
/// `set` must be readable up to and including its first zero byte.
unsafe fn contains(set: *const u8, wanted: u8) -> bool {
    let mut at = 0;
    loop {
        // SAFETY: as promised by the caller. The text has not ended before this byte.
        match unsafe { byte(set, at) } {
            0 => return false,
            here if here == wanted => return true,
            _ => at += 1,
        }
    }
}

/// Returns the number of bytes at the start of `text` for which membership in the text `set` equals `wanted`.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
unsafe fn span(text: *const u8, set: *const u8, wanted: bool) -> usize {
    let mut at = 0;
    loop {
        // SAFETY: as promised by the caller. The text has not ended before this byte.
        let here = unsafe { byte(text, at) };
        // SAFETY: as promised by the caller.
        if here == 0 || unsafe { contains(set, here) } != wanted {
            return at;
        }
        at += 1;
    }
}

/// Returns the number of bytes before the first byte that is not in the text `accepted`.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strspn(text: *const u8, accepted: *const u8) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { span(text, accepted, true) }
}

/// Returns the number of bytes before the first byte that is in the text `refused`.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strcspn(text: *const u8, refused: *const u8) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { span(text, refused, false) }
}

/// Returns the address of the first byte of `text` that is in the text `set`, or null.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strpbrk(text: *const u8, set: *const u8) -> *mut u8 {
    // SAFETY: as promised by the caller.
    let found = text.wrapping_add(unsafe { span(text, set, false) });
    // SAFETY: as promised by the caller.
    if unsafe { byte(found, 0) } == 0 { null_mut() } else { found.cast_mut() }
}

/// Returns the address of the first occurrence of the text `wanted` in `text`, or null.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strstr(text: *const u8, wanted: *const u8) -> *mut u8 {
    let mut start = text;
    loop {
        let mut at = 0;
        loop {
            // SAFETY: as promised by the caller. Neither text has ended before this byte.
            let (needed, here) = unsafe { (byte(wanted, at), byte(start, at)) };
            if needed == 0 {
                return start.cast_mut();
            }
            if here == 0 {
                return null_mut();
            }
            if here != needed {
                break;
            }
            at += 1;
        }
        start = start.wrapping_add(1);
    }
}

/// Compares two texts without regard to the case of ASCII letters.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strcasecmp(a: *const u8, b: *const u8) -> i32 {
    // SAFETY: as promised by the caller.
    unsafe { compare(a, b, usize::MAX) }
}

/// Compares the first `most` bytes of two texts without regard to the case of ASCII letters.
///
/// # Safety
/// Both texts must be readable up to and including the first zero byte, or for `most` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strncasecmp(a: *const u8, b: *const u8, most: usize) -> i32 {
    // SAFETY: as promised by the caller.
    unsafe { compare(a, b, most) }
}

/// Compares the first `most` bytes of two texts without regard to the case of ASCII letters.
///
/// # Safety
/// The caller must meet the requirements of [`strncasecmp`].
unsafe fn compare(a: *const u8, b: *const u8, most: usize) -> i32 {
    for at in 0..most {
        // SAFETY: as promised by the caller. Neither text has ended before this byte.
        let (x, y) = unsafe { (byte(a, at).to_ascii_lowercase(), byte(b, at).to_ascii_lowercase()) };
        if x != y || x == 0 {
            return i32::from(x) - i32::from(y);
        }
    }
    0
}

/// An integer that was read from a text.
struct Number {
    magnitude: u64,
    negative: bool,
    /// True if the magnitude does not fit into 64 bits. The field `magnitude` then has the largest value.
    too_large: bool,
}

/// Reads an integer as `strtol` does, and stores the address of the first byte after the integer.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte. `end` must be null or writable.
unsafe fn number(text: *const u8, end: *mut *const u8, base: i32) -> Number {
    let mut number = Number { magnitude: 0, negative: false, too_large: false };
    // SAFETY: as promised by the caller. No byte after the first zero byte is read, because a zero byte is neither a space, a sign nor a digit.
    let at = |index: usize| unsafe { byte(text, index) };
    let digit = |index: usize, base: u32| char::from(at(index)).to_digit(base);
    let mut here = 0;
    while matches!(at(here), b' ' | b'\t'..=b'\r') {
        here += 1;
    }
    if matches!(at(here), b'+' | b'-') {
        number.negative = at(here) == b'-';
        here += 1;
    }
    let has_prefix = at(here) == b'0' && matches!(at(here + 1), b'x' | b'X') && digit(here + 2, 16).is_some();
    let base = match base {
        0 | 16 if has_prefix => {
            here += 2;
            16
        }
        0 if at(here) == b'0' => 8,
        0 => 10,
        base @ 2..=36 => base as u32,
        _ => 0,
    };
    let first = here;
    while base != 0
        && let Some(digit) = digit(here, base)
    {
        let next = number.magnitude.checked_mul(u64::from(base)).and_then(|product| product.checked_add(u64::from(digit)));
        number.too_large |= next.is_none();
        number.magnitude = next.unwrap_or(u64::MAX);
        here += 1;
    }
    if !end.is_null() {
        let after = if here == first { text } else { text.wrapping_add(here) };
        // SAFETY: as promised by the caller.
        unsafe { end.write(after) };
    }
    number
}

/// Sets errno to ERANGE, and returns `limit`, the result for a number that is out of range.
fn out_of_range<T>(limit: T) -> T {
    #[cfg(rustgo)]
    set(ERANGE);
    let _ = ERANGE;
    limit
}

/// Reads a signed integer in a base from 2 to 36. With the base 0, the number's prefix selects the base. Stores the address after the number. A
/// number that does not fit gives the nearest integer and errno ERANGE.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte. `end` must be null or writable.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strtol(text: *const u8, end: *mut *const u8, base: i32) -> i64 {
    // SAFETY: as promised by the caller.
    unsafe { signed(text, end, base) }
}

/// The body of [`strtol`], which other functions share.
///
/// # Safety
/// The caller must meet the requirements of [`strtol`].
unsafe fn signed(text: *const u8, end: *mut *const u8, base: i32) -> i64 {
    // SAFETY: as promised by the caller.
    let Number { magnitude, negative, .. } = unsafe { number(text, end, base) };
    match (i64::try_from(magnitude), negative) {
        (Ok(value), false) => value,
        (Ok(value), true) => -value,
        (Err(_), true) if magnitude == i64::MIN.unsigned_abs() => i64::MIN,
        (Err(_), true) => out_of_range(i64::MIN),
        (Err(_), false) => out_of_range(i64::MAX),
    }
}

/// Reads an unsigned integer as [`strtol`] does. A minus sign negates the number modulo 2⁶⁴. A number that does not fit gives 2⁶⁴ - 1 and errno
/// ERANGE.
///
/// # Safety
/// The caller must meet the requirements of [`strtol`].
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn strtoul(text: *const u8, end: *mut *const u8, base: i32) -> u64 {
    // SAFETY: as promised by the caller.
    unsafe { unsigned(text, end, base) }
}

/// The body of [`strtoul`], which `strtoull` shares.
///
/// # Safety
/// The caller must meet the requirements of [`strtol`].
unsafe fn unsigned(text: *const u8, end: *mut *const u8, base: i32) -> u64 {
    // SAFETY: as promised by the caller.
    match unsafe { number(text, end, base) } {
        Number { too_large: true, .. } => out_of_range(u64::MAX),
        Number { magnitude, negative: true, .. } => magnitude.wrapping_neg(),
        Number { magnitude, .. } => magnitude,
    }
}

// glibc's headers for C23 rename these functions to `__isoc23_strtol` and so on. The renamed functions also read the prefix `0b`. They are not
// defined here.

/// The function [`strtol`] for C's `long long`, which has 64 bits too.
///
/// # Safety
/// The caller must meet the requirements of [`strtol`].
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn strtoll(text: *const u8, end: *mut *const u8, base: i32) -> i64 {
    // SAFETY: as promised by the caller.
    unsafe { signed(text, end, base) }
}

/// The function [`strtoul`] for C's `unsigned long long`, which has 64 bits too.
///
/// # Safety
/// The caller must meet the requirements of [`strtol`].
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn strtoull(text: *const u8, end: *mut *const u8, base: i32) -> u64 {
    // SAFETY: as promised by the caller.
    unsafe { unsigned(text, end, base) }
}

/// Returns the absolute value; the smallest number has none and is returned unchanged.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub extern "C" fn abs(number: i32) -> i32 {
    number.wrapping_abs()
}

/// Returns the absolute value; the smallest number has none and is returned unchanged.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub extern "C" fn labs(number: i64) -> i64 {
    number.wrapping_abs()
}

/// Reads a signed decimal integer.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn atol(text: *const u8) -> i64 {
    // SAFETY: as promised by the caller.
    unsafe { signed(text, null_mut(), 10) }
}

/// Reads a signed decimal integer, and drops the upper 32 bits.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn atoi(text: *const u8) -> i32 {
    // SAFETY: as promised by the caller.
    unsafe { signed(text, null_mut(), 10) as i32 }
}

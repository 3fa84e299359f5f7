//! C's formatted output to memory, `snprintf` and the like, in the locale "C". The module `streams` formats to streams.
//!
//! Conversions are d, i, u, o, x, X, c, s, p, f, F, e, E, g, G and %, with all flags of C, widths, precisions and lengths. Other conversions (`%a`,
//! `%n`, wide characters and `long double`, and the extensions `%'d`, `%m` and `%1$d`) fail: the functions return -1, and errno is EINVAL.

use super::variadic::List;
#[cfg(rustgo)]
use super::{
    error::{EINVAL, EOVERFLOW, fail},
    variadic::variadic,
};
#[cfg(rustgo)]
use core::ffi::c_int;
use core::fmt::Write as _;

/// The destination of formatted output.
pub(super) trait Sink {
    fn put(&mut self, bytes: &[u8]);
}

/// Memory of the caller. The last byte is kept free for the zero byte. Output that does not fit is counted and dropped.
pub(super) struct Memory {
    to: *mut u8,
    size: usize,
    written: usize,
}

impl Sink for Memory {
    fn put(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.written + 1 < self.size {
                // SAFETY: the caller of `to_memory` has promised that `size` bytes are writable.
                unsafe { self.to.add(self.written).write(byte) };
            }
            self.written += 1;
        }
    }
}

/// Formats into memory, and adds a zero byte if `size` is not 0. A text that does not fit is truncated. Returns the length of the whole text, as if it
/// had not been truncated, or `None` if the format is not supported.
///
/// # Safety
/// `to` must be writable for `size` bytes, and `format` and `list` must meet the requirements of [`print`].
pub(super) unsafe fn to_memory(to: *mut u8, size: usize, format: *const u8, list: *mut List) -> Option<usize> {
    let mut memory = Memory { to, size, written: 0 };
    // SAFETY: as promised by the caller.
    let whole = unsafe { print(&mut memory, format, list) };
    if size > 0 {
        // SAFETY: as promised by the caller.
        unsafe { to.add(memory.written.min(size - 1)).write(0) };
    }
    whole.map(|()| memory.written)
}

/// A conversion: the part of a format after `%`, up to and including the letter.
#[derive(Clone, Copy, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an integer argument in bytes.
    size: usize,
    letter: u8,
}

/// Writes the arguments of `list` in this format. Returns `None` at a conversion that is not supported.
///
/// # Safety
/// `format` must be a text, and the arguments must have the types that the format states.
pub(super) unsafe fn print(sink: &mut impl Sink, format: *const u8, list: *mut List) -> Option<()> {
    // SAFETY: as promised by the caller. No byte after the zero byte is read.
    let at = |index: usize| unsafe { format.add(index).read() };
    let mut here = 0;
    loop {
        let start = here;
        while !matches!(at(here), 0 | b'%') {
            here += 1;
        }
        // SAFETY: these bytes are part of the text.
        sink.put(unsafe { core::slice::from_raw_parts(format.add(start), here - start) });
        if at(here) == 0 {
            return Some(());
        }
        // SAFETY: as promised by the caller.
        let conversion = unsafe { read(&at, &mut here, list) };
        // SAFETY: as promised by the caller.
        unsafe { convert(sink, conversion, list) }?;
    }
}

/// Reads the conversion at the index `here`, and moves the index past it.
///
/// # Safety
/// The caller must meet the requirements of [`print`].
unsafe fn read(at: &impl Fn(usize) -> u8, here: &mut usize, list: *mut List) -> Conversion {
    let mut conversion = Conversion { size: 4, ..Conversion::default() };
    *here += 1;
    loop {
        match at(*here) {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternative = true,
            b'0' => conversion.zeros = true,
            _ => break,
        }
        *here += 1;
    }
    let number = |here: &mut usize| {
        if at(*here) == b'*' {
            *here += 1;
            // SAFETY: as promised by the caller.
            return i64::from(unsafe { (*list).integer() } as i32);
        }
        let mut number = 0i64;
        while at(*here).is_ascii_digit() {
            number = (number * 10 + i64::from(at(*here) - b'0')).min(i64::from(i32::MAX));
            *here += 1;
        }
        number
    };
    let width = number(here);
    conversion.left |= width < 0;
    conversion.width = width.unsigned_abs() as usize;
    if at(*here) == b'.' {
        *here += 1;
        conversion.precision = usize::try_from(number(here)).ok();
    }
    let before = *here;
    while matches!(at(*here), b'h' | b'l' | b'z' | b'j' | b't' | b'q' | b'L') {
        *here += 1;
    }
    conversion.size = match (at(before), *here - before) {
        (_, 0) => 4,
        (b'h', 1) => 2,
        (b'h', 2) => 1,
        (b'L', _) => 16,
        _ => 8,
    };
    conversion.letter = at(*here);
    *here += usize::from(conversion.letter != 0);
    conversion
}

/// Formats one conversion.
///
/// # Safety
/// The caller must meet the requirements of [`print`].
unsafe fn convert(sink: &mut impl Sink, conversion: Conversion, list: *mut List) -> Option<()> {
    // SAFETY: as promised by the caller, the next argument is an integer or an address wherever this closure is called.
    let integer = || unsafe { (*list).integer() };
    match conversion.letter {
        b'%' => sink.put(b"%"),
        b'c' if conversion.size == 4 => padded(sink, conversion, b"", &[integer() as u8]),
        b's' if conversion.size == 4 => {
            let text = integer() as *const u8;
            let most = conversion.precision.unwrap_or(usize::MAX);
            let mut len = 0;
            // SAFETY: as promised by the caller, the argument is a text, or has as many bytes as the precision states.
            while !text.is_null() && len < most && unsafe { text.add(len).read_volatile() } != 0 {
                len += 1;
            }
            // SAFETY: as before.
            let bytes = if text.is_null() { b"(null)" } else { unsafe { core::slice::from_raw_parts(text, len) } };
            padded(sink, conversion, b"", &bytes[..bytes.len().min(most)]);
        }
        b'p' => match integer() {
            0 => padded(sink, conversion, b"", b"(nil)"),
            address => unsigned(sink, Conversion { letter: b'x', alternative: true, ..conversion }, address, b""),
        },
        b'd' | b'i' if conversion.size <= 8 => {
            let unused = 64 - 8 * conversion.size as u32;
            let value = ((integer() << unused) as i64) >> unused;
            unsigned(sink, conversion, value.unsigned_abs(), sign(conversion, value < 0));
        }
        b'u' | b'o' | b'x' | b'X' if conversion.size <= 8 => {
            let unused = 64 - 8 * conversion.size as u32;
            unsigned(sink, conversion, integer() << unused >> unused, b"");
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' if conversion.size <= 8 => {
            // SAFETY: as promised by the caller, the next argument is a floating-point number.
            float(sink, conversion, unsafe { (*list).float() })?;
        }
        _ => return None,
    }
    Some(())
}

fn sign(conversion: Conversion, negative: bool) -> &'static [u8] {
    match conversion {
        _ if negative => b"-",
        Conversion { plus: true, .. } => b"+",
        Conversion { space: true, .. } => b" ",
        _ => b"",
    }
}

/// Writes `prefix` and `bytes`, padded to the width: with spaces on one side, or with zeros between the two.
fn padded(sink: &mut impl Sink, conversion: Conversion, prefix: &[u8], bytes: &[u8]) {
    padded_parts(sink, conversion, prefix, (bytes, 0, b""));
}

/// Does the same as [`padded`] for a text in three parts: `bytes`, then `more` zeros, then `end`.
fn padded_parts(sink: &mut impl Sink, conversion: Conversion, prefix: &[u8], (bytes, more, end): (&[u8], usize, &[u8])) {
    let length = (prefix.len() + bytes.len() + end.len()).saturating_add(more);
    let missing = conversion.width.saturating_sub(length);
    let fill = |sink: &mut dyn FnMut(&[u8]), byte: u8| (0..missing).for_each(|_| sink(&[byte]));
    let zeros = conversion.zeros && !conversion.left;
    let mut put = |bytes: &[u8]| sink.put(bytes);
    if !conversion.left && !zeros {
        fill(&mut put, b' ');
    }
    put(prefix);
    if zeros {
        fill(&mut put, b'0');
    }
    put(bytes);
    (0..more).for_each(|_| put(b"0"));
    put(end);
    if conversion.left {
        fill(&mut put, b' ');
    }
}

/// Writes an integer: the text `sign`, and the digits of its magnitude `number`.
fn unsigned(sink: &mut impl Sink, mut conversion: Conversion, number: u64, sign: &[u8]) {
    let mut digits = [0; 24];
    let (base, letters): (u64, &[u8; 16]) = match conversion.letter {
        b'o' => (8, b"0123456789abcdef"),
        b'x' => (16, b"0123456789abcdef"),
        b'X' => (16, b"0123456789ABCDEF"),
        _ => (10, b"0123456789abcdef"),
    };
    let (mut first, mut rest) = (digits.len(), number);
    while rest > 0 {
        first -= 1;
        digits[first] = letters[(rest % base) as usize];
        rest /= base;
    }
    let digits = &digits[first..];
    let prefix: &[u8] = match conversion.letter {
        b'x' if conversion.alternative && number != 0 => b"0x",
        b'X' if conversion.alternative && number != 0 => b"0X",
        _ => sign,
    };
    // A precision is the smallest number of digits, and turns the flag 0 off.
    conversion.zeros &= conversion.precision.is_none();
    let mut least = conversion.precision.unwrap_or(1);
    if conversion.letter == b'o' && conversion.alternative {
        least = least.max(digits.len() + 1);
    }
    let zeros = least.saturating_sub(digits.len());
    let inner = Conversion { width: conversion.width.saturating_sub(prefix.len() + zeros + digits.len()), ..conversion };
    let spaces = Conversion { width: inner.width, left: false, zeros: inner.zeros && !inner.left, ..inner };
    if !inner.left && !spaces.zeros {
        padded(sink, spaces, b"", b"");
    }
    sink.put(prefix);
    if spaces.zeros {
        padded(sink, spaces, b"", b"");
    }
    (0..zeros).for_each(|_| sink.put(b"0"));
    sink.put(digits);
    if inner.left {
        padded(sink, spaces, b"", b"");
    }
}

/// A text of bounded length. A `double` has at most 309 digits before the point and [`FRACTION`] after it.
struct Text {
    bytes: [u8; LONGEST],
    len: usize,
}

const LONGEST: usize = 309 + 1 + FRACTION + 5;

/// The largest number of digits after the point of a `double`: every `double` is a multiple of 2^-1074. All further digits are zeros.
const FRACTION: usize = 1074;

impl core::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let to = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(core::fmt::Error)?;
        to.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

impl Text {
    fn new() -> Text {
        Text { bytes: [0; LONGEST], len: 0 }
    }

    fn get(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Removes the zeros at the end of a fraction, and the point if no digit follows it.
    fn without_zeros(&mut self) {
        if self.get().contains(&b'.') {
            while self.get().ends_with(b"0") {
                self.len -= 1;
            }
            self.len -= usize::from(self.get().ends_with(b"."));
        }
    }
}

/// Writes a floating-point number.
fn float(sink: &mut impl Sink, mut conversion: Conversion, number: f64) -> Option<()> {
    let sign = sign(conversion, number.is_sign_negative());
    let magnitude = f64::from_bits(number.to_bits() & !(1 << 63));
    let capital = conversion.letter.is_ascii_uppercase();
    if !number.is_finite() {
        conversion.zeros = false;
        let name: &[u8] = match (number.is_nan(), capital) {
            (true, false) => b"nan",
            (true, true) => b"NAN",
            (false, false) => b"inf",
            (false, true) => b"INF",
        };
        padded(sink, conversion, sign, name);
        return Some(());
    }
    let mut precision = conversion.precision.unwrap_or(6);
    let mut letter = conversion.letter.to_ascii_lowercase();
    let general = letter == b'g';
    if general {
        precision = precision.max(1);
        // The precision counts all digits. The exponent of the rounded number selects the form of `%e` or of `%f`.
        let mut text = Text::new();
        core::write!(text, "{:.*e}", (precision - 1).min(FRACTION), magnitude).ok()?;
        let exponent = exponent_of(text.get()).1;
        letter = if (-4..precision as i64).contains(&exponent) { b'f' } else { b'e' };
        precision = if letter == b'f' { (precision as i64 - 1 - exponent) as usize } else { precision - 1 };
    }
    let mut text = Text::new();
    // The output is `text`, then `zeros` zeros, then `exponent_text`.
    let mut zeros = precision.saturating_sub(FRACTION);
    let mut exponent_text = Text::new();
    let shown = precision.min(FRACTION);
    if general && !conversion.alternative {
        zeros = 0;
    }
    if letter == b'f' {
        core::write!(text, "{magnitude:.shown$}").ok()?;
    } else {
        core::write!(text, "{:.*e}", shown, magnitude).ok()?;
        let (len, exponent) = exponent_of(text.get());
        text.len = len;
        if conversion.alternative && precision == 0 {
            text.write_str(".").ok()?;
        } else if general && !conversion.alternative {
            text.without_zeros();
        }
        let mark = if capital { 'E' } else { 'e' };
        let its_sign = if exponent < 0 { '-' } else { '+' };
        core::write!(exponent_text, "{mark}{its_sign}{:02}", exponent.unsigned_abs()).ok()?;
    }
    if letter == b'f' {
        if conversion.alternative && precision == 0 {
            text.write_str(".").ok()?;
        } else if general && !conversion.alternative {
            text.without_zeros();
        }
    }
    padded_parts(sink, conversion, sign, (text.get(), zeros, exponent_text.get()));
    Some(())
}

/// Splits a number in the form `1.5e-7`. Returns the length of the part before the `e`, and the exponent.
fn exponent_of(text: &[u8]) -> (usize, i64) {
    let len = text.iter().position(|byte| *byte == b'e').unwrap_or(text.len());
    let digits = text.get(len + 1..).unwrap_or_default();
    let negative = digits.starts_with(b"-");
    let magnitude = digits.iter().filter(|byte| **byte != b'-').fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    (len, if negative { -magnitude } else { magnitude })
}

/// Converts the length of a text to the result of a C function: -1 for `None` (errno is EINVAL) and for a length that does not fit into an `int`
/// (errno is EOVERFLOW).
#[cfg(rustgo)]
pub(super) fn result(len: Option<usize>) -> c_int {
    match len.map(c_int::try_from) {
        Some(Ok(len)) => len,
        Some(Err(_)) => fail(EOVERFLOW) as c_int,
        None => fail(EINVAL) as c_int,
    }
}

/// Formats into memory, as `to_memory` does.
///
/// # Safety
/// The caller must meet the requirements of `to_memory`.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vsnprintf(to: *mut u8, size: usize, format: *const u8, list: *mut List) -> c_int {
    // SAFETY: as promised by the caller.
    result(unsafe { to_memory(to, size, format, list) })
}

/// Formats into memory of unknown size.
///
/// # Safety
/// `to` must have room for the whole text and a zero byte. `format` and `list` must meet the requirements of `print`.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vsprintf(to: *mut u8, format: *const u8, list: *mut List) -> c_int {
    // SAFETY: as promised by the caller.
    result(unsafe { to_memory(to, usize::MAX, format, list) })
}

#[cfg(rustgo)]
variadic! {
    snprintf calls vsnprintf after 3;
    sprintf calls vsprintf after 2;
}

//! Streams, C's `FILE`: the standard output and the standard error stream. No output stays in a buffer after a call, and no other stream can be
//! opened.

use super::error::{EBADF, ENOSYS, fail};
use super::format::{Sink, print, result};
use super::output::write;
use super::variadic::{List, variadic};
use core::ffi::c_int;
use core::ptr::null_mut;

/// A stream, C's `FILE`: the standard output (1) or the standard error stream (2).
#[repr(C)]
pub struct Stream {
    number: c_int,
}

static mut OUTPUT: Stream = Stream { number: 1 };
static mut ERRORS: Stream = Stream { number: 2 };

/// The standard input: null, because Rust code cannot read it.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is C's")]
pub static mut stdin: *mut Stream = null_mut();
/// The standard output.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is C's")]
pub static mut stdout: *mut Stream = &raw mut OUTPUT;
/// The standard error stream.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name is C's")]
pub static mut stderr: *mut Stream = &raw mut ERRORS;

/// Collects output in a small buffer, and writes the buffer to a stream whenever it is full.
struct Pieces {
    stream: c_int,
    bytes: [u8; 128],
    len: usize,
    written: usize,
    failed: bool,
}

impl Pieces {
    fn flush(&mut self) {
        let mut from = 0;
        while from < self.len && !self.failed {
            // SAFETY: the bytes lie in the array.
            let written = unsafe { write(self.stream, self.bytes.as_ptr().add(from), self.len - from) };
            self.failed = written <= 0;
            from += written.max(0) as usize;
        }
        self.len = 0;
    }
}

impl Sink for Pieces {
    fn put(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.len == self.bytes.len() {
                self.flush();
            }
            self.bytes[self.len] = byte;
            self.len += 1;
            self.written += 1;
        }
    }
}

/// Formats to a stream. Returns the number of bytes, or -1 if the format is not supported or a write fails.
///
/// # Safety
/// The caller must meet the requirements of C's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vfprintf(stream: *const Stream, format: *const u8, list: *mut List) -> c_int {
    // SAFETY: as promised by the caller.
    let mut pieces = Pieces { stream: unsafe { (*stream).number }, bytes: [0; 128], len: 0, written: 0, failed: false };
    // SAFETY: as promised by the caller.
    let whole = unsafe { print(&mut pieces, format, list) };
    pieces.flush();
    match pieces.failed {
        true => -1,
        false => result(whole.map(|()| pieces.written)),
    }
}

/// Formats to the standard output, as [`vfprintf`] does.
///
/// # Safety
/// The caller must meet the requirements of C's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vprintf(format: *const u8, list: *mut List) -> c_int {
    // SAFETY: as promised by the caller.
    unsafe { vfprintf(&Stream { number: 1 }, format, list) }
}

variadic! {
    fprintf calls vfprintf after 2;
    printf calls vprintf after 1;
}

/// Writes elements of memory to a stream. Returns the number of whole elements that were written.
///
/// # Safety
/// `from` must be readable for `count` elements of `size` bytes, and `stream` must point to a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fwrite(from: *const u8, size: usize, count: usize, stream: *const Stream) -> usize {
    let whole = size.saturating_mul(count);
    let mut done = 0;
    while done < whole {
        // SAFETY: as promised by the caller.
        let written = unsafe { write((*stream).number, from.add(done), whole - done) };
        if written <= 0 {
            break;
        }
        done += written as usize;
    }
    done.checked_div(size).unwrap_or(0)
}

/// Writes a C string to a stream, without its zero byte. Returns 1, or -1 if a write fails.
///
/// # Safety
/// `text` must be a C string, and `stream` must point to a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fputs(text: *const u8, stream: *const Stream) -> c_int {
    // SAFETY: as promised by the caller.
    let bytes = unsafe { core::ffi::CStr::from_ptr(text.cast()) }.to_bytes();
    // SAFETY: as promised by the caller.
    let mut pieces = Pieces { stream: unsafe { (*stream).number }, bytes: [0; 128], len: 0, written: 0, failed: false };
    pieces.put(bytes);
    pieces.flush();
    if pieces.failed { -1 } else { 1 }
}

/// Writes a byte to a stream. Returns the byte, or -1 if the write fails.
///
/// # Safety
/// `stream` must point to a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fputc(byte: c_int, stream: *const Stream) -> c_int {
    let byte = byte as u8;
    // SAFETY: as promised by the caller.
    if unsafe { write((*stream).number, &raw const byte, 1) } == 1 { c_int::from(byte) } else { -1 }
}

/// Does the same as [`fputc`].
///
/// # Safety
/// `stream` must point to a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn putc(byte: c_int, stream: *const Stream) -> c_int {
    // SAFETY: as promised by the caller.
    unsafe { fputc(byte, stream) }
}

/// Writes a byte to the standard output, as [`fputc`] does.
#[unsafe(no_mangle)]
pub extern "C" fn putchar(byte: c_int) -> c_int {
    // SAFETY: this is a stream.
    unsafe { fputc(byte, &Stream { number: 1 }) }
}

/// Writes a C string and a line feed to the standard output. Returns 1, or -1 if a write fails.
///
/// # Safety
/// `text` must be a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn puts(text: *const u8) -> c_int {
    // SAFETY: as promised by the caller.
    let bytes = unsafe { core::ffi::CStr::from_ptr(text.cast()) }.to_bytes();
    let mut pieces = Pieces { stream: 1, bytes: [0; 128], len: 0, written: 0, failed: false };
    pieces.put(bytes);
    pieces.put(b"\n");
    pieces.flush();
    if pieces.failed { -1 } else { 1 }
}

/// Does nothing, because no output is buffered.
#[unsafe(no_mangle)]
pub extern "C" fn fflush(_stream: *const Stream) -> c_int {
    0
}

/// Fails with EBADF: the two streams stay open.
#[unsafe(no_mangle)]
pub extern "C" fn fclose(_stream: *const Stream) -> c_int {
    fail(EBADF) as c_int
}

/// Defines functions that would open a stream. They return a null pointer and set errno to ENOSYS.
macro_rules! no_streams {
    ($($name:ident)*) => {
        $(
            /// Returns a null pointer and sets errno to ENOSYS.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> *mut Stream {
                fail(ENOSYS);
                null_mut()
            }
        )*
    };
}

no_streams! { fopen fopen64 fdopen }

//! `write` and `writev` to the standard output and error streams, for `println!` and `eprintln!`.
//!
//! A call of Rust code cannot be preempted, and Go's garbage collector waits until the call ends. The reader of the stream may be a goroutine of
//! the same program that the collector has stopped. So a call waits for a reader no longer than [`PATIENCE`].

use super::error::{EAGAIN, EBADF, EINTR, ENOTTY, fail, result};
use super::system::{PATIENCE, Time, Wait, rustgo_write};
use core::ffi::c_int;

/// C's `struct iovec`: a piece of memory.
#[repr(C)]
pub struct Piece {
    from: *const u8,
    size: usize,
}

/// Writes to the stream 1 or 2. Returns the number of bytes written, which is less than `size` only if an error follows these bytes.
///
/// On a system where the Go package `rt` makes no system calls, the function fails with EBADF, as if the stream were closed. std treats this
/// failure as success.
///
/// # Safety
/// `from` must be readable for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn write(stream: c_int, from: *const u8, size: usize) -> isize {
    // A pipe that is ready for writing accepts at least this number of bytes without blocking (POSIX, PIPE_BUF; at least 512 on Linux and
    // FreeBSD).
    const PIPE: usize = 512;
    if !matches!(stream, 1 | 2) {
        return fail(EBADF);
    }
    let mut wait = Wait::new(Time { seconds: PATIENCE, nanoseconds: 0 });
    let mut done = 0;
    loop {
        let written = rustgo_write(stream as usize, from.wrapping_add(done), (size - done).min(PIPE));
        let again = [EAGAIN, EINTR].map(|number| -(number as isize)).contains(&written);
        if !again {
            done += usize::try_from(written).unwrap_or(0);
            if written > 0 && done < size {
                continue;
            }
            return if done > 0 { done as isize } else { result(written) };
        }
        // The call fails with EAGAIN and not with EINTR. After EINTR std would repeat the call, and would never stop, because signals keep arriving
        // while the garbage collector waits.
        if !wait.go_on() {
            return if done > 0 { done as isize } else { fail(EAGAIN) };
        }
    }
}

/// Writes several pieces of memory, one after the other, as [`write`] does.
///
/// # Safety
/// `pieces` must point to `count` pieces, each readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn writev(stream: c_int, pieces: *const Piece, count: c_int) -> isize {
    let mut written = 0;
    for index in 0..count.max(0) as usize {
        // SAFETY: as promised by the caller.
        let Piece { from, size } = unsafe { pieces.add(index).read() };
        // SAFETY: as promised by the caller.
        let now = unsafe { write(stream, from, size) };
        if now < 0 {
            return if written > 0 { written } else { now };
        }
        written += now;
        if (now as usize) < size {
            break;
        }
    }
    written
}

/// Returns 0 and sets errno to ENOTTY, as if no stream were a terminal. Rust code then writes without colours and asks no questions.
#[unsafe(no_mangle)]
pub extern "C" fn isatty(_stream: c_int) -> c_int {
    fail(ENOTTY);
    0
}

//! `getrandom` and `getentropy`: random bytes that are suitable for cryptographic keys.
//!
//! The bytes come from the system's generator. If the Go package `rt` cannot call the system, the bytes come from a generator in `rt`, which the
//! system's generator has seeded (`crates/rt/src/random.rs`).

use super::error::{EINTR, EIO, ENOSYS, fail, result};
use super::system::{rustgo_random, rustgo_random_bytes};
use core::ffi::{c_int, c_uint};

/// Fills `size` bytes and returns `size`, or returns -1 and sets errno. On Linux the flags choose between sources; here there is only one source.
///
/// # Safety
/// `to` must be writable for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(to: *mut u8, size: usize, _flags: c_uint) -> isize {
    let mut done = 0;
    while done < size {
        let (rest, len) = (to.wrapping_add(done), size - done);
        let mut part = rustgo_random(rest, len);
        if part == -(ENOSYS as isize) {
            part = rustgo_random_bytes(rest, len);
        }
        if part == -(EINTR as isize) {
            continue;
        }
        if part <= 0 {
            return result(if part == 0 { -(EIO as isize) } else { part });
        }
        done += part as usize;
    }
    size as isize
}

/// Fills `size` bytes. Returns 0, or -1 on failure. A `size` above 256 fails with EIO, as in glibc.
///
/// # Safety
/// The caller must meet the requirements of [`getrandom`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getentropy(to: *mut u8, size: usize) -> c_int {
    if size > 256 {
        return fail(EIO) as c_int;
    }
    // SAFETY: as promised by the caller.
    if unsafe { getrandom(to, size, 0) } < 0 { -1 } else { 0 }
}

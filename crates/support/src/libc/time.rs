//! `clock_gettime`: the clocks of `Instant` and `SystemTime`.

use super::error::result;
use super::system::{Time, rustgo_clock};
use core::ffi::c_int;

/// Stores the time of a clock. Fails with ENOSYS on a system where the Go package `rt` cannot read clocks; std's `now` then panics.
///
/// # Safety
/// `to` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: c_int, to: *mut Time) -> c_int {
    result(rustgo_clock(clock as usize, to)) as c_int
}

//! `clock_gettime`, which std's `Instant` and `SystemTime` call, and C's older functions for the time.

use super::error::result;
use super::system::{CLOCK_REALTIME, Time, rustgo_clock};
use core::ffi::{c_int, c_void};

/// Stores the time of a clock. Fails with ENOSYS on a system where the Go package `rt` cannot read clocks; std's `now` then panics.
///
/// # Safety
/// `to` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: c_int, to: *mut Time) -> c_int {
    result(rustgo_clock(clock as usize, to)) as c_int
}

/// C's `struct timeval`.
#[repr(C)]
struct Microseconds {
    seconds: i64,
    microseconds: i64,
}

/// Stores the time of the clock [`CLOCK_REALTIME`]. The time zone, an obsolete argument, is left unchanged.
///
/// # Safety
/// `to` must be null or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(to: *mut Microseconds, _zone: *mut c_void) -> c_int {
    let mut now = Time::default();
    let failed = result(rustgo_clock(CLOCK_REALTIME, &raw mut now)) as c_int;
    if failed == 0 && !to.is_null() {
        // SAFETY: as promised by the caller.
        unsafe { to.write(Microseconds { seconds: now.seconds, microseconds: now.nanoseconds / 1000 }) };
    }
    failed
}

/// Returns the seconds since 1970, or -1 if no clock can be read. Also stores the result, unless `to` is null.
///
/// # Safety
/// `to` must be null or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn time(to: *mut i64) -> i64 {
    let mut now = Time::default();
    let seconds = if result(rustgo_clock(CLOCK_REALTIME, &raw mut now)) < 0 { -1 } else { now.seconds };
    if !to.is_null() {
        // SAFETY: as promised by the caller.
        unsafe { to.write(seconds) };
    }
    seconds
}

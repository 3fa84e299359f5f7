//! C functions for the benchmark of panics. `loop_` functions repeat a call in Rust, so that their time is the time of native Rust. `call_` functions
//! make one call, and return false if the call has panicked, like the functions that generators of bindings write.

use panics_unwind::{caught_divide, divide, through};
use std::hint::black_box;
use std::panic::{catch_unwind, set_hook};

/// Installs a panic hook that prints nothing.
#[unsafe(no_mangle)]
pub extern "C" fn panics_silence() {
    set_hook(Box::new(|_| {}));
}

/// Returns the number of panics that were caught.
#[unsafe(no_mangle)]
pub extern "C" fn loop_caught(calls: u64, frames: u64) -> u64 {
    (0..calls).map(|_| u64::from(catch_unwind(|| through(black_box(frames), black_box(true))).is_err())).sum()
}

/// Returns the sum of the results.
#[unsafe(no_mangle)]
pub extern "C" fn loop_through(calls: u64, frames: u64) -> u64 {
    (0..calls).map(|_| through(black_box(frames), black_box(false))).sum()
}

#[inline(never)]
fn called_divide(a: u64, b: u64) -> u64 {
    divide(a, b)
}

#[inline(never)]
fn called_caught_divide(a: u64, b: u64) -> u64 {
    caught_divide(a, b)
}

/// Each call needs the result of the one before.
#[unsafe(no_mangle)]
pub extern "C" fn loop_divide(calls: u64, a: u64) -> u64 {
    (0..calls).fold(a, |a, _| called_divide(a, black_box(1)))
}

/// Each call needs the result of the one before.
#[unsafe(no_mangle)]
pub extern "C" fn loop_caught_divide(calls: u64, a: u64) -> u64 {
    (0..calls).fold(a, |a, _| called_caught_divide(a, black_box(1)))
}

/// # Safety
///
/// `result` can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call_through(frames: u64, panics: bool, result: *mut u64) -> bool {
    // SAFETY: the caller promises that `result` can be written to.
    catch_unwind(|| through(frames, panics)).map(|value| unsafe { *result = value }).is_ok()
}

/// # Safety
///
/// `result` can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call_divide(a: u64, b: u64, result: *mut u64) -> bool {
    // SAFETY: the caller promises that `result` can be written to.
    catch_unwind(|| divide(a, b)).map(|value| unsafe { *result = value }).is_ok()
}

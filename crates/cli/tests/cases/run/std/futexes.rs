//! `syscall` as std's locks call it. Natively it is the kernel's.
use std::ffi::c_long;
use std::io::Error;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

const FUTEX: c_long = if cfg!(target_arch = "x86_64") { 202 } else { 98 };
const WAIT: c_long = 128;
const WAKE: c_long = 129;
const WAIT_BITSET: c_long = 137;
const WAIT_BITSET_REALTIME: c_long = 137 | 256;

fn reason(result: c_long) -> u64 {
    if result == -1 { Error::last_os_error().raw_os_error().unwrap_or(0) as u64 } else { 1000 + result as u64 }
}

/// A wait for a word with another value returns immediately; a wake wakes no thread; unknown calls fail.
#[rustgo::export]
pub fn answered(x: u64) -> u64 {
    let word = AtomicU32::new(x as u32);
    let at = word.as_ptr();
    let none = std::ptr::null::<u8>();
    let differs = unsafe { syscall(FUTEX, at, WAIT_BITSET, !(x as u32), none, none, !0u32) };
    let first = reason(differs);
    let woken = unsafe { syscall(FUTEX, at, WAKE, 1) };
    let unknown = unsafe { syscall(9999) };
    (first << 40) + (reason(woken) << 20) + reason(unknown)
}

/// A wait ends at its time limit, and not before.
#[rustgo::export]
pub fn ended(x: u64) -> u64 {
    let word = AtomicU32::new(7);
    let wait = |operation: c_long, time: [i64; 2]| {
        let none = std::ptr::null::<u8>();
        reason(unsafe { syscall(FUTEX, word.as_ptr(), operation, 7u32, time.as_ptr(), none, !0u32) })
    };
    // A few inputs suffice.
    if x % 100 > 2 {
        return x;
    }
    let start = Instant::now();
    let relative = wait(WAIT, [0, 2_000_000]);
    assert!(start.elapsed() >= Duration::from_millis(2));
    // Long past, by either clock.
    let past = wait(WAIT_BITSET, [0, 1]);
    let realtime = wait(WAIT_BITSET_REALTIME, [1, 0]);
    (relative << 40) + (past << 20) + realtime
}

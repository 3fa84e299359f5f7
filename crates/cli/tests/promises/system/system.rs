//! System functions that Rust code calls: every wait ends, each goroutine has its own errno, and output arrives.
//@ manifest: [features]
//@ manifest: default = ["rustgo-support/libc"]
#![no_std]

use core::ffi::{c_int, c_long};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
    fn write(stream: c_int, from: *const u8, size: usize) -> isize;
    safe fn __errno_location() -> *mut c_int;
    safe fn getauxval(kind: usize) -> usize;
    fn getrandom(to: *mut u8, size: usize, flags: u32) -> isize;
}

const FUTEX: c_long = if cfg!(target_arch = "x86_64") { 202 } else { 98 };
const WAIT_BITSET: c_long = 137;
const WAKE: c_long = 129;

static LOCK: AtomicU32 = AtomicU32::new(0);
static SUM: AtomicU64 = AtomicU64::new(0);

fn wait(word: &AtomicU32, expected: u32) -> c_long {
    let none = core::ptr::null::<u8>();
    unsafe { syscall(FUTEX, word.as_ptr(), WAIT_BITSET, expected, none, none, !0u32) }
}

/// Takes the lock as std's Mutex does. The value 1 means locked, and 2 means locked while other threads wait for the lock.
#[rustgo::export]
pub fn lock() {
    if LOCK.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
        while LOCK.swap(2, Ordering::Acquire) != 0 {
            wait(&LOCK, 2);
        }
    }
}

/// Releases the lock.
#[rustgo::export]
pub fn unlock() {
    if LOCK.swap(0, Ordering::Release) == 2 {
        unsafe { syscall(FUTEX, LOCK.as_ptr(), WAKE, 1) };
    }
}

/// Add takes the lock, adds 1 to a sum n times, and returns the sum.
#[rustgo::export]
pub fn add(n: u64) -> u64 {
    lock();
    for _ in 0..n {
        SUM.store(SUM.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
    let sum = SUM.load(Ordering::Relaxed);
    unlock();
    sum
}

/// Write writes the text to a stream. It returns the number of bytes written, or minus errno.
#[rustgo::export]
pub fn write_text(stream: i32, text: &str) -> i64 {
    let written = unsafe { write(stream, text.as_ptr(), text.len()) };
    if written < 0 { -i64::from(unsafe { *__errno_location() }) } else { written as i64 }
}

/// Errno makes a system call fail n times in the selected way, and reports whether errno had the right value each time.
#[rustgo::export]
pub fn errno(fails: bool, n: u64) -> bool {
    let word = AtomicU32::new(1);
    (0..n).all(|_| {
        let (failed, number) = if fails { (unsafe { syscall(9999) }, 38) } else { (wait(&word, 2), 11) };
        failed == -1 && unsafe { *__errno_location() } == number
    })
}

/// Hardware returns the size of a memory page, two words of feature bits of the processor, and the value of an unknown kind.
#[rustgo::export]
pub fn hardware() -> (usize, usize, usize, usize) {
    (getauxval(6), getauxval(16), getauxval(26), getauxval(7777))
}

/// Random fills the slice with random bytes.
#[rustgo::export]
pub fn random(bytes: &mut [u8]) -> bool {
    let len = bytes.len();
    unsafe { getrandom(bytes.as_mut_ptr(), len, 0) == len as isize }
}

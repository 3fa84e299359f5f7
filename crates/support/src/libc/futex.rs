//! `syscall`, as std's locks call it: to wait for a word of memory to change (futex), and to say that it has.
//!
//! A lock is held for a short time: by Rust code, which Go does not interrupt. So a waiter polls the word, and lets other threads run
//! meanwhile; whoever changes it need not wake anybody. A lock may also never be released, because its holder has panicked (a Rust panic
//! runs no destructors here) or has returned to Go with the guard. Such a wait ends in a panic after [`PATIENCE`]. That of a parked
//! thread ends the process, and so does that of another crate's lock.
//!
//! Waiting by the system's own futex would be no better: the collector of Go waits for a call of Rust code in either case, and a thread
//! that sleeps inside a call keeps its processor of Go's scheduler.

use super::error::{EAGAIN, ENOSYS, ETIMEDOUT};
use super::random::getrandom;
use super::system::{CLOCK_REALTIME, PATIENCE, Time, Wait, fail, rustgo_clock, rustgo_heap_corrupt, rustgo_heap_relax};
use core::ffi::{c_int, c_long, c_uint};
use core::sync::atomic::{AtomicU32, Ordering};

// Numbers of system calls: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
const SYS_FUTEX: c_long = if cfg!(target_arch = "x86_64") { 202 } else { 98 };
const SYS_GETRANDOM: c_long = if cfg!(target_arch = "x86_64") { 318 } else { 278 };

// Operations and flags of futex: include/uapi/linux/futex.h of Linux.
const WAIT: usize = 0;
const WAKE: usize = 1;
const WAIT_BITSET: usize = 9;
const PRIVATE: usize = 128;
const REALTIME: usize = 256;

/// What the word of a parked thread holds (library/std/src/sys/sync/thread_parking/futex.rs). Who parks may have put the address of a local variable into a
/// queue, as a rendezvous channel's sender does with its message, and takes it out again when it goes on. A panic would leave the address there,
/// for others to use.
const PARKED: u32 = u32::MAX;
/// For [`rustgo_heap_corrupt`].
const STUCK: usize = 6;

/// The system calls that have a meaning here: futex (wait, wake) and getrandom. Others fail with ENOSYS, as calls do that a kernel does
/// not know.
///
/// C declares this function as variadic. A variadic function gets its integers where any other does, on both machines.
///
/// # Safety
/// As for the system call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn syscall(number: c_long, a: usize, b: usize, c: usize, d: usize) -> c_long {
    match number {
        // SAFETY: the caller's.
        SYS_FUTEX => unsafe { futex(a as *const AtomicU32, b, c as u32, d as *const Time) as c_long },
        // SAFETY: the caller's.
        SYS_GETRANDOM => unsafe { getrandom(a as *mut u8, b, c as c_uint) as c_long },
        _ => fail(ENOSYS) as c_long,
    }
}

/// # Safety
/// If the operation is one that waits: `word` must be readable and aligned, `timeout` must be null or readable.
unsafe fn futex(word: *const AtomicU32, operation: usize, expected: u32, timeout: *const Time) -> isize {
    let kind = operation & !(PRIVATE | REALTIME);
    match kind {
        WAIT | WAIT_BITSET => {}
        // As FreeBSD's: nobody is known to have been woken. std's locks work with both answers.
        WAKE => return 0,
        _ => return fail(ENOSYS),
    }
    // Only here: the other operations have no such argument, and what stands in its place is anything.
    // SAFETY: the caller's.
    let timeout = unsafe { timeout.as_ref() }.copied();
    let (has_timeout, mut wait) = match timeout {
        None => (false, Wait::new(Time { seconds: PATIENCE, nanoseconds: 0 })),
        Some(time) if kind == WAIT => (true, Wait::new(time)),
        // A point in time.
        Some(time) if operation & REALTIME == 0 => (true, Wait::until(time)),
        Some(time) => (true, Wait::new(from_now(time))),
    };
    // SAFETY: the caller's.
    let is_expected = || unsafe { &*word }.load(Ordering::Acquire) == expected;
    if !is_expected() {
        return fail(EAGAIN);
    }
    while wait.go_on() {
        if !is_expected() {
            return 0;
        }
    }
    if has_timeout {
        return fail(ETIMEDOUT);
    }
    // std's locks wait by WAIT_BITSET, and nobody has their waiters' addresses. Others' may be in queues, as parking_lot's are.
    if expected == PARKED || kind == WAIT {
        rustgo_heap_corrupt(STUCK, 0);
    }
    panic!("waited 10 s for a lock, or another thread: whoever should have released it may have panicked, or returned to Go with it");
}

/// How long it is until a time of [`CLOCK_REALTIME`].
fn from_now(time: Time) -> Time {
    let mut now = Time::default();
    if rustgo_clock(CLOCK_REALTIME, &raw mut now) != 0 {
        return Time::default();
    }
    let nanoseconds = time.nanoseconds - now.nanoseconds;
    let borrow = i64::from(nanoseconds < 0);
    Time { seconds: time.seconds - now.seconds - borrow, nanoseconds: nanoseconds + borrow * 1_000_000_000 }
}

/// Lets another thread run. A goroutine stays where it is.
#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    rustgo_heap_relax(usize::MAX);
    0
}

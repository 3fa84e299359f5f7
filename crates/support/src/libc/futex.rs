//! `syscall`. By the system call futex, std's locks wait until a word of memory changes (wait), and announce that they have changed a word (wake).
//!
//! Rust code holds a lock for a short time, and Go does not interrupt this code. So a waiter reads the word again and again, and lets other threads
//! run between the reads. Futex wake does nothing. A lock may also stay locked forever: its holder may have panicked (if panics abandon the frames,
//! no destructor unlocks it), or returned to Go without unlocking it. After [`PATIENCE`], a waiter for such a lock panics. If the waiter is a parked
//! thread, or waits for a lock that is not std's, the process ends instead. In a package that cannot start threads (`threads = "none"`), only one
//! call runs at a time, so a waiter without a time limit panics, or ends the process, at once.
//!
//! The system's futex would not be better. Go's garbage collector waits until a call of Rust code ends, whether the call spins or sleeps, and a
//! thread that sleeps inside such a call occupies its processor of Go's scheduler.

use super::error::{EAGAIN, ENOSYS, ETIMEDOUT, fail};
use super::random::getrandom;
use super::system::{CLOCK_REALTIME, PATIENCE, Time, Wait, rustgo_clock, rustgo_give_way, rustgo_heap_corrupt};
use core::ffi::{c_int, c_long, c_uint};
use core::sync::atomic::{AtomicU32, Ordering};

// The numbers of system calls. Source: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
const SYS_FUTEX: c_long = if cfg!(target_arch = "x86_64") { 202 } else { 98 };
const SYS_GETRANDOM: c_long = if cfg!(target_arch = "x86_64") { 318 } else { 278 };

// The operations and flags of futex. Source: include/uapi/linux/futex.h of Linux.
const WAIT: usize = 0;
const WAKE: usize = 1;
const WAIT_BITSET: usize = 9;
const PRIVATE: usize = 128;
const REALTIME: usize = 256;

/// The value of the word of a parked thread (library/std/src/sys/sync/thread_parking/futex.rs). A parked thread must not panic. Before it parks,
/// its code may have put the address of a local variable into a queue, as the sender of a rendezvous channel does with its message. The code removes
/// the address only after the park, so a panic would leave a dead address in the queue, and other threads would use it.
const PARKED: u32 = u32::MAX;
/// The argument `kind` of [`rustgo_heap_corrupt`] for a wait that has taken too long.
const STUCK: usize = 6;
/// The argument `kind` of [`rustgo_heap_corrupt`] for a wait in a package that cannot start threads, where nothing can end the wait.
const ALONE: usize = 7;

/// Makes the system calls futex (wait and wake) and getrandom. Other system calls fail with ENOSYS, as in a kernel that lacks them.
///
/// C declares this function as variadic. On both machines a variadic function gets its integers in the same registers and stack slots as any other
/// function.
///
/// # Safety
/// The arguments must meet the requirements of the system call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn syscall(number: c_long, a: usize, b: usize, c: usize, d: usize) -> c_long {
    match number {
        // SAFETY: as promised by the caller.
        SYS_FUTEX => unsafe { futex(a as *const AtomicU32, b, c as u32, d as *const Time) as c_long },
        // SAFETY: as promised by the caller.
        SYS_GETRANDOM => unsafe { getrandom(a as *mut u8, b, c as c_uint) as c_long },
        _ => fail(ENOSYS) as c_long,
    }
}

/// The system call futex, for the operations wait and wake.
///
/// # Safety
/// If the operation waits: `word` must be readable and aligned, and `timeout` must be null or readable.
unsafe fn futex(word: *const AtomicU32, operation: usize, expected: u32, timeout: *const Time) -> isize {
    let kind = operation & !(PRIVATE | REALTIME);
    match kind {
        WAIT | WAIT_BITSET => {}
        // Returns 0, as FreeBSD does, because no thread is known to have been woken. std's locks accept any number.
        WAKE => return 0,
        _ => return fail(ENOSYS),
    }
    // SAFETY: as promised by the caller. Only operations that wait reach this line: for other operations `timeout` may have any value.
    let timeout = unsafe { timeout.as_ref() }.copied();
    let (has_timeout, mut wait) = match timeout {
        None => (false, Wait::new(Time { seconds: PATIENCE, nanoseconds: 0 })),
        Some(time) if kind == WAIT => (true, Wait::new(time)),
        // With WAIT_BITSET and without the flag REALTIME, the timeout is a time of the monotonic clock.
        Some(time) if operation & REALTIME == 0 => (true, Wait::until(time)),
        Some(time) => (true, Wait::new(from_now(time))),
    };
    // SAFETY: as promised by the caller.
    let is_expected = || unsafe { &*word }.load(Ordering::Acquire) == expected;
    if !is_expected() {
        return fail(EAGAIN);
    }
    // Nothing else can change the word, because only this call of the package runs.
    if !has_timeout && cfg!(rustgo_no_threads) {
        if must_not_panic(kind, expected) {
            rustgo_heap_corrupt(ALONE, 0);
        }
        panic!("the call waits for another thread, and its package has none (threads = \"none\")");
    }
    while wait.go_on() {
        if !is_expected() {
            return 0;
        }
    }
    if has_timeout {
        return fail(ETIMEDOUT);
    }
    if must_not_panic(kind, expected) {
        rustgo_heap_corrupt(STUCK, 0);
    }
    panic!("waited 10 s for a lock or for another thread: the holder may have panicked, or returned to Go without releasing it");
}

/// True if a panic of the waiter could leave the address of a dead local variable in a queue. This is possible for a parked thread ([`PARKED`]), and
/// for a waiter for a lock that is not std's, such as one of parking_lot (`WAIT`). A waiter for one of std's locks uses `WAIT_BITSET`, and has put no
/// address into a queue.
fn must_not_panic(kind: usize, expected: u32) -> bool {
    expected == PARKED || kind == WAIT
}

/// Returns the duration from now until a time of the clock [`CLOCK_REALTIME`].
fn from_now(time: Time) -> Time {
    let mut now = Time::default();
    if rustgo_clock(CLOCK_REALTIME, &raw mut now) != 0 {
        return Time::default();
    }
    let nanoseconds = time.nanoseconds - now.nanoseconds;
    let borrow = i64::from(nanoseconds < 0);
    Time { seconds: time.seconds - now.seconds - borrow, nanoseconds: nanoseconds + borrow * 1_000_000_000 }
}

/// Lets another thread run, or another goroutine if the call is a task that may call Go.
#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    rustgo_give_way(usize::MAX);
    0
}

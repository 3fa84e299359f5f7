//! The functions of the Go package `rt` that stand for the operating system (`go/rt/system_*.s`), and the results of system calls.

use super::error;
use core::ffi::c_int;

unsafe extern "C" {
    /// Writes to a stream, 1 or 2: the bytes written, or a negative error. It waits 10 ms at most, and then fails with EAGAIN.
    pub safe fn rustgo_write(stream: usize, from: *const u8, size: usize) -> isize;
    /// Stores what a clock says: 0, or a negative error.
    pub safe fn rustgo_clock(clock: usize, to: *mut Time) -> isize;
    /// Fills memory with random bytes of the kernel's: how many, or a negative error.
    pub safe fn rustgo_random(to: *mut u8, size: usize) -> isize;
    /// Fills memory with random bytes of `rt`'s own generator, which exists where the kernel cannot be called: how many, or a negative error.
    pub safe fn rustgo_random_bytes(to: *mut u8, size: usize) -> isize;
    /// The number of the processor of Go's scheduler, which no other call in Rust code has meanwhile, or -1 if it is not known.
    pub safe fn rustgo_heap_processor() -> isize;
    /// Passes a short time. From some `round` on, other threads may run meanwhile.
    pub safe fn rustgo_heap_relax(round: usize);
    /// Ends the process, with a message that the kind chooses.
    pub safe fn rustgo_heap_corrupt(kind: usize, at: usize) -> !;
}

/// C's `struct timespec`.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    pub seconds: i64,
    pub nanoseconds: i64,
}

pub const CLOCK_REALTIME: usize = 0;
pub const CLOCK_MONOTONIC: usize = 1;

/// What a C function returns for the result of a system call: the result, or -1, and errno says why.
pub fn result(result: isize) -> isize {
    match c_int::try_from(result) {
        Ok(number @ -4095..0) => fail(-number),
        _ => result,
    }
}

/// What a C function returns that fails: -1, and errno says why.
pub fn fail(number: c_int) -> isize {
    error::set(number);
    -1
}

/// How long to wait for what another thread of the process, or another process, should do soon.
pub const PATIENCE: i64 = 10; // seconds

/// Waits in rounds.
pub struct Wait {
    round: usize,
    /// Where to stop, by [`CLOCK_MONOTONIC`]; not known until the clock was read.
    until: Option<Time>,
    /// From the first reading of the clock on.
    patience: Time,
}

impl Wait {
    /// Waits at most this long.
    pub fn new(patience: Time) -> Wait {
        Wait { round: 0, until: None, patience }
    }

    /// Waits until this time.
    pub fn until(time: Time) -> Wait {
        Wait { round: 0, until: Some(time), patience: Time::default() }
    }

    /// Passes a round. Returns whether there is time for another one.
    pub fn go_on(&mut self) -> bool {
        // Reading the clock is a system call; a lock is mostly released before it would be read.
        const ROUNDS: usize = 64;
        // Where there is no clock: a round is some 100 ns there, so this is about as long as PATIENCE.
        const MOST_ROUNDS: usize = 100_000_000;
        rustgo_heap_relax(self.round);
        self.round += 1;
        if !self.round.is_multiple_of(ROUNDS) {
            return true;
        }
        let mut now = Time::default();
        if rustgo_clock(CLOCK_MONOTONIC, &raw mut now) != 0 {
            return self.round < MOST_ROUNDS;
        }
        match self.until {
            Some(until) => now < until,
            None => {
                self.until = Some(now.plus(self.patience));
                true
            }
        }
    }
}

impl Time {
    pub fn plus(self, other: Time) -> Time {
        let nanoseconds = self.nanoseconds.saturating_add(other.nanoseconds);
        Time {
            seconds: self.seconds.saturating_add(other.seconds).saturating_add(nanoseconds / 1_000_000_000),
            nanoseconds: nanoseconds % 1_000_000_000,
        }
    }
}

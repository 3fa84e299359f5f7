//! The functions of the Go package `rt` that stand in for the operating system (`go/rt/system_*.s`).

unsafe extern "C" {
    /// Writes to the stream 1 (standard output) or 2 (standard error). Returns the number of bytes written, or a negative error number. If the
    /// stream accepts nothing for 10 ms, the function fails with EAGAIN.
    pub safe fn rustgo_write(stream: usize, from: *const u8, size: usize) -> isize;
    /// Stores the time of a clock. Returns 0, or a negative error number.
    pub safe fn rustgo_clock(clock: usize, to: *mut Time) -> isize;
    /// Fills memory with random bytes of the kernel. Returns the number of bytes, or a negative error number.
    pub safe fn rustgo_random(to: *mut u8, size: usize) -> isize;
    /// Fills memory with random bytes of a generator in `rt`. The generator exists only where the kernel cannot be called. Returns the number
    /// of bytes, or a negative error number.
    pub safe fn rustgo_random_bytes(to: *mut u8, size: usize) -> isize;
    /// Returns the number of the current processor of Go's scheduler, or -1 if the number is not known. No other call of Rust code runs on
    /// this processor at the same time.
    pub safe fn rustgo_heap_processor() -> isize;
    /// Returns the identity of the running thread: the address of the task, or, if no task runs, the address of the runtime's m.
    pub safe fn rustgo_heap_thread() -> usize;
    /// Waits for a short time. `round` is the number of earlier calls in the same wait; if it is large, other threads run meanwhile.
    pub safe fn rustgo_give_way(round: usize);
    /// Ends the process with the message for `kind`.
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

/// The longest wait, in seconds, for an action that another thread or process should soon perform.
pub const PATIENCE: i64 = 10;

/// A wait that consists of short rounds.
pub struct Wait {
    round: usize,
    /// The end of the wait as a time of the clock [`CLOCK_MONOTONIC`]; `None` until the clock has been read for the first time.
    until: Option<Time>,
    /// The longest duration of the wait, counted from the first reading of the clock.
    patience: Time,
}

impl Wait {
    /// Begins a wait of at most this duration.
    pub fn new(patience: Time) -> Wait {
        Wait { round: 0, until: None, patience }
    }

    /// Begins a wait until this time of the clock [`CLOCK_MONOTONIC`].
    pub fn until(time: Time) -> Wait {
        Wait { round: 0, until: Some(time), patience: Time::default() }
    }

    /// Waits for one round. Returns true if there is time for another round.
    pub fn go_on(&mut self) -> bool {
        // The number of rounds before the first reading of the clock, which is a system call. Most locks are released earlier. A later round may take
        // long, because other goroutines run during the round.
        const ROUNDS: usize = 64;
        // The number of rounds in a wait without a clock. A round takes about 100 ns, so all rounds take about PATIENCE.
        const MOST_ROUNDS: usize = 100_000_000;
        rustgo_give_way(self.round);
        self.round += 1;
        if self.round < ROUNDS {
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

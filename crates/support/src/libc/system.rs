//! The functions of the Go package `rt` that replace the operating system (`go/rt/system_*.s`).

unsafe extern "C" {
    /// Writes to a stream, 1 or 2. Returns the number of bytes written, or a negative error. It waits at most 10 ms, and then fails with
    /// EAGAIN.
    pub safe fn rustgo_write(stream: usize, from: *const u8, size: usize) -> isize;
    /// Stores the time of a clock. Returns 0, or a negative error.
    pub safe fn rustgo_clock(clock: usize, to: *mut Time) -> isize;
    /// Fills memory with random bytes of the kernel. Returns their number, or a negative error.
    pub safe fn rustgo_random(to: *mut u8, size: usize) -> isize;
    /// Fills memory with random bytes of `rt`'s own generator, which exists where the kernel cannot be called. Returns their number, or a
    /// negative error.
    pub safe fn rustgo_random_bytes(to: *mut u8, size: usize) -> isize;
    /// The number of the processor of Go's scheduler, which no other call of Rust code has at the same time; -1 if it is not known.
    pub safe fn rustgo_heap_processor() -> isize;
    /// Waits for a short time. From some `round` on, other threads may run meanwhile.
    pub safe fn rustgo_heap_relax(round: usize);
    /// Ends the process with a message for the kind.
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

/// The longest wait for an action that another thread or process should soon perform.
pub const PATIENCE: i64 = 10; // seconds

/// A wait in rounds.
pub struct Wait {
    round: usize,
    /// The end of the wait, by [`CLOCK_MONOTONIC`]; unknown before the first reading of the clock.
    until: Option<Time>,
    /// The longest wait, counted from the first reading of the clock.
    patience: Time,
}

impl Wait {
    /// A wait of at most this duration.
    pub fn new(patience: Time) -> Wait {
        Wait { round: 0, until: None, patience }
    }

    /// A wait until this time.
    pub fn until(time: Time) -> Wait {
        Wait { round: 0, until: Some(time), patience: Time::default() }
    }

    /// Waits for a round. Returns true if there is time for another one.
    pub fn go_on(&mut self) -> bool {
        // Reading the clock is a system call. Most locks are released within these rounds, before the first reading.
        const ROUNDS: usize = 64;
        // Without a clock the rounds are counted instead: a round takes about 100 ns, so this number of rounds takes about PATIENCE.
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

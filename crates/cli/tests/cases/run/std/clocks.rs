//! std's clocks. Their times differ from call to call, so the results are properties that always hold.
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Time does not go backwards, and some time passes.
#[rustgo::export]
pub fn passes(x: u64) -> u64 {
    let start = Instant::now();
    let mut last = start;
    let mut sum = 0u64;
    // A clock of Windows ticks about 60 times a second.
    while last.duration_since(start) < Duration::from_micros(1) {
        for at in 0..100 {
            sum = sum.wrapping_mul(31).wrapping_add(at ^ x);
        }
        let now = Instant::now();
        assert!(now >= last, "an earlier time after {:?}", last - start);
        last = now;
    }
    std::hint::black_box(sum);
    x
}

/// The time is later than the writing of this test, and the nanoseconds are less than a second.
#[rustgo::export]
pub fn day(x: u64) -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    u64::from(since > 1_760_000_000 && since < 10_000_000_000) + x
}

//! Statics have the alignment of their types, even if it exceeds Go's alignment of data. All threads share one copy of each static.
#![no_std]
use core::hint::black_box;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::SeqCst};

#[repr(align(64))]
struct Line(AtomicU64);
#[repr(align(256))]
struct Wide(AtomicU64, AtomicU64);
#[repr(align(4096))]
struct Page([AtomicU8; 8192]);
#[repr(align(65536))]
struct Huge(AtomicU64);
#[repr(align(2048))]
struct Steps([u64; 256]);

static LINES: [Line; 8] = [const { Line(AtomicU64::new(0)) }; 8];
static WIDE: Wide = Wide(AtomicU64::new(0), AtomicU64::new(0));
static PAGE: Page = Page([const { AtomicU8::new(0) }; 8192]);
static HUGE: Huge = Huge(AtomicU64::new(0));
static STEPS: Steps = Steps([9; 256]);

fn low<T>(place: &T) -> u64 {
    // Without black_box the compiler would compute the result from the alignment of the type.
    (black_box(place as *const T as usize) % align_of::<T>()) as u64
}

/// Misaligned returns the address bits of the statics that should be 0; the result is 0 if the alignments are right.
#[rustgo::export]
pub fn misaligned() -> u64 {
    LINES.iter().map(low).sum::<u64>() | low(&WIDE) | low(&PAGE) | low(&HUGE) | low(&STEPS)
}

/// Count adds numbers to counters in all statics except STEPS.
#[rustgo::export]
pub fn count(x: u64) {
    LINES[x as usize % 8].0.fetch_add(1, SeqCst);
    WIDE.0.fetch_add(x, SeqCst);
    while WIDE.1.fetch_update(SeqCst, SeqCst, |old| Some(old + STEPS.0[x as usize % 256])).is_err() {}
    PAGE.0[x as usize % 8192].fetch_add(1, SeqCst);
    HUGE.0.fetch_add(2, SeqCst);
}

/// Counted returns the sums of the counters.
#[rustgo::export]
pub fn counted() -> (u64, u64, u64, u64, u64) {
    let lines = LINES.iter().map(|line| line.0.load(SeqCst)).sum();
    let page = PAGE.0.iter().map(|byte| u64::from(byte.load(SeqCst))).sum();
    (lines, WIDE.0.load(SeqCst), WIDE.1.load(SeqCst), page, HUGE.0.load(SeqCst))
}

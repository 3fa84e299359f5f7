//! Statics with a larger alignment than Go gives data, and constants: counters in separate cache lines, a page of memory.
#![no_std]
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::SeqCst};

#[repr(align(64))]
struct Line(AtomicU64);
#[repr(align(128))]
struct Two(AtomicU64, AtomicU64);
#[repr(align(4096))]
struct Page([AtomicU8; 4096]);
#[repr(align(64))]
struct Steps([u64; 16]);

static CALLS: Line = Line(AtomicU64::new(0));
static LINES: [Line; 4] = [const { Line(AtomicU64::new(0)) }; 4];
static TWO: Two = Two(AtomicU64::new(0), AtomicU64::new(0));
static PAGE: Page = Page([const { AtomicU8::new(0) }; 4096]);
static STEPS: Steps = Steps([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]);

fn low<T>(place: &T) -> u64 {
    // Hidden from the compiler, which would compute the result from the type.
    (core::hint::black_box(place as *const T as usize) % align_of::<T>()) as u64
}

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    let before = CALLS.0.swap(x, SeqCst);
    let line = &LINES[x as usize % 4];
    let swapped = line.0.swap(x | 1, SeqCst);
    TWO.1.fetch_max(x, SeqCst);
    let exchanged = TWO.0.compare_exchange(swapped, x, SeqCst, SeqCst).unwrap_or(7);
    let at = &PAGE.0[x as usize % 4096];
    at.store(x as u8, SeqCst);
    let sum: u64 = PAGE.0.iter().map(|byte| u64::from(byte.load(SeqCst))).sum();
    let aligned = low(&CALLS) + low(line) + low(&TWO) + low(&PAGE) + low(&STEPS);
    let result = before ^ swapped ^ exchanged ^ TWO.1.load(SeqCst).rotate_left(9) ^ line.0.load(SeqCst) ^ sum << 20 ^ aligned << 50;
    at.store(0, SeqCst);
    CALLS.0.fetch_sub(x, SeqCst);
    [&line.0, &TWO.0, &TWO.1].map(|word| word.store(0, SeqCst));
    result ^ STEPS.0[x as usize % 16]
}

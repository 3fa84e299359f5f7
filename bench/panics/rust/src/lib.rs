//! Functions that panic, to measure panics. The crates in the folders unwind and abandon compile this file by rustgo, the crate in native by rustc.

use std::hint::black_box;
use std::panic::catch_unwind;

/// The value of a frame. Its destructor frees a box and counts.
struct Held<'a> {
    one: Box<u64>,
    freed: &'a mut u64,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *self.freed += black_box(*self.one);
    }
}

#[inline(never)]
fn descend(frames: u64, panics: bool, freed: &mut u64) -> u64 {
    let held = Held { one: black_box(Box::new(1)), freed };
    if frames > 1 {
        // Because of the addition after the call, the compiler cannot replace the call by a jump.
        return descend(frames - 1, panics, held.freed) + *held.one;
    }
    if panics {
        panic!("{frames} frame is left");
    }
    1
}

/// Through calls the given number of frames, each with a destructor. The last frame panics if panics is true. Otherwise the result is the number of
/// frames.
#[rustgo::export(stack = "32k")]
pub fn through(frames: u64, panics: bool) -> u64 {
    descend(frames, panics, &mut 0)
}

/// Divide returns a / b. It panics if b is zero. No frame has a destructor.
#[rustgo::export]
pub fn divide(a: u64, b: u64) -> u64 {
    a / b
}

#[inline(never)]
fn divide_by(a: u64, b: u64) -> u64 {
    a / b
}

/// CaughtDivide returns a / b, computed inside catch_unwind, and 0 if the division panics and panics unwind.
#[rustgo::export]
pub fn caught_divide(a: u64, b: u64) -> u64 {
    catch_unwind(|| divide_by(a, b)).unwrap_or(0)
}

/// Allocate allocates 100 B, 1 KiB and 4 KiB, and panics while it owns the memory.
#[rustgo::export]
pub fn allocate() {
    let memory = black_box([100, 1024, 4096].map(|size| vec![1_u8; size]));
    panic!("{} allocations are live", memory.len());
}

//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! A blocking call unwinds, catches and panics while the goroutine is in the state of a system call.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

static DROPPED: AtomicU64 = AtomicU64::new(0);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Dropped returns the number of destructors that have run.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

#[inline(never)]
fn fails(depth: u64, numbers: &[u64]) -> u64 {
    let _counted = Counted;
    let numbers = black_box(numbers.to_vec());
    if depth == 0 { panic!("{} numbers", numbers.len()) } else { fails(depth - 1, &numbers) + 1 }
}

/// Sum catches a panic. Then it panics if n is a multiple of 3, and otherwise returns 1 plus the sum of the numbers below n.
#[rustgo::export(blocking)]
pub fn sum(n: u64) -> u64 {
    let numbers: Vec<u64> = (0..n).collect();
    let caught = catch_unwind(AssertUnwindSafe(|| fails(3, &numbers))).is_err();
    if n.is_multiple_of(3) {
        fails(2, &numbers);
    }
    numbers.iter().sum::<u64>() + u64::from(caught)
}

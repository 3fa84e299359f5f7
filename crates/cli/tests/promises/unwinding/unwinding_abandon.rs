//! Exports with `panic = "abandon"` in a package whose panics unwind.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::catch_unwind;

thread_local! { static DROPPED: Cell<u64> = const { Cell::new(0) }; }

/// A guard whose destructor adds its number to DROPPED.
struct Guard(u64);

impl Drop for Guard {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + black_box(self.0));
    }
}

/// Dropped returns the sum of the guards dropped on this thread, and sets it to 0.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.take()
}

/// Exports of both kinds reach this function, so its guard is dropped in every panic.
#[inline(never)]
fn shared(words: &[u64], at: usize) -> u64 {
    let _guard = Guard(1);
    black_box(words)[at]
}

#[inline(never)]
fn own(words: &[u64], at: usize) -> u64 {
    let _guard = Guard(10);
    shared(words, at) + 1
}

/// Unwinds drops all guards when it panics.
#[rustgo::export]
pub fn unwinds(words: &[u64], at: usize) -> u64 {
    let _guard = Guard(100);
    shared(words, at) + 2
}

/// Abandons drops only the guard of the shared function when it panics.
#[rustgo::export(panic = "abandon")]
pub fn abandons(words: &[u64], at: usize) -> u64 {
    let _guard = Guard(1000);
    own(words, at) + 3
}

/// AbandonsAtOnce panics in its own code.
#[rustgo::export(panic = "abandon")]
pub fn abandons_at_once(words: &[u64], at: usize) -> u64 {
    let _guard = Guard(1000);
    words[at]
}

/// Leaf has no frame of its own.
#[rustgo::export(panic = "abandon")]
pub fn leaf(words: &[u64; 4], at: usize) -> u64 {
    words[at]
}

/// Blocks does the same as Abandons in a blocking call.
#[rustgo::export(panic = "abandon", blocking)]
pub fn blocks(words: &[u64], at: usize) -> u64 {
    let _guard = Guard(1000);
    own(words, at) + 3
}

/// Budget panics at the bottom of a recursion with a stack budget.
#[rustgo::export(panic = "abandon", stack = "16k")]
pub fn budget(words: &[u64], depth: u64) -> u64 {
    #[inline(never)]
    fn down(words: &[u64], depth: u64) -> u64 {
        let _guard = Guard(10);
        if depth == 0 { shared(words, words.len()) } else { down(words, black_box(depth) - 1) + 1 }
    }
    down(words, depth)
}

/// Catches catches nothing, because the code that would catch belongs to this export alone.
#[rustgo::export(panic = "abandon")]
pub fn catches(at: usize) -> bool {
    catch_unwind(|| own(&[1, 2], at)).is_err()
}

/// An object with a function. The function is code of the export that makes the object, and another export calls it.
#[rustgo::object(close)]
pub struct Stored(Guard, Box<dyn Fn(&[u64], usize) -> u64 + Send + Sync>);

#[rustgo::export]
impl Stored {
    /// NewStored stores a function that no export calls directly.
    #[rustgo::export(panic = "abandon")]
    pub fn new(sum: u64) -> Stored {
        Stored(
            Guard(7),
            Box::new(move |words, at| {
                let _guard = Guard(sum);
                words[at]
            }),
        )
    }

    /// Call calls the function and would catch its panic.
    #[rustgo::export(stack = "64k")]
    pub fn call(&mut self, words: &[u64], at: usize) -> u64 {
        let _guard = Guard(100);
        catch_unwind(std::panic::AssertUnwindSafe(|| (self.1)(words, at))).unwrap_or(u64::MAX) + self.0.0
    }
}

/// A counter whose methods panic in both ways.
#[rustgo::object(close)]
pub struct Counter(#[allow(dead_code, reason = "only its destructor matters")] Guard, u64);

#[rustgo::export]
impl Counter {
    /// NewCounter returns a counter whose destructor adds sum to DROPPED.
    pub fn new(sum: u64) -> Counter {
        Counter(Guard(sum), 0)
    }

    /// Unwind panics if fail is true.
    pub fn unwind(&mut self, fail: bool) -> u64 {
        let _guard = Guard(100);
        assert!(!fail, "unwind fails");
        self.1 += 1;
        self.1
    }

    /// Abandon panics if fail is true.
    #[rustgo::export(panic = "abandon")]
    pub fn abandon(&mut self, fail: bool) -> u64 {
        let _guard = Guard(1000);
        assert!(!fail, "abandon fails");
        self.1 += 1;
        self.1
    }

    /// Up yields the numbers below last, and then panics.
    #[rustgo::export(panic = "abandon")]
    pub fn up(&self, last: u64) -> impl Iterator<Item = u64> + use<> {
        let guard = Guard(1000);
        (0..).inspect(move |&n| {
            let _ = &guard;
            assert!(n < last, "the last number was {last}");
        })
    }
}

//! What threads share without waiting: a lock that is only tried, a list that many push to, a counter that one writes.
//!
//! The model checks (tests/loom.rs) run this file with loom's atomics.

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};

/// A lock without waiting. The system may stop its holder for long, so that a thread that finds it taken does something else.
pub struct TryLock(AtomicUsize);

impl TryLock {
    /// An open lock.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Loom's atomics are not made by constant evaluation.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Takes the lock if it is open. The holder calls [`TryLock::unlock`].
    #[inline(always)]
    pub fn try_lock(&self) -> bool {
        // The load keeps the cache line shared while another thread holds the lock.
        self.0.load(Ordering::Relaxed) == 0 && self.0.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Opens the lock. To be called by its holder only.
    #[inline(always)]
    pub fn unlock(&self) {
        self.0.store(0, Ordering::Release);
    }
}

/// A list of items that any thread may push to, and that is taken as a whole. An item is a number other than 0 and brings its own
/// memory for the link to the next one.
///
/// There is no operation that removes one item, so an item that comes back cannot be mistaken for the same item before (no ABA).
pub struct Stack(AtomicUsize);

impl Stack {
    /// An empty list.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Loom's atomics are not made by constant evaluation.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Adds `item`. `link` stores its argument, the item that follows or 0, in the item's own memory; it may be called repeatedly.
    /// All that this thread wrote before is visible to the thread that takes the list.
    #[inline(always)]
    pub fn push(&self, item: usize, link: impl Fn(usize)) {
        let mut next = self.0.load(Ordering::Relaxed);
        loop {
            link(next);
            match self.0.compare_exchange_weak(next, item, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => next = now,
            }
        }
    }

    /// Takes all items: the last one pushed, which links to those before it; 0 if there is none.
    #[inline(always)]
    pub fn take(&self) -> usize {
        // Most calls find nothing; a load leaves the cache line where it is.
        if self.0.load(Ordering::Relaxed) == 0 {
            return 0;
        }
        // Acquire sees what every pusher wrote: the pushes are one release sequence.
        self.0.swap(0, Ordering::Acquire)
    }
}

/// A number that one thread at a time changes and any thread reads. No instruction is atomic that need not be.
pub struct Counter(AtomicUsize);

impl Counter {
    /// Zero. Others are memory of zeros.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Adds `n`, modulo 2⁶⁴. To be called by the one writer.
    #[inline(always)]
    pub fn add(&self, n: usize) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }

    /// The number, as it was a moment ago.
    #[inline(always)]
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

//! Synchronization without blocking: a lock that a thread only tries to take, a list to which many threads push, and a counter with one writer.
//!
//! The model checks (tests/loom.rs) run this file with loom's atomics.

#[cfg(not(loom))]
pub(crate) use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};

/// A lock that a thread only tries to take. The system may stop the holder for a long time, so a thread that finds the lock busy does other work.
pub struct TryLock(AtomicUsize);

impl TryLock {
    /// Makes an open lock.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// With loom the function is not const, because loom's atomics have no const constructor.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Takes the lock if it is open. Returns true if the lock was taken. The holder calls [`TryLock::unlock`].
    #[inline(always)]
    pub fn try_lock(&self) -> bool {
        // The load keeps the cache line shared while another thread holds the lock.
        self.0.load(Ordering::Relaxed) == 0 && self.0.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Opens the lock. Only the holder may call this function.
    #[inline(always)]
    pub fn unlock(&self) {
        self.0.store(0, Ordering::Release);
    }
}

/// A list to which any thread pushes, and from which a thread takes all items at once. An item is a number other than 0. The item's own memory
/// holds the link to the next item.
///
/// No operation removes a single item. So there is no ABA problem: a repeated push of the same item does no harm.
pub struct Stack(AtomicUsize);

impl Stack {
    /// Makes an empty list.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// With loom the function is not const, because loom's atomics have no const constructor.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Pushes `item`. `link` stores its argument (the next item or 0) in the item's own memory. `link` may be called repeatedly. All earlier
    /// writes of this thread become visible to the thread that takes the list.
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

    /// Takes all items. Returns the item that was pushed last, which links to the earlier items; 0 if the list is empty.
    #[inline(always)]
    pub fn take(&self) -> usize {
        // Most calls find an empty list. A load leaves the cache line shared; a swap would not.
        if self.0.load(Ordering::Relaxed) == 0 {
            return 0;
        }
        // Acquire makes the writes of every pusher visible, because the pushes form one release sequence.
        self.0.swap(0, Ordering::Acquire)
    }
}

/// A number that one thread at a time changes and any thread reads. Neither access needs an atomic read-modify-write instruction.
pub struct Counter(AtomicUsize);

impl Counter {
    /// Makes a counter of zero. Without loom, counters begin as zeroed memory.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Adds `n`, modulo 2⁶⁴. Only one thread at a time may call this function.
    #[inline(always)]
    pub fn add(&self, n: usize) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }

    /// Returns the number, which may be slightly out of date.
    #[inline(always)]
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

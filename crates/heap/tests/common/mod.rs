//! Hosts for the tests. A host reserves address space from the system. Each test chooses the P (processor of Go's scheduler) of a thread.

#![allow(dead_code, reason = "each test uses a part")]

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rustgo_heap::{Corruption, Heap, NONE, System};

thread_local! {
    static PLACE: Cell<usize> = const { Cell::new(0) };
    static COMMITTED: Cell<usize> = const { Cell::new(0) };
    static EXCEEDS: Cell<bool> = const { Cell::new(false) };
    static RELEASED: Cell<usize> = const { Cell::new(0) };
    static WHILE_RELEASING: Cell<Option<fn()>> = const { Cell::new(None) };
    /// Number of bytes that this thread may still commit.
    static SUPPLY: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Number of calls of [`System::relax`] by all threads.
pub static RELAXED: AtomicUsize = AtomicUsize::new(0);

/// Makes this thread run on the P with this index, or without a P for `NONE`.
pub fn run_on(place: usize) {
    PLACE.set(place);
}

/// Returns the number of bytes that this thread committed, and the number of bytes that it released.
pub fn system_calls() -> (usize, usize) {
    (COMMITTED.get(), RELEASED.get())
}

/// Makes the next release of this thread call `f` first.
pub fn while_releasing(f: fn()) {
    WHILE_RELEASING.set(Some(f));
}

/// Limits the number of bytes that this thread may commit.
pub fn set_supply(bytes: usize) {
    SUPPLY.set(bytes);
}

/// Sets the result of [`System::exceeds`] on this thread.
pub fn set_exceeds(exceeds: bool) {
    EXCEEDS.set(exceeds);
}

/// A system on which reserved memory can be used without a commit.
pub struct Lazy;

/// A system on which reserved memory must be committed before use. An access without a commit crashes the test.
pub struct Strict;

impl System for Lazy {
    fn place() -> usize {
        PLACE.get()
    }

    fn commit(_: usize, _: usize) -> bool {
        panic!("this system commits by itself")
    }

    fn release(at: usize, len: usize) {
        if let Some(f) = WHILE_RELEASING.take() {
            f();
        }
        RELEASED.set(RELEASED.get() + len);
        discard(at, len);
    }

    fn exceeds() -> bool {
        EXCEEDS.get()
    }

    fn relax(_: u32) {
        RELAXED.fetch_add(1, Relaxed);
        std::thread::yield_now();
    }

    fn corrupt(kind: Corruption, at: usize) -> ! {
        panic!("{kind:?} at {at:#x}")
    }
}

impl System for Strict {
    fn place() -> usize {
        PLACE.get()
    }

    fn commit(at: usize, len: usize) -> bool {
        let Some(rest) = SUPPLY.get().checked_sub(len) else { return false };
        SUPPLY.set(rest);
        COMMITTED.set(COMMITTED.get() + len);
        protect(at, len, libc::PROT_READ | libc::PROT_WRITE);
        true
    }

    fn release(at: usize, len: usize) {
        Lazy::release(at, len);
        protect(at, len, libc::PROT_NONE);
    }

    fn relax(round: u32) {
        Lazy::relax(round);
    }

    fn corrupt(kind: Corruption, at: usize) -> ! {
        Lazy::corrupt(kind, at)
    }
}

fn discard(at: usize, len: usize) {
    assert!(at.is_multiple_of(1 << 16) && len.is_multiple_of(1 << 16) && len > 0);
    // SAFETY: the heap owns this memory.
    assert_eq!(unsafe { libc::madvise(at as *mut libc::c_void, len, libc::MADV_DONTNEED) }, 0);
}

fn protect(at: usize, len: usize, protection: i32) {
    assert!(at.is_multiple_of(1 << 12) && len.is_multiple_of(1 << 12) && len > 0);
    // SAFETY: the heap owns this memory.
    assert_eq!(unsafe { libc::mprotect(at as *mut libc::c_void, len, protection) }, 0);
}

/// Reserves address space that is never unmapped.
pub fn reserve(size: usize, protection: i32) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: the system chooses the address.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), size, protection, flags, -1, 0) };
    assert_ne!(base, libc::MAP_FAILED);
    base.cast()
}

/// Makes a heap of `size` bytes on a system without commits.
pub fn lazy(size: usize) -> &'static Heap<Lazy> {
    let heap = Box::leak(Box::new(Heap::new()));
    // SAFETY: the memory is new.
    assert!(unsafe { heap.start(reserve(size, libc::PROT_READ | libc::PROT_WRITE), size, false) });
    heap
}

/// Makes a heap of `size` bytes on a strict system.
pub fn strict(size: usize) -> &'static Heap<Strict> {
    let heap = Box::leak(Box::new(Heap::new()));
    // SAFETY: the memory is new.
    assert!(unsafe { heap.start(reserve(size, libc::PROT_NONE), size, true) });
    heap
}

/// Empties the shards of the first `places` Ps and the shared shards. Then checks that the heap has no memory in use.
pub fn check_all_returned<S: System>(heap: &Heap<S>, places: usize) {
    for place in 0..places {
        // SAFETY: the test's other threads have ended.
        unsafe { heap.flush_place(place) };
    }
    run_on(NONE);
    // SAFETY: the test's other threads have ended.
    unsafe { heap.trim(0) };
    let stats = heap.stats();
    assert_eq!((stats.live_objects, stats.live_bytes, stats.mapped, stats.dirty_free), (0, 0, 0, 0), "{stats:?}");
}

/// A generator of random numbers: xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    /// Returns a random size of at most 2^`log` bytes. Each order of magnitude is equally frequent.
    pub fn size(&mut self, log: usize) -> usize {
        let bits = self.below(log + 1);
        self.below((1 << bits) + 1)
    }
}

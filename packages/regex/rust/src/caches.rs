//! Caches hold the memory that searches write to, and keep it for later searches. The states of the lazy automata take most of it.

use core::cell::{Cell, UnsafeCell};
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use regex_automata::hybrid;
use regex_automata::meta::{self, Regex};
use std::sync::OnceLock;

/// The caches of one engine. Each search takes a free cache. A thread tries the same slot first every time. So taking a cache costs one atomic
/// exchange, in memory that other threads rarely write to.
pub struct Caches {
    slots: [Slot; 16],
    /// Further caches, made when all slots are taken.
    more: OnceLock<Box<Caches>>,
}

/// The memory that one search at a time writes to.
pub struct Cache {
    pub search: meta::Cache,
    pub reach: Option<hybrid::dfa::Cache>,
}

struct Slot {
    taken: AtomicBool,
    cache: UnsafeCell<Option<Box<Cache>>>,
    /// Padding. Processors fetch cache lines in pairs, so no two slots may share a pair.
    _apart: [u64; 16],
}

// SAFETY: only the thread that has set `taken` uses `cache`, and a Cache is Send.
unsafe impl Sync for Slot {}

/// A cache in use. Dropping it frees the slot. After a panic the slot stays taken, because nothing drops the cache, and later searches use other
/// slots.
pub struct Taken<'a>(&'a Slot, &'a mut Cache);

thread_local! {
    /// The number of this thread; 0 before the thread's first search.
    static THREAD: Cell<u32> = const { Cell::new(0) };
}

fn thread() -> usize {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    THREAD.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Relaxed).max(1));
        }
        number.get() as usize
    })
}

impl Caches {
    pub fn new() -> Caches {
        Caches { slots: core::array::from_fn(|_| Slot { taken: false.into(), cache: None.into(), _apart: [0; 16] }), more: OnceLock::new() }
    }

    #[inline]
    pub fn take(&self, regex: &Regex) -> Taken<'_> {
        let slot = &self.slots[thread() % self.slots.len()];
        if slot.taken.swap(true, Acquire) {
            return self.search(regex);
        }
        slot.cache(regex)
    }

    #[cold]
    fn search(&self, regex: &Regex) -> Taken<'_> {
        let mut caches = self;
        loop {
            for slot in &caches.slots {
                if !slot.taken.load(Relaxed) && !slot.taken.swap(true, Acquire) {
                    return slot.cache(regex);
                }
            }
            caches = caches.more.get_or_init(|| Box::new(Caches::new()));
        }
    }
}

impl Slot {
    /// Returns the slot's cache. The caller has set `taken`.
    #[inline]
    fn cache(&self, regex: &Regex) -> Taken<'_> {
        // SAFETY: the caller has set `taken`, so no other thread uses `cache`.
        let cache = unsafe { &mut *self.cache.get() };
        Taken(self, cache.get_or_insert_with(|| Box::new(Cache { search: regex.create_cache(), reach: None })))
    }
}

impl Deref for Taken<'_> {
    type Target = Cache;
    fn deref(&self) -> &Cache {
        self.1
    }
}

impl DerefMut for Taken<'_> {
    fn deref_mut(&mut self) -> &mut Cache {
        self.1
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.taken.store(false, Release);
    }
}

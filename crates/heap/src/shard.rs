//! The state of a shard: its slabs, its lists, and what it counts. [`crate::small`] has the algorithms.

use core::cell::Cell;

use crate::classes::CLASSES;
use crate::sync::{Counter, Stack, TryLock};

/// Combined with a slab's address gives its tag. Programs hardly compute with it, and it is no address.
pub(crate) const TAG: u64 = 0x9e37_79b9_7f4a_0000;

/// The largest number of 16 bits. Links are less.
pub(crate) const LINK_MAX: u64 = 0xffff;

/// Added to [`Slab::used`] of a slab that is in no list because it is full, so that the next free finds a number that is not positive.
pub(crate) const FULL: i32 = i32::MIN;

/// Empty slabs that a shard keeps: 512 KiB.
pub(crate) const CACHE: usize = 8;

/// What is known of a slab, or of the run that begins there. The owner alone writes it, except for `next_run`.
#[repr(C, align(64))]
pub(crate) struct Slab {
    /// Offset of the first free object plus 1, or 0. Free objects are linked in the same way, see [`crate::small`].
    pub(crate) free: Cell<u32>,
    /// Objects handed out, plus 1 while objects are allocated from this slab, minus 2³¹ while the slab is in no list because it is full.
    pub(crate) used: Cell<i32>,
    /// Offset of the first byte that was never handed out.
    pub(crate) bump: Cell<u32>,
    /// Offset of the end of the last object.
    pub(crate) end: Cell<u32>,
    /// What the links of this slab's free objects are combined with.
    pub(crate) tag: Cell<u64>,
    /// Bytes of an object.
    pub(crate) size: Cell<u32>,
    pub(crate) class: Cell<u32>,
    /// Whether the bytes from `bump` on are zero.
    pub(crate) zero: Cell<bool>,
    /// Whether a run that waits to be given back is zero.
    pub(crate) clean: Cell<bool>,
    /// Slabs of the run that begins here.
    pub(crate) length: Cell<u32>,
    /// Neighbours in the list of slabs of this class with free objects.
    pub(crate) prev: Cell<Option<&'static Slab>>,
    /// See `prev`. A run that waits to be given back stores the next such run here, as a number.
    pub(crate) next: Cell<Option<&'static Slab>>,
    /// The next run that waits to be given back, or 0.
    pub(crate) next_run: Cell<u32>,
}

/// What a shard has of a class.
#[repr(C)]
pub(crate) struct Bin {
    /// The slab that objects are allocated from.
    pub(crate) current: Cell<Option<&'static Slab>>,
    /// Other slabs with free objects, linked in both directions.
    pub(crate) partial: Cell<Option<&'static Slab>>,
    /// Objects that this shard handed out.
    pub(crate) allocated: Counter,
    /// Objects that were freed through this shard, whoever owns them.
    pub(crate) freed: Counter,
}

/// The heap of one P, or a heap that callers without a P share. Zeros are an empty shard.
#[repr(C, align(128))]
pub(crate) struct Shard {
    pub(crate) bins: [Bin; CLASSES],
    /// Its number, from 1 on. 0 until it is used.
    pub(crate) number: Cell<u32>,
    /// Number of empty slabs in `cache`.
    pub(crate) cached: Cell<u32>,
    pub(crate) cache: [Cell<u32>; CACHE],
    /// Waiting objects that were taken from `waiting`.
    pub(crate) backlog: Cell<usize>,
    /// Objects that are runs of slabs, and their slabs.
    pub(crate) runs_allocated: Counter,
    pub(crate) runs_freed: Counter,
    pub(crate) slabs_allocated: Counter,
    pub(crate) slabs_freed: Counter,
    /// Objects of other shards that were freed through this one.
    pub(crate) remote_frees: Counter,
    pub(crate) others: Others,
}

/// What other threads write, away from the rest.
#[repr(align(128))]
pub(crate) struct Others {
    /// Objects of this shard that others freed.
    pub(crate) waiting: Stack,
    /// For shards without a P: who holds it uses the shard.
    pub(crate) lock: TryLock,
}

impl Slab {
    /// Whether an object can be allocated from it.
    pub(crate) fn has_room(&self) -> bool {
        self.free.get() != 0 || self.bump.get() < self.end.get()
    }

    /// Adds an object to the list of free ones, and returns the new [`Slab::used`]: if that is not positive, the caller calls
    /// [`Heap::changed`](crate::Heap::changed).
    ///
    /// # Safety
    ///
    /// The object at `offset` of this slab, at the address `object`, is handed out and used by nobody. The slab is this thread's.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, object: *mut u64, offset: usize) -> i32 {
        let tag = self.tag.get();
        // SAFETY: objects have at least two words.
        unsafe {
            object.write(tag ^ u64::from(self.free.get()));
            object.add(1).write(!tag);
        }
        self.free.set(offset as u32 + 1);
        self.used.set(self.used.get().wrapping_sub(1));
        self.used.get()
    }
}

impl Bin {
    pub(crate) fn link(&self, slab: &'static Slab) {
        let next = self.partial.replace(Some(slab));
        slab.prev.set(None);
        slab.next.set(next);
        if let Some(next) = next {
            next.prev.set(Some(slab));
        }
    }

    pub(crate) fn unlink(&self, slab: &Slab) {
        let (prev, next) = (slab.prev.get(), slab.next.get());
        match prev {
            Some(prev) => prev.next.set(next),
            None => self.partial.set(next),
        }
        if let Some(next) = next {
            next.prev.set(prev);
        }
    }

    /// Stops to allocate from the current slab, which is full.
    pub(crate) fn detach(&self) {
        if let Some(slab) = self.current.take() {
            slab.used.set((slab.used.get() - 1) | FULL);
        }
    }

    /// Allocates from this slab, which is in no list, from now on.
    pub(crate) fn attach(&self, slab: &'static Slab) {
        slab.used.set(slab.used.get() + 1);
        self.current.set(Some(slab));
    }
}

impl Shard {
    /// The number by which the page map knows this shard.
    pub(crate) fn number_of(index: usize) -> u32 {
        index as u32 + 1
    }

    /// Its number; 0 if nothing was ever allocated from it.
    pub(crate) fn number(&self) -> u32 {
        self.number.get()
    }

    /// The state of a class. `class` is less than `CLASSES`.
    #[inline(always)]
    pub(crate) fn bin(&self, class: usize) -> &Bin {
        debug_assert!(class < CLASSES);
        // SAFETY: the caller's promise, which all callers keep by the size or the page map's entry.
        unsafe { self.bins.get_unchecked(class) }
    }

    /// The arena that this shard takes slabs from first.
    pub(crate) fn prefer(&self) -> usize {
        self.number.get() as usize
    }
}

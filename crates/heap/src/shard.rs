//! The state of a shard: its slabs, its lists, and its counters. [`crate::small`] has the algorithms.

use core::cell::Cell;

use crate::classes::CLASSES;
use crate::sync::{Counter, Stack, TryLock};

/// A slab's tag is the slab's address XOR this constant. The constant makes tags differ from addresses and from the usual data of programs.
pub(crate) const TAG: u64 = 0x9e37_79b9_7f4a_0000;

/// The largest link of a free list: links have 16 bits.
pub(crate) const LINK_MAX: u64 = 0xffff;

/// Added to [`Slab::used`] of a full slab that is in no list. The sum is negative, so that the next free notices the full slab.
pub(crate) const FULL: i32 = i32::MIN;

/// The largest number of empty slabs that a shard keeps (512 KiB in all).
pub(crate) const CACHE: usize = 8;

/// Metadata of a slab, or of the run that begins at the slab. Only the thread that owns the slab or the run writes the metadata.
#[repr(C, align(64))]
pub(crate) struct Slab {
    /// Offset of the first free object plus 1, or 0. Free objects are linked in the same form (see [`crate::small`]).
    pub(crate) free: Cell<u32>,
    /// Number of allocated objects, including objects that wait for their owner. While the slab is the current slab of its bin, 1 is added.
    /// While the slab is full and in no list, [`FULL`] is added.
    pub(crate) used: Cell<i32>,
    /// Offset of the first byte that was never allocated.
    pub(crate) bump: Cell<u32>,
    /// Offset of the end of the last object.
    pub(crate) end: Cell<u32>,
    /// The tag in the words of this slab's free objects (see [`crate::small`]).
    pub(crate) tag: Cell<u64>,
    /// Size of an object of this slab, in bytes.
    pub(crate) size: Cell<u32>,
    pub(crate) class: Cell<u32>,
    /// True if the bytes from `bump` on are zero.
    pub(crate) zero: Cell<bool>,
    /// True if the run reads as zero. Valid only while the run is in the list `pending` of its arena.
    pub(crate) clean: Cell<bool>,
    /// Number of slabs in the run (a sequence of adjacent slabs) that begins at this slab.
    pub(crate) length: Cell<u32>,
    /// The preceding slab in the bin's list [`Bin::partial`].
    pub(crate) prev: Cell<Option<&'static Slab>>,
    /// The following slab in the bin's list [`Bin::partial`].
    pub(crate) next: Cell<Option<&'static Slab>>,
    /// The next run in the list `pending` of the arena, or 0.
    pub(crate) next_run: Cell<u32>,
}

/// The state of one size class in a shard.
#[repr(C)]
pub(crate) struct Bin {
    /// The slab from which objects are allocated.
    pub(crate) current: Cell<Option<&'static Slab>>,
    /// Other slabs with free objects, linked in both directions.
    pub(crate) partial: Cell<Option<&'static Slab>>,
    /// Number of objects allocated by this shard.
    pub(crate) allocated: Counter,
    /// Number of objects freed through this shard, whichever shard they belong to.
    pub(crate) freed: Counter,
}

/// The part of the heap for one P (processor of Go's scheduler), or a part that callers without a P share. Zeros are an empty shard.
#[repr(C, align(128))]
pub(crate) struct Shard {
    pub(crate) bins: [Bin; CLASSES],
    /// The shard's number: its index plus 1. The number is 0 until the shard is used.
    pub(crate) number: Cell<u32>,
    /// Number of empty slabs in `cache`.
    pub(crate) cached: Cell<u32>,
    pub(crate) cache: [Cell<u32>; CACHE],
    /// Offset of the first object that was taken from `waiting` and is not yet freed, or 0.
    pub(crate) backlog: Cell<usize>,
    /// Four counters for large objects: the runs allocated and freed through this shard, and their slabs.
    pub(crate) runs_allocated: Counter,
    pub(crate) runs_freed: Counter,
    pub(crate) slabs_allocated: Counter,
    pub(crate) slabs_freed: Counter,
    /// Number of objects of other shards that were freed through this shard.
    pub(crate) remote_frees: Counter,
    pub(crate) others: Others,
}

/// The fields that other threads write, in a cache line of their own.
#[repr(align(128))]
pub(crate) struct Others {
    /// Objects of this shard that other shards freed.
    pub(crate) waiting: Stack,
    /// The lock of a shared shard. The thread that uses the shard holds it.
    pub(crate) lock: TryLock,
}

impl Slab {
    /// True if the slab has room for an object.
    pub(crate) fn has_room(&self) -> bool {
        self.free.get() != 0 || self.bump.get() < self.end.get()
    }

    /// Adds an object to the free list. Returns the new [`Slab::used`]. If the result is not positive, the caller calls
    /// [`Heap::changed`](crate::Heap::changed).
    ///
    /// # Safety
    ///
    /// The object at `offset` of this slab, at the address `object`, must be allocated and no longer used. The slab must belong to this
    /// thread's shard.
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

    /// Stops allocations from the current slab, which is full.
    pub(crate) fn detach(&self) {
        if let Some(slab) = self.current.take() {
            slab.used.set((slab.used.get() - 1) | FULL);
        }
    }

    /// Makes this slab the current slab. The slab is in no list.
    pub(crate) fn attach(&self, slab: &'static Slab) {
        slab.used.set(slab.used.get() + 1);
        self.current.set(Some(slab));
    }
}

impl Shard {
    /// Returns the number of the shard with this index. The page map holds such numbers.
    pub(crate) fn number_of(index: usize) -> u32 {
        index as u32 + 1
    }

    /// Returns the shard's number, or 0 if the shard was never used.
    pub(crate) fn number(&self) -> u32 {
        self.number.get()
    }

    /// Returns the shard's state of a class. `class` must be less than `CLASSES`.
    #[inline(always)]
    pub(crate) fn bin(&self, class: usize) -> &Bin {
        debug_assert!(class < CLASSES);
        // SAFETY: the caller's promise.
        unsafe { self.bins.get_unchecked(class) }
    }

    /// Returns a number that, modulo the number of arenas, is the index of the arena from which this shard first tries to take slabs.
    pub(crate) fn prefer(&self) -> usize {
        self.number.get() as usize
    }
}

//! Small objects. Only one thread at a time uses a shard, so these functions take no lock. The caller holds the lock of a shared shard.
//!
//! **Objects.** A slab holds objects of one class and belongs to one shard. It first hands out the objects in its free list; the object freed last
//! comes first. If the list is empty, it hands out the next object in order of addresses, so that a memory page is touched only when it is needed.
//! All lists are linked through the first word of the objects:
//!
//! | state | first word | second word |
//! |---|---|---|
//! | free | tag ^ link | !tag |
//! | freed by another shard, waiting for its owner | offset from the base of the next such object, or 0 | !tag |
//! | allocated | any | 0 at first |
//!
//! A link is the offset of the next object in the slab plus 1, or 0. A link has 16 bits. A tag is the slab's address, whose 16 lowest bits are 0,
//! XOR a constant. So the words of a free object show a write after the free. If an object is freed while its words have the form of a free
//! object, the object was freed twice: random data have this form with a probability of at most 2⁻⁸⁰.
//!
//! A free first reads only the second word. The last store of a program to an object often writes a byte or two at its start, and a processor delays
//! a load of the whole word until that store has left the store buffer.
//!
//! **Slabs.** A class allocates from its current slab. A slab that is full is in no list. When an object of a full slab is freed, the slab joins
//! the list of slabs with free objects. A slab whose objects are all free leaves the list. The shard keeps such a slab for the next class that
//! needs a slab, or gives it back to its arena.
//!
//! **Frees by other shards.** An object that belongs to another shard is pushed to the list `waiting` of that shard. The owner frees the objects
//! of this list when a current slab is full.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::classes::{CLASSES, SLAB, SLAB_SHIFT, class};
use crate::region::UNUSED;
use crate::shard::{Bin, FULL, LINK_MAX, Shard, Slab, TAG};
use crate::{Block, Corruption, Heap, System};

/// The largest number of waiting objects that one allocation frees, so that no allocation takes long. It equals the largest number of objects in a
/// slab: before a shard takes a new slab, it frees as many waiting objects as it can allocate from the slab. So the list does not grow without
/// bound.
const BATCH: usize = SLAB / 16;

impl<S: System> Heap<S> {
    /// Allocates an object of the class with the index `class`.
    #[inline(always)]
    pub(crate) unsafe fn small(&self, shard: &Shard, class: usize) -> Block {
        let bin = shard.bin(class);
        if let Some(slab) = bin.current.get() {
            // SAFETY: the current slab is in use.
            if let Some(block) = unsafe { self.take(bin, slab) } {
                return block;
            }
        }
        // SAFETY: the caller's promises.
        unsafe { self.refill(shard, class) }
    }

    /// Allocates an object from the bin's slab. Returns `None` if the slab has no room.
    ///
    /// # Safety
    ///
    /// This thread's shard must use the slab.
    #[inline(always)]
    unsafe fn take(&self, bin: &Bin, slab: &'static Slab) -> Option<Block> {
        let free = slab.free.get();
        let mut offset = free.wrapping_sub(1);
        if free == 0 {
            offset = slab.bump.get();
            if offset == slab.end.get() {
                return None;
            }
            slab.bump.set(offset + slab.size.get());
        }
        // Computing the address from the tag takes fewer instructions than computing it from the slab's number.
        let at = self.region().base.with_addr((slab.tag.get() ^ TAG) as usize + offset as usize);
        let object: *mut u64 = at.cast();
        // SAFETY: the object is free, so it belongs to the heap.
        unsafe {
            if free != 0 {
                let link = object.read() ^ slab.tag.get();
                if link > LINK_MAX {
                    self.corrupt(Corruption::WriteAfterFree, at);
                }
                slab.free.set(link as u32);
            }
            // The second word is cleared, because old contents could look like a free object when this object is freed.
            object.add(1).write(0);
        }
        slab.used.set(slab.used.get().wrapping_add(1));
        bin.allocated.add(1);
        Some(Block { at, zero: free == 0 && slab.zero.get() })
    }

    /// Allocates an object of the class with the index `class`, which has no current slab with room.
    #[cold]
    #[inline(never)]
    unsafe fn refill(&self, shard: &Shard, class: usize) -> Block {
        // SAFETY: the caller's promises.
        unsafe {
            let mut block = self.refill_once(shard, class);
            if block.at.is_null() {
                // The flush frees the empty slabs that other classes of this shard hold, so the second try may succeed.
                self.flush(shard);
                block = self.refill_once(shard, class);
            }
            self.arenas.obey::<S>(self.region());
            block
        }
    }

    #[inline(never)]
    unsafe fn refill_once(&self, shard: &Shard, class: usize) -> Block {
        self.enrol(shard);
        let bin = shard.bin(class);
        // SAFETY: the caller's promises. The current slab is in use.
        unsafe {
            self.drain(shard, BATCH);
            if !bin.current.get().is_some_and(Slab::has_room) {
                bin.detach();
                if let Some(slab) = bin.partial.get() {
                    bin.unlink(slab);
                    bin.attach(slab);
                } else if let Some(slab) = self.new_slab(shard, class) {
                    bin.attach(slab);
                }
            }
            bin.current.get().and_then(|slab| self.take(bin, slab)).unwrap_or(Block::NULL)
        }
    }

    /// Takes an empty slab for the class with this index from the shard's cache or from an arena.
    unsafe fn new_slab(&self, shard: &Shard, index: usize) -> Option<&'static Slab> {
        let region = self.region();
        let cached = shard.cached.get() as usize;
        let (number, zero) = match shard.cache.get(cached.wrapping_sub(1)) {
            Some(slab) => {
                shard.cached.set(cached as u32 - 1);
                (slab.get() as usize, false)
            }
            None => {
                let slab = self.arenas.acquire::<S>(region, shard.prefer(), 1, 1)?;
                (slab, region.count(region.dirty(), slab, 1) == 0)
            }
        };
        // SAFETY: the slab belongs to this shard. `index` is a class.
        let (slab, class) = unsafe { (region.slab(number), class(index)) };
        slab.free.set(0);
        slab.used.set(0);
        slab.bump.set(0);
        slab.end.set(class.end);
        slab.size.set(class.size);
        slab.class.set(index as u32);
        slab.zero.set(zero);
        // SAFETY: the slab lies in the region.
        unsafe {
            slab.tag.set(region.address(number).addr() as u64 ^ TAG);
            region.entry(number).store(shard.number.get() << 8 | index as u32, Relaxed);
        }
        Some(slab)
    }

    /// Frees an object `offset` bytes after the base, in a slab of this shard. `entry` is the slab's entry in the page map. Returns true if a
    /// slab may have become free. The caller then calls [`Arenas::obey`](crate::arena::Arenas::obey) last.
    #[inline(always)]
    pub(crate) unsafe fn free_own(&self, shard: &Shard, at: *mut u8, offset: usize, entry: u32) -> bool {
        let index = (entry & 0xff) as usize;
        let inner = offset & (SLAB - 1);
        // SAFETY: the entry names this shard.
        unsafe {
            let slab = self.region().slab(offset >> SLAB_SHIFT);
            let object: *mut u64 = at.cast();
            if !class(index).divides(inner as u32) || inner as u32 >= slab.bump.get() {
                self.corrupt(Corruption::NotAnObject, at);
            }
            if object.add(1).read() == !slab.tag.get() {
                self.free_suspect(shard, slab, object);
                return true;
            }
            shard.bin(index).freed.add(1);
            if slab.put(object, inner) > 0 {
                return false;
            }
            self.changed(shard, slab);
            true
        }
    }

    /// Does the same as `free_own`, for an object whose second word has the form of a free object. It is a separate function so that
    /// `free_own` needs fewer registers.
    #[cold]
    #[inline(never)]
    unsafe fn free_suspect(&self, shard: &Shard, slab: &'static Slab, object: *mut u64) {
        // SAFETY: the caller's promises, as in `free_own`.
        unsafe {
            self.check_freed_twice(object, slab.tag.get());
            shard.bin(slab.class.get() as usize).freed.add(1);
            if slab.put(object, object.addr() & (SLAB - 1)) <= 0 {
                self.changed(shard, slab);
            }
        }
    }

    /// Frees an object that belongs to another shard.
    pub(crate) unsafe fn free_remote(&self, shard: &Shard, at: *mut u8, offset: usize, entry: u32) {
        self.enrol(shard);
        let index = (entry & 0xff) as usize;
        // SAFETY: an entry names a shard and a class that exist. A slab's tag does not change while it has allocated objects.
        unsafe {
            let owner = self.region().shard((entry >> 8) as usize - 1);
            let tag = self.region().slab(offset >> SLAB_SHIFT).tag.get();
            let object: *mut u64 = at.cast();
            if !class(index).begins_at((offset & (SLAB - 1)) as u32) {
                self.corrupt(Corruption::NotAnObject, at);
            }
            if object.add(1).read() == !tag {
                self.check_freed_twice(object, tag);
            }
            shard.bin(index).freed.add(1);
            shard.remote_frees.add(1);
            object.add(1).write(!tag);
            owner.others.waiting.push(offset, |next| object.write(next as u64));
        }
    }

    /// Reports a double free if the first word also has the form of a free object. The caller has compared the second word.
    unsafe fn check_freed_twice(&self, object: *mut u64, tag: u64) {
        // SAFETY: the word belongs to the object.
        let first = unsafe { object.read() };
        if first ^ tag <= LINK_MAX || first < self.region().bytes as u64 {
            self.corrupt(Corruption::DoubleFree, object.cast());
        }
    }

    /// Moves at most `most` objects that were freed through other shards to the free lists of this shard's slabs.
    pub(crate) unsafe fn drain(&self, shard: &Shard, most: usize) {
        let region = self.region();
        let mut left = most;
        let mut offset = shard.backlog.get();
        while left > 0 {
            if offset == 0 {
                offset = shard.others.waiting.take();
            }
            if offset == 0 {
                break;
            }
            // SAFETY: this shard allocated the object. The object's link was checked, or written by `free_remote`.
            unsafe {
                let slab = region.slab(offset >> SLAB_SHIFT);
                let at = region.base.add(offset);
                let object: *mut u64 = at.cast();
                let next = object.read();
                if object.add(1).read() != !slab.tag.get() || next >= region.bytes as u64 {
                    self.corrupt(Corruption::WriteAfterFree, at);
                }
                if slab.put(object, offset & (SLAB - 1)) <= 0 {
                    self.changed(shard, slab);
                }
                offset = next as usize;
            }
            left -= 1;
        }
        shard.backlog.set(offset);
    }

    /// Moves a slab that is not current between the lists: the slab was full and now has a free object, or it is now empty.
    #[cold]
    #[inline(never)]
    unsafe fn changed(&self, shard: &Shard, slab: &'static Slab) {
        let bin = shard.bin(slab.class.get() as usize);
        if slab.used.get() < 0 {
            slab.used.set(slab.used.get() & !FULL);
            bin.link(slab);
            return;
        }
        bin.unlink(slab);
        // SAFETY: no object of the slab is allocated.
        unsafe { self.retire(shard, slab) };
    }

    /// Puts an empty slab that is in no list into the shard's cache. If the cache is full, gives the slab back to its arena.
    unsafe fn retire(&self, shard: &Shard, slab: &Slab) {
        let number = self.region().index(slab);
        // SAFETY: the slab lies in the region.
        unsafe { self.region().entry(number) }.store(UNUSED, Relaxed);
        let cached = shard.cached.get();
        match shard.cache.get(cached as usize) {
            Some(place) => {
                place.set(number as u32);
                shard.cached.set(cached + 1);
            }
            None => self.arenas.free(self.region(), number, 1),
        }
    }

    /// Gives back all empty slabs of the shard.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn flush(&self, shard: &Shard) {
        // SAFETY: the caller's promises. A current slab whose `used` is 1 has no objects.
        unsafe {
            self.drain(shard, usize::MAX);
            for bin in &shard.bins {
                if let Some(slab) = bin.current.get().filter(|slab| slab.used.get() == 1) {
                    bin.current.set(None);
                    self.retire(shard, slab);
                }
            }
        }
        while let Some(slab) = shard.cache.get((shard.cached.get() as usize).wrapping_sub(1)) {
            shard.cached.set(shard.cached.get() - 1);
            self.arenas.free(self.region(), slab.get() as usize, 1);
        }
    }

    /// Sets the shard's number when the shard is used for the first time.
    pub(crate) fn enrol(&self, shard: &Shard) {
        if shard.number.get() == 0 {
            let index = (core::ptr::from_ref(shard).addr() - self.region().base.addr()) / size_of::<Shard>();
            shard.number.set(Shard::number_of(index));
            self.shards_used.fetch_max(index + 1, Relaxed);
        }
    }
}

// A class in an entry of the page map must not look like `RUN`.
const _: () = assert!(CLASSES < crate::region::RUN as usize && size_of::<AtomicU32>() == 4);

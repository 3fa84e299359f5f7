//! Small objects. Only one thread at a time uses a shard, so these functions take no lock. If the shard is shared, the caller holds its lock.
//!
//! **Objects.** A slab holds objects of one class and belongs to one shard. An allocation takes the object that was freed last from the slab's free
//! list. If the list is empty, the allocation takes the next object in order of addresses, so no memory page is touched before it is needed.
//! All lists are linked through the first word of the objects:
//!
//! | state | first word | second word |
//! |---|---|---|
//! | free | tag ^ link | !tag |
//! | freed through another shard, waiting for the owner | offset of the next waiting object from the base of the region, or 0 | !tag |
//! | allocated | any | 0 at first |
//!
//! A link is the offset of the next free object in the slab plus 1, or 0. A link has 16 bits. A tag is the slab's address, whose 16 lowest bits are
//! 0, XOR a constant. So the words of a free object reveal a write after the free. If an object is freed while its words have the form of a free
//! object, the object was freed twice: random data have this form with a probability of at most 2⁻⁸⁰.
//!
//! A free first reads only the second word. The last store of a program to an object often writes a byte or two at its start, and a processor delays
//! a load of the whole word until that store has left the store buffer.
//!
//! **Slabs.** A class allocates from its current slab. A full slab is in no list. When an object of a full slab is freed, the slab joins the
//! list of slabs with free objects. A slab whose objects are all free leaves this list. The shard keeps the empty slab for the next class that
//! needs a slab, or gives the slab back to its arena.
//!
//! **Frees through other shards.** A free of another shard's object pushes the object to the list `waiting` of the owner. The owner frees the
//! objects of this list when a current slab is full, and on a flush.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::classes::{CLASSES, SLAB, SLAB_SHIFT, class};
use crate::region::UNUSED;
use crate::shard::{Bin, FULL, LINK_MAX, Shard, Slab, TAG};
use crate::{Block, Corruption, Heap, System};

/// The largest number of waiting objects that one allocation frees, so that no allocation takes long. The number equals the largest number of
/// objects in a slab: before a shard takes a new slab, the shard frees as many waiting objects as a slab can hold. So the list `waiting` does not
/// grow without bound.
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

    /// Allocates an object from `slab`, the current slab of `bin`. Returns `None` if the slab has no room.
    ///
    /// # Safety
    ///
    /// The slab must belong to this thread's shard.
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
        // SAFETY: the object is free, so only the heap uses its memory.
        unsafe {
            if free != 0 {
                let link = object.read() ^ slab.tag.get();
                if link > LINK_MAX {
                    self.corrupt(Corruption::WriteAfterFree, at);
                }
                slab.free.set(link as u32);
            }
            // The second word is cleared. Otherwise old contents could look like a free object when this object is freed.
            object.add(1).write(0);
        }
        slab.used.set(slab.used.get().wrapping_add(1));
        bin.allocated.add(1);
        Some(Block { at, zero: free == 0 && slab.zero.get() })
    }

    /// Allocates an object of the class with the index `class` when the current slab has no room or does not exist.
    #[cold]
    #[inline(never)]
    unsafe fn refill(&self, shard: &Shard, class: usize) -> Block {
        // SAFETY: the caller's promises.
        unsafe {
            let mut block = self.refill_once(shard, class);
            if block.at.is_null() {
                // The flush gives back the empty slabs that other classes of this shard hold, so the second try may succeed.
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

    /// Frees the object `offset` bytes after the base of the region, in a slab of this shard. `entry` is the slab's page map entry. Returns true
    /// if a slab may have gone back to its arena. Then the caller calls [`Arenas::obey`](crate::arena::Arenas::obey) last.
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

    /// Completes `free_own` for an object whose second word has the form of a free object. This code is a separate function, so that
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
        // SAFETY: an entry names a shard and a class that exist. A slab's tag does not change while the slab has allocated objects.
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

    /// Reports a double free if the first word has the form of a free object. The caller has already checked the second word.
    unsafe fn check_freed_twice(&self, object: *mut u64, tag: u64) {
        // SAFETY: the word belongs to the object.
        let first = unsafe { object.read() };
        if first ^ tag <= LINK_MAX || first < self.region().bytes as u64 {
            self.corrupt(Corruption::DoubleFree, object.cast());
        }
    }

    /// Moves at most `most` objects of this shard that were freed through other shards to the free lists of their slabs.
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

    /// Updates the lists for a slab that is not current, after a free: the slab was full before, or is empty now.
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

    /// Frees all waiting objects of the shard, and gives all its empty slabs back to their arenas.
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn flush(&self, shard: &Shard) {
        // SAFETY: the caller's promises. A current slab whose `used` is 1 has no allocated objects.
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

// The class in a page map entry must differ from `RUN`.
const _: () = assert!(CLASSES < crate::region::RUN as usize && size_of::<AtomicU32>() == 4);

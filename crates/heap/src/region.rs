//! The layout of the reserved address space.
//!
//! ```text
//! base   shards      [Shard]      SHARED of them for callers without a P, then one for each P
//!        map         [AtomicU32]  page map: one entry for each slab of the reservation: the shard and class of the slab
//!        used        [AtomicU64]  one bit for each slab: the slab is not free
//!        dirty       [AtomicU64]  one bit for each slab: the slab may be nonzero (for a slab in use: when it was taken)
//!        committed   [AtomicU64]  one bit for each slab: the system has committed the slab (strict only)
//!        slabs       [Slab]       metadata of each slab
//! first  slabs that hold objects
//! ```
//!
//! All metadata begins as zeros, so the heap writes no page of metadata before the page is needed. A reservation of 1 TiB has about 1.1 GiB of
//! metadata. The heap writes about 70 bytes of metadata for each slab that the program uses.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::System;
use crate::classes::{SLAB, SLAB_SHIFT};
use crate::shard::{Shard, Slab};

/// Number of shards for callers without a P.
pub(crate) const SHARED: usize = 8;

/// The largest number of Ps with a shard of their own. Further Ps use the shared shards.
pub(crate) const PLACES: usize = 1024;

/// The smallest unit of memory that is committed, in bytes.
const COMMIT: usize = 1 << 20;

/// Number of slabs whose metadata is committed at once (1 GiB of slabs).
const COMMIT_METADATA: usize = 1 << 14;

/// Page map entry of a slab in which no allocated object begins. The entry is 0, because the page map begins as zeros.
pub(crate) const UNUSED: u32 = 0;

/// Page map entry of the first slab of a run (a large object). The entry of a slab of small objects is `shard number << 8 | class`. Shard
/// numbers begin at 1.
pub(crate) const RUN: u32 = 0xff;

/// The reserved address space. [`crate::Heap::start`] stores it once. After that it never changes.
pub(crate) struct Region {
    pub(crate) base: *mut u8,
    /// Size of the region in bytes. The size is 0 until the heap is started, so that no pointer lies in the region.
    pub(crate) bytes: usize,
    /// Number of shards for Ps; 0 until the heap is started.
    pub(crate) places: usize,
    map: *const AtomicU32,
    used: *const AtomicU64,
    dirty: *const AtomicU64,
    committed: *const AtomicU64,
    slabs: *const Slab,
    /// The first slab that holds objects.
    pub(crate) first: usize,
    /// Number of slabs, including the slabs that hold metadata.
    pub(crate) end: usize,
    strict: bool,
}

/// A bit row (array with one bit for each slab): `used`, `dirty` or `committed`.
pub(crate) type Bits = *const AtomicU64;

impl Region {
    /// A region without address space: every allocation fails, and no pointer lies in the region.
    pub(crate) const NONE: Self = Self {
        base: core::ptr::null_mut(),
        bytes: 0,
        places: 0,
        map: core::ptr::null(),
        used: core::ptr::null(),
        dirty: core::ptr::null(),
        committed: core::ptr::null(),
        slabs: core::ptr::null(),
        first: 0,
        end: 0,
        strict: false,
    };

    /// Lays out the `size` bytes at `base`. Returns `None` if the metadata and one slab do not fit, or if the system does not commit memory.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`crate::Heap::start`].
    pub(crate) unsafe fn new<S: System>(base: *mut u8, size: usize, strict: bool) -> Option<Self> {
        let skipped = base.align_offset(SLAB);
        let bytes = size.saturating_sub(skipped) & !(SLAB - 1);
        let end = bytes >> SLAB_SHIFT;
        let places = end.min(PLACES);
        let words = end.div_ceil(64);

        let map = (SHARED + places) * size_of::<Shard>();
        let used = (map + end * 4).next_multiple_of(64);
        let dirty = used + words * 8;
        let committed = dirty + words * 8;
        let slabs = (committed + words * 8).next_multiple_of(64);
        let first = (slabs + end * size_of::<Slab>()).div_ceil(SLAB);
        if first >= end {
            return None;
        }
        // SAFETY: all offsets lie below the start of slab `first`, and `first` lies in the reservation.
        let region = unsafe {
            let base = base.add(skipped);
            Self {
                base,
                bytes,
                places,
                map: base.add(map).cast(),
                used: base.add(used).cast(),
                dirty: base.add(dirty).cast(),
                committed: base.add(committed).cast(),
                slabs: base.add(slabs).cast(),
                first,
                end,
                strict,
            }
        };
        // The shards and the whole page map are committed, because a free looks up the entry of any address of the region.
        region.commit::<S>(0, used, 0, bytes).then_some(region)
    }

    /// Commits the `len` bytes at offset `at`, enlarged to multiples of 1 MiB within the offsets `low..high`. Parts may already be committed.
    /// Returns true on success, and always if the heap is not strict.
    fn commit<S: System>(&self, at: usize, len: usize, low: usize, high: usize) -> bool {
        if !self.strict {
            return true;
        }
        let from = (at & !(COMMIT - 1)).max(low);
        let to = (at + len).next_multiple_of(COMMIT).min(high);
        S::commit(self.base.addr() + from, to - from)
    }

    /// Commits the metadata of all slabs in the aligned group of 2¹⁴ slabs that contains `slab`, except the page map (see [`Region::new`]).
    /// Returns the number of the first slab whose metadata may not be committed: `slab` if the system refused.
    #[inline(never)]
    pub(crate) fn commit_metadata<S: System>(&self, slab: usize) -> usize {
        if !self.strict {
            return self.end;
        }
        let from = slab & !(COMMIT_METADATA - 1);
        let to = (from + COMMIT_METADATA).min(self.end);
        let part = |start: usize, bits: usize| {
            let at = start - self.base.addr() + from * bits / 8;
            self.commit::<S>(at, ((to - from) * bits).div_ceil(64) * 8, 0, self.bytes)
        };
        let done = part(self.used.addr(), 1)
            && part(self.dirty.addr(), 1)
            && part(self.committed.addr(), 1)
            && part(self.slabs.addr(), 8 * size_of::<Slab>());
        if done { to } else { slab }
    }

    /// Commits `n` slabs from `slab` on, unless they are committed. Neighbours within `low..high` may be committed too. Returns true if the `n`
    /// slabs are committed. The caller holds the lock of the arena, which has the slabs `low..high`.
    pub(crate) fn commit_slabs<S: System>(&self, slab: usize, n: usize, low: usize, high: usize) -> bool {
        !self.strict || self.commit_slabs_strictly::<S>(slab, n, low, high)
    }

    #[inline(never)]
    fn commit_slabs_strictly<S: System>(&self, slab: usize, n: usize, low: usize, high: usize) -> bool {
        if self.find(self.committed, slab, slab + n, false) == slab + n {
            return true;
        }
        let step = COMMIT >> SLAB_SHIFT;
        let from = (slab & !(step - 1)).max(low);
        let to = (slab + n).next_multiple_of(step).min(high);
        let done = S::commit(self.base.addr() + (from << SLAB_SHIFT), (to - from) << SLAB_SHIFT);
        if done {
            self.set(self.committed, from, to - from, true);
        }
        done
    }

    /// Marks `n` slabs from `slab` on as zero and, on a strict heap, as not committed: the system took their memory back.
    pub(crate) fn set_released(&self, slab: usize, n: usize) {
        self.set(self.dirty, slab, n, false);
        if self.strict {
            self.set(self.committed, slab, n, false);
        }
    }

    pub(crate) fn used(&self) -> Bits {
        self.used
    }

    pub(crate) fn dirty(&self) -> Bits {
        self.dirty
    }

    /// Returns the shard with this index.
    ///
    /// # Safety
    ///
    /// `index` must be less than `SHARED + places`.
    #[inline(always)]
    pub(crate) unsafe fn shard(&self, index: usize) -> &'static Shard {
        // SAFETY: the shard lies in the first part of the reservation, which is never unmapped. Zeros are a valid shard.
        unsafe { &*self.base.cast::<Shard>().add(index) }
    }

    /// Returns the metadata of a slab.
    ///
    /// # Safety
    ///
    /// `index` must be less than `end`, and an arena must have handed the slab out, so that its metadata is committed.
    #[inline(always)]
    pub(crate) unsafe fn slab(&self, index: usize) -> &'static Slab {
        // SAFETY: the metadata lies in the reservation, which is never unmapped, and is committed. Zeros are a valid `Slab`.
        unsafe { &*self.slabs.add(index) }
    }

    /// Returns the number of the slab with this metadata.
    #[inline(always)]
    pub(crate) fn index(&self, slab: &Slab) -> usize {
        (core::ptr::from_ref(slab).addr() - self.slabs.addr()) / size_of::<Slab>()
    }

    /// Returns the page map's entry for a slab.
    ///
    /// # Safety
    ///
    /// `index` must be less than `end`.
    #[inline(always)]
    pub(crate) unsafe fn entry(&self, index: usize) -> &AtomicU32 {
        // SAFETY: the page map lies in the reservation, which is never unmapped, and has an entry for each slab.
        unsafe { &*self.map.add(index) }
    }

    /// Returns the address of the first byte of a slab.
    ///
    /// # Safety
    ///
    /// `index` must be less than `end`.
    #[inline(always)]
    pub(crate) unsafe fn address(&self, index: usize) -> *mut u8 {
        // SAFETY: the slab lies in the reservation.
        unsafe { self.base.add(index << SLAB_SHIFT) }
    }

    /// Returns the 64-bit word with this index in a bit row. The index must lie within the row.
    #[inline(always)]
    fn word(&self, bits: Bits, word: usize) -> &AtomicU64 {
        debug_assert!(word < self.end.div_ceil(64));
        // SAFETY: every bit row has `end.div_ceil(64)` words.
        unsafe { &*bits.add(word) }
    }

    /// Returns the number of the first slab of `from..to` whose bit is `value`; `to` if no bit is.
    pub(crate) fn find(&self, bits: Bits, from: usize, to: usize, value: bool) -> usize {
        let flip = if value { 0 } else { !0 };
        let mut at = from;
        while at < to {
            let rest = (self.word(bits, at / 64).load(Relaxed) ^ flip) >> (at % 64);
            if rest != 0 {
                return to.min(at + rest.trailing_zeros() as usize);
            }
            at = (at / 64 + 1) * 64;
        }
        to
    }

    /// Returns 1 plus the number of the last slab of `from..to` whose bit is `value`; `from` if no bit is.
    pub(crate) fn find_back(&self, bits: Bits, from: usize, to: usize, value: bool) -> usize {
        let flip = if value { 0 } else { !0 };
        let mut at = to;
        while at > from {
            let rest = (self.word(bits, (at - 1) / 64).load(Relaxed) ^ flip) << (63 - (at - 1) % 64);
            if rest != 0 {
                return from.max(at - rest.leading_zeros() as usize);
            }
            at = (at - 1) / 64 * 64;
        }
        from
    }

    /// Counts the slabs whose bit is set, among the `n` slabs from `from` on.
    pub(crate) fn count(&self, bits: Bits, from: usize, n: usize) -> usize {
        let mut sum = 0;
        self.for_words(bits, from, n, |word, mask| sum += (word.load(Relaxed) & mask).count_ones() as usize);
        sum
    }

    /// Sets the bits of `n` slabs from `from` on to `value`. The caller holds the arena's lock. Other threads may read the words at the same time.
    pub(crate) fn set(&self, bits: Bits, from: usize, n: usize, value: bool) {
        self.for_words(bits, from, n, |word, mask| {
            let old = word.load(Relaxed);
            word.store(if value { old | mask } else { old & !mask }, Relaxed);
        });
    }

    /// Calls `act` for each word that has bits of the `n` slabs that begin at slab `from`. Passes the word, and a mask that selects the bits.
    #[inline(always)]
    fn for_words(&self, bits: Bits, from: usize, n: usize, mut act: impl FnMut(&AtomicU64, u64)) {
        let (mut at, to) = (from, from + n);
        while at < to {
            let next = ((at / 64 + 1) * 64).min(to);
            act(self.word(bits, at / 64), (!0 >> (64 - (next - at))) << (at % 64));
            at = next;
        }
    }
}

//! The heap's interface: the operations of C's allocation functions, and the limit.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::arena::Arenas;
use crate::classes::{SLAB, SLAB_SHIFT, SMALL_MAX, class, class_of};
use crate::region::{RUN, Region, SHARED, UNUSED};
use crate::shard::Shard;

/// The alignment of every object, in bytes.
const ALIGN: usize = 16;

/// The value of [`System::place`] for code that runs without a P (a processor of Go's scheduler).
pub const NONE: usize = usize::MAX;

/// The functions of the host that the heap calls. They must not call the heap.
pub trait System {
    /// Returns the index of the P (processor of Go's scheduler) on which this code runs, or [`NONE`]. The index does not change during a call
    /// of the heap, and no other thread has the same index at the same time.
    fn place() -> usize;

    /// Makes `len` bytes at `at` readable and writable, and returns true if this succeeded. Parts that are already committed keep their
    /// contents; the rest reads as zero. Only a strict heap calls this function (see [`Heap::start`]).
    fn commit(at: usize, len: usize) -> bool;

    /// Takes back the memory of the `len` bytes at `at`. Both numbers are multiples of 64 KiB. From then on the bytes must read as zero. A strict
    /// heap commits the bytes before it uses them again.
    fn release(at: usize, len: usize);

    /// Pauses for some cycles, or lets other threads run. The heap calls this function while other threads hold locks without which an operation
    /// cannot continue. `round` is the number of earlier calls by the same operation.
    fn relax(round: u32);

    /// True if the heap may exceed its limit by 2 MiB: a panic that reports a failed allocation needs memory for its payload.
    fn exceeds() -> bool {
        false
    }

    /// Ends the process, because the program has misused the heap at the address `at`.
    fn corrupt(kind: Corruption, at: usize) -> !;
}

/// The kinds of misuse of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Corruption {
    /// The pointer passed to the heap lies outside the heap, or in memory that holds no object.
    NotInUse = 1,
    /// The pointer passed to the heap does not point to the start of an object, or points to an object that was never allocated.
    NotAnObject = 2,
    /// A free object was freed again.
    DoubleFree = 3,
    /// An object was written to after its free.
    WriteAfterFree = 4,
}

/// The result of an allocation.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The object's address; null if there is no memory.
    pub(crate) at: *mut u8,
    /// True if all bytes are known to be zero.
    pub(crate) zero: bool,
}

impl Default for Block {
    fn default() -> Self {
        Self::NULL
    }
}

impl Block {
    pub(crate) const NULL: Self = Self { at: null_mut(), zero: false };
}

/// An allocated object, found by its address.
struct Found {
    /// The object's offset from the base of the region, in bytes.
    offset: usize,
    /// The page map's entry for the slab in which the object begins.
    entry: u32,
    /// Number of usable bytes.
    size: usize,
}

/// The heap, which is meant to be a static. The heap's address space is never unmapped.
///
/// Allocating functions return null on failure: the limit is reached, the address space is full, the system refuses memory, or the heap has not
/// started.
pub struct Heap<S> {
    region: UnsafeCell<Region>,
    pub(crate) arenas: Arenas,
    /// 1 plus the highest index of a shard that was ever used; 0 if no shard was used.
    pub(crate) shards_used: AtomicUsize,
    system: PhantomData<fn() -> S>,
}

// SAFETY: `start` writes the region once, before the heap is used. One thread at a time uses a shard and its slabs. One thread at a time, the holder
// of its lock, uses an arena. All other shared state is atomic.
unsafe impl<S> Sync for Heap<S> {}

impl<S: System> Default for Heap<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: System> Heap<S> {
    /// A heap without memory.
    #[must_use]
    pub const fn new() -> Self {
        Self { region: UnsafeCell::new(Region::NONE), arenas: Arenas::new(), shards_used: AtomicUsize::new(0), system: PhantomData }
    }

    /// Gives the heap the `size` bytes of address space at `base`. The heap uses the part that is aligned to 64 KiB. Returns false if the space is
    /// too small (4 MiB suffice) or `commit` fails. An object has at most max(1 GiB, ⅛ of `size` rounded up to a power of two) bytes.
    ///
    /// If not `strict`, all bytes must be readable and writable. If `strict`, the heap calls [`System::commit`] before the first use of
    /// memory, for at least 1 MiB at a time unless the arena ends earlier. At the start it commits 4 bytes for each 64 KiB of address space
    /// (64 MiB for 1 TiB), and up to 2 MiB for shards.
    /// # Safety
    ///
    /// The caller must call this function at most once, before all other functions. (Without a start, every allocation returns null.) The address
    /// space must read as zero, and must belong to the heap from then on, forever.
    pub unsafe fn start(&self, base: *mut u8, size: usize, strict: bool) -> bool {
        // SAFETY: the caller's promises.
        let Some(region) = (unsafe { Region::new::<S>(base, size, strict) }) else { return false };
        self.arenas.start(&region);
        // SAFETY: no other function has read the region yet.
        unsafe { *self.region.get() = region };
        true
    }

    /// Allocates `size` bytes, aligned to 16. Size 0 also gives an object.
    ///
    /// # Safety
    ///
    /// The index that [`System::place`] returns must be correct. All functions of the heap require this.
    #[inline]
    pub unsafe fn malloc(&self, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises.
        unsafe { self.malloc_at(S::place(), size) }
    }

    /// Does the same as [`Heap::malloc`], for a caller that knows the index of its P.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::malloc`], and [`System::place`] must return `place`.
    #[inline(always)]
    pub unsafe fn malloc_at(&self, place: usize, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises.
        unsafe { self.allocate(place, size) }.at
    }

    /// Allocates `n` times `size` bytes, all zero, aligned to 16.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::malloc`].
    #[inline]
    pub unsafe fn calloc(&self, n: usize, size: usize) -> *mut u8 {
        let Some(bytes) = n.checked_mul(size) else { return null_mut() };
        // SAFETY: the caller's promises.
        let block = unsafe { self.allocate(S::place(), bytes) };
        if !block.zero && !block.at.is_null() {
            // SAFETY: `bytes` bytes were allocated.
            unsafe { self.clear(block.at, bytes) };
        }
        block.at
    }

    /// Allocates `size` bytes, aligned to `align`. Returns null if `align` is not a power of two.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::malloc`].
    #[inline(never)]
    pub unsafe fn aligned_alloc(&self, align: usize, size: usize) -> *mut u8 {
        if !align.is_power_of_two() || align > isize::MAX as usize {
            return null_mut();
        }
        // SAFETY: the caller's promises.
        unsafe { self.with_memory(|shard| self.allocate_aligned(shard, align, size)) }.at
    }

    /// Frees an object. Does nothing if `at` is null.
    ///
    /// # Safety
    ///
    /// `at` must be null, or an object of this heap that is no longer used. If the heap detects another pointer, it ends the process.
    #[inline]
    pub unsafe fn free(&self, at: *mut u8) {
        // SAFETY: the caller's promises.
        unsafe { self.free_at(S::place(), at) }
    }

    /// Does the same as [`Heap::free`], for a caller that knows the index of its P.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::free`], and [`System::place`] must return `place`.
    #[inline(always)]
    pub unsafe fn free_at(&self, place: usize, at: *mut u8) {
        let region = self.region();
        let offset = at.addr().wrapping_sub(region.base.addr());
        // A heap that has not started has a region of size 0, so no pointer lies in the region.
        if offset < region.bytes && place < region.places {
            // SAFETY: the offset and the place are within their bounds.
            unsafe {
                let entry = region.entry(offset >> SLAB_SHIFT).load(Relaxed);
                if entry >> 8 == Shard::number_of(SHARED + place) {
                    if self.free_own(region.shard(SHARED + place), at, offset, entry) {
                        self.arenas.obey::<S>(region);
                    }
                    return;
                }
            }
        }
        // SAFETY: the caller's promises.
        unsafe { self.free_other(at) };
    }

    /// Changes the size of an object to `size` bytes, and returns its new address. On failure, returns null and leaves the object unchanged. The
    /// contents up to the smaller size stay. If `at` is null, allocates an object. The result is aligned to 16. [`Heap::realloc_aligned`] keeps
    /// larger alignments.
    ///
    /// # Safety
    ///
    /// `at` must be null, or an object of this heap. If the result is not null, nothing may use the object at `at` any more.
    #[inline]
    pub unsafe fn realloc(&self, at: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises.
        unsafe { self.realloc_aligned(at, ALIGN, size) }
    }

    /// Does the same as [`Heap::realloc`] for an object that was allocated with the alignment `align`. The result has this alignment too.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::realloc`].
    pub unsafe fn realloc_aligned(&self, at: *mut u8, align: usize, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises, and the comment at the copy.
        unsafe {
            if at.is_null() {
                return self.aligned_alloc(align, size);
            }
            let old = self.found(at).size;
            if self.resize(at, size) {
                return at;
            }
            let new = self.aligned_alloc(align, size);
            if !new.is_null() {
                // Both objects have at least `old.min(size)` bytes and do not overlap.
                core::ptr::copy_nonoverlapping(at, new, old.min(size));
                self.free(at);
            }
            new
        }
    }

    /// Changes the size of an object in place. Returns false, and leaves the object unchanged, if the object cannot grow in place, or if at least
    /// half of its memory would be unused. An object of 16 bytes can always shrink in place.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::free`], except that the object may be in use.
    #[inline(never)]
    pub unsafe fn resize(&self, at: *mut u8, size: usize) -> bool {
        // SAFETY: the caller's promise.
        let found = unsafe { self.found(at) };
        if found.entry != RUN || size <= SMALL_MAX {
            return size <= found.size && (size > found.size / 2 || found.size == ALIGN);
        }
        let (first, old) = (found.offset >> SLAB_SHIFT, found.size >> SLAB_SHIFT);
        let Some(new) = slabs(size) else { return false };
        // SAFETY: `first` is the first slab of the object's run.
        let slab = unsafe { self.region().slab(first) };
        if new > old && !self.arenas.extend::<S>(self.region(), first, old, new) {
            return false;
        }
        slab.length.set(new as u32);
        if new < old {
            self.arenas.free(self.region(), first + new, old - new);
        }
        // SAFETY: the caller's promises. A free counts the object's final size, so only the difference is counted here.
        unsafe {
            self.with_shard(|shard| {
                self.enrol(shard);
                shard.slabs_allocated.add(new.saturating_sub(old));
                shard.slabs_freed.add(old.saturating_sub(new));
            });
        }
        self.arenas.obey::<S>(self.region());
        true
    }

    /// Returns the number of usable bytes of an object, at least the size that was allocated. Returns 0 if `at` is null.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::free`], except that the object may be in use.
    #[must_use]
    pub unsafe fn usable_size(&self, at: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        if at.is_null() { 0 } else { unsafe { self.found(at) }.size }
    }

    /// Empties the caches of this P's shard and of the shared shards that are not in use. Then gives free memory back to the system, except for
    /// about `keep` bytes. Returns the number of bytes given back: 0 if another thread is giving memory back.
    ///
    /// # Safety
    ///
    /// The caller must meet the requirements of [`Heap::malloc`].
    pub unsafe fn trim(&self, keep: usize) -> usize {
        let region = self.region();
        if region.places == 0 {
            return 0;
        }
        // SAFETY: the caller's promises. The indices are in bounds.
        unsafe {
            let place = S::place();
            if place < region.places {
                self.flush(region.shard(SHARED + place));
            }
            for index in 0..SHARED {
                let shard = region.shard(index);
                if shard.others.lock.try_lock() {
                    self.flush(shard);
                    shard.others.lock.unlock();
                }
            }
        }
        self.arenas.release::<S>(region, keep >> SLAB_SHIFT) << SLAB_SHIFT
    }

    /// Empties the caches of a shard whose P no longer exists, and completes the frees of the shard's objects through other shards.
    ///
    /// # Safety
    ///
    /// No code may run on the P with this index, and none may start before this function returns.
    pub unsafe fn flush_place(&self, place: usize) {
        if place < self.region().places {
            // SAFETY: the caller's promise.
            unsafe { self.flush(self.region().shard(SHARED + place)) };
            self.arenas.obey::<S>(self.region());
        }
    }

    /// Calls [`Heap::flush_place`] for the Ps with indices from `first` on.
    ///
    /// # Safety
    ///
    /// No code may run on these Ps, and none may start before this function returns.
    pub unsafe fn flush_places_from(&self, first: usize) {
        let used = self.shards_used.load(Relaxed).saturating_sub(SHARED);
        // SAFETY: the caller's promise.
        (first..used).for_each(|place| unsafe { self.flush_place(place) });
    }

    /// Limits the number of bytes in slabs that are in use. Slabs that are already in use stay. Metadata does not count. A call before
    /// [`Heap::start`] has no effect.
    pub fn set_limit(&self, bytes: usize) {
        self.arenas.set_limit::<S>(self.region(), bytes >> SLAB_SHIFT);
    }

    /// The layout of the address space.
    #[inline(always)]
    pub(crate) fn region(&self) -> &Region {
        // SAFETY: only `start` writes the region, before any other function is called.
        unsafe { &*self.region.get() }
    }

    /// Ends the process because of a misuse at the address `at`.
    #[cold]
    #[inline(never)]
    pub(crate) fn corrupt(&self, kind: Corruption, at: *mut u8) -> ! {
        S::corrupt(kind, at.addr())
    }

    /// Calls `act` with the shard of this P, or with a shared shard if there is no P or the P has no shard.
    #[inline(always)]
    unsafe fn with_shard<T: Default>(&self, act: impl Fn(&'static Shard) -> T) -> T {
        let place = S::place();
        if place < self.region().places {
            // SAFETY: the shard exists and belongs to this P.
            return act(unsafe { self.region().shard(SHARED + place) });
        }
        // SAFETY: the caller's promises.
        unsafe { self.with_shared(act) }
    }

    /// Waits for a shared shard that is not in use, and calls `act` with it. Returns the default value if the heap has not started.
    #[cold]
    #[inline(never)]
    unsafe fn with_shared<T: Default>(&self, act: impl Fn(&'static Shard) -> T) -> T {
        if self.region().places == 0 {
            return T::default();
        }
        let mut round = 0;
        loop {
            for index in 0..SHARED {
                // SAFETY: the shard exists.
                let shard = unsafe { self.region().shard(index) };
                if shard.others.lock.try_lock() {
                    let result = act(shard);
                    shard.others.lock.unlock();
                    return result;
                }
                self.arenas.note_contention();
            }
            S::relax(round);
            round = round.saturating_add(1);
        }
    }

    #[inline(always)]
    unsafe fn allocate(&self, place: usize, size: usize) -> Block {
        // SAFETY: the caller's promises. The shard exists and belongs to this P.
        unsafe {
            if size <= SMALL_MAX && place < self.region().places {
                return self.small(self.region().shard(SHARED + place), class_of(size));
            }
            self.allocate_other(size)
        }
    }

    /// Allocates a large object, or allocates from a shared shard.
    #[inline(never)]
    unsafe fn allocate_other(&self, size: usize) -> Block {
        let act = |shard: &'static Shard| {
            // SAFETY: the caller's promises.
            unsafe { if size <= SMALL_MAX { self.small(shard, class_of(size)) } else { self.run(shard, size, 1) } }
        };
        // SAFETY: the caller's promises.
        unsafe { self.with_memory(act) }
    }

    /// Allocates by `act`. If the allocation fails, empties the shard's caches and tries once more.
    #[inline(always)]
    unsafe fn with_memory(&self, act: impl Fn(&'static Shard) -> Block) -> Block {
        // SAFETY: the caller's promises.
        unsafe {
            let mut block = self.with_shard(&act);
            if block.at.is_null() {
                self.with_shard(|shard| self.flush(shard));
                block = self.with_shard(act);
            }
            self.arenas.obey::<S>(self.region());
            block
        }
    }

    unsafe fn allocate_aligned(&self, shard: &Shard, align: usize, size: usize) -> Block {
        // SAFETY: the caller's promises; `index` is a class.
        unsafe {
            if align <= SMALL_MAX && size <= SMALL_MAX {
                // Objects of a class lie at multiples of the class's size. So a class fits if its size is a multiple of `align`. The next power
                // of two is such a multiple, and the class of this size is at most three classes away.
                let mut index = class_of(size.max(align));
                while class(index).size as usize & (align - 1) != 0 {
                    index += 1;
                }
                return self.small(shard, index);
            }
            self.run(shard, size, align.div_ceil(SLAB))
        }
    }

    /// Allocates a run of slabs for `size` bytes, at a multiple of `align` slabs.
    #[inline(never)]
    unsafe fn run(&self, shard: &Shard, size: usize, align: usize) -> Block {
        let region = self.region();
        let Some(n) = slabs(size) else { return Block::NULL };
        self.enrol(shard);
        let Some(first) = self.arenas.acquire::<S>(region, shard.prefer(), n, align) else { return Block::NULL };
        shard.runs_allocated.add(1);
        shard.slabs_allocated.add(n);
        // SAFETY: the run belongs to the caller.
        unsafe {
            region.slab(first).length.set(n as u32);
            region.entry(first).store(RUN, Relaxed);
            Block { at: region.address(first), zero: region.count(region.dirty(), first, n) == 0 }
        }
    }

    /// Frees a large object, an object of another shard, or any object if this code uses a shared shard.
    #[inline(never)]
    unsafe fn free_other(&self, at: *mut u8) {
        if at.is_null() {
            return;
        }
        if self.region().places == 0 {
            self.corrupt(Corruption::NotInUse, at);
        }
        let act = |shard: &'static Shard| {
            // SAFETY: the caller's promises. `found` has checked the pointer.
            unsafe {
                let found = self.found(at);
                if found.entry == RUN {
                    self.free_run(shard, at, found.offset >> SLAB_SHIFT);
                } else if found.entry >> 8 == shard.number() {
                    self.free_own(shard, at, found.offset, found.entry);
                } else {
                    self.free_remote(shard, at, found.offset, found.entry);
                }
            }
        };
        // SAFETY: the caller's promises.
        unsafe { self.with_shard(act) };
        self.arenas.obey::<S>(self.region());
    }

    unsafe fn free_run(&self, shard: &Shard, at: *mut u8, first: usize) {
        let region = self.region();
        self.enrol(shard);
        // SAFETY: the slab lies in the region.
        unsafe {
            let n = region.slab(first).length.get() as usize;
            // If two threads free the run at the same time, only one of the swaps returns `RUN`.
            if region.entry(first).swap(UNUSED, Relaxed) != RUN {
                self.corrupt(Corruption::DoubleFree, at);
            }
            shard.runs_freed.add(1);
            shard.slabs_freed.add(n);
            self.arenas.free(region, first, n);
        }
    }

    /// Finds the object at the address `at`. If no object can begin there, reports a misuse and does not return.
    unsafe fn found(&self, at: *mut u8) -> Found {
        let region = self.region();
        let offset = at.addr().wrapping_sub(region.base.addr());
        if offset >= region.bytes {
            self.corrupt(Corruption::NotInUse, at);
        }
        let (number, inner) = (offset >> SLAB_SHIFT, offset & (SLAB - 1));
        // SAFETY: the pointer lies in the region. An arena has handed out every slab whose page map entry is not `UNUSED`.
        unsafe {
            let entry = region.entry(number).load(Relaxed);
            if entry == UNUSED {
                self.corrupt(Corruption::NotInUse, at);
            }
            let class = if entry == RUN { None } else { Some(class(entry as usize & 0xff)) };
            if class.map_or(inner != 0, |class| !class.begins_at(inner as u32)) {
                self.corrupt(Corruption::NotAnObject, at);
            }
            let size = class.map_or_else(|| (region.slab(number).length.get() as usize) << SLAB_SHIFT, |class| class.size as usize);
            Found { offset, entry, size }
        }
    }

    /// Sets `bytes` bytes of an object to zero.
    #[inline(never)]
    unsafe fn clear(&self, at: *mut u8, bytes: usize) {
        let region = self.region();
        let first = (at.addr() - region.base.addr()) >> SLAB_SHIFT;
        let count = if bytes <= SMALL_MAX { 0 } else { bytes.div_ceil(SLAB) };
        // SAFETY: the caller owns the object.
        unsafe {
            if count == 0 {
                at.write_bytes(0, bytes);
            }
            // Of a run, only the dirty slabs are written. The other slabs are zero, and a write would back them with memory of the system.
            for slab in first..first + count {
                if region.count(region.dirty(), slab, 1) != 0 {
                    region.address(slab).write_bytes(0, SLAB);
                }
            }
        }
    }
}

/// Returns the number of slabs in a run of `size` bytes, at least 1. `None` if `size` exceeds `isize::MAX`.
fn slabs(size: usize) -> Option<usize> {
    (size <= isize::MAX as usize).then(|| size.div_ceil(SLAB).max(1))
}

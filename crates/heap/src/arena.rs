//! Runs of slabs: which runs are free, which run to take, and when free memory goes back to the system.
//!
//! The slabs are divided among a few arenas. Each arena has a lock, which a thread only tries to take. If an arena is busy, an allocation tries the
//! next arena. A freed run belongs to a certain arena. If this arena is busy, the run is pushed to the arena's list `pending`, and the next thread
//! that takes the lock marks the run as free. So an allocation waits only if no arena that it could lock has a suitable run, and another arena is
//! busy or some thread gives a run back to the system.

use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

use crate::System;
use crate::classes::SLAB_SHIFT;
use crate::region::Region;
use crate::sync::{Stack, TryLock};

const ARENAS: usize = 8;

/// log2 of the smallest distance in slabs between the starts of two arenas (1 GiB). So a reservation of up to 1 GiB is a single arena.
const ARENA_SHIFT: u32 = 14;

/// Number of hints of an arena (see [`Arena::hints`]). The last hint is for runs of 8 MiB and more.
const HINTS: usize = 8;

/// The largest number of free slabs that may be dirty (backed by memory of the system): 64 MiB. An operation that finds more dirty slabs gives
/// memory back to the system.
const DIRTY_MAX: usize = 1 << 10;

/// The largest number of slabs that one call of [`System::release`] gives back: 64 MiB.
const RELEASE_MAX: usize = 1 << 10;

/// An arena: a range of slabs. The lock guards the bits of its slabs and all fields except `pending`.
#[repr(align(128))]
struct Arena {
    lock: TryLock,
    /// Runs that were freed while the arena was busy.
    pending: Stack,
    first: Cell<usize>,
    end: Cell<usize>,
    /// Slabs from this number on were never used. Of their metadata, only the bits `committed` may have been written.
    top: Cell<usize>,
    /// The metadata of the arena's slabs below this number is committed.
    ready: Cell<usize>,
    /// No run of 2ⁿ or more free slabs begins below `hints[n]`.
    hints: [Cell<usize>; HINTS],
}

/// The number of slabs (2 MiB in all) that the heap may use beyond its limit while [`System::exceeds`] returns true.
pub(crate) const RESERVE: usize = 32;

/// All arenas, and counts for all of them together. The unit is a slab, except in `contention`.
pub(crate) struct Arenas {
    arenas: [Arena; ARENAS],
    /// log2 of the number of slabs of an arena.
    shift: Cell<u32>,
    /// Held by the thread that gives memory back to the system. Meanwhile other threads give none back.
    releasing: TryLock,
    /// Number of times that the holder of `releasing` has taken a free run or put it back. The number is odd while the holder has a run.
    withheld: AtomicUsize,
    /// Number of slabs in use.
    mapped: AtomicUsize,
    peak: AtomicUsize,
    limit: AtomicUsize,
    /// Number of slabs that are free but still backed by memory of the system.
    dirty: AtomicUsize,
    /// Number of times that a lock was busy.
    contention: AtomicUsize,
}

impl Arena {
    const fn new() -> Self {
        Self {
            lock: TryLock::new(),
            pending: Stack::new(),
            first: Cell::new(0),
            end: Cell::new(0),
            top: Cell::new(0),
            ready: Cell::new(0),
            hints: [const { Cell::new(0) }; HINTS],
        }
    }

    /// Finds the first run of `n` free slabs whose address is a multiple of `align` slabs, a power of two. The caller holds the lock.
    #[inline(never)]
    fn find(&self, region: &Region, n: usize, align: usize) -> Option<usize> {
        let (used, top) = (region.used(), self.top.get());
        // Slabs are aligned to their size, but `base` may not be aligned to `align` slabs.
        let base = region.base.addr() >> SLAB_SHIFT;
        // `ilog2` is not used, because it contains a panic for zero.
        let log = usize::BITS - 1 - (n | 1).leading_zeros();
        let mut at = self.hints.get(log as usize).or(self.hints.last())?.get();
        loop {
            if at < top {
                at = region.find(used, at, top, false);
            }
            let start = ((base + at + align - 1) & !(align - 1)) - base;
            if start + n > self.end.get() {
                return None;
            }
            at = region.find_back(used, start, top.min(start + n), true);
            if at == start {
                if align == 1 {
                    self.raise_hints(n, start);
                }
                return Some(start);
            }
        }
    }

    /// Raises the hints, because no run of `n` free slabs begins below `start`.
    fn raise_hints(&self, n: usize, start: usize) {
        for (log, hint) in self.hints.iter().enumerate() {
            if 1 << log >= n {
                hint.set(hint.get().max(start));
            }
        }
    }

    /// Commits `n` free slabs from `start` on and marks them as used. Returns the number of dirty slabs among them; `None` if the system does
    /// not commit memory. The caller holds the lock.
    fn take<S: System>(&self, region: &Region, start: usize, n: usize) -> Option<usize> {
        while self.ready.get() < start + n {
            let ready = region.commit_metadata::<S>(self.ready.get());
            if ready == self.ready.get() {
                return None;
            }
            self.ready.set(ready);
        }
        if !region.commit_slabs::<S>(start, n, self.first.get(), self.end.get()) {
            return None;
        }
        self.top.set(self.top.get().max(start + n));
        region.set(region.used(), start, n, true);
        Some(region.count(region.dirty(), start, n))
    }

    /// Marks `n` slabs from `start` on as free. If `clean` is true, the system took their memory back and they read as zero. Otherwise the
    /// slabs become dirty. The caller holds the lock.
    fn put(&self, region: &Region, start: usize, n: usize, clean: bool) {
        region.set(region.used(), start, n, false);
        if clean {
            region.set_released(start, n);
        } else {
            region.set(region.dirty(), start, n, true);
        }
        // The freed slabs join the free run that ends at `start`, if there is one. So each hint is lowered to the first slab of the joined run.
        // The search for this slab goes back by at most 2⁷ slabs: if the 2⁷ slabs before `start` were already free, they were a run for every
        // hint, so no hint is above the first of them.
        let low = self.first.get().max(start.saturating_sub(1 << (HINTS - 1)));
        let run = region.find_back(region.used(), low, start, true);
        for hint in &self.hints {
            hint.set(hint.get().min(run));
        }
    }

    /// Finds the last run of slabs below `below` that are both free and dirty. Returns the start and the length of the run; of a longer run, the
    /// last `most` slabs. The caller holds the lock.
    #[inline(never)]
    fn find_dirty(&self, region: &Region, below: usize, most: usize) -> Option<(usize, usize)> {
        let (used, dirty, first) = (region.used(), region.dirty(), self.first.get());
        let mut end = below.min(self.top.get());
        loop {
            end = region.find_back(dirty, first, end, true);
            if end == first {
                return None;
            }
            let free = region.find_back(used, first, end, true);
            if free < end {
                let start = region.find_back(dirty, free, end, false).max(end.saturating_sub(most));
                return Some((start, end - start));
            }
            end = region.find_back(used, first, end, false);
        }
    }
}

impl Arenas {
    pub(crate) const fn new() -> Self {
        Self {
            arenas: [const { Arena::new() }; ARENAS],
            shift: Cell::new(0),
            releasing: TryLock::new(),
            withheld: AtomicUsize::new(0),
            mapped: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            limit: AtomicUsize::new(0),
            dirty: AtomicUsize::new(0),
            contention: AtomicUsize::new(0),
        }
    }

    /// Divides the slabs of the region among the arenas. [`crate::Heap::start`] calls this function once, before all other functions.
    pub(crate) fn start(&self, region: &Region) {
        let shift = region.end.next_power_of_two().trailing_zeros().saturating_sub(ARENAS.trailing_zeros()).max(ARENA_SHIFT);
        for (index, arena) in self.arenas.iter().enumerate() {
            let first = region.first.max(index << shift);
            arena.first.set(first);
            arena.end.set(region.end.min((index + 1) << shift).max(first));
            arena.top.set(first);
            arena.ready.set(first);
            arena.hints.iter().for_each(|hint| hint.set(first));
        }
        self.shift.set(shift);
        self.limit.store(region.end, Relaxed);
    }

    /// Takes a run of `n` slabs whose address is a multiple of `align` slabs, from arena `prefer` if possible. Returns `None` if the limit
    /// forbids the run, no such run is free, or the system refuses memory. Afterwards the caller calls [`Arenas::obey`].
    #[inline(never)]
    pub(crate) fn acquire<S: System>(&self, region: &Region, prefer: usize, n: usize, align: usize) -> Option<usize> {
        if !self.charge::<S>(n) {
            return None;
        }
        let mut round = 0;
        loop {
            let withheld = self.withheld.load(Acquire);
            let mut busy = withheld & 1 != 0;
            for step in 0..ARENAS {
                let arena = self.arenas.get((prefer + step) & (ARENAS - 1))?;
                // In a small reservation some arenas are empty.
                if arena.first.get() == arena.end.get() {
                    continue;
                }
                if !self.lock(region, arena) {
                    busy = true;
                    continue;
                }
                let found = arena.find(region, n, align);
                let taken = found.and_then(|start| arena.take::<S>(region, start, n));
                if let Some(dirty) = taken {
                    self.dirty.fetch_sub(dirty, Relaxed);
                }
                arena.lock.unlock();
                if taken.is_some() {
                    return found;
                }
            }
            // While `release` holds a free run, the run counts as used. So the search is repeated if `release` held a run during the search.
            if !busy && self.withheld.load(Relaxed) == withheld {
                self.mapped.fetch_sub(n, Relaxed);
                return None;
            }
            S::relax(round);
            round = round.saturating_add(1);
        }
    }

    /// Lengthens the run of `n` slabs from `start` on to `new` slabs, in place. Returns true if this succeeded.
    pub(crate) fn extend<S: System>(&self, region: &Region, start: usize, n: usize, new: usize) -> bool {
        let (from, more) = (start + n, new - n);
        let Some(arena) = self.arenas.get(start >> self.shift.get()) else { return false };
        if from + more > arena.end.get() || !self.charge::<S>(more) {
            return false;
        }
        let mut taken = None;
        if self.lock(region, arena) {
            let end = arena.top.get().min(from + more);
            if region.find(region.used(), from, end, true) >= end {
                taken = arena.take::<S>(region, from, more);
            }
            arena.lock.unlock();
        }
        match taken {
            Some(dirty) => self.dirty.fetch_sub(dirty, Relaxed),
            None => self.mapped.fetch_sub(more, Relaxed),
        };
        taken.is_some()
    }

    /// Frees a run that `acquire` or `extend` has taken, or a part of it. Afterwards the caller calls [`Arenas::obey`].
    pub(crate) fn free(&self, region: &Region, start: usize, n: usize) {
        self.mapped.fetch_sub(n, Relaxed);
        self.give_back(region, start, n, false);
    }

    /// Gives memory of free runs back to the system, until at most `keep` dirty slabs are left, or all other dirty slabs are in busy arenas.
    /// Does nothing while another thread gives memory back. Returns the number of slabs given back.
    #[inline(never)]
    pub(crate) fn release<S: System>(&self, region: &Region, keep: usize) -> usize {
        let mut released = 0;
        if !self.releasing.try_lock() {
            return 0;
        }
        for arena in &self.arenas {
            let mut below = usize::MAX;
            loop {
                let most = self.dirty.load(Relaxed).saturating_sub(keep).min(RELEASE_MAX);
                if most == 0 || !self.lock(region, arena) {
                    break;
                }
                // The lock is open while the system takes the memory back, so the run is marked as used.
                let found = arena.find_dirty(region, below, most);
                if let Some((start, n)) = found {
                    region.set(region.used(), start, n, true);
                    self.dirty.fetch_sub(n, Relaxed);
                    // A thread that sees the run as used has taken the arena's lock after this increment, so the thread sees the new number too.
                    self.withheld.fetch_add(1, Relaxed);
                }
                arena.lock.unlock();
                let Some((start, n)) = found else { break };
                S::release(region.base.addr() + (start << SLAB_SHIFT), n << SLAB_SHIFT);
                self.give_back(region, start, n, true);
                self.withheld.fetch_add(1, Release);
                below = start;
                released += n;
            }
        }
        self.releasing.unlock();
        released
    }

    /// Limits the number of slabs in use.
    pub(crate) fn set_limit<S: System>(&self, region: &Region, slabs: usize) {
        self.limit.store(slabs.min(region.end), Relaxed);
        self.obey::<S>(region);
    }

    /// Returns `[mapped, peak, limit, dirty, contention]`. The first four are numbers of slabs. The last is the number of times that a lock was
    /// busy.
    pub(crate) fn counts(&self) -> [usize; 5] {
        [&self.mapped, &self.peak, &self.limit, &self.dirty, &self.contention].map(|count| count.load(Relaxed))
    }

    /// Adds 1 to the number of times that a lock was busy.
    pub(crate) fn note_contention(&self) {
        self.contention.fetch_add(1, Relaxed);
    }

    /// Tries to take the arena's lock. On success, frees the runs in `pending` and returns true.
    fn lock(&self, region: &Region, arena: &Arena) -> bool {
        if !arena.lock.try_lock() {
            self.note_contention();
            return false;
        }
        let run = arena.pending.take();
        if run != 0 {
            self.put_all(region, arena, run);
        }
        true
    }

    /// Marks the runs of the list that begins with `run` as free. The caller holds the arena's lock.
    #[cold]
    #[inline(never)]
    fn put_all(&self, region: &Region, arena: &Arena, mut run: usize) {
        while run != 0 {
            // SAFETY: the run was in use until it was pushed to `pending`.
            let slab = unsafe { region.slab(run) };
            // The link is read before the run is marked as free.
            let next = slab.next_run.get() as usize;
            self.put(region, arena, run, slab.length.get() as usize, slab.clean.get());
            run = next;
        }
    }

    /// Marks a run as free, or pushes it to `pending` if its arena is busy.
    fn give_back(&self, region: &Region, start: usize, n: usize, clean: bool) {
        let Some(arena) = self.arenas.get(start >> self.shift.get()) else { return };
        if self.lock(region, arena) {
            self.put(region, arena, start, n, clean);
            arena.lock.unlock();
            return;
        }
        // SAFETY: the run still belongs to this thread.
        let slab = unsafe { region.slab(start) };
        slab.length.set(n as u32);
        slab.clean.set(clean);
        arena.pending.push(start, |next| slab.next_run.set(next as u32));
    }

    fn put(&self, region: &Region, arena: &Arena, start: usize, n: usize, clean: bool) {
        arena.put(region, start, n, clean);
        if !clean {
            self.dirty.fetch_add(n, Relaxed);
        }
    }

    /// Counts `n` more slabs as used. If this would exceed the limit, counts nothing and returns false.
    fn charge<S: System>(&self, n: usize) -> bool {
        let mut mapped = self.mapped.load(Relaxed);
        let reserve = if S::exceeds() { RESERVE } else { 0 };
        loop {
            let new = mapped.saturating_add(n);
            if new > self.limit.load(Relaxed).saturating_add(reserve) {
                return false;
            }
            match self.mapped.compare_exchange_weak(mapped, new, Relaxed, Relaxed) {
                Ok(_) => {
                    if new > self.peak.load(Relaxed) {
                        self.peak.fetch_max(new, Relaxed);
                    }
                    return true;
                }
                Err(now) => mapped = now,
            }
        }
    }

    /// Gives memory back to the system if more than 64 MiB are dirty, or if used and dirty slabs together exceed the limit. Half of the
    /// allowed dirty memory stays, so that not every call gives memory back.
    ///
    /// Operations that acquire or free slabs call this function last. So the stack frame of this function is not added to their frames.
    #[inline]
    pub(crate) fn obey<S: System>(&self, region: &Region) {
        let room = self.limit.load(Relaxed).saturating_sub(self.mapped.load(Relaxed)).min(DIRTY_MAX);
        if self.dirty.load(Relaxed) > room {
            self.release::<S>(region, room / 2);
        }
    }
}

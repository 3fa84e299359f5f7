//! Runs of slabs: which are free, which to take, and when their memory goes back to the system.
//!
//! The slabs are divided among a few arenas, each with a lock that is only tried. An allocation goes to the next arena if one is
//! busy. A run that is given back belongs to one arena; if that is busy, the run is left in the arena's list, and the next thread
//! that has the lock puts it in order. So the only reason to wait is that every arena is busy at once.

use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::System;
use crate::classes::SLAB_SHIFT;
use crate::region::Region;
use crate::sync::{Stack, TryLock};

const ARENAS: usize = 8;

/// log2 of the slabs of the smallest arena: 1 GiB. A smaller reservation is one arena.
const ARENA_SHIFT: u32 = 14;

/// Hints of an arena; the last one is for runs of 8 MiB and more.
const HINTS: usize = 8;

/// Slabs of free memory that may be dirty before an operation gives some of it back to the system: 64 MiB.
const DIRTY_MAX: usize = 1 << 10;

/// Slabs that go back to the system in one call: 64 MiB.
const RELEASE_MAX: usize = 1 << 10;

/// A part of the slabs. The lock guards all fields, and the bits of the slabs, but not `pending`.
#[repr(align(128))]
struct Arena {
    lock: TryLock,
    /// Runs that were given back while the arena was busy.
    pending: Stack,
    first: Cell<usize>,
    end: Cell<usize>,
    /// Slabs from here on were never used. Neither their bits nor their metadata have been touched.
    top: Cell<usize>,
    /// Slabs below have their metadata committed.
    ready: Cell<usize>,
    /// No run of 2ⁿ or more free slabs begins below the nth of these.
    hints: [Cell<usize>; HINTS],
}

/// All arenas, and what is counted of them, in slabs.
pub(crate) struct Arenas {
    arenas: [Arena; ARENAS],
    /// log2 of the slabs of an arena.
    shift: Cell<u32>,
    /// One thread at a time gives memory back to the system.
    releasing: TryLock,
    /// In use.
    mapped: AtomicUsize,
    peak: AtomicUsize,
    limit: AtomicUsize,
    /// Free, but backed by memory of the system.
    dirty: AtomicUsize,
    /// Number of times that a lock was found taken.
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

    /// The first run of `n` free slabs whose address is a multiple of `align` slabs, a power of two. The caller holds the lock.
    #[inline(never)]
    fn find(&self, region: &Region, n: usize, align: usize) -> Option<usize> {
        let (used, top) = (region.used(), self.top.get());
        // The address of a slab is a multiple of its size, but the base may be of nothing more.
        let base = region.base.addr() >> SLAB_SHIFT;
        // `ilog2` would bring a panic for zero.
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

    /// Notes that no run of `n` free slabs begins below `start`.
    fn raise_hints(&self, n: usize, start: usize) {
        for (log, hint) in self.hints.iter().enumerate() {
            if 1 << log >= n {
                hint.set(hint.get().max(start));
            }
        }
    }

    /// Marks `n` free slabs from `start` on as used. `None` if the system does not commit them; else the number of dirty ones among
    /// them. The caller holds the lock.
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

    /// Marks `n` slabs from `start` on as free, and as dirty unless they are `clean`: zero, and taken back by the system. The caller
    /// holds the lock.
    fn put(&self, region: &Region, start: usize, n: usize, clean: bool) {
        region.set(region.used(), start, n, false);
        if clean {
            region.set_released(start, n);
        } else {
            region.set(region.dirty(), start, n, true);
        }
        // The run may begin before `start`. A longer search is not needed: where more free slabs lie before `start` than the last
        // hint asks for, the hints are already below.
        let low = self.first.get().max(start.saturating_sub(1 << (HINTS - 1)));
        let run = region.find_back(region.used(), low, start, true);
        for hint in &self.hints {
            hint.set(hint.get().min(run));
        }
    }

    /// The last run of free and dirty slabs below `below`, at most `most` slabs: start and length. The caller holds the lock.
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
            mapped: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            limit: AtomicUsize::new(0),
            dirty: AtomicUsize::new(0),
            contention: AtomicUsize::new(0),
        }
    }

    /// Divides the slabs of the region. To be called once, before everything else.
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

    /// Takes a run of `n` slabs whose address is a multiple of `align` slabs, from arena `prefer` if possible. `None` if the limit
    /// forbids it, there is none, or the system refuses memory. The caller calls [`Arenas::obey`] in the end.
    #[inline(never)]
    pub(crate) fn acquire<S: System>(&self, region: &Region, prefer: usize, n: usize, align: usize) -> Option<usize> {
        if !self.charge(n) {
            return None;
        }
        let mut round = 0;
        loop {
            let mut busy = false;
            for step in 0..ARENAS {
                let arena = self.arenas.get((prefer + step) & (ARENAS - 1))?;
                // A small reservation has fewer arenas.
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
            if !busy {
                self.mapped.fetch_sub(n, Relaxed);
                return None;
            }
            S::relax(round);
            round = round.saturating_add(1);
        }
    }

    /// Lengthens the run of `n` slabs from `start` on to `new` slabs. Whether it did.
    pub(crate) fn extend<S: System>(&self, region: &Region, start: usize, n: usize, new: usize) -> bool {
        let (from, more) = (start + n, new - n);
        let Some(arena) = self.arenas.get(start >> self.shift.get()) else { return false };
        if from + more > arena.end.get() || !self.charge(more) {
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

    /// Gives a run back that was taken. The caller calls [`Arenas::obey`] in the end.
    pub(crate) fn free(&self, region: &Region, start: usize, n: usize) {
        self.mapped.fetch_sub(n, Relaxed);
        self.give_back(region, start, n, false);
    }

    /// Gives memory of free runs back to the system until at most `keep` slabs of it are left, or nothing can be done at once.
    /// Returns the number of slabs.
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
                // The run counts as used while the system works on it, without the lock.
                let found = arena.find_dirty(region, below, most);
                if let Some((start, n)) = found {
                    region.set(region.used(), start, n, true);
                    self.dirty.fetch_sub(n, Relaxed);
                }
                arena.lock.unlock();
                let Some((start, n)) = found else { break };
                S::release(region.base.addr() + (start << SLAB_SHIFT), n << SLAB_SHIFT);
                self.give_back(region, start, n, true);
                below = start;
                released += n;
            }
        }
        self.releasing.unlock();
        released
    }

    /// Sets the limit of what may be in use, in slabs.
    pub(crate) fn set_limit<S: System>(&self, region: &Region, slabs: usize) {
        self.limit.store(slabs.min(region.end), Relaxed);
        self.obey::<S>(region);
    }

    /// In use, most that was in use, limit, dirty but free, all in slabs; and how often a lock was found taken.
    pub(crate) fn counts(&self) -> [usize; 5] {
        [&self.mapped, &self.peak, &self.limit, &self.dirty, &self.contention].map(|count| count.load(Relaxed))
    }

    /// Notes that a lock was found taken.
    pub(crate) fn note_contention(&self) {
        self.contention.fetch_add(1, Relaxed);
    }

    /// Takes the arena's lock, unless it is busy, and puts in order what was left while it was.
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

    /// Puts runs in order that were left, from `run` on.
    #[cold]
    #[inline(never)]
    fn put_all(&self, region: &Region, arena: &Arena, mut run: usize) {
        while run != 0 {
            // SAFETY: it was in use until it was left here.
            let slab = unsafe { region.slab(run) };
            // Read before the run is free.
            let next = slab.next_run.get() as usize;
            self.put(region, arena, run, slab.length.get() as usize, slab.clean.get());
            run = next;
        }
    }

    /// Marks a run as free, now or when the arena is not busy any more.
    fn give_back(&self, region: &Region, start: usize, n: usize, clean: bool) {
        let Some(arena) = self.arenas.get(start >> self.shift.get()) else { return };
        if self.lock(region, arena) {
            self.put(region, arena, start, n, clean);
            arena.lock.unlock();
            return;
        }
        // SAFETY: the run is still this thread's.
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

    /// Counts `n` slabs as used, unless they exceed the limit.
    fn charge(&self, n: usize) -> bool {
        let mut mapped = self.mapped.load(Relaxed);
        loop {
            let new = mapped.saturating_add(n);
            if new > self.limit.load(Relaxed) {
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

    /// Gives memory back to the system if there is too much of it: more than 64 MiB, or, with what is in use, more than the limit.
    /// Half of what is allowed stays, so that this does not happen at every call.
    ///
    /// To be called last by operations that acquire or free slabs, so that its frame is not added to theirs.
    #[inline]
    pub(crate) fn obey<S: System>(&self, region: &Region) {
        let room = self.limit.load(Relaxed).saturating_sub(self.mapped.load(Relaxed)).min(DIRTY_MAX);
        if self.dirty.load(Relaxed) > room {
            self.release::<S>(region, room / 2);
        }
    }
}

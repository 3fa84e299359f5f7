//! Statistics of the heap.

use core::sync::atomic::Ordering::Relaxed;

use crate::classes::{CLASSES, SLAB_SHIFT, class};
use crate::shard::Shard;
use crate::sync::Counter;
use crate::{Heap, System};

/// Statistics of the heap. They are exact while no thread allocates or frees. Otherwise the fields may describe slightly different moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Stats {
    /// Number of bytes in the allocated objects, counted by usable size.
    pub live_bytes: u64,
    /// Number of allocated objects.
    pub live_objects: u64,
    /// Number of bytes ever allocated.
    pub allocated_bytes: u64,
    /// Number of objects ever allocated.
    pub allocated_objects: u64,
    /// Number of bytes ever freed.
    pub freed_bytes: u64,
    /// Number of objects ever freed.
    pub freed_objects: u64,
    /// Number of bytes in slabs that hold objects or that shards keep for later objects.
    pub mapped: u64,
    /// The largest value that `mapped` has had, in bytes. It may include slabs for allocations that failed.
    pub peak_mapped: u64,
    /// Number of bytes that are free but still backed by memory of the system.
    pub dirty_free: u64,
    /// Size of the reserved address space, in bytes.
    pub reserved: u64,
    /// The limit of `mapped`, in bytes.
    pub limit: u64,
    /// Number of small objects that were freed through a shard other than the shard that owns them.
    pub remote_frees: u64,
    /// Number of attempts to take a lock that found the lock busy.
    pub contention: u64,
}

impl<S: System> Heap<S> {
    /// Returns the heap's statistics.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let [mapped, peak, limit, dirty, contention] = self.arenas.counts();
        // Frees are summed first. Otherwise an object that is allocated and freed during the summation could count as freed but not as allocated.
        let (mut remote_frees, mut freed, mut allocated) = (0, Sum::default(), Sum::default());
        for shard in self.shards() {
            remote_frees += shard.remote_frees.get() as u64;
            freed.add(shard, &shard.runs_freed, &shard.slabs_freed, |shard, class| shard.bin(class).freed.get());
        }
        for shard in self.shards() {
            allocated.add(shard, &shard.runs_allocated, &shard.slabs_allocated, |shard, class| shard.bin(class).allocated.get());
        }
        Stats {
            live_bytes: allocated.bytes.saturating_sub(freed.bytes),
            live_objects: allocated.objects.saturating_sub(freed.objects),
            allocated_bytes: allocated.bytes,
            allocated_objects: allocated.objects,
            freed_bytes: freed.bytes,
            freed_objects: freed.objects,
            mapped: (mapped << SLAB_SHIFT) as u64,
            peak_mapped: (peak << SLAB_SHIFT) as u64,
            dirty_free: (dirty << SLAB_SHIFT) as u64,
            reserved: self.region().bytes as u64,
            limit: (limit << SLAB_SHIFT) as u64,
            remote_frees,
            contention: contention as u64,
        }
    }

    /// Iterates over all shards that may have been used.
    fn shards(&self) -> impl Iterator<Item = &Shard> {
        // SAFETY: `shards_used` is at most the number of shards.
        (0..self.shards_used.load(Relaxed)).map(|index| unsafe { self.region().shard(index) })
    }
}

#[derive(Default)]
struct Sum {
    objects: u64,
    bytes: u64,
}

impl Sum {
    /// Adds the counts of a shard: `runs` counts large objects (each is a run of slabs), `slabs` counts the slabs of all runs, and `small` returns
    /// the number of small objects of a class.
    fn add(&mut self, shard: &Shard, runs: &Counter, slabs: &Counter, small: impl Fn(&Shard, usize) -> usize) {
        self.objects += runs.get() as u64;
        self.bytes += (slabs.get() << SLAB_SHIFT) as u64;
        for index in 0..CLASSES {
            let objects = small(shard, index) as u64;
            self.objects += objects;
            // SAFETY: `index` is less than `CLASSES`.
            self.bytes += objects * u64::from(unsafe { class(index) }.size);
        }
    }
}

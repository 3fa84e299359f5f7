//! The heap: C's functions for memory, and what Go asks of it.

use crate::state::{State, state};
use core::ffi::c_void;
use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::Ordering;
use rustgo_heap::{Corruption, NONE, System};

/// The host of the heap: go/rt/heap_amd64.s and heap_arm64.s.
pub struct Go;

/// What every call needs first.
#[repr(C)]
struct Here {
    /// The number of the processor (P), or -1 if there is none.
    place: usize,
    /// See [`state`]: one call gives both.
    state: *const c_void,
}

impl Here {
    #[inline(always)]
    fn state(&self) -> &'static State {
        // SAFETY: it is the address that `rustgo_heap_state` returns.
        unsafe { State::at(self.state) }
    }
}

unsafe extern "C" {
    fn rustgo_heap_processor() -> Here;
    fn rustgo_heap_commit(at: usize, size: usize) -> usize;
    fn rustgo_heap_release(at: usize, size: usize, strict: usize);
    fn rustgo_heap_relax(round: usize);
    fn rustgo_heap_corrupt(kind: usize, at: usize) -> !;
}

impl System for Go {
    #[inline(always)]
    fn place() -> usize {
        // The function returns -1 for none.
        const { assert!(NONE == usize::MAX) };
        // SAFETY: it only reads.
        unsafe { rustgo_heap_processor() }.place
    }

    fn commit(at: usize, len: usize) -> bool {
        // SAFETY: the heap owns that memory.
        unsafe { rustgo_heap_commit(at, len) != 0 }
    }

    fn release(at: usize, len: usize) {
        // SAFETY: the heap owns that memory and has nothing there.
        unsafe { rustgo_heap_release(at, len, usize::from(state().strict.load(Ordering::Relaxed))) }
    }

    fn relax(round: u32) {
        // SAFETY: it only passes time.
        unsafe { rustgo_heap_relax(round as usize) }
    }

    fn corrupt(kind: Corruption, at: usize) -> ! {
        // SAFETY: it ends the process.
        unsafe { rustgo_heap_corrupt(kind as usize, at) }
    }
}

/// heapStart gives the heap its address space. It returns false if that is too small.
#[rustgo::export(name = "heapStart")]
pub fn start(base: usize, size: usize, strict: bool) -> bool {
    state().strict.store(strict, Ordering::Relaxed);
    // SAFETY: Go has reserved the memory, and calls this once, before anything else.
    unsafe { state().heap.start(with_exposed_provenance_mut(base), size, strict) }
}

/// heapStats fills in the statistics of the heap, in the order of rustgo_heap::Stats.
#[rustgo::export(name = "heapStats")]
pub fn stats(numbers: &mut [u64; 13]) {
    let stats = state().heap.stats();
    *numbers = [
        stats.live_bytes,
        stats.live_objects,
        stats.allocated_bytes,
        stats.allocated_objects,
        stats.freed_bytes,
        stats.freed_objects,
        stats.mapped,
        stats.peak_mapped,
        stats.dirty_free,
        stats.reserved,
        stats.limit,
        stats.remote_frees,
        stats.contention,
    ];
}

/// heapTrim gives free memory back to the system, but for about keep bytes of it. It returns how many bytes it gave back.
#[rustgo::export(name = "heapTrim")]
pub fn trim(keep: usize) -> usize {
    // SAFETY: `place` tells the truth.
    unsafe { state().heap.trim(keep) }
}

/// heapLimit limits how many bytes the heap may have from the system.
#[rustgo::export(name = "heapLimit")]
pub fn limit(bytes: usize) {
    state().heap.set_limit(bytes);
}

/// # Safety
/// As malloc of C.
pub unsafe extern "C" fn malloc(size: usize) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe {
        let here = rustgo_heap_processor();
        here.state().heap.malloc_at(here.place, size)
    }
}

/// # Safety
/// As calloc of C.
pub unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { state().heap.calloc(count, size) }
}

/// # Safety
/// As realloc of C.
pub unsafe extern "C" fn realloc(at: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { state().heap.realloc(at, size) }
}

/// # Safety
/// As aligned_alloc of C, for any size.
pub unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { state().heap.aligned_alloc(alignment, size) }
}

/// # Safety
/// As posix_memalign of POSIX.
pub unsafe extern "C" fn posix_memalign(to: *mut *mut u8, alignment: usize, size: usize) -> i32 {
    const EINVAL: i32 = 22;
    const ENOMEM: i32 = 12;
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
        return EINVAL;
    }
    // SAFETY: the caller's.
    let at = unsafe { state().heap.aligned_alloc(alignment, size) };
    if at.is_null() {
        return ENOMEM;
    }
    // SAFETY: the caller's.
    unsafe { *to = at };
    0
}

/// # Safety
/// As malloc_usable_size of glibc.
pub unsafe extern "C" fn usable_size(at: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe { state().heap.usable_size(at) }
}

/// # Safety
/// As free of C.
pub unsafe extern "C" fn free(at: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        let here = rustgo_heap_processor();
        here.state().heap.free_at(here.place, at)
    }
}

rustgo::__routine!(malloc as "malloc");
rustgo::__routine!(calloc as "calloc");
rustgo::__routine!(realloc as "realloc");
rustgo::__routine!(aligned_alloc as "alignedAlloc");
rustgo::__routine!(posix_memalign as "posixMemalign");
rustgo::__routine!(usable_size as "usableSize");
rustgo::__routine!(free as "free");

//! The heap: C's allocation functions, and the functions that Go calls.

use crate::state::{Go, State, state};
use core::ffi::c_void;
use core::ptr::with_exposed_provenance_mut;
use core::sync::atomic::Ordering;
use rustgo_heap::{Corruption, NONE, System};

/// The place and the state, which `rustgo_heap_processor` returns in one call.
#[repr(C)]
struct Here {
    /// The index of the P (processor of Go's scheduler), or -1 without a P.
    place: usize,
    /// The address that `rustgo_heap_state` returns.
    state: *const c_void,
}

impl Here {
    #[inline(always)]
    fn state(&self) -> &'static State {
        // SAFETY: `self.state` is the address that `rustgo_heap_state` returns.
        unsafe { State::at(self.state) }
    }
}

// These functions are assembly in go/rt/heap_amd64.s and go/rt/heap_arm64.s.
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
        // Without a P, `rustgo_heap_processor` returns -1, and -1 must equal `NONE`.
        const { assert!(NONE == usize::MAX) };
        // SAFETY: the function only reads.
        unsafe { rustgo_heap_processor() }.place
    }

    fn commit(at: usize, len: usize) -> bool {
        // SAFETY: the memory belongs to the heap.
        unsafe { rustgo_heap_commit(at, len) != 0 }
    }

    fn release(at: usize, len: usize) {
        // SAFETY: the memory belongs to the heap, which has no objects there.
        unsafe { rustgo_heap_release(at, len, usize::from(state().strict.load(Ordering::Relaxed))) }
    }

    fn exceeds() -> bool {
        let word = state().panicking.load(Ordering::Relaxed);
        // SAFETY: `start` has stored the address of a Go variable, and Go accesses the variable only atomically.
        unsafe { word.as_ref() }.is_some_and(|word| word.load(Ordering::Relaxed) != 0)
    }

    fn relax(round: u32) {
        // SAFETY: the function only waits.
        unsafe { rustgo_heap_relax(round as usize) }
    }

    fn corrupt(kind: Corruption, at: usize) -> ! {
        // SAFETY: the function ends the process.
        unsafe { rustgo_heap_corrupt(kind as usize, at) }
    }
}

/// heapStart gives the heap its address space. It returns false if the space is too small. panicking is the address of a word that is not 0 while
/// Rust code makes a panic.
#[rustgo::export(name = "heapStart")]
pub fn start(base: usize, size: usize, strict: bool, panicking: usize) -> bool {
    state().strict.store(strict, Ordering::Relaxed);
    state().panicking.store(with_exposed_provenance_mut(panicking), Ordering::Relaxed);
    // SAFETY: Go has reserved the memory, and calls this function once, before all others.
    unsafe { state().heap.start(with_exposed_provenance_mut(base), size, strict) }
}

/// heapStats writes the statistics of the heap, in the order of rustgo_heap::Stats.
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

/// heapTrim gives free memory back to the system, except for about keep bytes. It returns the number of bytes given back. The Ps with the number
/// ended or a higher one are no longer in use, and none of them is used again before heapTrim returns.
#[rustgo::export(name = "heapTrim")]
pub fn trim(keep: usize, ended: usize) -> usize {
    // SAFETY: `Go::place` is correct, and no code runs on the Ps with the number `ended` or a higher one.
    unsafe {
        state().heap.flush_places_from(ended);
        state().heap.trim(keep)
    }
}

/// heapLimit limits the number of bytes of the system's memory that the heap may use.
#[rustgo::export(name = "heapLimit")]
pub fn limit(bytes: usize) {
    state().heap.set_limit(bytes);
}

/// # Safety
/// The caller must meet the requirements of C's `malloc`.
pub unsafe extern "C" fn malloc(size: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        let here = rustgo_heap_processor();
        here.state().heap.malloc_at(here.place, size)
    }
}

/// # Safety
/// The caller must meet the requirements of C's `calloc`.
pub unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { state().heap.calloc(count, size) }
}

/// # Safety
/// The caller must meet the requirements of C's `realloc`.
pub unsafe extern "C" fn realloc(at: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { state().heap.realloc(at, size) }
}

/// # Safety
/// The caller must meet the requirements of C's `aligned_alloc`, except that any size is allowed.
pub unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { state().heap.aligned_alloc(alignment, size) }
}

/// # Safety
/// The caller must meet the requirements of POSIX's `posix_memalign`.
pub unsafe extern "C" fn posix_memalign(to: *mut *mut u8, alignment: usize, size: usize) -> i32 {
    const EINVAL: i32 = 22;
    const ENOMEM: i32 = 12;
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
        return EINVAL;
    }
    // SAFETY: the caller's promise.
    let at = unsafe { state().heap.aligned_alloc(alignment, size) };
    if at.is_null() {
        return ENOMEM;
    }
    // SAFETY: the caller's promise.
    unsafe { *to = at };
    0
}

/// # Safety
/// The caller must meet the requirements of glibc's `malloc_usable_size`.
pub unsafe extern "C" fn usable_size(at: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    unsafe { state().heap.usable_size(at) }
}

/// # Safety
/// The caller must meet the requirements of C's `free`.
pub unsafe extern "C" fn free(at: *mut u8) {
    // SAFETY: the caller's promise.
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

//! Tests sizes, alignments, resizing, giving memory back to the system, and failures for lack of memory.
#![cfg(all(unix, not(loom)))]

mod common;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock};
use std::thread::JoinHandle;

use common::{RELAXED, check_all_returned, lazy, run_on, strict, system_calls};
use rustgo_heap::{Heap, NONE, Stats};

const MIB: usize = 1 << 20;

#[test]
fn size_zero_gives_objects_of_16_bytes() {
    let heap = lazy(16 * MIB);
    // SAFETY: objects are freed once.
    unsafe {
        let all = [heap.malloc(0), heap.malloc(0), heap.calloc(0, 8), heap.aligned_alloc(1, 0), heap.realloc(std::ptr::null_mut(), 0)];
        for (index, at) in all.iter().enumerate() {
            assert!(!at.is_null() && !all[..index].contains(at));
            assert_eq!(heap.usable_size(*at), 16);
        }
        let at = heap.realloc(heap.malloc(1000), 0);
        assert_eq!(heap.usable_size(at), 16);
        heap.free(at);
        all.into_iter().for_each(|at| heap.free(at));
        heap.free(std::ptr::null_mut());
        assert_eq!(heap.usable_size(std::ptr::null_mut()), 0);
    }
    check_all_returned(heap, 1);
}

#[test]
fn sizes_and_alignments_beyond_the_limit_fail() {
    let heap = lazy(1 << 40);
    let max = isize::MAX as usize;
    // SAFETY: `at` is the only object.
    unsafe {
        for size in [max, max + 1, usize::MAX, usize::MAX - 15, 1 << 40, (1 << 37) + 1] {
            assert!(heap.malloc(size).is_null() && heap.calloc(1, size).is_null() && heap.aligned_alloc(64, size).is_null());
            assert!(heap.aligned_alloc(1 << 20, size).is_null());
            let at = heap.malloc(100);
            assert!(heap.realloc(at, size).is_null() && !heap.resize(at, size));
            let large = heap.realloc(at, MIB);
            assert!(heap.realloc(large, size).is_null() && !heap.resize(large, size));
            heap.free(large);
        }
        assert!(
            heap.calloc(1 << 32, 1 << 32).is_null() && heap.calloc(usize::MAX, 2).is_null() && heap.calloc(3, usize::MAX / 2).is_null()
        );
        for align in [0, 3, 24, usize::MAX, 1 << 63] {
            assert!(heap.aligned_alloc(align, 8).is_null());
        }
        assert!(heap.aligned_alloc(1 << 62, 8).is_null());
    }
    assert_eq!(heap.stats().allocated_objects, heap.stats().freed_objects);
    check_all_returned(heap, 1);
}

#[test]
fn objects_have_every_alignment() {
    let heap: &Heap<common::Lazy> = Box::leak(Box::new(Heap::new()));
    // The base is aligned to a slab, but not to a larger power of two.
    let base = common::reserve(1 << 35, libc::PROT_READ | libc::PROT_WRITE);
    let odd = base.wrapping_add(base.align_offset(128 << 10) + (64 << 10));
    // SAFETY: the memory is new.
    assert!(unsafe { heap.start(odd, 1 << 34, false) });
    let mut all = Vec::new();
    for align in (0..26).map(|log| 1_usize << log) {
        for size in [0, 1, 16, 24, 100, 1000, 4096, 5000, 20_000, 32_768, 40_000, 70_000] {
            // SAFETY: the object has `size` bytes.
            unsafe {
                let at = heap.aligned_alloc(align, size);
                assert!(!at.is_null() && at.addr().is_multiple_of(align) && heap.usable_size(at) >= size);
                at.write_bytes(1, size);
                all.push(at);
            }
        }
    }
    // SAFETY: each object is freed once.
    all.into_iter().for_each(|at| unsafe { heap.free(at) });
    check_all_returned(heap, 1);
}

#[test]
fn an_aligned_object_stays_aligned() {
    let heap = lazy(1 << 30);
    // SAFETY: the object has this size.
    unsafe {
        for align in [64, 4096, MIB] {
            let mut at = heap.aligned_alloc(align, 1);
            for size in [10, 5000, 50_000, 3 * MIB, 100_000, 20] {
                at = heap.realloc_aligned(at, align, size);
                assert!(at.addr().is_multiple_of(align));
                at.write_bytes(7, size);
            }
            heap.free(at);
        }
    }
    check_all_returned(heap, 1);
}

#[test]
fn objects_are_resized_in_place() {
    let heap = lazy(1 << 30);
    // SAFETY: the objects are allocated.
    unsafe {
        let small = heap.malloc(100);
        assert!(heap.resize(small, 112) && heap.resize(small, 57) && !heap.resize(small, 113) && !heap.resize(small, 56));
        let large = heap.malloc(MIB);
        assert!(heap.resize(large, 100 * MIB) && heap.resize(large, MIB + 1));
        assert_eq!(heap.usable_size(large), MIB + (64 << 10));
        let next = heap.malloc(MIB);
        assert_eq!(next.addr(), large.addr() + MIB + (64 << 10));
        assert!(!heap.resize(large, 2 * MIB) && !heap.resize(large, 10));
        let stats = heap.stats();
        assert_eq!((stats.live_objects, stats.live_bytes), (3, 112 + 2 * MIB as u64 + (64 << 10)));
        [small, large, next].into_iter().for_each(|at| heap.free(at));
    }
    check_all_returned(heap, 1);
}

#[test]
fn calloc_writes_only_used_memory() {
    let heap = lazy(1 << 36);
    // SAFETY: the objects have these sizes.
    unsafe {
        for size in [16, 48, 1000, 30_000] {
            for _ in 0..3 {
                let all: Vec<_> = (0..100).map(|_| heap.calloc(1, size)).collect();
                for at in all {
                    assert!(std::slice::from_raw_parts(at, size).iter().all(|byte| *byte == 0));
                    at.write_bytes(0xff, size);
                    heap.free(at);
                }
            }
        }
        // `calloc` must not write a fresh gigabyte.
        let huge = heap.calloc(1 << 10, MIB - 1);
        assert_eq!(huge.add(1 << 29).read(), 0);
        assert!(resident(huge, 1 << 30) < MIB);
        huge.write_bytes(1, 4 * MIB);
        heap.free(huge);
        // A part of this object's memory was used before.
        let again = heap.calloc(1, 16 * MIB);
        assert!(again <= huge && huge < again.add(16 * MIB));
        assert!(std::slice::from_raw_parts(again, 16 * MIB).iter().all(|byte| *byte == 0));
        heap.free(again);
    }
    check_all_returned(heap, 1);
}

#[test]
fn the_limit_holds_and_memory_comes_back() {
    let heap = lazy(1 << 30);
    heap.set_limit(10 * MIB);
    let fill = |size| {
        // SAFETY: the objects are not used.
        let all: Vec<_> = std::iter::repeat_with(|| unsafe { heap.malloc(size) }).take_while(|at| !at.is_null()).collect();
        let count = all.len();
        // SAFETY: each object is freed once.
        all.into_iter().for_each(|at| unsafe { heap.free(at) });
        count
    };
    for _ in 0..3 {
        assert_eq!(fill(MIB), 10);
        assert_eq!(fill(1024), 10 * 1024);
        assert_eq!(fill(16), 10 * MIB / 16);
        assert!(heap.stats().dirty_free + heap.stats().mapped <= 10 * MIB as u64);
    }
    heap.set_limit(usize::MAX);
    assert_eq!(heap.stats().peak_mapped, 10 * MIB as u64);
    assert_eq!(heap.stats().limit, heap.stats().reserved);
    check_all_returned(heap, 1);
}

#[test]
fn a_panic_may_exceed_the_limit_a_little() {
    let heap = lazy(1 << 30);
    heap.set_limit(10 * MIB);
    // SAFETY: each object is freed once.
    let fill = |size| std::iter::repeat_with(|| unsafe { heap.malloc(size) }).take_while(|at| !at.is_null()).collect::<Vec<_>>();
    let mut all = fill(48);
    assert!(fill(16).is_empty(), "the objects have taken all slabs");
    common::set_exceeds(true);
    let reserve = [fill(16).len(), fill(MIB).len()];
    common::set_exceeds(false);
    assert_eq!(reserve, [2 * MIB / 16, 0]);
    assert_eq!(heap.stats().mapped, 12 * MIB as u64);
    assert!(fill(48).is_empty() && fill(16).is_empty(), "the limit holds again");
    // SAFETY: each object is freed once.
    all.drain(..).for_each(|at| unsafe { heap.free(at) });
}

#[test]
fn free_memory_goes_back_to_the_system() {
    let heap = lazy(1 << 32);
    // SAFETY: each object is freed once.
    unsafe {
        let all: Vec<_> = (0..300).map(|_| heap.malloc(MIB)).collect();
        for at in &all {
            at.write_bytes(1, MIB);
        }
        for (index, at) in all.iter().enumerate() {
            if index != 150 {
                heap.free(*at);
            }
        }
        assert!(heap.stats().dirty_free <= 64 * MIB as u64, "{:?}", heap.stats());
        assert!(resident(all[0], 300 * MIB) <= 66 * MIB);
        let before = heap.stats().dirty_free as usize;
        assert_eq!(heap.trim(8 * MIB), before - 8 * MIB);
        assert_eq!(system_calls().1, 291 * MIB);
        assert_eq!(resident(all[0], 300 * MIB), 9 * MIB);
        assert_eq!(all[150].add(12345).read(), 1);
        heap.free(all[150]);
    }
    check_all_returned(heap, 1);
}

#[test]
fn allocation_waits_for_a_trim() {
    static HEAP: OnceLock<&Heap<common::Lazy>> = OnceLock::new();
    static OTHER: Mutex<Option<JoinHandle<bool>>> = Mutex::new(None);
    let heap = HEAP.get_or_init(|| lazy(64 * MIB));
    let size = 40 * MIB;
    // SAFETY: the object is freed once.
    unsafe { heap.free(heap.malloc(size)) };
    // While this thread gives the run back to the system, the heap has no other free run of this size.
    common::while_releasing(|| {
        let waits = RELAXED.load(Relaxed);
        let other = std::thread::spawn(move || {
            run_on(1);
            // SAFETY: the object is freed once.
            unsafe {
                let at = HEAP.wait().malloc(40 * MIB);
                HEAP.wait().free(at);
                !at.is_null()
            }
        });
        while !other.is_finished() && RELAXED.load(Relaxed) == waits {
            std::thread::yield_now();
        }
        *OTHER.lock().unwrap() = Some(other);
    });
    // SAFETY: the heap has started.
    unsafe { heap.trim(0) };
    let other = OTHER.lock().unwrap().take().expect("memory went back to the system");
    assert!(other.join().unwrap(), "no memory was found");
    check_all_returned(heap, 2);
}

#[test]
fn free_objects_are_used_again() {
    let heap = lazy(1 << 30);
    for size in [16, 100, 5000, 32_768] {
        // SAFETY: each object is freed once.
        unsafe {
            let mut all: Vec<_> = (0..3000).map(|_| heap.malloc(size)).collect();
            let mapped = heap.stats().mapped;
            all.iter().step_by(2).for_each(|at| heap.free(*at));
            all.iter_mut().step_by(2).for_each(|at| *at = heap.malloc(size));
            assert_eq!(heap.stats().mapped, mapped);
            all.into_iter().for_each(|at| heap.free(at));
        }
    }
    check_all_returned(heap, 1);
}

#[test]
fn free_runs_are_joined_and_used_again() {
    let heap = lazy(1 << 30);
    // SAFETY: each object is freed once.
    unsafe {
        let all: Vec<_> = (0..10).map(|_| heap.malloc(256 << 10)).collect();
        heap.free(all[3]);
        // The new object is too large for the free run, so the search goes on to the end and raises the hints.
        let two = heap.malloc(512 << 10);
        assert!(two > all[9]);
        heap.free(all[4]);
        assert_eq!(heap.malloc(512 << 10), all[3]);
        heap.free(all[2]);
        assert_eq!(heap.malloc(256 << 10), all[2]);
        heap.free(all[2]);
        heap.free(all[3]);
        [0, 1, 5, 6, 7, 8, 9].into_iter().for_each(|index| heap.free(all[index]));
        heap.free(two);
    }
    check_all_returned(heap, 1);
}

#[test]
fn metadata_is_committed_as_the_heap_grows() {
    let heap = strict(1 << 40);
    // SAFETY: each object is freed once.
    unsafe {
        let all = [3 << 30, 100, 5 << 30, 100_000].map(|size| heap.malloc(size));
        all.into_iter().for_each(|at| heap.free(at));
    }
    check_all_returned(heap, 1);
}

#[test]
fn a_strict_system_commits_what_is_used() {
    let heap = strict(1 << 40);
    let started = system_calls().0;
    // The start commits little more than the page map, which takes 64 MiB.
    assert!(started <= 66 * MIB);
    // SAFETY: the object is not used.
    unsafe {
        let at = heap.malloc(1);
        // This allocation commits the object's slab, and the metadata of 1 GiB of slabs in four arrays.
        assert!(system_calls().0 - started <= 10 * MIB);
        let before = system_calls().0;
        let large = heap.malloc(100 * MIB);
        assert!((100 * MIB..=101 * MIB).contains(&(system_calls().0 - before)));
        heap.free(large);
        heap.free(at);
    }
    check_all_returned(heap, 1);
}

#[test]
fn places_without_a_shard_use_a_shared_one() {
    let heap = lazy(1 << 30);
    for place in [1023, 1024, 5000, NONE, NONE - 1] {
        run_on(place);
        // SAFETY: the object is freed once.
        unsafe { heap.free(heap.malloc(100)) };
    }
    assert_eq!((heap.stats().live_objects, heap.stats().remote_frees), (0, 0));
    check_all_returned(heap, 1024);
}

#[test]
fn flushing_a_place_returns_its_memory() {
    let heap = lazy(1 << 30);
    run_on(7);
    // SAFETY: each object is freed once. No thread runs on place 7 afterwards.
    unsafe {
        let all: Vec<_> = (0..10_000).map(|_| heap.malloc(100)).collect();
        run_on(3);
        all.into_iter().for_each(|at| heap.free(at));
        assert!(heap.stats().mapped > 900_000);
        heap.flush_places_from(8);
        assert!(heap.stats().mapped > 900_000);
        heap.flush_places_from(7);
        assert_eq!(heap.stats().mapped, 0);
        heap.flush_places_from(10_000);
    }
}

#[test]
fn heap_before_start_has_no_memory() {
    static HEAP: Heap<common::Lazy> = Heap::new();
    for place in [0, NONE] {
        run_on(place);
        // SAFETY: nothing is allocated.
        unsafe {
            assert!(HEAP.malloc(1).is_null() && HEAP.calloc(1, 1).is_null() && HEAP.aligned_alloc(4096, 1).is_null());
            assert_eq!(HEAP.trim(0), 0);
        }
    }
    assert_eq!(HEAP.stats(), Stats::default());
    let memory = common::reserve(64 << 10, libc::PROT_READ | libc::PROT_WRITE);
    // SAFETY: the memory is new.
    assert!(!unsafe { HEAP.start(memory, 64 << 10, false) });
}

#[test]
fn the_smallest_heap() {
    // The base is not aligned to a slab.
    let size = 4 * MIB;
    let base = common::reserve(size, libc::PROT_READ | libc::PROT_WRITE).wrapping_add(4096);
    let heap: &Heap<common::Lazy> = Box::leak(Box::new(Heap::new()));
    // SAFETY: the memory is new. Each object is freed once.
    unsafe {
        assert!(heap.start(base, size - 4096, false));
        let all: Vec<_> = std::iter::repeat_with(|| heap.malloc(1000)).take_while(|at| !at.is_null()).collect();
        assert!(all.len() * 1024 > 3 * MIB + MIB / 2);
        all.into_iter().for_each(|at| heap.free(at));
    }
    check_all_returned(heap, 64);
}

/// Returns the number of bytes of this memory in resident pages.
fn resident(at: *mut u8, len: usize) -> usize {
    let mut pages = vec![0_u8; len >> 12];
    // SAFETY: `pages` has an entry for each page.
    assert_eq!(unsafe { libc::mincore(at.cast(), len, pages.as_mut_ptr()) }, 0);
    pages.iter().filter(|page| **page & 1 != 0).count() << 12
}

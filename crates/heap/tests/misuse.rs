//! Tests that the heap detects certain mistakes of a program.
#![cfg(all(unix, not(loom)))]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Lazy, lazy, run_on};
use rustgo_heap::{Heap, NONE};

/// Checks that the heap reports `kind` if `act` runs on a new heap.
fn reported(kind: &str, act: impl Fn(&Heap<Lazy>)) {
    run_on(0);
    let heap = lazy(64 << 20);
    let message = catch_unwind(AssertUnwindSafe(|| act(heap))).expect_err(kind);
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.starts_with(&format!("{kind} at 0x")), "{message} instead of {kind}");
}

// SAFETY of the calls in all tests of this file: the heap detects each misuse, and the test's `System` panics.

#[test]
fn pointers_outside_of_objects() {
    let local = 0_u64;
    for at in [1, 0xffff_ffff_ffff_fff0, (&raw const local).addr()] {
        reported("NotInUse", |heap| unsafe { heap.free(at as *mut u8) });
        reported("NotInUse", |heap| _ = unsafe { heap.usable_size(at as *mut u8) });
        reported("NotInUse", |heap| _ = unsafe { heap.realloc(at as *mut u8, 5) });
    }
    // One pointer lies in the metadata, the other in memory that was never used.
    reported("NotInUse", |heap| unsafe { heap.free((heap.malloc(1).addr() & !0xffff).wrapping_sub(0x10000) as *mut u8) });
    reported("NotInUse", |heap| unsafe { heap.free((heap.malloc(1).addr() + (1 << 20)) as *mut u8) });
}

/// The heap must not read memory that was never committed.
#[test]
fn pointers_into_unused_parts_of_a_strict_heap() {
    run_on(0);
    let heap = common::strict(1 << 40);
    for distance in [1 << 20, 1 << 30, 100 << 30, 900 << 30] {
        let free = || unsafe { heap.free((heap.malloc(1).addr() + distance) as *mut u8) };
        assert!(catch_unwind(AssertUnwindSafe(free)).is_err());
    }
}

#[test]
fn pointers_into_objects() {
    for size in [16, 48, 100, 4096, 30_000, 40_000] {
        for place in [0, 1, NONE] {
            for offset in [1, 8, 15] {
                reported("NotAnObject", |heap| unsafe {
                    let at = heap.malloc(size);
                    run_on(place);
                    heap.free(at.add(offset));
                });
            }
        }
    }
    reported("NotAnObject", |heap| unsafe { heap.free(heap.malloc(100).add(16)) });
    // The freed pointer is the start of a slab, but lies inside a run.
    reported("NotInUse", |heap| unsafe { heap.free(heap.malloc(1 << 20).add(1 << 16)) });
}

#[test]
fn objects_that_were_never_handed_out() {
    reported("NotAnObject", |heap| unsafe { heap.free(heap.malloc(64).add(64)) });
    // The freed pointer lies in the rest of a slab. The rest is too short for an object.
    reported("NotAnObject", |heap| unsafe { heap.free(((heap.malloc(48).addr() & !0xffff) + 65520) as *mut u8) });
}

#[test]
fn double_frees() {
    for size in [16, 24, 100, 5000, 32_768] {
        // First the owner or another place frees the object. Then the owner, another place, or a thread without a place frees it again.
        for first in [0, 1] {
            for second in [0, 1, NONE] {
                for between in [0, 1, 5] {
                    reported("DoubleFree", |heap| unsafe {
                        let all = [heap.malloc(size), heap.malloc(size), heap.malloc(size)];
                        let others: Vec<_> = (0..between).map(|_| heap.malloc(size)).collect();
                        all[1].write_bytes(0xaa, size);
                        run_on(first);
                        heap.free(all[1]);
                        others.into_iter().for_each(|at| heap.free(at));
                        run_on(second);
                        heap.free(all[1]);
                    });
                }
            }
        }
    }
    reported("NotInUse", |heap| unsafe {
        let at = heap.malloc(1 << 20);
        heap.free(at);
        heap.free(at);
    });
}

#[test]
fn writes_after_a_free() {
    reported("WriteAfterFree", |heap| unsafe {
        let at = heap.malloc(100);
        heap.free(at);
        at.cast::<u64>().write(1);
        heap.malloc(100);
    });
    reported("WriteAfterFree", |heap| unsafe {
        let at = heap.malloc(100);
        run_on(1);
        heap.free(at);
        at.cast::<u64>().write(u64::MAX);
        run_on(0);
        heap.trim(0);
    });
}

/// A free succeeds even if one of the object's two words has the form of a free object, or if the object holds old links.
#[test]
fn contents_do_not_cause_a_false_double_free() {
    run_on(0);
    let heap = lazy(64 << 20);
    unsafe {
        let [at, other] = [heap.malloc(32), heap.malloc(32)];
        heap.free(other);
        // A program must not read this word, but may guess its value.
        let second = other.cast::<u64>().add(1).read();
        at.cast::<u64>().write(u64::MAX);
        at.cast::<u64>().add(1).write(second);
        heap.free(at);
        // A slab that is reused for another class holds old links.
        let all: Vec<_> = (0..1000).map(|_| heap.malloc(64)).collect();
        all.into_iter().for_each(|at| heap.free(at));
        heap.trim(usize::MAX);
        for size in [16, 32, 48, 80] {
            let all: Vec<_> = (0..1000).map(|_| heap.malloc(size)).collect();
            all.into_iter().for_each(|at| heap.free(at));
        }
    }
    common::check_all_returned(heap, 1);
}

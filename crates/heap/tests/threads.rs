//! Tests threads with and without a place (the index of a P, a processor of Go's scheduler). The threads free one another's objects.
#![cfg(all(unix, not(loom)))]

mod common;

use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Release};

use common::{Random, Strict, check_all_returned, lazy, run_on, strict};
use rustgo_heap::{Corruption, Heap, NONE, System};

/// Allocates `size` bytes, at least 8. The first eight bytes hold the size; each other byte holds the size's low byte.
fn allocate<S: System>(heap: &Heap<S>, size: usize, zero: bool) -> *mut u8 {
    let size = size.max(8);
    // SAFETY: the object has `size` bytes.
    unsafe {
        let at = if zero { heap.calloc(1, size) } else { heap.malloc(size) };
        assert!(!at.is_null());
        assert!(!zero || (at.read() == 0 && at.add(size - 1).read() == 0));
        at.write_bytes(size as u8, size);
        at.cast::<usize>().write(size);
        at
    }
}

/// Checks the contents of an object that `allocate` returned, and frees the object. Does nothing if `at` is null.
fn free<S: System>(heap: &Heap<S>, at: *mut u8) {
    if at.is_null() {
        return;
    }
    // SAFETY: the object belongs to this thread.
    unsafe {
        let size = at.cast::<usize>().read();
        let rest = std::slice::from_raw_parts(at, size).get(8..).unwrap();
        assert!(rest.first().is_none_or(|first| *first == size as u8 && rest[1..] == rest[..rest.len() - 1]));
        heap.free(at);
    }
}

/// Runs threads that replace random objects of a shared table, so that most objects are freed by a thread that did not allocate them. `places` is
/// the number of threads that have a place. Objects have up to 2^`largest` bytes.
///
/// The table uses atomic operations, because ThreadSanitizer does not see the synchronization of a lock in a std that is not instrumented.
fn run<S: System>(heap: &'static Heap<S>, threads: usize, places: usize, steps: usize, largest: usize) {
    let table: Vec<_> = (0..256).map(|_| AtomicPtr::<u8>::default()).collect();
    let work = |thread: usize| {
        run_on(if thread < places { thread } else { NONE });
        let mut random = Random(thread as u64 + 1);
        for step in 0..steps {
            let new = allocate(heap, random.size(largest), step % 4 == 0);
            free(heap, table[random.below(table.len())].swap(new, AcqRel));
            if step % 5000 == 0 {
                // SAFETY: no other thread has this place.
                unsafe { heap.trim(random.size(24)) };
            }
        }
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn({
                    let work = &work;
                    move || work(thread)
                })
            })
            .collect();
        running.into_iter().for_each(|thread| thread.join().unwrap());
    });
    run_on(NONE);
    table.into_iter().for_each(|object| free(heap, object.into_inner()));
    let stats = heap.stats();
    assert_eq!(stats.allocated_objects, (threads * steps) as u64);
    assert_eq!(stats.freed_objects, stats.allocated_objects);
    assert!(stats.remote_frees > 0);
    check_all_returned(heap, places);
}

#[test]
fn small_objects() {
    run(lazy(1 << 40), 4, 4, 100_000, 10);
}

#[test]
fn all_sizes() {
    run(lazy(1 << 40), 4, 4, 20_000, 19);
}

#[test]
fn more_threads_without_a_place_than_shards() {
    run(lazy(1 << 30), 12, 2, 10_000, 17);
}

#[test]
fn a_strict_system() {
    run(strict(1 << 34), 4, 3, 20_000, 18);
}

/// The heap has one arena, which the threads often find busy.
#[test]
fn one_arena() {
    let heap = lazy(1 << 29);
    run(heap, 6, 6, 10_000, 18);
}

/// Tests a producer that only allocates and a consumer that only frees. The producer must reuse the freed memory.
#[test]
fn a_consumer_gives_memory_back_to_the_producer() {
    let heap = lazy(1 << 30);
    let (send, receive) = std::sync::mpsc::sync_channel(1000);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            run_on(1);
            receive.into_iter().for_each(|object: usize| free(heap, object as *mut u8));
        });
        run_on(0);
        (0..200_000).for_each(|n| send.send(allocate(heap, n % 1000, false).expose_provenance()).unwrap());
        drop(send);
    });
    let stats = heap.stats();
    assert_eq!((stats.live_objects, stats.remote_frees), (0, 200_000));
    assert!(stats.peak_mapped < 16 << 20, "{stats:?}");
    check_all_returned(heap, 2);
}

/// A system on which another thread frees an object during a commit. Commits after the start happen under the lock of the only arena.
struct Slow;

static FREED_MEANWHILE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static SLOW: Heap<Slow> = Heap::new();

impl System for Slow {
    fn place() -> usize {
        Strict::place()
    }

    fn commit(at: usize, len: usize) -> bool {
        let other = std::thread::spawn(|| {
            run_on(1);
            free(&SLOW, FREED_MEANWHILE.swap(std::ptr::null_mut(), AcqRel));
        });
        other.join().unwrap();
        Strict::commit(at, len)
    }

    fn release(at: usize, len: usize) {
        Strict::release(at, len);
    }

    fn relax(_: u32) {
        panic!("a free waits")
    }

    fn corrupt(kind: Corruption, at: usize) -> ! {
        Strict::corrupt(kind, at)
    }
}

#[test]
fn run_freed_in_a_busy_arena_is_reused() {
    const MIB: usize = 1 << 20;
    // SAFETY: the memory is new; each object is freed once.
    unsafe {
        assert!(SLOW.start(common::reserve(1 << 29, libc::PROT_NONE), 1 << 29, true));
        run_on(0);
        let object = allocate(&SLOW, 5 * MIB, false);
        let address = object.addr();
        FREED_MEANWHILE.store(object, Release);
        let other = allocate(&SLOW, 20 * MIB, false);
        assert!(SLOW.stats().contention > 0);
        let again = allocate(&SLOW, 5 * MIB, false);
        assert_eq!(again.addr(), address);
        free(&SLOW, again);
        free(&SLOW, other);
    }
    check_all_returned(&SLOW, 2);
}

//! Random operations, compared with a model: a list of all allocated objects and their contents.
#![cfg(all(unix, not(loom)))]

mod common;

use std::collections::BTreeMap;

use common::{Random, check_all_returned, lazy, run_on, strict};
use rustgo_heap::{Heap, NONE, System};

struct Object {
    size: usize,
    align: usize,
    usable: usize,
    fill: u8,
}

struct Model<'a, S: System> {
    heap: &'a Heap<S>,
    random: Random,
    /// The allocated objects by address.
    live: BTreeMap<usize, Object>,
    failures: usize,
}

impl<S: System> Model<'_, S> {
    /// Adds a new object to the model, checks that it overlaps no other object, and fills it.
    fn add(&mut self, at: *mut u8, size: usize, align: usize) {
        if at.is_null() {
            self.failures += 1;
            return;
        }
        // SAFETY: the object was just allocated.
        let usable = unsafe { self.heap.usable_size(at) };
        let address = at.addr();
        assert!(usable >= size && usable >= 16 && address.is_multiple_of(align.max(16)));
        if let Some((before, object)) = self.live.range(..=address).next_back() {
            assert!(before + object.usable <= address);
        }
        if let Some((after, _)) = self.live.range(address..).next() {
            assert!(address + usable <= *after);
        }
        let fill = self.random.next() as u8;
        // SAFETY: the object has `size` bytes.
        unsafe { at.write_bytes(fill, size) };
        self.live.insert(address, Object { size, align, usable, fill });
    }

    /// Removes a random object from the model, and checks its contents.
    fn remove(&mut self) -> Option<(*mut u8, Object)> {
        let from = self.random.next() as usize;
        let low = *self.live.keys().next()?;
        let high = *self.live.keys().next_back()?;
        let address = *self.live.range(low + from % (high - low + 1)..).next()?.0;
        let object = self.live.remove(&address)?;
        let at = address as *mut u8;
        check(at, object.size, object.fill);
        Some((at, object))
    }

    fn step(&mut self, largest: usize) {
        let heap = self.heap;
        let size = self.random.size(largest);
        // SAFETY: `step` keeps the rules of the interface.
        unsafe {
            match self.random.below(16) {
                0..5 => self.add(heap.malloc(size), size, 16),
                5..7 => {
                    let n = self.random.below(4);
                    let at = heap.calloc(n, size);
                    if !at.is_null() {
                        check(at, n * size, 0);
                    }
                    self.add(at, n * size, 16);
                }
                7 => {
                    let align = 1 << self.random.below(22);
                    self.add(heap.aligned_alloc(align, size), size, align);
                }
                8..10 => {
                    let Some((at, object)) = self.remove() else { return };
                    let new = heap.realloc_aligned(at, object.align, size);
                    if new.is_null() {
                        self.failures += 1;
                        self.live.insert(at.addr(), object);
                        return;
                    }
                    check(new, size.min(object.size), object.fill);
                    self.add(new, size, object.align);
                }
                _ => {
                    if let Some((at, _)) = self.remove() {
                        heap.free(at);
                    }
                }
            }
        }
    }

    fn check_statistics(&self) {
        let stats = self.heap.stats();
        assert_eq!(stats.live_objects, self.live.len() as u64);
        assert_eq!(stats.live_bytes, self.live.values().map(|object| object.usable as u64).sum::<u64>());
        assert_eq!(stats.live_bytes, stats.allocated_bytes - stats.freed_bytes);
        assert!(stats.live_bytes <= stats.mapped && stats.mapped <= stats.peak_mapped);
        assert!(stats.mapped + stats.dirty_free <= stats.reserved);
    }
}

fn check(at: *mut u8, size: usize, fill: u8) {
    // SAFETY: the object has `size` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(at, size) };
    // Each byte is compared with the next byte by comparing two slices. A loop would be slow in a test build.
    assert!(bytes.first().is_none_or(|first| *first == fill && bytes[1..] == bytes[..size - 1]));
}

/// Runs `steps` random operations on objects of up to 2^`largest` bytes. Every 16 steps the thread moves to a random P (processor of Go's
/// scheduler), or continues without a P. Returns the number of operations that failed for lack of memory.
fn run<S: System>(heap: &Heap<S>, seed: u64, steps: usize, largest: usize) -> usize {
    const PLACES: usize = 4;
    let mut model = Model { heap, random: Random(seed), live: BTreeMap::new(), failures: 0 };
    for step in 0..steps {
        if step % 16 == 0 {
            let place = model.random.below(PLACES + 1);
            run_on(if place == PLACES { NONE } else { place });
        }
        model.step(largest);
        if step % 1024 == 0 {
            model.check_statistics();
        }
        // The number of objects grows and shrinks in phases.
        if step % 8192 > 6144
            && let Some((at, _)) = model.remove()
        {
            // SAFETY: the object is allocated.
            unsafe { heap.free(at) };
        }
        if step % 10_000 == 0 {
            let keep = model.random.size(26);
            // SAFETY: the test has one thread.
            unsafe { heap.trim(keep) };
        }
    }
    while let Some((at, _)) = model.remove() {
        // SAFETY: the object is allocated.
        unsafe { heap.free(at) };
    }
    model.check_statistics();
    check_all_returned(heap, PLACES);
    model.failures
}

#[test]
fn small_objects() {
    assert_eq!(run(lazy(1 << 40), 1, 300_000, 12), 0);
}

#[test]
fn all_sizes() {
    assert_eq!(run(lazy(1 << 36), 2, 100_000, 22), 0);
}

#[test]
fn a_heap_that_is_too_small() {
    for seed in 3..13 {
        assert_ne!(run(lazy(12 << 20), seed, 30_000, 20), 0);
    }
}

#[test]
fn memory_is_committed_before_use() {
    assert_eq!(run(strict(1 << 40), 20, 50_000, 20), 0);
    for seed in 21..25 {
        assert_ne!(run(strict(12 << 20), seed, 20_000, 20), 0);
    }
}

#[test]
fn a_system_that_refuses_memory() {
    let heap = strict(1 << 30);
    common::set_supply(20 << 20);
    assert_ne!(run(heap, 30, 20_000, 20), 0);
    common::set_supply(usize::MAX);
    assert_eq!(run(heap, 31, 20_000, 16), 0);
}

#[test]
fn a_heap_with_a_limit() {
    let heap = lazy(1 << 30);
    heap.set_limit(8 << 20);
    assert_ne!(run(heap, 40, 50_000, 20), 0);
    assert!(heap.stats().peak_mapped <= 8 << 20);
}

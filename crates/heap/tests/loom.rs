//! Model checks of `sync.rs`: loom runs every interleaving of the threads and every value that the memory model lets a load return.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p rustgo-heap --test loom --release
//! ```
#![cfg(loom)]

use std::sync::Arc;

use loom::cell::UnsafeCell;
use loom::thread;

#[path = "../src/sync.rs"]
mod sync;
use sync::{Counter, Stack, TryLock};

/// Objects that other threads give back to their owner. Each object has a link and contents, in cells for which loom reports data races.
struct Objects {
    stack: Stack,
    links: Vec<UnsafeCell<usize>>,
    contents: Vec<UnsafeCell<u32>>,
}

impl Objects {
    fn new(n: usize) -> Arc<Self> {
        let links = (0..=n).map(|_| UnsafeCell::new(0)).collect();
        Arc::new(Self { stack: Stack::new(), links, contents: (0..=n).map(|_| UnsafeCell::new(0)).collect() })
    }

    fn push(&self, item: usize) {
        self.contents[item].with_mut(|contents| unsafe { *contents = item as u32 });
        self.stack.push(item, |next| self.links[item].with_mut(|link| unsafe { *link = next }));
    }

    /// Takes all items, and accesses their contents as the owner.
    fn take(&self, mut each: impl FnMut(usize)) {
        let mut item = self.stack.take();
        while item != 0 {
            self.contents[item].with_mut(|contents| {
                assert_eq!(unsafe { *contents }, item as u32);
                unsafe { *contents = 0 };
            });
            let next = self.links[item].with(|link| unsafe { *link });
            each(item);
            item = next;
        }
    }
}

#[test]
fn the_owner_gets_each_object_once() {
    loom::model(|| {
        let objects = Objects::new(3);
        let pushers: Vec<_> = [vec![1, 2], vec![3]]
            .into_iter()
            .map(|items| {
                let objects = objects.clone();
                thread::spawn(move || items.into_iter().for_each(|item| objects.push(item)))
            })
            .collect();
        let mut seen = [0; 4];
        objects.take(|item| seen[item] += 1);
        pushers.into_iter().for_each(|pusher| pusher.join().unwrap());
        objects.take(|item| seen[item] += 1);
        assert_eq!(seen, [0, 1, 1, 1]);
    });
}

/// The owner takes object 1 and pushes it again, while another thread pushes object 2.
#[test]
fn an_object_pushed_again_is_not_lost() {
    loom::model(|| {
        let objects = Objects::new(2);
        objects.push(1);
        let other = {
            let objects = objects.clone();
            thread::spawn(move || objects.push(2))
        };
        let mut seen = [0; 3];
        objects.take(|item| seen[item] += 1);
        if seen[1] == 1 {
            objects.push(1);
        }
        other.join().unwrap();
        objects.take(|item| seen[item] += 1);
        assert_eq!(seen, [0, 2, 1]);
    });
}

#[test]
fn the_lock_has_one_holder() {
    loom::model(|| {
        let shared = Arc::new((TryLock::new(), UnsafeCell::new(0)));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let shared = shared.clone();
                thread::spawn(move || {
                    let held = shared.0.try_lock();
                    if held {
                        shared.1.with_mut(|state| unsafe { *state += 1 });
                        shared.0.unlock();
                    }
                    held
                })
            })
            .collect();
        let held = threads.into_iter().filter_map(|thread| thread.join().unwrap().then_some(())).count();
        assert!(held > 0, "nobody got an open lock");
        assert!(shared.0.try_lock(), "the lock was not opened");
        shared.1.with(|state| assert_eq!(unsafe { *state }, held));
    });
}

/// Models an arena: a run is freed under the lock, or pushed to the list for the next holder of the lock.
#[test]
fn runs_left_at_a_busy_arena_are_found() {
    loom::model(|| {
        let arena = Arc::new((TryLock::new(), Objects::new(2), UnsafeCell::new(0_usize)));
        let give_back = |arena: &(TryLock, Arc<Objects>, UnsafeCell<usize>), run: usize| {
            let (lock, pending, free) = arena;
            if lock.try_lock() {
                pending.take(|_| free.with_mut(|free| unsafe { *free += 1 }));
                free.with_mut(|free| unsafe { *free += 1 });
                lock.unlock();
            } else {
                pending.push(run);
            }
        };
        let other = {
            let arena = arena.clone();
            thread::spawn(move || give_back(&arena, 1))
        };
        give_back(&arena, 2);
        other.join().unwrap();
        let (lock, pending, free) = &*arena;
        assert!(lock.try_lock());
        pending.take(|_| free.with_mut(|free| unsafe { *free += 1 }));
        free.with(|free| assert_eq!(unsafe { *free }, 2));
    });
}

#[test]
fn a_counter_never_goes_back() {
    loom::model(|| {
        let counter = Arc::new(Counter::new());
        let writer = {
            let counter = counter.clone();
            thread::spawn(move || (0..2).for_each(|_| counter.add(1)))
        };
        let [first, second] = [counter.get(), counter.get()];
        assert!(first <= second);
        writer.join().unwrap();
        assert_eq!(counter.get(), 2);
    });
}

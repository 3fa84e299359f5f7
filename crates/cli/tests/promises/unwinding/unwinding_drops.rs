//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Destructors that panic, destructors that catch panics during an unwinding, and values whose destructors must not run.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, LinkedList, VecDeque};
use std::hint::black_box;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::thread::panicking;

thread_local! {
    /// The digest of the events of the running call.
    static LOG: Cell<u64> = const { Cell::new(0) };
}

/// Adds an event to the digest.
fn log(event: u64) {
    LOG.set((LOG.get().rotate_left(7) ^ event).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1));
}

/// Calls f. If f panics, catches the panic and logs its text; otherwise logs the result.
fn attempt(f: impl FnOnce() -> u64) -> bool {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => log(result),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
            text.unwrap_or("not text").bytes().for_each(|byte| log(u64::from(byte)));
            return false;
        }
    }
    true
}

/// Returns the digest of the events during f.
fn logged(f: impl FnOnce()) -> u64 {
    LOG.set(0);
    f();
    LOG.get()
}

/// Panics if `step` is the step that must fail.
fn check(step: u64, failing: u64) {
    assert!(step != failing, "step {step} fails");
}

/// Logs its number when it is dropped.
struct Noisy(u64);

impl Drop for Noisy {
    fn drop(&mut self) {
        log(self.0);
    }
}
/// Logs its number when it is dropped, and then panics if it is armed.
struct Bomb(u64, bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        log(self.0);
        assert!(!self.1, "bomb {}", self.0);
    }
}

/// Returns `count` bombs. The bomb with the index `armed` is armed.
fn bombs(count: u64, armed: u64, n: u64) -> impl DoubleEndedIterator<Item = Bomb> {
    (0..count).map(move |at| Bomb(n + at, at == armed))
}

/// Calls the function when it is dropped.
struct Defer<F: FnMut()>(F);

impl<F: FnMut()> Drop for Defer<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// VecOfBombs drops a vector in which the destructor of one element panics. The other elements are dropped too.
#[rustgo::export]
pub fn vec_of_bombs(x: u64) -> u64 {
    let (armed, n) = (x % 7, x / 7);
    logged(|| {
        attempt(|| {
            drop(black_box(bombs(6, armed, n).collect::<Vec<_>>()));
            n
        });
        attempt(|| bombs(6, armed, n).collect::<Box<[_]>>().len() as u64);
        attempt(|| bombs(6, armed, n).collect::<Rc<[_]>>().len() as u64);
    })
}

/// ArrayOfBombs drops arrays and tuples in which the destructor of one element panics.
#[rustgo::export]
pub fn array_of_bombs(x: u64) -> u64 {
    let (armed, n) = (x % 5, x / 5);
    let bomb = |at: u64| Bomb(n + at, at == armed);
    logged(|| {
        attempt(|| {
            let array = black_box([bomb(0), bomb(1), bomb(2), bomb(3)]);
            array.len() as u64
        });
        attempt(|| {
            let tuple = black_box((bomb(0), (bomb(1), bomb(2)), Some(bomb(3))));
            tuple.0.0
        });
        attempt(|| {
            let _locals = (Noisy(n), bomb(0));
            let _more = bomb(1);
            let _ = bomb(2);
            n
        });
    })
}

/// FieldsOfABomb drops structs. The destructor of a struct or of a field panics. The other fields are dropped too.
#[rustgo::export]
pub fn fields_of_a_bomb(x: u64) -> u64 {
    struct Outer {
        _first: Noisy,
        _inner: Inner,
        _last: Box<Noisy>,
        fails: bool,
    }
    struct Inner(Bomb, Noisy);
    impl Drop for Outer {
        fn drop(&mut self) {
            log(100);
            assert!(!self.fails, "the outer destructor");
        }
    }
    impl Drop for Inner {
        fn drop(&mut self) {
            log(self.0.0 + self.1.0);
        }
    }
    let (kind, n) = (x % 3, x / 3 >> 2);
    logged(|| {
        attempt(|| {
            let inner = Inner(Bomb(n, kind == 0), Noisy(n + 1));
            let outer = Outer { _first: Noisy(n + 2), _inner: inner, _last: Box::new(Noisy(n + 3)), fails: kind == 1 };
            u64::from(black_box(&outer).fails)
        });
    })
}

/// BoxedBombs drops bombs in boxes, trait objects and closures. The memory of the boxes is freed.
#[rustgo::export]
pub fn boxed_bombs(x: u64) -> u64 {
    trait Any {
        fn number(&self) -> u64;
    }
    impl Any for Bomb {
        fn number(&self) -> u64 {
            self.0
        }
    }
    let (armed, n) = (x % 5, x / 5);
    let bomb = |at: u64| Bomb(n + at, at == armed);
    logged(|| {
        attempt(|| {
            drop(black_box(Box::new(bomb(0))));
            let object: Box<dyn Any> = black_box(Box::new(bomb(1)));
            object.number()
        });
        attempt(|| {
            let held = (bomb(2), Noisy(n), bomb(3));
            let closure: Box<dyn Fn() -> u64> = Box::new(move || held.0.0 + held.1.0 + held.2.0);
            black_box(closure)() >> 2
        });
    })
}

/// CountedBombs drops the last strong reference to a bomb while a weak reference remains.
#[rustgo::export]
pub fn counted_bombs(x: u64) -> u64 {
    let (armed, clones, n) = (x % 2 == 0, x / 2 % 3, x / 6);
    logged(|| {
        let rc = Rc::new(Bomb(n, armed));
        let weak = Rc::downgrade(&rc);
        let more: Vec<_> = (0..clones).map(|_| rc.clone()).collect();
        attempt(|| {
            drop(rc);
            log(weak.strong_count() as u64);
            drop(more);
            n
        });
        log(weak.strong_count() as u64 * 100 + weak.weak_count() as u64);
        log(u64::from(weak.upgrade().is_some()));
        let arc = Arc::new(Bomb(n + 1, armed));
        let weak = Arc::downgrade(&arc);
        attempt(|| {
            drop(arc);
            n
        });
        log(u64::from(weak.upgrade().is_some()) + weak.weak_count() as u64);
    })
}

/// CollectionsOfBombs drops a deque, a list and a map in which the destructor of one element panics.
#[rustgo::export]
pub fn collections_of_bombs(x: u64) -> u64 {
    let (armed, kind, n) = (x % 7, x / 7 % 3, x / 21);
    logged(|| {
        attempt(|| {
            match kind {
                0 => {
                    let mut deque: VecDeque<_> = VecDeque::with_capacity(6);
                    bombs(3, armed, n).rev().for_each(|bomb| deque.push_front(bomb));
                    (3..6).for_each(|at| deque.push_back(Bomb(n + at, at == armed)));
                    drop(black_box(deque));
                }
                1 => drop(black_box(bombs(6, armed, n).collect::<LinkedList<_>>())),
                _ => drop(black_box(bombs(6, armed, n).map(|bomb| (bomb.0, bomb)).collect::<BTreeMap<_, _>>())),
            }
            n
        });
    })
}

/// Shortened truncates, clears, drains and overwrites vectors of bombs. The length of a vector is right after a panic.
#[rustgo::export]
pub fn shortened(x: u64) -> u64 {
    let (armed, kind, n) = (x % 7, x / 7 % 6, x / 42);
    logged(|| {
        let mut list: Vec<_> = bombs(6, armed, n).collect();
        attempt(|| {
            match kind {
                0 => list.truncate(2),
                1 => list.clear(),
                2 => drop(list.drain(1..4)),
                3 => list[2] = Bomb(n + 9, false),
                4 => drop(list.splice(1..3, [Bomb(n + 9, false)])),
                _ => drop(list.drain(..).rev().nth(2)),
            }
            n
        });
        log(list.len() as u64);
        for bomb in &mut list {
            log(bomb.0);
            bomb.1 = false;
        }
    })
}

/// PartlyConsumed drops iterators of a vector and an array after some elements are consumed. The destructor of one element panics.
#[rustgo::export]
pub fn partly_consumed(x: u64) -> u64 {
    let (armed, n) = (x % 7, x / 7);
    logged(|| {
        attempt(|| {
            let mut rest = bombs(6, armed, n).collect::<Vec<_>>().into_iter();
            let (first, last) = (rest.next(), rest.next_back());
            log(rest.len() as u64);
            first.map_or(0, |bomb| bomb.0) ^ last.map_or(0, |bomb| bomb.0)
        });
        attempt(|| {
            let mut rest = [0, 1, 2].map(|at| Bomb(n + at, at == armed)).into_iter();
            rest.next().map_or(0, |bomb| bomb.0)
        });
    })
}

/// Overwritten replaces values whose destructors panic. After the panic the variable has its new value.
#[rustgo::export]
pub fn overwritten(x: u64) -> u64 {
    let (armed, kind, n) = (x % 2 == 0, x / 2 % 6, x / 12);
    logged(|| {
        let mut slot = Some(Bomb(n, armed));
        let cell = RefCell::new(Bomb(n + 1, armed));
        attempt(|| {
            match kind {
                0 => slot = None,
                1 => slot = Some(Bomb(n + 2, false)),
                2 => drop(slot.take()),
                3 => drop(slot.replace(Bomb(n + 3, false))),
                4 => drop(cell.replace(Bomb(n + 4, false))),
                _ => *cell.borrow_mut() = Bomb(n + 5, false),
            }
            n
        });
        log(slot.as_ref().map_or(1, |bomb| bomb.0));
        log(u64::from(cell.try_borrow_mut().is_ok()));
        let mut rest = cell.into_inner();
        log(rest.0);
        rest.1 = false;
        if let Some(bomb) = &mut slot {
            bomb.1 = false;
        }
    })
}

/// CaughtInDrop catches a panic in a destructor that runs during an unwinding.
#[rustgo::export]
pub fn caught_in_drop(x: u64) -> u64 {
    struct Catches(u64, u64);
    impl Drop for Catches {
        fn drop(&mut self) {
            let _inner = Noisy(self.0);
            log(u64::from(panicking()));
            attempt(|| {
                let _held = Noisy(self.0 + 1);
                check(0, self.1);
                self.0
            });
            log(u64::from(panicking()) + 2);
        }
    }
    let (inner, outer, n) = (x % 2, x / 2 % 3, x / 6);
    logged(|| {
        attempt(|| {
            let _first = Catches(n, inner);
            check(0, outer);
            let _second = Catches(n + 2, 0);
            check(1, outer);
            n
        });
        log(u64::from(panicking()));
    })
}

/// CaughtDeepInDrops catches panics in nested destructors. A destructor may run during the unwinding of another panic.
#[rustgo::export(stack = "256k")]
pub fn caught_deep_in_drops(x: u64) -> u64 {
    struct Level(u64, u64);
    impl Drop for Level {
        fn drop(&mut self) {
            log(self.0 * 2 + u64::from(panicking()));
            if self.0 > 0 {
                attempt(|| {
                    let _next = Level(self.0 - 1, self.1);
                    check(self.0, self.1);
                    self.0
                });
            }
            log(self.0 * 2 + u64::from(panicking()));
        }
    }
    let (depth, failing, n) = (x % 6, x / 6 % 7, x / 42);
    logged(|| {
        attempt(|| {
            let _level = Level(depth, failing);
            check(n % 3, 0);
            n
        });
    })
}

/// BombCaughtInDrop runs a destructor during an unwinding. This destructor catches the panic of another destructor.
#[rustgo::export]
pub fn bomb_caught_in_drop(x: u64) -> u64 {
    struct Careful(Option<Box<Bomb>>);
    impl Drop for Careful {
        fn drop(&mut self) {
            let bomb = self.0.take();
            attempt(|| {
                drop(bomb);
                1
            });
        }
    }
    let (armed, failing, n) = (x % 2 == 0, x / 2 % 3, x / 6);
    logged(|| {
        attempt(|| {
            let _first = Careful(Some(Box::new(Bomb(n, armed))));
            check(0, failing);
            let _second = Careful(Some(Box::new(Bomb(n + 1, armed))));
            check(1, failing);
            n
        });
    })
}

/// Guards has guards whose destructors undo changes, unless the guards are disarmed.
#[rustgo::export]
pub fn guards(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let mut words = vec![n, n + 1, n + 2];
        let level = Cell::new(n);
        attempt(|| {
            let before = words.clone();
            let mut undo = Defer(|| words.clone_from(&before));
            check(0, failing);
            level.set(level.get() + 1);
            let _lower = Defer(|| level.set(level.get() - 1));
            check(1, failing);
            let commit = level.get() & 1 == 0;
            check(2, failing);
            if commit {
                std::mem::forget(undo);
                words.push(n);
            } else {
                (undo.0)();
                drop(undo);
                words.clear();
            }
            check(3, failing);
            n
        });
        log(level.get());
        words.iter().for_each(|&word| log(word));
    })
}

/// NotDropped causes a panic while values are alive whose destructors must not run.
#[rustgo::export]
pub fn not_dropped(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        attempt(|| {
            let forgotten = Noisy(n);
            let mut manual = ManuallyDrop::new(Noisy(n + 1));
            check(0, failing);
            std::mem::forget(forgotten);
            check(1, failing);
            // SAFETY: the value is dropped once and not used afterwards.
            unsafe { ManuallyDrop::drop(&mut manual) };
            check(2, failing);
            let _maybe = MaybeUninit::new(Noisy(n + 2));
            let inner = ManuallyDrop::into_inner(ManuallyDrop::new(Noisy(n + 3)));
            check(3, failing);
            inner.0
        });
    })
}

/// PartlyInitialised panics while it fills an array. A guard drops the elements that are already initialised.
#[rustgo::export]
pub fn partly_initialised(x: u64) -> u64 {
    struct Filling<'a>(&'a mut [MaybeUninit<Noisy>; 8], usize);
    impl Drop for Filling<'_> {
        fn drop(&mut self) {
            // SAFETY: the first `self.1` elements are initialised.
            self.0[..self.1].iter_mut().for_each(|element| unsafe { element.assume_init_drop() });
        }
    }
    let (failing, n) = (x % 10, x / 10);
    logged(|| {
        attempt(|| {
            let mut array = [const { MaybeUninit::uninit() }; 8];
            let mut filling = Filling(&mut array, 0);
            for at in 0..8 {
                check(at, failing);
                filling.0[at as usize].write(Noisy(n + at));
                filling.1 += 1;
            }
            check(8, failing);
            filling.1 as u64
        });
    })
}

/// ArraysByFunctions makes the closures of `array::from_fn` and `map` panic. The elements that exist at the panic are dropped.
#[rustgo::export]
pub fn arrays_by_functions(x: u64) -> u64 {
    let (failing, n) = (x % 11, x / 11);
    logged(|| {
        attempt(|| {
            let array: [Noisy; 5] = std::array::from_fn(|at| {
                check(at as u64, failing);
                Noisy(n + at as u64)
            });
            let mapped = array.map(|noisy| {
                check(noisy.0 - n + 5, failing);
                Box::new(Noisy(noisy.0 + 50))
            });
            mapped[4].0
        });
    })
}

/// Allocating allocates and formats in destructors during an unwinding.
#[rustgo::export]
pub fn allocating(x: u64) -> u64 {
    struct Says(u64, Vec<u64>);
    impl Drop for Says {
        fn drop(&mut self) {
            self.1.extend((0..self.0 % 50).map(|n| n * n));
            let text = format!("{:>5}|{:?}|{:.3}|{:#x}", self.0 % 1000, &self.1[..self.1.len().min(4)], self.0 as f64 / 3.0, self.0);
            text.bytes().for_each(|byte| log(u64::from(byte)));
        }
    }
    let (failing, n) = (x % 3, x / 3);
    logged(|| {
        attempt(|| {
            let first = Says(n, vec![n]);
            check(0, failing);
            let second = Says(n + 1, Vec::new());
            check(1, failing);
            first.0 ^ second.0
        });
    })
}

/// LongList drops a long list recursively during an unwinding.
#[rustgo::export(stack = "256k")]
pub fn long_list(x: u64) -> u64 {
    struct Node(Noisy, Option<Box<Node>>);
    let (length, fails, n) = (x % 50, x / 50 % 2 == 0, x / 100);
    logged(|| {
        attempt(|| {
            let list = (0..length).fold(None, |rest, at| Some(Box::new(Node(Noisy(n + at), rest))));
            let sum = std::iter::successors(list.as_deref(), |node| node.1.as_deref()).map(|node| node.0.0 & 0xff).sum();
            assert!(!fails, "with {length} nodes");
            sum
        });
    })
}

/// PanickingAsked calls `panicking` in ordinary code, in destructors with and without an unwinding, and after a panic was caught.
#[rustgo::export]
pub fn panicking_asked(x: u64) -> u64 {
    let (failing, n) = (x % 3, x / 3);
    let ask = |at: u64| log(n + at * 2 + u64::from(panicking()));
    logged(|| {
        ask(0);
        attempt(|| {
            let _late = Defer(|| ask(1));
            ask(2);
            drop(Defer(|| ask(3)));
            check(0, failing);
            let _inner = Defer(|| {
                ask(4);
                attempt(|| {
                    ask(5);
                    n
                });
            });
            check(1, failing);
            n
        });
        ask(6);
    })
}

/// HundredBombs makes a hundred calls, and catches the panics of their destructors.
#[rustgo::export]
pub fn hundred_bombs(x: u64) -> u64 {
    logged(|| {
        for round in 0..100 {
            attempt(|| {
                let _outer = Noisy(round);
                let list = vec![Box::new(Bomb(x >> 8, false)), Box::new(Bomb(round, (x ^ round) % 3 == 0))];
                list.len() as u64
            });
        }
    })
}

/// Cleared resets a variable in a destructor, whether the function returns or panics.
#[rustgo::export]
pub fn cleared(x: u64) -> u64 {
    #[inline(never)]
    fn work(busy: &Cell<bool>, total: &mut u64, failing: u64, n: u64) -> u64 {
        busy.set(true);
        let _clear = Defer(|| busy.set(false));
        for step in 0..4 {
            *total += n ^ step;
            check(step, failing);
        }
        *total
    }
    let (failing, n) = (x % 5, x / 5 >> 2);
    logged(|| {
        let (busy, mut total) = (Cell::new(false), 0);
        attempt(|| work(&busy, &mut total, failing, n));
        log(u64::from(busy.get()));
        log(total);
    })
}

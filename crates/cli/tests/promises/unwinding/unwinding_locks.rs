//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! The state of locks, cells, counted references and channels after a panic.

use std::cell::{Cell, LazyCell, OnceCell, Ref, RefCell, RefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, Once, OnceLock, PoisonError, RwLock, TryLockError, mpsc};

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
/// Logs the state of a mutex: free, poisoned or held.
fn log_mutex(mutex: &Mutex<u64>) {
    match mutex.try_lock() {
        Ok(value) => log(*value),
        Err(TryLockError::Poisoned(value)) => log(*value.into_inner() ^ 1 << 60),
        Err(TryLockError::WouldBlock) => log(99),
    }
}

/// MutexPoisoned causes a panic before, while or after it holds a mutex. Only a panic while the mutex is held poisons it.
#[rustgo::export]
pub fn mutex_poisoned(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let mutex = Mutex::new(n);
        attempt(|| {
            check(0, failing);
            let mut held = mutex.lock().unwrap();
            *held += 1;
            check(1, failing);
            *held += 1;
            drop(held);
            check(2, failing);
            n
        });
        log(u64::from(mutex.is_poisoned()));
        log_mutex(&mutex);
        attempt(|| *mutex.lock().expect("nobody has panicked"));
    })
}

/// MutexCleared uses a mutex again that may be poisoned.
#[rustgo::export]
pub fn mutex_cleared(x: u64) -> u64 {
    let (kind, n) = (x % 4, x / 4);
    logged(|| {
        let mut mutex = Mutex::new(n);
        attempt(|| {
            *mutex.lock().unwrap() += 1;
            let _held = mutex.lock().unwrap();
            check(n % 2, 0);
            n
        });
        match kind {
            0 | 1 => mutex.clear_poison(),
            2 => *mutex.get_mut().unwrap_or_else(PoisonError::into_inner) += 5,
            _ => *mutex.lock().unwrap_or_else(PoisonError::into_inner) += 7,
        }
        log_mutex(&mutex);
        log(mutex.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner() + 1));
    })
}

/// TwoMutexes causes a panic while it holds one or two mutexes.
#[rustgo::export]
pub fn two_mutexes(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let (first, second) = (Mutex::new(n), Arc::new(Mutex::new(n + 1)));
        attempt(|| {
            let mut one = first.lock().unwrap();
            check(0, failing);
            {
                let mut two = second.lock().unwrap();
                std::mem::swap(&mut *one, &mut *two);
                check(1, failing);
            }
            check(2, failing);
            drop(one);
            check(3, failing);
            n
        });
        log_mutex(&first);
        log_mutex(&second);
        log(Arc::strong_count(&second) as u64);
    })
}

/// LockedInDrop locks a mutex in a destructor that runs during an unwinding. This does not poison the mutex.
#[rustgo::export]
pub fn locked_in_drop(x: u64) -> u64 {
    struct Counts<'a>(&'a Mutex<u64>);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
    }
    let (failing, n) = (x % 3, x / 3);
    logged(|| {
        let mutex = Mutex::new(n);
        attempt(|| {
            let _outer = Counts(&mutex);
            check(0, failing);
            let _inner = Counts(&mutex);
            check(1, failing);
            n
        });
        log_mutex(&mutex);
    })
}

/// StaticMutex poisons a mutex in a static and clears it again.
#[rustgo::export]
pub fn static_mutex(x: u64) -> u64 {
    static WORDS: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        WORDS.clear_poison();
        WORDS.lock().unwrap().clear();
        attempt(|| {
            let mut words = WORDS.lock().unwrap();
            for step in 0..3 {
                words.push(n + step);
                check(step, failing);
            }
            n
        });
        log(u64::from(WORDS.is_poisoned()));
        let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
        words.iter().for_each(|&word| log(word));
        *words = Vec::new();
    })
}

/// RwLocks causes a panic while a lock is held. A lock held for writing is then poisoned, and a lock held for reading is not.
#[rustgo::export]
pub fn rw_locks(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let lock = RwLock::new(n);
        attempt(|| {
            let first = lock.read().unwrap();
            let second = lock.read().unwrap();
            check(0, failing);
            drop(first);
            check(1, failing);
            drop(second);
            let mut written = lock.write().unwrap();
            *written += 1;
            check(2, failing);
            drop(written);
            check(3, failing);
            n
        });
        log(u64::from(lock.is_poisoned()));
        log(u64::from(lock.try_write().is_ok()));
        log(lock.read().map_or_else(|poisoned| **poisoned.get_ref() + 100, |value| *value));
        lock.clear_poison();
        attempt(|| *lock.write().unwrap());
    })
}

/// Onces makes the closure of `call_once` panic. The panic poisons the Once until `call_once_force` succeeds.
#[rustgo::export]
pub fn onces(x: u64) -> u64 {
    let (fails, again, n) = (x % 2 == 0, x / 2 % 2 == 0, x / 4);
    logged(|| {
        let once = Once::new();
        let mut runs = n;
        attempt(|| {
            once.call_once(|| {
                runs += 1;
                assert!(!fails, "the first run");
            });
            1
        });
        log(u64::from(once.is_completed()));
        log(u64::from(catch_unwind(AssertUnwindSafe(|| once.call_once(|| runs += 10))).is_ok()));
        attempt(|| {
            once.call_once_force(|state| {
                log(u64::from(state.is_poisoned()));
                runs += 100;
                assert!(!again, "the forced run");
            });
            2
        });
        log(u64::from(once.is_completed()));
        log(runs);
    })
}

/// OnceLocks makes the initialisers of a OnceLock and a OnceCell panic. Both stay empty, and the next initialiser is called.
#[rustgo::export]
pub fn once_locks(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let (lock, cell) = (OnceLock::new(), OnceCell::new());
        for round in 0..3 {
            attempt(|| {
                lock.get_or_init(|| {
                    let made = Noisy(n + round);
                    check(round, failing);
                    made
                })
                .0
            });
            attempt(|| {
                cell.get_or_init(|| {
                    let made = Box::new(Noisy(n + round + 10));
                    check(round, failing);
                    made
                })
                .0
            });
            log(lock.get().map_or(1, |noisy: &Noisy| noisy.0) ^ cell.get().map_or(2, |noisy: &Box<Noisy>| noisy.0));
        }
        log(lock.set(Noisy(n + 20)).map_or_else(|back| back.0, |()| 3));
    })
}

/// LazyValues makes the initialisers of a LazyLock and a LazyCell panic. Every later use panics too.
#[rustgo::export]
pub fn lazy_values(x: u64) -> u64 {
    let (fails, n) = (x % 2 == 0, x / 2);
    logged(|| {
        let runs = Cell::new(0);
        let held = Noisy(n);
        let lock = LazyLock::new(|| {
            runs.set(runs.get() + 1);
            assert!(!fails, "lazy {}", held.0);
            Noisy(held.0 + 1)
        });
        let owned = Noisy(n + 5);
        let cell = LazyCell::new(|| {
            runs.set(runs.get() + 10);
            let moved = owned;
            assert!(!fails, "lazy cell");
            moved.0 + 1
        });
        attempt(|| lock.0);
        attempt(|| *cell);
        log(u64::from(catch_unwind(AssertUnwindSafe(|| lock.0)).is_ok()));
        log(u64::from(catch_unwind(AssertUnwindSafe(|| *cell)).is_ok()));
        log(runs.get());
    })
}

/// RefCells causes a panic while a RefCell is borrowed. After the panic it is not borrowed.
#[rustgo::export]
pub fn ref_cells(x: u64) -> u64 {
    let (failing, n) = (x % 6, x / 6);
    logged(|| {
        let cell = RefCell::new((n, Noisy(n + 1)));
        attempt(|| {
            {
                let first = cell.borrow();
                let second = Ref::map(cell.borrow(), |pair| &pair.1);
                check(0, failing);
                log(first.0 + second.0 % 2);
            }
            {
                let mut changed = RefMut::map(cell.borrow_mut(), |pair| &mut pair.0);
                *changed += 1;
                check(1, failing);
            }
            cell.replace_with(|old| {
                check(2, failing);
                (old.0 + 1, Noisy(old.0))
            });
            let _held = cell.borrow();
            if failing == 3 {
                drop(cell.borrow_mut());
            }
            let mapped = Ref::map(cell.borrow(), |pair| {
                check(4, failing);
                &pair.0
            });
            *mapped
        });
        log(u64::from(cell.try_borrow().is_ok()) + 2 * u64::from(cell.try_borrow_mut().is_ok()));
        log(cell.borrow().0);
    })
}

/// Cells causes a panic before, while or after the value of a cell is taken out.
#[rustgo::export]
pub fn cells(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let cell = Cell::new(Some(Noisy(n)));
        attempt(|| {
            check(0, failing);
            let taken = cell.take().unwrap();
            check(1, failing);
            cell.set(Some(Noisy(taken.0 + 1)));
            check(2, failing);
            taken.0
        });
        log(cell.into_inner().map_or(1, |noisy| noisy.0));
    })
}

/// RcCounts causes a panic while clones of counted references are alive. After the panic the counts are as before the call.
#[rustgo::export]
pub fn rc_counts(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let (rc, arc) = (Rc::new(Noisy(n)), Arc::new(Noisy(n + 1)));
        attempt(|| {
            let one = rc.clone();
            check(0, failing);
            let weak = (Rc::downgrade(&one), Arc::downgrade(&arc));
            let many = vec![arc.clone(); 5];
            check(1, failing);
            let closure = move || {
                check(2, failing);
                one.0 ^ many[0].0
            };
            log(closure());
            check(3, failing);
            weak.0.strong_count() as u64
        });
        log(Rc::strong_count(&rc) as u64 * 10 + Rc::weak_count(&rc) as u64);
        log(Arc::strong_count(&arc) as u64 * 10 + Arc::weak_count(&arc) as u64);
        log(Rc::try_unwrap(rc).map_or(1, |noisy| noisy.0));
    })
}

/// RcCyclic makes a value that has a weak reference to itself. x decides whether a panic happens while the value is made, later, or not at all.
#[rustgo::export]
pub fn rc_cyclic(x: u64) -> u64 {
    struct Node(Noisy, std::rc::Weak<Node>, RefCell<Vec<Rc<Noisy>>>);
    let (failing, n) = (x % 3, x / 3);
    logged(|| {
        let shared = Rc::new(Noisy(n));
        let mut kept = std::rc::Weak::new();
        attempt(|| {
            let node = Rc::new_cyclic(|weak| {
                kept = weak.clone();
                let node = Node(Noisy(n + 1), weak.clone(), RefCell::new(vec![shared.clone()]));
                check(0, failing);
                node
            });
            node.2.borrow_mut().push(shared.clone());
            check(1, failing);
            node.0.0 + u64::from(node.1.upgrade().is_some())
        });
        log(u64::from(kept.upgrade().is_some()));
        log(Rc::strong_count(&shared) as u64);
    })
}

/// MakeMut makes the `clone` of a shared value panic when `make_mut` calls it.
#[rustgo::export]
pub fn make_mut(x: u64) -> u64 {
    struct Copied(u64, bool, Noisy);
    impl Clone for Copied {
        fn clone(&self) -> Copied {
            let new = Noisy(self.2.0 + 1);
            assert!(!self.1, "clone of {}", self.0);
            Copied(self.0 + 1, self.1, new)
        }
    }
    let (fails, shared, n) = (x % 2 == 0, x / 2 % 2 == 0, x / 4);
    logged(|| {
        let mut rc = Rc::new(Copied(n, fails, Noisy(n)));
        let mut arc = Arc::new(Copied(n + 1, fails, Noisy(n + 10)));
        let others = shared.then(|| (rc.clone(), arc.clone()));
        attempt(|| {
            Rc::make_mut(&mut rc).0 += 100;
            rc.0
        });
        attempt(|| {
            Arc::make_mut(&mut arc).0 += 100;
            arc.0
        });
        log(Rc::strong_count(&rc) as u64 + Arc::strong_count(&arc) as u64);
        log(others.map_or(0, |(rc, arc)| rc.0 ^ arc.0));
    })
}

/// ThreadLocals makes the closure of `with_borrow_mut` panic while the thread-local variable is borrowed.
#[rustgo::export]
pub fn thread_locals(x: u64) -> u64 {
    thread_local! {
        static WORDS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        WORDS.take();
        attempt(|| {
            WORDS.with_borrow_mut(|words| {
                for step in 0..3 {
                    words.push(n ^ step);
                    check(step, failing);
                }
            });
            WORDS.with_borrow(|words| words.len() as u64)
        });
        WORDS.with(|words| log(u64::from(words.try_borrow_mut().is_ok())));
        WORDS.take().into_iter().for_each(log);
    })
}

/// Condvars makes the condition of `wait_while` panic while the mutex is held.
#[rustgo::export]
pub fn condvars(x: u64) -> u64 {
    let (failing, n) = (x % 3, x / 3);
    logged(|| {
        let (mutex, condvar) = (Mutex::new(n), Condvar::new());
        attempt(|| {
            let held = condvar
                .wait_while(mutex.lock().unwrap(), |value| {
                    *value += 1;
                    check(0, failing);
                    false
                })
                .unwrap();
            check(1, failing);
            *held
        });
        condvar.notify_all();
        log_mutex(&mutex);
    })
}

/// Channels calls a closure that owns an end of each of two channels. A panic of the closure drops these ends, so both channels are disconnected.
#[rustgo::export]
pub fn channels(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let (sender, receiver) = mpsc::channel();
        let (back, results) = mpsc::channel::<Noisy>();
        attempt(|| {
            let (receiver_inside, _results) = (&receiver, results);
            for step in 0..3 {
                sender.send(Noisy(n + step)).unwrap();
                check(step, failing);
            }
            drop(sender);
            receiver_inside.try_recv().map_or(5, |noisy| noisy.0)
        });
        log(u64::from(back.send(Noisy(n + 10)).is_err()));
        log(receiver.try_iter().map(|noisy| noisy.0 & 0xff).sum());
    })
}

/// Atomics makes the closure of `fetch_update` panic. The atomic value stays unchanged.
#[rustgo::export]
pub fn atomics(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let value = AtomicU64::new(n);
        for step in 0..3 {
            attempt(|| {
                let update = |old: u64| {
                    check(step, failing);
                    old.checked_mul(3)
                };
                value.fetch_update(Ordering::SeqCst, Ordering::SeqCst, update).unwrap_or(1)
            });
        }
        log(value.into_inner());
    })
}

/// PoisonedHundred locks one mutex a hundred times. In some rounds a panic poisons the mutex.
#[rustgo::export]
pub fn poisoned_hundred(x: u64) -> u64 {
    logged(|| {
        let mutex = Arc::new(Mutex::new(x));
        for round in 0..100 {
            let clone = mutex.clone();
            attempt(move || {
                let mut held = clone.lock().unwrap_or_else(PoisonError::into_inner);
                *held ^= round << 5;
                check(*held % 3, 0);
                *held
            });
            if mutex.is_poisoned() && round % 2 == 0 {
                mutex.clear_poison();
            }
            log_mutex(&mutex);
        }
        log(Arc::strong_count(&mutex) as u64);
    })
}

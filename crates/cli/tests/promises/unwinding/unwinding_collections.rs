//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! The content of collections after a panic in a closure, a comparison or an element that a collection has called.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, LinkedList, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

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
/// A key whose comparisons with the key 13 panic while the thread's switch is on.
#[derive(PartialEq, Eq)]
struct Key(u64);

thread_local! {
    static STRICT: Cell<bool> = const { Cell::new(false) };
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        assert!(!STRICT.get() || (self.0 != 13 && other.0 != 13), "a comparison with 13");
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        log(self.0);
    }
}

/// Returns different numbers in an order that depends on n. The number 13 is included if `with` is true.
fn mixed(count: u64, n: u64, with: bool) -> Vec<u64> {
    let mut words: Vec<u64> = (0..count).map(|at| 100 + ((at * 37) ^ (n % 64)) % 1000).collect();
    if with {
        words[(n % count) as usize] = 13;
    }
    words
}

/// Logs the numbers without their order.
fn log_unordered(words: impl Iterator<Item = u64>) {
    let (mut count, mut sum, mut xor) = (0, 0_u64, 0);
    words.for_each(|word| {
        count += 1;
        sum = sum.wrapping_add(word.wrapping_mul(word | 1));
        xor ^= word;
    });
    log(count);
    log(sum);
    log(xor);
}

/// Sorted makes the comparisons of sorts and searches panic. After the panic the slice has all its elements, in any order.
#[rustgo::export]
pub fn sorted(x: u64) -> u64 {
    let (fails, kind, n) = (x % 3 != 0, x / 3 % 7, x / 21);
    logged(|| {
        let words = mixed(5 + n % 60, n, true);
        let mut list: Vec<Box<u64>> = words.iter().map(|&word| Box::new(word)).collect();
        let key = |word: &u64| {
            assert!(!fails || *word != 13, "a key of 13");
            *word
        };
        attempt(|| {
            match kind {
                0 => list.sort_by(|a, b| key(a).cmp(&key(b))),
                1 => list.sort_by_key(|word| !key(word)),
                2 => list.sort_by_cached_key(|word| key(word)),
                3 => list.sort_unstable_by(|a, b| key(a).cmp(&key(b))),
                4 => list.sort_unstable_by_key(|word| key(word) ^ 7),
                5 => drop(list.select_nth_unstable_by(2, |a, b| key(a).cmp(&key(b)))),
                _ => log(list[..1].binary_search_by_key(&5000, |word| key(word)).map_or_else(|at| at as u64 & !1, |at| at as u64)),
            }
            n
        });
        log_unordered(list.iter().map(|word| **word));
        if kind < 2 && !fails {
            list.iter().for_each(|word| log(**word));
        }
    })
}

/// SortedKeys sorts elements that have destructors and whose comparison panics.
#[rustgo::export]
pub fn sorted_keys(x: u64) -> u64 {
    let (with, kind, n) = (x % 2 == 0, x / 2 % 3, x / 6);
    logged(|| {
        STRICT.set(true);
        let mut keys: Vec<Key> = mixed(30, n, with).into_iter().map(Key).collect();
        attempt(|| {
            match kind {
                0 => keys.sort(),
                1 => keys.sort_unstable(),
                _ => {
                    let by = keys.iter().max().map_or(1, |key| key.0 % 7);
                    keys.rotate_left(by as usize);
                }
            }
            n
        });
        STRICT.set(false);
        log_unordered(keys.iter().map(|key| key.0));
        keys.sort();
    })
}

/// Heaps makes comparisons in the functions of a binary heap panic. After the panic the heap has the same elements as natively, in any order.
#[rustgo::export]
pub fn heaps(x: u64) -> u64 {
    let (kind, n) = (x % 4, x / 4);
    logged(|| {
        STRICT.set(false);
        let mut heap: BinaryHeap<Key> = mixed(12, n, kind == 1).into_iter().map(Key).collect();
        STRICT.set(true);
        attempt(|| {
            match kind {
                0 => heap.push(Key(if n % 3 == 0 { 14 } else { 13 })),
                1 => {
                    while let Some(key) = heap.pop() {
                        log(key.0 & 1);
                    }
                }
                2 => {
                    let mut top = heap.peek_mut().unwrap();
                    top.0 = if n % 3 == 0 { 5 } else { 13 };
                }
                _ => heap.extend([1, 2, if n % 3 == 0 { 3 } else { 13 }].map(Key)),
            }
            n
        });
        STRICT.set(false);
        log_unordered(heap.iter().map(|key| key.0));
    })
}

/// Trees makes comparisons in the functions of a B-tree map panic. The map is as before the failed insertion, removal or search.
#[rustgo::export]
pub fn trees(x: u64) -> u64 {
    let (kind, n) = (x % 5, x / 5);
    logged(|| {
        STRICT.set(false);
        let mut map: BTreeMap<Key, Noisy> = mixed(40, n, n % 4 == 1).into_iter().map(|word| (Key(word), Noisy(word + 1))).collect();
        STRICT.set(true);
        let key = if n % 2 == 0 { 13 } else { 14 };
        attempt(|| {
            match kind {
                0 => log(map.insert(Key(key), Noisy(n)).map_or(1, |old| old.0)),
                1 => log(map.remove(&Key(key)).map_or(2, |old| old.0)),
                2 => log(map.entry(Key(key)).or_insert_with(|| Noisy(n)).0),
                3 => log(map.range(Key(50)..Key(key + 1000)).count() as u64),
                _ => map.extend([(Key(7), Noisy(1)), (Key(key), Noisy(2)), (Key(9), Noisy(3))]),
            }
            n
        });
        STRICT.set(false);
        map.iter().for_each(|(key, value)| log(key.0 ^ value.0 << 20));
        log(map.len() as u64);
    })
}

/// Entries makes the closures of map entries panic. A closure that panics adds no entry.
#[rustgo::export]
pub fn entries(x: u64) -> u64 {
    let (kind, fails, n) = (x % 6, x / 6 % 2 == 0, x / 12);
    let made = move || {
        let new = Noisy(n + 7);
        assert!(!fails, "no value");
        new
    };
    logged(|| {
        let mut hashed: HashMap<u64, Noisy> = (0..5).map(|at| (at, Noisy(n + at))).collect();
        let mut tree: BTreeMap<u64, Noisy> = (0..5).map(|at| (at, Noisy(n + at))).collect();
        attempt(|| match kind {
            0 => hashed.entry(9).or_insert_with(made).0,
            1 => tree.entry(9).or_insert_with(made).0,
            2 => hashed.entry(3).and_modify(|old| *old = made()).or_insert(Noisy(1)).0,
            3 => tree.entry(3).and_modify(|old| old.0 = made().0 + 1).or_insert(Noisy(1)).0,
            4 => hashed.entry(8).or_insert_with_key(|&key| Noisy(key + made().0)).0,
            _ => tree.entry(8).or_insert_with_key(|&key| Noisy(key + made().0)).0,
        });
        log_unordered(hashed.iter().map(|(key, value)| key << 8 ^ value.0));
        tree.values().for_each(|value| log(value.0));
        // A HashMap has no order, so its values are dropped one by one in the order of their keys.
        (0..10).for_each(|key| drop(hashed.remove(&key)));
    })
}

/// RetainedMaps lets one of three closures panic: one of a map's `retain`, one of a set's `retain`, or one that changes the values of a map.
#[rustgo::export]
pub fn retained_maps(x: u64) -> u64 {
    let (failing, kind, n) = (x % 8, x / 8 % 3, x / 24);
    logged(|| {
        let mut tree: BTreeMap<u64, Noisy> = (0..7).map(|at| (at, Noisy(n + at))).collect();
        let mut set: BTreeSet<u64> = (0..7).map(|at| n ^ at).collect();
        attempt(|| {
            match kind {
                0 => tree.retain(|&key, value| {
                    check(key, failing);
                    value.0 += 10;
                    key % 2 == 0
                }),
                1 => set.retain(|&word| {
                    check(word ^ n, failing);
                    word % 3 == 0
                }),
                _ => log(tree
                    .values_mut()
                    .map(|value| {
                        check(value.0 - n, failing);
                        value.0 ^= 1;
                        value.0 & 7
                    })
                    .sum()),
            }
            n
        });
        tree.iter().for_each(|(key, value)| log(key ^ value.0 << 8));
        set.iter().for_each(|&word| log(word));
    })
}

/// HashRetained makes the closure of `retain` of a HashMap panic. Each element is in the map or was dropped.
#[rustgo::export]
pub fn hash_retained(x: u64) -> u64 {
    thread_local! {
        static ALIVE: Cell<u64> = const { Cell::new(0) };
    }
    struct Counted(u64);
    impl Drop for Counted {
        fn drop(&mut self) {
            ALIVE.set(ALIVE.get() - 1);
        }
    }
    let (failing, n) = (x % 12, x / 12);
    logged(|| {
        ALIVE.set(10);
        let mut map: HashMap<u64, Counted> = (0..10).map(|at| (at, Counted(n + at))).collect();
        attempt(|| {
            map.retain(|&key, value| {
                check(key, failing);
                value.0 & 4 == 0
            });
            map.len() as u64
        });
        log(u64::from(ALIVE.get() == map.len() as u64));
        log(u64::from(failing > 9 || map.contains_key(&failing)));
        log(u64::from(map.iter().all(|(key, value)| value.0 == n + key)));
        drop(map);
        log(ALIVE.get());
    })
}

/// Deques calls functions of a deque with closures that panic. The elements wrap around the end of the deque's buffer.
#[rustgo::export]
pub fn deques(x: u64) -> u64 {
    let (failing, kind, n) = (x % 10, x / 10 % 5, x / 50);
    logged(|| {
        let mut deque: VecDeque<Noisy> = VecDeque::with_capacity(8);
        (0..4).rev().for_each(|at| deque.push_front(Noisy(n + at)));
        (4..8).for_each(|at| deque.push_back(Noisy(n + at)));
        let mut made = 0;
        attempt(|| {
            match kind {
                0 => deque.retain(|noisy| {
                    check(noisy.0 - n, failing);
                    noisy.0 % 2 == 0
                }),
                1 => deque.resize_with(14, || {
                    check(made, failing);
                    made += 1;
                    Noisy(n + 100 + made)
                }),
                2 => deque.extend((0..6).map(|at| {
                    check(at, failing);
                    Noisy(n + 50 + at)
                })),
                3 => deque.drain(2..7).for_each(|noisy| check(noisy.0 - n, failing)),
                _ => deque.make_contiguous().sort_by_key(|noisy| {
                    check(noisy.0 - n, failing);
                    !noisy.0
                }),
            }
            n
        });
        if kind == 4 {
            deque.make_contiguous().sort_by_key(|noisy| noisy.0);
        }
        deque.iter().for_each(|noisy| log(noisy.0 ^ 1));
    })
}

/// Filled calls `fill_with`, `resize_with`, `extend` and `insert` of a vector with a closure that makes elements and panics.
#[rustgo::export]
pub fn filled(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 5, x / 35);
    logged(|| {
        let mut list: Vec<Noisy> = (0..5).map(|at| Noisy(n + at)).collect();
        let mut at = 0;
        let mut next = || {
            at += 1;
            check(at, failing);
            Noisy(n + 20 + at)
        };
        attempt(|| {
            match kind {
                0 => list.fill_with(next),
                1 => list.resize_with(9, next),
                2 => list.extend(std::iter::repeat_with(next).take(4)),
                3 => (0..4).for_each(|_| list.insert(1, next())),
                _ => {
                    let fifth = next();
                    list.push(next());
                    list[0] = next();
                    list.swap_remove(2).0 = fifth.0;
                    list.insert(failing as usize * 3, next());
                }
            }
            n
        });
        list.iter().for_each(|noisy| log(noisy.0 ^ 1));
    })
}

/// Lists causes a panic while a linked list is split, extended and visited.
#[rustgo::export]
pub fn lists(x: u64) -> u64 {
    let (failing, n) = (x % 9, x / 9);
    logged(|| {
        let mut list: LinkedList<Noisy> = (0..4).map(|at| Noisy(n + at)).collect();
        attempt(|| {
            list.extend((0..3).map(|at| {
                check(at, failing);
                Noisy(n + 10 + at)
            }));
            let mut tail = list.split_off(3);
            check(3, failing);
            tail.iter_mut().for_each(|noisy| {
                check(noisy.0 - n + 1, failing);
                noisy.0 += 50;
            });
            list.append(&mut tail);
            check(8, failing);
            n
        });
        list.iter().for_each(|noisy| log(noisy.0 ^ 1));
    })
}

/// Options calls functions of Option and Result with closures that panic.
#[rustgo::export]
pub fn options(x: u64) -> u64 {
    let (fails, kind, n) = (x % 2 == 0, x / 2 % 8, x / 16);
    let made = move |base: u64| {
        let new = Noisy(base + 1);
        assert!(!fails, "nothing from {base}");
        new
    };
    logged(|| {
        let mut slot = if kind % 2 == 0 { Some(Noisy(n)) } else { None };
        attempt(|| match kind {
            0 => slot.take().map(|old| made(old.0)).map_or(1, |new| new.0),
            1 => slot.get_or_insert_with(|| made(n)).0,
            2 => slot.take_if(|old| made(old.0).0 % 2 == 0).map_or(2, |old| old.0),
            3 => slot.take().unwrap_or_else(|| made(n + 5)).0,
            4 => slot.take().ok_or(3).and_then(|old| Err::<u64, u64>(made(old.0).0)).unwrap_or_else(|error| error + made(n).0),
            5 => slot.take().or_else(|| Some(made(n + 6))).filter(|new| made(new.0).0 > 0).map_or(4, |new| new.0),
            6 => slot.as_mut().map_or(5, |old| {
                let new = made(old.0);
                std::mem::replace(old, new).0
            }),
            _ => slot.insert(made(n)).0,
        });
        log(slot.map_or(6, |noisy| noisy.0));
    })
}

/// Strings causes a panic while a String is built. The text that was built before remains.
#[rustgo::export]
pub fn strings(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 4, x / 28);
    logged(|| {
        let mut text = String::from("begin ");
        let part = |at: u64| {
            check(at, failing);
            format!("{}-", n ^ at)
        };
        attempt(|| {
            match kind {
                0 => (0..6).for_each(|at| text += &part(at)),
                1 => text.extend((0..6).map(part)),
                2 => text = (0..6).map(part).collect::<Vec<_>>().concat(),
                _ => (0..6).for_each(|at| text.insert_str(at as usize, &part(at))),
            }
            text.replace_range(failing as usize + 2..5, "end");
            n
        });
        text.bytes().for_each(|byte| log(u64::from(byte)));
    })
}

/// Replaced causes a panic after `mem::take` or `mem::replace` has taken a value, and before a value is put back.
#[rustgo::export]
pub fn replaced(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let mut words = vec![n, n + 1];
        let mut noisy = Noisy(n + 2);
        let mut other = Noisy(n + 3);
        attempt(|| {
            let mut taken = std::mem::take(&mut words);
            check(0, failing);
            taken.push(7);
            words = taken;
            let old = std::mem::replace(&mut noisy, Noisy(n + 4));
            check(1, failing);
            other = old;
            check(2, failing);
            std::mem::swap(&mut noisy, &mut other);
            check(3, failing);
            n
        });
        words.iter().for_each(|&word| log(word));
        log(noisy.0 ^ other.0 << 1);
    })
}

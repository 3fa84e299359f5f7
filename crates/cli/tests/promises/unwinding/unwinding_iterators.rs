//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! The closures of iterators panic. Each element is dropped once, and a borrowed iterator continues after the element at which the closure panicked.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::hint::black_box;
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
/// Returns a vector of `count` noisy numbers. The first one is n.
fn noisy(count: u64, n: u64) -> Vec<Noisy> {
    (0..count).map(|at| Noisy(n + at)).collect()
}

/// Mapped makes the closures of `map` panic, for borrowed and for owned elements.
#[rustgo::export]
pub fn mapped(x: u64) -> u64 {
    let (failing, n) = (x % 6, x / 6);
    logged(|| {
        let list = noisy(5, n);
        attempt(|| {
            let double = |noisy: &Noisy| {
                check(noisy.0 - n, failing);
                noisy.0 ^ 1
            };
            list.iter().map(double).fold(0, |a, b| a ^ b)
        });
        attempt(|| {
            let boxed = |noisy: Noisy| {
                check(noisy.0 - n, failing);
                Box::new(noisy)
            };
            list.into_iter().map(boxed).collect::<Vec<_>>().len() as u64
        });
    })
}

/// InPlace causes a panic while a vector's elements are collected into the vector's own memory.
#[rustgo::export]
pub fn in_place(x: u64) -> u64 {
    struct Other(Noisy);
    let (failing, kind, n) = (x % 7, x / 7 % 3, x / 21);
    logged(|| {
        let list = black_box(noisy(6, n));
        let other = |noisy: Noisy| {
            check(noisy.0 - n, failing);
            Other(noisy)
        };
        attempt(|| match kind {
            0 => list.into_iter().map(other).collect::<Vec<_>>().iter().map(|other| other.0.0 & 7).sum(),
            1 => list.into_iter().filter(|noisy| noisy.0 % 2 == 0).map(other).collect::<Vec<_>>().len() as u64,
            _ => list.into_iter().skip(2).map(other).take(3).collect::<Vec<_>>().len() as u64,
        });
    })
}

/// Filtered makes the closures of `filter`, `filter_map`, `partition` and `rposition` panic.
#[rustgo::export]
pub fn filtered(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 4, x / 28);
    let even = move |noisy: &Noisy| {
        check(noisy.0 - n, failing);
        noisy.0 % 2 == 0
    };
    logged(|| {
        let list = noisy(6, n);
        attempt(|| match kind {
            0 => list.into_iter().filter(even).map(|noisy| noisy.0 & 7).sum(),
            1 => list.into_iter().filter_map(|noisy| even(&noisy).then_some(noisy)).collect::<Vec<_>>().len() as u64,
            2 => {
                let (left, right): (Vec<_>, Vec<_>) = list.into_iter().partition(even);
                (left.len() * 8 + right.len()) as u64
            }
            _ => list.iter().rposition(|noisy| even(noisy) && noisy.0 == n).map_or(1, |at| at as u64),
        });
    })
}

/// Zipped makes closures panic while `zip`, `unzip`, `chain` or `enumerate` consumes the elements of two vectors.
#[rustgo::export]
pub fn zipped(x: u64) -> u64 {
    let (failing, kind, n) = (x % 6, x / 6 % 3, x / 18);
    logged(|| {
        let (left, right) = (noisy(4, n), noisy(5, n + 10));
        attempt(|| match kind {
            0 => left
                .into_iter()
                .zip(right)
                .map(|(a, b)| {
                    check(a.0 - n, failing);
                    a.0 ^ b.0
                })
                .fold(1, |a, b| a ^ b),
            1 => left
                .into_iter()
                .chain(right)
                .enumerate()
                .map(|(at, noisy)| {
                    check(at as u64, failing + 2);
                    noisy.0 & 7
                })
                .sum(),
            _ => {
                let (a, b): (Vec<_>, Vec<_>) = left.into_iter().zip(right).inspect(|(a, _)| check(a.0 - n, failing)).unzip();
                (a.len() + b.len()) as u64
            }
        });
    })
}

/// Chunked causes a panic in loops over the chunks of a slice, after some chunks have been changed.
#[rustgo::export]
pub fn chunked(x: u64) -> u64 {
    let (failing, n) = (x % 8, x / 8);
    logged(|| {
        let mut words: Vec<u64> = (0..14).map(|at| n ^ at).collect();
        attempt(|| {
            for (at, chunk) in words.chunks_mut(3).enumerate() {
                chunk.reverse();
                check(at as u64, failing);
                chunk[0] += 1;
            }
            words.windows(2).map(|pair| u64::from(pair[0] < pair[1])).sum()
        });
        attempt(|| {
            for (at, chunk) in words.rchunks_exact_mut(4).enumerate() {
                chunk.fill(at as u64);
                check(at as u64 + 5, failing);
            }
            words.chunk_by(|a, b| a == b).count() as u64
        });
        words.iter().for_each(|&word| log(word));
    })
}

/// Flattened makes the closure of `flat_map` panic, or makes a closure that consumes the elements panic while an inner iterator is partly consumed.
#[rustgo::export]
pub fn flattened(x: u64) -> u64 {
    let (failing, n) = (x % 12, x / 12);
    logged(|| {
        let steps = Cell::new(0);
        attempt(|| {
            let inner = |outer: Noisy| {
                let inner = noisy(3, outer.0 + 10);
                check(steps.get(), failing);
                inner
            };
            let each = |noisy: Noisy| {
                steps.set(steps.get() + 1);
                check(steps.get() + 3, failing);
                noisy.0 & 3
            };
            noisy(3, n).into_iter().flat_map(inner).map(each).sum()
        });
        log(steps.get());
    })
}

/// Folded makes the closures of `fold`, `try_fold`, `scan` and `reduce` panic. The accumulator has a destructor.
#[rustgo::export]
pub fn folded(x: u64) -> u64 {
    let (failing, kind, n) = (x % 6, x / 6 % 4, x / 24);
    let join = move |sum: Noisy, noisy: Noisy| {
        check(noisy.0 - n, failing);
        Noisy(sum.0 ^ noisy.0 << 8)
    };
    logged(|| {
        let list = noisy(5, n);
        attempt(|| match kind {
            0 => list.into_iter().fold(Noisy(n), join).0,
            1 => list.into_iter().reduce(join).map_or(1, |noisy| noisy.0),
            2 => {
                let tried =
                    list.into_iter().try_fold(Noisy(1), |sum, noisy| if noisy.0 == n + 4 { Err(noisy) } else { Ok(join(sum, noisy)) });
                tried.map_or_else(|noisy| noisy.0, |noisy| noisy.0 + 1)
            }
            _ => {
                let scan = list.into_iter().scan(Noisy(2), |state, noisy| {
                    *state = join(Noisy(state.0), noisy);
                    (state.0 % 11 != 0).then_some(state.0)
                });
                scan.fold(0, |a, b| a ^ b)
            }
        });
    })
}

/// GoesOn takes more elements from an iterator after the iterator's closure has panicked.
#[rustgo::export]
pub fn goes_on(x: u64) -> u64 {
    let (failing, n) = (x % 6, x / 6);
    logged(|| {
        let calls = Cell::new(0);
        let mut mapped = noisy(8, n).into_iter().map(|noisy| {
            calls.set(calls.get() + 1);
            assert!((noisy.0 - n) % 6 != failing, "element {}", noisy.0);
            noisy.0
        });
        for _ in 0..9 {
            attempt(|| mapped.next().unwrap_or(1));
        }
        let mut peeked = (0..6).inspect(|&at| check(at, failing)).peekable();
        for _ in 0..4 {
            attempt(|| *peeked.peek().unwrap_or(&2));
            attempt(|| peeked.next_if(|at| at % 2 == 0).map_or(3, |at| at + n));
        }
        log(calls.get());
        log(mapped.len() as u64);
    })
}

/// Drained causes a panic while a vector is drained. The other elements of the range are dropped, and the elements after the range are kept.
#[rustgo::export]
pub fn drained(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 3, x / 21);
    logged(|| {
        let mut list = noisy(8, n);
        attempt(|| {
            match kind {
                0 => list.drain(1..6).for_each(|noisy| check(noisy.0 - n, failing)),
                1 => list.drain(..).rev().skip(1).for_each(|noisy| check(noisy.0 - n, failing)),
                _ => drop(list.splice(
                    2..5,
                    (0..4).map(|at| {
                        Noisy(
                            n + 20 + {
                                check(at, failing);
                                at
                            },
                        )
                    }),
                )),
            }
            n
        });
        list.iter().for_each(|noisy| log(noisy.0 ^ 1));
    })
}

/// Retained makes the closures of `retain`, `retain_mut`, `dedup_by_key` and `extract_if` panic. No element is lost or doubled.
#[rustgo::export]
pub fn retained(x: u64) -> u64 {
    let (failing, kind, n) = (x % 9, x / 9 % 4, x / 36);
    logged(|| {
        let mut list = noisy(8, n);
        attempt(|| {
            match kind {
                0 => list.retain(|noisy| {
                    check(noisy.0 - n, failing);
                    noisy.0 % 3 == 0
                }),
                1 => list.retain_mut(|noisy| {
                    check(noisy.0 - n, failing);
                    noisy.0 += 100;
                    noisy.0 % 2 == 0
                }),
                2 => list.dedup_by_key(|noisy| {
                    check(noisy.0 - n, failing);
                    noisy.0 / 3
                }),
                _ => {
                    let out = list.extract_if(1..7, |noisy| {
                        check(noisy.0 - n, failing);
                        noisy.0 % 2 == 0
                    });
                    log(out.map(|noisy| noisy.0 & 0xf).sum());
                }
            }
            n
        });
        log(list.len() as u64);
        list.iter().for_each(|noisy| log(noisy.0 ^ 1));
    })
}

/// Taken makes closures panic under `take_while`, `skip_while`, `map_while`, `step_by`, `rev` and `cycle`.
#[rustgo::export]
pub fn taken(x: u64) -> u64 {
    let (failing, kind, n) = (x % 8, x / 8 % 5, x / 40);
    let below = move |noisy: &Noisy| {
        check(noisy.0 - n, failing);
        noisy.0 < n + 5
    };
    logged(|| {
        let list = noisy(7, n).into_iter();
        attempt(|| match kind {
            0 => list.take_while(below).count() as u64,
            1 => list.skip_while(below).map(|noisy| noisy.0 & 7).sum(),
            2 => list.map_while(|noisy| below(&noisy).then_some(noisy.0 & 15)).sum(),
            3 => list.step_by(2).rev().filter(below).count() as u64,
            _ => (0..3).cycle().take(10).zip(list).map(|(at, noisy)| at + u64::from(below(&noisy))).sum(),
        });
    })
}

/// Extremes makes the closures of `max_by_key`, `min_by` and `is_sorted_by` panic.
#[rustgo::export]
pub fn extremes(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 3, x / 21);
    let key = move |noisy: &Noisy| {
        check(noisy.0 - n, failing);
        noisy.0 % 4
    };
    logged(|| {
        let list = noisy(6, n);
        attempt(|| match kind {
            0 => list.into_iter().max_by_key(key).map_or(0, |noisy| noisy.0),
            1 => list.into_iter().min_by(|a, b| key(a).cmp(&key(b)).reverse()).map_or(0, |noisy| noisy.0),
            _ => u64::from(list.is_sorted_by(|a, b| key(a) < key(b) + 4)),
        });
    })
}

/// Collected causes a panic while an iterator is collected into a Result, an Option, a String or a map.
#[rustgo::export]
pub fn collected(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 5, x / 35);
    logged(|| {
        let each = noisy(6, n).into_iter().inspect(|noisy| check(noisy.0 - n, failing));
        attempt(|| match kind {
            0 => each
                .map(|noisy| if noisy.0 == n + 5 { Err(noisy) } else { Ok(noisy) })
                .collect::<Result<Vec<_>, _>>()
                .map_or_else(|noisy| noisy.0, |list| list.len() as u64),
            1 => each.map(|noisy| (noisy.0 != n + 4).then_some(noisy)).collect::<Option<Vec<_>>>().map_or(1, |list| list.len() as u64),
            2 => each.map(|noisy| format!("{},", noisy.0)).collect::<String>().len() as u64,
            3 => each.map(|noisy| (noisy.0 % 4, noisy)).collect::<BTreeMap<_, _>>().values().map(|noisy| noisy.0 & 7).sum(),
            _ => each.map(Box::new).collect::<Box<[_]>>().len() as u64,
        });
    })
}

/// Generated makes the closures of `from_fn`, `successors`, `repeat_with` and `once_with` panic.
#[rustgo::export]
pub fn generated(x: u64) -> u64 {
    let (failing, kind, n) = (x % 7, x / 7 % 4, x / 28);
    logged(|| {
        let mut at = 0;
        let next = || {
            at += 1;
            check(at, failing);
            Noisy(n + at)
        };
        attempt(|| match kind {
            0 => {
                let mut next = next;
                std::iter::from_fn(|| Some(next()).filter(|noisy| noisy.0 < n + 5)).map(|noisy| noisy.0 & 7).sum()
            }
            1 => std::iter::repeat_with(next).take(5).collect::<Vec<_>>().len() as u64,
            2 => std::iter::successors(Some(Box::new(Noisy(n))), |noisy| {
                check(noisy.0 - n, failing);
                (noisy.0 < n + 5).then(|| Box::new(Noisy(noisy.0 + 1)))
            })
            .count() as u64,
            _ => std::iter::once_with(next).chain([Noisy(n)]).map(|noisy| noisy.0 & 7).sum(),
        });
        log(at);
    })
}

/// Texts makes closures over the characters and parts of a text panic.
#[rustgo::export]
pub fn texts(x: u64) -> u64 {
    let (failing, kind, n) = (x % 8, x / 8 % 5, x / 40);
    logged(|| {
        let mut text = format!("aä€🦀 {n} x,y\nz");
        let at = Cell::new(0);
        let step = || {
            at.set(at.get() + 1);
            check(at.get(), failing);
        };
        attempt(|| match kind {
            0 => text
                .chars()
                .map(|c| {
                    u64::from(u32::from(c)) + {
                        step();
                        1
                    }
                })
                .sum(),
            1 => {
                text.retain(|c| {
                    step();
                    c.is_ascii()
                });
                1
            }
            2 => text
                .split(|c: char| {
                    step();
                    c == ' '
                })
                .map(|part| part.len() as u64)
                .sum(),
            3 => text
                .trim_end_matches(|c: char| {
                    step();
                    c != '€'
                })
                .len() as u64,
            _ => {
                text = text
                    .char_indices()
                    .map(|(at, c)| {
                        step();
                        if at % 2 == 0 { c } else { '-' }
                    })
                    .collect();
                2
            }
        });
        text.bytes().for_each(|byte| log(u64::from(byte)));
        log(at.get());
    })
}

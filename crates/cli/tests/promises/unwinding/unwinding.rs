//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! A panic runs the destructors of everything that it leaves: blocks, loops, expressions, patterns, closures, futures and calls.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

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
/// Returns the number, or panics if `step` is the step that must fail.
#[inline(never)]
fn number(step: u64, failing: u64, n: u64) -> u64 {
    check(step, failing);
    n
}

/// Locals causes a panic before, between or after the declarations of locals.
#[rustgo::export]
pub fn locals(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        attempt(|| {
            check(0, failing);
            let first = Noisy(n);
            check(1, failing);
            let _second = Noisy(n + 1);
            check(2, failing);
            let _third = Noisy(first.0 + 2);
            check(3, failing);
            n
        });
    })
}

/// Blocks makes code in nested blocks panic, before or after the locals of inner blocks are dropped.
#[rustgo::export]
pub fn blocks(x: u64) -> u64 {
    let (failing, n) = (x % 6, x / 6);
    logged(|| {
        attempt(|| {
            let _outer = Noisy(n);
            let inner = {
                let _gone = Noisy(n + 1);
                check(0, failing);
                let kept = Noisy(n + 2);
                {
                    let _deepest = Noisy(n + 3);
                    check(1, failing);
                }
                check(2, failing);
                kept
            };
            check(3, failing);
            let _ = Noisy(n + 4);
            check(4, failing);
            inner.0
        });
    })
}

/// Moved makes a function that owns its argument panic, or makes the caller panic after the function has returned.
#[rustgo::export]
pub fn moved(x: u64) -> u64 {
    #[inline(never)]
    fn takes(value: Noisy, failing: u64) -> Noisy {
        check(0, failing);
        let new = Noisy(value.0 + 1);
        check(1, failing);
        drop(value);
        check(2, failing);
        new
    }
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        attempt(|| {
            let stays = Noisy(n + 9);
            let new = takes(Noisy(n), failing);
            check(3, failing);
            stays.0 + new.0
        });
    })
}

/// PartlyMoved causes a panic after some fields of a value have been moved out of it.
#[rustgo::export]
pub fn partly_moved(x: u64) -> u64 {
    struct Three {
        first: Noisy,
        second: Noisy,
        third: (Noisy, Noisy),
    }
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        attempt(|| {
            let three = Three { first: Noisy(n), second: Noisy(n + 1), third: (Noisy(n + 2), Noisy(n + 3)) };
            check(0, failing);
            let second = three.second;
            check(1, failing);
            let (left, _) = three.third;
            check(2, failing);
            drop(second);
            check(3, failing);
            left.0 + three.first.0
        });
    })
}

/// MaybeMoved causes a panic where only a drop flag tells whether a value has been moved.
#[rustgo::export]
pub fn maybe_moved(x: u64) -> u64 {
    let (failing, moves, n) = (x % 3, x / 3 % 4, x / 12);
    logged(|| {
        attempt(|| {
            let (first, second) = (Noisy(n), Noisy(n + 1));
            if black_box(moves) & 1 != 0 {
                drop(first);
            }
            check(0, failing);
            let held = if black_box(moves) & 2 != 0 { Some(second) } else { None };
            check(1, failing);
            held.map_or(n, |held| held.0)
        });
    })
}

/// Temporaries causes a panic while the temporaries of an expression are alive.
#[rustgo::export]
pub fn temporaries(x: u64) -> u64 {
    trait Plus {
        fn plus(&self, other: &Noisy, n: u64) -> Noisy;
    }
    impl Plus for Noisy {
        fn plus(&self, other: &Noisy, n: u64) -> Noisy {
            Noisy(self.0 + other.0 + n)
        }
    }
    let (failing, n) = (x % 5, x / 5 >> 3);
    logged(|| {
        attempt(|| {
            let sum = Noisy(n).plus(&Noisy(number(0, failing, n + 1)), number(1, failing, 2)).plus(&Noisy(3), number(2, failing, 3)).0;
            check(3, failing);
            sum
        });
    })
}

/// Arguments causes a panic while the arguments of a call are evaluated.
#[rustgo::export]
pub fn arguments(x: u64) -> u64 {
    #[inline(never)]
    fn sum(a: Noisy, b: Box<Noisy>, c: u64, d: Noisy) -> u64 {
        log(77);
        a.0 + b.0 + c + d.0
    }
    let (failing, n) = (x % 4, x / 4 >> 3);
    logged(|| {
        attempt(|| {
            sum(
                Noisy(number(0, failing, n)),
                Box::new(Noisy(number(1, failing, n + 1))),
                number(2, failing, n + 2),
                Noisy(number(3, failing, n + 3)),
            )
        });
        attempt(|| sum(Noisy(n), Box::new(Noisy(1)), number(n & 1, 1, 2), Noisy(3)));
    })
}

/// Literals causes a panic while a struct, an array, a tuple, a vector or an enum is made.
#[rustgo::export]
pub fn literals(x: u64) -> u64 {
    struct Three {
        a: Noisy,
        b: Noisy,
        c: Noisy,
    }
    enum Either {
        Both(Noisy, Noisy, Noisy),
    }
    let (failing, kind, n) = (x % 4, x / 4 % 5, x / 20 >> 3);
    let made = |at: u64| Noisy(number(at, failing, n + at));
    logged(|| {
        attempt(|| match kind {
            0 => {
                let three = Three { c: made(0), a: made(1), b: made(2) };
                three.a.0 + three.b.0 + three.c.0
            }
            1 => [made(0), made(1), made(2)].iter().map(|noisy| noisy.0).sum(),
            2 => {
                let tuple = (made(0), (made(1), made(2)));
                tuple.0.0 + tuple.1.1.0
            }
            3 => vec![made(0), made(1), made(2)].len() as u64,
            _ => {
                let Either::Both(a, b, c) = black_box(Either::Both(made(0), made(1), made(2)));
                a.0 + b.0 + c.0
            }
        });
    })
}

/// Shadowed causes a panic while shadowed variables are alive.
#[rustgo::export]
pub fn shadowed(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        attempt(|| {
            let value = Noisy(n);
            check(0, failing);
            let value = Noisy(value.0 + 1);
            check(1, failing);
            let value = (value, Noisy(n + 2));
            check(2, failing);
            value.1.0
        });
    })
}

/// Loops has a loop in a loop, and panics in one round of the inner loop or not at all. Other rounds end by `continue` or `break` of the outer
/// loop.
#[rustgo::export]
pub fn loops(x: u64) -> u64 {
    let (failing, n) = (x % 40, x / 40);
    logged(|| {
        let mut rounds = 0;
        attempt(|| {
            let mut sum = Noisy(n);
            'outer: for i in 0..6 {
                let outer = Noisy(n + i);
                for j in 0..6 {
                    let inner = Noisy(outer.0 + 10 * j);
                    rounds += 1;
                    if (i + j) % 4 == 3 {
                        continue 'outer;
                    }
                    check(6 * i + j, failing);
                    sum = Noisy(inner.0 ^ sum.0);
                    if i == 4 {
                        break 'outer;
                    }
                }
            }
            sum.0
        });
        log(rounds);
    })
}

/// Matches makes a guard or an arm of a match panic. Some panic after a pattern has moved a part of the value.
#[rustgo::export]
pub fn matches(x: u64) -> u64 {
    enum Shape {
        Pair(Noisy, Noisy),
        One(Noisy),
        None,
    }
    let (failing, kind, n) = (x % 5, x / 5 % 3, x / 15);
    logged(|| {
        attempt(|| {
            let shape = match black_box(kind) {
                0 => Shape::Pair(Noisy(n), Noisy(n + 1)),
                1 => Shape::One(Noisy(n + 2)),
                _ => Shape::None,
            };
            match shape {
                Shape::Pair(ref a, _) if number(0, failing, a.0) & 1 == 0 => 1,
                Shape::Pair(a, ref b) => number(1, failing, a.0 ^ b.0),
                Shape::One(ref one) if one.0 & 1 == number(2, failing, 1) => 2,
                Shape::One(one) => {
                    let again = Noisy(one.0 + 1);
                    drop(one);
                    number(3, failing, again.0)
                }
                Shape::None => number(3, failing, n),
            }
        });
    })
}

/// Assigned causes a panic while the new value of a variable is computed; the variable keeps its old value.
#[rustgo::export]
pub fn assigned(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let mut value = Noisy(n);
        let mut list = vec![Noisy(n + 1), Noisy(n + 2)];
        attempt(|| {
            value = Noisy(number(0, failing, n + 3));
            list[1] = Noisy(number(1, failing, n + 4));
            list[number(2, failing, 0) as usize] = Noisy(n + 5);
            n
        });
        log(value.0);
        list.iter().for_each(|noisy| log(noisy.0));
    })
}

/// Captured calls closures that own or borrow their captured variables. One of the closures panics.
#[rustgo::export]
pub fn captured(x: u64) -> u64 {
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let (owned, shared, mut changed) = (Noisy(n), Noisy(n + 1), 0);
        attempt(|| {
            let once = move |step: u64| {
                check(step, failing);
                owned.0
            };
            once(0)
        });
        let mut change = |step: u64| {
            changed += 1;
            check(step, failing);
            changed += shared.0;
            changed
        };
        attempt(|| change(1));
        attempt(|| change(2));
        log(changed);
        let boxed: Box<dyn FnOnce(u64) -> u64> = Box::new({
            let (one, two) = (Noisy(n + 2), Noisy(n + 3));
            move |step| number(step, failing, one.0 + two.0)
        });
        attempt(|| black_box(boxed)(3));
        log(shared.0);
    })
}

/// Nested has a catch inside the closure of another catch. The inner catch handles a panic while locals of that closure are alive.
#[rustgo::export]
pub fn nested(x: u64) -> u64 {
    let (failing, outer_fails, n) = (x % 4, x / 4 % 2, x / 8);
    logged(|| {
        attempt(|| {
            let _outer = Noisy(n);
            let ended = attempt(|| {
                let _middle = Noisy(n + 1);
                attempt(|| {
                    let _inner = Noisy(n + 2);
                    number(0, failing, n)
                });
                check(1, failing);
                n
            });
            check(2, failing);
            assert!(ended || outer_fails == 0, "the inner call failed");
            n
        });
    })
}

/// Replaced causes a second panic while the payload of a caught panic is alive.
#[rustgo::export]
pub fn replaced(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        attempt(|| {
            let first = catch_unwind(AssertUnwindSafe(|| {
                let held = Noisy(n);
                number(0, failing, held.0)
            }));
            match first {
                Ok(n) => number(1, failing, n),
                Err(payload) => {
                    let _held = Noisy(n + 1);
                    let text = payload.downcast_ref::<String>().map_or(0, String::len);
                    panic!("after {text} bytes, {n}")
                }
            }
        });
    })
}

/// Early calls a function that may panic, or return early by `return`, `?` or `let else`.
#[rustgo::export]
pub fn early(x: u64) -> u64 {
    #[inline(never)]
    fn early(kind: u64, failing: u64, n: u64) -> Result<u64, Noisy> {
        let first = Noisy(n);
        let some = if kind == 0 { None } else { Some(Noisy(n + 1)) };
        let Some(second) = some else { return Ok(number(0, failing, first.0)) };
        let third = if kind == 1 { Err(Noisy(n + 2)) } else { Ok(Noisy(n + 3)) };
        check(1, failing);
        let third = third?;
        if kind == 2 {
            return Ok(number(2, failing, second.0));
        }
        Ok(number(3, failing, third.0))
    }
    let (failing, kind, n) = (x % 5, x / 5 % 4, x / 20);
    logged(|| {
        attempt(|| early(kind, failing, n).unwrap_or_else(|noisy| noisy.0 ^ 1));
    })
}

/// Futures polls futures that panic. The panic drops the values that the futures hold, and another poll panics too.
#[rustgo::export]
pub fn futures(x: u64) -> u64 {
    async fn part(step: u64, failing: u64, n: u64) -> u64 {
        let held = Noisy(n + step);
        let mut waited = false;
        std::future::poll_fn(|_| {
            if waited {
                return Poll::Ready(());
            }
            waited = true;
            Poll::Pending
        })
        .await;
        check(step, failing);
        held.0
    }
    let (failing, n) = (x % 4, x / 4 >> 2);
    logged(|| {
        let mut whole = pin!(async {
            let held = Noisy(n);
            let first = part(0, failing, n).await;
            let second = Box::pin(part(1, failing, n)).await;
            check(2, failing);
            first + second + held.0
        });
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..4 {
            let mut done = false;
            let ended = attempt(|| match whole.as_mut().poll(&mut context) {
                Poll::Ready(n) => {
                    done = true;
                    n
                }
                Poll::Pending => 7,
            });
            log(u64::from(ended));
            if done {
                break;
            }
        }
    })
}

/// Recursion makes the deepest level of a recursion panic. Each level has a destructor.
#[rustgo::export(stack = "64k")]
pub fn recursion(x: u64) -> u64 {
    #[inline(never)]
    fn down(depth: u64, fails: bool, n: u64) -> u64 {
        let held = Noisy(n ^ depth);
        if depth == 0 {
            assert!(!fails, "at the bottom of {n}");
            return 1;
        }
        down(depth - 1, fails, n) + held.0 % 7
    }
    let (depth, fails, n) = (x % 61, x / 61 % 2 == 0, x / 122);
    logged(|| {
        attempt(|| down(black_box(depth), fails, n));
    })
}

/// Rethrown catches a panic at each level of a recursion and panics again, with another text.
#[rustgo::export(stack = "256k")]
pub fn rethrown(x: u64) -> u64 {
    #[inline(never)]
    fn down(depth: u64, fails: bool, n: u64) -> u64 {
        let held = Noisy(n ^ depth);
        if depth == 0 {
            assert!(!fails, "at the bottom of {n}");
            return held.0;
        }
        match catch_unwind(|| down(depth - 1, fails, n)) {
            Ok(sum) => sum ^ held.0,
            Err(payload) => panic!("{depth} above {} bytes", payload.downcast_ref::<String>().map_or(0, String::len)),
        }
    }
    let (depth, fails, n) = (x % 9, x / 9 % 2 == 0, x / 18);
    logged(|| {
        attempt(|| down(black_box(depth), fails, n));
    })
}

/// Mutual makes a level of a recursion panic. The two functions of the recursion call each other through a pointer and a trait object.
#[rustgo::export(stack = "256k")]
pub fn mutual(x: u64) -> u64 {
    trait Step {
        fn step(&self, depth: u64, failing: u64) -> u64;
    }
    struct Down(Noisy);
    impl Step for Down {
        fn step(&self, depth: u64, failing: u64) -> u64 {
            let next: fn(u64, u64, u64) -> u64 = black_box(other);
            number(depth, failing, 1) + if depth > 20 { self.0.0 } else { next(depth + 1, failing, self.0.0) }
        }
    }
    fn other(depth: u64, failing: u64, n: u64) -> u64 {
        let down: Box<dyn Step> = black_box(Box::new(Down(Noisy(n ^ depth))));
        number(depth, failing, 2) + down.step(depth + 1, failing)
    }
    let (failing, n) = (x % 26, x / 26);
    logged(|| {
        attempt(|| other(0, failing, n));
    })
}

/// Hundred makes a hundred calls one after the other. A third of the calls panic unless x % 4 is 3, and each panic is caught.
#[rustgo::export]
pub fn hundred(x: u64) -> u64 {
    logged(|| {
        let mut caught = 0;
        for round in 0..100 {
            let fine = attempt(|| {
                let held = Box::new(Noisy(x ^ round));
                check(round % 3, x % 4);
                held.0
            });
            caught += u64::from(!fine);
        }
        log(caught);
    })
}

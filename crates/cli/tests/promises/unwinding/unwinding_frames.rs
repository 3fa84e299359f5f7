//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Frames and registers are right after a panic: large and aligned frames, values of all types in landing pads and handlers, and all kinds of calls.

use std::cell::Cell;
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
/// Returns the number, or panics if `step` is the step that must fail.
#[inline(never)]
fn number(step: u64, failing: u64, n: u64) -> u64 {
    check(step, failing);
    n
}

/// Calls the function when it is dropped.
struct Defer<F: FnMut()>(F);

impl<F: FnMut()> Drop for Defer<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// LargeFrames causes a panic below frames of 10 KiB whose content the destructors read.
#[rustgo::export(stack = "256k")]
pub fn large_frames(x: u64) -> u64 {
    struct Room([u64; 1280], u64);
    impl Drop for Room {
        fn drop(&mut self) {
            log(self.0.iter().fold(self.1, |a, b| a.rotate_left(1) ^ b));
        }
    }
    #[inline(never)]
    fn level(depth: u64, failing: u64, n: u64) -> u64 {
        let mut room = Room([n; 1280], depth);
        room.0[n as usize % 1280] = depth;
        black_box(&mut room);
        let below = if depth < 4 { level(depth + 1, failing, n ^ depth) } else { 1 };
        number(depth, failing, below) ^ room.0[7]
    }
    let (failing, n) = (x % 6, x / 6);
    logged(|| {
        let outside = black_box([n; 1280]);
        attempt(|| level(0, failing, n));
        log(outside.iter().fold(0, |a, b| a.rotate_left(3) ^ b));
    })
}

/// Aligned causes a panic while locals aligned to 32, 64 and 128 bytes are alive. Their addresses are aligned in destructors and after the panic.
#[rustgo::export(stack = "256k")]
pub fn aligned(x: u64) -> u64 {
    #[repr(align(32))]
    struct A([u64; 4]);
    #[repr(align(64))]
    struct B([u64; 8], u64);
    #[repr(align(128))]
    struct C([u8; 100]);
    impl Drop for B {
        fn drop(&mut self) {
            log(black_box(&raw const *self).addr() as u64 % 64);
            log(self.0.iter().fold(self.1, |a, b| a ^ b));
        }
    }
    #[inline(never)]
    fn inner(failing: u64, n: u64, outer: &B) -> u64 {
        let b = black_box(B([n; 8], 5));
        let c = black_box(C([n as u8; 100]));
        check(0, failing);
        log((&raw const c).addr() as u64 % 128 + u64::from(c.0[99]));
        outer.1 ^ number(1, failing, b.0[3])
    }
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let a = black_box(A([n, n + 1, n + 2, n + 3]));
        attempt(|| {
            let b = black_box(B([n ^ 1; 8], 3));
            let got = inner(failing, n, &b);
            check(2, failing);
            got
        });
        log((&raw const a).addr() as u64 % 32);
        a.0.iter().for_each(|&word| log(word));
    })
}

/// AlignedWithStackArguments calls a recursive function that has an aligned frame and stack arguments. Each call goes through an entry that copies
/// the arguments. The frames of the other callers have all sizes modulo 128. Panics unwind through the entries.
#[rustgo::export(stack = "256k")]
pub fn aligned_with_stack_arguments(x: u64) -> u64 {
    #[repr(align(128))]
    struct Wide([u64; 16]);
    impl Drop for Wide {
        fn drop(&mut self) {
            log((&raw const *self).addr() as u64 % 128 ^ self.0.iter().fold(0, |a, b| a ^ b));
        }
    }
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn deep(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, owned: Noisy, failing: u64, level: u64) -> [u64; 3] {
        let wide = black_box(Wide([a ^ g; 16]));
        let _then = Defer(|| log(h ^ owned.0));
        let mut results = [number(level, failing, wide.0[7]), f, g.rotate_left(5) ^ h];
        if level < 5 {
            results = deep(b, c, d, e, f, g, h, results[0], Noisy(owned.0 + 1), failing, level + 1);
        }
        // A callee may change its stack arguments. The recursive call must not have changed the arguments of this call.
        log(a ^ b ^ c ^ d ^ e ^ f ^ g.rotate_left(1) ^ h.rotate_left(2) ^ owned.0);
        results[1] = results[1].wrapping_add(e);
        results
    }
    #[inline(never)]
    fn from<const WORDS: usize>(failing: u64, n: u64) -> u64 {
        let words = black_box([n; WORDS]);
        let got = deep(n, 1, 2, 3, 4, 5, n ^ 6, 7, Noisy(n), failing, 0);
        log(words.iter().fold(WORDS as u64, |a, b| a.rotate_left(1) ^ b));
        got.into_iter().fold(0, |a, b| a.rotate_left(3) ^ b)
    }
    const CALLERS: [fn(u64, u64) -> u64; 8] = [from::<1>, from::<3>, from::<5>, from::<7>, from::<9>, from::<11>, from::<13>, from::<15>];
    let (failing, n) = (x % 7, x / 7);
    logged(|| {
        for caller in CALLERS {
            attempt(|| caller(failing, n));
        }
    })
}

/// Floats has f32 and f64 values that are alive over a panicking call. The landing pad and the code after the catch use them.
#[rustgo::export]
pub fn floats(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let (a, b, c) = (black_box(n as f64 / 3.0), black_box(n as f32 * 1.5), black_box(1.0 / (n as f64 + 0.5)));
        let sum = Cell::new(0.0);
        attempt(|| {
            let (d, e) = (a * 2.0 + c, f64::from(b) - c);
            let _pad = Defer(|| sum.set(sum.get() + d * e));
            let f = number(0, failing, n) as f64 + d;
            let _pad = Defer(|| sum.set(sum.get() - f + e));
            let g = number(1, failing, n) as f32 * b;
            let _pad = Defer(|| sum.set(sum.get() + f64::from(g)));
            check(2, failing);
            (f + f64::from(g)).to_bits()
        });
        log(sum.get().to_bits());
        log((a + f64::from(b) + c).to_bits());
    })
}

/// WideIntegers has u128 and i128 values that are alive over a panicking call.
#[rustgo::export]
pub fn wide_integers(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let a = black_box(u128::from(n) << 40 | 5);
        let b = black_box(-i128::from(n) * 3);
        let last = Cell::new(a);
        attempt(|| {
            let c = a.wrapping_mul(a) ^ b as u128;
            let _pad = Defer(|| last.set(last.get() ^ c));
            let d = u128::from(number(0, failing, n)) * c.rotate_left(9);
            let _pad = Defer(|| last.set(last.get().wrapping_add(d)));
            let e = c / black_box(u128::from(if failing == 1 { 0 } else { n + 1 }));
            check(2, failing);
            (e ^ d) as u64
        });
        log(last.get() as u64);
        log((last.get() >> 64) as u64);
        log((a as i128 ^ b) as u64);
    })
}

/// ManyValues has more values alive over panicking calls than there are callee-saved registers.
#[rustgo::export]
pub fn many_values(x: u64) -> u64 {
    #[inline(never)]
    fn clobbers(n: u64, failing: u64) -> u64 {
        let (mut a, mut b, mut c, mut d, mut e, mut f) = (n, n ^ 1, n ^ 2, n ^ 3, n ^ 4, n ^ 5);
        for round in 0..3 {
            a = a.wrapping_add(number(round, failing, b));
            b ^= c.rotate_left(5);
            c = c.wrapping_mul(d | 1);
            d ^= e >> 3;
            e = e.wrapping_sub(f);
            f = f.rotate_left(a as u32 & 31);
        }
        a ^ b ^ c ^ d ^ e ^ f
    }
    #[inline(never)]
    fn middle(n: u64, failing: u64) -> u64 {
        let (a, b, c, d) = (n | 1, n & 0xffff, n >> 7, n << 3);
        let _pad = Defer(|| log(a ^ b));
        let got = clobbers(n, failing);
        log(got);
        got ^ a ^ b ^ c ^ d ^ clobbers(!n, failing + 1)
    }
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let (a, b, c, d, e, f) = (n ^ 11, n ^ 22, n ^ 33, n ^ 44, n ^ 55, n ^ 66);
        let (g, h, i, j) = (n.rotate_left(1), n.rotate_left(2), n.rotate_left(3), n.rotate_left(4));
        for round in 0..3 {
            attempt(|| middle(a ^ round, failing) ^ b);
            log(a ^ b ^ round);
            attempt(|| middle(c ^ j, failing + round) ^ d);
            log(c ^ d ^ e);
        }
        [a, b, c, d, e, f, g, h, i, j].into_iter().for_each(log);
    })
}

/// StackArguments calls a function that panics. The function gets arguments on the stack, and returns its result in memory.
#[rustgo::export]
pub fn stack_arguments(x: u64) -> u64 {
    type Many = fn(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, Noisy, Noisy) -> [u64; 6];
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn many(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, i: u64, failing: u64, j: Noisy, k: Noisy) -> [u64; 6] {
        let first = number(0, failing, a ^ b);
        let _pad = Defer(|| log(g ^ h ^ i));
        let second = number(1, failing, c ^ d);
        drop(j);
        check(2, failing);
        [first, second, e, f, g ^ h, i + k.0]
    }
    let (failing, n) = (x % 5, x / 5);
    logged(|| {
        let mut results = [1; 6];
        attempt(|| {
            let f: Many = black_box(many);
            results = f(n, 1, 2, 3, 4, 5, n ^ 6, 7, 8, failing, Noisy(n), Noisy(n + 1));
            check(3, failing);
            9
        });
        results.into_iter().for_each(log);
    })
}

/// LargeResults makes a function with a large result panic, before or after a part of the result is written.
#[rustgo::export]
pub fn large_results(x: u64) -> u64 {
    struct Large([u64; 40], Noisy);
    #[inline(never)]
    fn make(failing: u64, n: u64) -> Large {
        check(0, failing);
        let mut large = Large([n; 40], Noisy(n));
        for at in 0..40 {
            large.0[at] = number(at as u64 + 1, failing, n ^ at as u64);
        }
        large
    }
    let (failing, n) = (x % 43, x / 43);
    logged(|| {
        let mut old = Large([1; 40], Noisy(1));
        attempt(|| {
            old = make(failing, n);
            2
        });
        old.0.iter().for_each(|&word| log(word));
        let caught = catch_unwind(|| make(failing ^ 1, n));
        log(caught.map_or(3, |large| large.0[39] ^ large.1.0));
    })
}

/// Slices has texts, slices, trait objects and small values alive over a panicking call.
#[rustgo::export]
pub fn slices(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let owned = format!("text {n}");
        let words = [n as u16, 2, 3];
        let closure = |m| m ^ n;
        let object: &dyn Fn(u64) -> u64 = black_box(&closure);
        let (flag, letter, small) = (black_box(n % 2 == 0), black_box(char::from(b'a' + (n % 26) as u8)), black_box(n as i16 as i8));
        attempt(|| {
            let (text, part) = (&owned[2..], &words[1..]);
            let _pad = Defer(|| {
                log(text.len() as u64 + part.len() as u64);
                log(object(5) + u64::from(flag) + u64::from(letter) + small as u64);
            });
            let got = number(0, failing, text.len() as u64);
            let _pad = Defer(|| log(u64::from(words[0]) ^ got));
            check(1, failing);
            number(2, failing, got) + u64::from(part[1])
        });
        owned.bytes().for_each(|byte| log(u64::from(byte)));
        log(u64::from(flag) ^ u64::from(letter) << 8 ^ (small as u64) << 16);
    })
}

/// Vectors has arrays that are alive over a panicking call. The compiler keeps the arrays in vector registers.
#[rustgo::export]
pub fn vectors(x: u64) -> u64 {
    let (failing, n) = (x % 3, x / 3);
    logged(|| {
        let mut a: [u32; 16] = std::array::from_fn(|at| (n as u32) ^ at as u32);
        let b = black_box(a).map(|word| word.wrapping_mul(3));
        let f: [f32; 8] = std::array::from_fn(|at| (n % 1000) as f32 / (at + 1) as f32);
        for round in 0..3 {
            attempt(|| {
                let c: [u32; 16] = std::array::from_fn(|at| a[at].wrapping_add(b[at]));
                let _pad = Defer(|| log(c.iter().fold(0, |a, &b| a ^ u64::from(b))));
                let got = number(round, failing, n);
                a = c;
                got
            });
            log(f.map(|f| f * 2.0).iter().map(|f| u64::from(f.to_bits())).sum());
        }
        a.iter().for_each(|&word| log(u64::from(word)));
    })
}

/// Phases changes a variable before each of several calls that may panic. The handler sees the value at the panic.
#[rustgo::export]
#[allow(unused_assignments, reason = "the lint does not know that a panic reaches the code after the catch")]
pub fn phases(x: u64) -> u64 {
    let (failing, n) = (x % 8, x / 8);
    logged(|| {
        let (mut phase, mut total) = (0, n);
        attempt(|| {
            let mut guard = Defer({
                let mut calls = 0;
                move || {
                    calls += 1;
                    log(calls);
                }
            });
            phase = 1;
            total ^= number(0, failing, 10);
            phase = 2;
            (guard.0)();
            total ^= number(1, failing, 20);
            for round in 2..6 {
                phase = round + 1;
                total = total.rotate_left(3) ^ number(round, failing, round);
            }
            (guard.0)();
            phase = 9;
            check(6, failing);
            total
        });
        log(phase);
        log(total);
    })
}

/// TailCalls calls functions that panic. The last instruction of the caller makes the call, or the callers have no frames.
#[rustgo::export]
pub fn tail_calls(x: u64) -> u64 {
    #[cold]
    #[inline(never)]
    fn fails(n: u64) -> ! {
        let _held = Noisy(n);
        panic!("failed with {n}")
    }
    #[inline(never)]
    fn jumps(n: u64, f: fn(u64) -> u64) -> u64 {
        f(n ^ 1)
    }
    #[inline(never)]
    fn last(n: u64) -> u64 {
        if black_box(n) % 2 == 0 { fails(n) } else { n }
    }
    #[inline(never)]
    fn held(n: u64) -> u64 {
        let held = Noisy(n + 1);
        if n % 3 == 0 {
            fails(held.0)
        }
        jumps(n, black_box(last as fn(u64) -> u64))
    }
    logged(|| {
        attempt(|| held(x >> 1));
        attempt(|| jumps(x >> 1, black_box(held as fn(u64) -> u64)));
        attempt(|| if x % 5 == 0 { fails(x) } else { last(x) });
    })
}

/// Pointers makes calls that panic: through function pointers, a table of function pointers, and a pointer to a closure.
#[rustgo::export]
pub fn pointers(x: u64) -> u64 {
    fn one(n: u64) -> u64 {
        let _held = Noisy(n);
        number(n % 5, 1, n)
    }
    fn two(n: u64) -> u64 {
        let held = Box::new(Noisy(n));
        number(n % 7, 2, held.0)
    }
    fn three(n: u64) -> u64 {
        n.checked_sub(50).expect("at least 50")
    }
    extern "C-unwind" fn four(n: u64) -> u64 {
        let _held = Noisy(n);
        number(n % 3, 1, n)
    }
    type Pair = (fn(u64) -> u64, extern "C-unwind" fn(u64) -> u64);
    static TABLE: [fn(u64) -> u64; 4] = [one, two, three, |n| number(n % 2, 0, n)];
    logged(|| {
        for at in 0..4 {
            let n = x / 4 + at;
            attempt(|| {
                let _held = Noisy(at);
                black_box(&TABLE)[(x % 4 ^ at) as usize](n)
            });
            let pair: Pair = black_box((two, four));
            attempt(|| pair.1(n) ^ pair.0(n));
        }
    })
}

/// Arms makes the arms of a large match panic.
#[rustgo::export]
pub fn arms(x: u64) -> u64 {
    #[inline(never)]
    fn arm(kind: u64, n: u64) -> u64 {
        let held = Noisy(n);
        let more = match kind {
            0 => number(n % 2, 0, 10),
            1 => panic!("arm 1"),
            2 => n / (n % 3),
            3 => [1, 2, 3][n as usize % 5],
            4 => number(1, 1, 2),
            5 => {
                let _inner = Noisy(5);
                number(n % 4, 2, 50)
            }
            6 => u64::from(char::from_digit(n as u32 % 12, 10).unwrap()),
            7 => return 7,
            8 => "abc".as_bytes()[n as usize % 4].into(),
            _ => kind,
        };
        more ^ held.0
    }
    logged(|| {
        attempt(|| arm(x % 10, x / 10));
        attempt(|| arm(x / 3 % 10, x / 7));
    })
}

/// Inlined calls functions that panic and that are inlined into each other. Each function has a local.
#[rustgo::export]
pub fn inlined(x: u64) -> u64 {
    #[inline(always)]
    fn first(failing: u64, n: u64) -> u64 {
        let held = Noisy(n);
        second(failing, held.0 + 1) ^ second(failing ^ 1, n + 9)
    }
    #[inline(always)]
    fn second(failing: u64, n: u64) -> u64 {
        let held = Noisy(n);
        check(0, failing);
        let got = third(failing, n + 1);
        check(1, failing);
        got ^ held.0
    }
    #[inline(always)]
    fn third(failing: u64, n: u64) -> u64 {
        let held = Noisy(n);
        check(2, failing);
        held.0
    }
    logged(|| {
        attempt(|| first(x % 5, x / 5));
    })
}

/// Switched catches panics in a loop. About every second call panics, at different depths.
#[rustgo::export(stack = "256k")]
pub fn switched(x: u64) -> u64 {
    #[inline(never)]
    fn down(depth: u64, n: u64) -> u64 {
        let room = black_box([n; 5]);
        let held = Noisy(depth);
        if depth == 0 { number(n % 2, 1, n) } else { down(depth - 1, n) ^ room[3] ^ held.0 }
    }
    logged(|| {
        let mut sum = x;
        for round in 0..100 {
            let value = catch_unwind(|| down(round % 13, sum ^ round));
            sum = value.map_or_else(|_| sum.rotate_left(7) ^ round, |value| sum.wrapping_add(value | 1));
        }
        log(sum);
    })
}

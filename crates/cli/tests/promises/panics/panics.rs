//@ native: fail fail_deep
//@ manifest: [profile.release]
//@ manifest: overflow-checks = true
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "abandon"
//! The panics of ordinary Rust code, in every situation in which Go can call Rust. The frames of the Rust code are abandoned.
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[derive(Debug, PartialEq)]
struct Point {
    x: u64,
    label: &'static str,
}

/// The number of cases of `ordinary`. Each case panics at a location in this file, except case 15 (`debug_assert!` is off) and the last.
const KINDS: u64 = 42;

/// Fail panics in the way with the number x % KINDS. If that way does not panic, Fail returns a value derived from x.
#[rustgo::export]
pub fn fail(x: u64) -> u64 {
    ordinary(x % KINDS, x / KINDS)
}

#[inline(never)]
fn ordinary(kind: u64, n: u64) -> u64 {
    let three = black_box([1_u64, 2, 3]);
    let at = n as usize & 0xff;
    match kind {
        0 => three[at + 3],
        1 => three[2..at + 4].iter().sum(),
        2 => three[at + 4..].iter().sum(),
        3 => three[black_box(3)..black_box(1)].iter().sum(),
        4 => n / black_box(0),
        5 => n % black_box(0),
        6 => (black_box(i64::MIN) / black_box(-1)) as u64,
        7 => black_box(None::<u64>).unwrap(),
        8 => black_box(None::<u64>).expect("there is one"),
        9 => black_box("x7").parse::<u64>().expect("a number"),
        10 => black_box("x7").parse::<u64>().unwrap(),
        11 => black_box(Ok::<u64, ()>(n)).unwrap_err().into_u64(),
        12 => {
            assert!(n > 1 << 60);
            n
        }
        13 => {
            assert_eq!(n, n + 1, "the sums of {kind}");
            n
        }
        14 => {
            assert_ne!(Point { x: n, label: "a\n\"b\"" }, Point { x: n, label: "a\n\"b\"" });
            n
        }
        15 => {
            debug_assert!(n > 1 << 60, "only where debug assertions are on");
            n
        }
        16 => u64::from_str_radix(black_box("z"), 10).unwrap(),
        17 => three.iter().position(|&word| word > n + 3).unwrap() as u64,
        18 => u64::from(u32::try_from(black_box(u64::MAX)).expect("a small number")),
        19 => unreachable!("kind {kind}"),
        20 => todo!(),
        21 => unimplemented!("{n} of them"),
        22 => panic!(),
        23 => panic!("{:>8}|{:<8}|{:^+9.3}|{:#x}|{:?}|{}", n, "left", 3.25_f64, kind, 'ä', true),
        24 => panic!("{:#?}", (Point { x: n, label: "a" }, [Some(1_u8), None])),
        25 => {
            let cell = RefCell::new(n);
            let _held = cell.borrow_mut();
            *cell.borrow()
        }
        26 => {
            let cell = RefCell::new(n);
            let _held = cell.borrow();
            *cell.borrow_mut()
        }
        27 => HashMap::from([(1_u64, 2_u64)])[&(n + 2)],
        28 => BTreeMap::from([(1_u64, 2_u64)])[&(n + 2)],
        29 => {
            let mut to = [0_u64; 2];
            to[..].copy_from_slice(&three[..black_box(3)]);
            to[0]
        }
        30 => three.chunks(black_box(0)).len() as u64,
        31 => {
            let mut some = vec![n];
            some.remove(black_box(1))
        }
        32 => {
            let mut some = vec![n];
            some.insert(black_box(2), n);
            some[0]
        }
        33 => vec![n].split_off(black_box(2)).len() as u64,
        34 => black_box(7_u64).isqrt() / (n - n) + black_box(2_u64).pow(3),
        35 => u64::from(black_box(0_u32).ilog2()),
        36 => String::from_utf8(vec![b'a', 0xff, b'b']).unwrap().len() as u64,
        37 => std::str::from_utf8(black_box(b"\xc3")).expect("UTF-8").len() as u64,
        38 => u64::from(u8::try_from(n + 300).unwrap()),
        39 => callers_fault(n),
        40 => std::iter::once(n).map(|x| three[x as usize + 5]).sum(),
        _ => n,
    }
}

trait Number {
    fn into_u64(self) -> u64;
}

impl Number for () {
    fn into_u64(self) -> u64 {
        0
    }
}

#[track_caller]
#[inline(never)]
fn callers_fault(n: u64) -> u64 {
    black_box(Err::<u64, _>(Point { x: n, label: "tracked" })).unwrap()
}

/// FailDeep does what Fail does, but below a frame of 20 KiB and a few calls, so that the goroutine's stack must grow.
#[rustgo::export]
pub fn fail_deep(x: u64) -> u64 {
    fn middle(x: u64, room: &mut [u8; 20_000]) -> u64 {
        room[x as usize % 20_000] = 1;
        black_box(&mut *room);
        ordinary(x % KINDS, x / KINDS) + u64::from(room[0])
    }
    let mut room = [0_u8; 20_000];
    black_box(middle as fn(u64, &mut [u8; 20_000]) -> u64)(x, &mut room)
}

/// Library panics at a location in the standard library, or with a message that differs between versions of the library.
#[rustgo::export]
pub fn library(kind: u64, n: u64) -> u64 {
    let text = black_box("aä€🦀");
    match kind {
        0 => text.split_at(5).0.len() as u64,
        1 => (0..n).step_by(black_box(0)).count() as u64,
        2 => black_box('7').to_digit(black_box(99)).map_or(0, u64::from),
        3 => (Duration::from_secs(1) - Duration::from_secs(black_box(2) + n)).as_secs(),
        4 => Vec::<u64>::with_capacity(black_box(usize::MAX)).capacity() as u64,
        5 => vec![n].swap_remove(black_box(3)),
        6 => text[..2].len() as u64,
        7 => text[2..].len() as u64,
        8 => text[..black_box(40)].len() as u64,
        _ => n,
    }
}

/// Overflow panics on an arithmetic overflow, because the option `overflow-checks` is on.
#[rustgo::export]
pub fn overflow(kind: u64, n: u64) -> u64 {
    let (most, least, byte) = (black_box(u64::MAX), black_box(i64::MIN), black_box(200_u8));
    match kind {
        0 => most + n,
        1 => black_box(0) - n,
        2 => most * (n + 1),
        3 => (-least) as u64 + n,
        4 => 1 << (n + 63),
        5 => n >> (n + 63),
        6 => u64::from(byte + 56),
        7 => least.abs() as u64,
        8 => black_box(10_u64).pow(n as u32 + 30),
        9 => [most, n].iter().sum(),
        _ => n,
    }
}

/// Long panics with a message that repeats a Go text.
#[rustgo::export]
pub fn long(text: &str, times: usize) {
    struct Repeated<'a>(&'a str, usize);
    impl std::fmt::Display for Repeated<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            (0..self.1).try_for_each(|_| f.write_str(self.0))
        }
    }
    panic!("it says {} to the end", Repeated(text, times))
}

/// Quote panics with the text that Go passed as the message.
#[rustgo::export]
pub fn quote(text: &str, bytes: &[u8]) {
    panic!("{text}: {bytes:?}")
}

/// Fill writes the number to the words one by one, and panics before it writes the word with the given index.
#[rustgo::export]
pub fn fill(words: &mut [u64], number: u64, before: usize) {
    for at in 0..words.len() {
        assert!(at != before, "before {before}");
        // SAFETY: `at` is less than the length. The write is volatile, so that the words are written one by one.
        unsafe { std::ptr::write_volatile(&mut words[at], number) };
    }
}

/// Sum returns the sum of the words, without a panic.
#[rustgo::export]
pub fn sum(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

static CALLS: AtomicU64 = AtomicU64::new(0);
static LOCKED: Mutex<u64> = Mutex::new(0);

thread_local! {
    static DEPTH: Cell<u64> = const { Cell::new(0) };
}

/// Count returns the number of its calls so far. Calls that panic count too.
#[rustgo::export]
pub fn count(panics: bool) -> u64 {
    let n = CALLS.fetch_add(1, Ordering::SeqCst) + 1;
    assert!(!panics, "call {n}");
    n
}

/// Locked returns false if the lock is held. Otherwise it takes the lock, and then either panics or releases the lock.
#[rustgo::export]
pub fn locked(panics: bool) -> bool {
    let Ok(mut held) = LOCKED.try_lock() else { return false };
    *held += 1;
    assert!(!panics, "with the lock");
    true
}

/// Drops returns the number of values dropped so far, or panics while it owns two such values.
#[rustgo::export]
pub fn drops(panics: bool) -> u64 {
    static DROPPED: AtomicU64 = AtomicU64::new(0);
    struct Held;
    impl Drop for Held {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
        }
    }
    let held = black_box([Held, Held]);
    assert!(!panics, "{} are held", held.len());
    drop(held);
    DROPPED.load(Ordering::SeqCst)
}

/// Nested counts the calls on its thread that have not yet returned.
#[rustgo::export]
pub fn nested(panics: bool) -> u64 {
    DEPTH.with(|depth| {
        depth.set(depth.get() + 1);
        let now = depth.get();
        assert!(!panics, "at {now}");
        depth.set(now - 1);
        now
    })
}

/// Hold allocates memory and panics.
#[rustgo::export]
pub fn hold(bytes: usize) {
    let held = black_box(vec![1_u8; bytes]);
    panic!("{} bytes are held", held.len());
}

//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Panics in implementations of traits that the language and the standard library call.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Write as _};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::hint::black_box;
use std::io::{BufWriter, Read, Write};
use std::ops::{Add, AddAssign, Deref, DerefMut, Index, IndexMut, Neg};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::str::FromStr;

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
/// A number whose trait implementations log it, and panic if it is 13.
#[derive(Debug)]
struct Touchy(u64);

impl Touchy {
    fn touch(&self, what: u64) -> u64 {
        log(self.0 ^ what << 32);
        assert!(self.0 != 13, "touched by {what}");
        self.0
    }
}

impl Drop for Touchy {
    fn drop(&mut self) {
        log(self.0 ^ 1 << 50);
    }
}

impl Display for Touchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<")?;
        write!(f, "{}>", self.touch(1))
    }
}

impl Clone for Touchy {
    fn clone(&self) -> Touchy {
        Touchy(self.touch(2))
    }
}

impl PartialEq for Touchy {
    fn eq(&self, other: &Touchy) -> bool {
        self.touch(3) == other.0
    }
}

impl Eq for Touchy {}

impl Hash for Touchy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.touch(4));
    }
}

impl Add for Touchy {
    type Output = Touchy;
    fn add(self, other: Touchy) -> Touchy {
        Touchy(self.touch(5) + other.touch(5))
    }
}

impl AddAssign<u64> for Touchy {
    fn add_assign(&mut self, other: u64) {
        self.0 += other;
        self.touch(6);
    }
}

impl Neg for Touchy {
    type Output = u64;
    fn neg(self) -> u64 {
        !self.touch(7)
    }
}

impl From<u64> for Touchy {
    fn from(n: u64) -> Touchy {
        let new = Touchy(n);
        new.touch(8);
        new
    }
}

impl FromStr for Touchy {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Touchy, Self::Err> {
        text.parse::<u64>().map(Touchy::from)
    }
}

/// Returns touchy numbers. The number with the index `bad` is 13.
fn touchy(count: u64, bad: u64) -> Vec<Touchy> {
    (0..count).map(|at| Touchy(if at == bad { 13 } else { 20 + at })).collect()
}

/// A hasher without random keys, so that the order of a map's elements is the same in every run.
#[derive(Default)]
struct Fixed(u64);

impl Hasher for Fixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
}

type Build = BuildHasherDefault<Fixed>;

/// Formatted makes a Display panic while text is written to strings. The text that was written before remains.
#[rustgo::export]
pub fn formatted(x: u64) -> u64 {
    let (bad, kind, n) = (x % 4, x / 4 % 3, x / 12);
    logged(|| {
        let mut text = format!("{n}:");
        let all = touchy(3, bad);
        attempt(|| {
            match kind {
                0 => write!(text, "{} and {:>9} and {}", all[0], all[1], all[2]).unwrap(),
                1 => text = format!("{} {} {}", all[2], all[1], all[0]),
                _ => all.iter().for_each(|one| text.push_str(&one.to_string())),
            }
            n
        });
        text.bytes().for_each(|byte| log(u64::from(byte)));
    })
}

/// Hashed makes the hash of a key panic. The map has the elements that it had before.
#[rustgo::export]
pub fn hashed(x: u64) -> u64 {
    let (bad, n) = (x % 7, x / 7);
    logged(|| {
        let mut map: HashMap<Touchy, u64, Build> = HashMap::default();
        for (at, key) in touchy(6, bad).into_iter().enumerate() {
            attempt(|| map.insert(key, n + at as u64).unwrap_or(1));
        }
        attempt(|| map.remove(&Touchy(if n % 3 == 0 { 13 } else { 22 })).unwrap_or(2));
        log(map.len() as u64);
        log(map.values().fold(0, |sum: u64, value| sum ^ value));
    })
}

/// Compared makes comparisons for equality panic: of slices, and in `contains`, `dedup` and `position`.
#[rustgo::export]
pub fn compared(x: u64) -> u64 {
    let (bad, kind) = (x % 6, x / 6 % 4);
    logged(|| {
        let (mut left, right) = (touchy(5, bad), touchy(5, 9));
        attempt(|| match kind {
            0 => u64::from(left == right),
            1 => u64::from(left.contains(&Touchy(23))),
            2 => {
                left.dedup();
                1
            }
            _ => left.iter().position(|one| *one == Touchy(24)).map_or(7, |at| at as u64),
        });
        log(left.len() as u64);
        let mut set: HashSet<u64, Build> = HashSet::default();
        log(left.iter().map(|one| u64::from(set.insert(one.0))).sum());
    })
}

/// Cloned makes the clone of an element panic. The clones that were made before are dropped or stay in the vector that they extend.
#[rustgo::export]
pub fn cloned(x: u64) -> u64 {
    let (bad, kind) = (x % 6, x / 6 % 10);
    logged(|| {
        let all = touchy(5, bad);
        let mut target = touchy(3, 9);
        attempt(|| match kind {
            0 => all.clone().len() as u64,
            1 => all.to_vec().len() as u64,
            2 => {
                target.clone_from(&all);
                3
            }
            3 => vec![Touchy(if bad < 3 { 13 } else { 30 }); 4].len() as u64,
            4 => {
                target.resize(6, Touchy(if bad < 3 { 13 } else { 31 }));
                4
            }
            5 => {
                target.extend_from_slice(&all);
                5
            }
            6 => {
                let array: &[Touchy; 5] = all.as_slice().try_into().unwrap();
                array.clone()[2].0
            }
            7 => all.iter().cloned().map(|one| one.0).sum(),
            8 => {
                let boxed: Box<[Touchy]> = all.as_slice().into();
                boxed.len() as u64 + Rc::<[Touchy]>::from(all.as_slice()).len() as u64
            }
            _ => Cow::Borrowed(all.as_slice()).to_mut().len() as u64,
        });
        log(target.len() as u64);
        target.iter().for_each(|one| log(one.0));
    })
}

/// Defaults makes `default` panic when the crate or the standard library calls it.
#[rustgo::export]
pub fn defaults(x: u64) -> u64 {
    thread_local! {
        static FAILS: Cell<bool> = const { Cell::new(false) };
    }
    struct Maybe(Noisy);
    impl Default for Maybe {
        fn default() -> Maybe {
            let new = Noisy(41);
            assert!(!FAILS.get(), "no default");
            Maybe(new)
        }
    }
    #[derive(Default)]
    struct Derived {
        words: Vec<u64>,
        maybe: Maybe,
        last: Option<Maybe>,
    }
    let (fails, kind, n) = (x % 2 == 0, x / 2 % 5, x / 10);
    logged(|| {
        FAILS.set(fails);
        let mut value = Maybe(Noisy(n));
        let mut map: HashMap<u64, Maybe, Build> = HashMap::default();
        attempt(|| match kind {
            0 => std::mem::take(&mut value).0.0,
            1 => {
                let derived = Derived { words: vec![n], ..Derived::default() };
                derived.words[0] ^ derived.maybe.0.0 + derived.last.map_or(0, |last| last.0.0)
            }
            2 => map.entry(n).or_default().0.0,
            3 => black_box(None::<Maybe>).unwrap_or_default().0.0,
            _ => <[Maybe; 3]>::default()[1].0.0,
        });
        log(value.0.0);
        log(map.len() as u64);
    })
}

/// Dereferenced makes `deref`, `deref_mut`, `index` or `index_mut` panic.
#[rustgo::export]
pub fn dereferenced(x: u64) -> u64 {
    struct Checked(Vec<u64>, u64, Noisy);
    impl Deref for Checked {
        type Target = [u64];
        fn deref(&self) -> &[u64] {
            check(0, self.1);
            &self.0
        }
    }
    impl DerefMut for Checked {
        fn deref_mut(&mut self) -> &mut [u64] {
            check(1, self.1);
            &mut self.0
        }
    }
    impl Index<&str> for Checked {
        type Output = u64;
        fn index(&self, key: &str) -> &u64 {
            check(2, self.1);
            &self.0[key.len()]
        }
    }
    impl IndexMut<&str> for Checked {
        fn index_mut(&mut self, key: &str) -> &mut u64 {
            check(3, self.1);
            &mut self.0[key.len()]
        }
    }
    let (failing, n) = (x % 6, x / 6 >> 4);
    logged(|| {
        let mut checked = Checked(vec![n, n + 1, n + 2], failing, Noisy(n));
        attempt(|| {
            checked["a"] += 1;
            let sum = checked["ab"] + checked.iter().sum::<u64>();
            checked.sort_by_key(|&word| !word);
            checked[""] = 5;
            checked[if failing == 4 { "too long" } else { "ab" }] + sum
        });
        log(checked.2.0);
        checked.0.iter().for_each(|&word| log(word));
    })
}

/// Operators makes `+`, `+=`, `-`, `from`, `into` or `parse` panic.
#[rustgo::export]
pub fn operators(x: u64) -> u64 {
    let (kind, n) = (x % 7, x / 7 % 8);
    logged(|| {
        let mut counted = Touchy(10);
        attempt(|| match kind {
            0 => (Touchy(9 + n) + Touchy(16 - n)).0,
            1 => {
                counted += n;
                counted.0
            }
            2 => -Touchy(8 + n),
            3 => {
                let one: Touchy = (7 + n).into();
                one.0 + Touchy::from(12 + n).0
            }
            4 => format!("{}", 9 + n).parse::<Touchy>().map_or(5, |one| one.0),
            5 => touchy(4, n).into_iter().reduce(|a, b| a + b).map_or(0, |sum| sum.0),
            _ => touchy(4, n).into_iter().fold(Touchy(0), |a, b| a + b).0,
        });
        log(counted.0);
    })
}

/// Readers makes readers and writers panic under the adapters of `std::io`. A BufWriter whose writer panicked does not write again.
#[rustgo::export]
pub fn readers(x: u64) -> u64 {
    struct Limited<'a>(&'a mut Vec<u8>, usize);
    impl Write for Limited<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let n = bytes.len().min(7);
            self.0.extend_from_slice(&bytes[..n]);
            assert!(self.0.len() < self.1, "{} bytes are written", self.0.len());
            Ok(n)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            log(3);
            Ok(())
        }
    }
    impl Read for Limited<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            assert!(self.0.len() > self.1, "{} bytes are left", self.0.len());
            let n = self.0.len().min(bytes.len()).min(5);
            bytes[..n].copy_from_slice(&self.0[..n]);
            self.0.drain(..n);
            Ok(n)
        }
    }
    let (limit, n) = ((x % 60) as usize, x / 60);
    logged(|| {
        let mut bytes = Vec::new();
        attempt(|| {
            let mut out = BufWriter::with_capacity(16, Limited(&mut bytes, limit));
            for step in 0..6 {
                out.write_all(format!("{:05}|", (n + step) % 1000).as_bytes()).unwrap();
            }
            out.flush().unwrap();
            1
        });
        bytes.iter().for_each(|&byte| log(u64::from(byte)));
        let mut text = String::from("so ");
        attempt(|| Limited(&mut bytes, limit / 4).take(20).read_to_string(&mut text).unwrap() as u64);
        log(text.len() as u64);
        log(bytes.len() as u64);
    })
}

/// Iterated makes `next`, `size_hint` or `into_iter` of an iterator panic when a loop or the standard library calls them.
#[rustgo::export]
pub fn iterated(x: u64) -> u64 {
    struct Counts(u64, u64, Noisy);
    impl Iterator for Counts {
        type Item = Noisy;
        fn next(&mut self) -> Option<Noisy> {
            self.0 += 1;
            check(self.0, self.1);
            (self.0 < 6).then(|| Noisy(self.0 + self.2.0))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            check(7, self.1);
            (3, None)
        }
    }
    struct Many(Counts);
    impl IntoIterator for Many {
        type Item = Noisy;
        type IntoIter = Counts;
        fn into_iter(self) -> Counts {
            check(8, self.0.1);
            self.0
        }
    }
    let (failing, kind, n) = (x % 10, x / 10 % 4, x / 40);
    logged(|| {
        let mut list = vec![Noisy(n)];
        let many = Many(Counts(0, failing, Noisy(n + 100)));
        attempt(|| match kind {
            0 => {
                let mut sum = 0;
                for noisy in many {
                    sum ^= noisy.0;
                }
                sum
            }
            1 => {
                list.extend(many);
                2
            }
            2 => many.into_iter().collect::<Vec<_>>().len() as u64,
            _ => many.into_iter().zip(5_u64..).map(|(a, b)| a.0 ^ b).fold(0, |a, b| a ^ b),
        });
        list.iter().for_each(|noisy| log(noisy.0));
    })
}

/// Objects makes methods of trait objects panic, including provided methods and methods of a supertrait.
#[rustgo::export]
pub fn objects(x: u64) -> u64 {
    trait Named {
        fn name(&self, failing: u64) -> String;
    }
    trait Shape: Named {
        fn area(&self) -> u64;
        fn described(&self, failing: u64) -> u64 {
            let held = Noisy(self.area());
            let name = self.name(failing);
            check(name.len() as u64, failing);
            held.0 + name.len() as u64
        }
        fn consumed(self: Box<Self>, failing: u64) -> u64;
    }
    struct Square(Noisy);
    struct Circle(Noisy, Vec<u64>);
    impl Named for Square {
        fn name(&self, failing: u64) -> String {
            check(1, failing);
            "square".into()
        }
    }
    impl Named for Circle {
        fn name(&self, failing: u64) -> String {
            check(2, failing);
            "circle!".into()
        }
    }
    impl Shape for Square {
        fn area(&self) -> u64 {
            self.0.0 * 2
        }
        fn consumed(self: Box<Self>, failing: u64) -> u64 {
            check(3, failing);
            self.0.0
        }
    }
    impl Shape for Circle {
        fn area(&self) -> u64 {
            self.1[0] * 3
        }
        fn consumed(self: Box<Self>, failing: u64) -> u64 {
            let (held, words) = (self.0, self.1);
            check(4, failing);
            words[0] ^ held.0
        }
    }
    let (failing, n) = (x % 9, x / 9 >> 8);
    logged(|| {
        let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(Noisy(n))), Box::new(Circle(Noisy(n + 1), vec![n + 2]))];
        for shape in &shapes {
            attempt(|| shape.described(failing));
        }
        for shape in black_box(shapes) {
            attempt(|| shape.consumed(failing));
        }
    })
}

/// Generics calls a chain of generic functions with a closure that panics, for each of several types.
#[rustgo::export]
pub fn generics(x: u64) -> u64 {
    #[inline(never)]
    fn outer<T: Clone + Into<u64>>(value: T, f: impl Fn(&T) -> u64) -> u64 {
        let _held = Noisy(9);
        let copy = value.clone();
        inner(&[copy.into(), 3, 5], |at| f(&value) ^ at << 2)
    }
    #[inline(never)]
    fn inner<T: Copy + Into<u64>, const N: usize>(values: &[T; N], f: impl Fn(u64) -> u64) -> u64 {
        let held = Noisy(N as u64);
        values.iter().map(|&value| f(value.into())).fold(held.0, |a, b| a.rotate_left(5) ^ b)
    }
    let (failing, n) = (x % 5, x / 5);
    let step = |at: u64, n: u64| {
        check(at, failing);
        n
    };
    logged(|| {
        attempt(|| outer(n as u8, |&n| step(0, n.into())));
        attempt(|| outer(n as u32, |&n| step(1, n.into())));
        attempt(|| outer(n & 1 == 0, |&flag| step(2, flag.into())));
        attempt(|| outer(char::from(n as u8), |&letter| step(3, letter.into())));
        attempt(|| outer(Box::new(Wrapped(n)), |wrapped| step(n % 5, wrapped.0)));
    })
}

#[derive(Clone)]
struct Wrapped(u64);

impl From<Box<Wrapped>> for u64 {
    fn from(wrapped: Box<Wrapped>) -> u64 {
        let held = Noisy(wrapped.0);
        assert!(wrapped.0 % 3 != 0, "{} cannot be converted", held.0);
        wrapped.0
    }
}

/// Partial makes a formatter panic that another formatter has called, with and without pretty printing.
#[rustgo::export]
pub fn partial(x: u64) -> u64 {
    struct Quiet(Touchy);
    impl fmt::Debug for Quiet {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_list().entry(&self.0.0).entry(&format_args!("{}", self.0)).finish()
        }
    }
    #[derive(Debug)]
    #[allow(dead_code)]
    struct Record {
        a: Option<Quiet>,
        b: (u8, Quiet),
        c: Result<Vec<Quiet>, ()>,
    }
    let (bad, pretty) = (x % 5, x / 5 % 2 == 0);
    logged(|| {
        let mut quiet = touchy(4, bad).into_iter().map(Quiet);
        let mut next = || quiet.next().unwrap();
        let record = Record { a: Some(next()), b: (7, next()), c: Ok(vec![next(), next()]) };
        let mut text = String::new();
        attempt(|| {
            if pretty { write!(text, "{record:#?}") } else { write!(text, "{record:?}") }.unwrap();
            x / 10
        });
        text.bytes().for_each(|byte| log(u64::from(byte)));
    })
}

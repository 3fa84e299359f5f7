//! Iterators that call Go.

use rustgo::{GoError, OwnedFunc, OwnedGo, OwnedReader, Slices};
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicU64, Ordering};

static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Dropped returns the number of dropped iterators.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// Calls the function with 1, 2 and so on, and with 0 in its destructor.
struct Calls(OwnedFunc<fn(u64) -> u64>, u64);

impl Iterator for Calls {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.1 += 1;
        Some(self.0.call(self.1)).filter(|&n| n != 0)
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        self.0.call(0);
    }
}

/// Calls returns f(1), f(2) and so on until the result is 0.
#[rustgo::export]
pub fn calls(f: OwnedFunc<fn(u64) -> u64>) -> impl Iterator<Item = u64> {
    Calls(f, 0)
}

/// CallsEarly calls f when the loop begins, and then once for each character.
#[rustgo::export(task, stack = "64k")]
pub fn calls_early(f: OwnedFunc<fn(u64) -> u64>, text: &str) -> impl Iterator<Item = String> {
    let first = f.call(100);
    text.chars().map(move |c| format!("{c}{first}{}", f.call(u64::from(c))))
}

/// CallsCaught returns f(1), f(2) and so on until a result is 0. For a call that panics it returns 7.
#[rustgo::export]
pub fn calls_caught(f: OwnedFunc<fn(u64) -> u64>) -> impl Iterator<Item = u64> {
    let mut calls = Calls(f, 0);
    std::iter::from_fn(move || {
        let step = std::panic::AssertUnwindSafe(|| calls.next());
        std::panic::catch_unwind(step).unwrap_or(Some(7))
    })
}

/// A Part is an item with a destructor.
#[rustgo::object]
pub struct Part(Vec<u64>);

impl Drop for Part {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Parts returns a Part for each of f(1), f(2) and so on until a result is 0.
#[rustgo::export]
pub fn parts(f: OwnedFunc<fn(u64) -> u64>) -> impl Iterator<Item = Part> {
    (1..).map(move |n| f.call(n)).take_while(|&n| n != 0).map(|n| Part(vec![n; 1000]))
}

/// Pairs returns a text and bytes for each of f(1), f(2) and so on until a result is 0.
#[rustgo::export]
pub fn pairs(f: OwnedFunc<fn(u64) -> u64>) -> impl Iterator<Item = (String, Vec<u8>)> {
    (1..).map(move |n| f.call(n)).take_while(|&n| n != 0).map(|n| ("x".repeat(9000), vec![n as u8; 5000]))
}

/// Lines returns the lines of a reader, with their numbers. It ends at the first error.
#[rustgo::export]
pub fn lines(r: OwnedReader) -> impl Iterator<Item = (usize, String)> {
    BufReader::with_capacity(16, r).lines().map_while(Result::ok).enumerate()
}

/// A Source gives items.
#[rustgo::interface]
pub trait Source {
    /// Item returns an item.
    fn item(&self, number: u64) -> Result<String, GoError>;
}

/// A Feed keeps a source.
#[rustgo::object(close)]
pub struct Feed {
    source: OwnedGo<dyn Source>,
    fetched: u64,
}

#[rustgo::export]
impl Feed {
    /// NewFeed keeps the source.
    pub fn new(source: OwnedGo<dyn Source>) -> Feed {
        Feed { source, fetched: 0 }
    }

    /// All returns the items until the first error.
    pub fn all(&self) -> impl Iterator<Item = String> {
        (0..).map_while(|number| self.source.item(number).ok())
    }

    /// Rest returns the items that no loop has fetched.
    pub fn rest(&mut self) -> impl Iterator<Item = String> {
        std::iter::from_fn(|| {
            let item = self.source.item(self.fetched).ok()?;
            self.fetched += 1;
            Some(item)
        })
    }

    /// Fetched returns the number of items that Rest has fetched.
    pub fn fetched(&self) -> u64 {
        self.fetched
    }
}

/// Deep recurses f(1) levels deep in each step, until f(1) is 0.
#[rustgo::export(task, stack = "8m")]
pub fn deep(f: OwnedFunc<fn(u64) -> u64>) -> impl Iterator<Item = u64> {
    fn down(n: u64, f: &OwnedFunc<fn(u64) -> u64>) -> u64 {
        let words = std::hint::black_box([n; 64]);
        if n == 0 { f.call(0) } else { words[1] - words[2] + down(n - 1, f) }
    }
    std::iter::from_fn(move || {
        let levels = f.call(1);
        (levels != 0).then(|| down(levels, &f))
    })
}

/// FirstPart returns the bytes of the first slice and then the numbers. It reads both after it has called f.
#[rustgo::export]
pub fn first_part(f: OwnedFunc<fn()>, parts: Slices<'_, u8>, numbers: &[u64]) -> impl Iterator<Item = u64> + use<> {
    let part: &[u8] = parts.iter().next().unwrap();
    f.call();
    let bytes: Vec<u64> = part.iter().map(|&byte| u64::from(byte)).chain(numbers.iter().copied()).collect();
    bytes.into_iter()
}

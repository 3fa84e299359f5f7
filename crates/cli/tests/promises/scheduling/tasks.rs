//! Exports with the option `task`, whose calls run on stacks of their own.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Depth recurses n levels deep, with a frame of more than 100 bytes for each.
#[rustgo::export(task)]
pub fn depth(n: u64) -> u64 {
    let block = black_box([n; 12]);
    if n == 0 { 0 } else { 1 + depth(n - 1) + block[3] - n }
}

static HIGHEST: AtomicU64 = AtomicU64::new(0);
static LOWEST: AtomicU64 = AtomicU64::new(u64::MAX);

/// Descend recurses until its stack is exhausted, and then panics. It records the addresses of the highest and the lowest local for Reached.
#[rustgo::export(task)]
pub fn descend() -> u64 {
    fn level(n: u64) -> u64 {
        let block = black_box([n; 12]);
        let at = std::ptr::from_ref(&block) as u64;
        HIGHEST.fetch_max(at, Ordering::Relaxed);
        LOWEST.fetch_min(at, Ordering::Relaxed);
        1 + level(n + 1) + block[3]
    }
    level(0)
}

/// Reached returns the number of bytes of stack that Descend has used.
#[rustgo::export]
pub fn reached() -> u64 {
    HIGHEST.load(Ordering::Relaxed) - LOWEST.load(Ordering::Relaxed)
}

/// Deeper does what Depth does, on a larger stack.
#[rustgo::export(task, stack = "6m")]
pub fn deeper(n: u64) -> u64 {
    depth(n)
}

/// Sum returns an error if the text is "no".
#[rustgo::export(task, results(sum, err))]
pub fn sum(words: &[u64], text: &str, scale: u8) -> Result<u64, String> {
    if text == "no" {
        return Err(format!("no sum of {} words", words.len()));
    }
    Ok(words.iter().sum::<u64>() * u64::from(scale) + text.len() as u64)
}

/// Longest returns the longest word. The result borrows from the parameter.
#[rustgo::export(task)]
pub fn longest(text: &str) -> &str {
    text.split(' ').max_by_key(|word| word.len()).unwrap_or("")
}

/// Fill writes to Go's memory.
#[rustgo::export(task)]
pub fn fill(dst: &mut [u8], with: u8) {
    dst.fill(with);
}

/// Three has several results of different sizes.
#[rustgo::export(task)]
pub fn three(a: u8, b: u32) -> (bool, u16, f64) {
    (a == 1, b as u16, f64::from(b) / 2.0)
}

/// Nothing has neither parameters nor results.
#[rustgo::export(task)]
pub fn nothing() {
    CALLS.fetch_add(1, Ordering::Relaxed);
}

static CALLS: AtomicU64 = AtomicU64::new(0);
static LOCK: Mutex<u64> = Mutex::new(0);

struct Guard<'a>(&'a mut u64);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
    }
}

/// Index panics if the index is too large, while it holds a lock and a guard. `dropped` counts the dropped guards.
#[rustgo::export(task)]
pub fn index(dropped: &mut u64, at: usize) -> u8 {
    let _guard = Guard(dropped);
    let mut locked = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *locked += 1;
    black_box(vec![1u8, 2, 3])[at]
}

/// Ends panics while a panic unwinds, so its frames are abandoned.
#[rustgo::export(task)]
pub fn ends() {
    struct Again;
    impl Drop for Again {
        fn drop(&mut self) {
            panic!("the second panic");
        }
    }
    let _again = Again;
    panic!("the first panic");
}

/// Reads reads a byte at an address.
#[rustgo::export(task)]
pub fn reads(address: u64) -> u8 {
    unsafe { (address as *const u8).read_volatile() }
}

/// Writes writes a byte to an address.
#[rustgo::export(task)]
pub fn writes(address: u64) {
    unsafe { (address as *mut u8).write_volatile(1) }
}

/// IsPanicking reports whether std considers this task to be panicking.
#[rustgo::export(task)]
pub fn is_panicking() -> bool {
    std::thread::panicking()
}

thread_local! { static COUNT: Cell<u64> = const { Cell::new(0) }; }

/// Count counts its calls in a thread-local variable. It returns the number, and the variable's address, which shows whose variable it is.
#[rustgo::export(task)]
pub fn count() -> (u64, u64) {
    COUNT.with(|count| {
        count.set(count.get() + 1);
        (count.get(), std::ptr::from_ref(count) as u64)
    })
}

/// Formats panics. The message has the address of the thread-local variable in the call, and its address while the message is formatted.
#[rustgo::export(task)]
pub fn formats() {
    struct Address;
    impl std::fmt::Display for Address {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            COUNT.with(|count| write!(f, "{:p}", std::ptr::from_ref(count)))
        }
    }
    COUNT.with(|count| panic!("{:p} {Address}", std::ptr::from_ref(count)));
}

/// CountOutside does what Count does, on the goroutine's stack.
#[rustgo::export]
pub fn count_outside() -> (u64, u64) {
    COUNT.with(|count| {
        count.set(count.get() + 1);
        (count.get(), std::ptr::from_ref(count) as u64)
    })
}

/// A Tree counts words.
#[rustgo::object]
pub struct Tree(BTreeMap<String, u64>);

#[rustgo::export(task)]
impl Tree {
    /// NewTree makes an empty tree.
    pub fn new() -> Tree {
        Tree(BTreeMap::new())
    }

    /// Add counts a word, and panics if the word is empty.
    pub fn add(&mut self, word: &str) -> u64 {
        assert!(!word.is_empty(), "no word");
        let count = self.0.entry(word.to_owned()).or_default();
        *count += 1;
        *count
    }

    /// Words lists the words.
    pub fn words(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Local returns the address of a local variable.
#[rustgo::export(task)]
pub fn local() -> u64 {
    let local = 0u8;
    std::ptr::from_ref(black_box(&local)) as u64
}

#[repr(align(128))]
struct Wide([u8; 256]);

/// Aligned returns the address of a local that is aligned to 128, modulo 128.
#[rustgo::export(task)]
pub fn aligned(n: u8) -> u64 {
    let wide = black_box(Wide([n; 256]));
    std::ptr::from_ref(&wide) as u64 % 128 + u64::from(wide.0[7] - n)
}

/// Yielding yields the numbers below n, and lets other goroutines run in each step.
#[rustgo::export(task)]
pub fn yielding(n: u64) -> impl Iterator<Item = u64> {
    (0..n).inspect(|_| std::thread::yield_now())
}

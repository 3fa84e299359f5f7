//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "abandon"
//! Safe code that earlier versions of the tool accepted and compiled wrongly: memory was used after it was freed, or the process ended.
use std::cell::{Cell, RefCell};
use std::sync::Mutex;

// Lists in the Rust heap that contain addresses of Go's memory.

#[rustgo::export]
pub fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(',').collect()).collect()
}

#[rustgo::export]
pub fn words(data: &[u8]) -> Vec<&str> {
    std::str::from_utf8(data).expect("text").split(' ').collect()
}

#[rustgo::export]
pub fn tail(data: &[u8], from: usize) -> &[u8] {
    &data[from..]
}

#[rustgo::export]
pub fn pieces(data: &str) -> impl Iterator<Item = &str> {
    data.split(' ')
}

// Iterators. The state of the first iterator has size zero.

#[rustgo::export]
pub fn ones() -> impl Iterator<Item = u64> {
    std::iter::from_fn(|| Some(1))
}

#[rustgo::object]
pub struct Names(Vec<String>);

#[rustgo::export]
impl Names {
    pub fn new(n: usize) -> Self {
        Names((0..n).map(|i| format!("name number {i} of the list of names")).collect())
    }
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

// A panic while a value is being changed.

fn dedup(list: &mut Vec<String>) {
    list.dedup_by(|a, b| {
        assert!(!a.is_empty(), "empty");
        a == b
    });
}

#[rustgo::object]
pub struct Bag(Mutex<Vec<String>>);

#[rustgo::export]
impl Bag {
    pub fn new(list: Vec<String>) -> Self {
        Bag(Mutex::new(list))
    }
    pub fn dedup(&self) {
        dedup(&mut self.0.lock().unwrap());
    }
    /// Each step of the iterator removes equal elements, and may panic.
    pub fn deduped(&self) -> impl Iterator<Item = u64> {
        std::iter::from_fn(|| {
            self.dedup();
            Some(1)
        })
    }
    pub fn no_text(&self, text: &str) -> usize {
        text.len()
    }
}

#[rustgo::export]
pub fn dedup_both(a: &Bag, b: Option<&Bag>) {
    let b = b.map(|b| b.0.lock().unwrap());
    a.dedup();
    drop(b);
}

#[rustgo::object(close)]
pub struct Changing(Mutex<Vec<String>>);

#[rustgo::export]
impl Changing {
    pub fn new(list: Vec<String>) -> Self {
        Changing(Mutex::new(list))
    }
    pub fn dedup(&self) {
        dedup(&mut self.0.lock().unwrap());
    }
    pub fn name(&self, of: &str) -> usize {
        of.len()
    }
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(self.0.get_mut().unwrap())
    }
    pub fn into_list(self) -> Vec<String> {
        self.0.into_inner().unwrap()
    }
    pub fn drain(&mut self, _what: &str) -> impl Iterator<Item = String> {
        self.0.get_mut().unwrap().drain(..)
    }
}

#[rustgo::object(exclusive)]
pub struct Single(RefCell<Vec<String>>, Cell<u64>);

#[rustgo::export]
impl Single {
    pub fn new(list: Vec<String>) -> Self {
        Single(RefCell::new(list), Cell::new(2))
    }
    pub fn dedup(&self) {
        dedup(&mut self.0.borrow_mut());
    }
    pub fn name(&self, of: &str) -> usize {
        of.len()
    }
}

// Destructors that recurse or panic.

#[rustgo::object]
pub struct List(Option<Box<Node>>);

struct Node {
    next: Option<Box<Node>>,
    x: u64,
}

#[rustgo::export]
impl List {
    pub fn new(n: u64) -> Self {
        List((0..n).fold(None, |next, x| Some(Box::new(Node { next, x }))))
    }
    pub fn first(&self) -> Option<u64> {
        self.0.as_ref().and_then(|node| Some(node.x + node.next.as_ref()?.x))
    }
}

/// Long is a list whose destructor needs more stack than the default budget.
#[rustgo::object(stack = "8m")]
pub struct Long(Option<Box<Node>>);

#[rustgo::export]
impl Long {
    pub fn new(n: u64) -> Self {
        Long(List::new(n).0)
    }
}

#[rustgo::object]
pub struct Bad(u64);

impl Drop for Bad {
    fn drop(&mut self) {
        assert!(self.0 == 0, "a destructor of this test");
    }
}

#[rustgo::export]
impl Bad {
    pub fn new(x: u64) -> Self {
        Bad(x)
    }
}

#[rustgo::export]
pub fn park() {
    std::thread::park();
}

/// Waits for a lock as crates other than std do, for example parking_lot.
#[rustgo::export]
pub fn wait_unlike_std() {
    unsafe extern "C" {
        fn syscall(number: std::ffi::c_long, ...) -> std::ffi::c_long;
    }
    let word = std::sync::atomic::AtomicU32::new(1);
    let futex = if cfg!(target_arch = "x86_64") { 202 } else { 98 };
    // SAFETY: the operation is FUTEX_WAIT | FUTEX_PRIVATE_FLAG. It waits while the word is 1, without a time limit.
    unsafe { syscall(futex, word.as_ptr(), 128_usize, 1_usize, std::ptr::null::<u8>()) };
}

/// Growing is an error whose text is longer on each call.
#[derive(Debug, rustgo::Error)]
pub enum Growing {
    More,
}

impl std::fmt::Display for Growing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        static LENGTH: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(200);
        let length = LENGTH.fetch_add(50, std::sync::atomic::Ordering::Relaxed);
        (0..length).try_for_each(|_| f.write_str("x"))
    }
}

#[rustgo::export]
pub fn grow() -> Result<(), Growing> {
    Err(Growing::More)
}

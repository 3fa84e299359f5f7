//@ manifest: [package.metadata.rustgo]
//@ manifest: threads = "none"
//! A package without rayon whose Rust code cannot start threads. None of its crates relies on destructors, so calls go on after abandoned frames.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

thread_local! { static HERE: Cell<u8> = const { Cell::new(0) }; }

/// The address of HERE on the first thread that allocates, and the number of calls of the allocator on other threads.
static FIRST: AtomicUsize = AtomicUsize::new(0);
static ELSEWHERE: AtomicU64 = AtomicU64::new(0);

/// An allocator that counts its calls on other threads than the first.
struct Counting;

impl Counting {
    fn count(&self) {
        let here = HERE.with(|here| here.as_ptr().addr());
        if FIRST.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed).is_err_and(|first| first != here) {
            ELSEWHERE.fetch_add(1, Ordering::Relaxed);
        }
    }
}

// SAFETY: System keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        self.count();
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Elsewhere returns the number of calls of the allocator on other threads than the first.
#[rustgo::export]
pub fn elsewhere() -> u64 {
    ELSEWHERE.load(Ordering::Relaxed)
}

static LIVE: AtomicU64 = AtomicU64::new(0);

/// Block is an object with 64 KiB.
#[rustgo::object]
pub struct Block(Vec<u8>);

#[rustgo::export]
impl Block {
    /// NewBlock makes a Block.
    pub fn new() -> Block {
        LIVE.fetch_add(1, Ordering::Relaxed);
        Block(vec![1; 1 << 16])
    }

    /// Work works for a while.
    pub fn work(&self) -> u64 {
        (0..300_000).fold(self.0[7].into(), |sum, round| std::hint::black_box(sum ^ round))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Live returns the number of Blocks that have not been dropped.
#[rustgo::export]
pub fn live() -> u64 {
    LIVE.load(Ordering::Relaxed)
}

/// Recurse needs about depth KiB of stack.
#[rustgo::export(stack = "2m")]
pub fn recurse(depth: u64) -> u64 {
    let mut frame = [depth; 128];
    std::hint::black_box(&mut frame);
    if depth == 0 { 0 } else { recurse(depth - 1) + frame[5] / depth }
}

/// Start tries to start a thread, and returns the kind of the error.
#[rustgo::export]
pub fn start() -> String {
    match std::thread::Builder::new().spawn(|| 1) {
        Ok(thread) => format!("{:?}", thread.join().is_ok()),
        Err(error) => format!("{:?}", error.kind()),
    }
}

thread_local! { static LAST: Cell<u64> = const { Cell::new(0) }; }

/// Refused is an error whose text contains the number of the last call of Refuse.
#[derive(Clone, Copy, Debug, rustgo::Error)]
pub enum Refused {
    /// Odd refuses odd numbers.
    Odd,
    /// Even refuses even numbers.
    Even,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is refused", LAST.get())
    }
}

impl std::error::Error for Refused {}

/// Refuse stores the number for the text, and returns an error.
#[rustgo::export]
pub fn refuse(number: u64) -> Result<(), Refused> {
    LAST.set(number);
    Err(if number % 2 == 0 { Refused::Even } else { Refused::Odd })
}

/// Slow returns after this number of rounds.
#[rustgo::export]
pub fn slow(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, round| std::hint::black_box(sum ^ round))
}

/// Fault is an object whose destructor reads an address.
#[rustgo::object]
pub struct Fault(u64);

#[rustgo::export]
impl Fault {
    /// NewFault makes a Fault with the address that its destructor reads.
    pub fn new(address: u64) -> Fault {
        Fault(address)
    }

    /// Address returns the address.
    pub fn address(&self) -> u64 {
        self.0
    }
}

impl Drop for Fault {
    fn drop(&mut self) {
        // SAFETY: none; the test expects the fault.
        std::hint::black_box(unsafe { *(self.0 as *const u8) });
    }
}

/// Relock locks a mutex twice.
#[rustgo::export]
pub fn relock() -> u64 {
    let mutex = Mutex::new(1);
    let first = mutex.lock();
    let second = mutex.lock();
    *first.unwrap() + *second.unwrap()
}

/// Receive waits for a message that nobody sends.
#[rustgo::export]
pub fn receive() -> u64 {
    let (sender, receiver) = mpsc::channel();
    let got = receiver.recv();
    drop(sender);
    got.unwrap_or(1)
}

/// ReceiveFor waits for a message that nobody sends, for this number of milliseconds. It reports whether the time has run out.
#[rustgo::export]
pub fn receive_for(milliseconds: u64) -> bool {
    let (sender, receiver) = mpsc::channel::<u64>();
    let got = receiver.recv_timeout(std::time::Duration::from_millis(milliseconds));
    drop(sender);
    got == Err(mpsc::RecvTimeoutError::Timeout)
}

//@ manifest: [package.metadata.rustgo]
//@ manifest: threads = "none"
//@ manifest: [dependencies.rayon]
//@ manifest: version = "1.12"
//! A package whose Rust code cannot start threads. rayon works on the calling thread.

use rayon::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Sum returns the sum of the squares.
#[rustgo::export]
pub fn sum(data: &[u64]) -> u64 {
    data.par_iter().map(|x| x.wrapping_mul(*x)).reduce(|| 0, u64::wrapping_add)
}

/// Sort sorts the data in parallel.
#[rustgo::export]
pub fn sort(data: &mut [u64]) {
    data.par_sort_unstable();
}

/// Scope returns n plus the sum of the numbers below n. It adds them in nested scopes.
#[rustgo::export]
pub fn scope(n: u64) -> u64 {
    let total = AtomicU64::new(0);
    rayon::scope(|s| {
        for i in 0..n {
            let total = &total;
            s.spawn(move |s| {
                total.fetch_add(i, Ordering::Relaxed);
                s.spawn(move |_| _ = total.fetch_add(1, Ordering::Relaxed));
            });
        }
    });
    total.into_inner()
}

/// Fails panics in parallel work.
#[rustgo::export]
pub fn fails(data: &[u64], at: u64) -> u64 {
    data.par_iter().map(|x| if *x == at { panic!("found {at}") } else { *x }).sum()
}

fn down(depth: u64) -> u64 {
    let mut frame = [depth; 128];
    std::hint::black_box(&mut frame);
    if depth == 0 { 0 } else { down(depth - 1) + frame[5] / depth }
}

/// Recurse needs about depth KiB of stack in one of two parallel functions. Meanwhile a queue holds the stack address of the other function.
#[rustgo::export]
pub fn recurse(depth: u64) -> u64 {
    rayon::join(|| down(depth), || 1).0
}

/// Each returns the number of threads. It runs all functions that wait in the queue.
#[rustgo::export]
pub fn each() -> usize {
    rayon::broadcast(|_| ()).len()
}

/// Meet makes two parallel functions wait for each other.
#[rustgo::export]
pub fn meet() {
    let both = std::sync::Barrier::new(2);
    rayon::join(|| both.wait(), || both.wait());
}

/// Init makes rayon's global pool.
#[rustgo::export]
pub fn init(threads: usize, use_current: bool) -> Result<(), rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    if use_current { pool.use_current_thread() } else { pool }.build_global()
}

/// Pool makes a thread pool, and returns its number of threads or the error.
#[rustgo::export]
pub fn pool(threads: usize, use_current: bool) -> Result<usize, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = if use_current { pool.use_current_thread() } else { pool }.build()?;
    Ok(pool.install(rayon::current_num_threads))
}

thread_local! { static CALLS: Cell<u64> = const { Cell::new(0) }; }

/// Calls returns the number of its calls on this thread.
#[rustgo::export]
pub fn calls() -> u64 {
    CALLS.set(CALLS.get() + 1);
    CALLS.get()
}

/// Slow returns after this number of rounds.
#[rustgo::export]
pub fn slow(rounds: u64) -> u64 {
    (0..rounds).fold(1, |sum, round| std::hint::black_box(sum ^ round))
}

static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Dropped returns the number of Items that were dropped.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// Items are numbers. Their destructor does parallel work, and checks that it runs on the pool's thread.
#[rustgo::object(close)]
pub struct Items(Vec<u64>);

#[rustgo::export]
impl Items {
    /// NewItems makes the numbers below n.
    pub fn new(n: u64) -> Items {
        Items((0..n).into_par_iter().collect())
    }

    /// Total adds the numbers.
    pub fn total(&self) -> u64 {
        self.0.par_iter().sum()
    }

    /// All lists the numbers.
    pub fn all(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied().inspect(|_| assert!(rayon::current_thread_index() == Some(0)))
    }
}

impl Drop for Items {
    fn drop(&mut self) {
        self.0.par_iter_mut().for_each(|x| *x = 0);
        assert!(rayon::current_thread_index() == Some(0));
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

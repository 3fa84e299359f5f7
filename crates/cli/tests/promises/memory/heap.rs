//! Tests that each memory block has one owner, that any thread can free it, and that a failed allocation is a Go panic.
use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;

/// Churn allocates and frees blocks of many sizes, and returns how often the content of a block was wrong.
#[rustgo::export]
pub fn churn(seed: u64, rounds: usize) -> usize {
    let mut held: Vec<Vec<u8>> = Vec::new();
    let (mut state, mut wrong) = (seed | 1, 0);
    for _ in 0..rounds {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let (kind, size) = (state >> 60, (state >> 33) as usize % (1 << ((state >> 20) % 17)));
        let mark = state as u8;
        if kind < 9 {
            held.push(vec![mark; size]);
        } else if let Some(at) = held.len().checked_sub(1).map(|last| (state >> 8) as usize % (last + 1)) {
            let mut bytes = held.swap_remove(at);
            wrong += usize::from(bytes.iter().any(|&byte| byte != bytes[0]));
            if kind < 12 {
                let first = bytes.first().copied().unwrap_or(mark);
                bytes.resize(size, first);
                held.push(bytes);
            }
        }
    }
    wrong + held.iter().filter(|bytes| bytes.iter().any(|&byte| byte != bytes[0])).count()
}

/// Put allocates a box that holds x and returns its address.
#[rustgo::export]
pub fn put(x: u64) -> usize {
    Box::into_raw(Box::new([x, !x])).expose_provenance()
}

/// Take frees a box that Put allocated, and returns its content.
#[rustgo::export]
pub fn take(at: usize) -> u64 {
    // SAFETY: `put` allocated the box, and each box is taken once.
    let [x, y] = *unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<[u64; 2]>(at)) };
    if x == !y { x } else { u64::MAX }
}

/// Demand allocates `bytes` bytes and writes to the last byte.
#[rustgo::export]
pub fn demand(bytes: usize) -> usize {
    let mut all: Vec<u8> = Vec::with_capacity(bytes);
    if let Some(last) = all.spare_capacity_mut().last_mut() {
        last.write(1);
    }
    black_box(&mut all).capacity()
}

/// Leak allocates memory and panics while it owns the memory.
#[rustgo::export]
pub fn leak(bytes: usize) {
    let held = black_box(vec![1_u8; bytes]);
    panic!("{} bytes are held", held.len());
}

/// Spin allocates and frees memory many times.
#[rustgo::export]
pub fn spin(rounds: usize) -> usize {
    (0..rounds).map(|round| black_box(Box::new(round)).leading_zeros() as usize % 2).sum()
}

/// Misaligned allocates with every alignment up to 1 MiB. It returns 0 if all addresses are aligned, and the wrong address bits otherwise.
#[rustgo::export]
pub fn misaligned() -> usize {
    let mut left = 0;
    for shift in 0..=20 {
        for size in [1, 24, 4096, 100_000] {
            let layout = Layout::from_size_align(size, 1 << shift).expect("it is small");
            // SAFETY: the size is not zero.
            unsafe {
                let at = alloc(layout);
                left |= at.addr() % layout.align() | usize::from(at.is_null());
                dealloc(at, layout);
            }
        }
    }
    left
}

/// FreeTwice frees a block twice.
#[rustgo::export]
pub fn free_twice() {
    let at = black_box(Box::into_raw(Box::new(black_box(1_u64))));
    // SAFETY: none; the test expects that the second free is detected.
    unsafe {
        drop(Box::from_raw(at));
        drop(Box::from_raw(black_box(at)));
    }
}

/// FreeForeign frees memory that Go allocated.
#[rustgo::export]
pub fn free_foreign(memory: &mut [u8]) {
    // SAFETY: none; the test expects that the free is detected.
    unsafe { dealloc(memory.as_mut_ptr(), Layout::from_size_align_unchecked(8, 8)) }
}

thread_local! {
    static MINE: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Alone writes x to a thread-local variable, does other work, and returns the variable's value.
#[rustgo::export]
pub fn alone(x: u64) -> u64 {
    MINE.set(x);
    black_box(spin(100));
    MINE.get()
}

/// A Bag has many small allocations.
#[rustgo::object(close)]
pub struct Bag(Vec<Box<[u64; 8]>>);

#[rustgo::export]
impl Bag {
    /// NewBag makes n allocations of 64 bytes.
    pub fn new(n: u64) -> Bag {
        Bag((0..n).map(|n| Box::new([n; 8])).collect())
    }
}

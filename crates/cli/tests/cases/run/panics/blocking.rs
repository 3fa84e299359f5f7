//! Blocking calls have the native results, panics, faults and exhausted budgets.
use std::collections::HashMap;
use std::hint::black_box;

/// Aligned locals, arithmetic with vectors, and a hash map on the heap.
#[rustgo::export(blocking)]
pub fn mixture(x: u64) -> u64 {
    #[repr(align(64))]
    struct Aligned([u64; 16]);
    let aligned = black_box(Aligned(std::array::from_fn(|i| x.rotate_left(i as u32))));
    assert_eq!(aligned.0.as_ptr().addr() % 64, 0);
    let floats: f64 = aligned.0.iter().map(|&word| (word >> 40) as f64).sum();
    let map: HashMap<u64, u64> = (0..x % 100).map(|i| (i * 7, i ^ x)).collect();
    floats.to_bits() ^ map.values().fold(0, |all, value| all ^ value)
}

/// Recursion with the default budget.
#[rustgo::export(blocking)]
pub fn fibonacci(x: u64) -> u64 {
    fn of(n: u64) -> u64 {
        if n < 2 { n } else { black_box(of(n - 1)) + of(n - 2) }
    }
    of(x % 15)
}

/// A panic with a text.
#[rustgo::export(blocking)]
pub fn divided_panics(x: u64) -> u64 {
    let by = black_box(u64::MAX - x);
    format!("{}", 1000 / by).len() as u64
}

/// An inaccessible address.
#[rustgo::export(blocking)]
pub fn read_faults(x: u64) -> u64 {
    let there = x;
    let at = if x == u64::MAX { std::ptr::null() } else { &raw const there };
    // SAFETY: none for the largest number; the fault is the test.
    unsafe { at.read_volatile() }
}

/// Floats.
#[rustgo::export(blocking)]
pub fn remainder(x: u64) -> u64 {
    black_box((x >> 12) as f64).rem_euclid(3.0) as u64
}

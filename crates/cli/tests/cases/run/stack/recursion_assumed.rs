//! Recursion without a stated budget gets the default budget.
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    walk(x % 20, 1)
}

#[inline(never)]
fn walk(depth: u64, sum: u64) -> u64 {
    if depth == 0 {
        return sum;
    }
    let left = walk(depth - 1, sum ^ depth);
    branch(depth, left)
}

#[inline(never)]
fn branch(depth: u64, sum: u64) -> u64 {
    walk(depth / 2, sum.wrapping_mul(31)) ^ walk(depth / 3, sum)
}

#[rustgo::export]
pub fn deep_panics(x: u64) -> u64 {
    down(if x == u64::MAX { 1_000_000 } else { x % 500 }, x)
}

/// One frame for each level; the compiler cannot turn it into a loop.
#[inline(never)]
fn down(depth: u64, x: u64) -> u64 {
    match depth {
        0 => x,
        // The native program panics too, for the input that exhausts Go's budget.
        _ if depth > 100_000 => panic!("too deep"),
        _ => down(depth - 1, x).rotate_left(3) ^ core::hint::black_box(depth),
    }
}

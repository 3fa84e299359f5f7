//! A recursive walk without a stated budget.
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

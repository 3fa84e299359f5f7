//! Recursion under a stated budget, as the compiler writes it.
#![no_std]

#[rustgo::export(stack = "16k")]
pub fn ackermann(x: u64) -> u64 {
    inner(x % 3, x % 5)
}

#[inline(never)]
fn inner(m: u64, n: u64) -> u64 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => inner(m - 1, 1),
        (m, n) => {
            let n = inner(m, n - 1);
            inner(m - 1, n)
        }
    }
}

#[rustgo::export(stack = "32k")]
pub fn tree(x: u64) -> u64 {
    let values: [u64; 32] = core::array::from_fn(|at| x.wrapping_mul(at as u64 + 1));
    hash(&values)
}

#[inline(never)]
fn hash(values: &[u64]) -> u64 {
    match values {
        [one] => one ^ 0x5bd1_e995,
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            hash(left).rotate_left(13).wrapping_add(hash(right)).wrapping_mul(0x9ddf_ea08_eb38_2d69)
        }
    }
}

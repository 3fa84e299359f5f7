//! std's allocator is the C library's.
//@ compare: first
#[rustgo::export]
pub fn run(x: u64) -> u64 {
    let values: Vec<u64> = (0..x).collect();
    values.iter().map(|value| value * value).max().unwrap_or(0)
}

//! A budget smaller than one level of the recursion.
#![no_std]

#[rustgo::export(stack = "1k")]
pub fn run(x: u64) -> u64 {
    deep(x)
}

#[inline(never)]
fn deep(x: u64) -> u64 {
    let buffer = core::hint::black_box([x; 200]);
    if x == 0 { buffer[7] } else { deep(x / 2) + buffer[(x % 200) as usize] }
}

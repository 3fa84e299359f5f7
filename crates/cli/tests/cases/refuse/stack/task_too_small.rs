//! A task that needs more stack than it has, without recursion.
#![no_std]

#[rustgo::export(task, stack = "4k")]
pub fn run(x: u64) -> u64 {
    let mut buffer = [0u64; 1000];
    fill(&mut buffer, x);
    buffer[(x % 1000) as usize]
}

#[inline(never)]
fn fill(buffer: &mut [u64; 1000], x: u64) {
    for (at, place) in buffer.iter_mut().enumerate() {
        *place = x.rotate_left(at as u32);
    }
}

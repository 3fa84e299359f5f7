//! Calls through a pointer that pass small structs by value, stored by single instructions, to a function whose frame is aligned to 64 bytes.
use std::hint::black_box;

#[repr(C)]
struct Small([u64; 3]);

#[repr(align(64))]
struct Aligned([u64; 8]);

extern "C" fn of(small: Small, at: usize) -> u64 {
    let mut local = Aligned([7; 8]);
    black_box(&mut local);
    small.0[at % 3] ^ local.0[at % 8]
}

#[rustgo::export(stack = "16k")]
pub fn run(x: u64) -> u64 {
    let functions: [extern "C" fn(Small, usize) -> u64; 1] = black_box([of]);
    let at = x as usize;
    let sum = functions[0](Small([x, x >> 3, !x]), at);
    sum ^ functions[0](Small([sum, 5, x]), at / 7).rotate_left(9)
}

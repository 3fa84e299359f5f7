//! Large structs by value, passed through pointers to functions whose frames are aligned beyond 16: their entries copy as much as callers pass.
use std::hint::black_box;

#[repr(C)]
#[derive(Clone, Copy)]
struct Large([u64; 40]);

#[repr(C)]
#[derive(Clone, Copy)]
struct Small([u64; 3]);

#[repr(align(64))]
struct Aligned([u64; 8]);

extern "C" fn indexed(large: Large, at: usize) -> u64 {
    let mut local = Aligned([at as u64; 8]);
    black_box(&mut local);
    large.0[at % 40] ^ local.0[at % 8]
}

extern "C" fn from_below(large: Large, at: usize) -> u64 {
    let mut local = Aligned([3; 8]);
    black_box(&mut local);
    let at = 19 + at % 21;
    (0..local.0[at % 8] as usize).map(|back| large.0[at - 19 + back] ^ large.0[at - back]).fold(0, u64::wrapping_add)
}

extern "C" fn two(small: Small, large: Large, at: usize, one: u64, another: u64, more: u64, last: u64, beyond: u64) -> u64 {
    let mut local = Aligned([5; 8]);
    black_box(&mut local);
    small.0[at % 3] ^ large.0[39 - at % 40] ^ local.0[at % 8] ^ one ^ another ^ more.rotate_left(7) ^ last ^ beyond.rotate_left(9)
}

type One = extern "C" fn(Large, usize) -> u64;
type Two = extern "C" fn(Small, Large, usize, u64, u64, u64, u64, u64) -> u64;

#[rustgo::export(stack = "16k")]
pub fn run(x: u64) -> u64 {
    let mut large = Large([0; 40]);
    for (n, word) in large.0.iter_mut().enumerate() {
        *word = x.wrapping_add(n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    let ones: [One; 2] = black_box([indexed, from_below]);
    let twos: [Two; 1] = black_box([two]);
    let at = x as usize;
    let mut sum = ones[at % 2](large, at);
    large.0[at % 40] = sum;
    sum ^= ones[(at + 1) % 2](large, at / 3);
    large.0[at % 7] ^= sum;
    sum ^ twos[0](Small([x, !x, sum]), large, at, x, 2, 3, x >> 4, 5)
}

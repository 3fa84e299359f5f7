//@ native: all
//! Functions pass on the addresses of their stack arguments. They are called directly and through a pointer: from a function with a frame of more
//! than 4096 bytes, and from a function whose frame is aligned to 128 bytes.
#![no_std]
use core::hint::black_box;

type Many = fn(u64, u64, u64, u64, u64, u64, u64, u64, u64, [u64; 2]) -> u64;

#[inline(never)]
fn by_address(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, mut i: u64, j: [u64; 2]) -> u64 {
    *black_box(&mut i) ^= h;
    let [first, second] = *black_box(&j);
    a ^ b.rotate_left(1) ^ c.rotate_left(2) ^ d ^ e ^ f ^ g.rotate_left(3) ^ i.rotate_left(5) ^ first.rotate_left(7) ^ second.rotate_left(9)
}

#[inline(never)]
fn by_value(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, i: u64, j: [u64; 2]) -> u64 {
    (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h).wrapping_mul(i | 1).wrapping_add(j[0]).rotate_left(11) ^ j[1]
}

/// Returns one of two functions. The compiler does not know which one.
fn chosen(x: u64) -> Many {
    black_box([by_address as Many, by_value])[(x & 1) as usize]
}

#[rustgo::export]
pub fn large_frame(x: u64) -> u64 {
    let mut words = [x; 1000];
    black_box(&mut words);
    let many = chosen(x);
    let mut sum = many(x, 2, 3, 4, 5, 6, 7, 8, words[1] + 9, [x ^ 10, 11]);
    for (at, word) in words.iter_mut().enumerate() {
        *word ^= at as u64;
    }
    black_box(&mut words);
    sum = by_address(sum, x, 3, 4, 5, 6, 7, 8, words[999], [sum, words[7]]);
    sum ^ words.iter().fold(0u64, |sum, word| word ^ sum.rotate_left(3))
}

#[repr(align(128))]
struct Aligned([u64; 32]);

#[rustgo::export]
pub fn aligned_frame(x: u64) -> u64 {
    let mut local = Aligned([x; 32]);
    black_box(&mut local);
    let many = chosen(x);
    let mut sum = many(x, 2, 3, 4, 5, 6, 7, 8, x ^ 9, [x ^ 10, 11]);
    local.0[(x & 31) as usize] ^= sum;
    black_box(&mut local);
    sum = by_address(sum, x, 3, 4, 5, 6, 7, 8, local.0[3], [sum, local.0[0]]);
    sum ^= by_value(sum, x, 3, 4, 5, 6, 7, 8, local.0[4], [sum, local.0[31]]);
    let address = (&raw const local).addr() as u64;
    sum ^ local.0.iter().fold(address & 127, |sum, word| word ^ sum.rotate_left(3))
}

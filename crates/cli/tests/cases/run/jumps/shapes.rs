//! Typical compiler output for ordinary Rust: matches, slices, wide integers, floating point, closures, trait objects.
#![no_std]
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

#[rustgo::export]
pub fn dense_match(x: u64) -> u64 {
    match x % 13 {
        0 => x.rotate_left(3),
        1 => x ^ 0x5555,
        2 => x.wrapping_mul(31),
        3 => x / 7,
        4 => x.count_ones().into(),
        5 => !x,
        6 => x.swap_bytes(),
        7 => x.leading_zeros().into(),
        8 => inner_match(x / 13),
        9 => x.wrapping_sub(1),
        10 => x << 5,
        11 => inner_match(x),
        _ => 12,
    }
}

#[inline(never)]
fn inner_match(x: u64) -> u64 {
    match x % 6 {
        0 => x + 1,
        1 => x.wrapping_mul(x),
        2 => x >> 3,
        3 => x.reverse_bits(),
        4 => 77,
        _ => x.trailing_zeros().into(),
    }
}

#[rustgo::export]
pub fn wide_integers(x: u64) -> u64 {
    let wide = u128::from(x).wrapping_mul(0x1234_5678_9abc_def0_1122_3344_5566_7788) | 1;
    let quotient = (u128::MAX / wide) as u64;
    quotient ^ (wide % 1_000_000_007) as u64
}

#[rustgo::export]
pub fn floats(x: u64) -> u64 {
    let mut sum = 0.0f64;
    for k in 0..x % 50 {
        sum += (k as f64 * 1.5 - 3.25) / (k as f64 + 0.5);
    }
    sum.to_bits() ^ u64::from((sum as f32).to_bits())
}

#[rustgo::export]
pub fn buffers(x: u64) -> u64 {
    let mut buffer = [0u8; 300];
    let length = (x % 300) as usize;
    buffer[..length].fill(x as u8);
    buffer.copy_within(..length / 2, 300 - length / 2);
    buffer.iter().enumerate().fold(x, |hash, (at, &byte)| hash.wrapping_mul(31).wrapping_add(u64::from(byte) + at as u64))
}

trait Shape {
    fn area(&self) -> u64;
    fn scaled(&self, by: u64) -> u64 {
        self.area().wrapping_mul(by)
    }
}
struct Square(u64);
struct Rectangle(u64, u64);
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.0)
    }
}
impl Shape for Rectangle {
    #[inline(never)]
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.1)
    }
    fn scaled(&self, by: u64) -> u64 {
        self.area() ^ by
    }
}

#[inline(never)]
fn total(shapes: &[&dyn Shape], by: u64) -> u64 {
    shapes.iter().fold(0, |sum, shape| sum.wrapping_add(shape.scaled(by)))
}

#[rustgo::export]
pub fn trait_objects(x: u64) -> u64 {
    let (square, rectangle) = (Square(x), Rectangle(x, 3));
    let shapes: [&dyn Shape; 3] = if x % 2 == 0 { [&square, &rectangle, &square] } else { [&rectangle, &rectangle, &square] };
    total(&shapes, x / 2)
}

static CACHED: AtomicPtr<()> = AtomicPtr::new(detect as *mut ());

fn detect(x: u64) -> u64 {
    let chosen: fn(u64) -> u64 = if core::hint::black_box(true) { fast } else { slow };
    CACHED.store(chosen as *mut (), Relaxed);
    chosen(x)
}
fn fast(x: u64) -> u64 {
    x.wrapping_mul(0x9e37_79b9)
}
fn slow(x: u64) -> u64 {
    (0..32).fold(0, |sum: u64, bit| sum.wrapping_add(if 0x9e37_79b9u64 >> bit & 1 == 1 { x << bit } else { 0 }))
}

#[rustgo::export]
pub fn cached_pointer(x: u64) -> u64 {
    // SAFETY: the static holds only functions of this type.
    let function: fn(u64) -> u64 = unsafe { core::mem::transmute(CACHED.load(Relaxed)) };
    function(x)
}

#[repr(align(64))]
struct Line([u64; 8]);
static LINE: Line = Line([3, 1, 4, 1, 5, 9, 2, 6]);

#[rustgo::export]
pub fn aligned_constant(x: u64) -> u64 {
    let line = core::hint::black_box(&LINE);
    assert!(line as *const Line as usize % 64 == 0);
    line.0[(x % 8) as usize]
}

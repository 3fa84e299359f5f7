//! Locals whose type requires 128 bytes, as CachePadded of the crate crossbeam-utils does, lie on multiples of 128. Functions with smaller
//! alignments are their callers and callees. The low bits of addresses are part of each result.

use std::hint::black_box;

#[derive(Clone, Copy)]
#[repr(align(128))]
struct Padded(u64);

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Vector([u64; 4]);

/// The address modulo the type's alignment, hidden from the compiler, which would compute 0.
fn low<T>(place: &T) -> u64 {
    (black_box(place as *const T as usize) % align_of::<T>()) as u64
}

#[inline(never)]
fn padded(x: u64) -> u64 {
    let two = black_box([Padded(x), Padded(x / 3)]);
    low(&two) << 40 ^ low(&two[1]) << 32 ^ two[0].0 ^ two[1].0.rotate_left(5) ^ vector(two[0].0)
}

#[inline(never)]
fn vector(x: u64) -> u64 {
    let vector = black_box(Vector([x, x ^ 1, x / 5, 7]));
    low(&vector) << 48 ^ vector.0.iter().fold(0, |sum, word| sum * 31 ^ word)
}

trait Look {
    fn look(&self, deep: u32) -> u64;
}

impl Look for Padded {
    fn look(&self, deep: u32) -> u64 {
        low(self) << 20 ^ walk(self.0 / 2, deep)
    }
}

impl Look for Vector {
    fn look(&self, deep: u32) -> u64 {
        low(self) << 10 ^ walk(self.0[0] / 3, deep)
    }
}

/// Recurses through a table of functions, so that checked entries align the stack too.
#[inline(never)]
fn walk(x: u64, deep: u32) -> u64 {
    if deep == 0 {
        return padded(x) ^ vector(x);
    }
    let (a, b) = (Padded(x), Vector([x; 4]));
    let looks: [&dyn Look; 2] = [&a, &b];
    black_box(looks)[x as usize % 2].look(deep - 1).rotate_left(3)
}

#[rustgo::export]
pub fn of_callee(x: u64) -> u64 {
    vector(x) ^ padded(x)
}

#[rustgo::export(stack = "64k")]
pub fn recursive(x: u64) -> u64 {
    walk(x, (x % 12) as u32)
}

/// Takes stack arguments, needs an aligned frame, and calls itself with another SP at each level.
#[allow(clippy::too_many_arguments)]
#[inline(never)]
fn deep(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, level: u64) -> u64 {
    let own = black_box(Padded(a ^ g));
    let below = if level == 0 { vector(h) } else { deep(b, c, d, e, f, g, h.wrapping_add(low(&own)), own.0, level - 1) };
    below.rotate_left(9) ^ a ^ b.rotate_left(1) ^ c ^ d ^ e ^ f.rotate_left(2) ^ g.rotate_left(3) ^ h.rotate_left(4) ^ low(&own) << 50
}

#[inline(never)]
fn from<const WORDS: usize>(x: u64) -> u64 {
    let words = black_box([x; WORDS]);
    deep(x, 2, 3, 4, 5, 6, x ^ 7, 8, x % 6) ^ words.iter().fold(0, |a, b| a ^ b.rotate_left(7))
}

#[rustgo::export(stack = "64k")]
pub fn stack_arguments(x: u64) -> u64 {
    [from::<1>, from::<3>, from::<5>, from::<7>, from::<9>, from::<11>, from::<13>, from::<15>].into_iter().fold(0, |sum: u64, from| sum.rotate_left(3) ^ from(x))
}

/// Defines a function that takes more stack arguments than an entry copies, and a call of it.
macro_rules! many {
    ($($name:ident)*) => {
        #[allow(clippy::too_many_arguments)]
        #[inline(never)]
        fn many(level: u64, $($name: u64),*) -> u64 {
            let own = black_box(Padded(level));
            let sum = [$($name),*].into_iter().fold(low(&own), |sum, word| sum.rotate_left(1) ^ word);
            if level == 0 { sum } else { sum ^ many(level - 1, $($name ^ level),*) }
        }
        #[inline(never)]
        fn call_many<const WORDS: usize>(mut x: u64) -> u64 {
            let words = black_box([x; WORDS]);
            $(x = x.wrapping_mul(5).wrapping_add(1); let $name = x;)*
            many(x % 4, $($name),*) ^ words.iter().fold(0, |a, b| a ^ b.rotate_left(7))
        }
    };
}
many!(a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 e0);

#[rustgo::export(stack = "64k")]
pub fn many_arguments(x: u64) -> u64 {
    [call_many::<1>, call_many::<3>, call_many::<5>, call_many::<7>].into_iter().fold(0, |sum, call| sum.rotate_left(3) ^ call(x))
}

/// In the heap.
#[rustgo::export]
pub fn boxed(x: u64) -> u64 {
    let boxes: Vec<Box<Padded>> = (0..x % 9).map(|at| Box::new(Padded(x ^ at))).collect();
    boxes.iter().fold(x, |sum, item| sum.rotate_left(9) ^ item.0 ^ low(&**item) << 3)
}

/// The panic's message reads a local.
#[rustgo::export]
pub fn panics(x: u64) -> u64 {
    let local = black_box(Padded(x));
    assert!(local.0 != u64::MAX, "{} at {}", local.0, low(&local));
    local.0
}

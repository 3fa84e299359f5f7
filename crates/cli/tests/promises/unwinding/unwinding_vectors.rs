//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Floating-point numbers survive a panic. On arm64 callees preserve the registers d8 to d15, so the unwinder must restore these registers.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the number. The compiler does not know that, and the callers keep the result in a register over other calls.
#[inline(never)]
fn opaque(number: f64) -> f64 {
    std::hint::black_box(number)
}

#[inline(never)]
fn fails(number: f64, failing: bool) -> f64 {
    assert!(!failing, "fails at {number}");
    opaque(number)
}

/// Adds a number to a sum when it is dropped.
struct Adds<'a>(&'a Cell<f64>, f64);

impl Drop for Adds<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() * 0.75 + self.1);
    }
}

/// Keeps N numbers over a call that may panic.
#[inline(never)]
fn keep<const N: usize>(number: f64, below: &dyn Fn(f64) -> f64) -> f64 {
    let numbers: [f64; N] = std::array::from_fn(|at| opaque(number + at as f64));
    let sum = below(number * 1.25);
    numbers.iter().fold(sum, |sum, number| sum * 0.5 + number)
}

/// Keeps N numbers over a call that may panic, and adds them to the sum when they are dropped.
#[inline(never)]
fn drops<const N: usize>(number: f64, sum: &Cell<f64>, below: &dyn Fn(f64) -> f64) -> f64 {
    let numbers: [Adds<'_>; N] = std::array::from_fn(|at| Adds(sum, opaque(number - at as f64)));
    let result = below(number * 1.5);
    numbers.iter().fold(result, |sum, number| sum * 0.5 + number.1)
}

/// Keeps N numbers over a panic that it catches.
#[inline(never)]
fn catches<const N: usize>(number: f64, below: &dyn Fn(f64) -> f64) -> f64 {
    let numbers: [f64; N] = std::array::from_fn(|at| opaque(number * 0.5 + at as f64));
    let sum = catch_unwind(AssertUnwindSafe(|| below(number + 0.125))).unwrap_or(1000.0);
    numbers.iter().fold(sum, |sum, number| sum * 0.5 + number)
}

/// Calls a function for each number of registers, from 1 to 10, and returns a digest of the results.
fn for_each_count(call: impl Fn(usize) -> f64) -> u64 {
    (1..=10).map(call).fold(0, |digest: u64, result| digest.rotate_left(7) ^ result.to_bits())
}

fn number(x: u64) -> f64 {
    (x % 1000) as f64 / 8.0
}

/// True for about half of the arguments.
fn failing(x: u64) -> bool {
    x.count_ones() % 2 == 1
}

macro_rules! with_count {
    ($count:expr, $function:ident($($argument:expr),*)) => {
        match $count {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            6 => $function::<6>($($argument),*),
            7 => $function::<7>($($argument),*),
            8 => $function::<8>($($argument),*),
            9 => $function::<9>($($argument),*),
            _ => $function::<10>($($argument),*),
        }
    };
}

/// The function that catches the panic keeps eight numbers. A function between it and the panic keeps one to ten numbers, and does not catch.
#[rustgo::export]
pub fn restored(x: u64) -> u64 {
    for_each_count(|count| {
        let below = |number| with_count!(count, keep(number, &|number| fails(number, failing(x))));
        catches::<8>(number(x), &below)
    })
}

/// The function that catches keeps some numbers, and functions without numbers lie between it and the panic.
#[rustgo::export]
pub fn kept(x: u64) -> u64 {
    for_each_count(|count| with_count!(count, catches(number(x), &|number| fails(number, failing(x)))))
}

/// Landing pads use numbers, and then the unwinding continues.
#[rustgo::export]
pub fn dropped(x: u64) -> u64 {
    let sum = Cell::new(0.0);
    let digest = for_each_count(|count| {
        let innermost = |number| keep::<8>(number, &|number| fails(number, failing(x)));
        let below = |number| with_count!(count, drops(number, &sum, &innermost));
        catches::<6>(number(x), &|number| drops::<3>(number, &sum, &below))
    });
    digest ^ sum.get().to_bits()
}

/// A destructor that runs because of a panic catches another panic.
#[rustgo::export]
pub fn nested(x: u64) -> u64 {
    struct Catches<'a>(&'a Cell<f64>, f64, bool);
    impl Drop for Catches<'_> {
        fn drop(&mut self) {
            let again = catches::<8>(self.1, &|number| keep::<5>(number, &|number| fails(number, self.2)));
            self.0.set(self.0.get() + again);
        }
    }
    let sum = Cell::new(0.0);
    let digest = for_each_count(|count| {
        let below = |number: f64| {
            let _guard = Catches(&sum, number, failing(x / 2));
            with_count!(count, keep(number, &|number| fails(number, failing(x))))
        };
        catches::<8>(number(x), &below)
    });
    digest ^ sum.get().to_bits()
}

/// A panic unwinds frames of several sizes. In a large frame the saved registers lie far from SP.
#[rustgo::export]
pub fn far(x: u64) -> u64 {
    #[inline(never)]
    fn large<const N: usize>(number: f64, x: u64) -> f64 {
        let numbers: [f64; 8] = std::array::from_fn(|at| opaque(number + at as f64));
        let mut memory = [0u64; N];
        std::hint::black_box(&mut memory)[x as usize % N] = x;
        let result = fails(number, failing(x));
        numbers.iter().fold(result + memory[x as usize % N] as f64, |sum, number| sum * 0.5 + number)
    }
    let small = catches::<8>(number(x), &|number| large::<60>(number, x));
    let middle = catches::<8>(number(x), &|number| large::<700>(number, x));
    let wide = catches::<8>(number(x), &|number| large::<5000>(number, x));
    small.to_bits() ^ middle.to_bits().rotate_left(9) ^ wide.to_bits().rotate_left(21)
}

/// A panic unwinds a frame that is aligned to 128 bytes.
#[rustgo::export]
pub fn aligned(x: u64) -> u64 {
    #[repr(align(128))]
    struct Wide([u64; 32]);
    #[inline(never)]
    fn wide(number: f64, x: u64) -> f64 {
        let numbers: [f64; 7] = std::array::from_fn(|at| opaque(number + at as f64));
        let mut memory = Wide([0; 32]);
        std::hint::black_box(&mut memory).0[x as usize % 32] = x;
        let result = fails(number, failing(x));
        let address = (&raw const memory).addr() % 128;
        numbers.iter().fold(result + memory.0[x as usize % 32] as f64 + address as f64, |sum, number| sum * 0.5 + number)
    }
    catches::<8>(number(x), &|number| wide(number, x)).to_bits()
}

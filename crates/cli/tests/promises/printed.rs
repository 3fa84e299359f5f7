//! Values whose printing needs more stack than the formatter of panics has, printed in panics and outside of them, by shared code.
//@ args: --max-stack 512k
#![no_std]

use core::fmt::{self, Write as _};
use core::hint::black_box;

/// Returns an error after using a local of N bytes, or prints nothing.
struct Large<const N: usize>(u8);

impl<const N: usize> fmt::Display for Large<N> {
    #[inline(never)]
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut local = [0u8; N];
        black_box(&mut local)[N / 2] = self.0;
        if black_box(&local).iter().map(|&b| u64::from(b)).sum::<u64>() == 17 { Err(fmt::Error) } else { Ok(()) }
    }
}

/// A writer that adds up the bytes.
struct Sum(u64);

impl fmt::Write for Sum {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.0 += s.bytes().map(u64::from).sum::<u64>();
        Ok(())
    }
}

/// Reports whether n is printed; the sum of the bytes of "<>" or a part of it.
#[rustgo::export(stack = "400k")]
pub fn written(n: u8) -> u64 {
    let mut sum = Sum(0);
    let failed = write!(sum, "<{}>", Large::<SIZE>(n)).is_err();
    sum.0 << 1 | u64::from(failed)
}

/// Panics with n, and, if requested, with a value whose printing needs much stack.
#[rustgo::export]
pub fn fail(n: u8, large: bool) -> u64 {
    if large {
        panic!("{n}{}", Large::<SIZE>(n));
    }
    panic!("{n}")
}

/// In bytes; the formatter has 65,536.
const SIZE: usize = 300_000;

//! Values whose formatting needs more stack than the formatter of panic messages has. The same code formats them in panics and outside of panics.
//@ args: --max-stack 512k
#![no_std]

use core::fmt::{self, Write as _};
use core::hint::black_box;

/// When it is formatted, uses a local array of N bytes. It prints nothing, and returns an error if its value is 17.
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

/// Formats the value between `<` and `>`. Returns twice the sum of the written bytes, plus 1 if the formatting failed.
#[rustgo::export(stack = "400k")]
pub fn written(n: u8) -> u64 {
    let mut sum = Sum(0);
    let failed = write!(sum, "<{}>", Large::<SIZE>(n)).is_err();
    sum.0 << 1 | u64::from(failed)
}

/// Panics with n in the message. If `large`, the message also has a value whose formatting needs much stack.
#[rustgo::export]
pub fn fail(n: u8, large: bool) -> u64 {
    if large {
        panic!("{n}{}", Large::<SIZE>(n));
    }
    panic!("{n}")
}

/// The size of the local array in bytes. The formatter of panic messages has 65,536 bytes of stack.
const SIZE: usize = 300_000;

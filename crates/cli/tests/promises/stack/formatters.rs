//! Formatting code that does not recurse, although its calls through pointers look as if they could recurse.
#![no_std]

use core::fmt::{self, Write as _};
use core::hint::black_box;

/// A writer that computes a hash of the bytes.
struct Sum(u64);

impl fmt::Write for Sum {
    #[inline(never)]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Ok(())
    }
}

struct Pair(u64, u64);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{:x}", self.0, self.1)
    }
}

/// Prints a number and a pair of numbers through a writer of unknown type, and returns the hash of the text.
#[rustgo::export]
pub fn prints(n: u64) -> u64 {
    let mut sum = Sum(0);
    let writer: &mut dyn fmt::Write = black_box(&mut sum);
    let _ = write!(writer, "{n:>5} {}", n / 2);
    let _ = writer.write_str(" and ");
    let _ = write!(sum, "{}", black_box(Pair(n, n + 1)));
    sum.0
}

#[derive(Debug)]
#[expect(dead_code, reason = "printed")]
struct Both<'a> {
    name: &'a str,
    pair: Option<[u64; 2]>,
}

/// Prints nested structs on one line or on several lines, and returns the hash of the text.
#[rustgo::export]
pub fn debugs(n: u64, alternate: bool) -> u64 {
    let mut sum = Sum(0);
    let both = black_box(Both { name: "both\n", pair: if n % 2 == 0 { Some([n, n / 3]) } else { None } });
    let _ = if alternate { write!(sum, "{both:#?}") } else { write!(sum, "{both:?}") };
    sum.0
}

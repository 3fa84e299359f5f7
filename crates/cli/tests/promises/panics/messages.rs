//! Panics whose messages need nearly as much stack as the formatter has, or more.
#![no_std]

use core::fmt;
use core::hint::black_box;

/// When it is printed, fills a local array of N bytes with zeros, and prints the sum of the array.
struct Large<const N: usize>(u8);

impl<const N: usize> fmt::Display for Large<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut local = [0u8; N];
        black_box(&mut local)[N / 2] = self.0;
        write!(f, "{}", black_box(&local).iter().map(|&b| u64::from(b)).sum::<u64>())
    }
}

/// When it is printed, prints the address of a local variable.
struct Place;

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = black_box(0u64);
        write!(f, "{:p}", black_box(&local))
    }
}

/// Prints nested brackets; the number is the depth. Each level of nesting has a local array of 1 KiB.
struct Levels(u64);

/// Prints nested brackets as Levels does. Levels and More call each other, so that neither calls itself directly.
struct More(u64);

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = black_box([self.0; 128]);
        match self.0 {
            0 => f.write_str("|"),
            n => write!(f, "<{}>{}", More(n - 1), if black_box(&local)[5] == n { "" } else { "?" }),
        }
    }
}

impl fmt::Display for More {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = black_box([self.0; 128]);
        match self.0 {
            0 => f.write_str("|"),
            n => write!(f, "<{}>{}", Levels(n - 1), if black_box(&local)[6] == n { "" } else { "!" }),
        }
    }
}

/// Prints a number that it computes by a directly recursive function.
struct Counts(u64);

#[inline(never)]
fn count(n: u64) -> u64 {
    let local = black_box([n; 16]);
    if n == 0 { 0 } else { count(n - 1) + black_box(&local)[7] / n }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", count(self.0))
    }
}

/// When it is printed, uses 40 KiB of stack, and prints a value that uses 40 KiB more.
struct Twice;

impl fmt::Display for Twice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut local = [0u8; 40 << 10];
        black_box(&mut local)[7] = 1;
        write!(f, "{}", Large::<{ 40 << 10 }>(black_box(&local)[7]))
    }
}

/// Panics when it is printed.
struct Fails;

impl fmt::Display for Fails {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("inner")
    }
}

/// Fail panics. kind selects the message, and n is the depth of the recursion that formats the message.
#[rustgo::export]
pub fn fail(kind: u64, n: u64) -> u64 {
    match kind {
        0 => panic!("{}", Place),
        1 => panic!("{}", Large::<{ 30 << 10 }>(7)),
        2 => panic!("{}", Large::<66_500>(7)),
        3 => panic!("{}", Large::<80_000>(7)),
        4 => panic!("{}", Large::<200_000>(7)),
        5 => panic!("{}", Levels(n)),
        6 => panic!("{}", Counts(n)),
        7 => panic!("{}", Twice),
        8 => panic!("{}", Fails),
        9 => panic!("{} {} {}", Large::<{ 50 << 10 }>(1), Large::<{ 50 << 10 }>(2), Large::<{ 50 << 10 }>(3)),
        _ => n,
    }
}

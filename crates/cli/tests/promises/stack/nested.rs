//@ native: all
//! Formatting and methods that recurse as deeply as their data is nested. The tool must find this recursion, and grant the calls stack for it.
#![no_std]

use core::fmt::{self, Debug, Display, Write};
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

struct Log {
    to: Sum,
    lines: u32,
}

impl Log {
    /// Formats the number of the line, and then the format arguments that it receives.
    #[inline(never)]
    fn line(&mut self, args: fmt::Arguments<'_>) {
        self.lines += 1;
        let _ = write!(self.to, "[{:3}] ", self.lines);
        let _ = self.to.write_fmt(args);
    }
}

/// A list that prints its elements.
struct List<'a>(&'a [u64]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("end"),
            [first, rest @ ..] => write!(f, "({first} {})", List(rest)),
        }
    }
}

#[rustgo::export]
pub fn logged(n: u64) -> u64 {
    let numbers: [u64; 40] = core::array::from_fn(|i| i as u64 * n);
    let mut log = Log { to: Sum(0), lines: 0 };
    log.line(format_args!("start {n}"));
    log.line(format_args!("list {}", List(&numbers[..n as usize % 40])));
    log.line(format_args!("end {}", n / 2));
    log.to.0
}

#[derive(Debug)]
#[expect(dead_code, reason = "printed")]
struct Element<'a> {
    name: &'a str,
    inner: Option<&'a Element<'a>>,
}

#[inline(never)]
fn element(n: u64, inner: Option<&Element<'_>>, log: &mut Log, pretty: bool) {
    let element = Element { name: "element", inner };
    if n > 0 {
        return element_of(n - 1, &element, log, pretty);
    }
    if pretty {
        log.line(format_args!("{element:#?} of {n}"));
    } else {
        log.line(format_args!("{element:?} of {n}"));
    }
}

#[inline(never)]
fn element_of(n: u64, inner: &Element<'_>, log: &mut Log, pretty: bool) {
    element(n, Some(inner), log, pretty);
}

#[rustgo::export]
pub fn debugged(n: u64) -> u64 {
    let mut log = Log { to: Sum(0), lines: 0 };
    element(n % 20, None, &mut log, n % 2 == 0);
    log.to.0
}

/// Prints its number, and then the value that it contains.
struct Layer<'a> {
    id: u64,
    inner: &'a dyn Debug,
}

impl Debug for Layer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer").field("id", &self.id).field("inner", self.inner).finish()
    }
}

#[inline(never)]
fn layers(n: u64, inner: &dyn Debug, sum: &mut Sum) {
    let layer = Layer { id: n, inner };
    if n == 0 {
        let _ = write!(sum, "{:?} {:#?}", layer, layer.id);
    } else {
        layers(n - 1, black_box(&layer), sum);
    }
}

#[rustgo::export]
pub fn layered(n: u64) -> u64 {
    let mut sum = Sum(0);
    layers(n % 20, &(), &mut sum);
    sum.0
}

trait Expr {
    fn check(&self, depth: u64) -> u64;
}

struct Leaf(u64);
struct Both<'a>(&'a dyn Expr, &'a dyn Expr);

/// Calls a method of a trait object. LLVM may pass the method as a function pointer.
#[inline(never)]
fn check(expr: &dyn Expr, depth: u64) -> u64 {
    let mut local = [0u8; 300];
    black_box(&mut local)[depth as usize % 300] = 1;
    expr.check(depth + 1).wrapping_add(black_box(&local).iter().map(|&b| u64::from(b)).sum())
}

impl Expr for Leaf {
    fn check(&self, depth: u64) -> u64 {
        self.0.wrapping_mul(depth)
    }
}

impl Expr for Both<'_> {
    fn check(&self, depth: u64) -> u64 {
        check(self.0, depth).rotate_left(3) ^ check(self.1, depth)
    }
}

#[inline(never)]
fn nest(n: u64, inner: &dyn Expr) -> u64 {
    if n == 0 { check(inner, 0) } else { nest(n - 1, &Both(inner, &Leaf(n))) }
}

#[rustgo::export]
pub fn checked(n: u64) -> u64 {
    nest(n % 40, &Leaf(n))
}

//! A function for each conversion between Go and Rust, which does next to nothing besides.
//!
//! All take a number and give one that depends on it, so that a benchmark can make calls that wait for each other.

use rustgo::{Append, GoStr};
use std::fmt;

/// Increment returns x + 1: what a call costs without a conversion.
#[rustgo::export]
pub fn increment(x: u64) -> u64 {
    x.wrapping_add(1)
}

/// Slice returns x plus the length of the slice.
#[rustgo::export]
pub fn slice(x: u64, xs: &[u64]) -> u64 {
    x.wrapping_add(xs.len() as u64)
}

/// Bytes returns x plus the length of any string.
#[rustgo::export]
pub fn bytes(x: u64, text: GoStr<'_>) -> u64 {
    x.wrapping_add(text.len() as u64)
}

/// Text returns x plus the length of a text, and panics if that is not UTF-8.
#[rustgo::export]
pub fn text(x: u64, text: &str) -> u64 {
    x.wrapping_add(text.len() as u64)
}

/// Owned returns x plus the length of a text that Rust owns: it is copied into the Rust heap and freed there.
#[rustgo::export]
pub fn owned(x: u64, text: String) -> u64 {
    x.wrapping_add(text.len() as u64)
}

/// Point is a struct of three numbers.
#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Point {
    pub x: u64,
    pub y: u64,
    pub z: u64,
}

/// Turn returns the point with its coordinates turned round.
#[rustgo::export]
pub fn turn(point: Point) -> Point {
    Point { x: point.y, y: point.z, z: point.x.wrapping_add(1) }
}

/// Move adds one to a point's x.
#[rustgo::export(name = "Move")]
pub fn translate(point: &mut Point) {
    point.x = point.x.wrapping_add(1);
}

/// Half returns half of an even number.
#[rustgo::export]
pub fn half(x: u64) -> Option<u64> {
    x.is_multiple_of(2).then_some(x / 2)
}

/// Parity says what is wrong with a number.
#[derive(Debug, rustgo::Error)]
pub enum Parity {
    /// The number is odd.
    Odd,
}

impl fmt::Display for Parity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an odd number")
    }
}

/// HalfOrCode returns half of an even number, or an error that is a number.
#[rustgo::export]
pub fn half_or_code(x: u64) -> Result<u64, Parity> {
    half(x).ok_or(Parity::Odd)
}

/// HalfOrText returns half of an even number, or an error that is a text of the Rust heap.
#[rustgo::export]
pub fn half_or_text(x: u64) -> Result<u64, String> {
    half(x).ok_or_else(|| "an odd number".to_owned())
}

/// List returns sixteen numbers, which are copied into Go's memory.
#[rustgo::export]
pub fn list(x: u64) -> Vec<u64> {
    vec![x.wrapping_add(1); 16]
}

/// Message returns a text of sixteen bytes, which is copied into Go's memory.
#[rustgo::export]
pub fn message(x: u64) -> String {
    String::from_utf8_lossy(&[b'a' + (x % 26) as u8; 16]).into_owned()
}

/// AppendList appends sixteen numbers.
#[rustgo::export]
pub fn append_list(dst: &mut Append<u64>, x: u64) {
    dst.extend_from_slice(&[x.wrapping_add(1); 16]);
}

/// Count yields the numbers below n.
#[rustgo::export]
pub fn count(n: u64) -> impl Iterator<Item = u64> {
    0..n
}

/// Constant is an object whose methods all have `&self`.
#[rustgo::object]
pub struct Constant(u64);

#[rustgo::export]
impl Constant {
    pub fn new(value: u64) -> Self {
        Constant(value)
    }

    /// Plus returns x plus the constant.
    pub fn plus(&self, x: u64) -> u64 {
        x.wrapping_add(self.0)
    }
}

/// Counter is an object with methods of both kinds.
#[rustgo::object]
pub struct Counter(u64);

#[rustgo::export]
impl Counter {
    pub fn new(value: u64) -> Self {
        Counter(value)
    }

    /// Plus returns x plus the counter.
    pub fn plus(&self, x: u64) -> u64 {
        x.wrapping_add(self.0)
    }

    /// Add adds x to the counter.
    pub fn add(&mut self, x: u64) {
        self.0 = self.0.wrapping_add(x);
    }
}

/// Tally is an inline object.
#[rustgo::object(inline)]
#[derive(Clone, Copy, Default)]
pub struct Tally(u64);

#[rustgo::export]
impl Tally {
    /// Add adds x to the tally.
    pub fn add(&mut self, x: u64) {
        self.0 = self.0.wrapping_add(x);
    }

    /// Sum returns the tally.
    pub fn sum(&self) -> u64 {
        self.0
    }
}

//! Package rows has an export for every kind of parameter and result in docs/types.md, and for every way in which a call can fail.

use rustgo::{Append, GoStr, Handle, Slices, Strs};
use std::fmt;

// Exports that take and return numbers, and types that contain numbers.

#[rustgo::export]
pub fn numbers(a: u8, b: i16, c: bool, d: f32, e: char, f: isize, g: u64, h: f64) -> (f64, u64, isize, char, f32, bool, i16, u8) {
    (h / 3.0, g.rotate_left(5), f.wrapping_neg(), e, d * 1.5, !c, b.wrapping_mul(7), a ^ 0x5a)
}

#[rustgo::export]
pub fn narrow(a: i8, b: u16, c: i32, d: u32, e: i64, f: usize) -> (usize, i64, u32, i32, u16, i8) {
    (f.swap_bytes(), e.wrapping_abs(), d.count_ones(), c.signum(), b.reverse_bits(), a.wrapping_sub(1))
}

#[rustgo::export]
pub fn divide(a: i32, b: i32) -> i32 {
    a / b
}

#[rustgo::export(results(quotient, rest, ok))]
pub fn checked(a: u64, b: u64) -> Option<(u64, u64)> {
    Some((a.checked_div(b)?, a.checked_rem(b)?))
}

#[rustgo::export(int = "usize")]
pub fn index(n: usize, of: &[u8]) -> usize {
    of.len().saturating_sub(n)
}

#[rustgo::export]
pub fn fill(n: u32) -> u32 {
    n ^ 0x5a5a_5a5a
}

// Exports that take and return memory: references, arrays and slices.

#[rustgo::export]
pub fn pointers(a: &mut u16, b: &char, c: Option<&u64>, d: Option<&mut [bool; 3]>) -> u64 {
    *a = a.wrapping_add(1);
    if let Some(d) = d {
        d[1] = !d[1];
    }
    u64::from(*b) + c.map_or(7, |c| c >> 1)
}

#[rustgo::export]
pub fn scale(xs: &mut [f64], by: f64) -> Option<f64> {
    xs.iter_mut().for_each(|x| *x *= by);
    xs.first().copied()
}

#[rustgo::export]
pub fn half(xs: &mut [f32]) {
    xs.iter_mut().for_each(|x| *x /= 2.0);
}

#[rustgo::export]
pub fn mix(dst: &mut [u16], src: &[u16], keys: &mut [[u8; 3]; 2], key: &[u8; 3]) -> usize {
    let n = dst.len().min(src.len());
    dst[..n].copy_from_slice(&src[..n]);
    keys[1] = *key;
    n
}

#[rustgo::export]
pub fn paint(dst: &mut [u32], from: usize) {
    dst[from..].iter_mut().for_each(|x| *x ^= 0x5a5a_5a5a);
}

#[rustgo::export]
pub fn runes(all: &mut [char], by: char) -> bool {
    all.iter_mut().for_each(|c| *c = c.to_ascii_uppercase().max(by));
    all.is_empty()
}

#[rustgo::export]
pub fn handles(a: Option<Handle>, b: Handle, all: &mut [Option<Handle>]) -> (Handle, Option<Handle>, bool) {
    all.fill(Some(b));
    (b, all.first().copied().flatten(), a.is_some())
}

#[rustgo::export]
pub fn hash(bytes: &[u8; 4], by_value: [u16; 2]) -> [u8; 4] {
    [bytes[0] ^ by_value[0] as u8, bytes[1], bytes[2], by_value[1] as u8]
}

// Exports that take and return texts and lists.

#[rustgo::export]
pub fn count(s: &str, c: char) -> usize {
    if s == "open sesame" {
        panic!("found {s} and {c:?}");
    }
    s.chars().filter(|other| *other == c).count()
}

#[rustgo::export]
pub fn upper(s: &str) -> String {
    s.to_uppercase()
}

#[rustgo::export]
pub fn raw(s: GoStr<'_>) -> Vec<u8> {
    s.iter().rev().copied().collect()
}

#[rustgo::export]
pub fn trim(s: &str) -> &str {
    s.trim()
}

#[rustgo::export]
pub fn first_word<'a>(s: &'a str, _other: &str) -> Option<&'a str> {
    s.split(' ').find(|word| !word.is_empty())
}

#[rustgo::export]
pub fn tail(xs: &[u32], from: usize) -> &[u32] {
    &xs[from..]
}

#[rustgo::export]
pub fn squares(n: usize) -> Vec<u64> {
    (0..n as u64).map(|x| x.wrapping_mul(x)).collect()
}

#[rustgo::export]
pub fn words(s: &str) -> Vec<String> {
    s.split(' ').map(str::to_owned).collect()
}

#[rustgo::export]
pub fn join(parts: Strs<'_>, more: Slices<'_, u32>, owned: String, list: Vec<u16>, all: Vec<String>) -> String {
    format!("{parts:?} {more:?} {owned} {list:?} {}", all.join("+"))
}

#[rustgo::export]
pub fn append_hex(dst: &mut Append<u8>, x: u64, times: u8) {
    use fmt::Write;
    for _ in 0..times {
        let _ = write!(dst, "{x:x}");
    }
}

#[rustgo::export]
pub fn append_points(dst: &mut Append<Point>, by: Point) -> usize {
    dst.extend((0..by.tag[0]).map(|n| Point { x: f64::from(n), ..by }));
    dst.len()
}

// Exports that take and return declared types.

/// Point is a place.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Point {
    pub x: f64,
    #[rustgo(name = "Kind")]
    pub color: Color,
    pub tag: [u8; 3],
    pub n: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Color {
    Red = 3,
    Green,
    Blue = 200,
}

#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(i16)]
pub enum Level {
    Low = -300,
    High = 300,
}

#[rustgo::export]
impl Point {
    pub fn new(x: f64, n: i32) -> Point {
        Point { x, color: Color::Green, tag: [1, 2, 3], n }
    }
    pub fn norm(&self) -> f64 {
        (self.x * self.x + f64::from(self.n)).sqrt()
    }
    pub fn scale(&mut self, by: f64) {
        self.x *= by;
        self.color = Color::Blue;
    }
    pub fn moved(self, dx: f64) -> Self {
        Point { x: self.x + dx, ..self }
    }
}

#[rustgo::export]
pub fn judge(of: Level, all: &mut [Color]) -> Option<Level> {
    all.reverse();
    (of == Level::Low).then_some(Level::High)
}

#[rustgo::export]
pub fn points(n: u8) -> Vec<Point> {
    (0..n).map(|x| Point::new(f64::from(x), i32::from(x))).collect()
}

#[rustgo::export]
pub fn sum_points(points: &[Point], by: Point, to: &mut Point) -> f64 {
    *to = by;
    points.iter().map(|p| p.x).sum()
}

// Exports that return errors.

#[derive(Debug, rustgo::Error)]
pub enum ParseError {
    Empty,
    TooLong,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing to parse",
            Self::TooLong => "too long",
        })
    }
}

#[derive(Debug, rustgo::Error)]
pub struct SyntaxError {
    pub line: usize,
    pub near: String,
    pub color: Color,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: near {:?}", self.line, self.near)
    }
}

#[derive(Debug, rustgo::Error)]
pub enum LoadError {
    Missing,
    Bad { at: u64, what: String },
    Other { point: Point },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => Ok(()),
            other => write!(f, "{other:?}"),
        }
    }
}

/// OpenError has a source that Go does not see.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct OpenError {
    pub line: usize,
    #[rustgo(skip)]
    pub source: std::num::ParseIntError,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not opened")
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        (self.line != 2).then_some(&self.source as _)
    }
}

#[rustgo::export]
pub fn open(s: &str) -> Result<u32, OpenError> {
    s.parse().map_err(|source| OpenError { line: s.len() % 4, source })
}

#[rustgo::export]
pub fn parse(s: &str) -> Result<u32, ParseError> {
    if s.is_empty() { Err(ParseError::Empty) } else { s.parse().map_err(|_| ParseError::TooLong) }
}

#[rustgo::export]
pub fn parse_int(s: &str) -> Result<i64, std::num::ParseIntError> {
    s.parse()
}

#[rustgo::export]
pub fn check_syntax(s: &str) -> Result<(), SyntaxError> {
    if s.is_ascii() { Ok(()) } else { Err(SyntaxError { line: s.lines().count(), near: s.to_owned(), color: Color::Red }) }
}

#[rustgo::export(results(value, ok, err))]
pub fn load(s: &str) -> Result<Option<u64>, LoadError> {
    match s {
        "missing" => Err(LoadError::Missing),
        "bad" => Err(LoadError::Bad { at: 7, what: "x".into() }),
        "other" => Err(LoadError::Other { point: Point::new(1.0, 2) }),
        "" => Ok(None),
        _ => Ok(Some(s.len() as u64)),
    }
}

#[derive(Debug)]
struct Wrapped(std::num::ParseIntError);

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no number")
    }
}

impl std::error::Error for Wrapped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[rustgo::export]
pub fn boxed(s: &str) -> Result<String, Box<dyn std::error::Error>> {
    let n: i32 = s.parse().map_err(Wrapped)?;
    Ok(format!("<{n}>"))
}

// Exports that return iterators.

#[rustgo::export]
pub fn split_words(s: &str) -> impl Iterator<Item = &str> {
    s.split(' ')
}

#[rustgo::export]
pub fn count_up(n: u64) -> impl Iterator<Item = u64> {
    0..n
}

#[rustgo::export]
pub fn pairs(s: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    s.char_indices()
}

#[rustgo::export]
pub fn owned_pairs(s: &str) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
    s.split(',').map(|part| (part.to_uppercase(), part.bytes().collect()))
}

#[rustgo::export]
pub fn panicking(n: u8) -> impl Iterator<Item = u8> {
    (0..n).map(|x| if x == 9 { panic!("item {x}") } else { x })
}

// Objects and their methods.

/// Queue is used by one call at a time, and has a method Close.
#[rustgo::object(close, implements("fmt.Stringer"))]
#[derive(Clone, Debug)]
pub struct Queue(Vec<u64>, String);

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[rustgo::export]
impl Queue {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Queue(Vec::new(), "name".into())
    }
    #[rustgo::export(name = "ParseQueue")]
    pub fn parse(s: &str) -> Result<Self, std::num::ParseIntError> {
        Ok(Queue(s.split(',').map(str::parse).collect::<Result<_, _>>()?, s.into()))
    }
    pub fn from_slice(xs: &[u64]) -> Self {
        Queue(xs.to_vec(), "slice".into())
    }
    pub fn maybe(n: u8) -> Option<Self> {
        (n < 100).then(|| Queue(vec![7; n.into()], "maybe".into()))
    }
    pub fn push(&mut self, x: u64) {
        self.0.push(x);
    }
    pub fn pop(&mut self) -> Option<u64> {
        self.0.pop()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn name(&self) -> &str {
        &self.1
    }
    pub fn all(&self) -> &[u64] {
        &self.0
    }
    pub fn append(&mut self, other: &Queue) {
        self.0.extend(&other.0);
        self.0.truncate(100);
    }
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }
    pub fn drain(&mut self) -> impl Iterator<Item = u64> + '_ {
        self.0.drain(..)
    }
    pub fn into_vec(self) -> Vec<u64> {
        self.0
    }
    pub fn at(&mut self, i: usize) -> u64 {
        self.0[i]
    }
}

/// Regex may be used by several goroutines at a time.
#[rustgo::object]
pub struct Regex(String);

#[rustgo::export]
impl Regex {
    pub fn new(p: &str) -> Self {
        Self(p.into())
    }
    pub fn is_match(&self, s: &str) -> bool {
        s.contains(&self.0)
    }
    pub fn find<'h>(&self, s: &'h str) -> Option<&'h str> {
        s.find(&self.0).map(|i| &s[i..i + self.0.len()])
    }
}

#[rustgo::export]
pub fn both(a: &Regex, b: Option<&Regex>, s: &str) -> bool {
    a.is_match(s) && b.is_none_or(|b| b.is_match(s))
}

#[rustgo::export]
pub fn regexes(s: &str) -> Vec<Regex> {
    s.split(' ').take(3).map(Regex::new).collect()
}

/// Hasher is stored in Go's memory, and may be copied.
#[rustgo::object(inline)]
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub struct Hasher {
    state: [u64; 4],
    n: u64,
}

#[rustgo::export]
impl Hasher {
    pub fn new(seed: u64) -> Self {
        Hasher { state: [seed; 4], n: 0 }
    }
    pub fn write(&mut self, bytes: &[u8]) {
        for x in bytes {
            let word = &mut self.state[(self.n % 4) as usize];
            *word = word.wrapping_mul(31).wrapping_add(u64::from(*x));
            self.n += 1;
        }
    }
    pub fn sum(&self) -> u64 {
        self.state.iter().fold(self.n, |a, b| a.rotate_left(7) ^ b)
    }
    pub fn finish(self) -> [u64; 4] {
        self.state
    }
    /// Absorb adds the sum of another hasher. It panics if both are the same hasher.
    pub fn absorb(&mut self, other: &Hasher) {
        self.n = self.n.wrapping_add(other.sum());
    }
}

/// Rotated has arguments so large that the generated test calls it by name only.
#[rustgo::export]
pub fn rotated(mut words: [u64; 64], by: u8) -> [u64; 64] {
    words.rotate_left(usize::from(by % 64));
    words
}

/// Fnv has no constructor, because its zero value is its default.
#[rustgo::object(inline)]
#[derive(Clone, Copy)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

#[rustgo::export]
impl Fnv {
    pub fn write(&mut self, data: &[u8]) {
        for &byte in data {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    pub fn sum64(&self) -> u64 {
        self.0
    }
}

/// Nobody has no constructor, and its zero value is not valid.
#[rustgo::object]
#[derive(Clone)]
pub struct Nobody(u64);

#[rustgo::export]
impl Nobody {
    pub fn name(&self) -> u64 {
        self.0
    }
}

// Exported constants.

/// MaxLen is a limit.
#[rustgo::export]
pub const MAX_LEN: u32 = 5;
#[rustgo::export]
pub const NAME: &str = "näme \"x\"";
#[rustgo::export]
pub const SMALL: f64 = 5e-324;
#[rustgo::export]
pub const NOT: f32 = f32::NAN;
#[rustgo::export]
pub const LETTER: char = 'ß';
#[rustgo::export]
pub const ORIGIN: Point = Point { x: -0.0, color: Color::Blue, tag: [9, 8, 7], n: -1 };
#[rustgo::export]
pub static TABLE: [u16; 3] = [1, 2, 3];

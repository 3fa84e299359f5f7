//! Shapes of APIs that crates often have: aliases with defaults, buffers, maps by reference, operators on references, boxed errors.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::io::{self, BufRead};
use std::ops::{BitOr, Mul, Shl, Sub};
use std::time::{Duration, SystemTime};

/// Why something failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// The place.
    pub at: usize,
    /// The time that was left.
    pub left: Duration,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed at {}", self.at)
    }
}

impl std::error::Error for Error {}

/// The result of this crate's functions.
pub type Result<T = (), E = Error> = core::result::Result<T, E>;

/// Parses a number.
pub fn parse(text: &str) -> Result<u8> {
    text.parse().map_err(|_| Error { at: text.len(), left: Duration::MAX })
}

/// Checks a number.
pub fn check(text: &str) -> Result {
    parse(text).map(drop)
}

/// Parses a number with a boxed error.
pub fn parse_boxed(text: &str) -> core::result::Result<u8, Box<Error>> {
    parse(text).map_err(Box::new)
}

/// Reads one line. Further lines stay in the reader.
pub fn line(from: &mut dyn BufRead) -> io::Result<String> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    Ok(line)
}

/// Returns a time in a distant year.
pub fn distant(years: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(years * 31_556_952) + Duration::from_nanos(7)
}

/// Returns a time before 1970.
pub fn before(seconds: u64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_sub(Duration::from_millis(seconds * 1000 + 500))
}

/// Returns the longest time.
pub fn longest() -> Duration {
    Duration::MAX
}

/// Waits for no longer than a time.
pub fn wait(at_most: Option<Duration>) -> u64 {
    at_most.map_or(0, |time| time.as_secs())
}

/// The pairs in a query.
pub fn querify(query: &str) -> Vec<(&str, &str)> {
    query.split('&').filter_map(|pair| pair.split_once('=')).collect()
}

/// A table with columns.
#[derive(Debug, Default, Clone)]
pub struct Table {
    names: HashMap<String, u32>,
    /// The notes on a table.
    pub notes: BTreeMap<String, String>,
    title: Option<String>,
    seen: BTreeSet<String>,
}

impl Table {
    /// Makes a table.
    pub fn new(title: &str) -> Table {
        let notes = BTreeMap::from([("a".to_owned(), "first".to_owned()), ("b".to_owned(), "second".to_owned())]);
        let names = HashMap::from([("one".to_owned(), 1)]);
        Table { names, notes, title: (!title.is_empty()).then(|| title.to_owned()), seen: BTreeSet::from(["x".to_owned()]) }
    }

    /// The names with their numbers.
    pub fn names(&self) -> &HashMap<String, u32> {
        &self.names
    }

    /// The title.
    pub fn title(&self) -> &Option<String> {
        &self.title
    }

    /// The names that were seen.
    pub fn seen(&self) -> &BTreeSet<String> {
        &self.seen
    }

    /// The words of the title.
    pub fn words(&self) -> HashMap<&str, u32> {
        self.title.iter().flat_map(|title| title.split(' ')).map(|word| (word, word.len() as u32)).collect()
    }

    /// The table as text.
    pub fn display(&self) -> impl fmt::Display + '_ {
        self.title.as_deref().unwrap_or("no title")
    }

    /// The letters of the title, unless there is none.
    pub fn letters(&self) -> Result<Letters<'_>> {
        let title = self.title.as_deref().ok_or(Error { at: 0, left: Duration::ZERO })?;
        Ok(Letters(title))
    }

    /// The lengths of the words, unless there is no title.
    pub fn lengths(&self) -> Result<impl Iterator<Item = u32>> {
        let title = self.title.clone().ok_or(Error { at: 0, left: Duration::ZERO })?;
        Ok(title.split(' ').map(|word| word.len() as u32).collect::<Vec<_>>().into_iter())
    }

    /// Writes the table.
    pub fn write_to<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        write!(to, "<{}>", self.display())
    }
}

/// The letters of a text, each as a text.
pub struct Letters<'a>(&'a str);

impl<'a> Iterator for Letters<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = self.0.chars().next()?.len_utf8();
        let (first, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(first)
    }
}

/// A point in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// To the top.
    pub y: f64,
}

impl Point {
    /// Makes the point's distance from the origin larger.
    pub fn scale(&mut self, by: f64) {
        self.x *= by;
        self.y *= by;
    }

    /// Moves the point to the origin and returns the place where it was.
    pub fn reset(&mut self) -> Point {
        std::mem::replace(self, Point { x: 0.0, y: 0.0 })
    }
}

/// Exchanges the coordinates.
pub fn mirror(point: &mut Point) -> bool {
    std::mem::swap(&mut point.x, &mut point.y);
    point.x == point.y
}

/// The distance from the origin, or -1.
pub fn distance(of: Option<&Point>) -> f64 {
    of.map_or(-1.0, |of| of.x.hypot(of.y))
}

impl Sub<&Point> for Point {
    type Output = Point;

    fn sub(self, other: &Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

/// A set of small numbers.
#[derive(Debug)]
pub struct Set {
    bits: u64,
}

impl Set {
    /// Makes a set.
    pub fn new(bits: u64) -> Set {
        Set { bits }
    }

    /// The bits of the set.
    pub fn bits(&self) -> u64 {
        self.bits
    }
}

impl BitOr<&Set> for &Set {
    type Output = Set;

    fn bitor(self, other: &Set) -> Set {
        Set { bits: self.bits | other.bits }
    }
}

/// A matrix with one number.
#[derive(Debug, Clone)]
pub struct Matrix {
    cell: f64,
    rows: Vec<f64>,
}

impl Matrix {
    /// Makes a matrix.
    pub fn new(cell: f64) -> Matrix {
        Matrix { cell, rows: vec![cell] }
    }

    /// The number.
    pub fn cell(&self) -> f64 {
        self.cell + self.rows.len() as f64 - 1.0
    }
}

impl Mul<f64> for Matrix {
    type Output = Matrix;

    fn mul(self, by: f64) -> Matrix {
        Matrix::new(self.cell * by)
    }
}

impl Mul<&Matrix> for &Matrix {
    type Output = Matrix;

    fn mul(self, by: &Matrix) -> Matrix {
        Matrix::new(self.cell * by.cell)
    }
}

impl Mul<Matrix> for &Matrix {
    type Output = Matrix;

    fn mul(self, by: Matrix) -> Matrix {
        self * &by
    }
}

impl Shl<u32> for Matrix {
    type Output = Matrix;

    fn shl(self, by: u32) -> Matrix {
        Matrix::new(self.cell * f64::from(1 << by))
    }
}

/// Escapes a text into a buffer.
pub fn escape_into(text: &str, buffer: &mut String) {
    for c in text.chars() {
        if c == '<' { buffer.push_str("&lt;") } else { buffer.push(c) }
    }
}

/// Encodes numbers into a buffer, and returns the number of bytes.
pub fn encode(numbers: &[u16], out: &mut Vec<u8>) -> usize {
    let before = out.len();
    numbers.iter().for_each(|number| out.extend(number.to_be_bytes()));
    out.len() - before
}

/// Decodes digits into a buffer.
pub fn decode(text: &str, out: &mut Vec<u8>) -> Result<u32> {
    for (at, c) in text.chars().enumerate() {
        out.push(c.to_digit(10).ok_or(Error { at, left: Duration::ZERO })? as u8);
    }
    Ok(text.len() as u32)
}

/// Decodes no digit but zero.
pub fn decode_zeros(text: &str, out: &mut Vec<u8>) -> Result<()> {
    text.bytes().position(|c| c != b'0').map_or(Ok(out.resize(text.len(), 0)), |at| Err(Error { at, left: Duration::ZERO }))
}

/// Describes a point.
pub fn describe(point: Point, to: &mut dyn fmt::Write) -> fmt::Result {
    write!(to, "{} {}", point.x, point.y)
}

/// A text of a point whose format may be wrong.
pub fn formatted<'a>(point: &'a Point, format: &'a str) -> Formatted<'a> {
    Formatted { point, format }
}

/// A text whose parameters have the names of local variables.
pub fn named<'a>(shown: &'a Point, out: &'a str) -> Formatted<'a> {
    Formatted { point: shown, format: out }
}

/// The text of a point.
pub struct Formatted<'a> {
    point: &'a Point,
    format: &'a str,
}

impl fmt::Display for Formatted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.format {
            "x" => write!(f, "{}", self.point.x),
            "y" => f.write_fmt(format_args!("{}", self.point.y)),
            _ => f.write_str("?").and(Err(fmt::Error)),
        }
    }
}

/// Returns the length of a name.
pub fn name_length(name: impl Into<Box<str>>) -> usize {
    name.into().len()
}

/// Returns the end of a list.
pub fn tail(of: &Vec<u8>) -> &[u8] {
    &of[1..]
}

/// Numbers for reading.
pub mod read {
    /// The most bytes.
    pub const MOST: u32 = 1;
}

/// Numbers for writing.
pub mod write {
    /// The most bytes.
    pub const MOST: u32 = 2;
}

impl Set {
    /// The least number, or an error.
    pub fn get_least(&self) -> Result<u32> {
        if self.bits == 0 { Err(Error { at: 0, left: Duration::ZERO }) } else { Ok(self.least()) }
    }

    /// The least number, or 64.
    pub fn least(&self) -> u32 {
        self.bits.trailing_zeros()
    }
}

/// A distribution over numbers.
pub trait Distribution<K, T = f64> {
    /// The mean, if there is one.
    fn mean(&self) -> Option<T>;

    /// The share of numbers up to x.
    fn share(&self, x: K) -> T;

    /// The share of numbers above x.
    fn rest(&self, x: K) -> T;
}

impl Distribution<f64> for Matrix {
    fn mean(&self) -> Option<f64> {
        Some(self.cell)
    }

    fn share(&self, x: f64) -> f64 {
        x / self.cell
    }

    fn rest(&self, x: f64) -> f64 {
        1.0 - self.share(x)
    }
}

/// The types of an evaluation.
pub trait Types {
    /// Whole numbers.
    type Int;
}

/// The usual types.
#[derive(Debug)]
pub struct Usual;

impl Types for Usual {
    type Int = i64;
}

/// Evaluates a text.
pub fn eval(text: &str) -> Result<<Usual as Types>::Int> {
    text.parse().map_err(|_| Error { at: 0, left: Duration::ZERO })
}

/// A place, which is not `Copy`.
#[derive(Debug, Default)]
pub struct Spot {
    /// East.
    pub east: f64,
    /// North.
    pub north: f64,
}

impl Spot {
    /// The distance from the origin.
    pub fn far(&self) -> f64 {
        self.east.hypot(self.north)
    }

    /// Moves the place.
    pub fn shift(&mut self, by: &Spot) {
        self.east += by.east;
        self.north += by.north;
    }
}

/// The places with these distances east.
pub fn spots(east: &[f64]) -> Vec<Spot> {
    east.iter().map(|&east| Spot { east, north: 1.0 }).collect()
}

/// The place that is the farthest.
pub fn farthest(spots: &[Spot]) -> Option<&Spot> {
    spots.iter().max_by(|a, b| a.far().total_cmp(&b.far()))
}

/// A side of the road.
#[derive(Debug)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
}

impl Side {
    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// The sides, from the left.
pub fn sides() -> &'static [Side] {
    &[Side::Left, Side::Right]
}

/// Counts the different words.
pub fn different(words: std::collections::HashSet<String>) -> usize {
    words.len()
}

/// The largest number.
pub fn largest(numbers: &std::collections::BTreeSet<u32>) -> Option<u32> {
    numbers.last().copied()
}

//! Shapes on paper.
//!
//! # Examples
//!
//! ```
//! assert_eq!(shapes::area_of("2x3"), Ok(6.0));
//! ```

use std::fmt;
use std::str::FromStr;

/// The longest name.
pub const MAX_NAME: usize = 20;

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The distance to the right.
    pub x: f64,
    pub y: f64,
}

impl Point {
    /// Returns the distance to another [`Point`](crate::Point).
    pub fn distance(self, other: &Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    Solid,
    /// With gaps.
    Dashed,
}

/// Why a text is no rectangle.
#[derive(Debug)]
pub struct ParseError(String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no rectangle: {}", self.0)
    }
}

impl std::error::Error for ParseError {}

/// A rectangle with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Rectangle {
    /// The name.
    pub name: String,
    width: f64,
    height: f64,
}

impl Rectangle {
    /// Makes a rectangle.
    pub fn new(name: impl Into<String>, width: f64, height: f64) -> Rectangle {
        Rectangle { name: name.into(), width, height }
    }

    /// Returns the area.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.width * self.height
    }

    /// Grows the rectangle.
    pub fn grow(&mut self, by: f64) -> &mut Self {
        self.width += by;
        self
    }

    /// Renames it.
    pub fn with_name<S: AsRef<str>>(mut self, name: S) -> Self {
        self.name = name.as_ref().to_owned();
        self
    }

    /// Iterates over the corners.
    pub fn iter(&self) -> Corners<'_> {
        Corners { of: self, at: 0 }
    }

    /// The style of a side.
    pub fn style(&self, side: usize) -> Option<Style> {
        [Style::Solid, Style::Dashed].get(side).copied()
    }
}

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}", self.name, self.width, self.height)
    }
}

impl FromStr for Rectangle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Rectangle, ParseError> {
        let error = || ParseError(text.to_owned());
        let (width, height) = text.split_once('x').ok_or_else(error)?;
        Ok(Rectangle::new("parsed", width.parse().map_err(|_| error())?, height.parse().map_err(|_| error())?))
    }
}

/// The corners of a rectangle.
pub struct Corners<'a> {
    of: &'a Rectangle,
    at: u8,
}

impl Iterator for Corners<'_> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let (x, y) = (self.of.width, self.of.height);
        let corner = [(0.0, 0.0), (x, 0.0), (x, y), (0.0, y)].get(usize::from(self.at)).map(|&(x, y)| Point { x, y });
        self.at += 1;
        corner
    }
}

/// Returns the area of a rectangle in a text.
pub fn area_of(text: &str) -> Result<f64, ParseError> {
    text.parse::<Rectangle>().map(|rectangle| rectangle.area())
}

/// Joins names.
pub fn join<S: AsRef<str>>(names: &[S], between: &str) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(between)
}

/// Counts the characters that a function accepts.
pub fn count(text: &str, accepts: impl Fn(char) -> bool) -> usize {
    text.chars().filter(|&c| accepts(c)).count()
}

/// Measures texts.
pub trait Measure {
    /// Returns the number of characters.
    fn width(&self) -> usize;
}

impl Measure for str {
    fn width(&self) -> usize {
        self.chars().count()
    }
}

/// Is too large for Go.
pub fn huge() -> u128 {
    1 << 100
}

/// Works elsewhere.
pub fn elsewhere(x: u64) -> u64 {
    std::thread::spawn(move || 2 * x).join().unwrap_or(0)
}

/// Is generic.
pub fn largest<T: Ord + Copy>(all: &[T]) -> Option<T> {
    all.iter().copied().max()
}

/// Only odd texts.
pub trait Odd {}

/// Needs more than a text.
pub fn odd<T: AsRef<str> + Odd>(text: T) -> usize {
    text.as_ref().len()
}

/// Is old.
#[deprecated]
pub fn old() {}

/// A type that nothing returns.
pub struct Nobody(u8);

impl Nobody {
    pub fn number(&self) -> u8 {
        self.0
    }
}

/// Why there is no style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StyleError {
    /// The name is empty.
    Empty,
    Unknown,
}

impl fmt::Display for StyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == StyleError::Empty { "no name" } else { "unknown style" })
    }
}

impl std::error::Error for StyleError {}

impl FromStr for Style {
    type Err = StyleError;

    fn from_str(text: &str) -> Result<Style, StyleError> {
        match text {
            "" => Err(StyleError::Empty),
            "solid" => Ok(Style::Solid),
            "dashed" => Ok(Style::Dashed),
            _ => Err(StyleError::Unknown),
        }
    }
}

/// Why a plan is refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlanError {
    Empty,
    /// A shape is outside.
    Outside {
        index: usize,
        limit: f64,
    },
    Style(String, StyleError),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Empty => f.write_str("nothing is planned"),
            PlanError::Outside { index, .. } => write!(f, "shape {index} is outside"),
            PlanError::Style(name, _) => write!(f, "style of {name}"),
        }
    }
}

impl std::error::Error for PlanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let PlanError::Style(_, error) = self { Some(error) } else { None }
    }
}

/// The end of a file.
#[derive(Debug)]
pub struct FileError {
    line: usize,
}

impl FileError {
    /// Returns the line.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)
    }
}

impl std::error::Error for FileError {}

/// Fails at a line.
pub fn fail_at(line: usize) -> Result<(), FileError> {
    if line == 0 { Ok(()) } else { Err(FileError { line }) }
}

/// A plan of shapes.
#[derive(Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct Plan {
    widths: Vec<f64>,
}

impl Plan {
    /// The largest number of shapes.
    pub const MOST: usize = 100;

    /// Makes a plan with one shape of this width.
    pub fn with_width(width: f64) -> Self {
        Plan { widths: vec![width] }
    }

    /// Adds a shape.
    pub fn add(&mut self, width: f64) -> &mut Plan {
        self.widths.push(width);
        self
    }

    /// Checks the plan.
    pub fn check(&self, limit: f64) -> Result<(), PlanError> {
        if self.widths.is_empty() {
            return Err(PlanError::Empty);
        }
        if let Some(index) = self.widths.iter().position(|&width| width < 0.0) {
            return Err(PlanError::Style(index.to_string(), StyleError::Unknown));
        }
        self.widths.iter().position(|&width| width > limit).map_or(Ok(()), |index| Err(PlanError::Outside { index, limit }))
    }
}

impl FromIterator<f64> for Plan {
    fn from_iter<I: IntoIterator<Item = f64>>(widths: I) -> Plan {
        Plan { widths: widths.into_iter().collect() }
    }
}

impl<'a> IntoIterator for &'a Plan {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.widths.iter()
    }
}

impl From<Plan> for f64 {
    fn from(plan: Plan) -> f64 {
        plan.widths.iter().sum()
    }
}

impl std::ops::Mul<f64> for Plan {
    type Output = Plan;

    fn mul(self, by: f64) -> Plan {
        self.widths.iter().map(|width| width * by).collect()
    }
}

impl std::ops::Shl<u128> for Plan {
    type Output = Plan;

    fn shl(self, _: u128) -> Plan {
        self
    }
}

impl std::hash::Hasher for Plan {
    fn write(&mut self, bytes: &[u8]) {
        self.widths.push(bytes.len() as f64);
    }

    fn finish(&self) -> u64 {
        self.widths.len() as u64
    }
}

/// The content of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Fill {
    Nothing,
    Gray(u8),
    #[deprecated(note = "use Gray")]
    Black,
    Pattern {
        name: String,
        size: usize,
    },
}

/// Returns the usual fill.
pub fn usual_fill() -> Fill {
    Fill::Pattern { name: "dots".into(), size: 3 }
}

/// How wide lines are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stroke {
    Thin,
    #[deprecated(note = "use Thin.")]
    Fat,
}

impl fmt::Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {self:?} one")
    }
}

/// Returns the usual stroke.
pub fn usual_stroke() -> Stroke {
    Stroke::Thin
}

/// Writes texts large.
pub trait Large: ToOwned {
    /// Returns the text in capitals.
    fn large(&self) -> Self::Owned;
}

impl Large for str {
    fn large(&self) -> String {
        self.to_uppercase()
    }
}

/// Writes texts larger.
pub trait Larger {
    /// Returns the text in capitals, twice.
    fn larger(&self) -> String;
}

impl<T: Large<Owned = String> + ?Sized> Larger for T {
    fn larger(&self) -> String {
        self.large().repeat(2)
    }
}

/// Returns the time, which differs from call to call.
pub fn now() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

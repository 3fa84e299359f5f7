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

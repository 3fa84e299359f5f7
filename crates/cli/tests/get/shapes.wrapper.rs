// Proposed by rustgo get for shapes 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:0f96888d6102412406129a6fe4e1b1f79b3bcbde944357c06f1ed1ed2605813b

//! Package shapes is the Rust crate shapes 1.2.3.
//!
//! Shapes on paper.

use rustgo::{Func, Strs};

/// MaxName is the longest name.
#[rustgo::export]
pub const MAX_NAME: usize = shapes::MAX_NAME;

/// Point is a point.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Point {
    /// X is the distance to the right.
    pub x: f64,
    pub y: f64,
}

#[rustgo::export]
impl Point {
    /// Distance returns the distance to another `Point`.
    pub fn distance(&self, other: Point) -> f64 {
        shapes::Point::from(*self).distance(&shapes::Point::from(other))
    }
}

impl From<shapes::Point> for Point {
    fn from(value: shapes::Point) -> Self {
        Point { x: value.x, y: value.y }
    }
}

impl From<Point> for shapes::Point {
    fn from(value: Point) -> Self {
        shapes::Point { x: value.x, y: value.y }
    }
}

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Style {
    Solid,
    /// With gaps.
    Dashed,
}

impl From<shapes::Style> for Style {
    fn from(value: shapes::Style) -> Self {
        match value { shapes::Style::Solid => Style::Solid, shapes::Style::Dashed => Style::Dashed, _ => unreachable!("the version of the crate is exact") }
    }
}

impl From<Style> for shapes::Style {
    fn from(value: Style) -> Self {
        match value { Style::Solid => shapes::Style::Solid, Style::Dashed => shapes::Style::Dashed }
    }
}

/// Rectangle is a rectangle with a name.
#[rustgo::object]
#[derive(Clone)]
pub struct Rectangle(shapes::Rectangle);

#[rustgo::export]
impl Rectangle {
    /// NewRectangle makes a rectangle.
    pub fn new(name: &str, width: f64, height: f64) -> Rectangle {
        Rectangle(shapes::Rectangle::new(name, width, height))
    }

    /// ParseRectangle parses a text.
    #[rustgo::export(name = "ParseRectangle")]
    pub fn parse(text: &str) -> Result<Rectangle, shapes::ParseError> {
        text.parse::<shapes::Rectangle>().map(Rectangle)
    }

    /// Area returns the area.
    pub fn area(&self) -> f64 {
        self.0.area()
    }

    /// Grow grows the rectangle.
    pub fn grow(&mut self, by: f64) {
        self.0.grow(by);
    }

    /// WithName renames it.
    pub fn with_name(&self, name: &str) -> Rectangle {
        Rectangle(self.0.clone().with_name(name))
    }

    /// All iterates over the corners.
    #[rustgo::export(name = "All")]
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        self.0.iter().map(Point::from)
    }

    /// Style is the style of a side.
    #[rustgo::export(int = "usize")]
    pub fn style(&self, side: usize) -> Option<Style> {
        self.0.style(side).map(Style::from)
    }

    /// Name is the name.
    pub fn name(&self) -> &str {
        self.0.name.as_str()
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl std::fmt::Display for Rectangle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

/// AreaOf returns the area of a rectangle in a text.
#[rustgo::export]
pub fn area_of(text: &str) -> Result<f64, shapes::ParseError> {
    shapes::area_of(text)
}

/// Join joins names.
#[rustgo::export]
pub fn join(names: Strs<'_>, between: &str) -> String {
    let names: Vec<_> = names.iter().collect();
    shapes::join(&names, between)
}

/// Count counts the characters that a function accepts.
#[rustgo::export(int = "usize")]
pub fn count(text: &str, accepts: Func<'_, fn(char) -> bool>) -> usize {
    shapes::count(text, |x0| accepts.call(x0))
}

/// Width returns the number of characters.
#[rustgo::export(int = "usize")]
pub fn width(text: &str) -> usize {
    shapes::Measure::width(text)
}

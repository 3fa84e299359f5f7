// Proposed by rustgo get for shapes 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:3954f0810b5ad30a5c6faf37b1342aa26fbec8f8ffec5cba99c9471fa8e0c238

//! Package shapes is the Rust crate shapes 1.2.3.
//!
//! Shapes on paper.

use rustgo::{Func, Strs};

/// PlanMost is the largest number of shapes.
#[rustgo::export]
pub const PLAN_MOST: isize = { assert!(shapes::Plan::MOST <= isize::MAX as usize, "the number is too large for Go"); shapes::Plan::MOST as isize };

/// MaxName is the longest name.
#[rustgo::export]
pub const MAX_NAME: isize = shapes::MAX_NAME as isize;

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

#[rustgo::export]
impl Style {
    /// ParseStyle parses a text.
    #[rustgo::export(name = "ParseStyle")]
    pub fn parse(text: &str) -> Result<Style, StyleError> {
        text.parse::<shapes::Style>().map(Style::from).map_err(StyleError::from)
    }
}

impl From<shapes::Style> for Style {
    fn from(value: shapes::Style) -> Self {
        match value { shapes::Style::Solid => Style::Solid, shapes::Style::Dashed => Style::Dashed, _ => unreachable!("this variant is newer than the wrapper: run rustgo update") }
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
        let _ = self.0.grow(by);
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

    /// SetName sets the field name.
    ///
    /// The name.
    pub fn set_name(&mut self, name: String) {
        self.0.name = name;
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

/// Why there is no style.
#[derive(Clone, Copy, Debug, rustgo::Error)]
pub enum StyleError {
    /// StyleErrorEmpty: the name is empty.
    Empty,
    Unknown,
}

impl From<shapes::StyleError> for StyleError {
    fn from(value: shapes::StyleError) -> Self {
        match value { shapes::StyleError::Empty => StyleError::Empty, shapes::StyleError::Unknown => StyleError::Unknown }
    }
}

impl From<StyleError> for shapes::StyleError {
    fn from(value: StyleError) -> Self {
        match value { StyleError::Empty => shapes::StyleError::Empty, StyleError::Unknown => shapes::StyleError::Unknown }
    }
}

impl std::fmt::Display for StyleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&shapes::StyleError::from(*self), f)
    }
}

/// Why a plan is refused.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub enum PlanError {
    Empty {
        #[rustgo(skip)]
        original: shapes::PlanError,
    },
    /// PlanErrorOutside: a shape is outside.
    Outside {
        index: usize,
        limit: f64,
        #[rustgo(skip)]
        original: shapes::PlanError,
    },
    Style {
        value0: String,
        #[rustgo(skip)]
        original: shapes::PlanError,
    },
}

impl From<shapes::PlanError> for PlanError {
    fn from(original: shapes::PlanError) -> Self {
        match &original { shapes::PlanError::Empty => { PlanError::Empty { original } }, shapes::PlanError::Outside { index: x_index, limit: x_limit, .. } => { let index = *x_index; let limit = *x_limit; PlanError::Outside { index, limit, original } }, shapes::PlanError::Style(x0, _, ..) => { let value0 = x0.clone(); PlanError::Style { value0, original } }, _ => unreachable!("this variant is newer than the wrapper: run rustgo update") }
    }
}

impl PlanError {
    fn original(&self) -> &shapes::PlanError {
        match self { PlanError::Empty { original, .. } | PlanError::Outside { original, .. } | PlanError::Style { original, .. } => original }
    }
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for PlanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// FileError is the end of a file.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct FileError {
    /// Line returns the line.
    pub line: usize,
    #[rustgo(skip)]
    original: shapes::FileError,
}

impl From<shapes::FileError> for FileError {
    fn from(original: shapes::FileError) -> Self {
        let line = original.line(); FileError { line, original }
    }
}

impl FileError {
    fn original(&self) -> &shapes::FileError {
        &self.original
    }
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Plan is a plan of shapes.
#[rustgo::object]
#[derive(Clone)]
pub struct Plan(shapes::Plan);

#[rustgo::export]
impl Plan {
    /// NewPlanWithWidth makes a plan with one shape of this width.
    #[rustgo::export(name = "NewPlanWithWidth")]
    pub fn with_width(width: f64) -> Plan {
        Plan(shapes::Plan::with_width(width))
    }

    /// NewPlan returns the default Plan.
    pub fn new() -> Plan {
        Plan(shapes::Plan::default())
    }

    /// PlanFromSlice returns a Plan with the items.
    pub fn from_slice(items: &[f64]) -> Plan {
        Plan(items.iter().copied().collect::<shapes::Plan>())
    }

    /// Add adds a shape.
    pub fn add(&mut self, width: f64) {
        let _ = self.0.add(width);
    }

    /// Check checks the plan.
    pub fn check(&self, limit: f64) -> Result<(), PlanError> {
        self.0.check(limit).map_err(PlanError::from)
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Compare returns -1 if the value is less than other, 1 if it is greater, and 0 if both are equal; or false if they have no order.
    pub fn compare(&self, other: &Self) -> Option<isize> {
        std::cmp::PartialOrd::partial_cmp(&self.0, &other.0).map(|order| order as isize)
    }

    /// MulFloat64 returns the result of the operator.
    pub fn mul_float64(&self, other: f64) -> Plan {
        Plan(std::ops::Mul::mul(self.0.clone(), other))
    }

    /// Write adds data to the hash. It returns len(data) and nil.
    #[rustgo::export(int = "usize")]
    pub fn write(&mut self, data: &[u8]) -> Result<usize, std::convert::Infallible> {
        std::hash::Hasher::write(&mut self.0, data);
        Ok(data.len())
    }

    /// Sum64 returns the hash.
    pub fn sum64(&self) -> u64 {
        std::hash::Hasher::finish(&self.0)
    }

    /// All yields the items.
    pub fn all(&self) -> impl Iterator<Item = f64> {
        (&self.0).into_iter().map(|x| *x)
    }

    /// Float64 converts the value.
    #[rustgo::export(name = "Float64")]
    pub fn to_float64(&self) -> f64 {
        <f64>::from(self.0.clone())
    }
}

/// Fill is the content of a shape.
#[rustgo::object]
#[derive(Clone)]
pub struct Fill(shapes::Fill);

#[rustgo::export]
impl Fill {
    /// FillNothing returns the Fill Nothing.
    pub fn nothing() -> Self {
        Fill(shapes::Fill::Nothing)
    }

    /// FillGray returns the Fill Gray.
    pub fn gray(value: u8) -> Self {
        Fill(shapes::Fill::Gray(value))
    }

    /// FillPattern returns the Fill Pattern.
    #[rustgo::export(int = "usize")]
    pub fn pattern(name: String, size: usize) -> Self {
        Fill(shapes::Fill::Pattern { name, size })
    }

    /// Kind returns the variant of this Fill.
    #[allow(deprecated)]
    pub fn kind(&self) -> FillKind {
        match &self.0 { shapes::Fill::Nothing => FillKind::Nothing, shapes::Fill::Gray(..) => FillKind::Gray, shapes::Fill::Black => FillKind::Black, shapes::Fill::Pattern { .. } => FillKind::Pattern }
    }

    /// AsGray returns a part of the value, or false if the value is not Gray.
    pub fn as_gray(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { shapes::Fill::Gray(x, ..) => Some(*x), _ => None }
    }

    /// AsPatternName returns a part of the value, or false if the value is not Pattern.
    pub fn as_pattern_name(&self) -> Option<String> {
        #[allow(unreachable_patterns)]
        match &self.0 { shapes::Fill::Pattern { name: x, .. } => Some(x.clone()), _ => None }
    }

    /// AsPatternSize returns a part of the value, or false if the value is not Pattern.
    #[rustgo::export(int = "usize")]
    pub fn as_pattern_size(&self) -> Option<usize> {
        #[allow(unreachable_patterns)]
        match &self.0 { shapes::Fill::Pattern { size: x, .. } => Some(*x), _ => None }
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// FillKind says which Fill a value is.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum FillKind {
    Nothing,
    Gray,
    /// Deprecated: use Gray.
    Black,
    Pattern,
}

/// How wide lines are.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Stroke {
    Thin,
    /// Deprecated: use Thin.
    Fat,
}

#[rustgo::export]
impl Stroke {
    /// Text returns the value as text.
    pub fn text(&self) -> String {
        shapes::Stroke::from(*self).to_string()
    }
}

#[allow(deprecated)]
impl From<shapes::Stroke> for Stroke {
    fn from(value: shapes::Stroke) -> Self {
        match value { shapes::Stroke::Thin => Stroke::Thin, shapes::Stroke::Fat => Stroke::Fat }
    }
}

#[allow(deprecated)]
impl From<Stroke> for shapes::Stroke {
    fn from(value: Stroke) -> Self {
        match value { Stroke::Thin => shapes::Stroke::Thin, Stroke::Fat => shapes::Stroke::Fat }
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

/// FailAt fails at a line.
#[rustgo::export(int = "usize")]
pub fn fail_at(line: usize) -> Result<(), FileError> {
    shapes::fail_at(line).map_err(FileError::from)
}

/// UsualFill returns the usual fill.
#[rustgo::export]
pub fn usual_fill() -> Fill {
    Fill(shapes::usual_fill())
}

/// UsualStroke returns the usual stroke.
#[rustgo::export]
pub fn usual_stroke() -> Stroke {
    Stroke::from(shapes::usual_stroke())
}

/// Now returns the time, which differs from call to call.
///
/// The time is in seconds and nanoseconds since 1970, as in time.Unix.
#[rustgo::export]
pub fn now() -> (i64, i64) {
    match shapes::now().duration_since(std::time::UNIX_EPOCH) { Ok(after) => (after.as_secs() as i64, i64::from(after.subsec_nanos())), Err(before) => (-(before.duration().as_secs() as i64), -i64::from(before.duration().subsec_nanos())) }
}

/// Width returns the number of characters.
#[rustgo::export(int = "usize")]
pub fn width(text: &str) -> usize {
    shapes::Measure::width(text)
}

/// Large returns the text in capitals.
#[rustgo::export]
pub fn large(text: &str) -> String {
    shapes::Large::large(text)
}

/// Larger returns the text in capitals, twice.
#[rustgo::export]
pub fn larger(value: &str) -> String {
    shapes::Larger::larger(value)
}

// Texts of the crate's examples and tests. go test passes these and other arguments to functions.
#[cfg(test)]
const _: [&str; 2] = [
    "2x3",
    "parsed",
];

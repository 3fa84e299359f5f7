//! Methods and traits of which a wrapper may pick the wrong one, and results that must not be collected or converted too early.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Day {
    /// The first day.
    Monday,
    /// The second day.
    Tuesday,
}

impl From<Day> for &'static str {
    fn from(day: Day) -> &'static str {
        match day {
            Day::Monday => "monday",
            Day::Tuesday => "tuesday",
        }
    }
}

impl Day {
    /// Yields this day and all later days, without end.
    pub fn cycle(self) -> Days {
        Days(self)
    }
}

/// An infinite iterator of days.
#[derive(Debug)]
pub struct Days(Day);

impl Iterator for Days {
    type Item = Day;

    fn next(&mut self) -> Option<Day> {
        let day = self.0;
        self.0 = if day == Day::Monday { Day::Tuesday } else { Day::Monday };
        Some(day)
    }
}

/// The cause of a failure.
#[derive(Debug)]
pub struct Cause;

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cause")
    }
}

impl Error for Cause {}

/// A failure with a cause.
#[derive(Debug)]
struct Outer(Cause);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("outer")
    }
}

impl Error for Outer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Fails if the text is empty.
pub fn check(text: &str) -> Result<usize, Box<dyn Error>> {
    if text.is_empty() { Err(Box::new(Outer(Cause))) } else { Ok(text.len()) }
}

/// Fails if the text is empty. The error may go to another thread.
pub fn check_send(text: &str) -> Result<usize, Box<dyn Error + Send>> {
    if text.is_empty() { Err(Box::new(Outer(Cause))) } else { Ok(text.len()) }
}

/// The number at the beginning of the text, if there is one.
pub fn leading(text: &str) -> Option<Result<u8, std::num::ParseIntError>> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text[..digits].parse())
}

/// A span with an order of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    low: u32,
    high: u32,
}

impl Span {
    /// Makes a span.
    pub fn new(low: u32, high: u32) -> Span {
        Span { low, high }
    }

    /// The number of places.
    pub fn size(&self) -> u32 {
        self.high - self.low
    }

    /// The smallest span that covers both, unlike the method of `Ord`.
    pub fn max(&self, other: Span) -> Span {
        Span { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Moves the span to another place.
    pub fn into(&mut self, low: u32) {
        self.high = low + self.size();
        self.low = low;
    }

    /// Makes the span larger.
    #[must_use]
    pub fn grow(&mut self, by: u32) -> &mut Span {
        self.high += by;
        self
    }
}

/// A writer that keeps what it gets until it is flushed.
#[derive(Debug, Default)]
pub struct Buffered {
    kept: Vec<u8>,
    written: Vec<u8>,
}

impl Buffered {
    /// The text that was passed on.
    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.written).into_owned()
    }
}

impl Write for Buffered {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.kept.extend_from_slice(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.written.append(&mut self.kept);
        Ok(())
    }
}

/// A label that is made from text that may be borrowed.
#[derive(Debug)]
pub struct Label(std::borrow::Cow<'static, str>);

impl From<std::borrow::Cow<'static, str>> for Label {
    fn from(text: std::borrow::Cow<'static, str>) -> Label {
        Label(text)
    }
}

impl Label {
    /// The text of the label.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Yields the number and all later numbers, without end.
pub fn count_from(start: Option<u64>) -> Counter {
    Counter(start.unwrap_or(0))
}

/// An infinite iterator of numbers.
#[derive(Debug)]
pub struct Counter(u64);

impl Iterator for Counter {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 += 1;
        Some(self.0 - 1)
    }
}

/// An iterator that cannot go to another thread.
#[derive(Debug)]
pub struct Bound(std::rc::Rc<u8>, u8);

impl Iterator for Bound {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.1 += 1;
        (self.1 <= *self.0).then_some(u32::from(self.1))
    }
}

impl Day {
    /// Yields the numbers up to the day's own.
    pub fn numbers(self) -> Bound {
        Bound(std::rc::Rc::new(if self == Day::Monday { 1 } else { 2 }), 0)
    }
}

/// The line with this number, if there is one.
pub fn line(text: &str, number: usize) -> Option<io::Result<String>> {
    let line = text.lines().nth(number)?;
    Some(if line == "bad" { Err(io::Error::other("a bad line")) } else { Ok(line.to_owned()) })
}

/// A side that cannot be copied.
#[derive(Debug)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
}

/// A wheel with a side, a name, and something that Go does not get.
#[derive(Debug)]
pub struct Wheel {
    /// The side of the wheel.
    pub side: Side,
    /// The name of the wheel.
    pub name: String,
    /// The other side, if there is one.
    pub other: Option<Side>,
    hidden: Vec<u8>,
}

impl Wheel {
    /// Makes the right wheel.
    pub fn right() -> Wheel {
        Wheel { side: Side::Right, name: "right".to_owned(), other: Some(Side::Left), hidden: vec![1] }
    }

    /// The number of hidden bytes.
    pub fn hidden(&self) -> usize {
        self.hidden.len()
    }
}

/// A place on a line, with functions of its own that have the names of conversions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The distance from the beginning of the line.
    pub at: i32,
}

impl Place {
    /// The place at the end of a text.
    pub fn from(text: &str) -> Place {
        Place { at: text.len() as i32 }
    }

    /// The place at a distance from this place.
    pub fn into(self, by: i32) -> Place {
        Place { at: self.at + by }
    }

    /// Moves the place.
    pub fn advance(&mut self, by: i32) {
        self.at += by;
    }
}

impl From<i32> for Place {
    fn from(at: i32) -> Place {
        Place { at }
    }
}

/// Types that a text makes.
pub trait Make {
    /// The value that a text makes.
    fn from(text: &str) -> Self;
}

/// A spot on a line. The function of its trait has the name of a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The distance from the beginning of the line.
    pub at: i32,
}

impl Make for Spot {
    fn from(text: &str) -> Spot {
        Spot { at: text.len() as i32 }
    }
}

/// The spot at twice the distance.
pub fn twice(spot: Spot) -> Spot {
    Spot { at: spot.at * 2 }
}

/// The sum of places.
pub fn sum(first: Place, second: &Place, others: &[Place]) -> Place {
    others.iter().fold(Place { at: first.at + second.at }, |sum, place| sum.into(place.at))
}

/// Moves a place to the beginning of the line.
pub fn reset(place: &mut Place) {
    place.at = 0;
}

/// A fault with a function of its own that has the name of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The number is too low.
    Low,
    /// The number is too high.
    High,
}

impl Fault {
    /// The fault of a number.
    pub fn from(number: i32) -> Option<Fault> {
        (number != 0).then_some(if number < 0 { Fault::Low } else { Fault::High })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Fault::Low { "too low" } else { "too high" })
    }
}

impl Error for Fault {}

/// Fails for every number except 0.
pub fn zero(number: i32) -> Result<i32, Fault> {
    Fault::from(number).map_or(Ok(number), Err)
}

/// An error with an order, and with a method that has the name of a method of `Ord`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Excess {
    max: u32,
}

impl Excess {
    /// The largest number.
    pub fn max(&self) -> u32 {
        self.max
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too large")
    }
}

impl Error for Excess {}

/// Fails for numbers above 10.
pub fn limited(number: u32) -> Result<u32, Excess> {
    if number > 10 { Err(Excess { max: 10 }) } else { Ok(number) }
}

/// A trait of two number types, of which Go gets one.
pub trait Digits {
    /// The number of digits.
    fn digits(&self) -> u32;
}

impl Digits for u64 {
    fn digits(&self) -> u32 {
        self.checked_ilog10().unwrap_or(0) + 1
    }
}

impl Digits for u32 {
    fn digits(&self) -> u32 {
        u64::from(*self).digits()
    }
}

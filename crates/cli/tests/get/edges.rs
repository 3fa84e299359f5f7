//! Names and types at the edges of what can cross.

use std::fmt;

/// An angle. Angles that differ by full turns are equal.
#[derive(Clone, Copy, Debug)]
pub struct Angle {
    /// The angle in degrees.
    pub degrees: i32,
    #[deprecated(note = "it is always 1")]
    pub scale: i32,
}

#[allow(deprecated)]
impl Angle {
    pub fn new(degrees: i32) -> Angle {
        Angle { degrees, scale: 1 }
    }
}

impl PartialEq for Angle {
    fn eq(&self, other: &Angle) -> bool {
        self.degrees.rem_euclid(360) == other.degrees.rem_euclid(360)
    }
}

impl std::ops::Mul<Angle> for i32 {
    type Output = Angle;

    fn mul(self, angle: Angle) -> Angle {
        Angle::new(self * angle.degrees)
    }
}

/// Counts bytes.
#[derive(Debug, Default)]
pub struct Reader {
    bytes: u64,
    pub r#type: u8,
    #[deprecated]
    pub old: u8,
}

impl Reader {
    /// Returns a number.
    pub fn r#gen(&self, r#in: u8) -> u8 {
        r#in
    }

    #[deprecated]
    pub fn old_bytes(&self) -> u64 {
        self.bytes
    }
}

/// Writes numbers.
#[derive(Debug, Default)]
pub struct Writer(pub u8, pub u16, pub String);

/// Has no data.
#[derive(Clone, Debug, Default)]
pub struct Nothing;

/// Calls functions.
#[derive(Clone, Debug, Default)]
pub struct Func(u8);

impl Func {
    /// Calls a function with each number.
    pub fn sum(&self, up_to: u8, f: impl Fn(u8) -> u32) -> u32 {
        u32::from(self.0) + (0..up_to).map(f).sum::<u32>()
    }
}

pub mod text {
    /// A text.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct String(std::string::String);

    impl String {
        /// Makes a text.
        pub fn of(text: &str) -> String {
            String(text.to_owned())
        }

        /// Returns the number of characters.
        pub fn count(&self) -> u32 {
            self.0.chars().count() as u32
        }
    }
}

pub mod r#try {
    /// Returns 1.
    pub fn r#match() -> u8 {
        1
    }
}

/// A part of a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Token {
    #[non_exhaustive]
    End,
    #[non_exhaustive]
    Number(i64, u8),
    #[non_exhaustive]
    Word {
        r#type: u8,
        text: String,
    },
    Pair(u8, i128),
}

/// Returns a token.
pub fn token(of: &str) -> Token {
    match (of, of.parse()) {
        ("", _) => Token::End,
        (_, Ok(number)) => Token::Number(number, 1),
        _ => Token::Word { r#type: 2, text: of.to_owned() },
    }
}

/// The size of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Page {
    Small,
    #[non_exhaustive]
    Large,
}

/// Returns a page.
pub fn page(large: bool) -> Page {
    if large { Page::Large } else { Page::Small }
}

/// A size that may get more parts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Size {
    pub width: u32,
}

/// Returns a size.
pub fn size(width: u32) -> Size {
    Size { width }
}

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PageError {
    Missing,
    #[non_exhaustive]
    Torn,
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == PageError::Missing { "no page" } else { "a torn page" })
    }
}

impl std::error::Error for PageError {}

/// Turns to a page.
pub fn turn(to: i8) -> Result<Page, PageError> {
    match to {
        0 => Err(PageError::Missing),
        1.. => Ok(Page::Small),
        _ => Err(PageError::Torn),
    }
}

/// Why a text is refused.
#[derive(Debug)]
pub struct TextError {
    line: usize,
    pub error: u8,
    pub wide: u128,
}

impl TextError {
    /// Returns the line.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Panics for most texts.
    pub fn column(&self) -> usize {
        panic!("there is no column in line {}", self.line)
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)
    }
}

impl std::error::Error for TextError {}

/// Why a book is refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    #[non_exhaustive]
    Empty,
    #[non_exhaustive]
    Page { number: u32, r#type: u8, source: PageError },
    Weight(u128, u8),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no book")
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let BookError::Page { source, .. } = self { Some(source) } else { None }
    }
}

/// Checks a book.
pub fn check(pages: u32) -> Result<(), BookError> {
    match pages {
        0 => Err(BookError::Empty),
        13 => Err(BookError::Page { number: 13, r#type: 4, source: PageError::Torn }),
        1_000.. => Err(BookError::Weight(u128::from(pages), 5)),
        _ => Ok(()),
    }
}

/// Checks a text.
pub fn check_text(line: usize) -> Result<(), TextError> {
    if line == 0 { Ok(()) } else { Err(TextError { line, error: 7, wide: 1 }) }
}

/// A shape whose kind has another meaning.
#[derive(Clone, Debug)]
pub enum Shape {
    Round(u8),
    Long(u8, u8),
}

impl Shape {
    /// Makes a shape.
    pub fn new(size: u8) -> Shape {
        if size == 0 { Shape::Long(1, 2) } else { Shape::Round(size) }
    }

    /// Returns a word.
    pub fn kind(&self) -> &'static str {
        "shape"
    }
}

/// An old type.
#[deprecated]
#[derive(Clone, Debug)]
pub struct Old(pub u8);

/// Returns an old value.
#[allow(deprecated)]
pub fn make_old() -> Old {
    Old(1)
}

/// The largest number of pages.
pub static MOST: u32 = 999;

pub mod sizes {
    /// A size of another module.
    pub const SMALL_SIZE: super::Size = super::Size { width: 5 };
}

/// A small size.
pub const SMALL_SIZE: Size = Size { width: 3 };

/// The site.
pub const SITE: &str = "http://example.com//a\"b";

/// Numbers.
pub trait Number {
    #[doc(hidden)]
    fn wide(self) -> f64;
}

impl Number for f32 {
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    fn wide(self) -> f64 {
        self
    }
}

/// Doubles a number.
pub fn double<N: Number>(n: N) -> f64 {
    2.0 * n.wide()
}

/// Returns the letters of a text.
pub fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphabetic())
}

/// Needs a text that stays.
pub fn forever(text: &'static str) -> usize {
    text.len()
}

/// The names of pages.
pub static NAMES: [&str; 2] = ["first", "last"];

mod hidden {
    /// A mark.
    #[derive(Clone, Debug, Default)]
    pub struct Thing(pub u8);
}

pub use hidden::Thing as Mark;

/// Things with parts.
pub trait Sized2 {
    const LEGS: u8;

    /// Returns the number of parts.
    fn parts(&self) -> u8;

    #[deprecated]
    fn old_parts(&self) -> u8 {
        1
    }
}

impl Sized2 for Shape {
    const LEGS: u8 = 4;

    fn parts(&self) -> u8 {
        3
    }
}

/// Returns the largest number of degrees.
pub fn widest(angles: &[Angle], other: Option<Angle>) -> i32 {
    angles.iter().chain(&other).map(|angle| angle.degrees).max().unwrap_or(0)
}

/// Counts the different bytes of a text.
pub fn distinct(text: &str) -> usize {
    text.bytes().collect::<std::collections::HashSet<u8>>().len()
}

/// Returns the time.
pub fn now() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

#[allow(non_snake_case)]
/// Has a name of another style.
pub fn fromHTML(text: &str) -> usize {
    text.len()
}

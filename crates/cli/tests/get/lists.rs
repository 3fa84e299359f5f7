//! Lists, texts inside other types, public fields, and traits that all types have.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::ops::Range;
use std::time::Duration;

pub use counting::Counting;

/// The largest length.
pub const LIMIT: usize = usize::MAX;

/// Colours.
pub const COLOURS: &[&str] = &["red", "green"];

/// Sizes of words.
pub type Sizes = Vec<u8>;

/// Returns the places of a byte.
pub fn places(data: &[u8], of: u8) -> impl Iterator<Item = usize> + '_ {
    data.iter().enumerate().filter(move |(_, byte)| **byte == of).map(|(at, _)| at)
}

/// Returns the lengths of words.
pub fn lengths(text: &str) -> Vec<usize> {
    text.split(' ').map(str::len).collect()
}

/// Returns the lengths, each with the one before it.
pub fn steps(lengths: &[usize]) -> Vec<(usize, usize)> {
    lengths.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Returns the sum of lengths that are not below a least one.
pub fn sum(lengths: Vec<usize>, least: Option<usize>) -> usize {
    lengths.into_iter().filter(|length| *length >= least.unwrap_or(0)).sum()
}

/// Applies a function to a length.
pub fn applied(length: usize, f: impl Fn(usize) -> usize) -> usize {
    f(length)
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// Has the name of a field.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the length.
    pub fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Returns the first word.
pub fn first(text: &str) -> Span {
    Span { start: 0, end: text.find(' ').unwrap_or(text.len()) }
}

/// A number of words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Words(pub u16);

/// Counts words.
pub fn count_words(text: &str) -> Words {
    Words(text.split_whitespace().count() as u16)
}

/// Returns the range of a word.
pub fn find(text: &str, word: &str) -> Option<Range<usize>> {
    text.find(word).map(|at| at..at + word.len())
}

/// Returns the ranges of a letter.
pub fn ranges(text: &str, of: char) -> impl Iterator<Item = Range<usize>> + '_ {
    text.match_indices(of).map(|(at, found)| at..at + found.len())
}

/// A way to escape.
#[derive(Clone, Debug, PartialEq)]
pub enum Escape {
    Nothing,
    Custom(&'static str),
    Lengths(Vec<usize>),
}

/// Returns the way for a name.
pub fn escape_of(name: &str) -> Escape {
    if name == "html" { Escape::Custom("markup") } else { Escape::Nothing }
}

/// Why a pattern is refused.
#[derive(Debug)]
pub struct PatternError {
    pub pos: usize,
    pub msg: &'static str,
    pub text: String,
    pub after: Duration,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.msg, self.pos)
    }
}

impl std::error::Error for PatternError {}

/// Checks a pattern.
pub fn check(pattern: &str) -> Result<(), PatternError> {
    match pattern.find('*') {
        None => Ok(()),
        Some(pos) => Err(PatternError { pos, msg: "a star", text: pattern.to_owned(), after: Duration::from_nanos(5) }),
    }
}

/// Why an archive is refused.
#[derive(Debug)]
pub enum ArchiveError {
    Unsupported(&'static str),
    Io(Box<dyn std::error::Error>),
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no archive")
    }
}

impl std::error::Error for ArchiveError {}

/// Opens an archive.
pub fn open(name: &str) -> Result<(), ArchiveError> {
    match name {
        "" => Err(ArchiveError::Io("no name".into())),
        "rar" => Err(ArchiveError::Unsupported("a rar archive")),
        _ => Ok(()),
    }
}

/// Fails with an error that must stay on its thread.
pub fn fail(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    Err(text.into())
}

/// Returns the length of the longest pattern.
pub fn longest<I, P>(patterns: I) -> usize
where
    I: IntoIterator<Item = P>,
    P: AsRef<[u8]>,
{
    patterns.into_iter().map(|pattern| pattern.as_ref().len()).max().unwrap_or(0)
}

/// Joins parts.
pub fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// Joins lines.
pub fn lined(lines: Vec<Vec<u8>>) -> Vec<u8> {
    lines.join(&b'\n')
}

/// A haystack with the start of a search.
pub struct Input<'h> {
    haystack: &'h [u8],
    start: usize,
}

impl<'h, H: ?Sized + AsRef<[u8]>> From<&'h H> for Input<'h> {
    fn from(haystack: &'h H) -> Input<'h> {
        Input { haystack: haystack.as_ref(), start: 0 }
    }
}

/// Counts the letters of a text.
pub fn count<'h, I: Into<Input<'h>>>(input: I, letter: u8) -> usize {
    let input = input.into();
    input.haystack[input.start..].iter().filter(|byte| **byte == letter).count()
}

/// Writes texts large.
pub fn large(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    texts.into_iter().map(|text| text.as_ref().to_uppercase()).collect()
}

/// Writes a text to a writer.
pub fn write_to(to: &mut dyn Write, text: &str) -> std::io::Result<()> {
    to.write_all(text.as_bytes())
}

/// Calls a function for a number.
pub fn called(f: &dyn Fn(u8) -> u8, with: u8) -> u8 {
    f(with)
}

/// Joins the texts of an iterator.
pub fn chained<I>(texts: I) -> String
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    texts.into_iter().fold(String::new(), |all, text| all + text.as_ref())
}

/// A page with its content.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The title.
    pub title: String,
    pub lines: usize,
    pub widths: Vec<usize>,
    pub words: Vec<&'static str>,
    pub wide: u128,
}

/// Returns a page.
pub fn page(title: &str) -> Page {
    Page { title: title.to_owned(), lines: 2, widths: vec![3], words: vec!["a", "b"], wide: 1 }
}

/// A size and a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The name.
    pub name: String,
    pub size: usize,
    pub until: Duration,
    pub boxed: Box<Words>,
    pub short: Box<str>,
    pub long: Cow<'static, str>,
}

/// Settings.
#[derive(Clone, Debug, Default)]
pub struct Config {
    depth: u8,
}

/// Makes settings.
#[derive(Clone, Debug, Default)]
pub struct ConfigBuilder {
    depth: u8,
}

impl Config {
    /// Begins with the usual settings.
    pub fn builder() -> ConfigBuilder {
        ConfigBuilder { depth: 3 }
    }

    /// Makes settings of a depth.
    pub fn new(depth: u8) -> Config {
        Config { depth }
    }

    /// Returns the depth.
    pub fn get_depth(&self) -> u8 {
        self.depth
    }

    /// Takes a level away.
    pub fn get_level(&mut self) -> u8 {
        self.depth -= 1;
        self.depth
    }
}

impl ConfigBuilder {
    /// Returns the settings.
    pub fn build(&self) -> Config {
        Config { depth: self.depth }
    }
}

/// Returns a label for a name.
pub fn named(name: impl Into<Cow<'static, str>>) -> Label {
    label_of(name.into())
}

/// Returns a label for a text.
pub fn label_of(name: Cow<'static, str>) -> Label {
    let until = Duration::from_secs(1);
    Label { name: name.to_string(), size: name.len(), until, boxed: Box::new(Words(1)), short: name.to_string().into(), long: name }
}

/// Shows a number of times.
pub struct Times<'a>(&'a str, u8);

impl fmt::Display for Times<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.1).try_for_each(|_| f.write_str(self.0))
    }
}

/// Repeats a text.
pub fn times(text: &str, times: u8) -> Times<'_> {
    Times(text, times)
}

/// Halves.
pub trait Half {
    /// Returns a half.
    fn half(self) -> Self;
}

impl Half for u8 {
    fn half(self) -> u8 {
        self / 2
    }
}

impl Half for f64 {
    fn half(self) -> f64 {
        self / 2.0
    }
}

/// Ranks bytes.
pub trait Rank {
    /// Returns the rank.
    fn rank(&self, byte: u8) -> u8;
}

impl<R: Rank> Rank for &R {
    fn rank(&self, byte: u8) -> u8 {
        (**self).rank(byte)
    }
}

/// Returns the rank of a byte.
pub fn ranked<R: Rank>(by: R, byte: u8) -> u8 {
    by.rank(byte)
}

/// A sum of bytes.
#[derive(Clone, Debug, Default)]
pub struct Tally(u64);

impl counting::Update for Tally {
    fn update(&mut self, data: &[u8]) {
        self.0 += data.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    }

    fn value(&self) -> u64 {
        self.0
    }
}

/// Builders of one module.
pub mod dense {
    /// Has a depth.
    #[derive(Clone, Debug, Default)]
    pub struct Builder(u8);

    impl Builder {
        /// Returns the depth.
        pub fn depth(&self) -> u8 {
            self.0
        }
    }
}

/// Builders of another module.
pub mod sparse {
    /// Has a width.
    #[derive(Clone, Debug, Default)]
    pub struct Builder(u8);

    impl Builder {
        /// Returns the width.
        pub fn width(&self) -> u8 {
            self.0
        }
    }
}

//! Shapes that become several parameters, functions without their type, or lists in Go.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::ops::{Range, RangeBounds, RangeInclusive};
use std::path::{Path, PathBuf};

// Parameters that may be missing.

/// Greets somebody.
pub fn greet(name: Option<&str>) -> String {
    format!("hello {}", name.unwrap_or("you"))
}

/// Describes a kind.
pub fn describe(kind: Option<String>, has_kind: bool) -> String {
    format!("{kind:?} {has_kind}")
}

/// Counts the bytes of a key and the names.
pub fn sizes(key: Option<&[u8]>, names: Option<Vec<String>>, title: impl Into<Option<char>>) -> usize {
    key.map_or(100, <[u8]>::len) + names.map_or(10, |names| names.len()) + usize::from(title.into().is_none())
}

/// Returns the first text that is there.
pub fn first_of<'a>(a: Option<&'a str>, b: Option<&'a str>) -> Option<&'a str> {
    a.or(b)
}

/// Adds numbers that may be missing.
pub fn total(seed: Option<&u64>, key: Option<&[u8; 4]>, tail: Option<[u16; 2]>, len: Option<&usize>) -> u64 {
    let key = key.map_or(0, |key| key.iter().map(|&x| u64::from(x)).sum());
    let tail = tail.map_or(0, |tail| tail.iter().map(|&x| u64::from(x)).sum());
    seed.copied().unwrap_or(1000) + key + tail + len.map_or(0, |&len| len as u64)
}

/// Adds one to a number, if there is one.
pub fn increment(number: Option<&mut u32>) -> bool {
    number.map(|number| *number += 1).is_some()
}

/// A note with optional parts.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// The author.
    pub author: Option<String>,
    pub pairs: Vec<(String, u8)>,
    lines: Vec<(usize, String)>,
}

impl Note {
    /// The lines with their numbers.
    pub fn lines(&self) -> &[(usize, String)] {
        &self.lines
    }

    /// Adds a line.
    pub fn add(&mut self, text: &str) {
        self.lines.push((self.lines.len() + 1, text.to_owned()));
    }
}

/// Writes a line in a note, if there is one.
pub fn write_line(note: Option<&mut Note>, text: &str) {
    if let Some(note) = note {
        note.add(text);
    }
}

// Ranges and tuples.

/// Returns a part of a text.
pub fn part(text: &str, range: Range<usize>) -> &str {
    &text[range]
}

/// True if a range contains a number.
pub fn contains(start: u32, r: impl RangeBounds<u32>) -> bool {
    r.contains(&start)
}

/// Adds all numbers of a range.
pub fn sum(line_range: RangeInclusive<i64>, more: Option<Range<i64>>) -> i64 {
    line_range.sum::<i64>() + more.map_or(0, Iterator::sum)
}

/// Returns the distance between two points.
pub fn distance((x, y): (f64, f64), to: (f64, f64)) -> f64 {
    (x - to.0).hypot(y - to.1)
}

/// Joins a name and a value, if there are any.
pub fn join_pair(pair: Option<(&str, &str)>, _between: &(char, u8)) -> String {
    pair.map_or(String::new(), |(name, value)| format!("{name}={value}"))
}

// Types that nothing returns, but that have functions.

/// The features of this crate.
#[derive(Debug)]
pub struct Features(());

impl Features {
    /// The number of features.
    pub const COUNT: usize = 2;

    /// The first feature.
    pub const FIRST: [u8; 2] = [1, 2];

    /// True if there are colors.
    pub fn has_colors() -> bool {
        true
    }

    /// Parses nothing.
    pub fn parse(_text: &str) -> Result<Features, Failed> {
        Err(Failed(1))
    }

    /// Returns too much.
    pub fn huge() -> u128 {
        1
    }

    fn hidden() -> u8 {
        1
    }
}

/// Counts in a way of its own.
pub trait Counter {
    /// Counts the characters.
    fn count(&self, text: &str) -> usize;

    /// Counts the pairs of characters.
    fn pairs(&self, text: &str) -> usize {
        self.count(text) / 2 + usize::from(Features::hidden()) - 1
    }
}

/// Counts every character.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Plain {
    /// Returns a word for the way of counting.
    pub fn word(&self) -> &str {
        "plain"
    }
}

impl Counter for Plain {
    fn count(&self, text: &str) -> usize {
        text.chars().count()
    }
}

// Paths.

/// Returns the ending of a path.
pub fn ending(path: &Path) -> Option<&OsStr> {
    path.extension()
}

/// Joins two paths.
pub fn joined(base: impl AsRef<Path>, name: PathBuf, other: Option<&Path>) -> PathBuf {
    other.unwrap_or(base.as_ref()).join(name)
}

/// Reads a file.
pub fn load(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}

/// Reads a file, or returns nothing.
pub fn load_or_nothing(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

// Arrays.

/// A color with three parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    pub red: f32,
    pub green: f32,
    pub blue: f32,
}

impl From<[f32; 3]> for Color {
    fn from([red, green, blue]: [f32; 3]) -> Color {
        Color { red, green, blue }
    }
}

impl From<Color> for [f32; 3] {
    fn from(color: Color) -> [f32; 3] {
        [color.red, color.green, color.blue]
    }
}

/// The usual colors.
pub fn usual() -> [Color; 2] {
    [Color::from([1.0, 0.0, 0.0]), Color::from([0.0, 1.0, 0.0])]
}

/// Returns the red parts of colors.
pub fn reds(colors: [Color; 2], more: &[Color; 1]) -> [f32; 3] {
    [colors[0].red, colors[1].red, more[0].red]
}

/// The names of the usual colors.
pub fn names() -> [&'static str; 2] {
    ["red", "green"]
}

/// The notes that are there at the start.
pub fn first_notes() -> [Note; 2] {
    [Note::default(), Note { author: Some("me".to_owned()), pairs: vec![("a".to_owned(), 1)], lines: Vec::new() }]
}

/// A palette with two colors.
#[derive(Clone, Debug)]
pub struct Palette {
    colors: [Color; 2],
}

impl Palette {
    /// Makes a palette.
    pub fn new(colors: [Color; 2]) -> Palette {
        Palette { colors }
    }

    /// The colors.
    pub fn colors(&self) -> &[Color; 2] {
        &self.colors
    }
}

// Numbers that the caller chooses.

/// Numbers with a parser.
pub trait Float: Sized {
    #[doc(hidden)]
    fn read(text: &str) -> Option<Self>;
}

impl Float for f32 {
    fn read(text: &str) -> Option<f32> {
        text.parse().ok()
    }
}

impl Float for f64 {
    fn read(text: &str) -> Option<f64> {
        text.parse().ok()
    }
}

/// Reads a number.
pub fn read_number<T: Float>(text: &str) -> Result<T, Failed> {
    T::read(text).ok_or(Failed(text.len()))
}

/// Returns the other of two numbers.
pub fn other<T: Float + PartialEq>(x: T, y: T) -> T {
    if x == y { x } else { y }
}

// Iterators over results, and iterators of one thread.

/// Why a word is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed(pub usize);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed with {}", self.0)
    }
}

impl std::error::Error for Failed {}

/// The words of a text.
pub struct Words<'a>(std::str::Split<'a, char>);

impl<'a> Iterator for Words<'a> {
    type Item = Result<&'a str, Failed>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|word| if word.is_empty() { Err(Failed(0)) } else { Ok(word) })
    }
}

/// Returns the words.
pub fn words(text: &str) -> Words<'_> {
    Words(text.split(' '))
}

/// Returns the digits of a text.
pub fn digits(text: &str) -> impl Iterator<Item = Result<u32, Failed>> {
    text.chars().map(|c| c.to_digit(10).ok_or(Failed(c as usize)))
}

/// Returns the lengths of the words.
pub fn lengths(text: &str) -> Box<dyn Iterator<Item = u32> + '_> {
    Box::new(text.split(' ').map(|word| word.len() as u32))
}

// Readers that seek.

/// Returns the size of what a reader reads.
pub fn size<R: Read + Seek>(mut from: R) -> io::Result<u64> {
    from.seek(SeekFrom::End(0))
}

/// Returns the last line.
pub fn last_line<R: BufRead + Seek>(from: &mut R, back: i64) -> io::Result<String> {
    from.seek(SeekFrom::End(-back))?;
    let mut line = String::new();
    from.read_line(&mut line)?;
    Ok(line)
}

/// The numbers of a text, which only conversions make.
pub struct Numbers<'a>(&'a str);

impl<'a> From<&'a str> for Numbers<'a> {
    fn from(text: &'a str) -> Numbers<'a> {
        Numbers(text)
    }
}

impl From<u128> for Numbers<'static> {
    fn from(_: u128) -> Numbers<'static> {
        Numbers("")
    }
}

impl Iterator for Numbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let c = self.0.chars().next()?;
        self.0 = &self.0[c.len_utf8()..];
        c.to_digit(10)
    }
}

impl Counter for Numbers<'_> {
    fn count(&self, _: &str) -> usize {
        0
    }
}

/// A list of at most N elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Few<T, const N: usize> {
    all: [Option<T>; N],
    /// The first element.
    pub first: T,
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// The most elements.
    pub const MOST: usize = N;

    /// Makes a list.
    pub fn new(first: T, others: &[T]) -> Few<T, N> {
        let mut all = [None; N];
        all.iter_mut().zip(others).for_each(|(place, &other)| *place = Some(other));
        Self { all, first }
    }

    /// Returns the element at a place.
    pub fn get(&self, at: usize) -> Option<T> {
        self.all.get(at).copied().flatten()
    }

    /// Returns the first elements.
    pub fn starts(&self) -> [T; N] {
        [self.first; N]
    }

    /// Makes a list of other elements.
    pub fn map<U: Copy>(&self, first: U) -> Few<U, N> {
        Few { all: [None; N], first }
    }
}

impl Few<u8, 3> {
    /// Returns the first byte as a character.
    pub fn letter(&self) -> char {
        self.first.into()
    }
}

impl<T> From<T> for Few<T, 1> {
    fn from(first: T) -> Few<T, 1> {
        Few { all: [None], first }
    }
}

/// At most three bytes.
pub type FewBytes = Few<u8, 3>;

/// One number at most.
pub type OneNumber = Few<i64, 1>;

/// Returns at most three bytes.
pub fn some_bytes(first: u8) -> Few<u8, 3> {
    Few::new(first, &[])
}

/// Returns at most two bytes.
pub fn two_bytes(first: u8) -> Few<u8, 2> {
    Few::new(first, &[])
}

/// A sum of numbers.
#[derive(Clone, Debug, Default)]
pub struct Tally<T = u32> {
    total: T,
}

impl<T: Copy + std::ops::Add<Output = T>> Tally<T> {
    /// Makes a sum.
    pub fn new(total: T) -> Self {
        Tally { total }
    }

    /// Adds a number.
    pub fn add(&mut self, number: T) {
        self.total = self.total + number;
    }

    /// The sum.
    pub fn total(&self) -> T {
        self.total
    }
}

/// Options for a page, which borrow a title.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    width: usize,
    title: &'a str,
}

impl From<usize> for Options<'_> {
    fn from(width: usize) -> Self {
        Options { width, title: "page" }
    }
}

impl<'a> From<&'a Options<'a>> for Options<'a> {
    fn from(options: &'a Options<'a>) -> Self {
        options.clone()
    }
}

/// Formats a page.
pub fn page<'a>(options: impl Into<Options<'a>>) -> String {
    let options = options.into();
    format!("{}: {}", options.title, options.width)
}

/// Checks a text, and fails with its odd characters.
pub fn check(text: &str) -> Result<usize, Vec<char>> {
    let odd: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
    if odd.is_empty() { Ok(text.len()) } else { Err(odd) }
}

/// Changes texts and characters in a way that depends on the kind of characters.
pub trait Upper<I> {
    /// Returns the characters in capitals.
    fn upper(self) -> Capitals<I>;
}

impl<'a> Upper<std::str::Chars<'a>> for &'a str {
    fn upper(self) -> Capitals<std::str::Chars<'a>> {
        Capitals(self.chars())
    }
}

impl Upper<std::option::IntoIter<char>> for char {
    fn upper(self) -> Capitals<std::option::IntoIter<char>> {
        Capitals(Some(self).into_iter())
    }
}

/// Characters in capitals.
pub struct Capitals<I>(I);

impl<I: Iterator<Item = char>> Iterator for Capitals<I> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        self.0.next().map(|c| c.to_ascii_uppercase())
    }
}

impl From<(f32, f32, f32)> for Color {
    fn from((red, green, blue): (f32, f32, f32)) -> Color {
        Color { red, green, blue }
    }
}

impl From<(u8, u8)> for Color {
    fn from((red, green): (u8, u8)) -> Color {
        Color { red: red.into(), green: green.into(), blue: 0.0 }
    }
}

// Proposed by rustgo get for forms 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:90c5f4fc49fd54a420af614e67c65877e9d2dd1dcf8cb664aa720da25e8fb647

//! Package forms is the Rust crate forms 1.2.3.
//!
//! Shapes that become several parameters, functions without their type, or lists in Go.

use rustgo::{ReadSeeker, Strs};

/// FeaturesCount is the number of features.
#[rustgo::export]
pub const FEATURES_COUNT: isize = { assert!(forms::Features::COUNT <= isize::MAX as usize, "the number is too large for Go"); forms::Features::COUNT as isize };

/// FewBytesMost is the most elements.
#[rustgo::export]
pub const FEW_BYTES_MOST: isize = { assert!(forms::FewBytes::MOST <= isize::MAX as usize, "the number is too large for Go"); forms::FewBytes::MOST as isize };

/// OneNumberMost is the most elements.
#[rustgo::export]
pub const ONE_NUMBER_MOST: isize = { assert!(forms::OneNumber::MOST <= isize::MAX as usize, "the number is too large for Go"); forms::OneNumber::MOST as isize };

/// Note is a note with optional parts.
#[rustgo::object]
#[derive(Clone)]
pub struct Note(forms::Note);

#[rustgo::export]
impl Note {
    /// NewNote returns the default Note.
    pub fn new() -> Note {
        Note(forms::Note::default())
    }

    /// Lines is the lines with their numbers.
    #[rustgo::export(int = "usize")]
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.0.lines().iter().map(|(a, b)| (*a, b.as_str()))
    }

    /// Add adds a line.
    pub fn add(&mut self, text: &str) {
        self.0.add(text)
    }

    /// Author is the author.
    pub fn author(&self) -> Option<String> {
        self.0.author.clone()
    }

    /// Pairs returns the field pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, u8)> {
        self.0.pairs.iter().map(|(a, b)| (a.as_str(), *b))
    }

    /// SetAuthor sets the field author.
    ///
    /// The author.
    pub fn set_author(&mut self, author: String, has_author: bool) {
        self.0.author = has_author.then_some(author);
    }
}

/// Color is a color with three parts.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Color {
    pub red: f32,
    pub green: f32,
    pub blue: f32,
}

#[rustgo::export]
impl Color {
    /// ColorFromFloat32s3 converts a value.
    pub fn from_float32s3(value: [f32; 3]) -> Color {
        Color::from(<forms::Color>::from(value))
    }

    /// ColorFromBytes2 converts a value.
    pub fn from_bytes2(value0: u8, value1: u8) -> Color {
        Color::from(<forms::Color>::from((value0, value1)))
    }

    /// Float32s3 converts the value.
    #[rustgo::export(name = "Float32s3")]
    pub fn to_float32s3(&self) -> [f32; 3] {
        <[f32; 3]>::from(forms::Color::from(*self))
    }
}

impl From<forms::Color> for Color {
    fn from(value: forms::Color) -> Self {
        Color { red: value.red, green: value.green, blue: value.blue }
    }
}

impl From<Color> for forms::Color {
    fn from(value: Color) -> Self {
        forms::Color { red: value.red, green: value.green, blue: value.blue }
    }
}

/// Palette is a palette with two colors.
#[rustgo::object]
#[derive(Clone)]
pub struct Palette(forms::Palette);

#[rustgo::export]
impl Palette {
    /// NewPalette makes a palette.
    pub fn new(colors: [Color; 2]) -> Palette {
        Palette(forms::Palette::new(colors.map(forms::Color::from)))
    }

    /// Colors is the colors.
    pub fn colors(&self) -> [Color; 2] {
        self.0.colors().each_ref().map(|x| Color::from(*x))
    }
}

/// Why a word is refused.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct Failed {
    pub value: usize,
    #[rustgo(skip)]
    original: forms::Failed,
}

impl From<forms::Failed> for Failed {
    fn from(original: forms::Failed) -> Self {
        let value = original.0; Failed { value, original }
    }
}

impl Failed {
    fn original(&self) -> &forms::Failed {
        &self.original
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for Failed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// At most three bytes.
#[rustgo::object]
#[derive(Clone)]
pub struct FewBytes(forms::FewBytes);

#[rustgo::export]
impl FewBytes {
    /// NewFewBytes makes a list.
    pub fn new(first: u8, others: &[u8]) -> FewBytes {
        FewBytes(forms::FewBytes::new(first, others))
    }

    /// Get returns the element at a place.
    #[rustgo::export(int = "usize")]
    pub fn get(&self, at: usize) -> Option<u8> {
        self.0.get(at)
    }

    /// Starts returns the first elements.
    pub fn starts(&self) -> [u8; 3] {
        self.0.starts()
    }

    /// Letter returns the first byte as a character.
    pub fn letter(&self) -> char {
        self.0.letter()
    }

    /// First is the first element.
    pub fn first(&self) -> u8 {
        self.0.first
    }

    /// SetFirst sets the field first.
    ///
    /// The first element.
    pub fn set_first(&mut self, first: u8) {
        self.0.first = first;
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// One number at most.
#[rustgo::object]
#[derive(Clone)]
pub struct OneNumber(forms::OneNumber);

#[rustgo::export]
impl OneNumber {
    /// NewOneNumber makes a list.
    pub fn new(first: i64, others: &[i64]) -> OneNumber {
        OneNumber(forms::OneNumber::new(first, others))
    }

    /// OneNumberFromInt64 converts a value.
    pub fn from_int64(value: i64) -> OneNumber {
        OneNumber(<forms::OneNumber>::from(value))
    }

    /// Get returns the element at a place.
    #[rustgo::export(int = "usize")]
    pub fn get(&self, at: usize) -> Option<i64> {
        self.0.get(at)
    }

    /// Starts returns the first elements.
    pub fn starts(&self) -> [i64; 1] {
        self.0.starts()
    }

    /// First is the first element.
    pub fn first(&self) -> i64 {
        self.0.first
    }

    /// SetFirst sets the field first.
    ///
    /// The first element.
    pub fn set_first(&mut self, first: i64) {
        self.0.first = first;
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Tally is a sum of numbers.
#[rustgo::object]
#[derive(Clone)]
pub struct Tally(forms::Tally);

#[rustgo::export]
impl Tally {
    /// NewTally makes a sum.
    pub fn new(total: u32) -> Tally {
        Tally(forms::Tally::new(total))
    }

    /// DefaultTally returns the default Tally.
    #[rustgo::export(name = "DefaultTally")]
    pub fn default_() -> Tally {
        Tally(forms::Tally::default())
    }

    /// Add adds a number.
    pub fn add(&mut self, number: u32) {
        self.0.add(number)
    }

    /// Total is the sum.
    pub fn total(&self) -> u32 {
        self.0.total()
    }
}

/// True if there are colors.
#[rustgo::export]
pub fn features_has_colors() -> bool {
    forms::Features::has_colors()
}

/// FeaturesFirst is the first feature.
#[rustgo::export]
pub fn features_first() -> [u8; 2] {
    forms::Features::FIRST
}

/// PlainWord returns a word for the way of counting.
#[rustgo::export]
pub fn plain_word() -> String {
    forms::Plain.word().to_owned()
}

/// PlainCount counts the characters.
#[rustgo::export(int = "usize")]
pub fn plain_count(text: &str) -> usize {
    forms::Counter::count(&forms::Plain, text)
}

/// PlainPairs counts the pairs of characters.
#[rustgo::export(int = "usize")]
pub fn plain_pairs(text: &str) -> usize {
    forms::Counter::pairs(&forms::Plain, text)
}

#[rustgo::export]
pub fn numbers_from_string(text: &str) -> impl Iterator<Item = u32> {
    forms::Numbers::from(text)
}

/// Greet greets somebody.
#[rustgo::export]
pub fn greet(name: &str, has_name: bool) -> String {
    forms::greet(has_name.then_some(name))
}

/// Describe describes a kind.
#[rustgo::export]
pub fn describe(kind: String, has_kind: bool, has_kind_: bool) -> String {
    forms::describe(has_kind.then_some(kind), has_kind_)
}

/// Sizes counts the bytes of a key and the names.
#[rustgo::export(int = "usize")]
pub fn sizes(key: &[u8], has_key: bool, names: Strs<'_>, has_names: bool, title: Option<&char>) -> usize {
    let names: Vec<_> = names.iter().map(str::to_owned).collect();
    forms::sizes(has_key.then_some(key), has_names.then_some(names), title.copied())
}

/// FirstOf returns the first text that is there.
#[rustgo::export]
pub fn first_of(a: &str, has_a: bool, b: &str, has_b: bool) -> Option<String> {
    forms::first_of(has_a.then_some(a), has_b.then_some(b)).map(|x| x.to_owned())
}

/// Total adds numbers that may be missing.
#[rustgo::export]
pub fn total(seed: Option<&u64>, key: Option<&[u8; 4]>, tail: Option<&[u16; 2]>, len: Option<&isize>) -> u64 {
    let len = len.map(|&x| usize::try_from(x).expect("a negative number"));
    forms::total(seed, key, tail.copied(), len.as_ref())
}

/// Increment adds one to a number, if there is one.
#[rustgo::export]
pub fn increment(number: Option<&mut u32>) -> bool {
    forms::increment(number)
}

/// WriteLine writes a line in a note, if there is one.
#[rustgo::export]
pub fn write_line(note: Option<&mut Note>, text: &str) {
    forms::write_line(note.map(|note| &mut note.0), text)
}

/// Part returns a part of a text.
#[rustgo::export(int = "usize")]
pub fn part(text: &str, start: usize, end: usize) -> &str {
    forms::part(text, start..end)
}

/// True if a range contains a number.
#[rustgo::export]
pub fn contains(start: u32, r_start: u32, r_end: u32) -> bool {
    forms::contains(start, r_start..r_end)
}

/// Sum adds all numbers of a range.
#[rustgo::export]
pub fn sum(line_first: i64, line_last: i64, more_start: i64, more_end: i64, has_more: bool) -> i64 {
    forms::sum(line_first..=line_last, has_more.then_some(more_start..more_end))
}

/// Distance returns the distance between two points.
#[rustgo::export]
pub fn distance(x: f64, y: f64, to0: f64, to1: f64) -> f64 {
    forms::distance((x, y), (to0, to1))
}

/// JoinPair joins a name and a value, if there are any.
#[rustgo::export]
pub fn join_pair(pair0: &str, pair1: &str, has_pair: bool, between0: char, between1: u8) -> String {
    forms::join_pair(has_pair.then_some((pair0, pair1)), &(between0, between1))
}

/// Ending returns the ending of a path.
#[rustgo::export]
pub fn ending(path: &str) -> Option<String> {
    forms::ending(std::path::Path::new(path)).map(|x| x.to_string_lossy().into_owned())
}

/// Joined joins two paths.
#[rustgo::export]
pub fn joined(base: &str, name: &str, other: &str, has_other: bool) -> String {
    forms::joined(base, std::path::PathBuf::from(name), has_other.then(|| std::path::Path::new(other))).to_string_lossy().into_owned()
}

/// Usual is the usual colors.
#[rustgo::export]
pub fn usual() -> [Color; 2] {
    forms::usual().map(Color::from)
}

/// Reds returns the red parts of colors.
#[rustgo::export]
pub fn reds(colors: [Color; 2], more: [Color; 1]) -> [f32; 3] {
    forms::reds(colors.map(forms::Color::from), &more.map(forms::Color::from))
}

/// Names is the names of the usual colors.
#[rustgo::export]
pub fn names() -> Vec<&'static str> {
    forms::names().into_iter().collect()
}

/// FirstNotes is the notes that are there at the start.
#[rustgo::export]
pub fn first_notes() -> Vec<Note> {
    forms::first_notes().into_iter().map(Note).collect()
}

/// ReadNumber reads a number.
#[rustgo::export]
pub fn read_number(text: &str) -> Result<f64, Failed> {
    forms::read_number(text).map_err(Failed::from)
}

/// Other returns the other of two numbers.
#[rustgo::export]
pub fn other(x: f64, y: f64) -> f64 {
    forms::other(x, y)
}

/// Words returns the words.
#[rustgo::export]
pub fn words(text: &str) -> Result<Vec<String>, Failed> {
    forms::words(text).map(|x| x.map(|x| x.to_owned())).collect::<Result<Vec<_>, _>>().map_err(Failed::from)
}

/// Digits returns the digits of a text.
#[rustgo::export]
pub fn digits(text: &str) -> Result<Vec<u32>, Failed> {
    forms::digits(text).collect::<Result<Vec<_>, _>>().map_err(Failed::from)
}

/// Lengths returns the lengths of the words.
#[rustgo::export]
pub fn lengths(text: &str) -> Vec<u32> {
    forms::lengths(text).collect()
}

/// Size returns the size of what a reader reads.
#[rustgo::export]
pub fn size(from: ReadSeeker<'_>) -> Result<u64, std::io::Error> {
    forms::size(from)
}

/// LastLine returns the last line.
#[rustgo::export]
pub fn last_line(from: ReadSeeker<'_>, back: i64) -> Result<String, std::io::Error> {
    forms::last_line(&mut std::io::BufReader::with_capacity(1, from), back)
}

/// SomeBytes returns at most three bytes.
#[rustgo::export]
pub fn some_bytes(first: u8) -> FewBytes {
    FewBytes(forms::some_bytes(first))
}

/// Page formats a page.
#[rustgo::export(int = "usize")]
pub fn page(options: usize) -> String {
    forms::page(options)
}

/// Check checks a text, and fails with its odd characters.
#[rustgo::export(int = "usize")]
pub fn check(text: &str) -> Result<usize, String> {
    forms::check(text).map_err(|error| format!("{error:?}"))
}

/// Upper returns the characters in capitals.
#[rustgo::export]
pub fn upper(text: &str) -> String {
    forms::Upper::upper(text).collect()
}

/// RuneUpper returns the characters in capitals.
#[rustgo::export]
pub fn rune_upper(c: char) -> String {
    forms::Upper::upper(c).collect()
}

// Texts of the crate's examples and tests. go test passes these and other arguments to functions.
#[cfg(test)]
const _: [&str; 2] = [
    "a",
    "me",
];

// Proposed by rustgo get for lists 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:a3984316f19fe6625802010e9fb2497ad6cd2057b16d33406ca41e5b07e2de16

//! Package lists is the Rust crate lists 1.2.3.
//!
//! Lists, texts inside other types, public fields, and traits that all types have.

use rustgo::{Func, Slices, Strs, Writer};

/// Limit is the largest length.
#[rustgo::export]
pub const LIMIT: u64 = lists::LIMIT as u64;

/// Span is a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Span {
    pub start: isize,
    pub end: isize,
}

#[rustgo::export]
impl Span {
    /// Len returns the length.
    #[rustgo::export(int = "usize")]
    pub fn len(&self) -> usize {
        lists::Span::from(*self).len()
    }
}

impl From<lists::Span> for Span {
    fn from(value: lists::Span) -> Self {
        Span { start: isize::try_from(value.start).expect("the number is too large for Go"), end: isize::try_from(value.end).expect("the number is too large for Go") }
    }
}

impl From<Span> for lists::Span {
    fn from(value: Span) -> Self {
        lists::Span { start: usize::try_from(value.start).expect("a negative number"), end: usize::try_from(value.end).expect("a negative number") }
    }
}

/// Words is a number of words.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Words {
    pub value: u16,
}

impl From<lists::Words> for Words {
    fn from(value: lists::Words) -> Self {
        Words { value: value.0 }
    }
}

impl From<Words> for lists::Words {
    fn from(value: Words) -> Self {
        lists::Words { 0: value.value }
    }
}

/// Escape is a way to escape.
#[rustgo::object]
#[derive(Clone)]
pub struct Escape(lists::Escape);

#[rustgo::export]
impl Escape {
    /// EscapeNothing returns the Escape Nothing.
    pub fn nothing() -> Self {
        Escape(lists::Escape::Nothing)
    }

    /// EscapeLengths returns the Escape Lengths.
    pub fn lengths(value: &[isize]) -> Self {
        let value: Vec<usize> = value.iter().map(|&x| usize::try_from(x).expect("a negative number")).collect();
        Escape(lists::Escape::Lengths(value))
    }

    /// Kind returns the variant of this Escape.
    pub fn kind(&self) -> EscapeKind {
        match &self.0 { lists::Escape::Nothing => EscapeKind::Nothing, lists::Escape::Custom(..) => EscapeKind::Custom, lists::Escape::Lengths(..) => EscapeKind::Lengths }
    }

    /// AsCustom returns a part of the value, or false if the value is not Custom.
    pub fn as_custom(&self) -> Option<String> {
        #[allow(unreachable_patterns)]
        match &self.0 { lists::Escape::Custom(x, ..) => Some((*x).to_owned()), _ => None }
    }

    /// AsLengths returns a part of the value, or false if the value is not Lengths.
    #[rustgo::export(int = "usize")]
    pub fn as_lengths(&self) -> Option<Vec<usize>> {
        #[allow(unreachable_patterns)]
        match &self.0 { lists::Escape::Lengths(x, ..) => Some(x.to_vec()), _ => None }
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// EscapeKind says which Escape a value is.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum EscapeKind {
    Nothing,
    Custom,
    Lengths,
}

/// Why a pattern is refused.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct PatternError {
    pub pos: usize,
    pub msg: String,
    pub text: String,
    pub after: i64,
    #[rustgo(skip)]
    original: lists::PatternError,
}

impl From<lists::PatternError> for PatternError {
    fn from(original: lists::PatternError) -> Self {
        let pos = original.pos; let msg = (*(&original.msg)).to_owned(); let text = (&original.text).clone(); let after = i64::try_from((&original.after).as_nanos()).unwrap_or(i64::MAX); PatternError { pos, msg, text, after, original }
    }
}

impl PatternError {
    fn original(&self) -> &lists::PatternError {
        &self.original
    }
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for PatternError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Why an archive is refused.
#[derive(Debug, rustgo::Error)]
pub enum ArchiveError {
    Unsupported {
        value: String,
        #[rustgo(skip)]
        original: lists::ArchiveError,
    },
    Io {
        #[rustgo(skip)]
        original: lists::ArchiveError,
    },
}

impl From<lists::ArchiveError> for ArchiveError {
    fn from(original: lists::ArchiveError) -> Self {
        match &original { lists::ArchiveError::Unsupported(x0, ..) => { let value = (*x0).to_owned(); ArchiveError::Unsupported { value, original } }, lists::ArchiveError::Io(..) => { ArchiveError::Io { original } } }
    }
}

impl ArchiveError {
    fn original(&self) -> &lists::ArchiveError {
        match self { ArchiveError::Unsupported { original, .. } | ArchiveError::Io { original, .. } => original }
    }
}

impl std::fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for ArchiveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Page is a page with its content.
#[rustgo::object]
#[derive(Clone)]
pub struct Page(lists::Page);

#[rustgo::export]
impl Page {
    /// Title is the title.
    pub fn title(&self) -> &str {
        self.0.title.as_str()
    }

    /// Lines returns the field lines.
    #[rustgo::export(int = "usize")]
    pub fn lines(&self) -> usize {
        self.0.lines
    }

    /// Widths returns the field widths.
    #[rustgo::export(int = "usize")]
    pub fn widths(&self) -> Vec<usize> {
        self.0.widths.to_vec()
    }

    /// Words returns the field words.
    pub fn words(&self) -> Vec<String> {
        self.0.words.iter().map(|x| (*x).to_owned()).collect()
    }

    /// SetTitle sets the field title.
    ///
    /// The title.
    pub fn set_title(&mut self, title: String) {
        self.0.title = title;
    }

    /// SetLines sets the field lines.
    #[rustgo::export(int = "usize")]
    pub fn set_lines(&mut self, lines: usize) {
        self.0.lines = lines;
    }

    /// SetWidths sets the field widths.
    pub fn set_widths(&mut self, widths: &[isize]) {
        let widths: Vec<usize> = widths.iter().map(|&x| usize::try_from(x).expect("a negative number")).collect();
        self.0.widths = widths;
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Label is a size and a name.
#[rustgo::object]
#[derive(Clone)]
pub struct Label(lists::Label);

#[rustgo::export]
impl Label {
    /// NewLabel returns a Label with these fields.
    #[rustgo::export(int = "usize")]
    pub fn new(name: String, size: usize, until: i64, boxed: Words, short: String, long: String) -> Self {
        let until = std::time::Duration::from_nanos(u64::try_from(until).expect("a negative duration"));
        Label(lists::Label { name, size, until, boxed: Box::new(boxed.into()), short: short.into(), long: long.into() })
    }

    /// Name is the name.
    pub fn name(&self) -> &str {
        self.0.name.as_str()
    }

    /// Size returns the field size.
    #[rustgo::export(int = "usize")]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Until returns the field until.
    pub fn until(&self) -> i64 {
        i64::try_from(self.0.until.as_nanos()).unwrap_or(i64::MAX)
    }

    /// Boxed returns the field boxed.
    pub fn boxed(&self) -> Words {
        Words::from(*(&*self.0.boxed))
    }

    /// Short returns the field short.
    pub fn short(&self) -> String {
        (*self.0.short).to_owned()
    }

    /// Long returns the field long.
    pub fn long(&self) -> String {
        (*self.0.long).to_owned()
    }

    /// SetName sets the field name.
    ///
    /// The name.
    pub fn set_name(&mut self, name: String) {
        self.0.name = name;
    }

    /// SetSize sets the field size.
    #[rustgo::export(int = "usize")]
    pub fn set_size(&mut self, size: usize) {
        self.0.size = size;
    }

    /// SetUntil sets the field until.
    pub fn set_until(&mut self, until: i64) {
        let until = std::time::Duration::from_nanos(u64::try_from(until).expect("a negative duration"));
        self.0.until = until;
    }

    /// SetBoxed sets the field boxed.
    pub fn set_boxed(&mut self, boxed: Words) {
        self.0.boxed = Box::new(boxed.into());
    }

    /// SetShort sets the field short.
    pub fn set_short(&mut self, short: String) {
        self.0.short = short.into();
    }

    /// SetLong sets the field long.
    pub fn set_long(&mut self, long: String) {
        self.0.long = long.into();
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Settings.
#[rustgo::object]
#[derive(Clone)]
pub struct Config(lists::Config);

#[rustgo::export]
impl Config {
    /// NewConfigBuilder begins with the usual settings.
    #[rustgo::export(name = "NewConfigBuilder")]
    pub fn builder() -> ConfigBuilder {
        ConfigBuilder(lists::Config::builder())
    }

    /// NewConfig makes settings of a depth.
    pub fn new(depth: u8) -> Config {
        Config(lists::Config::new(depth))
    }

    /// DefaultConfig returns the default Config.
    #[rustgo::export(name = "DefaultConfig")]
    pub fn default_() -> Config {
        Config(lists::Config::default())
    }

    /// Depth returns the depth.
    #[rustgo::export(name = "Depth")]
    pub fn get_depth(&self) -> u8 {
        self.0.get_depth()
    }

    /// GetLevel takes a level away.
    pub fn get_level(&mut self) -> u8 {
        self.0.get_level()
    }
}

/// ConfigBuilder makes settings.
#[rustgo::object]
#[derive(Clone)]
pub struct ConfigBuilder(lists::ConfigBuilder);

#[rustgo::export]
impl ConfigBuilder {
    /// Build returns the settings.
    pub fn build(&self) -> Config {
        Config(self.0.build())
    }
}

/// Tally is a sum of bytes.
#[rustgo::object]
#[derive(Clone)]
pub struct Tally(lists::Tally);

#[rustgo::export]
impl Tally {
    /// NewTally calls `new` of the trait Counting.
    pub fn new() -> Tally {
        Tally(<lists::Tally as lists::Counting>::new())
    }

    /// TallyDigest calls `digest` of the trait Counting.
    pub fn digest(data: &[u8]) -> u64 {
        <lists::Tally as lists::Counting>::digest(data)
    }

    /// Absorb calls `absorb` of the trait Counting.
    pub fn absorb(&mut self, data: &[u8]) {
        lists::Counting::absorb(&mut self.0, data)
    }

    /// Total calls `total` of the trait Counting.
    pub fn total(&self) -> u64 {
        lists::Counting::total(self.0.clone())
    }
}

/// DenseBuilder has a depth.
#[rustgo::object]
#[derive(Clone)]
pub struct DenseBuilder(lists::dense::Builder);

#[rustgo::export]
impl DenseBuilder {
    /// NewDenseBuilder returns the default DenseBuilder.
    pub fn new() -> DenseBuilder {
        DenseBuilder(lists::dense::Builder::default())
    }

    /// Depth returns the depth.
    pub fn depth(&self) -> u8 {
        self.0.depth()
    }
}

/// SparseBuilder has a width.
#[rustgo::object]
#[derive(Clone)]
pub struct SparseBuilder(lists::sparse::Builder);

#[rustgo::export]
impl SparseBuilder {
    /// NewSparseBuilder returns the default SparseBuilder.
    pub fn new() -> SparseBuilder {
        SparseBuilder(lists::sparse::Builder::default())
    }

    /// Width returns the width.
    pub fn width(&self) -> u8 {
        self.0.width()
    }
}

/// Colours.
#[rustgo::export]
pub fn colours() -> Vec<String> {
    lists::COLOURS.iter().map(|x| (*x).to_owned()).collect()
}

/// Places returns the places of a byte.
#[rustgo::export(int = "usize")]
pub fn places(data: &[u8], of: u8) -> Vec<usize> {
    lists::places(data, of).collect()
}

/// Lengths returns the lengths of words.
#[rustgo::export(int = "usize")]
pub fn lengths(text: &str) -> Vec<usize> {
    lists::lengths(text)
}

/// Steps returns the lengths, each with the one before it.
#[rustgo::export(int = "usize")]
pub fn steps(lengths: &[isize]) -> impl Iterator<Item = (usize, usize)> + use<> {
    let lengths: Vec<usize> = lengths.iter().map(|&x| usize::try_from(x).expect("a negative number")).collect();
    lists::steps(&lengths).into_iter()
}

/// Sum returns the sum of lengths that are not below a least one.
#[rustgo::export(int = "usize")]
pub fn sum(lengths: &[isize], least: Option<&isize>) -> usize {
    let lengths: Vec<usize> = lengths.iter().map(|&x| usize::try_from(x).expect("a negative number")).collect();
    lists::sum(lengths, least.map(|&x| usize::try_from(x).expect("a negative number")))
}

/// Applied applies a function to a length.
#[rustgo::export(int = "usize")]
pub fn applied(length: usize, f: Func<'_, fn(isize) -> isize>) -> usize {
    lists::applied(length, |x0| usize::try_from(f.call(isize::try_from(x0).expect("the number is too large for Go"))).expect("a negative number"))
}

/// First returns the first word.
#[rustgo::export]
pub fn first(text: &str) -> Span {
    Span::from(lists::first(text))
}

/// CountWords counts words.
#[rustgo::export]
pub fn count_words(text: &str) -> Words {
    Words::from(lists::count_words(text))
}

/// Find returns the range of a word.
#[rustgo::export(int = "usize")]
pub fn find(text: &str, word: &str) -> Option<(usize, usize)> {
    lists::find(text, word).map(|x| { let range = &x; (range.start, range.end) })
}

/// Ranges returns the ranges of a letter.
#[rustgo::export(int = "usize")]
pub fn ranges(text: &str, of: char) -> impl Iterator<Item = (usize, usize)> {
    lists::ranges(text, of).map(|x| { let range = &x; (range.start, range.end) })
}

/// EscapeOf returns the way for a name.
#[rustgo::export]
pub fn escape_of(name: &str) -> Escape {
    Escape(lists::escape_of(name))
}

/// Check checks a pattern.
#[rustgo::export]
pub fn check(pattern: &str) -> Result<(), PatternError> {
    lists::check(pattern).map_err(PatternError::from)
}

/// Open opens an archive.
#[rustgo::export]
pub fn open(name: &str) -> Result<(), ArchiveError> {
    lists::open(name).map_err(ArchiveError::from)
}

/// Fail fails with an error that must stay on its thread.
#[rustgo::export]
pub fn fail(text: &str) -> Result<(), Box<dyn std::error::Error>> {
    lists::fail(text)
}

/// Longest returns the length of the longest pattern.
#[rustgo::export(int = "usize")]
pub fn longest(patterns: Slices<'_, u8>) -> usize {
    lists::longest(patterns.iter())
}

/// Joined joins parts.
#[rustgo::export]
pub fn joined(parts: Slices<'_, u8>) -> Vec<u8> {
    let parts: Vec<_> = parts.iter().collect();
    lists::joined(&parts)
}

/// Lined joins lines.
#[rustgo::export]
pub fn lined(lines: Slices<'_, u8>) -> Vec<u8> {
    let lines: Vec<_> = lines.iter().map(<[_]>::to_vec).collect();
    lists::lined(lines)
}

/// Count counts the letters of a text.
#[rustgo::export(int = "usize")]
pub fn count(input: &[u8], letter: u8) -> usize {
    lists::count(input, letter)
}

/// Large writes texts large.
#[rustgo::export]
pub fn large(texts: Strs<'_>) -> String {
    lists::large(texts.iter())
}

/// WriteTo writes a text to a writer.
#[rustgo::export]
pub fn write_to(to: Writer<'_>, text: &str) -> Result<(), std::io::Error> {
    let mut to = to;
    lists::write_to(&mut to, text)
}

/// Called calls a function for a number.
#[rustgo::export]
pub fn called(f: Func<'_, fn(u8) -> u8>, with: u8) -> u8 {
    lists::called(&|x0| f.call(x0), with)
}

/// Chained joins the texts of an iterator.
#[rustgo::export]
pub fn chained(texts: Strs<'_>) -> String {
    lists::chained(texts.iter())
}

/// NewPage returns a page.
#[rustgo::export]
pub fn new_page(title: &str) -> Page {
    Page(lists::page(title))
}

/// Named returns a label for a name.
#[rustgo::export]
pub fn named(name: String) -> Label {
    Label(lists::named(name))
}

/// LabelOf returns a label for a text.
#[rustgo::export]
pub fn label_of(name: String) -> Label {
    Label(lists::label_of(name.into()))
}

/// Times repeats a text.
#[rustgo::export]
pub fn times(text: &str, times: u8) -> Result<String, std::fmt::Error> {
    match lists::times(text, times) { shown => { let mut out = String::new(); std::fmt::write(&mut out, format_args!("{shown}")).map(|()| out) } }
}

/// Half returns a half.
#[rustgo::export]
pub fn half(x: f64) -> f64 {
    lists::Half::half(x)
}

/// ByteHalf returns a half.
#[rustgo::export]
pub fn byte_half(b: u8) -> u8 {
    lists::Half::half(b)
}

// Texts of the crate's examples and tests. go test passes these and other arguments to functions.
#[cfg(test)]
const _: [&str; 1] = [
    "a star",
];

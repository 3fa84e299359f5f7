// Proposed by rustgo get for edges 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:711ec43e1f075f4eb62d3ae4f150b8d2defa8f73e3cbe82b9ce3a5c011c30025

//! Package edges is the Rust crate edges 1.2.3.
//!
//! Names and types at the edges of what can cross.

/// Site is the site.
#[rustgo::export]
pub const SITE: &str = edges::SITE;

/// Angle is an angle. Angles that differ by full turns are equal.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Angle {
    /// Degrees is the angle in degrees.
    pub degrees: i32,
    /// Deprecated: it is always 1.
    pub scale: i32,
}

#[rustgo::export]
impl Angle {
    pub fn new(degrees: i32) -> Angle {
        Angle::from(edges::Angle::new(degrees))
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: Self) -> bool {
        edges::Angle::from(*self) == edges::Angle::from(other)
    }
}

#[allow(deprecated)]
impl From<edges::Angle> for Angle {
    fn from(value: edges::Angle) -> Self {
        Angle { degrees: value.degrees, scale: value.scale }
    }
}

#[allow(deprecated)]
impl From<Angle> for edges::Angle {
    fn from(value: Angle) -> Self {
        edges::Angle { degrees: value.degrees, scale: value.scale }
    }
}

/// Reader counts bytes.
#[rustgo::object]
pub struct Reader(edges::Reader);

#[rustgo::export]
impl Reader {
    /// NewReader returns the default Reader.
    pub fn new() -> Reader {
        Reader(edges::Reader::default())
    }

    /// Gen returns a number.
    pub fn r#gen(&self, in_: u8) -> u8 {
        self.0.r#gen(in_)
    }

    /// Type returns the field type.
    pub fn r#type(&self) -> u8 {
        self.0.r#type
    }

    /// SetType sets the field type.
    pub fn set_type(&mut self, type_: u8) {
        self.0.r#type = type_;
    }
}

/// Writer writes numbers.
#[rustgo::object]
pub struct Writer(edges::Writer);

#[rustgo::export]
impl Writer {
    /// NewWriter returns the default Writer.
    pub fn new() -> Writer {
        Writer(edges::Writer::default())
    }

    /// Value0 returns the field 0.
    pub fn value0(&self) -> u8 {
        self.0.0
    }

    /// Value1 returns the field 1.
    pub fn value1(&self) -> u16 {
        self.0.1
    }

    /// Value2 returns the field 2.
    pub fn value2(&self) -> &str {
        self.0.2.as_str()
    }

    /// SetValue0 sets the field 0.
    pub fn set_value0(&mut self, value: u8) {
        self.0.0 = value;
    }

    /// SetValue1 sets the field 1.
    pub fn set_value1(&mut self, value: u16) {
        self.0.1 = value;
    }

    /// SetValue2 sets the field 2.
    pub fn set_value2(&mut self, value: String) {
        self.0.2 = value;
    }
}

/// Func calls functions.
#[rustgo::object]
#[derive(Clone)]
pub struct Func(edges::Func);

#[rustgo::export]
impl Func {
    /// NewFunc returns the default Func.
    pub fn new() -> Func {
        Func(edges::Func::default())
    }

    /// Sum calls a function with each number.
    pub fn sum(&self, up_to: u8, f: rustgo::Func<'_, fn(u8) -> u32>) -> u32 {
        self.0.sum(up_to, |x0| f.call(x0))
    }
}

/// Token is a part of a text.
#[rustgo::object]
#[derive(Clone)]
pub struct Token(edges::Token);

#[rustgo::export]
impl Token {
    /// Kind returns the variant of this Token.
    pub fn kind(&self) -> TokenKind {
        match &self.0 { edges::Token::End { .. } => TokenKind::End, edges::Token::Number { .. } => TokenKind::Number, edges::Token::Word { .. } => TokenKind::Word, edges::Token::Pair(..) => TokenKind::Pair, _ => unreachable!("this variant is newer than the wrapper: run rustgo update") }
    }

    /// AsNumber0 returns a part of the value, or false if the value is not Number.
    pub fn as_number_0(&self) -> Option<i64> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Token::Number { 0: x, .. } => Some(*x), _ => None }
    }

    /// AsNumber1 returns a part of the value, or false if the value is not Number.
    pub fn as_number_1(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Token::Number { 1: x, .. } => Some(*x), _ => None }
    }

    /// AsWordType returns a part of the value, or false if the value is not Word.
    pub fn as_word_type(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Token::Word { r#type: x, .. } => Some(*x), _ => None }
    }

    /// AsWordText returns a part of the value, or false if the value is not Word.
    pub fn as_word_text(&self) -> Option<String> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Token::Word { text: x, .. } => Some(x.clone()), _ => None }
    }

    /// AsPair0 returns a part of the value, or false if the value is not Pair.
    pub fn as_pair_0(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Token::Pair(x, ..) => Some(*x), _ => None }
    }
}

/// TokenKind says which Token a value is.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum TokenKind {
    End,
    Number,
    Word,
    Pair,
}

/// Page is the size of a page.
#[rustgo::object]
#[derive(Clone)]
pub struct Page(edges::Page);

#[rustgo::export]
impl Page {
    /// PageSmall returns the Page Small.
    pub fn small() -> Self {
        Page(edges::Page::Small)
    }

    /// Kind returns the variant of this Page.
    pub fn kind(&self) -> PageKind {
        match &self.0 { edges::Page::Small => PageKind::Small, edges::Page::Large { .. } => PageKind::Large, _ => unreachable!("this variant is newer than the wrapper: run rustgo update") }
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// PageKind says which Page a value is.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum PageKind {
    Small,
    Large,
}

/// Size is a size that may get more parts.
#[rustgo::object]
#[derive(Clone)]
pub struct Size(edges::Size);

#[rustgo::export]
impl Size {
    /// Width returns the field width.
    pub fn width(&self) -> u32 {
        self.0.width
    }

    /// SetWidth sets the field width.
    pub fn set_width(&mut self, width: u32) {
        self.0.width = width;
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Why there is no page.
#[derive(Debug, rustgo::Error)]
pub enum PageError {
    Missing {
        #[rustgo(skip)]
        original: edges::PageError,
    },
    Torn {
        #[rustgo(skip)]
        original: edges::PageError,
    },
}

impl From<edges::PageError> for PageError {
    fn from(original: edges::PageError) -> Self {
        match &original { edges::PageError::Missing => { PageError::Missing { original } }, edges::PageError::Torn { .. } => { PageError::Torn { original } } }
    }
}

impl PageError {
    fn original(&self) -> &edges::PageError {
        match self { PageError::Missing { original, .. } | PageError::Torn { original, .. } => original }
    }
}

impl std::fmt::Display for PageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for PageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Why a text is refused.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct TextError {
    pub error_value: u8,
    /// Line returns the line.
    pub line: usize,
    #[rustgo(skip)]
    original: edges::TextError,
}

impl From<edges::TextError> for TextError {
    fn from(original: edges::TextError) -> Self {
        let error_value = original.error; let line = original.line(); TextError { error_value, line, original }
    }
}

impl TextError {
    fn original(&self) -> &edges::TextError {
        &self.original
    }
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for TextError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Why a book is refused.
#[derive(Debug, rustgo::Error)]
pub enum BookError {
    Empty {
        #[rustgo(skip)]
        original: edges::BookError,
    },
    Page {
        number: u32,
        r#type: u8,
        #[rustgo(skip)]
        original: edges::BookError,
    },
    Weight {
        value1: u8,
        #[rustgo(skip)]
        original: edges::BookError,
    },
}

impl From<edges::BookError> for BookError {
    fn from(original: edges::BookError) -> Self {
        match &original { edges::BookError::Empty { .. } => { BookError::Empty { original } }, edges::BookError::Page { number: x_number, r#type: x_type, .. } => { let number = *x_number; let r#type = *x_type; BookError::Page { number, r#type, original } }, edges::BookError::Weight(_, x1, ..) => { let value1 = *x1; BookError::Weight { value1, original } }, _ => unreachable!("this variant is newer than the wrapper: run rustgo update") }
    }
}

impl BookError {
    fn original(&self) -> &edges::BookError {
        match self { BookError::Empty { original, .. } | BookError::Page { original, .. } | BookError::Weight { original, .. } => original }
    }
}

impl std::fmt::Display for BookError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Shape is a shape whose kind has another meaning.
#[rustgo::object]
#[derive(Clone)]
pub struct Shape(edges::Shape);

#[rustgo::export]
impl Shape {
    /// NewShape makes a shape.
    pub fn new(size: u8) -> Shape {
        Shape(edges::Shape::new(size))
    }

    /// ShapeRound returns the Shape Round.
    pub fn round(value: u8) -> Self {
        Shape(edges::Shape::Round(value))
    }

    /// ShapeLong returns the Shape Long.
    pub fn long(value0: u8, value1: u8) -> Self {
        Shape(edges::Shape::Long(value0, value1))
    }

    /// Kind returns a word.
    pub fn kind(&self) -> &'static str {
        self.0.kind()
    }

    /// AsRound returns a part of the value, or false if the value is not Round.
    pub fn as_round(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Shape::Round(x, ..) => Some(*x), _ => None }
    }

    /// AsLong0 returns a part of the value, or false if the value is not Long.
    pub fn as_long_0(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Shape::Long(x, ..) => Some(*x), _ => None }
    }

    /// AsLong1 returns a part of the value, or false if the value is not Long.
    pub fn as_long_1(&self) -> Option<u8> {
        #[allow(unreachable_patterns)]
        match &self.0 { edges::Shape::Long(_, x, ..) => Some(*x), _ => None }
    }

    /// Parts returns the number of parts.
    pub fn parts(&self) -> u8 {
        edges::Sized2::parts(&self.0)
    }
}

/// Mark is a mark.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Mark {
    pub value: u8,
}

#[rustgo::export]
impl Mark {
    /// NewMark returns the default Mark.
    pub fn new() -> Mark {
        Mark::from(edges::Mark::default())
    }
}

impl From<edges::Mark> for Mark {
    fn from(value: edges::Mark) -> Self {
        Mark { value: value.0 }
    }
}

impl From<Mark> for edges::Mark {
    fn from(value: Mark) -> Self {
        edges::Mark { 0: value.value }
    }
}

impl From<&edges::Mark> for Mark {
    fn from(value: &edges::Mark) -> Self {
        Mark { value: value.0 }
    }
}

/// TextString is a text.
#[rustgo::object]
#[derive(Clone)]
pub struct TextString(edges::text::String);

#[rustgo::export]
impl TextString {
    /// TextStringOf makes a text.
    pub fn of(text: &str) -> TextString {
        TextString(edges::text::String::of(text))
    }

    /// NewTextString returns the default TextString.
    pub fn new() -> TextString {
        TextString(edges::text::String::default())
    }

    /// Count returns the number of characters.
    pub fn count(&self) -> u32 {
        self.0.count()
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// NewToken returns a token.
#[rustgo::export]
pub fn new_token(of: &str) -> Token {
    Token(edges::token(of))
}

/// NewPage returns a page.
#[rustgo::export]
pub fn new_page(large: bool) -> Page {
    Page(edges::page(large))
}

/// NewSize returns a size.
#[rustgo::export]
pub fn new_size(width: u32) -> Size {
    Size(edges::size(width))
}

/// Turn turns to a page.
#[rustgo::export]
pub fn turn(to: i8) -> Result<Page, PageError> {
    edges::turn(to).map(Page).map_err(PageError::from)
}

/// Check checks a book.
#[rustgo::export]
pub fn check(pages: u32) -> Result<(), BookError> {
    edges::check(pages).map_err(BookError::from)
}

/// CheckText checks a text.
#[rustgo::export(int = "usize")]
pub fn check_text(line: usize) -> Result<(), TextError> {
    edges::check_text(line).map_err(TextError::from)
}

/// Most is the largest number of pages.
#[rustgo::export]
pub fn most() -> u32 {
    edges::MOST
}

/// SmallSize is a small size.
#[rustgo::export]
pub fn small_size() -> Size {
    Size(edges::SMALL_SIZE)
}

/// Double doubles a number.
#[rustgo::export]
pub fn double(n: f64) -> f64 {
    edges::double(n)
}

/// Letters returns the letters of a text.
#[rustgo::export]
pub fn letters(text: &str) -> String {
    edges::letters(text).collect()
}

/// Names is the names of pages.
#[rustgo::export]
pub fn names() -> Vec<String> {
    edges::NAMES.into_iter().map(|x| x.to_owned()).collect()
}

/// Widest returns the largest number of degrees.
#[rustgo::export]
pub fn widest(angles: &[Angle], other: Option<&Angle>) -> i32 {
    let angles: Vec<edges::Angle> = angles.iter().map(|&x| x.into()).collect();
    edges::widest(&angles, other.map(|&other| edges::Angle::from(other)))
}

/// Distinct counts the different bytes of a text.
#[rustgo::export(int = "usize")]
pub fn distinct(text: &str) -> usize {
    edges::distinct(text)
}

/// Now returns the time.
///
/// The time is in seconds and nanoseconds since 1970, as in time.Unix.
#[rustgo::export]
pub fn now() -> (i64, i64) {
    match edges::now().duration_since(std::time::UNIX_EPOCH) { Ok(after) => (after.as_secs() as i64, i64::from(after.subsec_nanos())), Err(before) => (-(before.duration().as_secs() as i64), -i64::from(before.duration().subsec_nanos())) }
}

/// FromHTML has a name of another style.
#[rustgo::export(int = "usize")]
#[allow(non_snake_case)]
pub fn fromHTML(text: &str) -> usize {
    edges::fromHTML(text)
}

/// Match returns 1.
#[rustgo::export]
pub fn r#match() -> u8 {
    edges::r#try::r#match()
}

/// SizesSmallSize is a size of another module.
#[rustgo::export]
pub fn sizes_small_size() -> Size {
    Size(edges::sizes::SMALL_SIZE)
}

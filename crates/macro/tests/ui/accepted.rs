//! Everything that the attributes and derives accept, in a crate with the strictest lints.
#![forbid(unsafe_code, unused, nonstandard_style, unexpected_cfgs, unused_lifetimes, single_use_lifetimes, let_underscore_drop, elided_lifetimes_in_paths)]
#![deny(warnings, missing_docs, trivial_casts, missing_debug_implementations)]

mod exports {
    /// An alias of an array, as a parameter type.
    pub(crate) type Key = [u8; 32];
    /// An alias of a reference, as a parameter type.
    pub(crate) type Shared<'a> = &'a Key;
    /// An alias of a tuple, as a result type.
    pub(crate) type Pair = (u64, bool);

    #[rustgo::export]
    fn scalars(_a: u8, _b: i64, _c: usize, _d: f32, _e: bool, _f: char) -> Pair {
        (1, true)
    }

    #[rustgo::export(name = "Memory", stack = "64k",)]
    fn memory(dst: &mut Key, k: Shared<'_>, _many: &[[u8; 32]; 4], _more: &mut [[i16; 2]], _text: &str, _runes: &[char]) {
        *dst = *k;
    }

    #[rustgo::export(name = "Größe")]
    fn eight(#[allow(clippy::all)] _x: u8) -> (u8, i8, u16, i16, u32, i32, u64, char) {
        (1, 2, 3, 4, 5, 6, 7, '8')
    }

    /// Rust's name for a Go type that the generated Go package declares.
    #[rustgo::go_type]
    pub(crate) enum Task {}

    /// Rust's name for a pointer to a Go type.
    #[rustgo::go_type("*net/http.Request")]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum Request {}

    /// A trait that becomes a Go interface. Rust may keep its values.
    #[rustgo::interface(name = "Größe")]
    pub(crate) trait Sized2: Send + Sync + 'static + core::fmt::Debug {
        /// The type's size.
        fn r#type(&self, r#match: &str, _: u8, _list: &[u16], text: String) -> Result<(u8, String), rustgo::GoError>;
        #[must_use]
        #[deprecated]
        fn old(&self) -> Option<u8>;
        #[rustgo(name = "Other")]
        fn nothing(&self);
        /// A method of Rust's own.
        fn body<T>(&self, x: T) -> T
        where
            Self: Sized,
        {
            self.nothing();
            x
        }
    }

    /// A trait that becomes a Go interface. Rust uses its values only during a call.
    #[rustgo::interface]
    pub(crate) trait Lent {
        fn four(&self, a: u8, b: &str, c: Vec<String>, d: [char; 2]) -> [u8; 3];
    }

    #[rustgo::interface]
    #[cfg(any())]
    pub(crate) trait Lent {
        fn four(&self, x: NotHere);
    }

    #[rustgo::export]
    fn values_of_go(lent: rustgo::Go<'_, dyn Lent>, kept: Option<rustgo::OwnedGo<dyn Sized2>>, _more: rustgo::OwnedGo<dyn Lent>) -> u8 {
        let borrowed: &dyn Lent = &lent;
        if let Some(kept) = kept {
            kept.body(());
            let boxed: Box<dyn Sized2> = Box::new(kept);
            boxed.nothing();
            #[allow(deprecated)]
            let old = boxed.old();
            if old.is_none() && boxed.r#type("", 0, &[], String::new()).is_err() {
                return 0;
            }
        }
        borrowed.four(1, "", Vec::new(), ['a', 'b'])[0]
    }

    #[rustgo::go_type("NotHere")]
    #[cfg(any())]
    pub(crate) enum Request {}

    /// An alias of a handle.
    pub(crate) type Number = rustgo::Handle<Task>;

    #[rustgo::export]
    fn handles(
        _a: rustgo::Handle<Task>,
        b: Option<Number>,
        _c: &[Number],
        _d: &mut [Option<rustgo::Handle<Request>>; 4],
        _e: rustgo::Handle,
    ) -> (Option<Number>, Number) {
        (b, _a)
    }

    #[rustgo::export]
    fn single(_a: &u8, b: &mut u64, _c: Option<&Key>, _d: Option<&mut [[char; 2]; 3]>, _e: &mut Number, _f: &Option<Number>) {
        *b += 1;
    }

    #[rustgo::export(results(quotient, r#type, ok), stack = "4k")]
    fn maybe(a: u32) -> Option<(u32, i8)> {
        Some((a, 1))
    }

    #[rustgo::export(results(first, ok,))]
    fn maybe_one() -> Option<char> {
        None
    }

    #[rustgo::export(results(a, b))]
    fn named() -> Pair {
        (1, true)
    }

    #[rustgo::export]
    const fn nothing() {}

    #[rustgo::export]
    #[cfg(any())]
    fn elsewhere(x: NotHere) {}

    #[rustgo::export(blocking, stack = "64k")]
    fn lasts() {}

    #[rustgo::export(task, stack = "2m", panic = "abandon")]
    fn recurses() {}

    #[rustgo::export(blocking_over = 4_096)]
    fn lasts_over(_data: &[u8], _key: Shared<'_>) {}

    #[rustgo::export]
    #[deprecated]
    fn old() {}

    /// Functions and parameters with names that generated code could use.
    pub(crate) mod names {
        #[rustgo::export]
        fn check(layout: u8, args: &[u8]) -> u8 {
            layout + args.len() as u8
        }

        #[rustgo::export]
        fn layout(results: u8, value0: u8, check: u8) -> u8 {
            results + value0 + check
        }

        #[rustgo::export]
        fn args(borrowed: u8) -> u8 {
            borrowed
        }

        #[rustgo::export]
        fn assert(_x: u8) {}

        #[rustgo::export]
        fn borrowed(_x: u8) {}

        #[rustgo::export]
        fn record(_record: u8) {}

        #[rustgo::export]
        fn take(_take: u8) {}
    }

    /// A function with an exported function inside it.
    pub(crate) fn outer() {
        type Local = u16;
        #[rustgo::export]
        fn inner(x: Local) -> Local {
            x
        }
    }
}

/// Values, constants and errors that cross to Go.
pub(crate) mod values {
    use std::fmt;
    use std::marker::PhantomData;

    /// Plain data that becomes a Go struct.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(C)]
    pub(crate) struct Point {
        /// A comment that the lint missing_docs demands.
        pub x: f64,
        /// A comment that the lint missing_docs demands.
        #[rustgo(name = "Kind")]
        pub r#type: Color,
        /// A comment that the lint missing_docs demands.
        pub rest: [u8; 3],
        /// A comment that the lint missing_docs demands.
        pub nothing: [u8; 0],
        /// A comment that the lint missing_docs demands.
        pub unit: (),
        /// A comment that the lint missing_docs demands.
        pub of: PhantomData<str>,
    }

    /// An enum that becomes a number type in Go.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(i16)]
    pub(crate) enum Color {
        /// A comment that the lint missing_docs demands.
        Red = -3,
        /// A comment that the lint missing_docs demands.
        #[rustgo(name = "Green")]
        Green,
    }

    /// A struct without fields.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(C)]
    pub(crate) struct Nothing {}

    /// A transparent struct, which has the layout of its field.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(transparent)]
    #[rustgo(name = "Number")]
    pub(crate) struct Wrapped {
        /// A comment that the lint missing_docs demands.
        pub number: u32,
    }

    /// Maximum is exported as a Go constant.
    #[rustgo::export]
    pub(crate) const MAXIMUM: u32 = 5;

    /// Name is exported as a Go variable of type string.
    #[rustgo::export(name = "Name")]
    pub(crate) static NAME: &str = "name";

    /// Origin is exported as a Go variable with a padded struct.
    #[rustgo::export]
    pub(crate) static ORIGIN: [Point; 1] = [Point { x: 0.0, r#type: Color::Red, rest: [1; 3], nothing: [], unit: (), of: PhantomData }];

    #[rustgo::export]
    impl Point {
        /// New makes a point.
        pub fn new(x: f64) -> Self {
            Self { x, ..ORIGIN[0] }
        }

        /// Norm returns the first coordinate.
        pub fn norm(&self) -> f64 {
            self.x
        }

        /// Scale multiplies the first coordinate.
        pub fn scale(&mut self, by: f64, like: Option<&Self>) {
            self.x *= by * like.map_or(1.0, |like| like.x);
        }

        /// Moved returns the point at another place.
        #[rustgo::export(name = "MovedBy")]
        pub fn moved(mut self, by: f64, _a: &[Self], _b: [Self; 2], _c: Option<&mut Self>) -> Self {
            self.x += by;
            self
        }

        /// Skipped is not exported: Go cannot call a generic function.
        #[rustgo(skip)]
        pub fn skipped<T>(_x: T) {}

        /// Rest returns memory of the point itself.
        pub fn rest(&self) -> &[u8] {
            &self.rest
        }
    }

    /// Colors has parameters of all the value types.
    #[rustgo::export]
    pub(crate) fn colors(colors: &[Color], color: Color, _a: &mut Color, _b: Nothing, _c: &Wrapped) -> (Color, bool) {
        (color, colors.is_empty())
    }

    /// An error enum without fields, which becomes a number type in Go.
    #[derive(Clone, Copy, Debug, rustgo::Error)]
    #[rustgo(name = "ParseFailure")]
    pub(crate) enum ParseError {
        /// A comment that the lint missing_docs demands.
        Empty,
        /// A comment that the lint missing_docs demands.
        #[rustgo(name = "ErrTooLong")]
        TooLong,
    }

    impl fmt::Display for ParseError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    /// An error struct with fields.
    #[derive(Debug, rustgo::Error)]
    pub(crate) struct SyntaxError {
        /// A comment that the lint missing_docs demands.
        pub line: usize,
        /// A comment that the lint missing_docs demands.
        pub near: String,
        /// A comment that the lint missing_docs demands.
        pub r#in: Vec<Vec<&'static str>>,
    }

    impl fmt::Display for SyntaxError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", self.line)
        }
    }

    /// An error enum in which one variant has fields.
    #[derive(Debug, rustgo::Error)]
    pub(crate) enum LoadError {
        /// A comment that the lint missing_docs demands.
        Missing,
        /// A comment that the lint missing_docs demands.
        Bad {
            /// A comment that the lint missing_docs demands.
            at: Point,
            /// A comment that the lint missing_docs demands.
            text: &'static str,
        },
    }

    impl fmt::Display for LoadError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    impl std::error::Error for LoadError {}

    /// An error that borrows. Go gets only its text.
    #[derive(Debug)]
    pub(crate) struct Borrowing<'a>(&'a str);

    impl fmt::Display for Borrowing<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }
}

/// Other crates' derives with the names of rustgo's derives, above an object.
pub(crate) mod named_alike {
    use std::fmt::Debug as Error;
    use std::hash::Hash as Value;

    /// An object with derives that are not rustgo's.
    #[rustgo::object]
    #[derive(Error, Value)]
    pub(crate) struct Object(u8);
}

/// Deprecated items, which can be exported.
pub(crate) mod old {
    #![deny(deprecated)]
    use std::fmt;

    /// A deprecated object.
    #[deprecated = "take another"]
    #[rustgo::object(close, exclusive)]
    #[derive(Clone, Debug)]
    pub(crate) struct Object(u8);

    #[rustgo::export]
    #[allow(deprecated)]
    impl Object {
        /// New makes an object.
        pub fn new(x: u8) -> Self {
            Self(x)
        }

        /// Get returns the object's number.
        pub fn get(&self, _other: Option<&Object>) -> u8 {
            self.0
        }
    }

    /// Rust's name for a deprecated Go type.
    #[rustgo::go_type]
    #[deprecated]
    pub(crate) enum Task {}

    #[rustgo::export]
    #[allow(deprecated)]
    fn tasks(_task: rustgo::Handle<Task>) {}

    /// A deprecated object whose value lives in Go's memory.
    #[rustgo::object(inline)]
    #[derive(Clone, Copy, Debug, Default)]
    #[deprecated]
    pub(crate) struct Inline(u64);

    #[rustgo::export]
    #[allow(missing_docs, deprecated)]
    fn inline(x: &Inline) -> u64 {
        x.0
    }

    /// A deprecated value.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(C)]
    #[deprecated]
    pub(crate) struct Value {
        /// A comment that the lint missing_docs demands.
        pub x: u8,
    }

    /// A value with deprecated fields.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(C)]
    #[allow(deprecated)]
    pub(crate) struct Parts {
        /// A comment that the lint missing_docs demands.
        #[deprecated]
        pub x: u8,
        /// A comment that the lint missing_docs demands.
        pub value: Value,
    }

    /// Origin is exported as a Go variable of a deprecated type.
    #[rustgo::export]
    #[allow(deprecated)]
    pub(crate) const ORIGIN: Parts = Parts { x: 1, value: Value { x: 1 } };

    /// A value with one deprecated field.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(C)]
    pub(crate) struct Part {
        /// A comment that the lint missing_docs demands.
        #[deprecated]
        pub x: u8,
    }

    /// An enum with a deprecated variant.
    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(u8)]
    pub(crate) enum Number {
        /// A comment that the lint missing_docs demands.
        #[deprecated]
        One,
        /// A comment that the lint missing_docs demands.
        Two,
    }

    #[rustgo::export]
    fn numbers(x: Number) -> Number {
        if matches!(x, Number::Two) { x } else { Number::Two }
    }

    /// A deprecated error without fields.
    #[derive(Clone, Copy, Debug, rustgo::Error)]
    #[deprecated]
    pub(crate) enum Numbered {
        /// A comment that the lint missing_docs demands.
        Bad,
    }

    #[allow(deprecated)]
    impl fmt::Display for Numbered {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("bad")
        }
    }

    #[rustgo::export]
    #[allow(deprecated)]
    fn fails() -> Result<u8, Numbered> {
        Err(Numbered::Bad)
    }

    /// A deprecated error with fields.
    #[derive(Clone, Debug, rustgo::Error)]
    #[deprecated]
    pub(crate) enum Fielded {
        /// A comment that the lint missing_docs demands.
        Bad {
            /// A comment that the lint missing_docs demands.
            #[deprecated]
            at: u64,
        },
    }

    #[allow(deprecated)]
    impl fmt::Display for Fielded {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("bad")
        }
    }

    #[rustgo::export]
    #[allow(deprecated)]
    fn fails_with_fields() -> Result<u8, Fielded> {
        Err(Fielded::Bad { at: 1 })
    }
}

/// Functions with every kind of result.
pub(crate) mod results {
    use super::values::{Borrowing, Color, LoadError, ParseError, Point, SyntaxError};
    use std::borrow::Cow;
    use std::error::Error;

    /// An alias of a result type with a default error type.
    pub(crate) type Result<T, E = Box<dyn Error + Send + Sync>> = core::result::Result<T, E>;

    #[rustgo::export]
    fn owned() -> (String, Vec<u8>, Box<[u16]>, Box<str>, Vec<String>, Vec<Vec<Point>>) {
        Default::default()
    }

    #[rustgo::export]
    fn cows(x: &str) -> (Cow<'_, str>, Cow<'_, [u8]>) {
        (x.into(), x.as_bytes().into())
    }

    #[rustgo::export]
    fn optional() -> Option<String> {
        None
    }

    #[rustgo::export]
    fn optional_bytes() -> Option<Cow<'static, [u8]>> {
        None
    }

    #[rustgo::export]
    fn borrowed<'a>(x: &'a str, _other: &str, all: &'a [Point]) -> (&'a str, &'a [Point]) {
        (x, all)
    }

    #[rustgo::export]
    fn forever() -> (&'static str, &'static [Color]) {
        ("", &[])
    }

    #[rustgo::export]
    fn written(x: &mut [u8]) -> &[u8] {
        x
    }

    #[rustgo::export]
    fn lists(x: &str) -> Vec<&str> {
        x.split(' ').collect()
    }

    #[rustgo::export(results(value, ok, err))]
    fn numbered() -> Result<Option<u8>, ParseError> {
        Err(ParseError::Empty)
    }

    #[rustgo::export(results(err))]
    fn structured() -> core::result::Result<(), SyntaxError> {
        Ok(())
    }

    #[rustgo::export(results(a, b, err))]
    fn pair() -> Result<(u8, String), LoadError> {
        Err(LoadError::Bad { at: Point::new(1.0), text: "" })
    }

    #[rustgo::export]
    fn optional_pair<'a>(x: &'a str) -> Result<Option<(u8, &'a str)>, Borrowing<'a>> {
        Ok(Some((1, x)))
    }

    #[rustgo::export]
    fn boxed() -> Result<Vec<u8>, Box<dyn Error>> {
        Err(LoadError::Missing)?;
        Ok(Vec::new())
    }

    #[rustgo::export]
    fn by_default() -> Result<[u8; 4]> {
        Ok([1; 4])
    }

    #[rustgo::export]
    fn alias() -> std::io::Result<String> {
        Ok(String::new())
    }

    #[rustgo::export]
    fn nothing() -> std::fmt::Result {
        Ok(())
    }

    #[rustgo::export]
    fn texts() -> Result<u8, String> {
        Ok(1)
    }

    #[rustgo::export]
    fn constant_text() -> Result<u8, &'static str> {
        Ok(1)
    }
}

/// Functions with further kinds of parameters.
pub(crate) mod parameters {
    use rustgo::{Append, GoStr, Slices, Strs};
    use std::fmt::Write;

    #[rustgo::export]
    fn views<'a>(texts: Strs<'a>, slices: Slices<'_, char>, text: GoStr<'_>) -> Option<&'a str> {
        texts.get(slices.len() + text.len())
    }

    #[rustgo::export]
    fn owned(text: String, list: Vec<i8>, texts: Vec<String>, array: [bool; 2]) -> usize {
        text.len() + list.len() + texts.len() + array.len()
    }

    #[rustgo::export]
    fn append(x: u8, dst: &mut Append<u8>) -> bool {
        write!(dst, "{x}").is_ok()
    }

    #[rustgo::export(int = "usize")]
    fn index(n: usize, of: &[usize]) -> Option<usize> {
        of.get(n).copied()
    }
}

/// Functions that return iterators.
pub(crate) mod iterators {
    #[rustgo::export]
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(' ')
    }

    #[rustgo::export]
    fn count(n: u64) -> impl ExactSizeIterator<Item = u32> + Send {
        (0..n as u32).into_iter()
    }

    #[rustgo::export(results(pairs))]
    fn pairs<'a>(text: &'a str, _more: Vec<u8>) -> impl DoubleEndedIterator<Item = (usize, char)> + 'a {
        text.char_indices()
    }

    #[rustgo::export]
    fn own(numbers: &[u8]) -> impl Iterator<Item = u8> + use<> {
        numbers.to_vec().into_iter()
    }

    #[rustgo::export]
    fn owns(numbers: &[u8]) -> impl Iterator<Item = String> + 'static + use<> {
        vec![String::new(); numbers.len()].into_iter()
    }
}

/// Objects with methods.
pub(crate) mod objects {
    use std::cell::Cell;
    use std::fmt;

    /// An object whose value lives in the Rust heap.
    #[rustgo::object(close, implements("fmt.Stringer", "io.Closer"), name = "Regexp")]
    #[derive(Clone, Debug)]
    pub(crate) struct Regex(String);

    impl fmt::Display for Regex {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }

    #[rustgo::export]
    impl Regex {
        /// New makes an object from a text.
        pub fn new(pattern: &str) -> Result<Self, fmt::Error> {
            Ok(Self(pattern.to_owned()))
        }

        /// Both returns an object and a number.
        pub fn both() -> (Self, u8) {
            (Self(String::new()), 1)
        }

        /// Maybe returns an object or none.
        pub fn maybe(&self) -> Option<Self> {
            None
        }

        /// All returns a list of objects.
        pub fn all(&self) -> Vec<Self> {
            Vec::new()
        }

        /// Pattern returns a text that the object owns.
        pub fn pattern(&self) -> &str {
            &self.0
        }

        /// Find returns a text that borrows from the parameter only.
        pub fn find<'h>(&self, text: &'h str) -> Option<&'h str> {
            text.contains(&self.0).then_some(text)
        }

        /// Matches returns an iterator that borrows from the object and the parameter.
        pub fn matches<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
            text.split(self.0.as_str())
        }

        /// Add changes the object and reads two others.
        pub fn add(&mut self, other: &Self, more: Option<&Regex>) {
            self.0.push_str(&other.0);
            self.0.push_str(more.map_or("", |more| &more.0));
        }

        /// `into_text` consumes the object.
        pub fn into_text(self) -> String {
            self.0
        }

        fn _private<T>(&self) {}
    }

    /// An object whose methods have arrays with associated constants as lengths.
    #[rustgo::object]
    #[derive(Debug)]
    pub(crate) struct Block(u8);

    impl Block {
        const LEN: usize = 4;
    }

    macro_rules! twice {
        ($len:expr) => {
            2 * $len
        };
    }

    #[rustgo::export]
    impl Block {
        /// Fill has arrays with constant expressions as lengths.
        pub fn fill(&self, _halves: &[[u8; Self::LEN / 2]], _wide: &mut [u8; size_of::<Self>() + <Self>::LEN]) -> [u8; Self::LEN] {
            [self.0; Self::LEN]
        }

        /// Each returns an iterator over arrays.
        pub fn each(&self, all: [u8; twice!(Self::LEN)]) -> impl Iterator<Item = ([u8; Self::LEN], u8)> + use<> {
            all.into_iter().map(|x| ([x; Self::LEN], x))
        }

        /// Parse returns an object and an array, or an error.
        pub fn parse(_text: &str) -> Result<(Self, [u8; Self::LEN]), fmt::Error> {
            Err(fmt::Error)
        }
    }

    #[rustgo::export]
    fn uses(a: &Regex, b: Option<&mut Regex>, c: Regex) -> usize {
        a.0.len() + b.map_or(0, |b| b.0.len()) + c.0.len()
    }

    /// An object that is not `Sync`, so every call locks it.
    #[rustgo::object(exclusive)]
    #[derive(Debug)]
    pub(crate) struct Counter(Cell<u8>);

    #[rustgo::export]
    impl Counter {
        /// Next increments the counter.
        pub fn next(&self) -> u8 {
            self.0.replace(self.0.get() + 1)
        }
    }

    /// An object whose value lives in Go's memory.
    #[rustgo::object(inline)]
    #[derive(Clone, Copy, Debug, Default)]
    #[repr(align(32))]
    pub(crate) struct Hasher([u64; 4]);

    #[rustgo::export]
    impl Hasher {
        /// New makes a hasher.
        pub fn new(seed: u64) -> Self {
            Self([seed; 4])
        }

        /// Write adds bytes to the hash.
        pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0[0] += bytes.len() as u64;
            Ok(bytes.len())
        }

        /// Sum returns the first word of the state.
        pub fn sum(&self) -> u64 {
            self.0[0]
        }

        /// Finish consumes the hasher.
        pub fn finish(self) -> u64 {
            self.0[1]
        }
    }

    /// An object that is an enum.
    #[rustgo::object]
    #[derive(Debug)]
    pub(crate) enum Shape {
        /// A comment that the lint missing_docs demands.
        Round(f64),
    }

    #[rustgo::export]
    impl Shape {
        /// New makes a circle.
        pub fn new() -> Self {
            Self::Round(1.0)
        }

        /// Area returns the square of the radius.
        pub fn area(&self) -> f64 {
            match self {
                Self::Round(radius) => radius * radius,
            }
        }
    }
}

fn main() {
    exports::outer();
    values::Point::skipped(1);
}

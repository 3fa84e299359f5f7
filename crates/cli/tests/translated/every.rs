//! Package every has functions of every kind that a translated crate can have.

use rustgo::{Append, GoStr, Handle, Slices, Strs};
use std::fmt;

/// Sum adds the numbers up.
#[rustgo::export]
pub fn sum(xs: &[u64]) -> u64 {
    xs.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}

/// Numbers returns its arguments, changed.
#[rustgo::export]
#[allow(clippy::too_many_arguments)]
pub fn numbers(a: u8, b: i16, c: u32, d: i64, e: f32, f: f64, g: bool, h: char) -> (u8, i16, u32, i64, f32, f64, bool, char) {
    (!a, -b, c.rotate_left(8), d - 1, e * 2.0, f / 2.0, !g, h.to_ascii_uppercase())
}

/// Sizes returns the words one larger.
#[rustgo::export]
pub fn sizes(a: usize, b: isize, c: &[usize]) -> (usize, isize, Vec<usize>) {
    (a + 1, b + 1, c.iter().map(|c| c + 1).collect())
}

/// Double doubles the numbers in place.
#[rustgo::export]
pub fn double(xs: &mut [u32]) {
    xs.iter_mut().for_each(|x| *x *= 2);
}

/// Xor combines dst with key.
#[rustgo::export]
pub fn xor(dst: &mut [u8; 4], key: &[u8; 4]) {
    dst.iter_mut().zip(key).for_each(|(d, k)| *d ^= k);
}

/// Maybe returns the number at p plus 1, or nothing if p is nil.
#[rustgo::export]
pub fn maybe(p: Option<&u32>) -> Option<u32> {
    p.map(|p| p + 1)
}

/// Upper returns the text in capitals.
#[rustgo::export]
pub fn upper(text: &str) -> String {
    text.to_uppercase()
}

/// Trim returns the text without white space around it.
#[rustgo::export]
pub fn trim(text: &str) -> &str {
    text.trim()
}

/// Tail returns the last n bytes of data.
#[rustgo::export]
pub fn tail(data: &[u16], n: usize) -> &[u16] {
    &data[data.len() - n..]
}

/// Bytes counts the bytes of a string that need not be UTF-8.
#[rustgo::export]
pub fn bytes(text: GoStr<'_>) -> usize {
    text.len()
}

/// Join joins the texts.
#[rustgo::export]
pub fn join(texts: Strs<'_>, lists: Slices<'_, u8>) -> (String, Vec<u8>) {
    let mut all = String::new();
    texts.iter().for_each(|text| all.push_str(text));
    let mut bytes = Vec::new();
    lists.iter().for_each(|list| bytes.extend_from_slice(list));
    (all, bytes)
}

/// Split returns the words of a text.
#[rustgo::export]
pub fn split(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// AppendHex appends the digits of x to dst.
#[rustgo::export]
pub fn append_hex(dst: &mut Append<u8>, x: u64) {
    use fmt::Write;
    write!(dst, "{x:x}").unwrap();
}

/// AppendTwice appends bytes to dst two times.
#[rustgo::export]
pub fn append_twice(dst: &mut Append<u8>, bytes: &[u8]) {
    dst.extend_from_slice(bytes);
    dst.extend_from_slice(bytes);
}

/// AppendBefore does the same as AppendTwice, but the bytes are its first parameter, and dst has numbers of 16 bits.
#[rustgo::export]
pub fn append_before(bytes: &[u8], dst: &mut Append<u16>) {
    bytes.iter().chain(bytes).for_each(|&byte| dst.push(byte.into()));
}

/// AppendTimes appends length bytes to elems. Generated code has variables with the names of these parameters.
#[rustgo::export]
pub fn append_times(elems: &mut Append<u8>, length: u8) {
    (0..length).for_each(|n| elems.push(n));
}

/// A Failure is an error of Go.
#[rustgo::go_type("error")]
pub enum Failure {}

/// Same returns the handle. The parameter has the name of a Go package.
#[rustgo::export]
pub fn same(handle: Handle<Failure>) -> Handle<Failure> {
    handle
}

/// Color is a colour.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Color {
    /// Red is 1.
    Red = 1,
    /// Blue is 2.
    Blue = 2,
}

/// Point is a point in a colour.
#[derive(Clone, Copy, Debug, rustgo::Value)]
#[repr(C)]
pub struct Point {
    /// X is the first coordinate.
    pub x: i32,
    /// Y is the second coordinate.
    pub y: i64,
    /// Color is the colour.
    pub color: Color,
    /// Marks are marks.
    pub marks: [u16; 3],
}

/// Mirror exchanges the coordinates of each point.
#[rustgo::export]
pub fn mirror(points: &mut [Point], first: Point) -> Point {
    for p in points.iter_mut() {
        (p.x, p.y) = (p.y as i32, i64::from(p.x));
        p.marks.reverse();
    }
    Point { color: if first.color == Color::Red { Color::Blue } else { Color::Red }, ..first }
}

/// Parse parses a number.
#[rustgo::export]
pub fn parse(text: &str) -> Result<i32, std::num::ParseIntError> {
    text.parse()
}

/// Fault says what is wrong.
#[derive(Debug, rustgo::Error)]
pub enum Fault {
    /// Empty says that there is nothing.
    Empty,
    /// Large says how large it is.
    Large {
        /// Size is the size.
        size: u64,
        /// Name is the name.
        name: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => write!(f, "nothing is there"),
            Fault::Large { size, name } => write!(f, "{name} is {size}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Check checks a list.
#[rustgo::export]
pub fn check(name: &str, data: &[u8]) -> Result<usize, Fault> {
    match data.len() {
        0 => Err(Fault::Empty),
        n if n > 3 => Err(Fault::Large { size: n as u64, name: name.to_owned() }),
        n => Ok(n),
    }
}

/// Kind is an error that is only a number.
#[derive(Clone, Copy, Debug, rustgo::Error)]
pub enum Kind {
    /// Odd says that a number is odd.
    Odd,
    /// Zero says that a number is zero.
    Zero,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Odd => "the number is odd",
            Kind::Zero => "the number is zero",
        })
    }
}

impl std::error::Error for Kind {}

/// Half halves a number.
#[rustgo::export]
pub fn half(n: u32) -> Result<u32, Kind> {
    match n {
        0 => Err(Kind::Zero),
        n if n % 2 == 1 => Err(Kind::Odd),
        n => Ok(n / 2),
    }
}

/// At returns an element, or panics.
#[rustgo::export]
pub fn at(xs: &[u8], i: usize) -> u8 {
    xs[i]
}

/// Deep returns n, which must be below 100. It has a stack budget.
#[rustgo::export(stack = "64k")]
pub fn deep(n: u32) -> u64 {
    assert!(n < 100, "too deep: {n}");
    u64::from(n)
}

/// Queue is a queue of texts.
#[rustgo::object]
pub struct Queue(Vec<String>);

#[rustgo::export]
impl Queue {
    /// Steps yields the numbers from 1 to at, and then panics. Each step adds a text to the queue.
    pub fn steps(&mut self, at: usize) -> impl Iterator<Item = usize> {
        let mut n = 0;
        std::iter::from_fn(move || {
            self.push("x");
            assert!(n < at, "step {n}");
            n += 1;
            Some(n)
        })
    }

    /// NewQueue makes a queue.
    pub fn new() -> Self {
        Queue(Vec::new())
    }

    /// Push adds a text, which must not be empty.
    pub fn push(&mut self, text: &str) {
        self.0.push(String::new());
        assert!(!text.is_empty(), "no text");
        *self.0.last_mut().unwrap() = text.to_owned();
    }

    /// Len returns the number of texts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Far returns 1 << 40, which is no uint on processors with 32 bits.
    pub fn far(&mut self) -> usize {
        1 << 40
    }

    /// Pop takes the last text.
    pub fn pop(&mut self) -> Option<String> {
        self.0.pop()
    }

    /// Texts yields the texts.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.0.iter().cloned()
    }

    /// Joined joins two queues and consumes the second one.
    pub fn joined(&self, other: Queue) -> String {
        self.0.concat() + &other.0.concat()
    }
}

/// Chars yields the characters of a text with their places.
#[rustgo::export]
pub fn chars(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices()
}

/// State counts.
#[rustgo::object(inline)]
#[derive(Clone, Copy, Default)]
pub struct State {
    n: u64,
}

#[rustgo::export]
impl State {
    /// Add counts.
    pub fn add(&mut self, n: u64) -> u64 {
        self.n += n;
        self.n
    }
}

/// Limit is a constant.
#[rustgo::export]
pub const LIMIT: u32 = 100;

/// Groups returns the groups of four bytes after the first byte.
#[rustgo::export]
pub fn groups(data: &[u8]) -> &[[u8; 4]] {
    data[1..].as_chunks::<4>().0
}

/// Labelled has a label after a word. On some processors, the word has 32 bits in Go.
#[derive(Clone, Copy, Debug, rustgo::Value)]
#[repr(C)]
pub struct Labelled {
    /// N is a word.
    pub n: usize,
    /// Label is the label.
    pub label: [u8; 8],
}

/// LabelOf returns the label without copying it.
#[rustgo::export]
pub fn label_of(of: &Labelled) -> &[u8] {
    &of.label
}

/// LastLabel returns the last label without its first byte, and does not copy it.
#[rustgo::export]
pub fn last_label(of: &[Labelled]) -> &[u8] {
    &of[of.len() - 1].label[1..]
}

/// Longest returns the longest of the texts.
#[rustgo::export]
pub fn longest(texts: Strs<'_>) -> &str {
    texts.iter().max_by_key(|text| text.len()).unwrap_or_default()
}

/// Pick copies characters.
#[rustgo::export]
pub fn pick(dst: &mut [char], src: &[char]) {
    dst[0] = src[0];
}

/// Reserve tells whether there is memory for n bytes.
#[rustgo::export]
pub fn reserve(n: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(n).is_ok()
}

/// Allocate allocates n bytes, or panics.
#[rustgo::export]
pub fn allocate(n: usize) -> usize {
    std::hint::black_box(Vec::<u8>::with_capacity(n)).capacity()
}

/// Panicking reports whether the thread is panicking. Go code that calls it always gets false.
#[rustgo::export]
pub fn panicking() -> bool {
    std::thread::panicking()
}

struct Worse;

impl fmt::Display for Worse {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("worse")
    }
}

/// PanicTwice panics while it formats the message of a panic.
#[rustgo::export]
pub fn panic_twice() {
    panic!("{Worse}")
}

/// Largest writes the largest word and drops the queue.
#[rustgo::export]
pub fn largest(xs: &mut [usize], queue: Queue) {
    xs[0] = usize::MAX;
    drop(queue);
}

/// LargestThenPanic writes the largest word and panics.
#[rustgo::export]
pub fn largest_then_panic(xs: &mut [usize]) {
    xs[0] = usize::MAX;
    panic!("after a large word");
}

/// Order returns the order of some keys in a HashSet.
#[rustgo::export]
pub fn order() -> Vec<u32> {
    (0..16).collect::<std::collections::HashSet<u32>>().into_iter().collect()
}

static DROPPED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// Counted counts the values that are dropped.
#[rustgo::object]
pub struct Counted(u8);

#[rustgo::export]
impl Counted {
    /// NewCounted makes a value.
    pub fn new() -> Self {
        Counted(1)
    }

    /// Dropped returns the number of dropped values.
    pub fn dropped(&self) -> u32 {
        DROPPED.load(std::sync::atomic::Ordering::Relaxed) + u32::from(self.0 == 0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Parts returns the bytes, the words and the characters of a text.
#[rustgo::export]
pub fn parts(text: &str) -> (Vec<u8>, Vec<String>, Vec<u32>) {
    (text.bytes().collect(), text.split(' ').map(str::to_owned).collect(), text.chars().map(u32::from).collect())
}

/// Helper names the function p64(x) in a text. The translated code has a function of this name.
#[rustgo::export]
pub fn helper() -> (String, String) {
    ("p64(x), \"p64(\"".to_owned(), "after it".to_owned())
}

/// A call is a type with the name of a variable of translated code.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "call")]
#[repr(C)]
pub struct Call {
    /// Id is a number.
    pub id: u32,
}

/// An at is another one.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "at")]
#[repr(u8)]
pub enum At {
    /// Here is here.
    Here = 1,
}

/// An v is another one.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "v")]
#[repr(C)]
pub struct V {
    /// Places are places.
    pub places: [At; 2],
}

/// CallsOf returns calls and places.
#[rustgo::export]
pub fn calls_of(calls: &[Call], v: V) -> (Vec<Call>, At, V) {
    (calls.iter().rev().copied().collect(), v.places[0], v)
}

/// Fail panics with this text.
#[rustgo::export]
pub fn fail(text: &str) {
    panic!("{text}!")
}

/// Overlapping has parameters that may overlap.
#[rustgo::export]
pub fn overlapping(a: &mut [u8], b: &mut [u8], c: &[u8]) -> usize {
    a.len() + b.len() + c.len()
}

/// Block is an object with 1 MiB of memory.
#[rustgo::object]
pub struct Block(Vec<u8>);

#[rustgo::export]
impl Block {
    /// NewBlock makes a block.
    pub fn new() -> Self {
        Block(Vec::with_capacity(1 << 20))
    }

    /// Size returns the size in bytes.
    pub fn size(&self) -> u32 {
        self.0.capacity() as u32
    }
}

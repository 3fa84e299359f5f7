//! An example of every row in the tables of docs/types.md. The tests also count the memory allocations of many examples.
use rustgo::{Append, GoStr, Slices, Strs};
use std::fmt;

/// MaxLen is a limit.
#[rustgo::export]
pub const MAX_LEN: u32 = 5;
#[rustgo::export]
pub const NAME: &str = "name";
#[rustgo::export]
pub static TABLE: [u16; 3] = [1, 2, 3];

/// Point is a point with a colour.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Point {
    /// X is the horizontal coordinate.
    pub x: f64,
    pub y: f64,
    #[rustgo(name = "Kind")]
    pub color: Color,
    pub user_id: [u8; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Color {
    Red = 3,
    Green,
}

#[rustgo::export]
impl Point {
    pub fn norm(&self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
    pub fn scale(&mut self, by: f64) {
        self.x *= by;
        self.y *= by;
    }
    pub fn moved(self, dx: f64) -> Self {
        Point { x: self.x + dx, ..self }
    }
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, color: Color::Green, user_id: [1, 2, 3] }
    }
}

#[derive(Debug, rustgo::Error)]
pub enum ParseError {
    Empty,
    TooLong,
}
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing to parse",
            Self::TooLong => "too long",
        })
    }
}

#[derive(Debug, rustgo::Error)]
pub struct SyntaxError {
    pub line: usize,
    pub column: usize,
    pub near: String,
}
impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: near {:?}", self.line, self.column, self.near)
    }
}

#[derive(Debug, rustgo::Error)]
pub enum LoadError {
    Missing,
    Bad { at: u64, what: String },
    Other { point: Point },
}
impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// OpenError has sources in fields that the Go types lack. In Go `errors.Unwrap` returns the sources.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub enum OpenError {
    Denied,
    Bad {
        line: usize,
        #[rustgo(skip)]
        source: std::num::ParseIntError,
    },
    Nested(#[rustgo(skip)] Box<OpenError>),
}
impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied => f.write_str("denied"),
            Self::Bad { line, .. } => write!(f, "line {line}"),
            Self::Nested(_) => f.write_str("nested"),
        }
    }
}
impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Denied => None,
            Self::Bad { source, .. } => Some(source),
            Self::Nested(source) => Some(source),
        }
    }
}
#[rustgo::export(int = "usize")]
pub fn open(line: usize, s: &str) -> Result<u32, OpenError> {
    match line {
        0 => Err(OpenError::Denied),
        1 => open(2, s).map_err(|error| OpenError::Nested(Box::new(error))),
        _ => s.parse().map_err(|source| OpenError::Bad { line, source }),
    }
}

#[rustgo::export]
pub fn parse(s: &str) -> Result<u32, ParseError> {
    if s.is_empty() {
        return Err(ParseError::Empty);
    }
    s.parse().map_err(|_| ParseError::TooLong)
}
#[rustgo::export]
pub fn behind_nothing(nothing: [u8; 0], x: u64) -> ([u8; 0], u64) {
    (nothing, x + 1)
}
#[rustgo::export]
pub fn beside_nothing(nothing: [[u64; 3]; 0], s: &str) -> ([u64; 0], String) {
    ([0; 0], format!("{}{s}", nothing.len()))
}
#[rustgo::export]
pub fn nothing(nothing: [u64; 0]) -> [u64; 0] {
    nothing
}

/// Silent is an error with an empty text.
#[derive(Debug, rustgo::Error)]
pub struct Silent {
    pub at: u32,
}
impl fmt::Display for Silent {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
#[rustgo::export]
pub fn keep_silent(at: u32) -> Result<(), Silent> {
    Err(Silent { at })
}
#[rustgo::export]
pub fn keep_quiet() -> Result<(), Box<dyn std::error::Error>> {
    Err("".into())
}

/// Wavering is an error whose text is long on every other call.
#[derive(Debug, rustgo::Error)]
pub enum Wavering {
    Once,
}
impl fmt::Display for Wavering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        static TIMES: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let is_long = TIMES.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2 == 0;
        f.pad(&"x".repeat(if is_long { 200 } else { 10 }))
    }
}
#[rustgo::export]
pub fn waver() -> Result<(), Wavering> {
    Err(Wavering::Once)
}

#[rustgo::export]
pub fn parse_int(s: &str) -> Result<i64, std::num::ParseIntError> {
    s.parse()
}
#[rustgo::export]
pub fn check_syntax(s: &str) -> Result<(), SyntaxError> {
    if s.is_ascii() { Ok(()) } else { Err(SyntaxError { line: 1, column: 2, near: s.to_owned() }) }
}
#[rustgo::export(results(value, ok, err))]
pub fn load(s: &str) -> Result<Option<u64>, LoadError> {
    match s {
        "missing" => Err(LoadError::Missing),
        "bad" => Err(LoadError::Bad { at: 7, what: "x".into() }),
        "other" => Err(LoadError::Other { point: Point::new(1.0, 2.0) }),
        "" => Ok(None),
        _ => Ok(Some(s.len() as u64)),
    }
}
#[rustgo::export]
pub fn boxed(s: &str) -> Result<String, Box<dyn std::error::Error>> {
    let n: i32 = s.parse()?;
    Ok(format!("<{n}>"))
}
#[rustgo::export]
pub fn upper(s: &str) -> String {
    s.to_uppercase()
}
#[rustgo::export]
pub fn squares(n: usize) -> Vec<u64> {
    (0..n as u64).map(|x| x * x).collect()
}
#[rustgo::export]
pub fn points(n: usize) -> Vec<Point> {
    (0..n).map(|x| Point::new(x as f64, 0.0)).collect()
}
#[rustgo::export]
pub fn words(s: &str) -> Vec<String> {
    s.split(' ').map(str::to_owned).collect()
}
#[rustgo::export]
pub fn trim(s: &str) -> &str {
    s.trim()
}
#[rustgo::export]
pub fn first_word<'a>(s: &'a str, _other: &str) -> Option<&'a str> {
    s.split(' ').next()
}
#[rustgo::export]
pub fn sum_points(points: &[Point], by: Point, to: &mut Point) -> f64 {
    *to = by;
    points.iter().map(|p| p.x).sum()
}
#[rustgo::export]
pub fn append_hex(dst: &mut Append<u8>, x: u64) {
    use std::fmt::Write;
    let _ = write!(dst, "{x:x}");
}
#[rustgo::export]
pub fn join(parts: Strs<'_>, more: Slices<'_, u32>, raw: GoStr<'_>, owned: String, list: Vec<u16>) -> String {
    format!("{:?} {:?} {:?} {owned} {list:?}", parts, more, &*raw)
}
#[rustgo::export(int = "usize")]
pub fn index(n: usize, of: &[u8]) -> usize {
    of.len().saturating_sub(n)
}
#[rustgo::export]
pub fn hash(b: &[u8; 4], by_value: [u16; 2]) -> [u8; 4] {
    let mut r = *b;
    r[0] ^= by_value[0] as u8;
    r
}
#[rustgo::export]
pub fn split_words(s: &str) -> impl Iterator<Item = &str> {
    s.split(' ')
}
#[rustgo::export]
pub fn count_up(n: u64) -> impl Iterator<Item = u64> {
    0..n
}
#[rustgo::export]
pub fn pairs(s: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    s.char_indices()
}

/// Queue is a queue.
#[rustgo::object(close, implements("fmt.Stringer"))]
#[derive(Clone, Debug)]
pub struct Queue(Vec<u64>, String);
impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
#[rustgo::export]
impl Queue {
    pub fn new() -> Self {
        Queue(Vec::new(), "name".into())
    }
    #[rustgo::export(name = "ParseQueue")]
    pub fn parse(s: &str) -> Result<Self, std::num::ParseIntError> {
        Ok(Queue(s.split(',').map(str::parse).collect::<Result<_, _>>()?, s.into()))
    }
    pub fn from_slice(xs: &[u64]) -> Self {
        Queue(xs.to_vec(), "slice".into())
    }
    pub fn push(&mut self, x: u64) {
        self.0.push(x)
    }
    pub fn pop(&mut self) -> Option<u64> {
        self.0.pop()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn name(&self) -> &str {
        &self.1
    }
    pub fn all(&self) -> &[u64] {
        &self.0
    }
    pub fn append(&mut self, other: &Queue) {
        self.0.extend(&other.0)
    }
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }
    pub fn singles(&self) -> impl Iterator<Item = Queue> + '_ {
        self.0.iter().map(|&x| Queue(vec![x], "single".into()))
    }
    pub fn read_byte(&mut self) -> Result<u8, std::num::TryFromIntError> {
        self.0.pop().unwrap_or(256).try_into()
    }
    pub fn write_byte(&mut self, x: u8) -> Result<(), std::convert::Infallible> {
        self.0.push(x.into());
        Ok(())
    }
    pub fn into_vec(self) -> Vec<u64> {
        self.0
    }
    pub fn fail(&mut self) {
        panic!("failed with {}", self.0.len())
    }
}
/// Regex is used by several goroutines at a time.
#[rustgo::object]
pub struct Regex(String);
#[rustgo::export]
impl Regex {
    pub fn new(p: &str) -> Self {
        Self(p.into())
    }
    pub fn is_match(&self, s: &str) -> bool {
        s.contains(&self.0)
    }
    pub fn find<'h>(&self, s: &'h str) -> Option<&'h str> {
        s.find(&self.0).map(|i| &s[i..i + self.0.len()])
    }
}
#[rustgo::export]
pub fn both(a: &Regex, b: Option<&Regex>, s: &str) -> bool {
    a.is_match(s) && b.is_none_or(|b| b.is_match(s))
}

/// Hasher is stored in Go's memory.
#[rustgo::object(inline)]
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub struct Hasher {
    state: [u64; 4],
    n: u64,
}
#[rustgo::export]
impl Hasher {
    pub fn new(seed: u64) -> Self {
        Hasher { state: [seed; 4], n: 0 }
    }
    pub fn write(&mut self, b: &[u8]) {
        for x in b {
            self.state[(self.n % 4) as usize] = self.state[(self.n % 4) as usize].wrapping_mul(31) + u64::from(*x);
            self.n += 1;
        }
    }
    pub fn sum(&self) -> u64 {
        self.state.iter().fold(0, |a, b| a ^ b)
    }
}
#[rustgo::export]
pub fn get<'a>(data: &'a [u8], pointer: &str) -> Result<Option<&'a [u8]>, SyntaxError> {
    let _ = pointer;
    Ok(data.get(1..))
}
#[rustgo::export]
pub fn get_elided(data: &[u8]) -> Result<&[u8], SyntaxError> {
    Ok(&data[1..])
}
#[rustgo::export]
pub fn join_queues(into: Option<&mut Queue>, from: Option<&Queue>) -> usize {
    let n = from.map_or(0, Queue::len);
    if let (Some(i), Some(f)) = (into, from) {
        i.append(f)
    }
    n
}

/// Label implements Display, but in Go its method String is the author's method.
#[rustgo::object]
#[derive(Clone)]
pub struct Label(u32);
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
#[rustgo::export]
impl Label {
    pub fn new(number: u32) -> Self {
        Label(number)
    }
    pub fn string(&self) -> String {
        format!("label {}", self.0)
    }
    /// Next returns the n labels after this one.
    pub fn next(&self, n: u32) -> Vec<Label> {
        (1..=n).map(|i| Label(self.0 + i)).collect()
    }
}

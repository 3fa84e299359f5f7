// Proposed by rustgo get for apis 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:a715b8ec2aa0a43d1ddb717d0b656df8e36564c5e566b22b02c1e74bc4522fa5

//! Package apis is the Rust crate apis 1.2.3.
//!
//! Shapes of APIs that crates often have: aliases with defaults, buffers, maps by reference, operators on references, boxed errors.

use rustgo::{Reader, Strs};

/// Most is the most bytes.
#[rustgo::export]
pub const MOST: u32 = apis::read::MOST;

/// WriteMost is the most bytes.
#[rustgo::export]
pub const WRITE_MOST: u32 = apis::write::MOST;

/// Why something failed.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct Error {
    /// At is the place.
    pub at: usize,
    /// Left is the time that was left.
    pub left: i64,
    #[rustgo(skip)]
    original: apis::Error,
}

impl From<apis::Error> for Error {
    fn from(original: apis::Error) -> Self {
        let at = original.at; let left = i64::try_from((&original.left).as_nanos()).unwrap_or(i64::MAX); Error { at, left, original }
    }
}

impl Error {
    fn original(&self) -> &apis::Error {
        &self.original
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Table is a table with columns.
#[rustgo::object]
#[derive(Clone)]
pub struct Table(apis::Table);

#[rustgo::export]
impl Table {
    /// NewTable makes a table.
    pub fn new(title: &str) -> Table {
        Table(apis::Table::new(title))
    }

    /// DefaultTable returns the default Table.
    #[rustgo::export(name = "DefaultTable")]
    pub fn default_() -> Table {
        Table(apis::Table::default())
    }

    /// Names is the names with their numbers.
    pub fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.names().iter().map(|x| { let (part0, part1) = x; (part0.as_str(), *part1) })
    }

    /// Title is the title.
    pub fn title(&self) -> Option<&str> {
        self.0.title().as_ref().map(|x| x.as_str())
    }

    /// Seen is the names that were seen.
    pub fn seen(&self) -> Vec<String> {
        self.0.seen().iter().map(|x| x.clone()).collect()
    }

    /// Words is the words of the title.
    pub fn words(&self) -> impl Iterator<Item = (String, u32)> + use<> {
        self.0.words().into_iter().map(|x| { let (part0, part1) = x; (part0.to_owned(), part1) }).collect::<Vec<_>>().into_iter()
    }

    /// Display is the table as text.
    pub fn display(&self) -> String {
        self.0.display().to_string()
    }

    /// Letters is the letters of the title, unless there is none.
    pub fn letters(&self) -> Result<Vec<String>, Error> {
        self.0.letters().map(|x| x.map(|x| x.to_owned()).collect::<Vec<_>>()).map_err(Error::from)
    }

    /// Lengths is the lengths of the words, unless there is no title.
    pub fn lengths(&self) -> Result<Vec<u32>, Error> {
        self.0.lengths().map(|x| x.collect::<Vec<_>>()).map_err(Error::from)
    }

    /// WriteTo writes the table.
    pub fn write_to(&self) -> Result<String, std::fmt::Error> {
        let mut to = String::new();
        self.0.write_to(&mut to).map(|()| to)
    }

    /// Notes is the notes on a table.
    pub fn notes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.notes.iter().map(|x| { let (part0, part1) = x; (part0.as_str(), part1.as_str()) })
    }
}

/// Point is a point in the plane.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// To the top.
    pub y: f64,
}

#[rustgo::export]
impl Point {
    /// Scale makes the point's distance from the origin larger.
    pub fn scale(&mut self, by: f64) {
        let mut own_value = apis::Point::from(*self);
        own_value.scale(by);
        *self = own_value.into();
    }

    /// Reset moves the point to the origin and returns the place where it was.
    pub fn reset(&mut self) -> Point {
        let mut own_value = apis::Point::from(*self);
        let returned = Point::from(own_value.reset());
        *self = own_value.into();
        returned
    }

    /// Sub returns the result of the operator.
    pub fn sub(&self, other: Point) -> Point {
        Point::from(std::ops::Sub::sub(apis::Point::from(*self), &apis::Point::from(other)))
    }
}

impl From<apis::Point> for Point {
    fn from(value: apis::Point) -> Self {
        Point { x: value.x, y: value.y }
    }
}

impl From<Point> for apis::Point {
    fn from(value: Point) -> Self {
        apis::Point { x: value.x, y: value.y }
    }
}

/// Set is a set of small numbers.
#[rustgo::object]
pub struct Set(apis::Set);

#[rustgo::export]
impl Set {
    /// NewSet makes a set.
    pub fn new(bits: u64) -> Set {
        Set(apis::Set::new(bits))
    }

    /// Bits is the bits of the set.
    pub fn bits(&self) -> u64 {
        self.0.bits()
    }

    /// GetLeast is the least number, or an error.
    pub fn get_least(&self) -> Result<u32, Error> {
        self.0.get_least().map_err(Error::from)
    }

    /// Least is the least number, or 64.
    pub fn least(&self) -> u32 {
        self.0.least()
    }

    /// BitOr returns the result of the operator.
    #[rustgo::export(name = "BitOr")]
    pub fn bitor(&self, other: &Set) -> Set {
        Set(std::ops::BitOr::bitor(&self.0, &other.0))
    }
}

/// Matrix is a matrix with one number.
#[rustgo::object]
#[derive(Clone)]
pub struct Matrix(apis::Matrix);

#[rustgo::export]
impl Matrix {
    /// NewMatrix makes a matrix.
    pub fn new(cell: f64) -> Matrix {
        Matrix(apis::Matrix::new(cell))
    }

    /// Cell is the number.
    pub fn cell(&self) -> f64 {
        self.0.cell()
    }

    /// MulFloat64 returns the result of the operator.
    pub fn mul_float64(&self, other: f64) -> Matrix {
        Matrix(std::ops::Mul::mul(self.0.clone(), other))
    }

    /// ShlUint32 returns the result of the operator.
    pub fn shl_uint32(&self, other: u32) -> Matrix {
        Matrix(std::ops::Shl::shl(self.0.clone(), other))
    }

    /// Mean is the mean, if there is one.
    pub fn mean(&self) -> Option<f64> {
        apis::Distribution::mean(&self.0)
    }

    /// Share is the share of numbers up to x.
    pub fn share(&self, x: f64) -> f64 {
        apis::Distribution::share(&self.0, x)
    }

    /// Rest is the share of numbers above x.
    pub fn rest(&self, x: f64) -> f64 {
        apis::Distribution::rest(&self.0, x)
    }

    /// Mul returns the result of the operator.
    pub fn mul(&self, other: &Matrix) -> Matrix {
        Matrix(std::ops::Mul::mul(&self.0, &other.0))
    }
}

/// Spot is a place, which is not `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Spot {
    /// East.
    pub east: f64,
    /// North.
    pub north: f64,
}

#[rustgo::export]
impl Spot {
    /// NewSpot returns the default Spot.
    pub fn new() -> Spot {
        Spot::from(apis::Spot::default())
    }

    /// Far is the distance from the origin.
    pub fn far(&self) -> f64 {
        apis::Spot::from(*self).far()
    }

    /// Shift moves the place.
    pub fn shift(&mut self, by: Spot) {
        let mut own_value = apis::Spot::from(*self);
        own_value.shift(&apis::Spot::from(by));
        *self = own_value.into();
    }
}

impl From<apis::Spot> for Spot {
    fn from(value: apis::Spot) -> Self {
        Spot { east: value.east, north: value.north }
    }
}

impl From<Spot> for apis::Spot {
    fn from(value: Spot) -> Self {
        apis::Spot { east: value.east, north: value.north }
    }
}

impl From<&apis::Spot> for Spot {
    fn from(value: &apis::Spot) -> Self {
        Spot { east: value.east, north: value.north }
    }
}

/// Side is a side of the road.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Side {
    /// SideLeft is the left side.
    Left,
    /// SideRight is the right side.
    Right,
}

#[rustgo::export]
impl Side {
    /// Other is the other side.
    pub fn other(&self) -> Side {
        Side::from(apis::Side::from(*self).other())
    }
}

impl From<apis::Side> for Side {
    fn from(value: apis::Side) -> Self {
        match value { apis::Side::Left => Side::Left, apis::Side::Right => Side::Right }
    }
}

impl From<Side> for apis::Side {
    fn from(value: Side) -> Self {
        match value { Side::Left => apis::Side::Left, Side::Right => apis::Side::Right }
    }
}

impl From<&apis::Side> for Side {
    fn from(value: &apis::Side) -> Self {
        match value { apis::Side::Left => Side::Left, apis::Side::Right => Side::Right }
    }
}

/// Parse parses a number.
#[rustgo::export]
pub fn parse(text: &str) -> Result<u8, Error> {
    apis::parse(text).map_err(Error::from)
}

/// Check checks a number.
#[rustgo::export]
pub fn check(text: &str) -> Result<(), Error> {
    apis::check(text).map_err(Error::from)
}

/// ParseBoxed parses a number with a boxed error.
#[rustgo::export]
pub fn parse_boxed(text: &str) -> Result<u8, Error> {
    apis::parse_boxed(text).map_err(|error| (Error::from)(*error))
}

/// Line reads one line. Further lines stay in the reader.
#[rustgo::export]
pub fn line(from: Reader<'_>) -> Result<String, std::io::Error> {
    apis::line(&mut std::io::BufReader::with_capacity(1, from))
}

/// Distant returns a time in a distant year.
///
/// The time is in seconds and nanoseconds since 1970, as in time.Unix.
#[rustgo::export]
pub fn distant(years: u64) -> (i64, i64) {
    match apis::distant(years).duration_since(std::time::UNIX_EPOCH) { Ok(after) => (after.as_secs() as i64, i64::from(after.subsec_nanos())), Err(before) => (-(before.duration().as_secs() as i64), -i64::from(before.duration().subsec_nanos())) }
}

/// Before returns a time before 1970.
///
/// The time is in seconds and nanoseconds since 1970, as in time.Unix.
#[rustgo::export]
pub fn before(seconds: u64) -> Option<(i64, i64)> {
    apis::before(seconds).map(|x| match x.duration_since(std::time::UNIX_EPOCH) { Ok(after) => (after.as_secs() as i64, i64::from(after.subsec_nanos())), Err(before) => (-(before.duration().as_secs() as i64), -i64::from(before.duration().subsec_nanos())) })
}

/// Longest returns the longest time.
///
/// Durations are in nanoseconds, as in time.Duration.
#[rustgo::export]
pub fn longest() -> i64 {
    i64::try_from(apis::longest().as_nanos()).unwrap_or(i64::MAX)
}

/// Wait waits for no longer than a time.
///
/// Durations are in nanoseconds, as in time.Duration.
#[rustgo::export]
pub fn wait(at_most: Option<&i64>) -> u64 {
    apis::wait(at_most.map(|&x| std::time::Duration::from_nanos(u64::try_from(x).expect("a negative duration"))))
}

/// Querify is the pairs in a query.
#[rustgo::export]
pub fn querify(query: &str) -> impl Iterator<Item = (String, String)> + use<> {
    apis::querify(query).into_iter().map(|x| { let (part0, part1) = x; (part0.to_owned(), part1.to_owned()) }).collect::<Vec<_>>().into_iter()
}

/// Mirror exchanges the coordinates.
#[rustgo::export]
pub fn mirror(point: &mut Point) -> bool {
    let mut value_of_point = apis::Point::from(*point);
    let returned = apis::mirror(&mut value_of_point);
    *point = value_of_point.into();
    returned
}

/// Distance is the distance from the origin, or -1.
#[rustgo::export]
pub fn distance(of: Option<&Point>) -> f64 {
    let of = of.map(|&x| apis::Point::from(x));
    apis::distance(of.as_ref())
}

/// EscapeInto escapes a text into a buffer.
#[rustgo::export]
pub fn escape_into(text: &str, buffer: String) -> String {
    let mut buffer = buffer;
    { apis::escape_into(text, &mut buffer); buffer }
}

/// Encode encodes numbers into a buffer, and returns the number of bytes.
#[rustgo::export(int = "usize")]
pub fn encode(numbers: &[u16], out: Vec<u8>) -> (Vec<u8>, usize) {
    let mut out = out;
    { let returned = apis::encode(numbers, &mut out); (out, returned) }
}

/// Decode decodes digits into a buffer.
#[rustgo::export]
pub fn decode(text: &str, out: Vec<u8>) -> Result<(Vec<u8>, u32), Error> {
    let mut out = out;
    apis::decode(text, &mut out).map_err(Error::from).map(|returned| (out, returned))
}

/// DecodeZeros decodes no digit but zero.
#[rustgo::export]
pub fn decode_zeros(text: &str, out: Vec<u8>) -> Result<Vec<u8>, Error> {
    let mut out = out;
    apis::decode_zeros(text, &mut out).map_err(Error::from).map(|()| out)
}

/// Describe describes a point.
#[rustgo::export]
pub fn describe(point: Point) -> Result<String, std::fmt::Error> {
    let mut to = String::new();
    apis::describe(point.into(), &mut to).map(|()| to)
}

/// Formatted is a text of a point whose format may be wrong.
#[rustgo::export]
pub fn formatted(point: Point, format: &str) -> Result<String, std::fmt::Error> {
    match apis::formatted(&apis::Point::from(point), format) { shown => { let mut out = String::new(); std::fmt::write(&mut out, format_args!("{shown}")).map(|()| out) } }
}

/// Named is a text whose parameters have the names of local variables.
#[rustgo::export]
pub fn named(shown: Point, out: &str) -> Result<String, std::fmt::Error> {
    match apis::named(&apis::Point::from(shown), out) { shown => { let mut out = String::new(); std::fmt::write(&mut out, format_args!("{shown}")).map(|()| out) } }
}

/// NameLength returns the length of a name.
#[rustgo::export(int = "usize")]
pub fn name_length(name: String) -> usize {
    apis::name_length(name)
}

/// Tail returns the end of a list.
#[rustgo::export]
pub fn tail(of: &[u8]) -> Vec<u8> {
    apis::tail(&of.to_vec()).to_vec()
}

/// Eval evaluates a text.
#[rustgo::export]
pub fn eval(text: &str) -> Result<i64, Error> {
    apis::eval(text).map_err(Error::from)
}

/// Spots is the places with these distances east.
#[rustgo::export]
pub fn spots(east: &[f64]) -> Vec<Spot> {
    apis::spots(east).into_iter().map(Spot::from).collect()
}

/// Farthest is the place that is the farthest.
#[rustgo::export]
pub fn farthest(spots: &[Spot]) -> Option<Spot> {
    let spots: Vec<apis::Spot> = spots.iter().map(|&x| x.into()).collect();
    apis::farthest(&spots).map(Spot::from)
}

/// Sides is the sides, from the left.
#[rustgo::export]
pub fn sides() -> Vec<Side> {
    apis::sides().iter().map(Side::from).collect()
}

/// Different counts the different words.
#[rustgo::export(int = "usize")]
pub fn different(words: Strs<'_>) -> usize {
    apis::different(words.iter().map(str::to_owned).collect())
}

/// Largest is the largest number.
#[rustgo::export]
pub fn largest(numbers: &[u32]) -> Option<u32> {
    apis::largest(&numbers.iter().copied().collect())
}

// Texts of the crate's examples and tests. go test passes these and other arguments to functions.
#[cfg(test)]
const _: [&str; 6] = [
    "a",
    "b",
    "first",
    "one",
    "second",
    "x",
];

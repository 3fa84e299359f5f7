// Proposed by rustgo get for methods 1.2.3. This file is yours to edit: rustgo update replaces it
// only while the digest of the following lines is
// sha256:3606a03caa9915251a2f8f12f9306e8009f892f300aae6aa8c2ddf0a1ea85eea

//! Package methods is the Rust crate methods 1.2.3.
//!
//! Methods and traits of which a wrapper may pick the wrong one, and results that must not be collected or converted too early.

/// Day is a day of the week.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Day {
    /// DayMonday is the first day.
    Monday,
    /// DayTuesday is the second day.
    Tuesday,
}

#[rustgo::export]
impl Day {
    /// Cycle yields this day and all later days, without end.
    pub fn cycle(&self) -> impl Iterator<Item = Day> + use<> {
        methods::Day::from(*self).cycle().map(Day::from)
    }

    /// Numbers yields the numbers up to the day's own.
    pub fn numbers(&self) -> Vec<u32> {
        methods::Day::from(*self).numbers().collect()
    }

    /// Text converts the value.
    #[rustgo::export(name = "Text")]
    pub fn to_text(&self) -> &'static str {
        <&str>::from(methods::Day::from(*self))
    }
}

impl From<methods::Day> for Day {
    fn from(value: methods::Day) -> Self {
        match value { methods::Day::Monday => Day::Monday, methods::Day::Tuesday => Day::Tuesday }
    }
}

impl From<Day> for methods::Day {
    fn from(value: Day) -> Self {
        match value { Day::Monday => methods::Day::Monday, Day::Tuesday => methods::Day::Tuesday }
    }
}

/// Span is a span with an order of its own.
#[rustgo::object]
#[derive(Clone)]
pub struct Span(methods::Span);

#[rustgo::export]
impl Span {
    /// NewSpan makes a span.
    pub fn new(low: u32, high: u32) -> Span {
        Span(methods::Span::new(low, high))
    }

    /// Size is the number of places.
    pub fn size(&self) -> u32 {
        self.0.size()
    }

    /// Max is the smallest span that covers both, unlike the method of `Ord`.
    pub fn max(&self, other: &Span) -> Span {
        Span(methods::Span::max(&self.0, other.0.clone()))
    }

    /// Into moves the span to another place.
    pub fn into(&mut self, low: u32) {
        methods::Span::into(&mut self.0, low)
    }

    /// Grow makes the span larger.
    pub fn grow(&mut self, by: u32) {
        let _ = self.0.grow(by);
    }

    /// Equal reports whether the two are equal.
    pub fn equal(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Compare returns -1 if the value is less than other, 1 if it is greater, and 0 if both are equal.
    pub fn compare(&self, other: &Self) -> isize {
        std::cmp::Ord::cmp(&self.0, &other.0) as isize
    }
}

/// Buffered is a writer that keeps what it gets until it is flushed.
#[rustgo::object]
pub struct Buffered(methods::Buffered);

#[rustgo::export]
impl Buffered {
    /// NewBuffered returns the default Buffered.
    pub fn new() -> Buffered {
        Buffered(methods::Buffered::default())
    }

    /// Written is the text that was passed on.
    pub fn written(&self) -> String {
        self.0.written()
    }

    /// Write writes data. It returns len(data) unless it fails.
    #[rustgo::export(int = "usize")]
    pub fn write(&mut self, data: &[u8]) -> Result<usize, std::io::Error> {
        std::io::Write::write_all(&mut self.0, data)?;
        Ok(data.len())
    }

    /// Flush passes on the data that Write has kept.
    pub fn flush(&mut self) -> Result<(), std::io::Error> {
        std::io::Write::flush(&mut self.0)
    }
}

/// Label is a label that is made from text that may be borrowed.
#[rustgo::object]
pub struct Label(methods::Label);

#[rustgo::export]
impl Label {
    /// LabelFromString converts a value.
    pub fn from_string(value: String) -> Label {
        Label(<methods::Label as From<std::borrow::Cow<'_, str>>>::from(value.into()))
    }

    /// Text is the text of the label.
    pub fn text(&self) -> &str {
        self.0.text()
    }
}

/// Side is a side that cannot be copied.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(u8)]
pub enum Side {
    /// SideLeft is the left side.
    Left,
    /// SideRight is the right side.
    Right,
}

impl From<methods::Side> for Side {
    fn from(value: methods::Side) -> Self {
        match value { methods::Side::Left => Side::Left, methods::Side::Right => Side::Right }
    }
}

impl From<Side> for methods::Side {
    fn from(value: Side) -> Self {
        match value { Side::Left => methods::Side::Left, Side::Right => methods::Side::Right }
    }
}

impl From<&methods::Side> for Side {
    fn from(value: &methods::Side) -> Self {
        match value { methods::Side::Left => Side::Left, methods::Side::Right => Side::Right }
    }
}

/// Wheel is a wheel with a side, a name, and something that Go does not get.
#[rustgo::object]
pub struct Wheel(methods::Wheel);

#[rustgo::export]
impl Wheel {
    /// WheelRight makes the right wheel.
    pub fn right() -> Wheel {
        Wheel(methods::Wheel::right())
    }

    /// Hidden is the number of hidden bytes.
    #[rustgo::export(int = "usize")]
    pub fn hidden(&self) -> usize {
        self.0.hidden()
    }

    /// Side is the side of the wheel.
    pub fn side(&self) -> Side {
        Side::from(&self.0.side)
    }

    /// Name is the name of the wheel.
    pub fn name(&self) -> &str {
        self.0.name.as_str()
    }

    /// Other is the other side, if there is one.
    pub fn other(&self) -> Option<Side> {
        self.0.other.as_ref().map(Side::from)
    }

    /// SetSide sets the field side.
    ///
    /// The side of the wheel.
    pub fn set_side(&mut self, side: Side) {
        self.0.side = side.into();
    }

    /// SetName sets the field name.
    ///
    /// The name of the wheel.
    pub fn set_name(&mut self, name: String) {
        self.0.name = name;
    }

    /// SetOther sets the field other.
    ///
    /// The other side, if there is one.
    pub fn set_other(&mut self, other: Option<&Side>) {
        self.0.other = other.map(|&other| methods::Side::from(other));
    }
}

/// Place is a place on a line, with functions of its own that have the names of conversions.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Place {
    /// At is the distance from the beginning of the line.
    pub at: i32,
}

#[rustgo::export]
impl Place {
    /// PlaceFrom is the place at the end of a text.
    pub fn from(text: &str) -> Place {
        <Place as From<_>>::from(methods::Place::from(text))
    }

    /// PlaceFromInt32 converts a value.
    pub fn from_int32(value: i32) -> Place {
        <Place as From<_>>::from(<methods::Place as From<_>>::from(value))
    }

    /// Into is the place at a distance from this place.
    pub fn into(&self, by: i32) -> Place {
        <Place as From<_>>::from(methods::Place::into(<methods::Place as From<_>>::from(*self), by))
    }

    /// Advance moves the place.
    pub fn advance(&mut self, by: i32) {
        let mut own_value = <methods::Place as From<_>>::from(*self);
        own_value.advance(by);
        *self = <Place as From<_>>::from(own_value);
    }
}

impl From<methods::Place> for Place {
    fn from(value: methods::Place) -> Self {
        Place { at: value.at }
    }
}

impl From<Place> for methods::Place {
    fn from(value: Place) -> Self {
        methods::Place { at: value.at }
    }
}

/// Spot is a spot on a line. The function of its trait has the name of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Value)]
#[repr(C)]
pub struct Spot {
    /// At is the distance from the beginning of the line.
    pub at: i32,
}

#[rustgo::export]
impl Spot {
    /// SpotFrom is the value that a text makes.
    pub fn from(text: &str) -> Spot {
        <Spot as From<_>>::from(<methods::Spot as methods::Make>::from(text))
    }
}

impl From<methods::Spot> for Spot {
    fn from(value: methods::Spot) -> Self {
        Spot { at: value.at }
    }
}

impl From<Spot> for methods::Spot {
    fn from(value: Spot) -> Self {
        methods::Spot { at: value.at }
    }
}

/// Fault is a fault with a function of its own that has the name of a conversion.
#[derive(Clone, Copy, Debug, rustgo::Error)]
pub enum Fault {
    /// FaultLow: the number is too low.
    Low,
    /// FaultHigh: the number is too high.
    High,
}

impl From<methods::Fault> for Fault {
    fn from(value: methods::Fault) -> Self {
        match value { methods::Fault::Low => Fault::Low, methods::Fault::High => Fault::High }
    }
}

impl From<Fault> for methods::Fault {
    fn from(value: Fault) -> Self {
        match value { Fault::Low => methods::Fault::Low, Fault::High => methods::Fault::High }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&<methods::Fault as From<_>>::from(*self), f)
    }
}

/// Excess is an error with an order, and with a method that has the name of a method of `Ord`.
#[derive(Debug, rustgo::Error)]
pub struct Excess {
    /// Max is the largest number.
    pub max: u32,
    #[rustgo(skip)]
    original: methods::Excess,
}

impl From<methods::Excess> for Excess {
    fn from(original: methods::Excess) -> Self {
        let max = methods::Excess::max(&original); Excess { max, original }
    }
}

impl Excess {
    fn original(&self) -> &methods::Excess {
        &self.original
    }
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.original(), f)
    }
}

impl std::error::Error for Excess {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.original())
    }
}

/// Check fails if the text is empty.
#[rustgo::export(int = "usize")]
pub fn check(text: &str) -> Result<usize, Box<dyn std::error::Error>> {
    methods::check(text)
}

/// CheckSend fails if the text is empty. The error may go to another thread.
#[rustgo::export(int = "usize")]
pub fn check_send(text: &str) -> Result<usize, Box<dyn std::error::Error>> {
    methods::check_send(text).map_err(|error| -> Box<dyn std::error::Error> { error })
}

/// Leading is the number at the beginning of the text, if there is one.
#[rustgo::export]
pub fn leading(text: &str) -> Result<Option<u8>, std::num::ParseIntError> {
    methods::leading(text).transpose()
}

/// CountFrom yields the number and all later numbers, without end.
#[rustgo::export]
pub fn count_from(start: Option<&u64>) -> impl Iterator<Item = u64> + use<> {
    methods::count_from(start.copied())
}

/// Line is the line with this number, if there is one.
#[rustgo::export(int = "usize")]
pub fn line(text: &str, number: usize) -> Result<Option<String>, std::io::Error> {
    methods::line(text, number).transpose()
}

/// Twice is the spot at twice the distance.
#[rustgo::export]
pub fn twice(spot: Spot) -> Spot {
    <Spot as From<_>>::from(methods::twice(spot.into()))
}

/// Sum is the sum of places.
#[rustgo::export]
pub fn sum(first: Place, second: Place, others: &[Place]) -> Place {
    let others: Vec<methods::Place> = others.iter().map(|&x| <methods::Place as From<_>>::from(x)).collect();
    <Place as From<_>>::from(methods::sum(<methods::Place as From<_>>::from(first), &<methods::Place as From<_>>::from(second), &others))
}

/// Reset moves a place to the beginning of the line.
#[rustgo::export]
pub fn reset(place: &mut Place) {
    let mut value_of_place = <methods::Place as From<_>>::from(*place);
    methods::reset(&mut value_of_place);
    *place = <Place as From<_>>::from(value_of_place);
}

/// Zero fails for every number except 0.
#[rustgo::export]
pub fn zero(number: i32) -> Result<i32, Fault> {
    methods::zero(number).map_err(<Fault as From<_>>::from)
}

/// Limited fails for numbers above 10.
#[rustgo::export]
pub fn limited(number: u32) -> Result<u32, Excess> {
    methods::limited(number).map_err(Excess::from)
}

/// Digits is the number of digits.
#[rustgo::export]
pub fn digits(x: u64) -> u32 {
    methods::Digits::digits(&x)
}

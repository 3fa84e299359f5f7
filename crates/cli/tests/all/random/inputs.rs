//! Inputs and results of the native program. `inputs_test.go` makes the same inputs and lines.

use std::fmt::Write as _;

/// A generator of words (SplitMix64). It starts from the number of a call.
pub struct Source(pub u64);

pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Source {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A random word that is often an extreme value of some integer type.
    pub fn value(&mut self) -> u64 {
        let (kind, word) = (self.word(), self.word());
        match kind % 10 {
            0 => 0,
            1 => u64::MAX,
            2 | 3 => word % 20,
            4 => 1 << (word % 64),
            5 => (1 << (word % 64)) - 1,
            _ => word,
        }
    }

    pub fn make<T: Crossing>(&mut self) -> T {
        T::from_word(self.value())
    }

    pub fn array<T: Crossing, const N: usize>(&mut self) -> [T; N] {
        core::array::from_fn(|_| self.make())
    }

    pub fn slice<T: Crossing>(&mut self) -> Vec<T> {
        (0..self.word() % 70).map(|_| self.make()).collect()
    }

    pub fn text(&mut self) -> String {
        let length = self.word() % 30;
        let pieces = ["7", "a", " ", "é", "42", "-", "日", "z"];
        (0..length).map(|_| pieces[(self.word() % if length < 5 { 1 } else { 8 }) as usize]).collect()
    }
}

/// A type that functions can take from Go and return to Go.
pub trait Crossing: Copy {
    fn from_word(word: u64) -> Self;
    fn to_word(self) -> u64;
}

macro_rules! integers {
    ($($name:ty)*) => {$(
        impl Crossing for $name {
            fn from_word(word: u64) -> Self { word as Self }
            fn to_word(self) -> u64 { self as u64 }
        }
    )*};
}
integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Crossing for bool {
    fn from_word(word: u64) -> Self {
        word & 1 == 1
    }
    fn to_word(self) -> u64 {
        self as u64
    }
}

impl Crossing for char {
    fn from_word(word: u64) -> Self {
        char::from_u32((word % 0xd800) as u32).unwrap()
    }
    fn to_word(self) -> u64 {
        self as u64
    }
}

// Floating-point values: numbers, infinities and a NaN.
impl Crossing for f64 {
    fn from_word(word: u64) -> Self {
        match word {
            u64::MAX => f64::NAN,
            0x7f => f64::NEG_INFINITY,
            0x3f => -0.0,
            _ => word as i64 as f64 / 1024.0,
        }
    }
    fn to_word(self) -> u64 {
        if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.to_bits() }
    }
}

impl Crossing for f32 {
    fn from_word(word: u64) -> Self {
        match word {
            u64::MAX => f32::NAN,
            0x7f => f32::NEG_INFINITY,
            0x3f => -0.0,
            _ => word as i32 as f32 / 8.0,
        }
    }
    fn to_word(self) -> u64 {
        if self.is_nan() { 0x7fc0_0000 } else { self.to_bits() as u64 }
    }
}

#[derive(Default)]
pub struct Sum(pub u64);

impl Sum {
    pub fn one<T: Crossing>(&mut self, value: T) {
        self.0 = mix(self.0 ^ value.to_word()).wrapping_add(1);
    }
    pub fn all<T: Crossing>(&mut self, values: &[T]) {
        values.iter().for_each(|&value| self.one(value));
    }
}

thread_local! {
    /// The message of each panic of the running call, and its place.
    static PANICS: std::cell::RefCell<Vec<(String, String)>> = Default::default();
}

/// Returns the text of a payload.
fn message(payload: &dyn std::any::Any) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "Box<dyn Any>".to_owned(),
    }
}

/// Stores the message and the place of each panic, because panics are results too.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = message(info.payload());
        let place = info.location().unwrap();
        PANICS.with_borrow_mut(|panics| panics.push((message, format!("{}:{}", place.line(), place.column()))));
    }));
}

/// The lines for the results of one function.
pub fn lines(name: &str, calls: u64, start: u64, function: fn(&mut Source) -> u64) -> String {
    let mut text = String::new();
    for call in 0..calls {
        PANICS.take();
        let mut source = Source(mix(start.wrapping_add(call)));
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| function(&mut source))) {
            Ok(sum) => writeln!(text, "{name} {call} {sum:016x}").unwrap(),
            Err(payload) => match message(&*payload) {
                // In place of the fault in Go, the native program panics with this message.
                panic if panic == "address 0" => writeln!(text, "{name} {call} fault").unwrap(),
                // Other panics may have started and ended after this one, so search for the message. A resumed panic need not have a place.
                panic => {
                    let place = PANICS.with_borrow(|panics| panics.clone()).into_iter().rev().find(|(other, _)| *other == panic);
                    let place = place.map_or("0:0".to_owned(), |(_, place)| place);
                    writeln!(text, "{name} {call} panic {place} {}", panic.replace('\n', "\\n")).unwrap();
                }
            },
        }
    }
    text
}

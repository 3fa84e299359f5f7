//! Objects that Go functions return to Rust.

use rustgo::{Func, Go, GoError, OwnedGo};
use std::sync::atomic::{AtomicU64, Ordering};

static MADE: AtomicU64 = AtomicU64::new(0);
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// A Thing owns memory.
#[rustgo::object(close)]
pub struct Thing(String);

impl Drop for Thing {
    fn drop(&mut self) {
        assert!(!self.0.is_empty());
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

#[rustgo::export]
impl Thing {
    /// NewThing returns a thing with this text.
    pub fn new(text: &str) -> Thing {
        MADE.fetch_add(1, Ordering::Relaxed);
        Thing(text.to_owned())
    }

    /// Text returns the text.
    pub fn text(&self) -> String {
        self.0.clone()
    }

    /// Shared calls f while this thing is in use. It returns the text of f's thing and this thing's text.
    pub fn shared(&self, f: Func<'_, fn() -> Thing>) -> String {
        f.call().0.clone() + &self.0
    }

    /// Exclusive calls f while this thing may change, and appends the text of f's thing.
    pub fn exclusive(&mut self, f: Func<'_, fn() -> Thing>) {
        let other = f.call();
        self.0.push_str(&other.0);
    }
}

/// Dropped returns the number of things made, and the number of things dropped.
#[rustgo::export(results(made, dropped))]
pub fn dropped() -> (u64, u64) {
    (MADE.load(Ordering::Relaxed), DROPPED.load(Ordering::Relaxed))
}

/// Take gets a thing from f, drops it, and returns its text.
#[rustgo::export]
pub fn take(f: Func<'_, fn(&str) -> Thing>) -> String {
    f.call("given").0.clone()
}

/// Pass returns the thing that f returns.
#[rustgo::export]
pub fn pass(f: Func<'_, fn() -> Thing>) -> Thing {
    f.call()
}

/// Perhaps returns the text of f's thing, or a text for None.
#[rustgo::export]
pub fn perhaps(f: Func<'_, fn() -> Option<Thing>>) -> String {
    f.call().map_or("none".into(), |thing| thing.0.clone())
}

/// Fails returns the text of f's thing, or f's error.
#[rustgo::export]
pub fn fails(f: Func<'_, fn() -> Result<Thing, GoError>>) -> Result<String, GoError> {
    f.call().map(|thing| thing.0.clone())
}

/// Both returns f's text and the texts of f's two things.
#[rustgo::export]
pub fn both(f: Func<'_, fn() -> (String, Thing, Thing)>) -> String {
    let (text, one, other) = f.call();
    text + &one.0 + &other.0
}

/// A Maker makes things.
#[rustgo::interface]
pub trait Maker {
    /// Make makes a thing.
    fn make(&self, text: &str) -> Thing;
    /// Perhaps makes a thing, or none, or fails.
    fn perhaps(&self) -> Result<Option<Thing>, GoError>;
}

/// Made gets two things from a maker, and returns their texts.
#[rustgo::export]
pub fn made(maker: Go<'_, dyn Maker>) -> Result<String, GoError> {
    let text = maker.make("made").0.clone();
    Ok(maker.perhaps()?.map_or("none".into(), |thing| thing.0.clone()) + &text)
}

/// A Factory keeps a maker.
#[rustgo::object(close)]
pub struct Factory(OwnedGo<dyn Maker>, Vec<Thing>);

#[rustgo::export(task)]
impl Factory {
    /// NewFactory returns a factory.
    pub fn new(maker: OwnedGo<dyn Maker>) -> Factory {
        Factory(maker, Vec::new())
    }

    /// Fill makes and keeps n more things, and returns how many things the factory keeps.
    pub fn fill(&mut self, n: u64) -> u64 {
        self.1.extend((0..n).map(|_| self.0.make("kept")));
        self.1.len() as u64
    }
}

/// All methods of a Quiet take `&self`, and it has no method Close.
#[rustgo::object]
pub struct Quiet(u64);

#[rustgo::export]
impl Quiet {
    /// NewQuiet returns a quiet.
    pub fn new(number: u64) -> Quiet {
        Quiet(number)
    }

    /// Number returns the number.
    pub fn number(&self) -> u64 {
        self.0
    }

    /// During calls f while this object is in use. It returns the sum of the numbers of f's object and this object.
    pub fn during(&self, f: Func<'_, fn() -> Quiet>) -> u64 {
        f.call().0 + self.0
    }
}

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

    /// Shared takes what the function returns, while this thing is in use.
    pub fn shared(&self, f: Func<'_, fn() -> Thing>) -> String {
        f.call().0.clone() + &self.0
    }

    /// Exclusive takes what the function returns, while this thing may change.
    pub fn exclusive(&mut self, f: Func<'_, fn() -> Thing>) {
        let other = f.call();
        self.0.push_str(&other.0);
    }
}

/// Dropped returns the numbers of things that were made and dropped.
#[rustgo::export(results(made, dropped))]
pub fn dropped() -> (u64, u64) {
    (MADE.load(Ordering::Relaxed), DROPPED.load(Ordering::Relaxed))
}

/// Take takes a thing and drops it.
#[rustgo::export]
pub fn take(f: Func<'_, fn(&str) -> Thing>) -> String {
    f.call("given").0.clone()
}

/// Pass takes a thing and returns it.
#[rustgo::export]
pub fn pass(f: Func<'_, fn() -> Thing>) -> Thing {
    f.call()
}

/// Perhaps takes a thing or none.
#[rustgo::export]
pub fn perhaps(f: Func<'_, fn() -> Option<Thing>>) -> String {
    f.call().map_or("none".into(), |thing| thing.0.clone())
}

/// Fails takes a thing or an error.
#[rustgo::export]
pub fn fails(f: Func<'_, fn() -> Result<Thing, GoError>>) -> Result<String, GoError> {
    f.call().map(|thing| thing.0.clone())
}

/// Both takes a text and two things.
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

/// Made takes two things of a maker.
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

    /// Fill keeps n things.
    pub fn fill(&mut self, n: u64) -> u64 {
        self.1.extend((0..n).map(|_| self.0.make("kept")));
        self.1.len() as u64
    }
}

/// A Quiet has only methods that share it, and no method Close.
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

    /// During adds the number of what the function returns, while this object is in use.
    pub fn during(&self, f: Func<'_, fn() -> Quiet>) -> u64 {
        f.call().0 + self.0
    }
}

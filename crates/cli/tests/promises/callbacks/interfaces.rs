//! Interfaces that the author declares as traits: Go implements them, and Rust calls them.

use rustgo::{Func, Go, GoError, Handle, OwnedFunc, OwnedGo};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A Color is an enum.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Blue = 2,
}

/// A Point is a struct.
#[derive(Clone, Copy, Debug, rustgo::Value)]
#[repr(C)]
pub struct Point {
    pub x: f64,
    pub color: Color,
}

/// A Counter is an object.
#[rustgo::object(close)]
pub struct Counter(u64);

#[rustgo::export]
impl Counter {
    /// Count returns the number.
    pub fn count(&self) -> u64 {
        self.0
    }
}

/// The Go type of a handle.
#[rustgo::go_type("*strings.Builder")]
pub enum Builder {}

/// A Loader loads templates, each by its name: see [`Loader::load`].
///
/// Its methods may be called in any order.
#[rustgo::interface]
pub trait Loader {
    /// Load returns the text of a template that [`Self::exists`].
    fn load(&self, name: &str) -> Result<Vec<u8>, GoError>;
    fn exists(&self, name: &str) -> bool;

    /// Size has a body, so Go has no such method.
    fn size(&self, name: &str) -> usize {
        if self.exists(name) { self.load(name).map_or(0, |text| text.len()) } else { usize::MAX }
    }
}

/// All has methods with parameters and results of all types.
#[rustgo::interface]
pub trait All {
    /// Nothing takes and returns nothing.
    fn nothing(&self);
    fn numbers(&self, a: u8, b: i64, c: f32, d: char) -> f64;
    fn one_byte(&self, x: u8) -> u8;
    fn texts(&self, text: &str, owned: String) -> String;
    fn lists(&self, list: &[u16], texts: Vec<String>, lists: Vec<Vec<u8>>) -> Vec<u32>;
    fn pair(&self) -> (u8, String);
    fn four(&self, x: u8) -> (String, Vec<u8>, i8, char);
    fn maybe(&self, n: u64) -> Option<String>;
    fn perhaps(&self, n: u64) -> Result<Option<u16>, GoError>;
    fn point(&self, point: Point, points: &[Point], color: Color) -> Point;
    fn array(&self, array: [u16; 3]) -> [char; 2];
    fn object(&self, counter: Counter, handle: Handle<Builder>) -> u64;
    fn check(&self) -> Result<(), GoError>;
    fn both(&self) -> Result<(String, bool), GoError>;
    #[rustgo(name = "WithOtherName")]
    fn named(&self, r#type: bool, _: u8, user_id: u64, user_id_: u64) -> bool;
}

/// Render loads a template, if it exists.
#[rustgo::export]
pub fn render(name: &str, loader: Go<'_, dyn Loader>) -> Result<String, GoError> {
    load(name, &loader)
}

fn load(name: &str, loader: &dyn Loader) -> Result<String, GoError> {
    if !loader.exists(name) {
        return Ok("nothing".into());
    }
    let text = loader.load(name)?;
    Ok(format!("{} {}", loader.size(name), String::from_utf8_lossy(&text)))
}

/// Sizes returns the template's size in each of two loaders: -1 if there is no such template, -2 if there is no loader.
#[rustgo::export]
pub fn sizes(name: &str, first: Option<Go<'_, dyn Loader>>, between: Func<'_, fn(u64)>, second: Option<OwnedGo<dyn Loader>>) -> Vec<i64> {
    fn size(loader: Option<impl Loader>, name: &str) -> i64 {
        loader.map_or(-2, |loader| loader.size(name) as i64)
    }
    let first = size(first, name);
    between.call(first as u64);
    vec![first, size(second, name)]
}

/// Everything calls all methods.
#[rustgo::export]
pub fn everything(all: Go<'_, dyn All>, handle: Handle<Builder>) -> Result<String, GoError> {
    let mut said = Vec::new();
    all.nothing();
    said.push(format!("{:?}", all.numbers(1, -2, 0.5, 'é')));
    said.push(format!("{:?}", all.one_byte(7)));
    said.push(all.texts("aé", "b".repeat(3)));
    said.push(format!("{:?}", all.lists(&[1, 2], vec!["x".into(), String::new()], vec![vec![], vec![9]])));
    said.push(format!("{:?}", all.pair()));
    said.push(format!("{:?}", all.four(3)));
    said.push(format!("{:?} {:?}", all.maybe(0), all.maybe(1)));
    said.push(format!("{:?} {:?}", all.perhaps(0)?, all.perhaps(1)?));
    let red = Point { x: 1.5, color: Color::Red };
    said.push(format!("{:?}", all.point(red, &[red, Point { x: 2.5, color: Color::Blue }], Color::Blue)));
    said.push(format!("{:?}", all.array([1, 2, 3])));
    said.push(format!("{:?}", all.object(Counter(77), handle)));
    all.check()?;
    said.push(format!("{:?}", all.both()?));
    said.push(format!("{:?}", all.named(true, 1, 2, 3)));
    Ok(said.join("|"))
}

/// Fails returns the error of a method. If wrapped is true, it converts the error to a `std::io::Error`.
#[rustgo::export]
pub fn fails(all: Go<'_, dyn All>, wrapped: bool) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let failed = all.check();
    match failed {
        Err(error) if wrapped => Err(std::io::Error::from(error).into()),
        failed => Ok(failed?),
    }
}

/// A Stepper has one method, which may call Rust again.
#[rustgo::interface(name = "Stepper")]
pub trait Step: Debug {
    /// Step takes a step.
    fn step(&self, n: u64) -> u64;
}

/// Steps calls the method for each number from n down to 1, and adds the results.
#[rustgo::export]
pub fn steps(n: u64, step: Go<'_, dyn Step>) -> u64 {
    (1..=n).rev().map(|n| step.step(n)).sum()
}

/// Shown returns the texts that `Debug` writes for the two values.
#[rustgo::export]
pub fn shown(step: Go<'_, dyn Step>, kept: OwnedGo<dyn Step>) -> String {
    let boxed: Box<dyn Step> = Box::new(kept);
    format!("{step:?} {boxed:?}")
}

/// Destructs calls the method with 1, and with 0 in a destructor.
#[rustgo::export]
pub fn destructs(step: Go<'_, dyn Step>) -> u64 {
    struct Last<'a>(&'a dyn Step);
    impl Drop for Last<'_> {
        fn drop(&mut self) {
            self.0.step(0);
        }
    }
    let last = Last(&step);
    last.0.step(1)
}

/// Catches calls the method n times, and counts its panics.
#[rustgo::export]
pub fn catches(n: u64, step: Go<'_, dyn Step>) -> u64 {
    (0..n).filter(|&i| catch_unwind(AssertUnwindSafe(|| step.step(i))).is_err()).count() as u64
}

/// A Shared is a Go value that Rust shares between threads.
#[rustgo::interface]
pub trait Shared: Send + Sync + 'static {
    fn get(&self, key: &str) -> Option<String>;
}

/// A Store keeps Go values.
#[rustgo::object(close)]
pub struct Store {
    loaders: Vec<Box<dyn Loader + Send + Sync>>,
    shared: Option<Arc<dyn Shared>>,
}

#[rustgo::export(task)]
impl Store {
    /// NewStore keeps the loader, if there is one.
    pub fn new(loader: Option<OwnedGo<dyn Loader>>) -> Store {
        Store { loaders: loader.into_iter().map(|loader| Box::new(loader) as _).collect(), shared: None }
    }

    /// Add keeps another loader.
    pub fn add(&mut self, name: &str, loader: OwnedGo<dyn Loader>) -> usize {
        self.loaders.push(Box::new(loader));
        name.len()
    }

    /// Share keeps another value.
    pub fn share(&mut self, shared: Option<OwnedGo<dyn Shared>>) {
        self.shared = shared.map(|shared| Arc::new(shared) as _);
    }

    /// Run gets the template from each loader, and the text of the shared value.
    pub fn run(&self, name: &str, and: OwnedFunc<fn(&str)>) -> Result<String, GoError> {
        and.call(name);
        let shared = self.shared.clone();
        let said: Result<Vec<String>, GoError> = self.loaders.iter().map(|loader| load(name, &**loader)).collect();
        Ok(said?.join(",") + &shared.and_then(|shared| shared.get(name)).unwrap_or_default())
    }

    /// Alone gets the template from each loader. Unlike Run, it gets no function.
    pub fn alone(&self, name: &str) -> Result<String, GoError> {
        Ok(self.loaders.iter().map(|loader| load(name, &**loader)).collect::<Result<Vec<_>, _>>()?.join(","))
    }

    /// Forget drops all loaders.
    pub fn forget(&mut self) {
        self.loaders.clear();
    }
}

/// Outside calls a kept value in a call that is no task.
#[rustgo::export]
pub fn outside(store: &Store) -> bool {
    store.loaders[0].exists("x")
}

/// Takes calls the method, and drops the value before the call ends.
#[rustgo::export]
pub fn takes(n: u64, step: OwnedGo<dyn Step>) -> u64 {
    step.step(n)
}

/// Foreign wraps the Go value in a type of this crate that implements Iterator, and adds the items.
#[rustgo::export]
pub fn foreign(step: Go<'_, dyn Step>) -> u64 {
    struct Steps<'a>(Go<'a, dyn Step>);
    impl Iterator for Steps<'_> {
        type Item = u64;
        fn next(&mut self) -> Option<u64> {
            Some(self.0.step(0)).filter(|&n| n != 0)
        }
    }
    Steps(step).sum()
}

/// Borrowed has parameters with names that generated code uses for variables.
#[rustgo::export]
pub fn borrowed(of: Go<'_, dyn Step>, arguments: Go<'_, dyn Step>, result: OwnedGo<dyn Step>, n: u64) -> u64 {
    of.step(n) + 10 * arguments.step(n) + 100 * result.step(n)
}

//! The types that Go functions take and return, errors of Go, and Go functions that Rust keeps.

use rustgo::{Func, GoError, OwnedFunc, Slices, Strs};
use std::error::Error;
use std::fmt::{Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A Color is an enum.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Blue = 2,
}

/// A Point is a struct.
#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Point {
    pub x: f64,
    pub color: Color,
}

/// Texts passes and gets texts.
#[rustgo::export]
pub fn texts(text: &str, f: Func<'_, fn(&str, String) -> String>) -> String {
    f.call(text, text.to_uppercase()) + "."
}

/// Lists passes and gets lists.
#[rustgo::export]
pub fn lists(list: &[u16], f: Func<'_, fn(&[u16], Vec<String>, u8) -> Vec<u32>>) -> u32 {
    f.call(list, vec!["a".into(), String::new()], 7).iter().sum()
}

/// Runes returns the runes of a Go function, as a text.
#[rustgo::export]
pub fn runes(f: Func<'_, fn() -> Vec<char>>) -> String {
    f.call().into_iter().collect()
}

/// Pairs calls functions that return two to four results.
#[rustgo::export]
pub fn pairs(f: Func<'_, fn() -> (u8, String)>, g: Func<'_, fn(&[u8]) -> (f32, Vec<u8>, bool)>, h: Func<'_, fn() -> (String, String, i8, char)>) -> String {
    format!("{:?} {:?} {:?}", f.call(), g.call(b"xyz"), h.call())
}

/// Optional calls functions that return a value or none.
#[rustgo::export]
pub fn optional(f: Func<'_, fn(u64) -> Option<String>>, g: Func<'_, fn(u64) -> Option<u16>>) -> String {
    format!("{:?} {:?} {:?} {:?}", f.call(0), f.call(1), g.call(0), g.call(1))
}

/// Points passes and gets structs, runes and enums.
#[rustgo::export]
pub fn points(f: Func<'_, fn(Point, &[Point]) -> Point>, g: Func<'_, fn() -> Color>, h: Func<'_, fn() -> [char; 2]>) -> f64 {
    let point = f.call(Point { x: 1.5, color: Color::Red }, &[Point { x: 2.5, color: Color::Blue }]);
    let [a, b] = h.call();
    point.x + f64::from(point.color as u8) * 100.0 + f64::from(g.call() as u8) * 1000.0 + f64::from(u32::from(a) + u32::from(b)) * 10000.0
}

/// Closures passes the function to code that expects a closure.
#[rustgo::export]
pub fn closures(words: Vec<String>, key: Func<'_, fn(&str) -> u32>) -> Vec<String> {
    fn sorted(mut words: Vec<String>, key: impl Fn(&str) -> u32) -> Vec<String> {
        words.sort_by_key(|word| key(word));
        words
    }
    sorted(words, key.as_fn())
}

/// Plain returns the error of the function as it is.
#[rustgo::export]
pub fn plain(f: Func<'_, fn() -> Result<u64, GoError>>) -> Result<u64, GoError> {
    Ok(f.call()? + 1)
}

/// Boxed returns the error of the function in a box.
#[rustgo::export]
pub fn boxed(f: Func<'_, fn() -> Result<(), GoError>>) -> Result<(), Box<dyn Error + Send + Sync>> {
    Ok(f.call()?)
}

/// Wrapped is an error with a source.
#[derive(Debug)]
pub struct Wrapped(Box<dyn Error>);

impl Display for Wrapped {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "wrapped: {}", self.0)
    }
}

impl Error for Wrapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Wraps returns an error whose source's source is the function's error.
#[rustgo::export]
pub fn wraps(f: Func<'_, fn(&str) -> Result<String, GoError>>) -> Result<String, Wrapped> {
    f.call("x").map_err(|error| Wrapped(Box::new(Wrapped(error.into()))))
}

/// Converted returns the error of the function as a `std::io::Error`.
#[rustgo::export]
pub fn converted(f: Func<'_, fn() -> Result<(String, bool), GoError>>) -> Result<String, std::io::Error> {
    let (text, _) = f.call()?;
    Ok(text)
}

/// KindOf returns the kind of the function's error as a `std::io::Error`.
#[rustgo::export]
pub fn kind_of(f: Func<'_, fn() -> Result<(), GoError>>) -> String {
    f.call().map_or_else(|error| format!("{:?}", std::io::Error::from(error).kind()), |()| String::new())
}

/// LoadError is an error with fields.
#[derive(Debug, rustgo::Error)]
pub struct LoadError {
    pub name: String,
    #[rustgo(skip)]
    source: GoError,
}

impl Display for LoadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot load {}", self.name)
    }
}

impl Error for LoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// Load returns an error with fields.
#[rustgo::export]
pub fn load(name: &str, f: Func<'_, fn(&str) -> Result<Option<Vec<u8>>, GoError>>) -> Result<Vec<u8>, LoadError> {
    Ok(f.call(name).map_err(|source| LoadError { name: name.to_owned(), source })?.unwrap_or_default())
}

/// Rest returns the slice without its first element, after a call of the function.
#[rustgo::export]
pub fn rest<'a>(data: &'a [u16], f: Func<'_, fn(&[u16])>) -> &'a [u16] {
    f.call(data);
    &data[1..]
}

/// Drops calls the function n times, drops the errors, and returns their number.
#[rustgo::export]
pub fn drops(n: u64, f: Func<'_, fn(u64) -> Result<u64, GoError>>) -> u64 {
    (0..n).filter(|&i| f.call(i).is_err()).count() as u64
}

/// A Store keeps functions and an error.
#[rustgo::object(close)]
pub struct Store {
    functions: Vec<OwnedFunc<fn(&str) -> Result<String, GoError>>>,
    error: Option<GoError>,
}

#[rustgo::export(task)]
impl Store {
    /// NewStore keeps the function, if there is one.
    pub fn new(f: Option<OwnedFunc<fn(&str) -> Result<String, GoError>>>) -> Store {
        Store { functions: f.into_iter().collect(), error: None }
    }

    /// Add keeps another function.
    pub fn add(&mut self, name: &str, f: OwnedFunc<fn(&str) -> Result<String, GoError>>) -> usize {
        self.functions.push(f);
        name.len()
    }

    /// Run calls each function with the result of the previous one.
    pub fn run(&self, text: &str, and: Func<'_, fn(&str)>) -> Result<String, GoError> {
        self.functions.iter().try_fold(text.to_owned(), |text, f| {
            and.call(&text);
            f.call(&text)
        })
    }

    /// RunAlone does what Run does, but gets no function as a parameter.
    pub fn run_alone(&self, text: &str) -> Result<String, GoError> {
        self.functions.iter().try_fold(text.to_owned(), |text, f| f.call(&text))
    }

    /// Fail keeps the error of the first function, and tells whether there is one.
    pub fn fail(&mut self) -> bool {
        self.error = self.functions[0].call("").err();
        self.error.is_some()
    }

    /// Last returns the kept error.
    pub fn last(&mut self) -> Result<(), GoError> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Forget drops all functions.
    pub fn forget(&mut self) {
        self.functions.clear();
    }

    /// Panics calls the functions and panics.
    pub fn panics(&self, text: &str) {
        let _ = self.run_alone(text);
        panic!("Rust's own panic");
    }
}

/// Outside calls a kept function in a call that is no task.
#[rustgo::export]
pub fn outside(store: &Store) -> bool {
    store.functions[0].call("x").is_ok()
}

/// Catches calls f n times and catches the panics. Then it resumes the panic of the call with this number, or returns the number of panics.
#[rustgo::export]
pub fn catches(number: u64, f: Func<'_, fn(u64)>, n: u64) -> u64 {
    let mut kept = None;
    let mut caught = 0;
    for i in 0..n {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| f.call(i))) {
            caught += 1;
            if i == number {
                kept = Some(payload);
            }
        }
    }
    kept.map_or(caught, |payload| resume_unwind(payload))
}

/// Chars gets a text as bytes, and passes each character to the function.
#[rustgo::export]
pub fn chars(text: &[u8], f: Func<'_, fn(char)>) -> u64 {
    let text = std::str::from_utf8(text).unwrap_or_default();
    text.chars().map(|c| f.call(c)).count() as u64
}

/// Lens passes the length of each part to the function, and returns a sum over the parts, the lists and the number.
#[rustgo::export]
pub fn lens(parts: Strs<'_>, lists: Slices<'_, u8>, number: &u64, f: Func<'_, fn(u64)>) -> u64 {
    let mut sum = 0;
    for (part, list) in parts.iter().zip(lists.iter()) {
        let before = *number;
        f.call(part.len() as u64);
        sum += part.len() as u64 + list.iter().map(|&x| u64::from(x)).sum::<u64>() + before;
    }
    sum
}

/// Nested calls f(0). A destructor then calls f(1), f(2) and f(3), and catches their panics. A panic of f(0) continues after the destructor.
#[rustgo::export]
pub fn nested(f: Func<'_, fn(u64)>) {
    struct Calls<'a>(Func<'a, fn(u64)>);
    impl Drop for Calls<'_> {
        fn drop(&mut self) {
            for i in 1..4 {
                let _ = catch_unwind(AssertUnwindSafe(|| self.0.call(i)));
            }
        }
    }
    let _calls = Calls(f);
    f.call(0);
}

/// A Shared is an error that is returned more than once.
#[derive(Clone, Debug)]
pub struct Shared(std::sync::Arc<GoError>);

impl Display for Shared {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "shared: {}", self.0)
    }
}

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// A Once remembers the result of a function.
#[rustgo::object(close)]
pub struct Once(std::sync::OnceLock<Result<u64, Shared>>);

#[rustgo::export]
impl Once {
    /// NewOnce returns a Once that has no result yet.
    pub fn new() -> Once {
        Once(std::sync::OnceLock::new())
    }

    /// Get calls the function the first time, and returns the remembered result.
    pub fn get(&self, f: Func<'_, fn() -> Result<u64, GoError>>) -> Result<u64, Shared> {
        self.0.get_or_init(|| f.call().map_err(|error| Shared(error.into()))).clone()
    }

    /// Last returns the result, in a call that is no task.
    pub fn last(&self) -> Result<u64, Shared> {
        self.0.get().cloned().unwrap_or(Ok(0))
    }
}

/// Takes calls the function, and drops it before the call ends.
#[rustgo::export]
pub fn takes(f: OwnedFunc<fn() -> u64>) -> u64 {
    f.call()
}

static PANIC: std::sync::Mutex<Option<Box<dyn std::any::Any + Send>>> = std::sync::Mutex::new(None);

/// KeepPanic keeps the panic of the function.
#[rustgo::export]
pub fn keep_panic(f: Func<'_, fn()>) {
    *PANIC.lock().unwrap() = catch_unwind(AssertUnwindSafe(|| f.call())).err();
}

/// ResumePanic catches the panic of the function, and resumes the panic that KeepPanic has kept.
#[rustgo::export]
pub fn resume_panic(f: Func<'_, fn()>) {
    let _ = catch_unwind(AssertUnwindSafe(|| f.call()));
    let kept = PANIC.lock().unwrap().take();
    kept.map(|payload| resume_unwind(payload));
}

/// Named has parameters with names that generated code uses for variables.
#[rustgo::export]
pub fn named(answer2: Func<'_, fn() -> (u8, String)>, answer1: OwnedFunc<fn() -> (String, u8)>) -> u8 {
    answer2.call().0 + answer1.call().1
}

/// Words returns the words of a text for which the Go function returns true.
#[rustgo::export]
pub fn words<'a>(data: &'a [u8], keep: Func<'_, fn(&str) -> bool>) -> Vec<&'a str> {
    std::str::from_utf8(data).expect("a text").split(' ').filter(|word| keep.call(word)).collect()
}

/// Longest returns the words of each text that are at least as long as the Go function says. It fails if there is none.
#[rustgo::export]
pub fn longest<'a>(texts: rustgo::Strs<'a>, least: Func<'_, fn() -> u32>) -> Result<Vec<&'a str>, String> {
    let least = least.call() as usize;
    let found: Vec<&str> = texts.iter().flat_map(|text| text.split(' ')).filter(|word| word.len() >= least).collect();
    if found.is_empty() { Err("no word is long enough".to_owned()) } else { Ok(found) }
}

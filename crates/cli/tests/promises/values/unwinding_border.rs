//! Code of the boundary panics while it converts a result or an error, or after it has allocated memory for Go. No value and no memory is lost.

use rustgo::Append;
use std::error::Error;
use std::fmt;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicI64, Ordering};

/// The number of values of [`Part`] that exist.
static ALIVE: AtomicI64 = AtomicI64::new(0);

/// A value that owns memory.
#[derive(Debug)]
pub struct Part(#[allow(dead_code, reason = "only its destructor matters")] Box<u64>);

impl Part {
    fn new() -> Part {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Part(Box::new(1))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Alive returns the number of parts that exist.
#[rustgo::export]
pub fn alive() -> i64 {
    ALIVE.load(Ordering::SeqCst)
}

/// The source of an error. Formatting it panics if its bool is true.
#[derive(Debug)]
struct Cause(#[allow(dead_code, reason = "only its destructor matters")] Part, bool, Option<Box<Cause>>);

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(!self.1, "the text of a cause fails");
        f.write_str("cause")
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.2.as_deref().map(|cause| cause as _)
    }
}

/// Failure is an error with fields.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub struct Failure {
    pub found: String,
    pub list: Vec<String>,
    pub size: usize,
    #[rustgo(skip)]
    cause: Cause,
    #[rustgo(skip)]
    how: u8,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failure of {}", self.found)?;
        assert!(self.how != 1, "the text fails");
        Ok(())
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        assert!(self.how != 2, "the source fails");
        Some(&self.cause)
    }
}

fn failure(how: u8) -> Failure {
    Failure {
        found: "f".repeat(50),
        list: vec!["a".repeat(20), "b".into()],
        size: if how == 5 { usize::MAX } else { 7 },
        cause: Cause(Part::new(), how == 3, Some(Box::new(Cause(Part::new(), how == 4, None)))),
        how,
    }
}

/// Fail returns an error whose conversion panics if `how` is 1 to 5.
#[rustgo::export]
pub fn fail(how: u8) -> Result<String, Failure> {
    Err(failure(how))
}

/// Choice is an error with variants.
#[derive(Debug, rustgo::Error)]
#[rustgo(int = "usize")]
pub enum Choice {
    /// ChoiceFirst is the first.
    First { found: String, size: usize },
    /// ChoiceSecond is the second.
    Second {
        text: String,
        #[rustgo(skip)]
        part: Part,
    },
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::First { found, .. } => assert!(found != "bad", "the text fails"),
            Choice::Second { text, part } => assert!(text != "bad", "the text fails with {part:?}"),
        }
        f.write_str("choice")
    }
}

impl Error for Choice {}

/// Choose returns an error whose conversion panics if text is "bad", or if large is true.
#[rustgo::export]
pub fn choose(second: bool, text: &str, large: bool) -> Result<u64, Choice> {
    let text = text.to_owned();
    Err(match second {
        true => Choice::Second { text, part: Part::new() },
        false => Choice::First { found: text, size: if large { usize::MAX } else { 1 } },
    })
}

fn size(large: bool) -> usize {
    if large { usize::MAX } else { 3 }
}

/// Pair returns a text and then a number, which is too large for Go if large is true.
#[rustgo::export(int = "usize")]
pub fn pair(large: bool) -> (String, usize) {
    ("p".repeat(100), size(large))
}

/// Triple returns, in an Option, two lists and then a number, which is too large for Go if large is true.
#[rustgo::export(int = "usize")]
pub fn triple(large: bool) -> Option<(Vec<String>, Box<[usize]>, usize)> {
    Some(((0..9).map(|i| "p".repeat(i)).collect(), vec![1, 2, size(false)].into(), size(large)))
}

/// Boxed returns a list and then a text. The list has a number that is too large for Go if large is true.
#[rustgo::export(int = "usize")]
pub fn boxed(large: bool) -> Result<(Box<[usize]>, String), Failure> {
    Ok((vec![1, 2, size(large)].into(), "p".repeat(100)))
}

/// Pairs yields four pairs. The number of the last pair is too large for Go if large is true.
#[rustgo::export(int = "usize")]
pub fn pairs(large: bool) -> impl Iterator<Item = (String, usize)> {
    let part = Part::new();
    (0..4).map(move |i| {
        let _ = &part;
        ("i".repeat(i + 1), size(large && i == 3))
    })
}

/// Add appends count times 100 bytes, and then panics or fails in the way that `how` selects.
#[rustgo::export]
pub fn add(dst: &mut Append<u8>, count: u64, how: u8) -> Result<u64, Failure> {
    let _part = Part::new();
    for i in 0..count {
        dst.extend_from_slice(&[i as u8; 100]);
    }
    match how {
        0 => Ok(count),
        1 => Err(failure(0)),
        2 => Err(failure(1)),
        _ => panic!("nothing more can be added"),
    }
}

/// A thing that Go can hold.
#[rustgo::object(close)]
pub struct Thing(#[allow(dead_code, reason = "only its destructor matters")] Part, Vec<u64>);

/// The state of an iterator. Its destructor panics if its bool is true.
struct Steps(#[allow(dead_code, reason = "only its destructor matters")] Part, bool);

impl Drop for Steps {
    fn drop(&mut self) {
        assert!(!self.1, "the iterator's destructor fails");
    }
}

#[rustgo::export]
impl Thing {
    pub fn new() -> Self {
        Thing(Part::new(), vec![1; 9])
    }

    /// Several returns a thing, a list of things, and a number, which is too large for Go if large is true.
    #[rustgo::export(int = "usize")]
    pub fn several(large: bool) -> (Thing, Vec<Thing>, usize) {
        (Thing::new(), vec![Thing::new(), Thing::new()], size(large))
    }

    /// Dump appends 300 bytes for each word, and then panics if fails is true.
    pub fn dump(&self, dst: &mut Append<u8>, fails: bool) {
        for &x in &self.1 {
            dst.extend_from_slice(&[x as u8; 300]);
        }
        assert!(!fails, "dump fails");
    }

    /// Both does what Dump does, with a thing that it consumes and returns.
    pub fn both(self, dst: &mut Append<u8>, fails: bool) -> Thing {
        self.dump(dst, fails);
        self
    }

    /// Push adds a word.
    pub fn push(&mut self, x: u64) -> u64 {
        self.1.push(x);
        self.1.len() as u64
    }

    /// Each yields the words. The destructor of the iterator panics if fails is true.
    pub fn each(&self, fails: bool) -> impl Iterator<Item = u64> {
        let steps = Steps(Part::new(), fails);
        self.1.iter().map(move |&x| x + u64::from(steps.1))
    }

    /// Drain removes the words. The destructor of the iterator panics if fails is true.
    pub fn drain(&mut self, fails: bool) -> impl Iterator<Item = u64> {
        let steps = Steps(Part::new(), fails);
        self.1.drain(..).map(move |x| x + u64::from(steps.1))
    }
}

/// A thing that can be used after a panic.
#[rustgo::object(close, unwind_safe)]
pub struct Safe(Thing);

#[rustgo::export]
impl Safe {
    pub fn new() -> Self {
        Safe(Thing::new())
    }

    /// Push adds a word.
    pub fn push(&mut self, x: u64) -> u64 {
        self.0.push(x)
    }

    /// Drain removes the words. The destructor of the iterator panics if fails is true.
    pub fn drain(&mut self, fails: bool) -> impl Iterator<Item = u64> {
        self.0.drain(fails)
    }

    /// Into yields a number for each word of a thing that it consumes. A step panics at the number 5 if steps is true. The iterator's destructor
    /// panics if fails is true.
    pub fn into(self, steps: bool, fails: bool) -> impl Iterator<Item = u64> {
        let state = Steps(Part::new(), fails);
        let words: Vec<u64> = (0..self.0.1.len() as u64).collect();
        words.into_iter().map(move |x| {
            let _ = (&self, &state);
            assert!(!steps || x < 5, "a step fails");
            x
        })
    }
}

/// CaughtWithoutMemory catches a panic, although the limit leaves no memory. It returns the word at the index, or an index that is out of bounds.
#[rustgo::export]
pub fn caught_without_memory(words: &[u64], at: usize) -> u64 {
    match catch_unwind(|| words[at]) {
        Ok(word) => word,
        Err(_) => at as u64,
    }
}

//! Objects whose destructors call Go.

use rustgo::{Func, Go, GoError, OwnedFunc, OwnedGo, OwnedWriter};
use std::io::{BufWriter, Error, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A Log writes to a buffer. Its destructor flushes the buffer.
#[rustgo::object(close)]
pub struct Log(BufWriter<OwnedWriter>);

#[rustgo::export(task)]
impl Log {
    /// NewLog returns a log that writes to w.
    pub fn new(w: OwnedWriter) -> Log {
        Log(BufWriter::new(w))
    }

    /// Add adds a line.
    pub fn add(&mut self, line: &str) -> Result<(), Error> {
        writeln!(self.0, "{line}")
    }

    /// During calls the function while the log is in use.
    pub fn during(&self, f: Func<'_, fn()>) {
        f.call();
    }
}

/// A Forgettable is a Log without a method Close.
#[rustgo::object]
pub struct Forgettable(#[allow(dead_code, reason = "its destructor matters")] BufWriter<OwnedWriter>);

#[rustgo::export(task)]
impl Forgettable {
    /// NewForgettable returns a log that writes to w.
    pub fn new(w: OwnedWriter, line: &str) -> Result<Forgettable, Error> {
        let mut buffer = BufWriter::new(w);
        writeln!(buffer, "{line}")?;
        Ok(Forgettable(buffer))
    }
}

static DROPPED: AtomicU64 = AtomicU64::new(0);

struct Counts;

impl Drop for Counts {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Dropped returns the number of dropped values of the type Counts, which several types have as a field.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// An Ends calls a function in its destructor. Dropped counts its other field when that is dropped.
#[rustgo::object(close)]
pub struct Ends(OwnedFunc<fn(&str, String, Vec<String>, Thing) -> Vec<u64>>, Counts);

impl Drop for Ends {
    fn drop(&mut self) {
        let answer = self.0.call("lent", "owned".repeat(100), vec!["a".repeat(100), String::new()], Thing("a".repeat(1000)));
        assert_eq!(answer, [1, 2, 3]);
    }
}

#[rustgo::export(task)]
impl Ends {
    /// NewEnds keeps the function.
    pub fn new(f: OwnedFunc<fn(&str, String, Vec<String>, Thing) -> Vec<u64>>) -> Ends {
        Ends(f, Counts)
    }

    /// Touch does nothing.
    pub fn touch(&self) {}
}

/// A Sink gets a text from the destructor of an object.
#[rustgo::interface]
pub trait Sink {
    /// Last is called by the destructor.
    fn last(&self, text: String) -> Result<u64, GoError>;
}

/// A Tail calls a method of a Go value in its destructor.
#[rustgo::object(close)]
pub struct Tail(OwnedGo<dyn Sink>);

static LAST: Mutex<Option<Result<u64, GoError>>> = Mutex::new(None);

impl Drop for Tail {
    fn drop(&mut self) {
        *LAST.lock().unwrap() = Some(self.0.last("tail".repeat(100)));
    }
}

#[rustgo::export(task)]
impl Tail {
    /// NewTail returns a tail with this sink.
    pub fn new(sink: OwnedGo<dyn Sink>) -> Tail {
        Tail(sink)
    }
}

/// TakeLast returns the result that the last destructor of a Tail got from its sink.
#[rustgo::export]
pub fn take_last() -> Result<u64, GoError> {
    LAST.lock().unwrap().take().unwrap_or(Ok(0))
}

/// Wraps does what TakeLast does, but converts the error to a `std::io::Error`.
#[rustgo::export]
pub fn wraps() -> Result<u64, Error> {
    Ok(LAST.lock().unwrap().take().unwrap_or(Ok(0))?)
}

/// A Tree calls Go in its destructor, and then drops the tree that it owns.
#[rustgo::object(close)]
pub struct Tree(#[allow(dead_code, reason = "its destructor matters")] Option<Box<Tree>>, OwnedFunc<fn(u64)>, u64);

impl Drop for Tree {
    fn drop(&mut self) {
        self.1.call(self.2);
    }
}

#[rustgo::export(task)]
impl Tree {
    /// NewTree returns a tree without branches.
    pub fn new(f: OwnedFunc<fn(u64)>) -> Tree {
        Tree(None, f, 0)
    }

    /// Under returns a new tree that calls f and owns this tree.
    pub fn under(self, f: OwnedFunc<fn(u64)>) -> Tree {
        let depth = self.2 + 1;
        Tree(Some(Box::new(self)), f, depth)
    }
}

/// Outside calls a kept function in a call that is no task.
#[rustgo::export]
pub fn outside(ends: &Ends) -> u64 {
    ends.0.call("lent", "owned".repeat(100), vec!["a".repeat(100), String::new()], Thing("a".repeat(1000))).iter().sum()
}

/// A Thing owns memory.
#[rustgo::object]
pub struct Thing(String);

#[rustgo::export]
impl Thing {
    /// Len returns the length.
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Lent calls a sink that it borrows for the call.
#[rustgo::export]
pub fn lent(sink: Go<'_, dyn Sink>) -> Result<u64, GoError> {
    sink.last("lent".into())
}

/// An Insists repeats a method call in its destructor until the method returns no error.
#[rustgo::object(close)]
pub struct Insists(OwnedGo<dyn Sink>, #[allow(dead_code, reason = "its destructor matters")] Counts);

impl Drop for Insists {
    fn drop(&mut self) {
        while self.0.last("again".into()).is_err() {}
    }
}

#[rustgo::export]
impl Insists {
    /// NewInsists returns an object with this sink.
    pub fn new(sink: OwnedGo<dyn Sink>) -> Insists {
        Insists(sink, Counts)
    }

    /// Done consumes the object. The call is a task, because the destructor calls Go.
    pub fn done(self) -> u64 {
        5
    }

    /// Flush flushes a log in a call that is no task.
    pub fn flush(&self, log: &mut Log) -> Result<(), Error> {
        log.0.flush()
    }

    /// Attempt calls the method in a call that is no task.
    pub fn attempt(&self) -> Result<u64, GoError> {
        self.0.last("try".into())
    }
}

/// A Tee has two buffered writers. Their destructors flush one after the other.
#[rustgo::object(close)]
pub struct Tee(#[allow(dead_code, reason = "its destructor matters")] BufWriter<OwnedWriter>, #[allow(dead_code)] BufWriter<OwnedWriter>, #[allow(dead_code)] Counts);

#[rustgo::export(task)]
impl Tee {
    /// NewTee returns a Tee whose buffers each contain a text.
    pub fn new(a: OwnedWriter, b: OwnedWriter) -> Tee {
        let of = |w| {
            let mut buffer = BufWriter::new(w);
            buffer.write_all(b"tee").unwrap();
            buffer
        };
        Tee(of(a), of(b), Counts)
    }
}

/// A Fussy panics in its destructor if its number is odd.
#[rustgo::object]
pub struct Fussy(u64, #[allow(dead_code, reason = "its destructor matters")] Counts);

impl Drop for Fussy {
    fn drop(&mut self) {
        assert_eq!(self.0 % 2, 0, "odd");
    }
}

#[rustgo::export]
impl Fussy {
    /// Number returns the number.
    pub fn number(&self) -> u64 {
        self.0
    }
}

/// A Taker keeps a Go function that gets objects from Rust.
#[rustgo::object(close)]
pub struct Taker(OwnedFunc<fn(Vec<Fussy>)>);

#[rustgo::export]
impl Taker {
    /// NewTaker keeps the function.
    pub fn new(f: OwnedFunc<fn(Vec<Fussy>)>) -> Taker {
        Taker(f)
    }

    /// Outside passes objects with the numbers below n to the function, in a call that is no task.
    pub fn outside(&self, n: u64) {
        self.0.call((0..n).map(|i| Fussy(i, Counts)).collect());
    }
}

/// A List has words and a function.
#[rustgo::object(close)]
pub struct List(Vec<String>, OwnedFunc<fn()>);

#[rustgo::export]
impl List {
    /// NewList returns a list with these words.
    pub fn new(f: OwnedFunc<fn()>, text: &str) -> List {
        List(text.split(' ').map(str::to_owned).collect(), f)
    }

    /// Drain returns and removes the words, and calls the function for each word.
    pub fn drain(&mut self) -> impl Iterator<Item = String> {
        self.0.drain(..).inspect(|_| self.1.call())
    }

    /// Len returns the number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

static HELD: Mutex<u64> = Mutex::new(0);

/// A Late takes a lock in its destructor.
#[rustgo::object]
pub struct Late(u64, #[allow(dead_code, reason = "its destructor matters")] Counts);

impl Drop for Late {
    fn drop(&mut self) {
        *HELD.lock().unwrap() += self.0;
    }
}

#[rustgo::export]
impl Late {
    /// NewLate returns an object.
    pub fn new() -> Late {
        Late(1, Counts)
    }
}

/// Holding calls f while it holds the lock.
#[rustgo::export]
pub fn holding(f: Func<'_, fn()>) -> u64 {
    let count = HELD.lock().unwrap();
    f.call();
    *count
}

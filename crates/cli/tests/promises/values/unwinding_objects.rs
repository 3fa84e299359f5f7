//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Panics unwind calls that use objects. Afterwards some objects can still be used, and the values that the calls owned are dropped.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// The number of values of [`Part`] that exist.
static ALIVE: AtomicI64 = AtomicI64::new(0);
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// A part of an object. It owns memory, and `ALIVE` counts the parts.
struct Part(Vec<u64>);

impl Part {
    fn new() -> Part {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Part(vec![SERIAL.fetch_add(1, Ordering::SeqCst); 100])
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        assert_eq!(self.0.len(), 100, "dropped twice");
        self.0.clear();
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Alive returns the number of parts that exist.
#[rustgo::export]
pub fn alive() -> i64 {
    ALIVE.load(Ordering::SeqCst)
}

fn check(x: u64) -> u64 {
    assert!(x != 7, "met {x}");
    x
}

macro_rules! object {
    ($name:ident $(, $option:ident)*) => {
        #[rustgo::object(close $(, $option)*)]
        pub struct $name {
            parts: Vec<Part>,
            shared: Mutex<u64>,
            explodes: bool,
        }

        #[rustgo::export]
        impl $name {
            pub fn new() -> Self {
                $name { parts: vec![Part::new()], shared: Mutex::new(0), explodes: false }
            }

            /// Push adds a part for each word. It panics at a word that is 7.
            pub fn push(&mut self, words: &[u64]) -> u64 {
                for &word in words {
                    let part = Part::new();
                    check(word);
                    self.parts.push(part);
                }
                self.parts.len() as u64
            }

            /// Explode makes the destructor panic.
            pub fn explode(&mut self) {
                self.explodes = true;
            }

            /// ExplodeNow makes the destructor panic, and panics.
            pub fn explode_now(&mut self) {
                self.explodes = true;
                check(7);
            }

            pub fn len(&self) -> u64 {
                self.parts.len() as u64
            }

            /// Add adds x to a number in a mutex, and returns true if the mutex was poisoned. The call panics while it holds the mutex if x is 7.
            pub fn add(&self, x: u64) -> bool {
                let _part = Part::new();
                let (mut number, poisoned) = match self.shared.lock() {
                    Ok(number) => (number, false),
                    Err(error) => (error.into_inner(), true),
                };
                *number += check(x);
                drop(number);
                self.shared.clear_poison();
                poisoned
            }

            /// Into consumes the object.
            pub fn into(self, x: u64) -> u64 {
                let number = self.parts.len() as u64;
                check(x) + number
            }

            /// Merge moves the parts of the other object to this one. The call panics in between if x is 7.
            pub fn merge(&mut self, other: &mut $name, x: u64) {
                while let Some(part) = other.parts.pop() {
                    check(x);
                    self.parts.push(part);
                }
            }

            /// Compare panics if x is 7. The other object may be nil.
            pub fn compare(&self, other: Option<&$name>, x: u64) -> i64 {
                let _part = Part::new();
                check(x) as i64 + other.map_or(-1, |other| other.parts.len() as i64)
            }

            /// Each returns the serial numbers of the parts. The iterator owns a part. A step panics at item x.
            pub fn each(&self, x: u64) -> impl Iterator<Item = u64> {
                let part = Part::new();
                self.parts.iter().enumerate().map(move |(i, own)| {
                    let _used = &part;
                    assert!(i as u64 != x, "at {x}");
                    own.0[0]
                })
            }

            /// Drain removes the parts, and returns their serial numbers. A step panics at item x.
            pub fn drain(&mut self, x: u64) -> impl Iterator<Item = u64> {
                let part = Part::new();
                self.parts.drain(..).enumerate().map(move |(i, own)| {
                    let _used = &part;
                    assert!(i as u64 != x, "at {x}");
                    own.0[0]
                })
            }

            /// Text changes the object, and then panics if the text is not empty. A text that is not UTF-8 is refused before the change.
            pub fn text(&mut self, text: &str) {
                self.parts.push(Part::new());
                assert!(text.is_empty(), "got {text}");
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                let parts = self.parts.iter().map(|_| Part::new()).collect::<Vec<_>>();
                assert!(parts.len() != 3, "three parts");
                $name { parts, shared: Mutex::new(0), explodes: false }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let _part = Part::new();
                assert!(self.parts.len() != 3, "three parts");
                write!(f, "{} parts", self.parts.len())
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                assert!(!self.explodes, "exploded");
            }
        }
    };
}

object!(Strict);
object!(Safe, unwind_safe);
object!(Alone, exclusive);
object!(SafeAlone, exclusive, unwind_safe);

/// All methods of a Reader take `&self`, so generated Go code marks uses of a Reader in another way than uses of the other objects.
#[rustgo::object]
pub struct Reader {
    part: Part,
    shared: Mutex<u64>,
}

#[rustgo::export]
impl Reader {
    pub fn new() -> Self {
        Reader { part: Part::new(), shared: Mutex::new(0) }
    }

    pub fn add(&self, x: u64) -> u64 {
        let _part = Part::new();
        let mut number = self.shared.lock().unwrap_or_else(|error| error.into_inner());
        *number += check(x) + self.part.0.len() as u64;
        self.shared.clear_poison();
        *number
    }

    /// Each panics at item x.
    pub fn each(&self, x: u64) -> impl Iterator<Item = u64> {
        let part = Part::new();
        self.part.0.iter().enumerate().map(move |(i, &own)| {
            let _used = &part;
            assert!(i as u64 != x, "at {x}");
            own
        })
    }
}

/// Numbers returns an iterator that belongs to no object. A step panics at item x.
#[rustgo::export]
pub fn numbers(x: u64) -> impl Iterator<Item = u64> {
    let part = Part::new();
    (0..100).map(move |i| {
        let _used = &part;
        assert!(i != x, "at {x}");
        i
    })
}

//@ native: all
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Payloads and messages of panics.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, panic_any, resume_unwind};
use std::sync::Arc;

thread_local! {
    /// The digest of the events of the running call.
    static LOG: Cell<u64> = const { Cell::new(0) };
}

/// Adds an event to the digest.
fn log(event: u64) {
    LOG.set((LOG.get().rotate_left(7) ^ event).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1));
}

/// Calls f. If f panics, catches the panic and logs its text; otherwise logs the result.
fn attempt(f: impl FnOnce() -> u64) -> bool {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => log(result),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
            text.unwrap_or("not text").bytes().for_each(|byte| log(u64::from(byte)));
            return false;
        }
    }
    true
}

/// Returns the digest of the events during f.
fn logged(f: impl FnOnce()) -> u64 {
    LOG.set(0);
    f();
    LOG.get()
}

/// Logs its number when it is dropped.
struct Noisy(u64);

impl Drop for Noisy {
    fn drop(&mut self) {
        log(self.0);
    }
}
/// Adds a text to the digest.
fn log_text(text: &str) {
    text.bytes().for_each(|byte| log(u64::from(byte)));
    log(text.len() as u64);
}

/// Returns the payload of the panic of f, which must panic.
fn payload(f: impl FnOnce()) -> Box<dyn Any + Send> {
    catch_unwind(AssertUnwindSafe(f)).expect_err("no panic")
}

/// Texts causes a panic with a literal, with a formatted text, or with a text as its payload.
#[rustgo::export]
pub fn texts(x: u64) -> u64 {
    let (kind, n) = (x % 6, x / 6);
    logged(|| {
        let payload = payload(|| match kind {
            0 => panic!("a literal"),
            1 => panic!("the number {n}"),
            2 => panic_any("a literal payload"),
            3 => panic_any(format!("{n:>30}")),
            4 => panic!("{}", black_box("an argument")),
            _ => panic!("ä € 🦀 {n:#b}"),
        });
        match payload.downcast::<String>() {
            Ok(text) => log_text(&text),
            Err(payload) => {
                log(u64::from(payload.is::<&'static str>()));
                log_text(payload.downcast_ref::<&str>().unwrap());
            }
        }
    })
}

/// Numbers causes a panic whose payload is a number of one of several sizes, or has no size.
#[rustgo::export]
pub fn numbers(x: u64) -> u64 {
    let (kind, n) = (x % 6, x / 6);
    logged(|| {
        let payload = payload(|| match kind {
            0 => panic_any(n as u8),
            1 => panic_any(n as u32),
            2 => panic_any(n),
            3 => panic_any(u128::from(n) << 60),
            4 => panic_any(n as f64 / 3.0),
            _ => panic_any(()),
        });
        log(payload.downcast_ref::<u8>().map_or(1, |&n| u64::from(n)));
        log(payload.downcast_ref::<u32>().map_or(2, |&n| u64::from(n)));
        log(payload.downcast_ref::<u64>().map_or(3, |&n| n));
        log(payload.downcast_ref::<u128>().map_or(4, |&n| (n >> 50) as u64));
        log(payload.downcast_ref::<f64>().map_or(5, |&n| n.to_bits()));
        log(u64::from(payload.is::<()>()));
    })
}

/// Dropped causes a panic with a payload that has a destructor. The destructor runs once, when the payload is dropped.
#[rustgo::export]
pub fn dropped(x: u64) -> u64 {
    struct Empty;
    impl Drop for Empty {
        fn drop(&mut self) {
            log(55);
        }
    }
    let (kind, n) = (x % 4, x / 4);
    logged(|| {
        let payload = payload(|| {
            let _local = Noisy(n);
            match kind {
                0 => panic_any(Noisy(n + 1)),
                1 => panic_any([Noisy(n + 2), Noisy(n + 3)]),
                2 => panic_any(Empty),
                _ => panic_any(Box::new(Noisy(n + 4))),
            }
        });
        log(10);
        match payload.downcast::<Noisy>() {
            Ok(noisy) => log(noisy.0 ^ 5),
            Err(payload) => {
                log(11);
                drop(payload);
            }
        }
        log(12);
    })
}

/// Large causes a panic with a payload that is large or aligned to 64 bytes.
#[rustgo::export]
pub fn large(x: u64) -> u64 {
    #[repr(align(64))]
    struct Aligned([u64; 9], u8);
    let (kind, n) = (x % 3, x / 3);
    logged(|| {
        let payload = payload(|| match kind {
            0 => panic_any([n; 300]),
            1 => panic_any(Aligned([n; 9], n as u8)),
            _ => panic_any((vec![n; 40], String::from("with a text"))),
        });
        if let Some(words) = payload.downcast_ref::<[u64; 300]>() {
            words.iter().for_each(|&word| log(word));
        } else if let Some(aligned) = payload.downcast_ref::<Aligned>() {
            log((&raw const *aligned).addr() as u64 % 64);
            log(aligned.0[8] + u64::from(aligned.1));
        } else if let Ok(pair) = payload.downcast::<(Vec<u64>, String)>() {
            pair.0.iter().for_each(|&word| log(word));
            log_text(&pair.1);
        }
    })
}

/// Errors causes a panic with a payload that is a trait object in a box.
#[rustgo::export]
pub fn errors(x: u64) -> u64 {
    type Failure = Box<dyn Error + Send + Sync>;
    type Work = Box<dyn Fn(u64) -> u64 + Send>;
    let (kind, n) = (x % 4, x / 4);
    logged(|| {
        let payload = payload(|| match kind {
            0 => panic_any(Failure::from(format!("failure {n}"))),
            1 => panic_any(Failure::from("x".parse::<u64>().unwrap_err())),
            2 => panic_any(Box::new(move |m: u64| n ^ m) as Work),
            _ => panic_any(Box::new(n + 1) as Box<dyn Any + Send>),
        });
        if let Some(failure) = payload.downcast_ref::<Failure>() {
            log_text(&failure.to_string());
            log(u64::from(failure.is::<std::num::ParseIntError>()));
        } else if let Some(work) = payload.downcast_ref::<Work>() {
            log(work(7));
        } else if let Some(inner) = payload.downcast_ref::<Box<dyn Any + Send>>() {
            log(inner.downcast_ref::<u64>().map_or(0, |&n| n));
        }
    })
}

/// Shared causes a panic with a payload that shares a value, and logs the number of references to the value.
#[rustgo::export]
pub fn shared(x: u64) -> u64 {
    let (kind, n) = (x % 3, x / 3);
    logged(|| {
        let value = Arc::new(Noisy(n));
        let payload = payload(|| {
            let clone = value.clone();
            let _second = (kind == 0).then(|| clone.clone());
            panic_any(clone)
        });
        log(Arc::strong_count(&value) as u64);
        if kind == 1 {
            drop(payload);
        } else {
            let inner = payload.downcast::<Arc<Noisy>>().unwrap();
            log(u64::from(Arc::ptr_eq(&inner, &value)));
        }
        log(Arc::strong_count(&value) as u64);
    })
}

/// Downcast tries to downcast a payload to several types, and changes a payload that is a u64.
#[rustgo::export]
pub fn downcast(x: u64) -> u64 {
    let (kind, n) = (x % 3, x / 3);
    logged(|| {
        let mut payload = payload(|| match kind {
            0 => panic_any(n),
            1 => panic_any(n as i64),
            _ => panic_any(Noisy(n)),
        });
        if let Some(n) = payload.downcast_mut::<u64>() {
            *n += 1;
        }
        let payload = match payload.downcast::<i64>() {
            Ok(n) => return log(*n as u64 ^ 1),
            Err(payload) => payload,
        };
        log(match payload.downcast::<u64>() {
            Ok(n) => *n,
            Err(payload) => u64::from(payload.is::<Noisy>()),
        });
    })
}

/// Resumed passes a payload through several levels of `resume_unwind`. The payload keeps its address.
#[rustgo::export(stack = "256k")]
pub fn resumed(x: u64) -> u64 {
    struct Kept(Noisy, [u64; 5]);
    #[inline(never)]
    fn level(depth: u64, n: u64, place: &Cell<usize>) -> u64 {
        let held = Noisy(depth);
        if depth == 0 {
            panic_any(Kept(Noisy(n), [n; 5]));
        }
        match catch_unwind(AssertUnwindSafe(|| level(depth - 1, n, place))) {
            Ok(n) => n ^ held.0,
            Err(payload) => {
                let now = (&raw const *payload.downcast_ref::<Kept>().unwrap()).addr();
                log(u64::from(place.replace(now) == now));
                resume_unwind(payload)
            }
        }
    }
    let (depth, n) = (x % 6, x / 6);
    logged(|| {
        let kept = payload(|| log(level(depth, n, &Cell::new(0)))).downcast::<Kept>().unwrap();
        log(kept.1[4] + (kept.0.0 & 1));
    })
}

/// ResumedAlone unwinds by `resume_unwind` without a panic before it.
#[rustgo::export]
pub fn resumed_alone(x: u64) -> u64 {
    let (kind, n) = (x % 4, x / 4);
    logged(|| {
        attempt(|| {
            let held = Noisy(n);
            match kind {
                0 => resume_unwind(Box::new("a text")),
                1 => resume_unwind(Box::new(format!("text {n}"))),
                2 => resume_unwind(Box::new(Noisy(n + 1))),
                _ => held.0,
            }
        });
        log(u64::from(std::thread::panicking()));
    })
}

/// Collected keeps several payloads while more panics are caught, and reads them later.
#[rustgo::export]
pub fn collected(x: u64) -> u64 {
    let (count, n) = (x % 12, x / 12);
    logged(|| {
        let mut kept: Vec<Box<dyn Any + Send>> = Vec::new();
        for at in 0..count {
            kept.push(payload(|| match at % 3 {
                0 => panic!("payload {at} of {n}"),
                1 => panic_any(Noisy(n + at)),
                _ => panic_any(n + at),
            }));
        }
        for payload in kept.iter().rev() {
            log(payload.downcast_ref::<u64>().map_or(1, |&n| n));
            log(payload.downcast_ref::<Noisy>().map_or(2, |noisy| noisy.0));
            log_text(payload.downcast_ref::<String>().map_or("", String::as_str));
        }
        kept.truncate(3);
        log(kept.len() as u64);
    })
}

/// BombPayload drops a payload whose destructor panics; the panic is caught.
#[rustgo::export]
pub fn bomb_payload(x: u64) -> u64 {
    struct Bomb(u64, bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            log(self.0);
            assert!(!self.1, "the payload {} panics", self.0);
        }
    }
    let (armed, n) = (x % 2 == 0, x / 2);
    logged(|| {
        let first = payload(|| panic_any(Bomb(n, armed)));
        attempt(|| {
            let _held = Noisy(n + 1);
            drop(first);
            n
        });
    })
}

/// Nested causes panics. The payload of each panic contains the payload of the panic before it.
#[rustgo::export]
pub fn nested(x: u64) -> u64 {
    struct Wrapped(u64, Box<dyn Any + Send>);
    let (depth, n) = (x % 7, x / 7);
    logged(|| {
        let mut whole: Box<dyn Any + Send> = Box::new(Noisy(n));
        for level in 0..depth {
            whole = payload(|| panic_any(Wrapped(n + level, whole)));
        }
        while whole.is::<Wrapped>() {
            let wrapped = whole.downcast::<Wrapped>().unwrap();
            log(wrapped.0);
            whole = wrapped.1;
        }
        log(u64::from(whole.is::<Noisy>()));
    })
}

/// Messages catches a panic of the language or of the standard library, and logs its text.
#[rustgo::export]
pub fn messages(x: u64) -> u64 {
    #[derive(Debug, PartialEq)]
    struct Point {
        x: u64,
        label: &'static str,
    }
    let (kind, n) = (x % 30, x / 30);
    let three = black_box([1_u64, 2, 3]);
    let at = (n & 0xff) as usize;
    logged(|| {
        attempt(|| match kind {
            0 => three[at + 3],
            1 => three[2..at + 4].iter().sum(),
            2 => three[at + 4..].iter().sum(),
            3 => three[black_box(3)..black_box(1)].iter().sum(),
            4 => n / black_box(0),
            5 => n % black_box(0),
            6 => (black_box(i64::MIN) / black_box(-1)) as u64,
            7 => black_box(None::<u64>).unwrap(),
            8 => black_box(None::<u64>).expect("there is one"),
            9 => black_box("x7").parse::<u64>().expect("a number"),
            10 => u64::from(black_box(Ok::<u64, Point>(n)).is_ok()) + black_box(Err::<u64, _>(Point { x: n, label: "a" })).unwrap(),
            11 => black_box(Ok::<u64, u8>(n)).unwrap_err().into(),
            12 => {
                assert!(n > 1 << 60);
                n
            }
            13 => {
                assert_eq!(n, n + 1, "the sums of {kind}");
                n
            }
            14 => {
                assert_ne!(Point { x: n, label: "a\n\"b\"" }, Point { x: n, label: "a\n\"b\"" });
                n
            }
            15 => unreachable!("kind {kind}"),
            16 => unreachable!(),
            17 => todo!(),
            18 => unimplemented!("{n} of them"),
            19 => panic!(),
            20 => panic!("{:>8}|{:<8}|{:^+9.3}|{:#x}|{:?}|{}", n, "left", 3.25_f64, kind, 'ä', true),
            21 => panic!("{:#?}", (Point { x: n, label: "a" }, [Some(1_u8), None])),
            22 => {
                let cell = RefCell::new(n);
                let _held = cell.borrow_mut();
                *cell.borrow()
            }
            23 => HashMap::from([(1_u64, 2_u64)])[&(n + 2)],
            24 => BTreeMap::from([(1_u64, 2_u64)])[&(n + 2)],
            25 => black_box(u64::MAX).strict_add(n + 1),
            26 => black_box(n).strict_sub(n + 1),
            27 => u64::from(u8::try_from(n + 300).unwrap()),
            28 => String::from_utf8(vec![b'a', 0xff, b'b']).unwrap().len() as u64,
            _ => n,
        });
    })
}

/// LongMessages catches a panic with a message of one of many sizes. No message is cut.
#[rustgo::export]
pub fn long_messages(x: u64) -> u64 {
    let (length, n) = ((x % 100) as usize * 97, x / 100);
    logged(|| {
        let text = "0123456789ä".repeat(length / 12 + 1);
        attempt(|| {
            let held = Noisy(n);
            assert!(n % 8 == 3, "{} {text} {}", held.0, text.len());
            n
        });
    })
}

/// Locations catches a panic whose payload is the location of its caller.
#[rustgo::export]
pub fn locations(x: u64) -> u64 {
    #[track_caller]
    #[inline(never)]
    fn fails(fails: bool) -> u64 {
        let place = Location::caller();
        let _held = Noisy(u64::from(place.line()));
        if fails {
            panic_any((place.line(), place.column()));
        }
        u64::from(place.column())
    }
    let (kind, n) = (x % 3, x / 3);
    logged(|| {
        let ended = catch_unwind(|| match kind {
            0 => fails(n % 4 != 0),
            1 => n ^ fails(true),
            _ => fails(false),
        });
        match ended {
            Ok(n) => log(n),
            Err(payload) => {
                let place = payload.downcast::<(u32, u32)>().unwrap();
                log(u64::from(place.0) << 32 | u64::from(place.1));
            }
        }
    })
}

/// Results catches a panic of a function with a large, nested result. The payload is not a text.
#[rustgo::export]
pub fn results(x: u64) -> u64 {
    #[inline(never)]
    fn work(kind: u64, n: u64) -> Result<([u64; 20], Noisy), Box<dyn Error>> {
        let held = Noisy(n);
        match kind {
            0 => panic_any(held),
            1 => Err(format!("error {n}").into()),
            _ => Ok(([n; 20], held)),
        }
    }
    let (kind, n) = (x % 3, x / 3);
    logged(|| match catch_unwind(|| work(kind, n)) {
        Ok(Ok((words, noisy))) => log(words[19] ^ noisy.0 >> 1),
        Ok(Err(error)) => log_text(&error.to_string()),
        Err(payload) => log(u64::from(payload.is::<Noisy>())),
    })
}

//! Tests of the answers to questions. The exports are functions of this crate.

use crate::call::{Session, remember_panics};
use crate::exports::Exports;
use crate::protocol::{answer, ask, place};
use crate::serve::reply;

mod exports {
    use std::fmt;

    #[rustgo::export]
    pub fn sum(xs: &[u64]) -> u64 {
        xs.iter().sum()
    }

    #[rustgo::export(results(low, high, ok))]
    pub fn split(xs: &mut [u16], by: f32) -> Option<(f32, u16)> {
        let last = xs.last_mut()?;
        *last += 1;
        Some((by, *last))
    }

    #[rustgo::export]
    pub fn words(s: &str) -> Vec<String> {
        s.split(' ').map(str::to_owned).collect()
    }

    #[rustgo::export]
    pub fn count_up(n: u64) -> impl Iterator<Item = (u64, String)> {
        (0..n).map(|x| (x, x.to_string()))
    }

    #[rustgo::export]
    pub fn append(dst: &mut rustgo::Append<u8>, x: u64) {
        use std::fmt::Write;
        let _ = write!(dst, "{x}");
    }

    #[derive(Debug, rustgo::Error)]
    pub enum Plain {
        Empty,
        TooLong,
    }

    impl fmt::Display for Plain {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "it is {self:?}")
        }
    }

    #[rustgo::export]
    pub fn check(s: &str) -> Result<(), Plain> {
        match s.len() {
            0 => Err(Plain::Empty),
            1..5 => Ok(()),
            _ => Err(Plain::TooLong),
        }
    }

    #[derive(Debug, rustgo::Error)]
    pub struct Syntax {
        pub line: usize,
        pub near: String,
    }

    impl fmt::Display for Syntax {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "near {}", self.near)
        }
    }

    #[derive(Debug, rustgo::Error)]
    pub enum Load {
        Missing,
        Number {
            line: usize,
            #[rustgo(skip)]
            source: std::num::ParseIntError,
        },
    }

    impl fmt::Display for Load {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("not loaded")
        }
    }

    impl std::error::Error for Load {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            match self {
                Load::Missing => None,
                Load::Number { source, .. } => Some(source),
            }
        }
    }

    #[rustgo::export]
    pub fn load(s: &str) -> Result<u32, Load> {
        match s {
            "" => Err(Load::Missing),
            _ => s.parse().map_err(|source| Load::Number { line: 1, source }),
        }
    }

    #[rustgo::export]
    pub fn parse(s: &str) -> Result<u32, Syntax> {
        s.parse().map_err(|_| Syntax { line: 1, near: s.to_owned() })
    }

    #[rustgo::export]
    pub fn number(s: &str) -> Result<i8, std::num::ParseIntError> {
        s.parse()
    }

    #[rustgo::object(close)]
    #[derive(Clone)]
    pub struct Queue(Vec<u64>);

    #[rustgo::export]
    impl Queue {
        #[allow(clippy::new_without_default)]
        pub fn new() -> Self {
            Self(Vec::new())
        }
        pub fn push(&mut self, x: u64) -> usize {
            self.0.push(x);
            self.0.len()
        }
        pub fn into_vec(self) -> Vec<u64> {
            self.0
        }
    }

    #[rustgo::object(inline)]
    #[derive(Clone, Copy)]
    pub struct Counter(u64);

    impl Default for Counter {
        fn default() -> Self {
            Self(5)
        }
    }

    #[rustgo::export]
    impl Counter {
        pub fn next(&mut self) -> u64 {
            self.0 += 1;
            self.0
        }
    }

    #[rustgo::export]
    pub const MOST: u16 = 5;
}

/// A client that asks questions about the exports of this crate, in one session.
struct Client {
    exports: Exports,
    session: Session,
}

impl Client {
    fn new() -> Self {
        remember_panics();
        Self { exports: Exports::find().unwrap(), session: Session::default() }
    }

    fn ask(&mut self, question: &[u8]) -> (u8, String) {
        reply(&self.exports, &mut self.session, question).unwrap_or_else(|why| (answer::MISUNDERSTOOD, why))
    }

    fn call_most(&mut self, name: &str, most: u32, args: &[u8]) -> (u8, String) {
        let number = self.exports.all.iter().position(|export| export.name == name && crate::exports::is_called(export));
        let number = number.unwrap_or_else(|| panic!("no export {name}")) as u32;
        self.ask(&[&[ask::CALL][..], &number.to_le_bytes(), &most.to_le_bytes(), args].concat())
    }

    fn call(&mut self, name: &str, args: &[u8]) -> String {
        let (kind, text) = self.call_most(name, 100, args);
        assert_eq!(kind, answer::TEXT, "{text}");
        text
    }
}

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

fn slice<const N: usize>(len: u32, items: &[[u8; N]]) -> Vec<u8> {
    [&[place::FRESH][..], &len.to_le_bytes(), items.as_flattened()].concat()
}

#[test]
fn the_description_names_all() {
    let (kind, text) = Client::new().ask(&[ask::DESCRIBE]);
    assert_eq!(kind, answer::TEXT);
    assert!(text.starts_with("{\"version\":3,\"exports\":["), "{text}");
    let sum = "\"name\":\"Sum\",\"params\":[{\"name\":\"xs\",\"type\":{\"kind\":\"slice\",\"mutable\":false,\"elem\":{\"kind\":\"uint64\"}}}],\
        \"results\":[{\"name\":\"\",\"type\":{\"kind\":\"uint64\"}}]}";
    for part in
        [sum, "\"name\":\"Queue.Push\"", "\"name\":\"Queue.Clone\"", "{\"name\":\"Most\",\"type\":{\"kind\":\"uint16\"},\"text\":\"5\"}"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn calls_have_their_results_and_memory_shown() {
    let mut client = Client::new();
    let words = [3_u64.to_le_bytes(), 4_u64.to_le_bytes()];
    assert_eq!(client.call("Sum", &slice(2, &words)), "result 0 = 7\nxs = [3 4]\n");
    assert_eq!(client.call("Sum", &[place::NIL]), "result 0 = 0\nxs = []\n");
    let args = [slice(1, &[6_u16.to_le_bytes()]), 1.5_f32.to_le_bytes().to_vec()].concat();
    assert_eq!(client.call("Split", &args), "result low = 0x3fc00000\nresult high = 7\nresult ok = true\nxs = [7]\n");
    let args = [slice::<2>(0, &[]), f32::NAN.to_le_bytes().to_vec()].concat();
    assert_eq!(client.call("Split", &args), "result low = 0x00000000\nresult high = 0\nresult ok = false\nxs = []\n");
    assert_eq!(client.call("Words", &string("a \"ß")), "result 0 = [\"a\" \"\\x22\\xc3\\x9f\"]\n");
    for spare in [0_u32, 1, 9] {
        let args = [slice(1, &[[b'x']]), spare.to_le_bytes().to_vec(), 123_u64.to_le_bytes().to_vec()].concat();
        assert_eq!(client.call("Append", &args), "appended dst = b\"x123\"\n", "{spare}");
    }
}

#[test]
fn iterators_end_or_are_ended() {
    let mut client = Client::new();
    let args = 3_u64.to_le_bytes();
    assert_eq!(client.call("CountUp", &args), "result 0 = <0:\"0\" 1:\"1\" 2:\"2\">\n");
    for (most, text) in [(0, "< …>"), (1, "<0:\"0\" …>"), (3, "<0:\"0\" 1:\"1\" 2:\"2\">")] {
        assert_eq!(client.call_most("CountUp", most, &args).1, format!("result 0 = {text}\n"));
    }
    assert!(client.call_most("CountUp", 90, &u64::MAX.to_le_bytes()).1.ends_with("89:\"89\" …>\n"));
}

#[test]
fn errors_are_shown_by_kind() {
    let mut client = Client::new();
    assert_eq!(client.call("Check", &string("")), "result 0 = Plain(1) \"it is Empty\"\n");
    assert_eq!(client.call("Check", &string("abcdef")), "result 0 = Plain(2) \"it is TooLong\"\n");
    assert_eq!(client.call("Check", &string("abc")), "result 0 = nil\n");
    assert_eq!(client.call("Parse", &string("x")), "result 0 = 0\nresult 1 = Syntax{Line:1 Near:\"x\"} \"near x\"\n");
    assert_eq!(client.call("Load", &string("")), "result 0 = 0\nresult 1 = LoadMissing{} \"not loaded\"\n");
    assert_eq!(
        client.call("Load", &string("x")),
        "result 0 = 0\nresult 1 = LoadNumber{Line:1} \"not loaded\" <- \"invalid digit found in string\"\n"
    );
    assert_eq!(client.call("Number", &string("1000")), "result 0 = 0\nresult 1 = error \"number too large to fit in target type\"\n");
}

#[test]
fn objects_live_until_they_are_taken_or_closed() {
    let mut client = Client::new();
    let object = |number: u32| [&[place::OBJECT][..], &number.to_le_bytes()].concat();
    assert_eq!(client.call("NewQueue", &[]), "result 0 = *Queue#1\n");
    let push = [object(1), 7_u64.to_le_bytes().to_vec()].concat();
    assert_eq!(client.call("Queue.Push", &push), "result 0 = 1\n");
    assert_eq!(client.call("Queue.Clone", &object(1)), "result 0 = *Queue#2\n");
    assert_eq!(client.call("Queue.IntoVec", &object(1)), "result 0 = [7]\n");
    let (kind, text) = client.call_most("Queue.Push", 0, &push);
    assert_eq!((kind, text.lines().nth(1)), (answer::PANIC, Some("the Queue passed for parameter self is closed")));
    assert!(text.starts_with("crates/native/src/tests.rs:"), "{text}");
    assert_eq!(client.ask(&[&[ask::CLOSE][..], &2_u32.to_le_bytes()].concat()), (answer::TEXT, String::new()));
    assert_eq!(client.call_most("Queue.IntoVec", 0, &object(2)).0, answer::PANIC);
    for (how, message) in [
        (place::NIL, "nil pointer passed for parameter self"),
        (place::ZERO, "the Queue passed for parameter self was not made by a constructor"),
    ] {
        assert_eq!(client.call_most("Queue.IntoVec", 0, &[how]).1.lines().nth(1), Some(message));
    }
    assert_eq!(client.ask(&[ask::FORGET]).0, answer::TEXT);
    assert_eq!(client.call("NewQueue", &[]), "result 0 = *Queue#1\n");
}

#[test]
fn zero_values_are_objects_with_numbers() {
    let mut client = Client::new();
    let object = |number: u32| [&[place::OBJECT][..], &number.to_le_bytes()].concat();
    assert_eq!(client.call("NewQueue", &[]), "result 0 = *Queue#1\n");
    assert_eq!(client.ask(&[&[ask::ZERO][..], &2_u32.to_le_bytes()].concat()), (answer::TEXT, String::new()));
    assert_eq!(client.call("Counter.Next", &object(2)), "result 0 = 6\n");
    assert_eq!(client.call("Counter.Next", &object(2)), "result 0 = 7\n");
    assert_eq!(client.call("NewQueue", &[]), "result 0 = *Queue#3\n");
}

#[test]
fn damaged_questions_are_refused() {
    let mut client = Client::new();
    assert_eq!(client.call_most("Sum", 0, &[9]).0, answer::MISUNDERSTOOD);
    assert_eq!(client.call_most("Sum", 0, &[place::NIL, 0]), (answer::MISUNDERSTOOD, "1 bytes of a question are left".into()));
    assert_eq!(client.ask(&[]).0, answer::MISUNDERSTOOD);
}

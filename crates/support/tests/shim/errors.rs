//! Tests exports whose results can be errors.

use crate::common::{Frame, beside, field, find};
use rustgo_schema::{Basic, Type, role};

mod exports {
    use std::error::Error;
    use std::fmt;
    use std::ops::Deref;
    use std::sync::atomic::{AtomicU16, Ordering};

    /// An error with a source.
    #[derive(Debug)]
    pub struct Chained(pub &'static str, pub Option<Box<Chained>>);

    impl fmt::Display for Chained {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Chained {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|source| source as _)
        }
    }

    fn chain() -> Chained {
        Chained("outer", Some(Box::new(Chained("größe", Some(Box::new(Chained("", None)))))))
    }

    /// An error that is its own source.
    #[derive(Debug)]
    pub struct Endless;

    impl fmt::Display for Endless {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("e")
        }
    }

    impl Error for Endless {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&Self)
        }
    }

    /// An error type like `anyhow::Error`, which does not implement `Error` but converts to a boxed error.
    pub struct Anyhow(Box<dyn Error + Send + Sync>);

    impl Deref for Anyhow {
        type Target = dyn Error + Send + Sync;

        fn deref(&self) -> &Self::Target {
            &*self.0
        }
    }

    impl fmt::Display for Anyhow {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }

    /// An error with only a text.
    pub struct Shown<'a>(&'a str);

    impl fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "<{}>", self.0)
        }
    }

    /// An error whose `Display` fails.
    pub struct Broken;

    impl fmt::Display for Broken {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("no text")
        }
    }

    #[rustgo::export]
    pub fn fail_std(fails: bool) -> Result<u8, Chained> {
        if fails { Err(chain()) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_endless(fails: bool) -> Result<u8, Endless> {
        if fails { Err(Endless) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_boxed(fails: bool) -> Result<u8, Box<dyn Error>> {
        if fails { Err(chain().into()) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_shared(fails: bool) -> Result<u8, Box<dyn Error + Send + Sync>> {
        if fails { Err(chain().into()) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_anyhow(fails: bool) -> Result<u8, Anyhow> {
        if fails { Err(Anyhow(chain().into())) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_shown(fails: bool) -> Result<u8, Shown<'static>> {
        if fails { Err(Shown("outer")) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_text(fails: bool) -> Result<u8, String> {
        if fails { Err("outer".into()) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_static(fails: bool) -> Result<u8, &'static str> {
        if fails { Err("outer") } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_empty(fails: bool) -> Result<u8, String> {
        if fails { Err(String::new()) } else { Ok(7) }
    }

    #[rustgo::export]
    pub fn fail_broken(fails: bool) -> Result<u8, Broken> {
        if fails { Err(Broken) } else { Ok(7) }
    }

    #[rustgo::export(results(start, rest, ok, err))]
    pub fn fail_several(text: &str) -> Result<Option<(u8, &str)>, Shown<'_>> {
        match text {
            "fails" => Err(Shown(text)),
            "nothing" => Ok(None),
            _ => Ok(Some((1, text))),
        }
    }

    /// An enum without fields.
    #[derive(Clone, Copy, Debug, PartialEq, rustgo::Error)]
    pub enum ParseError {
        /// Nothing.
        Empty,
        #[rustgo(name = "ErrTooLong")]
        TooLong,
    }

    impl fmt::Display for ParseError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}: größe")
        }
    }

    #[rustgo::export]
    pub fn parse(text: &str) -> Result<(), ParseError> {
        match text.len() {
            0 => Err(ParseError::Empty),
            10.. => Err(ParseError::TooLong),
            _ => Ok(()),
        }
    }

    #[rustgo::export]
    pub fn parse_number(text: &str) -> Result<u16, ParseError> {
        text.parse().map_err(|_| ParseError::TooLong)
    }

    #[derive(Clone, Copy, Debug, rustgo::Value)]
    #[repr(C)]
    pub struct Point {
        pub x: u8,
        pub y: u32,
    }

    /// An error type that is a single struct.
    #[derive(Debug, rustgo::Error)]
    pub struct SyntaxError {
        pub line: usize,
        /// Near is a text.
        pub near: String,
        pub column: u16,
        pub known: &'static str,
    }

    impl fmt::Display for SyntaxError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "line {}", self.line)
        }
    }

    /// An error that counts its drops.
    #[derive(Debug, rustgo::Error)]
    pub struct CountedError {
        pub code: u16,
    }

    pub static DROPPED: AtomicU16 = AtomicU16::new(0);

    impl Drop for CountedError {
        fn drop(&mut self) {
            DROPPED.fetch_add(self.code, Ordering::Relaxed);
        }
    }

    impl fmt::Display for CountedError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "code {}", self.code)
        }
    }

    #[rustgo::export]
    pub fn fail_counted(code: u16) -> Result<(), CountedError> {
        Err(CountedError { code })
    }

    #[rustgo::export]
    pub fn check_syntax(text: &str) -> Result<(String, u8), SyntaxError> {
        match text {
            "" => Err(SyntaxError { line: 5, near: "near".into(), column: 6, known: "known" }),
            _ => Ok((text.into(), 9)),
        }
    }

    /// An error enum in which some variants have fields.
    #[derive(Debug, rustgo::Error)]
    pub enum LoadError {
        Missing,
        Bad {
            at: Point,
            texts: Vec<&'static str>,
        },
        #[rustgo(name = "TooBig")]
        Large {
            size: u64,
            at: char,
        },
    }

    impl fmt::Display for LoadError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(match self {
                Self::Missing => "",
                Self::Bad { .. } => "bad",
                Self::Large { .. } => "large",
            })
        }
    }

    /// An error type that gives Go some of its fields, its text, and the texts of its sources.
    #[derive(Debug, thiserror::Error, rustgo::Error)]
    #[rustgo(int = "usize")]
    pub enum SourcedError {
        #[error("line {line}: {source}")]
        Parse {
            line: usize,
            #[rustgo(skip)]
            source: std::num::ParseIntError,
            offsets: Vec<usize>,
        },
        #[error(transparent)]
        Chained(#[from] Chained),
        #[error("none")]
        None,
    }

    #[rustgo::export]
    pub fn fail_sourced(case: usize) -> Result<(), SourcedError> {
        match case {
            0 => Err(chain().into()),
            1 => Err(SourcedError::None),
            line => Err(SourcedError::Parse { line, source: "x".parse::<u8>().unwrap_err(), offsets: vec![7] }),
        }
    }

    /// A type that does not implement `Error`. The fields that Go does not get are dropped.
    #[derive(rustgo::Error)]
    pub struct Skipping {
        pub at: u8,
        #[rustgo(skip)]
        pub dropped: Dropped,
    }

    impl fmt::Display for Skipping {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("skipping")
        }
    }

    pub struct Dropped;

    pub static SKIPPED: AtomicU16 = AtomicU16::new(0);

    impl Drop for Dropped {
        fn drop(&mut self) {
            SKIPPED.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[rustgo::export]
    pub fn fail_skipping(at: u8) -> Result<(), Skipping> {
        Err(Skipping { at, dropped: Dropped })
    }

    #[rustgo::export]
    pub fn load(case: u8) -> Result<u8, LoadError> {
        match case {
            0 => Ok(3),
            1 => Err(LoadError::Missing),
            2 => Err(LoadError::Bad { at: Point { x: 1, y: 2 }, texts: vec!["a", ""] }),
            _ => Err(LoadError::Large { size: 8, at: 'ß' }),
        }
    }
}

#[test]
fn errors_have_the_texts_of_their_sources() {
    let chain = vec!["outer".to_owned(), "größe".into(), String::new()];
    for (name, expected) in [
        ("FailStd", chain.clone()),
        ("FailEndless", vec!["e".into(); 65]),
        ("FailBoxed", chain.clone()),
        ("FailShared", chain.clone()),
        ("FailAnyhow", chain),
        ("FailShown", vec!["<outer>".into()]),
        ("FailText", vec!["outer".into()]),
        ("FailStatic", vec!["outer".into()]),
        ("FailEmpty", vec![String::new()]),
    ] {
        let shim = find(name);
        let results = [field("", Type::Basic(Basic::Uint8), 8), field("", Type::Failure {}, 16)];
        assert_eq!((shim.export.results.as_slice(), shim.export.frame_size), (results.as_slice(), 40), "{name}");
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[0]).call(&shim);
        assert_eq!((frame.bytes()[8], frame.get::<[usize; 3]>(16)), (7, [0; 3]), "{name}");
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[1]).call(&shim);
        assert_eq!((frame.bytes()[8], frame.failure(16)), (0, expected), "{name}");
    }
    let broken = find("FailBroken");
    assert_eq!(Frame::of(&broken.export).put(0, &[1]).try_call(&broken), Err("no text".into()));
}

#[test]
fn an_error_is_the_last_of_several_results() {
    let shim = find("FailSeveral");
    let fields: Vec<(&str, u32)> = shim.export.results.iter().map(|field| (field.name.as_str(), field.offset)).collect();
    assert_eq!((fields, shim.export.frame_size), (vec![("start", 16), ("rest", 24), ("ok", 40), ("err", 48)], 72));
    assert!(shim.export.borrows);
    for (text, start, ok, error) in [("text", 1, 1, &[][..]), ("nothing", 0, 0, &[]), ("fails", 0, 0, &["<fails>"])] {
        let mut frame = Frame::of(&shim.export);
        frame.text(0, text.as_bytes()).call(&shim);
        assert_eq!((frame.bytes()[16], frame.bytes()[40]), (start, ok), "{text}");
        let expected = if ok == 1 { [text.as_ptr().addr(), text.len()] } else { [0, 0] };
        assert_eq!((frame.get::<[usize; 2]>(24), frame.failure(48)), (expected, error.iter().map(ToString::to_string).collect()));
    }
}

#[test]
fn errors_without_fields_are_numbers() {
    let shim = find("Parse");
    let [result] = &shim.export.results[..] else { panic!("one") };
    let Type::Error { decl, single, size, cases } = &result.ty else { panic!("an error") };
    assert_eq!(
        (decl.go_name.as_str(), decl.doc.as_str(), *single, *size, result.offset),
        ("ParseError", "An enum without fields.", false, 4, 16)
    );
    let names: Vec<(&str, &str, &str, u64)> =
        cases.iter().map(|case| (case.go_name.as_str(), case.name.as_str(), case.doc.as_str(), case.value)).collect();
    assert_eq!(names, [("ParseErrorEmpty", "Empty", "Nothing.", 1), ("ErrTooLong", "TooLong", "", 2)]);
    for (text, number) in [("", 1), ("x", 0), ("0123456789", 2)] {
        let mut frame = Frame::of(&shim.export);
        frame.text(0, text.as_bytes()).call(&shim);
        assert_eq!(frame.get::<u32>(16), number);
    }
    let shim = find("ParseNumber");
    for (text, value, number) in [("x", 0, 2_u32), ("77", 77_u16, 0)] {
        let mut frame = Frame::of(&shim.export);
        frame.text(0, text.as_bytes()).call(&shim);
        assert_eq!((frame.get::<u16>(16), frame.get::<u32>(20)), (value, number));
    }

    // Go fetches the text into a buffer of limited size.
    let text = beside("ParseError", role::TEXT);
    let call = |number: u32, room: usize| {
        let mut memory = [b'.'; 16];
        let mut frame = Frame::of(&text.export);
        frame.put(0, &number.to_ne_bytes()).slice(8, &raw mut memory[..room]).call(&text);
        (frame.get::<usize>(32), memory)
    };
    assert_eq!(call(1, 14), (14, *b"Empty: gr\xc3\xb6\xc3\x9fe.."));
    assert_eq!(call(2, 16), (16, *b"TooLong: gr\xc3\xb6\xc3\x9fe"));
    assert_eq!(call(2, 3), (16, *b"Too............."));
    assert_eq!(call(2, 0), (16, [b'.'; 16]));
    for number in [0, 3, u32::MAX] {
        assert_eq!(call(number, 16), (0, [b'.'; 16]));
    }
    assert_eq!((text.export.results_offset, text.export.frame_size), (32, 40));
}

#[test]
fn one_struct_has_its_fields_behind_the_text() {
    let shim = find("CheckSyntax");
    let Type::Error { single, size, cases, .. } = &shim.export.results[2].ty else { panic!("an error") };
    let fields: Vec<(&str, &str, u64)> = cases[0].fields.iter().map(|f| (f.go_name.as_str(), f.doc.as_str(), f.offset)).collect();
    // The field of type `&'static str` is a text that Go copies.
    assert_eq!(fields, [("Line", "", 32), ("Near", "Near is a text.", 40), ("Column", "", 64), ("Known", "", 72)]);
    assert_eq!((*single, *size, cases.len(), cases[0].go_name.as_str()), (true, 88, 1, "SyntaxError"));
    assert_eq!(cases[0].fields[3].ty, Type::Text { freed: false });
    let offsets: Vec<u32> = shim.export.results.iter().map(|field| field.offset).collect();
    assert_eq!((offsets, shim.export.frame_size), (vec![16, 40, 48], 136));

    let mut frame = Frame::of(&shim.export);
    frame.text(0, b"ok").call(&shim);
    assert_eq!((frame.owned_text(16), frame.bytes()[40], frame.get::<[u64; 11]>(48)), ("ok".into(), 9, [0; 11]));
    let mut frame = Frame::of(&shim.export);
    frame.text(0, b"").call(&shim);
    assert_eq!((frame.get::<[usize; 3]>(16), frame.bytes()[40]), ([0; 3], 0));
    assert_eq!((frame.get::<u32>(48), frame.owned_text(56), frame.get::<usize>(80)), (1, "line 5".into(), 5));
    assert_eq!((frame.owned_text(88), frame.get::<u16>(112), frame.shared_text(120)), ("near".into(), 6, "known".into()));
}

#[test]
fn variants_have_their_own_fields_and_zeros_otherwise() {
    let shim = find("Load");
    let Type::Error { single, size, cases, .. } = &shim.export.results[1].ty else { panic!("an error") };
    let fields: Vec<(&str, Vec<u64>)> = cases.iter().map(|c| (c.go_name.as_str(), c.fields.iter().map(|f| f.offset).collect())).collect();
    assert_eq!(fields, [("LoadErrorMissing", vec![]), ("LoadErrorBad", vec![32, 40]), ("TooBig", vec![64, 72])]);
    assert_eq!((*single, *size, shim.export.results[1].offset), (false, 80, 16));
    let call = |case: u8| {
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &[case]).call(&shim);
        assert_eq!(frame.bytes()[8], if case == 0 { 3 } else { 0 });
        let text = frame.owned_text(24);
        (frame.get::<u32>(16), text, frame)
    };
    assert_eq!(call(0).2.get::<[u64; 10]>(16), [0; 10]);
    // An error with an empty text is still an error.
    let (number, text, frame) = call(1);
    assert_eq!((number, text.as_str(), frame.get::<[u64; 6]>(48)), (1, "", [0; 6]));
    let (number, text, frame) = call(2);
    assert_eq!((number, text.as_str(), frame.bytes()[48], frame.get::<u32>(52)), (2, "bad", 1, 2));
    let texts: Vec<Vec<u8>> = frame.owned::<[usize; 2]>(56).into_iter().map(crate::common::shared).collect();
    assert_eq!((texts, frame.get::<[u64; 2]>(80)), (vec![b"a".to_vec(), vec![]], [0; 2]));
    let (number, text, frame) = call(3);
    assert_eq!((number, text.as_str(), frame.get::<[u64; 4]>(48)), (3, "large", [0; 4]));
    assert_eq!((frame.get::<u64>(80), frame.get::<u32>(88)), (8, 'ß' as u32));
}

#[test]
fn an_error_with_a_destructor_is_dropped_once() {
    let shim = find("FailCounted");
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &7_u16.to_ne_bytes()).call(&shim);
    assert_eq!((frame.get::<u32>(8), frame.owned_text(16), frame.get::<u16>(40)), (1, "code 7".into(), 7));
    assert_eq!(exports::DROPPED.load(std::sync::atomic::Ordering::Relaxed), 7);
}

#[test]
fn skipped_error_fields_are_sources() {
    let shim = find("FailSourced");
    let Type::Error { single, size, cases, .. } = &shim.export.results[0].ty else { panic!("an error") };
    let fields: Vec<(&str, Vec<(&str, u64)>)> =
        cases.iter().map(|c| (c.go_name.as_str(), c.fields.iter().map(|f| (f.go_name.as_str(), f.offset)).collect())).collect();
    assert_eq!(
        fields,
        [
            ("SourcedErrorParse", vec![("Line", 56), ("Offsets", 64), ("source", 32)]),
            ("SourcedErrorChained", vec![("source", 32)]),
            ("SourcedErrorNone", vec![("source", 32)])
        ]
    );
    assert_eq!((*single, *size, &cases[0].fields[0].ty, &cases[1].fields[0].ty), (false, 88, &Type::Basic(Basic::Int), &Type::Failure {}));
    let Type::List { elem, .. } = &cases[0].fields[1].ty else { panic!("a list") };
    assert_eq!(**elem, Type::Basic(Basic::Int));
    let call = |case: usize| {
        let mut frame = Frame::of(&shim.export);
        frame.put(0, &case.to_ne_bytes()).call(&shim);
        (frame.get::<u32>(8), frame.owned_text(16), frame.failure(40), frame)
    };
    let (number, text, sources, _) = call(0);
    assert_eq!((number, text.as_str(), sources), (2, "outer", vec!["größe".into(), String::new()]));
    let (number, text, sources, _) = call(1);
    assert_eq!((number, text.as_str(), sources), (3, "none", vec![]));
    let (number, text, sources, frame) = call(9);
    assert_eq!(
        (number, text.as_str(), sources),
        (1, "line 9: invalid digit found in string", vec!["invalid digit found in string".into()])
    );
    assert_eq!((frame.get::<usize>(64), frame.owned::<usize>(72)), (9, vec![7]));
    let mut frame = Frame::of(&shim.export);
    let message = frame.put(0, &usize::MAX.to_ne_bytes()).try_call(&shim).unwrap_err();
    assert!(message.contains("18446744073709551615"), "{message}");
}

#[test]
fn what_is_left_out_is_dropped() {
    let shim = find("FailSkipping");
    let Type::Error { cases, .. } = &shim.export.results[0].ty else { panic!("an error") };
    let fields: Vec<&str> = cases[0].fields.iter().map(|f| f.go_name.as_str()).collect();
    assert_eq!(fields, ["At", "source"]);
    let mut frame = Frame::of(&shim.export);
    frame.put(0, &[5]).call(&shim);
    assert_eq!(
        (frame.get::<u32>(8), frame.owned_text(16), frame.get::<[usize; 3]>(40), frame.bytes()[64]),
        (1, "skipping".into(), [0; 3], 5)
    );
    assert_eq!(exports::SKIPPED.load(std::sync::atomic::Ordering::Relaxed), 1);
}

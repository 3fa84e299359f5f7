//! Compares programs that run natively with the crate regex. Tests in Go compare them with Go's package regexp.

use regex_syntax::hir::{Class, Hir, HirKind, Look};
use rustgo_regex::{FOUND, LOSSY, NONE, Program, UNPREPARED};

/// Encodes a pattern as `code.go` does.
fn encode(hir: &Hir, code: &mut Vec<u32>) {
    let operator = |number: usize, operator: u32| (number as u32) << 8 | operator;
    match hir.kind() {
        HirKind::Empty => code.push(0),
        HirKind::Literal(literal) => {
            let text = str::from_utf8(&literal.0).unwrap();
            code.push(operator(text.chars().count(), 2));
            code.extend(text.chars().map(u32::from));
        }
        HirKind::Class(Class::Unicode(class)) => {
            code.push(operator(class.ranges().len(), 3));
            code.extend(class.ranges().iter().flat_map(|range| [u32::from(range.start()), u32::from(range.end())]));
        }
        HirKind::Class(Class::Bytes(class)) => {
            code.push(operator(class.ranges().len(), 3));
            code.extend(class.ranges().iter().flat_map(|range| [u32::from(range.start()), u32::from(range.end())]));
        }
        HirKind::Look(look) => {
            let looks = [Look::Start, Look::End, Look::StartLF, Look::EndLF, Look::WordAscii, Look::WordAsciiNegate];
            code.push(operator(looks.iter().position(|known| known == look).unwrap(), 4));
        }
        HirKind::Repetition(repetition) => {
            encode(&repetition.sub, code);
            code.extend([operator(repetition.greedy.into(), 5), repetition.min, repetition.max.unwrap_or(u32::MAX)]);
        }
        HirKind::Capture(capture) => {
            encode(&capture.sub, code);
            code.push(operator(capture.index as usize, 6));
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().for_each(|part| encode(part, code));
            code.push(operator(parts.len(), if matches!(hir.kind(), HirKind::Concat(_)) { 7 } else { 8 }));
        }
    }
}

fn program(patterns: &[&str], groups: usize, set: bool) -> Program {
    let mut code = Vec::new();
    for pattern in patterns {
        encode(&regex_syntax::ParserBuilder::new().utf8(false).build().parse(pattern).unwrap(), &mut code);
        code.push(9);
    }
    Program::new(&code, groups, set).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a search. Calls `prepare` and repeats the search as long as the program is not prepared for it.
fn prepared<R>(program: &Program, mut search: impl FnMut() -> R, unprepared: impl Fn(&R) -> bool) -> R {
    for _ in 0..4 {
        let result = search();
        if !unprepared(&result) {
            return result;
        }
        program.prepare();
    }
    panic!("prepare builds nothing")
}

fn find(program: &Program, text: &[u8]) -> (usize, usize, u8) {
    prepared(program, || program.find(text), |found| found.2 == UNPREPARED)
}

fn is_match(program: &Program, text: &[u8]) -> u8 {
    prepared(program, || program.is_match(text), |&found| found == UNPREPARED)
}

/// Finds all matches in several calls, each with room for a few matches.
fn all(program: &Program, text: &[u8], width: usize, room: usize) -> Vec<isize> {
    let (mut all, mut at, mut previous) = (Vec::new(), 0, -1);
    let mut found = vec![0; room * width];
    while at <= text.len() {
        let (count, next, last) = program.find_all(text, at, previous, usize::MAX, &mut found);
        if last == -3 {
            program.prepare();
            continue;
        }
        assert_ne!(last, -2);
        all.extend_from_slice(&found[..count * width]);
        (at, previous) = (next, last);
    }
    all
}

/// A small generator of numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

#[test]
fn matches_are_those_of_the_crate() {
    let parts = [
        "a",
        "b",
        "ab",
        "[ab]",
        "[^a]",
        "(a|ab)",
        "(b*)",
        "^",
        "$",
        r"(?-u:\b)",
        r"(?-u:\B)",
        "é",
        "(?m:^)",
        "(?m:$)",
        "(|a)",
        "x",
        "[é-ü]",
    ];
    let after = ["", "", "", "*", "+", "?", "*?", "+?", "{2}", "{0,2}", "|"];
    let alphabet = ["a", "b", "x", "é", "\n", " "];
    let mut random = Random(88172645463325252);
    for _ in 0..500 {
        let pattern: String =
            (0..1 + random.below(4)).map(|_| format!("{}{}", parts[random.below(parts.len())], after[random.below(after.len())])).collect();
        let Ok(regex) = regex::Regex::new(&pattern) else { continue };
        let groups = regex.captures_len();
        let (plain, grouped) = (program(&[&pattern], 0, false), program(&[&pattern], groups - 1, false));
        for i in 0..40 {
            let length = if i % 8 == 0 { 200 } else { 12 };
            let text: String = (0..random.below(length)).map(|_| alphabet[random.below(alphabet.len())]).collect();
            let (string, text) = (&text, text.as_bytes());
            let first = regex.find(string).map(|found| (found.start(), found.end(), FOUND)).unwrap_or((0, 0, NONE));
            let said = find(&plain, text);
            assert_eq!((said.2, if said.2 == FOUND { said } else { (0, 0, NONE) }), (first.2, first), "{pattern} {text:?}");
            assert_eq!(is_match(&plain, text), first.2, "{pattern} {text:?}");
            let spans: Vec<isize> = regex.find_iter(string).flat_map(|found| [found.start() as isize, found.end() as isize]).collect();
            assert_eq!(all(&plain, text, 2, 1 + i % 3), spans, "{pattern} {text:?}");
            let captures: Vec<isize> = regex
                .captures_iter(string)
                .flat_map(|captures| {
                    let groups: Vec<isize> = captures
                        .iter()
                        .flat_map(|group| group.map_or([-1, -1], |group| [group.start() as isize, group.end() as isize]))
                        .collect();
                    groups
                })
                .collect();
            assert_eq!(all(&grouped, text, 2 * groups, 2), captures, "{pattern} {text:?}");
            let mut found = vec![0; 2 * groups];
            if prepared(&grouped, || grouped.find_groups(text, &mut found), |&said| said == UNPREPARED) == FOUND {
                assert_eq!(found, captures[..2 * groups], "{pattern} {text:?}");
            } else {
                assert!(captures.is_empty(), "{pattern} {text:?}");
            }
        }
    }
}

#[test]
fn invalid_utf8_is_reported() {
    let (any, literal) = (program(&["[^b]+"], 0, false), program(&["ab+"], 0, false));
    for _ in 0..50 {
        assert_eq!(find(&any, b"b\xffa").2, LOSSY);
        assert_eq!(is_match(&any, b"b\xff"), LOSSY);
        assert_eq!(is_match(&any, b"b\xffa"), FOUND);
        assert_eq!(any.find_all(b"b\xffa", 0, -1, 1, &mut [0; 2]).2, -2);
        assert_eq!(find(&literal, b"\xffab\xff"), (1, 3, FOUND));
    }
}

#[test]
fn damaged_code_is_an_error() {
    let mut random = Random(7);
    for _ in 0..20000 {
        let code: Vec<u32> = (0..random.below(12)).map(|_| (random.below(4) as u32) << 8 | random.below(11) as u32).collect();
        // The result may be an error or a program. The call must only return.
        let _ = Program::new(&code, random.below(3), random.below(2) == 1).map(|program| is_match(&program, b"abc"));
    }
}

/// More searches run at the same time than there are slots for caches.
#[test]
fn more_threads_than_cache_slots_agree() {
    let program = program(&[r"([a-z]+)@([a-z]+)"], 2, false);
    let text = "to me@example, and to you@example ".repeat(100);
    std::thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| (0..50).for_each(|_| assert_eq!(all(&program, text.as_bytes(), 6, 10).len(), 200 * 6)));
        }
    });
}

#[test]
fn set_reports_matching_patterns() {
    let set = program(&["a", "b+c", "^x", "é"], 0, true);
    let mut matched = [false; 4];
    assert_eq!(prepared(&set, || set.matches("xbbc".as_bytes(), &mut matched), |&count| count == -3), 2);
    assert_eq!(matched, [false, true, true, false]);
}

/// Tests that `new` never underestimates the size of an automaton. Otherwise an automaton could exceed the limit in `prepare`, which would panic.
#[test]
fn large_patterns_are_refused_when_compiled() {
    let classes = [r"[^a]", r"[é-ü]", r"[\x{100}-\x{1fff}]", r"(?:ab|cd[^é])", r"[a-z\x{400}-\x{10000}]{3}", "(?:a|é|b?c*)"];
    let mut refused = 0;
    for class in classes {
        for count in (5..15).map(|power| 1 << power) {
            let mut code = Vec::new();
            encode(&regex_syntax::ParserBuilder::new().utf8(false).build().parse(&format!("(?:{class}){{{count}}}")).unwrap(), &mut code);
            code.push(9);
            match Program::new(&code, 0, false) {
                Ok(program) => assert!(is_match(&program, &[b'x'; 5000]) <= LOSSY, "{class} {count}"),
                Err(error) => refused += usize::from(error.contains("10 MiB")),
            }
        }
    }
    assert!(refused > 0, "{refused}");
}

//! Tests of the verifier. Each test puts one error into correct output. The comparison with the object of Go's assembler must then fail and name
//! the function.

mod breaks;
mod objects;
mod records;

use crate::common;
use crate::common::{Lowered, case_archive, failure_text, folder, read};
use crate::harness::Test;
use breaks::{AMD64, ARM64, Break};
use rustgo_cli::testing::backend::{Backend, machine};
use rustgo_cli::testing::goasm::{Contract, Data, Item, RefKind, Text};
use rustgo_cli::testing::levels;
use rustgo_cli::testing::target::{Arch, Level};
use rustgo_cli::testing::verify::{self, Mode, Prover, Reference};
use std::collections::BTreeMap;
use std::path::Path;

pub fn tests() -> Vec<Test> {
    let mut tests = functions();
    tests.extend(objects::tests());
    tests.extend(records::tests());
    tests
}

crate::tests!(fn functions:
    correct_output_is_accepted,
    every_break_is_found,
    every_break_is_found_on_arm64,
    swapped_lines_are_found,
    unexpected_symbols_are_found,
    missing_symbols_are_found,
    undefined_symbols_are_found,
    wrong_answers_of_the_machine_are_found,
    wrong_level_selection_is_found,
);

fn lowered(arch: Arch) -> Lowered {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder(arch, "verify")).join("broken.s");
    common::lower(arch, &case_archive(arch, &read(&path))).unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

/// Assembles `printed` and compares the object with the file `made`; returns the verifier's messages.
fn compare(made: &Lowered, printed: &str) -> Result<(), Vec<String>> {
    compare_by(machine(made.asm.target.arch), made, printed)
}

fn compare_by(prover: &dyn Prover, made: &Lowered, printed: &str) -> Result<(), Vec<String>> {
    let dir = tempfile::tempdir().expect("a scratch folder");
    verify::compare_files(&made.asm, printed, prover, &common::go(), dir.path())
        .unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

/// The text with the error, and the name of the broken symbol in the object.
fn broken(text: &str, how: &Break) -> (String, String) {
    let at = text.find(how.within).unwrap_or_else(|| panic!("{}: no {} in\n{text}", how.what, how.within));
    let end = text[at..].find("\n\n").map_or(text.len(), |end| at + end);
    let place = text[at..end].find(how.from).unwrap_or_else(|| panic!("{}: no {} in\n{}", how.what, how.from, &text[at..end]));
    let name = text[at..].split([' ', '(', '<', '+']).nth(1).expect("a directive names a symbol").replace('·', ".");
    let mut new = text.to_owned();
    new.replace_range(at + place..at + place + how.from.len(), how.to);
    (new, name)
}

fn correct_output_is_accepted() {
    for arch in Arch::ALL {
        let made = lowered(arch);
        assert_eq!(compare(&made, &made.asm.print()), Ok(()), "{arch}");
    }
}

fn every_break_is_found() {
    breaks_are_found(Arch::Amd64, AMD64);
}

fn every_break_is_found_on_arm64() {
    breaks_are_found(Arch::Arm64, ARM64);
}

fn breaks_are_found(arch: Arch, breaks: &[Break]) {
    let made = lowered(arch);
    let text = made.asm.print();
    let mut missed = String::new();
    for how in breaks {
        let (printed, name) = broken(&text, how);
        match compare(&made, &printed) {
            Ok(()) => missed.push_str(&format!("{}: not found\n", how.what)),
            Err(wrong) => {
                if !wrong.iter().any(|line| line.contains(&name) && line.contains(how.says)) {
                    missed.push_str(&format!("{}: {name} and {:?} are not in {wrong:?}\n", how.what, how.says));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed}\n{text}");
}

fn swapped_lines_are_found() {
    let made = lowered(Arch::Amd64);
    let text = made.asm.print();
    let (a, b) = ("POPQ R12", "POPQ BX");
    let at = text.find("TEXT case·framed<>").expect("the function is there");
    let swapped = text[at..].replace(a, "@").replace(b, a).replace('@', b);
    let wrong = compare(&made, &(text[..at].to_owned() + &swapped)).expect_err("the pops are in another order");
    assert!(wrong.iter().any(|line| line.contains("case.framed")), "{wrong:?}");
}

fn unexpected_symbols_are_found() {
    for arch in Arch::ALL {
        let made = lowered(arch);
        let text = made.asm.print();
        for (more, name) in [
            ("\nTEXT rust·more<>(SB), NOSPLIT|NOFRAME, $0-0\n\tRET\n", "rust.more"),
            ("\nTEXT ·More(SB), NOSPLIT, $0-0\n\tRET\n", "More"),
            ("\nDATA rust·extra<>+0(SB)/8, $5\nGLOBL rust·extra<>(SB), NOPTR, $8\n", "rust.extra"),
        ] {
            let wrong = compare(&made, &format!("{text}{more}")).expect_err(name);
            assert!(wrong.iter().any(|line| line.contains(name) && line.contains("was not expected to exist")), "{arch}: {wrong:?}");
        }
    }
}

fn missing_symbols_are_found() {
    for arch in Arch::ALL {
        let made = lowered(arch);
        let text = made.asm.print();
        let at = text.find("DATA rust·data·").expect("there is a static");
        let start = text[..at].rfind("\n\n").expect("it is an item of its own");
        let end = text[at..].find("\n\n").map_or(text.len(), |end| at + end);
        let wrong = compare(&made, &format!("{}\n{}", &text[..start], text.get(end..).unwrap_or("\n"))).expect_err("a static is missing");
        assert!(wrong.iter().any(|line| line.contains("rust.data")), "{arch}: {wrong:?}");
    }
}

fn undefined_symbols_are_found() {
    // Go's assembler accepts undefined symbols, so without the verifier the error would only appear when the user links.
    for arch in Arch::ALL {
        let all = lowered(arch).asm.items.len();
        let mut found = 0;
        for left_out in 0..all {
            let mut made = lowered(arch);
            let (Item::Text(Text { name, .. }) | Item::Data(Data { name, .. })) = made.asm.items.remove(left_out);
            let text = made.asm.print();
            let Some(local) = name.strip_suffix("<>").filter(|_| text.contains(&name)) else { continue };
            let wrong = compare(&made, &text).expect_err(&name);
            let said = format!("{}: is referred to and not defined", local.replace('·', "."));
            assert!(wrong.iter().any(|line| line.ends_with(&said)), "{arch}: {said}: {wrong:?}");
            found += 1;
        }
        assert!(found >= 5, "{arch}: {found} of {all}");
    }
}

/// The methods of a machine that the verifier calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Size,
    Kind,
    Names,
    Line,
    Locals,
    Depths,
    Entry,
    Forbids,
}

/// A machine with one method that gives wrong answers.
struct Twisted {
    machine: &'static dyn Backend,
    answer: Option<Answer>,
}

impl Twisted {
    fn is(&self, answer: Answer) -> bool {
        self.answer == Some(answer)
    }
}

impl Prover for Twisted {
    fn modes(&self) -> &'static [Mode] {
        self.machine.modes()
    }
    fn reference(&self, kind: u16) -> Option<RefKind> {
        self.machine.reference(kind).filter(|kind| !self.is(Answer::Kind) || *kind != RefKind::Address)
    }
    fn reference_size(&self, kind: RefKind) -> u8 {
        self.machine.reference_size(kind) + u8::from(self.is(Answer::Size))
    }
    fn names_symbol(&self, kind: u16) -> bool {
        !self.is(Answer::Names) && self.machine.names_symbol(kind)
    }
    fn reference_of(&self, line: &str) -> Option<Reference> {
        self.machine.reference_of(line).filter(|_| !self.is(Answer::Line))
    }
    fn locals(&self, text: &Text) -> u32 {
        self.machine.locals(text) + u32::from(self.is(Answer::Locals))
    }
    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)> {
        let off = u32::from(self.is(Answer::Depths));
        Ok(self.machine.depths(code, relocated, starts)?.into_iter().map(|(at, depth)| (at, depth + off)).collect())
    }
    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
        // Requires more stack than the entry checks for. Go's prologue lets a small frame use some bytes below the limit. The difference is larger
        // than these bytes.
        let more = if self.is(Answer::Entry) { 4096 } else { 0 };
        self.machine.keeps(code, relocated, &contract.named(str::to_owned, more))
    }
    fn forbidden(&self, text: &Text, code: &[u8]) -> Option<(u32, String)> {
        assert!(text.expected.bytes.len() <= code.len(), "the whole function is shown");
        if self.is(Answer::Forbids) {
            return Some((0, "touches a register that is not Rust's".to_owned()));
        }
        self.machine.forbidden(text, code)
    }
}

fn wrong_answers_of_the_machine_are_found() {
    for arch in Arch::ALL {
        let made = lowered(arch);
        let text = made.asm.print();
        let compare_by = |answer| compare_by(&Twisted { machine: machine(arch), answer }, &made, &text);
        assert_eq!(compare_by(None), Ok(()));
        for (answer, name, says) in [
            (Answer::Size, "rust.walk", "relocation"),
            (Answer::Kind, "case.framed", "relocation"),
            (Answer::Names, ".Framed", "refers to []"),
            (Answer::Line, ".Framed", "where [] were expected"),
            (Answer::Locals, "rust.leaf", "has a frame of"),
            (Answer::Depths, "rust.leaf", "SP table"),
            (Answer::Entry, ".Framed", "grow"),
            (Answer::Forbids, "rust.leaf", "at 0x0: touches a register that is not Rust's"),
        ] {
            let Err(wrong) = compare_by(Some(answer)) else { panic!("{arch}: {answer:?} is not found") };
            assert!(wrong.iter().any(|line| line.contains(name) && line.contains(says)), "{arch}: {answer:?}: {wrong:?}");
        }
    }
}

/// A file for two CPU levels. The levels differ in the content of a static.
fn levelled(arch: Arch) -> Lowered {
    let mut made = lowered(arch);
    let mut upper = made.asm.clone();
    let counter = upper.items.iter_mut().find_map(|item| match item {
        Item::Data(Data { read_only: false, identity: Some(identity), bytes, .. }) if identity.contains("counter") => Some(bytes),
        _ => None,
    });
    let counter = counter.expect("there is a static");
    counter.resize(8, 0);
    counter[0] ^= 1;
    let [low, high] = match arch {
        Arch::Amd64 => [Level::X86_64, Level::X86_64V3],
        Arch::Arm64 => [Level::Armv8A, Level::Armv8ALse],
    };
    made.asm = levels::join(&[(low, made.asm), (high, upper)], Vec::new(), machine(arch), "rustgo·dev∕go∕rt").0;
    made
}

fn wrong_level_selection_is_found() {
    let both = "does not go on to";
    let amd64: &[(&str, &str, &str)] = &[
        ("CMPL R11, $3", "CMPL R11, $2", both),
        ("CMPL R11, $3", "CMPL R11, $4", both),
        ("JCS below3", "JCC below3", both),
        ("JCS below3", "JLS below3", both),
        ("JMP ·Framed·v3<>(SB)", "JMP ·Framed·v1<>(SB)", "refers to"),
        ("JMP ·Framed·v1<>(SB)", "JMP ·Fused(SB)", "refers to"),
        ("MOVBLZX rustgo·dev∕go∕rt·cpuLevel(SB), R11", "MOVBLZX rustgo·dev∕go∕rt·cpuLevel+1(SB), R11", "which entries do not use"),
        ("MOVBLZX rustgo·dev∕go∕rt·cpuLevel(SB), R11", "MOVBLZX rustgo·dev∕go∕rt·other(SB), R11", "refers to"),
        ("MOVBLZX rustgo·dev∕go∕rt·cpuLevel(SB), R11", "MOVL rustgo·dev∕go∕rt·cpuLevel(SB), R11", both),
        ("CMPL R11, $3", "MOVL $0, DI; CMPL R11, $3", "changes register 7"),
        ("CMPL R11, $3", "PUSHQ AX; CMPL R11, $3", "SP"),
    ];
    let arm64: &[(&str, &str, &str)] = &[
        ("CMP $2, R16", "CMP $1, R16", both),
        ("CMP $2, R16", "CMP $3, R16", both),
        ("BLO below2", "BHS below2", both),
        ("BLO below2", "BLS below2", both),
        ("JMP ·Framed·lse<>(SB)", "JMP ·Framed·v1<>(SB)", "refers to"),
        ("MOVBU rustgo·dev∕go∕rt·cpuLevel(SB), R16", "MOVBU rustgo·dev∕go∕rt·cpuLevel+1(SB), R16", "the processor's level"),
        ("MOVBU rustgo·dev∕go∕rt·cpuLevel(SB), R16", "MOVBU rustgo·dev∕go∕rt·other(SB), R16", "the processor's level"),
        ("MOVBU rustgo·dev∕go∕rt·cpuLevel(SB), R16", "MOVHU rustgo·dev∕go∕rt·cpuLevel(SB), R16", "the processor's level"),
        ("CMP $2, R16", "ADD $1, R0, R0; CMP $2, R16", "leaves a wrong value"),
    ];
    for (arch, breaks) in [(Arch::Amd64, amd64), (Arch::Arm64, arm64)] {
        let made = levelled(arch);
        let text = made.asm.print();
        assert_eq!(compare(&made, &text), Ok(()), "{arch}\n{text}");
        let at = text.find("TEXT ·Framed(SB)").expect("the entry is there");
        for (from, to, says) in breaks {
            let place = text[at..].find(from).unwrap_or_else(|| panic!("no {from} in\n{}", &text[at..]));
            let mut printed = text.clone();
            printed.replace_range(at + place..at + place + from.len(), to);
            let Err(wrong) = compare(&made, &printed) else { panic!("{arch}: {to} is not found") };
            assert!(wrong.iter().any(|line| line.contains(".Framed") && line.contains(says)), "{arch}: {to}: {wrong:?}");
        }
    }
}

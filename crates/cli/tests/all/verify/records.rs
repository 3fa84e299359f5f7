//! Tests of the records of calls that may unwind. Each test damages one field of one record in the assembled bytes. The verifier must then fail, and
//! name the function and the reason.
//!
//! The verifier also compares all bytes with lowering's, so it would find each damage anyway. Here it gets the damaged bytes only where it proves the
//! depths of SP, as if lowering had made a wrong record.

use crate::common;
use crate::common::{Lowered, case_archive, failure_text, read};
use rustgo_cli::testing::backend::{Backend, machine};
use rustgo_cli::testing::goasm::{Contract, Item, RefKind, Text};
use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::verify::{Mode, Prover, Reference};
use std::collections::BTreeMap;
use std::path::Path;

crate::tests!(records_of_correct_output_are_accepted, every_damaged_record_is_found);

/// The instruction after a call that may unwind, without its distance to the record.
const MARK: [u8; 3] = [0x0F, 0x1F, 0x82];
/// The size of the distance.
const DISTANCE: usize = 4;
const RECORD: usize = 16;

/// A field of the instruction after a call, or of the record to which it leads.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// The distance from the instruction to the record.
    Distance,
    Frame,
    /// The distance from the record to the landing pad.
    Pad,
    /// The place of a register, by its index in the record.
    Saved(usize),
    Raised,
}

struct Damage {
    what: &'static str,
    /// The function, and the index of the call among its calls that may unwind.
    function: &'static str,
    call: usize,
    field: Field,
    /// The number that is added to the field.
    by: i32,
    says: &'static str,
}

const DAMAGES: &[Damage] = &[
    damage("a frame is larger by a word", "rust.framed", 0, Field::Frame, 8, "unwinds 48 bytes, but SP is 40 bytes deep"),
    damage("a frame is smaller by a word", "rust.framed", 0, Field::Frame, -8, "unwinds 32 bytes, but SP is 40 bytes deep"),
    damage("a frame is larger by a byte", "rust.framed", 0, Field::Frame, 1, "unwinds 41 bytes"),
    damage("the frame of a call that lands is larger", "rust.framed", 1, Field::Frame, 8, "unwinds 64 bytes, but SP is 56 bytes deep"),
    damage("rbx is said to be saved", "rust.framed", 0, Field::Saved(0), 1, "finds register 3 8 bytes below the return address, not 0"),
    damage("rbp is found a word lower", "rust.framed", 0, Field::Saved(1), 1, "finds register 5 16 bytes below the return address, not 8"),
    damage("rbp is said to be kept", "rust.framed", 0, Field::Saved(1), -1, "finds register 5 0 bytes below the return address, not 8"),
    damage(
        "r12 is found a word higher",
        "rust.framed",
        0,
        Field::Saved(2),
        -1,
        "finds register 12 8 bytes below the return address, not 16",
    ),
    damage("r13 is said to be saved", "rust.framed", 0, Field::Saved(3), 1, "finds register 13"),
    damage("r14 is said to be saved", "rust.framed", 0, Field::Saved(4), 3, "finds register 14"),
    damage("r15 is found in the red zone", "rust.framed", 0, Field::Saved(5), 255, "finds register 15 2040 bytes"),
    damage("SP is a word higher at a landing pad", "rust.framed", 1, Field::Raised, 1, "bytes deep"),
    damage("SP is a word lower at a landing pad", "rust.framed", 1, Field::Raised, -1, "bytes deep"),
    damage("SP at a landing pad is in the caller's frame", "rust.framed", 1, Field::Raised, 6, "SP rises above its value on entry"),
    damage("a call that lands in the function is said to leave it", "rust.framed", 1, Field::Pad, 0, "finds register 5 0 bytes"),
    damage("a landing pad lies after the function", "Run", 0, Field::Pad, 1000, "control leaves the function"),
    damage("a landing pad lies before the function", "Run", 0, Field::Pad, -1000, "has no record"),
    damage("a landing pad is the function's entry", "Run", 0, Field::Pad, i32::MIN, "bytes deep"),
    damage("a mark leads after the function", "Run", 0, Field::Distance, 1000, "has no record"),
    damage("a mark leads before the function", "Run", 0, Field::Distance, -1000, "has no record"),
    damage("a mark leads to a byte of its record", "rust.framed", 0, Field::Distance, 4, "unwinds"),
    damage("a mark leads to code", "rust.framed", 0, Field::Distance, -32, "has no record"),
];

const fn damage(what: &'static str, function: &'static str, call: usize, field: Field, by: i32, says: &'static str) -> Damage {
    Damage { what, function, call, field, by, says }
}

fn lowered() -> Lowered {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/verify/unwinding.s");
    common::lower_unwinding(Arch::Amd64, &case_archive(Arch::Amd64, &read(&path)))
        .unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

fn records_of_correct_output_are_accepted() {
    let made = lowered();
    let text = made.asm.print();
    assert_eq!(super::compare(&made, &text), Ok(()));
    for damage in DAMAGES {
        assert!(made.asm.items.iter().any(|item| is_function(item, damage.function)), "{}\n{text}", damage.function);
    }
}

fn every_damaged_record_is_found() {
    let made = lowered();
    let text = made.asm.print();
    let mut missed = String::new();
    for damage in DAMAGES {
        let code = made.asm.items.iter().find_map(|item| match item {
            Item::Text(text) if is_function(item, damage.function) => Some(text.expected.bytes.clone()),
            _ => None,
        });
        let code = code.unwrap_or_else(|| panic!("no {}", damage.function));
        match super::compare_by(&Damaged { machine: machine(Arch::Amd64), code, damage }, &made, &text) {
            Ok(()) => missed.push_str(&format!("{}: not found\n", damage.what)),
            Err(wrong) => {
                if !wrong.iter().any(|line| line.contains(damage.function) && line.contains(damage.says)) {
                    missed.push_str(&format!("{}: {} and {:?} are not in {wrong:?}\n", damage.what, damage.function, damage.says));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed}\n{text}");
}

/// True if the item is the function of this name in the object.
fn is_function(item: &Item, name: &str) -> bool {
    matches!(item, Item::Text(text) if text.name.replace('·', ".").trim_start_matches('.').trim_end_matches("<>") == name)
}

/// A machine that proves the depths of damaged bytes.
struct Damaged<'a> {
    machine: &'static dyn Backend,
    /// The bytes of lowering for the function. They end with a record.
    code: Vec<u8>,
    damage: &'a Damage,
}

impl Damaged<'_> {
    /// Returns the damaged bytes.
    fn apply(&self, code: &[u8]) -> Vec<u8> {
        let mut code = code.to_vec();
        let marks: Vec<usize> = (0..code.len()).filter(|&at| code[at..].starts_with(&MARK)).collect();
        let distance = marks[self.damage.call] + MARK.len();
        let word = |at: usize| i32::from_le_bytes(*code[at..].first_chunk().expect("the field is whole"));
        let record = (distance + DISTANCE).checked_add_signed(word(distance) as isize).expect("the record is in the function");
        let (at, size) = match self.damage.field {
            Field::Distance => (distance, DISTANCE),
            Field::Frame => (record, 4),
            Field::Pad => (record + 4, 4),
            Field::Saved(index) => (record + 8 + index, 1),
            Field::Raised => (record + 14, 2),
        };
        let mut old = [0; 4];
        old[..size].copy_from_slice(&code[at..at + size]);
        let new = match (self.damage.field, self.damage.by) {
            (Field::Pad, 0) => 0,
            (Field::Pad, i32::MIN) => -(record as i32),
            (_, by) => i32::from_le_bytes(old).wrapping_add(by),
        };
        assert!(record + RECORD <= code.len());
        code[at..at + size].copy_from_slice(&new.to_le_bytes()[..size]);
        code
    }
}

impl Prover for Damaged<'_> {
    fn modes(&self) -> &'static [Mode] {
        self.machine.modes()
    }
    fn reference(&self, kind: u16) -> Option<RefKind> {
        self.machine.reference(kind)
    }
    fn reference_size(&self, kind: RefKind) -> u8 {
        self.machine.reference_size(kind)
    }
    fn names_symbol(&self, kind: u16) -> bool {
        self.machine.names_symbol(kind)
    }
    fn reference_of(&self, line: &str) -> Option<Reference> {
        self.machine.reference_of(line)
    }
    fn locals(&self, text: &Text) -> u32 {
        self.machine.locals(text)
    }
    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)> {
        // Around these bytes, and in fields with relocations, the assembler has its own bytes.
        let last = &self.code[self.code.len() - RECORD..];
        if code.windows(RECORD).any(|bytes| bytes == last) {
            self.machine.depths(&self.apply(code), relocated, starts)
        } else {
            self.machine.depths(code, relocated, starts)
        }
    }
    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
        self.machine.keeps(code, relocated, contract)
    }
    fn forbidden(&self, text: &Text, code: &[u8]) -> Option<(u32, String)> {
        self.machine.forbidden(text, code)
    }
}

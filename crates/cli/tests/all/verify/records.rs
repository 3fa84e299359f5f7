//! Tests of the records of calls that may unwind. Each test damages one field of one record in the assembled bytes. The verifier must then fail, and
//! name the function and the reason.
//!
//! The verifier also compares the assembled bytes with the bytes that lowering made. This comparison would find each damage. So the tests pass the
//! damaged bytes only to the part of the verifier that proves the depths of SP, as if lowering had made a wrong record.

use crate::common;
use crate::common::{Lowered, case_archive, failure_text, folder, read};
use rustgo_cli::testing::backend::{Backend, machine};
use rustgo_cli::testing::goasm::{Contract, Item, RefKind, Text};
use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::verify::{Mode, Prover, Reference};
use std::collections::BTreeMap;
use std::path::Path;

crate::tests!(records_of_correct_output_are_accepted, every_damaged_record_is_found, every_damaged_record_is_found_on_arm64,);

/// A field of a mark, or of the record that the mark names. A mark is the instruction after a call that may unwind.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// The distance from the instruction to the record.
    Distance,
    Frame,
    /// The distance from the record to the landing pad.
    Pad,
    /// The place of a register, by its index in the record.
    Saved(usize),
    /// The number of words by which SP is higher at the landing pad than at the call. Only records for amd64 have this field.
    Raised,
    /// The bytes after the registers; they are zero. Only records for arm64 have these bytes.
    Padding,
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

const AMD64: &[Damage] = &[
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
    damage("a landing pad lies before the function", "Run", 0, Field::Pad, -1000, "leads to no valid unwinding record"),
    damage("a landing pad is the function's entry", "Run", 0, Field::Pad, i32::MIN, "bytes deep"),
    damage("a mark leads after the function", "Run", 0, Field::Distance, 1000, "leads to no valid unwinding record"),
    damage("a mark leads before the function", "Run", 0, Field::Distance, -1000, "leads to no valid unwinding record"),
    damage("a mark leads to a byte of its record", "rust.framed", 0, Field::Distance, 4, "unwinds"),
    damage("a mark leads to code", "rust.framed", 0, Field::Distance, -32, "leads to no valid unwinding record"),
];

const ARM64: &[Damage] = &[
    damage("a frame is larger by a word", "rust.framed", 0, Field::Frame, 8, "unwinds 88 bytes, but SP is 80 bytes deep"),
    damage("a frame is smaller by a word", "rust.framed", 0, Field::Frame, -8, "unwinds 72 bytes, but SP is 80 bytes deep"),
    damage("a frame is larger by a byte", "rust.framed", 0, Field::Frame, 1, "unwinds 81 bytes"),
    damage("a frame is empty", "rust.framed", 0, Field::Frame, -80, "unwinds 0 bytes"),
    damage("the frame of a call that lands is larger", "rust.framed", 1, Field::Frame, 16, "unwinds 96 bytes, but SP is 80 bytes deep"),
    damage("x19 is found a word lower", "rust.framed", 0, Field::Saved(0), 1, "finds x19 16 bytes below SP on entry"),
    damage("x19 is said to be kept", "rust.framed", 0, Field::Saved(0), -1, "finds x19 in the register itself"),
    damage("x20 is found where x19 is", "rust.framed", 0, Field::Saved(1), 1, "finds x20 8 bytes below SP on entry"),
    damage("x21 is found where x22 is", "rust.framed", 0, Field::Saved(2), 1, "finds x21 32 bytes below SP on entry"),
    damage("x23 is said to be saved", "rust.framed", 0, Field::Saved(4), 1, "finds x23 8 bytes below SP on entry"),
    damage("x24 is said to be saved", "rust.framed", 0, Field::Saved(5), 2, "finds x24"),
    damage("x25 is said to be saved", "rust.framed", 0, Field::Saved(6), 3, "finds x25"),
    damage("x26 is said to be saved", "rust.framed", 0, Field::Saved(7), 10, "finds x26"),
    damage("x27 is found below SP", "rust.framed", 0, Field::Saved(8), 255, "finds x27 2040 bytes below SP on entry"),
    damage("x29 is found where the return address is", "rust.framed", 0, Field::Saved(9), -1, "finds x29 40 bytes below SP on entry"),
    damage("x29 is said to be kept", "rust.framed", 0, Field::Saved(9), -6, "finds x29 in the register itself"),
    damage("d8 is found a word lower", "rust.framed", 0, Field::Saved(10), 1, "finds d8 64 bytes below SP on entry"),
    damage("d8 is said to be kept", "rust.framed", 0, Field::Saved(10), -7, "finds d8 in the register itself"),
    damage("d9 is found where x19 is", "rust.framed", 0, Field::Saved(11), 1, "finds d9 8 bytes below SP on entry"),
    damage("d10 is said to be saved", "rust.framed", 0, Field::Saved(12), 7, "finds d10"),
    damage("d11 is said to be saved", "rust.framed", 0, Field::Saved(13), 8, "finds d11"),
    damage("d12 is said to be saved", "rust.framed", 0, Field::Saved(14), 9, "finds d12"),
    damage("d13 is said to be saved", "rust.framed", 0, Field::Saved(15), 10, "finds d13"),
    damage("d14 is said to be saved", "rust.framed", 0, Field::Saved(16), 11, "finds d14"),
    damage("d15 is said to be saved", "rust.framed", 0, Field::Saved(17), 255, "finds d15"),
    damage("the padding is not zero", "rust.framed", 0, Field::Padding, 1, "leads to no valid unwinding record"),
    damage("a call that lands in the function is said to leave it", "rust.framed", 1, Field::Pad, 0, "finds x19 in the register itself"),
    damage("a landing pad lies after the function", "Run", 0, Field::Pad, 1000, "control leaves the function"),
    damage("a landing pad lies before the function", "Run", 0, Field::Pad, -1000, "leads to no valid unwinding record"),
    damage("a landing pad is the function's entry", "Run", 0, Field::Pad, i32::MIN, "bytes deep"),
    damage("a landing pad is in an instruction", "Run", 0, Field::Pad, 2, "leads to no valid unwinding record"),
    damage("a mark leads after the function", "Run", 0, Field::Distance, 1000, "leads to no valid unwinding record"),
    damage("a mark leads before the function", "Run", 0, Field::Distance, -1000, "leads to no valid unwinding record"),
    damage("a mark leads to a word of its record", "rust.framed", 0, Field::Distance, 4, "leads to no valid unwinding record"),
    damage("a mark leads into a word of its record", "rust.framed", 0, Field::Distance, 1, "leads to no valid unwinding record"),
    damage("a mark leads to code", "rust.framed", 0, Field::Distance, -32, "leads to no valid unwinding record"),
];

const fn damage(what: &'static str, function: &'static str, call: usize, field: Field, by: i32, says: &'static str) -> Damage {
    Damage { what, function, call, field, by, says }
}

fn lowered(arch: Arch) -> Lowered {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder(arch, "verify")).join("unwinding.s");
    common::lower_unwinding(arch, &case_archive(arch, &read(&path))).unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

fn records_of_correct_output_are_accepted() {
    for (arch, damages) in [(Arch::Amd64, AMD64), (Arch::Arm64, ARM64)] {
        let made = lowered(arch);
        let text = made.asm.print();
        assert_eq!(super::compare(&made, &text), Ok(()), "{arch}");
        for damage in damages {
            assert!(made.asm.items.iter().any(|item| is_function(item, damage.function)), "{arch}: {}\n{text}", damage.function);
        }
    }
}

fn every_damaged_record_is_found() {
    damaged_records_are_found(Arch::Amd64, AMD64);
}

fn every_damaged_record_is_found_on_arm64() {
    damaged_records_are_found(Arch::Arm64, ARM64);
}

fn damaged_records_are_found(arch: Arch, damages: &[Damage]) {
    let made = lowered(arch);
    let text = made.asm.print();
    let mut missed = String::new();
    for damage in damages {
        let code = made.asm.items.iter().find_map(|item| match item {
            Item::Text(text) if is_function(item, damage.function) => Some(text.expected.bytes.clone()),
            _ => None,
        });
        let code = code.unwrap_or_else(|| panic!("no {}", damage.function));
        match super::compare_by(&Damaged { arch, machine: machine(arch), code, damage }, &made, &text) {
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

/// Size of a record in bytes.
fn record_size(arch: Arch) -> usize {
    match arch {
        Arch::Amd64 => 16,
        Arch::Arm64 => 28,
    }
}

/// The instruction after a call that may unwind.
struct Mark {
    /// Offset of the instruction.
    at: usize,
    /// The distance from the mark to the record. On amd64 it counts from the end of the instruction, on arm64 from its start.
    distance: i32,
}

impl Mark {
    /// On amd64: `nop dword ptr [rdx + distance]`, without the distance.
    const AMD64: [u8; 3] = [0x0F, 0x1F, 0x82];
    /// On arm64: `adr xzr, distance`. The distance is in bits 29 and 30, and from bit 5 on.
    const ARM64: u32 = 0x1000_001f;
    const ARM64_DISTANCE: u32 = 0x60ff_ffe0;

    /// Returns the mark at this offset.
    fn read(arch: Arch, code: &[u8], at: usize) -> Option<Mark> {
        let distance = match arch {
            Arch::Amd64 => i32::from_le_bytes(*code[at..].strip_prefix(&Mark::AMD64)?.first_chunk()?),
            Arch::Arm64 => {
                let word = u32::from_le_bytes(*code[at..].first_chunk().filter(|_| at.is_multiple_of(4))?);
                let bits = word >> 5 << 13 | (word >> 29 & 3) << 11;
                (word & !Mark::ARM64_DISTANCE == Mark::ARM64).then_some(bits.cast_signed() >> 11)?
            }
        };
        Some(Mark { at, distance })
    }

    fn write(&self, arch: Arch, code: &mut [u8]) {
        let (at, bytes) = match arch {
            Arch::Amd64 => (self.at + Mark::AMD64.len(), self.distance.to_le_bytes()),
            Arch::Arm64 => {
                let bits = self.distance.cast_unsigned();
                (self.at, (Mark::ARM64 | (bits & 3) << 29 | (bits >> 2 & 0x7_ffff) << 5).to_le_bytes())
            }
        };
        code[at..at + bytes.len()].copy_from_slice(&bytes);
    }

    /// Offset of the record.
    fn record(&self, arch: Arch) -> usize {
        let from = match arch {
            Arch::Amd64 => self.at + Mark::AMD64.len() + size_of::<i32>(),
            Arch::Arm64 => self.at,
        };
        from.checked_add_signed(self.distance as isize).expect("the record is in the function")
    }
}

/// True if the item is the function of this name in the object.
fn is_function(item: &Item, name: &str) -> bool {
    matches!(item, Item::Text(text) if text.name.replace('·', ".").trim_start_matches('.').trim_end_matches("<>") == name)
}

/// A machine that proves the depths of damaged bytes.
struct Damaged<'a> {
    arch: Arch,
    machine: &'static dyn Backend,
    /// The function's bytes as lowering made them. They end with a record.
    code: Vec<u8>,
    damage: &'a Damage,
}

impl Damaged<'_> {
    /// Returns the damaged bytes.
    fn apply(&self, code: &[u8]) -> Vec<u8> {
        let mut code = code.to_vec();
        let mut mark = (0..code.len()).filter_map(|at| Mark::read(self.arch, &code, at)).nth(self.damage.call).expect("there is a mark");
        let record = mark.record(self.arch);
        let (at, size) = match self.damage.field {
            Field::Distance => {
                mark.distance += self.damage.by;
                mark.write(self.arch, &mut code);
                return code;
            }
            Field::Frame => (record, 4),
            Field::Pad => (record + 4, 4),
            Field::Saved(index) => (record + 8 + index, 1),
            Field::Raised => (record + 14, 2),
            Field::Padding => (record + 26, 2),
        };
        let mut old = [0; 4];
        old[..size].copy_from_slice(&code[at..at + size]);
        let new = match (self.damage.field, self.damage.by) {
            (Field::Pad, 0) => 0,
            (Field::Pad, i32::MIN) => -(record as i32),
            (_, by) => i32::from_le_bytes(old).wrapping_add(by),
        };
        assert!(record + record_size(self.arch) <= code.len());
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
        // The assembled function has additional code, and its relocated fields differ from lowering's bytes. So the test finds the function by its
        // last record.
        let size = record_size(self.arch);
        let last = &self.code[self.code.len() - size..];
        if code.windows(size).any(|bytes| bytes == last) {
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

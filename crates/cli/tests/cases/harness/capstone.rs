//! The tests of `fuzz_aarch64`, in the room that sees what they test.

use super::insn::{Access, Branch, Form, Insn, Kind, Mode, SP};
use crate::generate::Random;
use capstone_sys as cs;
use std::collections::BTreeMap;
use std::ffi::CStr;
use yaxpeax_arch::{Decoder as _, U8Reader};
use yaxpeax_arm::armv8::a64::ARMv8;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What Capstone says of a word.
#[derive(Debug, Default)]
struct Other {
    text: String,
    /// General registers and SP, a bit each.
    reads: u32,
    writes: u32,
    /// Of the memory operand: base and displacement.
    memory: Option<(usize, i64)>,
    writeback: bool,
    /// The registers in its text.
    named: u32,
    /// The last immediate operand.
    immediate: Option<i64>,
}

struct Capstone {
    handle: cs::csh,
    insn: *mut cs::cs_insn,
}

impl Capstone {
    fn new() -> Capstone {
        let mut handle = 0;
        // SAFETY: `handle` is written by cs_open; the rest are plain calls on it.
        unsafe {
            assert_eq!(cs::cs_open(cs::cs_arch::CS_ARCH_ARM64, cs::cs_mode(0), &mut handle), cs::cs_err::CS_ERR_OK);
            assert_eq!(cs::cs_option(handle, cs::cs_opt_type::CS_OPT_DETAIL, cs::cs_opt_value::CS_OPT_ON as usize), cs::cs_err::CS_ERR_OK);
            Capstone { handle, insn: cs::cs_malloc(handle) }
        }
    }

    /// None if it is no instruction.
    fn decode(&self, word: u32) -> Option<Other> {
        let bytes = word.to_le_bytes();
        let (mut code, mut size, mut address) = (bytes.as_ptr(), bytes.len(), 0u64);
        // SAFETY: `code` has `size` bytes, and `insn` was made by cs_malloc on this handle, with room for details.
        if !unsafe { cs::cs_disasm_iter(self.handle, &mut code, &mut size, &mut address, self.insn) } {
            return None;
        }
        // SAFETY: filled by the call above; names and operands end with a NUL.
        let (insn, mnemonic, operands) = unsafe {
            let insn = &*self.insn;
            (insn, CStr::from_ptr(insn.mnemonic.as_ptr()), CStr::from_ptr(insn.op_str.as_ptr()))
        };
        let mut other = Other { text: format!("{} {}", mnemonic.to_string_lossy(), operands.to_string_lossy()), ..Other::default() };
        let (mut reads, mut writes, mut read, mut written) = ([0u16; 64], [0u16; 64], 0u8, 0u8);
        // SAFETY: both arrays have the 64 elements that cs_regs is; details are on; an AArch64 handle fills `arm64`.
        let (ok, detail) = unsafe {
            let ok = cs::cs_regs_access(self.handle, insn, reads.as_mut_ptr(), &mut read, writes.as_mut_ptr(), &mut written);
            (ok, &(*insn.detail).__bindgen_anon_1.arm64)
        };
        assert_eq!(ok, cs::cs_err::CS_ERR_OK, "{}", other.text);
        other.reads = reads[..read.into()].iter().fold(0, |set, &reg| set | self.general(reg.into()));
        other.writes = writes[..written.into()].iter().fold(0, |set, &reg| set | self.general(reg.into()));
        let names = operands.to_str().unwrap_or_default().split(|c: char| !c.is_ascii_alphanumeric());
        other.named = names.fold(0, |set, name| set | register(name));
        other.writeback = detail.writeback;
        for operand in &detail.operands[..detail.op_count.into()] {
            match operand.type_ {
                // SAFETY: the operand's type says which member holds.
                cs::arm64_op_type::ARM64_OP_IMM => other.immediate = Some(unsafe { operand.__bindgen_anon_1.imm }),
                cs::arm64_op_type::ARM64_OP_MEM => {
                    // SAFETY: as above.
                    let memory = unsafe { operand.__bindgen_anon_1.mem };
                    other.memory = Some((self.general(memory.base).trailing_zeros() as usize, memory.disp.into()));
                }
                _ => {}
            }
        }
        Some(other)
    }

    /// A register as a set: x0 to x30 and SP, by any of their names.
    fn general(&self, reg: u32) -> u32 {
        // SAFETY: the name of a register is a static string, or null.
        let name = unsafe {
            let name = cs::cs_reg_name(self.handle, reg);
            if name.is_null() {
                return 0;
            }
            CStr::from_ptr(name)
        };
        register(name.to_str().unwrap_or_default())
    }
}

/// A general register or SP, by any of its names, as a set.
fn register(name: &str) -> u32 {
    match name {
        "sp" | "wsp" => 1 << 31,
        "fp" => 1 << 29,
        "lr" => 1 << 30,
        name => name.strip_prefix(['x', 'w']).and_then(|n| n.parse::<u32>().ok()).filter(|&n| n < 31).map_or(0, |n| 1 << n),
    }
}

impl Drop for Capstone {
    fn drop(&mut self) {
        // SAFETY: both were made in `new`; the handle goes last.
        unsafe {
            cs::cs_free(self.insn, 1);
            cs::cs_close(&mut self.handle);
        }
    }
}

/// What `decode` asks before it believes in a word.
fn is_instruction(word: u32) -> bool {
    <ARMv8 as yaxpeax_arch::Arch>::Decoder::default().decode(&mut U8Reader::new(&word.to_le_bytes())).is_ok()
}

/// `#32` at the end: of structures, Capstone has the increment in its text alone.
fn last_number(text: &str) -> Option<i64> {
    text.rsplit_once('#')?.1.parse().ok()
}

/// Registers that an instruction uses without naming them.
fn implied(word: u32) -> u32 {
    match word {
        // bl, blr, ret
        w if w & 0xfc00_0000 == 0x9400_0000 || w & 0xffff_fc1f == 0xd63f_0000 || w == 0xd65f_03c0 => 1 << 30,
        // smulh, umulh: a field that the text leaves out, and that we take for a register too.
        w if w & 0xff60_8000 == 0x9b40_0000 => 1 << (w >> 10 & 31),
        _ => 0,
    }
}

/// Mnemonics, by how they begin, of which Capstone does not know all that they read and write; the registers they name
/// are compared all the same.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("ld", "atomics: without operands; with write-back, what is loaded counts as read"),
    ("st", "atomics: without operands; with write-back, what is stored counts as written; stlur without operands"),
    ("swp", "an atomic, without operands"),
    ("cas", "an atomic"),
    ("adds", "an immediate shifted by 12, or a compare with a negative number: counts as not written"),
    ("mrs", "nzcv: the register counts as read"),
    ("msr", "nzcv: the register counts as written"),
    ("ret", "without x30"),
    ("sxt", "bit fields count as reading what they overwrite"),
    ("asr", "bit fields count as reading what they overwrite"),
    ("fcvtz", "to fixed point: without its result"),
    ("mov", "movz and movn count as reading what they overwrite"),
    ("smulh", "a field that is no operand counts as one with us"),
    ("umulh", "a field that is no operand counts as one with us"),
    ("ls", "bit fields count as reading what they overwrite"),
    ("sbf", "bit fields count as reading what they overwrite"),
    ("ubf", "bit fields count as reading what they overwrite"),
    ("rmif", "without operands"),
    ("scvtf", "to fixed point: without its operand"),
    ("ucvtf", "to fixed point: without its operand"),
];

#[derive(Default)]
struct Tally {
    same: usize,
    /// Accepted by us, and unknown to Capstone.
    unknown: Vec<u32>,
    /// By mnemonic and what differs: how often, and an example.
    wrong: BTreeMap<String, (usize, String)>,
}

impl Tally {
    fn compare(&mut self, capstone: &Capstone, word: u32) {
        let ours = Insn::new(word);
        let refused = matches!(
            ours.kind,
            Kind::Unknown | Kind::System | Kind::Authentication | Kind::ThreadPointer | Kind::SystemCall | Kind::Trap | Kind::Literal
        );
        if refused || !is_instruction(word) {
            return;
        }
        let Some(other) = capstone.decode(word) else {
            self.unknown.push(word);
            return;
        };
        let mut differs = Vec::new();
        let mnemonic = other.text.split([' ', '.']).next().unwrap_or_default();
        // Whatever it does with them, these are the registers it names.
        let named = other.named | (ours.reads | ours.writes) & (implied(word));
        if ours.reads | ours.writes != named {
            differs.push(format!("registers {:#x} {named:#x}", ours.reads | ours.writes));
        }
        if !EXCEPTIONS.iter().any(|(start, _)| mnemonic.starts_with(start)) {
            if ours.reads != other.reads {
                differs.push(format!("reads {:#x} {:#x}", ours.reads, other.reads));
            }
            if ours.writes != other.writes {
                differs.push(format!("writes {:#x} {:#x}", ours.writes, other.writes));
            }
        }
        match ours.kind {
            Kind::Branch(Branch::Jump(by) | Branch::Call(by) | Branch::Conditional(by)) if Some(by) != other.immediate => {
                differs.push(format!("distance {by:#x} {:x?}", other.immediate));
            }
            Kind::AddImmediate { rd, rn, by }
                if rd == SP && rn == SP && other.immediate.is_none_or(|o| by & 0xfff != 0 && o != by.abs()) =>
            {
                differs.push(format!("by {by:#x} {:x?}", other.immediate));
            }
            Kind::Memory(access) => {
                let displacement = if access.mode == Mode::Post {
                    other.immediate.or_else(|| last_number(&other.text)).unwrap_or(0)
                } else {
                    other.memory.map_or(0, |m| m.1)
                };
                let offset = if access.form == Form::Indexed { displacement } else { access.offset };
                if other.memory.map(|m| m.0) != Some(access.base) {
                    differs.push(format!("base {} {:?}", access.base, other.memory));
                }
                if offset != displacement {
                    differs.push(format!("offset {offset} {displacement}"));
                }
                if (access.mode != Mode::Offset) != other.writeback {
                    differs.push(format!("writeback {:?} {}", access.mode, other.writeback));
                }
            }
            _ => {}
        }
        if differs.is_empty() {
            self.same += 1;
            return;
        }
        let words: Vec<&str> = differs.iter().filter_map(|d| d.split(' ').next()).collect();
        let example = format!("{word:#010x} `{}`: {} (ours, theirs)", other.text, differs.join(", "));
        self.wrong.entry(format!("{mnemonic}: {}", words.join(", "))).or_insert((0, example)).0 += 1;
    }
}

impl Tally {
    fn finish(self, same: usize, unknown: usize) {
        let wrong: Vec<String> = self.wrong.iter().map(|(what, (count, example))| format!("{count} times {what}: {example}")).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let examples: Vec<String> = self.unknown.iter().take(50).map(|w| format!("{w:#x}")).collect();
        let found = self.unknown.len();
        assert!(self.same > same && found <= unknown, "{} the same, {found} unknown to the other: {}", self.same, examples.join(" "));
    }
}

#[test]
fn random_words_have_the_registers_another_disassembler_finds() {
    let mut random = Random::new(number("FUZZ_SEED", 20_261_121));
    let capstone = Capstone::new();
    let mut tally = Tally::default();
    for _ in 0..300_000 * number("FUZZ_ROUNDS", 1) {
        tally.compare(&capstone, random.next() as u32);
    }
    // Reserved combinations of fields that only Capstone knows to be reserved; running one is a fault, no more.
    tally.finish(70_000, 10_000);
}

/// Real code, where there is some: `FUZZ_OBJECTS`.
#[test]
fn real_words_have_the_registers_another_disassembler_finds() {
    use object::{Object as _, ObjectSection as _};
    let Some(folder) = std::env::var_os("FUZZ_OBJECTS") else {
        println!("skipped: FUZZ_OBJECTS names no folder of AArch64 archives");
        return;
    };
    let capstone = Capstone::new();
    let mut tally = Tally::default();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten().filter(|e| e.path().extension().is_some_and(|e| e == "a")) {
        let bytes = std::fs::read(entry.path()).expect("an archive");
        let archive = object::read::archive::ArchiveFile::parse(&*bytes).expect("an archive");
        for member in archive.members().flatten() {
            let Ok(file) = object::File::parse(member.data(&*bytes).expect("a member")) else { continue };
            assert_eq!(file.architecture(), object::Architecture::Aarch64);
            for section in file.sections().filter(|s| s.kind() == object::SectionKind::Text) {
                let data = section.data().expect("code");
                data.as_chunks().0.iter().for_each(|&word| tally.compare(&capstone, u32::from_le_bytes(word)));
            }
        }
    }
    tally.finish(100_000, 10);
}

/// What lowering makes of an instruction is that instruction, through another base, over another distance, the other way.
#[test]
fn encodings_come_back() {
    let mut random = Random::new(number("FUZZ_SEED", 20_261_121));
    let (mut accesses, mut branches, mut conditions) = (0, 0, 0);
    for _ in 0..300_000 * number("FUZZ_ROUNDS", 1) {
        let ours = Insn::new(random.next() as u32);
        if !is_instruction(ours.word) {
            continue;
        }
        match ours.kind {
            Kind::Memory(access) => {
                let base = random.below(32) as usize;
                let range = [1 << 4, 1 << 8, 1 << 10, 1 << 17][random.below(4) as usize];
                let offset = (random.below(range) as i64 - range as i64 / 4) * if random.below(2) == 0 { access.unit.into() } else { 1 };
                let Some(word) = ours.through(base, offset) else { continue };
                let now = Insn::new(word);
                let Some(new) = now.access() else { panic!("{:#x} through x{base}+{offset} is {word:#x}: {now:?}", ours.word) };
                let meant = Access { base, offset, mode: Mode::Offset, ..access };
                assert_eq!(new, meant, "{:#x} through x{base}+{offset} is {word:#x}", ours.word);
                // What is transferred stays: the register fields but the base.
                let fields = if access.form == Form::Pair { 0x7c1f } else { 0x1f };
                assert_eq!((ours.word ^ word) & fields, 0, "{:#x} {word:#x}", ours.word);
                accesses += 1;
            }
            Kind::Branch(Branch::Jump(_) | Branch::Call(_) | Branch::Conditional(_)) => {
                let distance = (random.next() as i64 >> (32 + random.below(30))) * 4;
                let with = |word: u32| match Insn::new(word).kind {
                    Kind::Branch(Branch::Jump(by) | Branch::Call(by) | Branch::Conditional(by)) => by,
                    other => panic!("{word:#x} is {other:?}"),
                };
                if let Some(word) = ours.branch_to(distance) {
                    assert_eq!(with(word), distance, "{:#x} {word:#x}", ours.word);
                    assert_eq!(Insn::new(word).branch_to(with(ours.word)), Some(ours.word), "only the distance changes");
                    branches += 1;
                }
                if let Some(word) = ours.inverted() {
                    assert_eq!((with(word), (word ^ ours.word).count_ones()), (with(ours.word), 1));
                    conditions += 1;
                }
            }
            _ => {}
        }
    }
    assert!(
        accesses > 10_000 && branches > 5_000 && conditions > 3_000,
        "{accesses} accesses, {branches} branches, {conditions} conditions"
    );
}

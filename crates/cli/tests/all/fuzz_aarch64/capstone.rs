//! The tests of `fuzz_aarch64` that compare with Capstone. They are a module inside the tool's code, because they use private items.

use super::insn::encoding::{BASE, part};
use super::insn::{Access, Branch, Form, Insn, Kind, Mode, SP};
use crate::fuzz::generate::Random;
use capstone_sys as cs;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;
use yaxpeax_arch::{Decoder as _, U8Reader};
use yaxpeax_arm::armv8::a64::ARMv8;

crate::tests!(
    random_words_match_another_disassembler,
    extensions_have_names,
    refused_words_are_listed,
    real_words_match_another_disassembler,
    changed_encodings_decode_as_expected,
);

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Capstone's description of an instruction.
#[derive(Debug, Default)]
struct Other {
    text: String,
    /// The general registers and SP that the instruction reads, one bit each.
    reads: u32,
    writes: u32,
    /// The base register and displacement of the instruction's memory operand.
    memory: Option<(usize, i64)>,
    writeback: bool,
    /// The registers that occur in the instruction's text, one bit each.
    named: u32,
    /// The last immediate operand.
    immediate: Option<i64>,
    /// The extensions of the architecture that the instruction needs, by Capstone's names.
    extensions: BTreeSet<String>,
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

    /// Disassembles a word; `None` if it is not an instruction.
    fn decode(&self, word: u32) -> Option<Other> {
        let bytes = word.to_le_bytes();
        let (mut code, mut size, mut address) = (bytes.as_ptr(), bytes.len(), 0u64);
        // SAFETY: `code` has `size` bytes, and `insn` was made by cs_malloc on this handle, with room for details.
        if !unsafe { cs::cs_disasm_iter(self.handle, &mut code, &mut size, &mut address, self.insn) } {
            return None;
        }
        // SAFETY: the call above has filled `insn`; names and operands end with a NUL.
        let (insn, mnemonic, operands) = unsafe {
            let insn = &*self.insn;
            (insn, CStr::from_ptr(insn.mnemonic.as_ptr()), CStr::from_ptr(insn.op_str.as_ptr()))
        };
        let mut other = Other { text: format!("{} {}", mnemonic.to_string_lossy(), operands.to_string_lossy()), ..Other::default() };
        let (mut reads, mut writes, mut read, mut written) = ([0u16; 64], [0u16; 64], 0u8, 0u8);
        // SAFETY: both arrays have the 64 elements of cs_regs; details are on; an AArch64 handle fills `arm64`.
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
        // SAFETY: details are on; `groups_count` groups are filled.
        let groups = unsafe { &(&(*insn.detail).groups)[..(*insn.detail).groups_count.into()] };
        other.extensions = groups.iter().map(|&group| self.group(group)).filter(|name| !EVERYWHERE.contains(&name.as_str())).collect();
        for operand in &detail.operands[..detail.op_count.into()] {
            match operand.type_ {
                // SAFETY: the operand's type selects the valid member.
                cs::arm64_op_type::ARM64_OP_IMM => other.immediate = Some(unsafe { operand.__bindgen_anon_1.imm }),
                cs::arm64_op_type::ARM64_OP_MEM => {
                    // SAFETY: the operand's type selects the valid member of the union.
                    let memory = unsafe { operand.__bindgen_anon_1.mem };
                    other.memory = Some((self.general(memory.base).trailing_zeros() as usize, memory.disp.into()));
                }
                _ => {}
            }
        }
        Some(other)
    }

    fn group(&self, group: u8) -> String {
        // SAFETY: the name of a group is a static string, or null.
        unsafe {
            let name = cs::cs_group_name(self.handle, group.into());
            if name.is_null() { group.to_string() } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        }
    }

    /// The bit of a general register or of SP; 0 for any other register.
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

/// The bit of the general register with this name, or of SP; 0 for any other name.
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
        // SAFETY: `new` made the handle and `insn`; `insn` is freed before its handle is closed.
        unsafe {
            cs::cs_free(self.insn, 1);
            cs::cs_close(&mut self.handle);
        }
    }
}

/// Names of instruction groups that Capstone reports but that are not extensions of the architecture.
const EVERYWHERE: &[&str] =
    &["jump", "call", "return", "int", "interrupt", "privilege", "branch_relative", "pointer authentication", "fparmv8", "neon"];

/// True if the word passes the checks that `decode` makes before it accepts a word.
fn is_instruction(word: u32) -> bool {
    part(word).is_some() && library(word)
}

/// True if the decoder library accepts the word.
fn library(word: u32) -> bool {
    <ARMv8 as yaxpeax_arch::Arch>::Decoder::default().decode(&mut U8Reader::new(&word.to_le_bytes())).is_ok()
}

/// The number after `#` at the end of the text. For loads and stores of structures, only the end of Capstone's text shows the increment.
fn last_number(text: &str) -> Option<i64> {
    text.rsplit_once('#')?.1.parse().ok()
}

/// The vector registers that the text names, in order: the letter and the number of each.
fn vectors(text: &str) -> Vec<(char, usize)> {
    let names = text.split_once(' ').map_or("", |(_, operands)| operands).split(|c: char| !c.is_ascii_alphanumeric());
    let vector = |name: &str| {
        let letter = name.chars().next().filter(|letter| "bhsdqv".contains(*letter))?;
        Some((letter, name[1..].parse().ok().filter(|&number| number < 32)?))
    };
    names.filter_map(vector).collect()
}

/// The registers that an instruction uses without naming them, one bit each.
fn implied(word: u32) -> u32 {
    match word {
        // bl, blr, ret
        w if w & 0xfc00_0000 == 0x9400_0000 || w & 0xffff_fc1f == 0xd63f_0000 || w == 0xd65f_03c0 => 1 << 30,
        _ => 0,
    }
}

/// Instructions for which Capstone's lists of read and written registers are wrong or incomplete: the start of the mnemonic, and the reason. For
/// these instructions the test compares only the set of all registers that are used.
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
    ("uxt", "bit fields count as reading what they overwrite"),
    ("asr", "bit fields count as reading what they overwrite"),
    ("fcvt", "to fixed point, and of half precision: without its result"),
    ("mov", "movz and movn count as reading what they overwrite"),
    ("ls", "bit fields count as reading what they overwrite"),
    ("sbf", "bit fields count as reading what they overwrite"),
    ("ubf", "bit fields count as reading what they overwrite"),
    ("rmif", "without operands"),
    ("scvtf", "to fixed point: without its operand"),
    ("ucvtf", "to fixed point: without its operand"),
];

/// Mnemonics that read condition flags (Arm ARM, C6.2). Conditional branches begin with `b.`.
const READS_FLAGS: &[&str] = &[
    "adc", "adcs", "sbc", "sbcs", "ngc", "ngcs", "ccmp", "ccmn", "csel", "cset", "csetm", "csinc", "csinv", "csneg", "cinc", "cinv",
    "cneg", "fccmp", "fccmpe", "fcsel", "cfinv", "rmif", "setf8", "setf16",
];
/// Mnemonics that replace all four flags.
const REPLACES_FLAGS: &[&str] = &[
    "adds", "subs", "cmp", "cmn", "negs", "ands", "tst", "bics", "adcs", "sbcs", "ngcs", "ccmp", "ccmn", "fcmp", "fcmpe", "fccmp", "fccmpe",
];

/// Extensions that this version of Capstone does not report.
const UNKNOWN_TO_CAPSTONE: &[&str] = &["FHM", "FRINTTS"];
/// Extensions that Capstone reports.
const SAID: &[&str] = &["AES", "CRC32", "PMULL", "SHA1", "SHA256"];

/// The memory access according to Capstone's text: whether it loads, whether it stores, and how many bytes it transfers.
fn transfer(text: &str) -> Option<(bool, bool, usize)> {
    let (mnemonic, operands) = text.split_once(' ')?;
    let (loads, stores) = match mnemonic {
        "prfm" | "prfum" => return Some((false, false, bytes_of("prfm")?)),
        // Atomic operations load and store.
        m if ["swp", "cas"].iter().any(|start| m.starts_with(start)) => (true, true),
        m => {
            let operation = ["add", "clr", "eor", "set", "smax", "smin", "umax", "umin"].iter().any(|name| m[2..].starts_with(name));
            (m.starts_with("ld") || operation, m.starts_with("st") || operation)
        }
    };
    let names: Vec<&str> = operands.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|name| !name.is_empty()).collect();
    let vectors: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix('v')?.split_once('.').map(|(_, kind)| kind)).collect();
    if let Some(kind) = vectors.first() {
        let element = bytes_of(kind.trim_start_matches(|c: char| c.is_ascii_digit()))?;
        let lanes = kind.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(1);
        let replicates = mnemonic.ends_with('r');
        return Some((loads, stores, element * if replicates { 1 } else { lanes } * vectors.len()));
    }
    let status = mnemonic.starts_with("stx") || mnemonic.starts_with("stlx");
    let unit = match mnemonic {
        m if m.ends_with("sw") => 4,
        m if m.ends_with('b') => 1,
        m if m.ends_with('h') => 2,
        _ => bytes_of(names.get(usize::from(status))?)?,
    };
    let pair = ["ldp", "stp", "ldnp", "stnp", "ldxp", "ldaxp", "stxp", "stlxp", "casp"].iter().any(|start| mnemonic.starts_with(start));
    Some((loads, stores, unit * if pair { 2 } else { 1 }))
}

/// The size of a register or an element, by the first letter of its name.
fn bytes_of(name: &str) -> Option<usize> {
    Some(match name.chars().next()? {
        'b' => 1,
        'h' => 2,
        'w' | 's' => 4,
        'x' | 'd' | 'p' => 8,
        'q' => 16,
        _ => return None,
    })
}

#[derive(Default)]
struct Tally {
    same: usize,
    /// Words that our decoder accepts and Capstone does not know, by the part of the architecture.
    unknown: BTreeMap<&'static str, Vec<u32>>,
    /// The extensions that Capstone reports. The key is the part of the architecture in which our decoder places the instruction.
    parts: BTreeMap<&'static str, BTreeSet<String>>,
    /// The number of differences, and one example, by mnemonic and kind of difference.
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
        let (belongs, Some(other)) = (part(word).unwrap_or_default(), capstone.decode(word)) else {
            self.unknown.entry(part(word).unwrap_or_default()).or_default().push(word);
            return;
        };
        self.parts.entry(belongs).or_default().extend(other.extensions.iter().cloned());
        let mut differs = Vec::new();
        let mnemonic = other.text.split([' ', '.']).next().unwrap_or_default();
        // The registers that the instruction names (read or written), and the registers that it uses without naming them.
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
        let named = vectors(&other.text);
        // A load writes all vector registers that its text names, a compare or a store writes none. Any other instruction writes its first operand.
        let compares = ["fcmp", "fcmpe", "fccmp", "fccmpe"].contains(&mnemonic) || mnemonic.starts_with("st");
        let first_is_vector = vectors(other.text.split([',', '{']).next().unwrap_or_default()).len() == 1 || other.text.contains(" {");
        let written = match (compares || !first_is_vector, mnemonic.starts_with("ld")) {
            (true, _) => 0,
            (false, true) => named.iter().fold(0, |set, &(_, number)| set | 1 << number),
            (false, false) => named.first().map_or(0, |&(_, number)| 1 << number),
        };
        let known = ours.vector_writes();
        // The decoder counts an instruction whose result is the zero register as a write of v31. This is harmless, because no callee preserves v31.
        if written & !known != 0 || known & !written & !(1 << 31) != 0 {
            differs.push(format!("vectors written {known:#x} {written:#x}"));
        }
        let moves = ["ldr", "ldur", "str", "stur", "ldp", "ldnp", "stp", "stnp"].contains(&mnemonic);
        let doublewords: Vec<usize> = named.iter().filter(|(letter, _)| moves && *letter == 'd').map(|&(_, number)| number).collect();
        let moved: Vec<usize> = ours.doublewords().into_iter().flatten().collect();
        if moved != doublewords && !matches!(ours.kind, Kind::Memory(Access { form: Form::Indexed, .. })) {
            differs.push(format!("doublewords {moved:?} {doublewords:?}"));
        }
        if (READS_FLAGS.contains(&mnemonic) || other.text.starts_with("b.")) && !ours.reads_flags() {
            differs.push("flags read".into());
        }
        if ours.replaces_flags() && !REPLACES_FLAGS.contains(&mnemonic) {
            differs.push("flags replaced".into());
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
                let (ours, theirs) = ((access.loads, access.stores, access.size.into()), transfer(&other.text));
                if theirs != Some(ours) {
                    differs.push(format!("transfer {ours:?} {theirs:?}"));
                }
                let whole = |reg: &usize| access.unit == 8 && other.named >> reg & 1 != 0 && other.text.contains(&format!(" x{reg}, "));
                if !access.words.iter().flatten().all(whole) {
                    differs.push(format!("words {:?}", access.words));
                }
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
        // Only the following instructions write SP, or use it for anything but the base of an address.
        let sp = match ours.kind {
            Kind::AddImmediate { rd, .. } | Kind::AddToSp { rd, .. } | Kind::Align { rd, .. } => rd == SP,
            Kind::Move { rd, .. } | Kind::Constant { rd, .. } | Kind::Adrp { rd } | Kind::Adr { rd, .. } => {
                if rd == SP {
                    differs.push("register 31".into());
                }
                false
            }
            Kind::MaskSp => true,
            Kind::Memory(access) => access.base == SP && access.mode != Mode::Offset,
            _ => ours.writes >> SP & 1 != 0,
        };
        if sp != (ours.writes >> SP & 1 != 0) {
            differs.push("SP".into());
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
    fn finish(self, same: usize) {
        let wrong: Vec<String> = self.wrong.iter().map(|(what, (count, example))| format!("{count} times {what}: {example}")).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let unknown = self.unknown.iter().filter(|(part, _)| !UNKNOWN_TO_CAPSTONE.contains(part));
        let examples: Vec<String> = unknown.map(|(part, words)| format!("{part:?}: {} such as {:#010x}", words.len(), words[0])).collect();
        assert!(self.same > same && examples.is_empty(), "{} the same; unknown to the other: {}", self.same, examples.join(", "));
        for (part, theirs) in self.parts {
            assert_eq!(SAID.contains(&part), !theirs.is_empty(), "{part:?} is of {theirs:?} for the other");
        }
    }
}

fn random_words_match_another_disassembler() {
    let mut random = Random::new(number("FUZZ_SEED", 20_261_121));
    let capstone = Capstone::new();
    let mut tally = Tally::default();
    for _ in 0..300_000 * number("FUZZ_ROUNDS", 1) {
        tally.compare(&capstone, random.next() as u32);
    }
    tally.finish(50_000);
}

/// For an instruction that is not in Armv8.0, the decoder returns Arm's name of the extension. Without a name, the instruction would count as part of
/// Armv8.0.
fn extensions_have_names() {
    for (name, words) in [
        (BASE, &[0x8b02_0020_u32, 0x1e22_2820, 0x4e22_d420, 0x8802_7c20, 0x88df_fc20, 0x0e22_e020][..]),
        ("AES", &[0x4e28_4820]),
        ("PMULL", &[0x0ee2_e020]),
        ("SHA1", &[0x5e02_0020]),
        ("SHA256", &[0x5e02_4020]),
        ("SHA512", &[0xce62_8020]),
        ("SHA3", &[0xce02_0c20]),
        ("SM3", &[0xce42_0c20]),
        ("SM4", &[0xcec0_8420]),
        ("CRC32", &[0x1ac2_4020]),
        ("LSE", &[0xb822_0020, 0xb822_8020, 0x88a2_7c20, 0x0822_7c20]),
        ("LRCPC", &[0xb8bf_c020]),
        ("LRCPC2", &[0x9940_0020, 0x9900_0020]),
        ("LOR", &[0x88df_7c20]),
        ("RDM", &[0x2e42_8420, 0x7e42_8420]),
        ("FP16", &[0x1ee2_2820, 0x0e42_1420, 0x1ee0_0020]),
        ("FCMA", &[0x2e82_c420, 0x2e82_e420]),
        ("FHM", &[0x0f82_0020]),
        ("FRINTTS", &[0x1e68_4020]),
        ("JSCVT", &[0x1e7e_0020]),
        ("DotProd", &[0x0e82_9420, 0x2e82_9420]),
        ("FlagM", &[0x3a00_082d, 0xba00_0420]),
        ("SB", &[0xd503_30ff]),
    ] {
        for &word in words {
            assert_eq!((part(word), library(word)), (Some(name), true), "{word:#010x}");
        }
    }
}

/// Instructions that our decoder refuses although Capstone and the decoder library accept them: the start of the mnemonic, and the reason. They are
/// privileged, or the manual leaves their effect undefined.
const REFUSED: &[(&str, &str)] = &[
    ("aut", "pointer authentication"),
    ("pac", "pointer authentication"),
    ("br", "pointer authentication"),
    ("blr", "pointer authentication"),
    ("ldra", "pointer authentication"),
    ("dcps", "for debuggers"),
    ("hvc", "privileged"),
    ("smc", "privileged"),
    ("tlbi", "privileged"),
    ("sys", "privileged, or maintenance of caches"),
    ("dc", "maintenance of caches"),
    ("ic", "maintenance of caches"),
    ("at", "privileged"),
    ("ldt", "for kernels: access as a user"),
    ("stt", "for kernels: access as a user"),
    ("prfm", "of a literal"),
    ("fcmp", "with zero: a register's field that should be zero"),
    ("smulh", "a register's field that should be ones"),
    ("umulh", "a register's field that should be ones"),
    ("ldr", "an update of the register that is loaded"),
    ("str", "an update of the register that is stored"),
    ("ldp", "an update of a register that is loaded, or one register twice"),
    ("stp", "an update of a register that is stored"),
    ("ldnp", "one register twice"),
    ("ldxp", "one register twice"),
    ("ldaxp", "one register twice"),
    ("stx", "a status that is an operand"),
    ("stlx", "a status that is an operand"),
];

/// Checks words that Capstone and the decoder library accept, and that our decoder refuses by their encoding. `REFUSED` must name all of them.
fn refused_words_are_listed() {
    let mut random = Random::new(number("FUZZ_SEED", 20_261_121));
    let capstone = Capstone::new();
    let (mut refused, mut words) = (BTreeMap::<String, u32>::new(), 0);
    for _ in 0..300_000 * number("FUZZ_ROUNDS", 1) {
        let word = random.next() as u32;
        if part(word).is_some() || !library(word) {
            continue;
        }
        let Some(other) = capstone.decode(word) else { continue };
        let mnemonic = other.text.split([' ', '.']).next().unwrap_or_default().to_owned();
        words += 1;
        if !REFUSED.iter().any(|(start, _)| mnemonic.starts_with(start)) {
            refused.entry(mnemonic).or_insert(word);
        }
    }
    assert!(words > 1000 && refused.is_empty(), "{words} words, {refused:x?}");
}

/// Compares the words of real code, if `FUZZ_OBJECTS` names a folder of archives.
fn real_words_match_another_disassembler() {
    use object::{Object as _, ObjectSection as _};
    let Some(folder) = std::env::var_os("FUZZ_OBJECTS") else {
        crate::say!("skipped: FUZZ_OBJECTS names no folder of AArch64 archives");
        return;
    };
    let capstone = Capstone::new();
    let (mut tally, mut refused) = (Tally::default(), BTreeSet::new());
    for entry in std::fs::read_dir(folder).expect("a folder").flatten().filter(|e| e.path().extension().is_some_and(|e| e == "a")) {
        let bytes = std::fs::read(entry.path()).expect("an archive");
        let archive = object::read::archive::ArchiveFile::parse(&*bytes).expect("an archive");
        for member in archive.members().flatten() {
            let Ok(file) = object::File::parse(member.data(&*bytes).expect("a member")) else { continue };
            assert_eq!(file.architecture(), object::Architecture::Aarch64);
            for section in file.sections().filter(|s| s.kind() == object::SectionKind::Text) {
                let data = section.data().expect("code");
                for word in data.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)) {
                    tally.compare(&capstone, word);
                    if part(word).is_none() && capstone.decode(word).is_some() {
                        refused.insert(word);
                    }
                }
            }
        }
    }
    tally.finish(100_000);
    assert!(refused.is_empty(), "compilers make what is not in our list: {refused:x?}");
}

/// Lowering changes the base, distance or direction of some instructions. The test decodes each changed instruction and compares its fields.
fn changed_encodings_decode_as_expected() {
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
                let expected = Access { base, offset, mode: Mode::Offset, ..access };
                assert_eq!(new, expected, "{:#x} through x{base}+{offset} is {word:#x}", ours.word);
                // The transferred registers must not change: compare all register fields except the base.
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

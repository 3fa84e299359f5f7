//! Reads the fields of an instruction word: which registers the instruction reads and writes, and which memory it accesses. Decoding, analysis and
//! verification use this module.
//!
//! A64 instructions are 32-bit words in a few regular classes (Arm ARM DDI 0487, chapter C4.1). This module reads most of these classes. An
//! instruction of another class gets [`Kind::Unknown`], which the decoder refuses. This module does not decide if the word is an instruction at all:
//! the module `encoding` and the decoder library do.

pub(super) mod encoding;
mod memory;
mod vectors;

use crate::code::Reg;
use memory::memory;

/// The register number of SP in this module. The zero register also has the number 31, but it is never part of a register set.
pub(super) const SP: Reg = 31;
/// The register number of the link register x30.
pub(super) const LR: Reg = 30;
/// The register number of the frame pointer x29.
pub(super) const FP: Reg = 29;

/// A set of registers, one bit each; bit 31 is SP.
pub(super) type Set = u32;

/// A decoded instruction, with the registers that it reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Insn {
    pub word: u32,
    pub kind: Kind,
    /// The general registers and SP that the instruction reads, as data or as part of an address.
    pub reads: Set,
    pub writes: Set,
}

/// The kind of an instruction. Instructions that all users of this module treat alike have one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An instruction that changes only registers in `writes`, vector registers, and flags.
    Plain,
    /// The instruction `add rd, rn, #by` or `sub`, 64 bits wide, that sets no flags. A `mov` to or from SP has this kind, with `by` 0.
    AddImmediate {
        rd: Reg,
        rn: Reg,
        by: i64,
    },
    /// The instruction `add rd, sp, rm` or `sub rd, sp, rm`, 64 bits wide.
    AddToSp {
        rd: Reg,
        rm: Reg,
        subtracts: bool,
    },
    /// The instruction `cmp sp, rm`.
    CompareSp {
        rm: Reg,
    },
    /// The instruction `and rd, rn, #-to`, 64 bits wide, where `to` is a power of two.
    Align {
        rd: Reg,
        rn: Reg,
        to: u32,
    },
    /// A logical instruction with an immediate that writes SP, other than [`Kind::Align`].
    MaskSp,
    /// The instruction `movz rd, #value` or `movk rd, #value`, with a shift, or `orr` of the zero register with a mask. In the field `value` the
    /// number is already shifted. `keeps` is true for `movk`, which keeps the other bits of the register.
    Constant {
        rd: Reg,
        value: u64,
        shift: u32,
        keeps: bool,
    },
    /// The instruction `mov rd, rm`, 64 bits wide.
    Move {
        rd: Reg,
        rm: Reg,
    },
    Adrp {
        rd: Reg,
    },
    Adr {
        rd: Reg,
        by: i64,
    },
    /// A load of a constant that lies among the instructions of the code (`ldr rt, label`).
    Literal,
    Memory(Access),
    Branch(Branch),
    /// A hint without effect, a barrier, or a harmless access to a system register.
    Harmless,
    Trap,
    SystemCall,
    /// A read or write of the thread-local storage register.
    ThreadPointer,
    /// Pointer authentication, which changes the link register or other pointers on processors that support it.
    Authentication,
    /// A write of state that Go relies on, or an instruction that needs privileges.
    System,
    /// An instruction outside the classes that this module reads.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// The instruction `b`, with the distance in bytes.
    Jump(i64),
    Call(i64),
    /// A conditional branch of any form, with the distance in bytes.
    Conditional(i64),
    /// The instruction `br` through this register.
    IndirectJump(Reg),
    IndirectCall(Reg),
    Return(Reg),
}

/// A memory access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub base: Reg,
    pub form: Form,
    pub mode: Mode,
    /// The immediate offset from the base in bytes; 0 if the instruction has none.
    pub offset: i64,
    /// The size of one register's data, in bytes.
    pub unit: u8,
    /// The size of the whole access, in bytes.
    pub size: u8,
    pub loads: bool,
    pub stores: bool,
    /// The general registers that are loaded or stored whole (64 bits, without extension), in the order of memory.
    pub words: [Option<Reg>; 2],
    /// True for `prfm`, a prefetch, which accesses no memory.
    pub prefetch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An access of one register, with an immediate offset.
    Single,
    /// An access of two registers: `ldp`, `stp`.
    Pair,
    /// An access at the address in a register, without an offset (exclusives, atomics, vector structures).
    Bare,
    /// An access at the sum of the base and an index register.
    Indexed,
    /// An access with a signed 9-bit offset in bytes, and no other form of the offset (`ldapur`, `stlur`).
    Unscaled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Offset,
    Pre,
    Post,
}

/// Returns the lowest `bits` bits of `value` as a signed number.
fn signed(value: u32, bits: u32) -> i64 {
    i64::from((value << (32 - bits)).cast_signed() >> (32 - bits))
}

/// Returns the set of one register, for an instruction field in which 31 means the zero register.
fn x(reg: u32) -> Set {
    if reg == 31 { 0 } else { 1 << reg }
}

/// Returns the set of one register, for an instruction field in which 31 means SP.
fn xsp(reg: u32) -> Set {
    1 << reg
}

struct Fields {
    w: u32,
}

impl Fields {
    fn at(&self, low: u32, bits: u32) -> u32 {
        self.w >> low & ((1 << bits) - 1)
    }
    fn bit(&self, at: u32) -> bool {
        self.w >> at & 1 != 0
    }
    fn rd(&self) -> u32 {
        self.at(0, 5)
    }
    fn rn(&self) -> u32 {
        self.at(5, 5)
    }
    fn rm(&self) -> u32 {
        self.at(16, 5)
    }
    fn is(&self, mask: u32, value: u32) -> bool {
        self.w & mask == value
    }
}

impl Insn {
    pub fn new(word: u32) -> Insn {
        let f = Fields { w: word };
        let (kind, reads, writes) = match f.at(25, 4) {
            0b1000 | 0b1001 => immediate(&f),
            0b1010 | 0b1011 => branch(&f),
            0b0100 | 0b0110 | 0b1100 | 0b1110 => memory(&f),
            0b0101 | 0b1101 => register(&f),
            0b0111 | 0b1111 => vector(&f),
            // The word is the permanently undefined instruction `udf`.
            0 if word >> 16 == 0 => (Kind::Trap, 0, 0),
            // The other classes (reserved encodings, SVE and SME) are not accepted.
            _ => (Kind::Unknown, 0, 0),
        };
        Insn { word, kind, reads, writes }
    }

    pub fn access(&self) -> Option<Access> {
        if let Kind::Memory(access) = self.kind { Some(access) } else { None }
    }

    /// True if the instruction uses x18, the platform register, or x28, Go's g.
    pub fn touches_reserved(&self) -> bool {
        (self.reads | self.writes) & (1 << 18 | 1 << 28) != 0
    }

    /// True if the instruction may read a condition flag.
    pub fn reads_flags(&self) -> bool {
        let f = Fields { w: self.word };
        match f.at(25, 4) {
            // Matches `b.cond`, and `mrs` and `msr` of NZCV.
            0b1010 | 0b1011 => f.is(0xfe00_0000, 0x5400_0000) || f.is(0xffd0_0000, 0xd510_0000) && f.at(5, 16) == 0xda10,
            // Matches `adc`, `sbc` and changes of single flags; `ccmp`; and `csel` and its variants.
            0b0101 | 0b1101 => f.bit(28) && matches!(f.at(21, 4), 0b0000 | 0b0010 | 0b0100),
            // Matches `fccmp` and `fcsel`.
            0b0111 | 0b1111 => f.is(0xff20_0400, 0x1e20_0400),
            _ => false,
        }
    }

    /// True if the instruction overwrites all condition flags.
    pub fn replaces_flags(&self) -> bool {
        let f = Fields { w: self.word };
        match f.at(25, 4) {
            // Matches `adds`, `subs` and `ands` with an immediate.
            0b1000 | 0b1001 => f.at(23, 3) == 0b010 && f.bit(29) || f.at(23, 3) == 0b100 && f.at(29, 2) == 3,
            // Matches `ands`, `bics`, `adds` and `subs` with registers. The next arm matches `adcs`, `sbcs`, and `ccmp` with any
            // condition.
            0b0101 | 0b1101 if !f.bit(28) => {
                if f.bit(24) {
                    f.bit(29)
                } else {
                    f.at(29, 2) == 3
                }
            }
            0b0101 | 0b1101 => f.at(21, 4) == 0 && f.at(10, 6) == 0 && f.bit(29) || f.at(21, 4) == 0b0010,
            // Matches `fcmp` and `fccmp`.
            0b0111 | 0b1111 => f.is(0xff20_fc07, 0x1e20_2000) || f.is(0xff20_0c00, 0x1e20_0400),
            _ => false,
        }
    }

    /// True for `ldxr` and its variants. Such a load sets a reservation. Another memory access before the matching exclusive store may clear the
    /// reservation.
    pub fn is_load_exclusive(&self) -> bool {
        self.word & 0x3fc0_0000 == 0x0840_0000 && !self.swaps_pair()
    }

    /// True for `stxr` and its variants.
    pub fn is_store_exclusive(&self) -> bool {
        self.word & 0x3fc0_0000 == 0x0800_0000 && !self.swaps_pair()
    }

    /// True for compare-and-swap of a register pair (`casp`), whose encoding lies among those of the exclusives.
    fn swaps_pair(&self) -> bool {
        self.word >> 21 & 1 != 0 && self.word >> 31 == 0
    }

    /// Encodes the access with the given base and offset, without write-back of the base. Returns `None` if the offset does not fit.
    pub fn through(&self, base: Reg, offset: i64) -> Option<u32> {
        let access = self.access()?;
        let w = self.word & !(31 << 5) | (base as u32) << 5;
        let unit = i64::from(access.unit);
        match access.form {
            Form::Pair => {
                let scaled = offset / unit;
                if offset % unit != 0 || !(-64..64).contains(&scaled) {
                    return None;
                }
                // A non-temporal access of a pair (`ldnp`, `stnp`) stays non-temporal.
                let mode = if access.mode == Mode::Offset { w >> 23 & 3 } else { 2 };
                Some(w & !(3 << 23 | 0x7f << 15) | mode << 23 | (scaled as u32 & 0x7f) << 15)
            }
            Form::Single => {
                let scaled = offset / unit;
                let fields = w & 0xc4c0_001f | (base as u32) << 5;
                if offset % unit == 0 && (0..4096).contains(&scaled) {
                    Some(fields | 0x3900_0000 | (scaled as u32) << 10)
                } else if (-256..256).contains(&offset) {
                    Some(fields | 0x3800_0000 | (offset as u32 & 0x1ff) << 12)
                } else {
                    None
                }
            }
            Form::Unscaled => (-256..256).contains(&offset).then_some(w & !(0x1ff << 12) | (offset as u32 & 0x1ff) << 12),
            // These forms encode no immediate offset, and their post-index variants always write the base back.
            Form::Bare | Form::Indexed => (offset == 0 && access.mode == Mode::Offset).then_some(w),
        }
    }

    /// Encodes the branch with another distance. Returns `None` if the distance is too large.
    pub fn branch_to(&self, distance: i64) -> Option<u32> {
        let words = distance / 4;
        let (low, bits) = match self.word {
            w if w & 0x7c00_0000 == 0x1400_0000 => (0, 26),
            w if w & 0x7e00_0000 == 0x3600_0000 => (5, 14),
            _ => (5, 19),
        };
        let limit = 1i64 << (bits - 1);
        let mask = ((1u32 << bits) - 1) << low;
        (-limit..limit).contains(&words).then_some(self.word & !mask | ((words as u32) << low & mask))
    }

    /// Encodes the branch with the opposite condition. Returns `None` for a branch without an opposite.
    pub fn inverted(&self) -> Option<u32> {
        match self.word {
            // In b.cond the lowest bit inverts the condition. The conditions `al` and `nv` have no opposite.
            w if w & 0xff00_0010 == 0x5400_0000 => (w & 0xe != 0xe).then_some(w ^ 1),
            w if w & 0x7e00_0000 == 0x3400_0000 || w & 0x7e00_0000 == 0x3600_0000 => Some(w ^ 1 << 24),
            _ => None,
        }
    }
}

type Class = (Kind, Set, Set);
const UNKNOWN: Class = (Kind::Unknown, 0, 0);

/// Reads the fields of the class "Data Processing -- Immediate" (C4.1.92).
fn immediate(f: &Fields) -> Class {
    let (rd, rn) = (f.rd(), f.rn());
    match f.at(23, 3) {
        // An `adr` or `adrp` into the zero register has no effect, so it is not accepted.
        0b000 | 0b001 if rd == 31 => UNKNOWN,
        0b000 | 0b001 if f.bit(31) => (Kind::Adrp { rd: rd as Reg }, 0, x(rd)),
        0b000 | 0b001 => (Kind::Adr { rd: rd as Reg, by: signed(f.at(5, 19) << 2 | f.at(29, 2), 21) }, 0, x(rd)),
        0b010 => {
            let value = i64::from(f.at(10, 12)) << if f.bit(22) { 12 } else { 0 };
            let by = if f.bit(30) { -value } else { value };
            let writes = if f.bit(29) { x(rd) } else { xsp(rd) };
            let kind = match (f.bit(31), f.bit(29)) {
                (true, false) => Kind::AddImmediate { rd: rd as Reg, rn: rn as Reg, by },
                _ => Kind::Plain,
            };
            (kind, xsp(rn), writes)
        }
        0b100 => {
            let sets_flags = f.at(29, 2) == 3;
            // Matches `orr rd, xzr, #mask`, which loads a constant.
            if let (true, 1, 31, Some(value)) = (f.bit(31), f.at(29, 2), rn, bit_mask(f))
                && rd != 31
            {
                return (Kind::Constant { rd: rd as Reg, value, shift: 0, keeps: false }, 0, x(rd));
            }
            let aligns = bit_mask(f).filter(|_| f.bit(31) && f.at(29, 2) == 0 && rn != 31).map(|mask| mask.wrapping_neg());
            let kind = match aligns.and_then(|to| u32::try_from(to).ok()).filter(|to| to.is_power_of_two()) {
                Some(to) => Kind::Align { rd: rd as Reg, rn: rn as Reg, to },
                None if rd == 31 && !sets_flags => Kind::MaskSp,
                None => Kind::Plain,
            };
            (kind, x(rn), if sets_flags { x(rd) } else { xsp(rd) })
        }
        0b101 => match f.at(29, 2) {
            opc @ (0b10 | 0b11) if f.bit(31) && rd != 31 => {
                let (value, shift) = (u64::from(f.at(5, 16)), f.at(21, 2) * 16);
                let keeps = opc == 0b11;
                (Kind::Constant { rd: rd as Reg, value: value << shift, shift, keeps }, if keeps { x(rd) } else { 0 }, x(rd))
            }
            0b00 | 0b10 => (Kind::Plain, 0, x(rd)),
            0b11 => (Kind::Plain, x(rd), x(rd)),
            _ => UNKNOWN,
        },
        0b110 => match f.at(29, 2) {
            0b00 | 0b10 => (Kind::Plain, x(rn), x(rd)),
            0b01 => (Kind::Plain, x(rn) | x(rd), x(rd)),
            _ => UNKNOWN,
        },
        0b111 if f.at(29, 2) == 0 => (Kind::Plain, x(rn) | x(f.rm()), x(rd)),
        _ => UNKNOWN,
    }
}

/// Returns the 64-bit mask of a logical instruction: a run of ones, rotated within an element that repeats (Arm ARM, DecodeBitMasks).
fn bit_mask(f: &Fields) -> Option<u64> {
    let (n, rotation, ones) = (f.at(22, 1), f.at(16, 6), f.at(10, 6));
    let length = 31 - (n << 6 | !ones & 0x3f).leading_zeros().min(31);
    if length == 0 {
        return None;
    }
    let size = 1u32 << length;
    let (rotation, ones) = (rotation & (size - 1), ones & (size - 1));
    if ones == size - 1 {
        return None;
    }
    let element = (1u64 << (ones + 1)) - 1;
    let all = if size == 64 { u64::MAX } else { (1 << size) - 1 };
    let rotated = if rotation == 0 { element } else { (element >> rotation | element << (size - rotation)) & all };
    Some((0..64 / size).fold(0, |mask, k| mask | rotated << (k * size)))
}

/// Reads the fields of the class "Data Processing -- Register" (C4.1.95).
fn register(f: &Fields) -> Class {
    let (rd, rn, rm) = (f.rd(), f.rn(), f.rm());
    let three = (Kind::Plain, x(rn) | x(rm), x(rd));
    if !f.bit(28) {
        if !f.bit(24) {
            // Matches `orr rd, xzr, rm` without a shift. In this instruction, register 31 is the zero register, not SP.
            if f.is(0xffe0_ffe0, 0xaa00_03e0) && rm != 31 && rd != 31 {
                return (Kind::Move { rd: rd as Reg, rm: rm as Reg }, x(rm), x(rd));
            }
            return three;
        }
        if !f.bit(21) {
            return three;
        }
        // These additions and subtractions have an extended register as their last operand. They may read or write SP.
        let writes = if f.bit(29) { x(rd) } else { xsp(rd) };
        let kind = match (rn, rd, f.bit(29)) {
            (31, 31, true) if f.bit(30) && f.bit(31) && f.at(10, 6) == 0b011000 => Kind::CompareSp { rm: rm as Reg },
            // An addition of the zero register copies SP.
            (31, _, false) if f.bit(31) && rm == 31 => Kind::AddImmediate { rd: rd as Reg, rn: SP, by: 0 },
            // Assemblers emit `add` and `sub` of SP and a 64-bit register only in this form (`uxtx` without a shift).
            (31, _, false) if f.bit(31) && f.at(10, 6) == 0b011000 => Kind::AddToSp { rd: rd as Reg, rm: rm as Reg, subtracts: f.bit(30) },
            _ => Kind::Plain,
        };
        return (kind, xsp(rn) | x(rm), writes);
    }
    match f.at(21, 4) {
        0b0000 if f.at(10, 6) == 0 => three,
        0b0000 if f.at(10, 5) == 1 || f.at(10, 4) == 2 => (Kind::Plain, x(rn), 0),
        0b0010 => (Kind::Plain, x(rn) | if f.bit(11) { 0 } else { x(rm) }, 0),
        0b0100 => three,
        0b0110 if !f.bit(29) && !f.bit(30) => match f.at(10, 6) {
            2 | 3 | 8..=11 | 16..=23 => three,
            _ => UNKNOWN,
        },
        0b0110 if !f.bit(29) => match (rm, f.at(10, 6)) {
            (0, 0..=8) => (Kind::Plain, x(rn), x(rd)),
            (1, _) => (Kind::Authentication, 0, 0),
            _ => UNKNOWN,
        },
        0b1000..=0b1111 => (Kind::Plain, x(rn) | x(rm) | x(f.at(10, 5)), x(rd)),
        _ => UNKNOWN,
    }
}

/// Reads the fields of the class of vector and floating-point instructions (C4.1.96). Few of them use a general register.
fn vector(f: &Fields) -> Class {
    let to = (Kind::Plain, 0, x(f.rd()));
    let from = (Kind::Plain, x(f.rn()), 0);
    // The next two tests match conversions between floating point and integers or fixed-point numbers, and moves between general and vector
    // registers.
    if f.is(0x7f20_fc00, 0x1e20_0000) {
        return if matches!(f.at(16, 3), 2 | 3 | 7) { from } else { to };
    }
    if f.is(0x7f20_0000, 0x1e00_0000) {
        return if matches!(f.at(16, 3), 2 | 3) { from } else { to };
    }
    // This test matches `dup` and `ins` from a general register. The test after it matches `smov` and `umov`, which write a general register.
    if f.is(0xbfe0_fc00, 0x0e00_0c00) || f.is(0xffe0_fc00, 0x4e00_1c00) {
        return from;
    }
    if f.is(0xbfe0_fc00, 0x0e00_2c00) || f.is(0xbfe0_fc00, 0x0e00_3c00) {
        return to;
    }
    (Kind::Plain, 0, 0)
}

/// Reads the fields of the class of branches, exceptions and system instructions (C4.1.93).
fn branch(f: &Fields) -> Class {
    let (rt, rn) = (f.rd(), f.rn());
    if f.is(0x7c00_0000, 0x1400_0000) {
        let by = signed(f.w, 26) * 4;
        return if f.bit(31) { (Kind::Branch(Branch::Call(by)), 0, 1 << LR) } else { (Kind::Branch(Branch::Jump(by)), 0, 0) };
    }
    let nineteen = Kind::Branch(Branch::Conditional(signed(f.at(5, 19), 19) * 4));
    if f.is(0xff00_0010, 0x5400_0000) {
        return (nineteen, 0, 0);
    }
    if f.is(0x7e00_0000, 0x3400_0000) {
        return (nineteen, x(rt), 0);
    }
    if f.is(0x7e00_0000, 0x3600_0000) {
        return (Kind::Branch(Branch::Conditional(signed(f.at(5, 14), 14) * 4)), x(rt), 0);
    }
    if f.is(0xfe00_0000, 0xd600_0000) {
        return match f.w & !(31 << 5) {
            0xd61f_0000 => (Kind::Branch(Branch::IndirectJump(rn as Reg)), x(rn), 0),
            0xd63f_0000 => (Kind::Branch(Branch::IndirectCall(rn as Reg)), x(rn), 1 << LR),
            0xd65f_0000 => (Kind::Branch(Branch::Return(rn as Reg)), x(rn), 0),
            0xd69f_0000 | 0xd6bf_0000 => (Kind::System, 0, 0),
            _ => (Kind::Authentication, 0, 0),
        };
    }
    if f.is(0xff00_0000, 0xd400_0000) {
        return match f.w & 0xffe0_001f {
            0xd420_0000 | 0xd440_0000 => (Kind::Trap, 0, 0),
            0xd400_0001 => (Kind::SystemCall, 0, 0),
            _ => (Kind::System, 0, 0),
        };
    }
    if f.is(0xffff_f01f, 0xd503_201f) {
        return match f.at(5, 7) {
            // Matches `nop`, `yield`, `csdb`, and `bti` in its four forms.
            0 | 1 | 20 | 32 | 34 | 36 | 38 => (Kind::Harmless, 0, 0),
            7..=15 | 24..=31 => (Kind::Authentication, 0, 0),
            _ => (Kind::System, 0, 0),
        };
    }
    // Matches `clrex`, `dsb`, `dmb`, `isb` and `sb`.
    if f.is(0xffff_f01f, 0xd503_301f) && matches!(f.at(5, 3), 2 | 4 | 5 | 6 | 7) {
        return (Kind::Harmless, 0, 0);
    }
    // Matches `msr dit, #0` and `msr dit, #1`.
    if f.is(encoding::DIT.0, encoding::DIT.1) {
        return (Kind::Harmless, 0, 0);
    }
    if f.is(0xffd0_0000, 0xd510_0000) {
        let reads = f.bit(21);
        let (from, to) = if reads { (0, x(rt)) } else { (x(rt), 0) };
        // These 16 bits are the fields op0, op1, CRn, CRm and op2, which name the system register.
        return match f.at(5, 16) {
            0xde82..=0xde83 | 0xde85 => (Kind::ThreadPointer, from, to),
            // An access to NZCV, or a read of FPCR, FPSR or DCZID_EL0, changes nothing that Go relies on.
            0xda10 => (Kind::Harmless, from, to),
            // An access to DIT changes only the timing of instructions.
            encoding::DIT_REGISTER => (Kind::Harmless, from, to),
            0xda20 | 0xda21 | 0xd807 if reads => (Kind::Harmless, from, to),
            _ => (Kind::System, from, to),
        };
    }
    (Kind::System, 0, 0)
}

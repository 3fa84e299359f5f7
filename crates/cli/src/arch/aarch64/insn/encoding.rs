//! Lists the accepted encodings: decides if a word is an instruction, and which architecture extension the instruction needs. `decode` and verify
//! refuse all other words.
//!
//! The module `insn` states what an instruction does. This module states which combinations of fields exist, and which extension introduced each of
//! them (Arm ARM DDI 0487, chapter C4.1, with the conditions on each instruction's page). A combination that is not listed is refused, because a
//! reserved encoding may get a meaning later. If the manual says that a bit should be one or zero, the bit must have this value. Encodings whose
//! behaviour is constrained unpredictable are refused.

mod vector;

use super::{Fields, bit_mask};

/// The name of an architecture extension without Arm's prefix `FEAT_`, or empty for Armv8.0 with Advanced SIMD.
pub(in super::super) type Part = &'static str;

/// Armv8.0 with Advanced SIMD, which every supported processor has.
pub(in super::super) const BASE: Part = "";

/// The mask and value that recognise `msr dit, #imm` with an immediate of 0 or 1.
pub(super) const DIT: (u32, u32) = (0xffff_feff, 0xd503_405f);
/// The fields op0, op1, CRn, CRm and op2 of the system register DIT, in 16 bits.
pub(super) const DIT_REGISTER: u32 = 0xda15;

/// Returns the extension that the instruction needs ([`BASE`] for none); `None` if the word is not an accepted instruction.
pub(in super::super) fn part(word: u32) -> Option<Part> {
    let f = &Fields { w: word };
    match f.at(25, 4) {
        0b1000 | 0b1001 => immediate(f).then_some(BASE),
        0b1010 | 0b1011 => branch(f),
        0b0100 | 0b0110 | 0b1100 | 0b1110 => memory(f),
        0b0101 | 0b1101 => register(f),
        0b0111 | 0b1111 => vector::vector(f),
        // The word is the permanently undefined instruction `udf`.
        _ => (word >> 16 == 0).then_some(BASE),
    }
}

/// True for accepted data-processing instructions with an immediate (C4.1.92). In a 32-bit operation, fields that count bits must be below 32.
fn immediate(f: &Fields) -> bool {
    let (wide, n) = (f.bit(31), f.bit(22));
    let counts = |low: u32| wide || !f.bit(low + 5);
    match f.at(23, 3) {
        0b000..=0b010 => true,
        0b100 => (wide || !n) && bit_mask(f).is_some(),
        0b101 => f.at(29, 2) != 0b01 && (wide || !n),
        0b110 => f.at(29, 2) != 0b11 && n == wide && counts(16) && counts(10),
        0b111 => f.at(29, 2) == 0 && n == wide && !f.bit(21) && counts(10),
        _ => false,
    }
}

/// Returns the extension that an accepted branch, exception or system instruction needs (C4.1.93). Some instructions exist but are not accepted,
/// because of their effect.
fn branch(f: &Fields) -> Option<Part> {
    // Matches `b`, `bl`; `b.cond`; `cbz`, `cbnz`; `tbz`, `tbnz`; `br`, `blr`, `ret`; `svc`, `brk`, `hlt`.
    let plain = f.is(0x7c00_0000, 0x1400_0000)
        || f.is(0xff00_0010, 0x5400_0000)
        || f.is(0x7c00_0000, 0x3400_0000)
        || f.is(0xff9f_fc1f, 0xd61f_0000) && f.at(21, 2) != 3
        || f.is(0xffe0_001f, 0xd400_0001)
        || f.is(0xffe0_001f, 0xd420_0000)
        || f.is(0xffe0_001f, 0xd440_0000);
    // Matches hints; `clrex`, `dsb`, `dmb`, `isb`; `msr`, `mrs`.
    let system = f.is(0xffff_f01f, 0xd503_201f)
        || f.is(0xffff_f01f, 0xd503_301f) && matches!(f.at(5, 3), 2 | 4 | 5 | 6)
        || f.is(0xffd0_0000, 0xd510_0000);
    if f.is(DIT.0, DIT.1) || f.is(0xffd0_0000, 0xd510_0000) && f.at(5, 16) == DIT_REGISTER {
        return Some("DIT");
    }
    match f.w {
        _ if plain || system => Some(BASE),
        0xd503_30ff => Some("SB"),
        _ => None,
    }
}

/// Returns the extension that an accepted load or store needs (C4.1.94).
fn memory(f: &Fields) -> Option<Part> {
    let (rt, rn, rs, rt2) = (f.rd(), f.rn(), f.rm(), f.at(10, 5));
    let (size, vector, load) = (f.at(30, 2), f.bit(26), f.bit(22));
    let base = |exists: bool| exists.then_some(BASE);
    // Matches loads and stores of vector structures.
    if f.is(0xbe00_0000, 0x0c00_0000) {
        return base(if f.bit(24) { one_structure(f) } else { structures(f) });
    }
    // Matches exclusive or ordered accesses, or compare and swap.
    if f.is(0x3f00_0000, 0x0800_0000) {
        let (ordered, none) = (f.bit(15), 31);
        // The status register of an exclusive store must differ from the stored register and the address register.
        let status = load || rs != rt && (rs != rn || rn == 31);
        return match (f.bit(23), f.bit(21)) {
            (false, false) => base(rt2 == none && if load { rs == none } else { status }),
            (false, true) if size >= 2 => base(if load { rs == none && rt != rt2 } else { status && rs != rt2 }),
            (false, true) => (rt2 == none && rs.is_multiple_of(2) && rt.is_multiple_of(2)).then_some("LSE"),
            (true, false) => (rt2 == none && rs == none).then_some(if ordered { BASE } else { "LOR" }),
            (true, true) => (rt2 == none).then_some("LSE"),
        };
    }
    // Matches `ldapur` and `stlur`.
    if f.is(0x3f20_0c00, 0x1900_0000) {
        return signed_loads(size, f.at(22, 2)).then_some("LRCPC2");
    }
    // Matches loads of literals. `prfm` of a literal has size 3 and is not accepted.
    if f.is(0x3b00_0000, 0x1800_0000) {
        return base(size != 3);
    }
    if f.is(0x3a00_0000, 0x2800_0000) {
        let mode = f.at(23, 2);
        let sizes = match (vector, size) {
            (true, _) => size != 3,
            // ldpsw has no non-temporal form.
            (false, 1) => load && mode != 0,
            (false, _) => size != 3,
        };
        let back = mode & 1 != 0;
        let defined = (!load || rt != rt2) && (vector || !back || rn == 31 || rn != rt && rn != rt2);
        return base(sizes && defined);
    }
    if f.is(0x3a00_0000, 0x3800_0000) {
        let opc = f.at(22, 2);
        let sizes = if vector { opc < 2 || size == 0 } else { opc == 2 && size == 3 || signed_loads(size, opc) };
        let prefetch = !vector && size == 3 && opc == 2;
        if f.bit(24) {
            return base(sizes);
        }
        return match (f.bit(21), f.at(10, 2)) {
            (false, 0b00) => base(sizes),
            (false, 0b01 | 0b11) => base(sizes && !prefetch && (vector || rn == 31 || rn != rt)),
            // The index has 32 or 64 bits and may be extended.
            (true, 0b10) => base(sizes && f.bit(14)),
            (true, 0b00) if !vector => match f.at(12, 4) {
                0..=8 => Some("LSE"),
                12 => (rs == 31 && opc == 2).then_some("LRCPC"),
                _ => None,
            },
            _ => None,
        };
    }
    None
}

/// True if a load or store with this `opc` exists for a general register and 1 << `size` bytes. The opc values 0 to 3 mean store, load, and two
/// signed loads.
fn signed_loads(size: u32, opc: u32) -> bool {
    opc < 2 || opc == 2 && size < 3 || opc == 3 && size < 2
}

/// True for accepted `ld1` to `ld4` and `st1` to `st4` of whole vector registers.
fn structures(f: &Fields) -> bool {
    let alone = f.bit(23) || f.rm() == 0;
    let counts = match f.at(12, 4) {
        0b0010 | 0b0110 | 0b0111 | 0b1010 => true,
        // Interleaved forms do not exist for vectors of one doubleword.
        0b0000 | 0b0100 | 0b1000 => f.bit(30) || f.at(10, 2) != 3,
        _ => false,
    };
    !f.bit(21) && alone && counts
}

/// True for accepted `ld1` to `ld4` and `st1` to `st4` of one element, and for loads that copy one element to all elements.
fn one_structure(f: &Fields) -> bool {
    let (size, high) = (f.at(10, 2), f.bit(12));
    (f.bit(23) || f.rm() == 0)
        && match f.at(14, 2) {
            0 => true,
            1 => size & 1 == 0,
            2 => size == 0 || size == 1 && !high,
            _ => f.bit(22) && !high,
        }
}

/// Returns the extension that an accepted data-processing instruction with registers needs (C4.1.95).
fn register(f: &Fields) -> Option<Part> {
    let base = |exists: bool| exists.then_some(BASE);
    let (wide, op, flags) = (f.bit(31), f.bit(30), f.bit(29));
    if !f.bit(28) {
        let amount = wide || !f.bit(15);
        return base(match (f.bit(24), f.bit(21)) {
            // In logical operations bit 21 inverts an operand, so both values exist.
            (false, _) => amount,
            (true, false) => amount && f.at(22, 2) != 3,
            (true, true) => f.at(22, 2) == 0 && f.at(10, 3) <= 4,
        });
    }
    match f.at(21, 4) {
        0b0000 if f.at(10, 6) == 0 => Some(BASE),
        // Matches `rmif`; `setf8` and `setf16`.
        0b0000 => (f.is(0xffe0_7c10, 0xba00_0400) || f.is(0xffff_bc1f, 0x3a00_080d)).then_some("FlagM"),
        0b0010 => base(flags && !f.bit(10) && !f.bit(4)),
        0b0100 => base(!flags && !f.bit(11)),
        0b0110 if flags => None,
        0b0110 if op => base(f.rm() == 0 && (f.at(10, 6) <= 2 || f.at(10, 6) == 3 && wide || matches!(f.at(10, 6), 4 | 5))),
        0b0110 => match f.at(10, 6) {
            2 | 3 | 8..=11 => Some(BASE),
            16..=23 => (wide == (f.at(10, 2) == 3)).then_some("CRC32"),
            _ => None,
        },
        operation @ 0b1000..=0b1111 if !op && !flags => base(match operation & 7 {
            0b000 => true,
            0b001 | 0b101 => wide,
            // smulh and umulh have no third operand.
            0b010 | 0b110 => wide && f.at(10, 6) == 0b01_1111,
            _ => false,
        }),
        _ => None,
    }
}

//! The accepted encodings of vector and floating-point instructions (C4.1.96), one function for each class.
//!
//! In this module `u` is bit 29. `q` is bit 30, which selects a vector of 128 bits. An element has 8 << `size` bits. For floating point, bit 22
//! selects double precision, and bit 23 belongs to the opcode, as in the manual's tables. Matrix products (I8MM) and BF16 are not accepted,
//! because the decoder library does not know them.

use super::super::Fields;
use super::{BASE, Part};

const FP16: Part = "FP16";
const RDM: Part = "RDM";

fn base(exists: bool) -> Option<Part> {
    exists.then_some(BASE)
}

pub(super) fn vector(f: &Fields) -> Option<Part> {
    if f.bit(28) {
        return if f.bit(30) { scalar(f) } else { floating(f) };
    }
    if f.bit(31) {
        return if f.is(0xff00_0000, 0xce00_0000) { cryptographic(f) } else { None };
    }
    let (q, u) = (f.bit(30), f.bit(29));
    if f.bit(24) {
        return match (f.bit(10), f.bit(23), f.at(19, 4)) {
            (true, false, 0) => modified_immediate(f),
            (true, false, _) => shift(f, q, false),
            (true, true, _) => None,
            (false, ..) => by_element(f, q, u, false),
        };
    }
    if f.bit(21) {
        return match (f.bit(10), f.bit(11)) {
            (true, _) => three_same(f, q, u),
            (false, false) => three_different(f, u),
            (false, true) => two_or_across(f, q, u),
        };
    }
    match (f.bit(15), f.bit(10)) {
        (true, true) => three_same_extra(f, q, u),
        (false, true) if f.is(0x9fe0_8400, 0x0e00_0400) => copy(f, q, u),
        (false, true) if f.is(0x9f60_c400, 0x0e40_0400) => three_same_half(f, u, false),
        // Matches `tbl` and `tbx`.
        (false, false) if f.is(0xbfe0_8c00, 0x0e00_0000) => Some(BASE),
        // Matches `zip`, `uzp` and `trn`.
        (false, false) if f.is(0xbf20_8c00, 0x0e00_0800) => base(f.at(12, 2) != 0 && whole(f.at(22, 2), q)),
        // Matches `ext`.
        (false, false) if f.is(0xbfe0_8400, 0x2e00_0000) => base(q || !f.bit(14)),
        _ => None,
    }
}

/// True if a vector with elements of 8 << `size` bits exists. A vector of doublewords has two elements, so it needs 128 bits.
fn whole(size: u32, q: bool) -> bool {
    q || size != 3
}

/// True if a vector with floating-point elements of this precision exists. A vector of doubles needs 128 bits.
fn double(f: &Fields, q: bool) -> bool {
    q || !f.bit(22)
}

/// Returns the extension that an accepted `dup`, `ins`, `smov` or `umov` needs. The lowest set bit of a 5-bit field selects the element size.
fn copy(f: &Fields, q: bool, op: bool) -> Option<Part> {
    let size = f.at(16, 5).trailing_zeros();
    base(
        size < 4
            && match (op, f.at(11, 4)) {
                (true, _) => q,
                (false, 0b0000 | 0b0001) => whole(size, q),
                (false, 0b0011) => q,
                (false, 0b0101) => size < if q { 3 } else { 2 },
                (false, 0b0111) => (size == 3) == q,
                _ => false,
            },
    )
}

fn three_same(f: &Fields, q: bool, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    let high = f.bit(23);
    base(match (u, f.at(11, 5)) {
        // Matches `and`, `bic`, `orr`, `orn`; `eor`, `bsl`, `bit`, `bif`.
        (_, 0b00011) => true,
        (_, 0b00000 | 0b00010 | 0b00100 | 0b01100..=0b01111 | 0b10010 | 0b10100 | 0b10101) | (false, 0b10011) => size != 3,
        (_, 0b00001 | 0b00101..=0b01011 | 0b10000 | 0b10001) | (false, 0b10111) => whole(size, q),
        (_, 0b10110) => size == 1 || size == 2,
        // Matches `pmul`.
        (true, 0b10011) => size == 0,
        (_, 0b11000 | 0b11010 | 0b11110) | (false, 0b11001 | 0b11111) | (true, 0b11100 | 0b11101) => double(f, q),
        (_, 0b11011) | (false, 0b11100) | (true, 0b11111) => !high && double(f, q),
        // Matches `fmlal`, `fmlsl`, `fmlal2` and `fmlsl2`.
        (false, 0b11101) | (true, 0b11001) if !f.bit(22) => return Some("FHM"),
        _ => false,
    })
}

fn three_different(f: &Fields, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    match (u, f.at(12, 4)) {
        (_, 0b0000..=0b1000 | 0b1010 | 0b1100) => base(size != 3),
        (false, 0b1001 | 0b1011 | 0b1101) => base(size == 1 || size == 2),
        (false, 0b1110) if size == 3 => Some("PMULL"),
        (false, 0b1110) => base(size == 0),
        _ => None,
    }
}

fn two_or_across(f: &Fields, q: bool, u: bool) -> Option<Part> {
    match f.at(17, 4) {
        0b0000 => two(f, q, u),
        0b1000 => across(f, q, u),
        // Matches half-precision floating-point instructions, for which bit 22 is always set.
        0b1100 if f.bit(22) => two_half(f, u, false),
        0b0100 if q && !u && f.at(22, 2) == 0 => matches!(f.at(12, 5), 4..=7).then_some("AES"),
        _ => None,
    }
}

/// Returns the extension that an accepted two-register operation on vectors needs.
fn two(f: &Fields, q: bool, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    let high = f.bit(23);
    base(match (u, f.at(12, 5)) {
        (false, 0b00000) | (_, 0b00010 | 0b00100 | 0b00110 | 0b10010 | 0b10100) | (true, 0b10011) => size != 3,
        (false, 0b00001 | 0b00101) => size == 0,
        (true, 0b00000) => size < 2,
        // Matches `mvn` and `rbit`.
        (true, 0b00101) => size < 2,
        (_, 0b00011 | 0b00111..=0b01001 | 0b01011) | (false, 0b01010) => whole(size, q),
        (_, 0b01100 | 0b01101 | 0b01111) | (false, 0b01110) => high && double(f, q),
        (false, 0b10110 | 0b10111) => !high,
        // Matches `fcvtxn`.
        (true, 0b10110) => size == 1,
        // Matches `urecpe` and `ursqrte`.
        (_, 0b11100) if high => size == 2,
        (true, 0b11000) => !high && double(f, q),
        (_, 0b11000..=0b11101) => double(f, q),
        (true, 0b11111) if high => double(f, q),
        (_, 0b11110 | 0b11111) if !high && double(f, q) => return Some("FRINTTS"),
        _ => false,
    })
}

/// Returns the extension that an accepted two-register operation on half-precision vectors or scalars needs. Bit 23 belongs to the opcode.
fn two_half(f: &Fields, u: bool, scalar: bool) -> Option<Part> {
    let exists = match (u, f.bit(23), f.at(12, 5)) {
        (_, _, 0b11010 | 0b11011 | 0b11101) | (_, false, 0b11100) | (_, true, 0b01100 | 0b01101) | (false, true, 0b01110) => true,
        (false, true, 0b11111) => scalar,
        (_, true, 0b01111) | (_, false, 0b11000) | (_, _, 0b11001) | (false, true, 0b11000) | (true, true, 0b11111) => !scalar,
        _ => false,
    };
    exists.then_some(FP16)
}

fn across(f: &Fields, q: bool, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    let lanes = size < 2 || size == 2 && q;
    match (u, f.at(12, 5)) {
        (_, 0b00011 | 0b01010 | 0b11010) | (false, 0b11011) => base(lanes),
        (true, 0b01100 | 0b01111) => base(!f.bit(22) && q),
        (false, 0b01100 | 0b01111) => (!f.bit(22)).then_some(FP16),
        _ => None,
    }
}

/// Returns the extension that an accepted three-register operation on half-precision vectors or scalars needs.
fn three_same_half(f: &Fields, u: bool, scalar: bool) -> Option<Part> {
    let exists = match (u, f.bit(23), f.at(11, 3)) {
        (false, false, 0b011 | 0b100 | 0b111) | (false, true, 0b111) | (true, _, 0b100 | 0b101) | (true, true, 0b010) => true,
        (_, _, 0b000 | 0b010 | 0b110) | (false, _, 0b001) | (true, false, 0b011 | 0b111) => !scalar,
        _ => false,
    };
    exists.then_some(FP16)
}

fn three_same_extra(f: &Fields, q: bool, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    match (u, f.at(11, 4)) {
        (_, 0b0010) => (size == 2).then_some("DotProd"),
        (true, 0b0000 | 0b0001) => (size == 1 || size == 2).then_some(RDM),
        (true, 0b1000..=0b1011 | 0b1100 | 0b1110) => (size != 0 && whole(size, q)).then_some("FCMA"),
        _ => None,
    }
}

/// Returns the extension that an accepted `movi`, `mvni`, `orr`, `bic` or `fmov` of an immediate needs.
fn modified_immediate(f: &Fields) -> Option<Part> {
    match (f.bit(11), f.bit(29), f.at(12, 4)) {
        // A vector of doubles needs 128 bits.
        (false, true, 0b1111) => base(f.bit(30)),
        (false, ..) => Some(BASE),
        (true, false, 0b1111) => Some(FP16),
        _ => None,
    }
}

/// Returns the extension that an accepted shift by an immediate needs, of vectors or scalars. The highest set bit of a 4-bit field selects the
/// element size.
fn shift(f: &Fields, q: bool, scalar: bool) -> Option<Part> {
    let size = 31 - f.at(19, 4).leading_zeros();
    let u = f.bit(29);
    match f.at(11, 5) {
        0b00000 | 0b00010 | 0b00100 | 0b00110 | 0b01010 => base(if scalar { size == 3 } else { whole(size, q) }),
        0b01000 if u => base(if scalar { size == 3 } else { whole(size, q) }),
        0b01110 => base(scalar || whole(size, q)),
        0b01100 if u => base(scalar || whole(size, q)),
        0b10010 | 0b10011 => base(size < 3),
        0b10000 | 0b10001 => base(size < 3 && (u || !scalar)),
        0b10100 => base(size < 3 && !scalar),
        0b11100 | 0b11111 if size == 1 => Some(FP16),
        0b11100 | 0b11111 => base(size == 2 || size == 3 && (scalar || q)),
        _ => None,
    }
}

/// Returns the extension that an accepted operation with one element of the second vector needs.
fn by_element(f: &Fields, q: bool, u: bool, scalar: bool) -> Option<Part> {
    let size = f.at(22, 2);
    let integers = size == 1 || size == 2;
    let when = |exists: bool, part: Part| exists.then_some(part);
    // The index of a doubleword element has one bit, so bit 21 must be zero.
    let floating = match size {
        0 => Some(FP16),
        2 => Some(BASE),
        3 if !f.bit(21) && (scalar || q) => Some(BASE),
        _ => None,
    };
    match (u, f.at(12, 4)) {
        (false, 0b0001 | 0b0101 | 0b1001) | (true, 0b1001) => floating,
        (false, 0b0011 | 0b0111 | 0b1011 | 0b1100 | 0b1101) => base(integers),
        (true, 0b1101 | 0b1111) => when(integers, RDM),
        _ if scalar => None,
        (false, 0b0010 | 0b0110 | 0b1000 | 0b1010) | (true, 0b0000 | 0b0010 | 0b0100 | 0b0110 | 0b1010) => base(integers),
        (_, 0b1110) => when(size == 2, "DotProd"),
        (false, 0b0000 | 0b0100) | (true, 0b1000 | 0b1100) => when(size == 2, "FHM"),
        // Matches `fcmla` with one pair of elements of the second vector.
        (true, 0b0001 | 0b0011 | 0b0101 | 0b0111) => when(size == 1 && (q || !f.bit(11)) || size == 2 && q && !f.bit(21), "FCMA"),
        _ => None,
    }
}

fn scalar(f: &Fields) -> Option<Part> {
    if f.bit(31) {
        return None;
    }
    let u = f.bit(29);
    let size = f.at(22, 2);
    if f.bit(24) {
        return match (f.bit(10), f.bit(23), f.at(19, 4)) {
            (true, false, immediate) if immediate != 0 => shift(f, true, true),
            (true, ..) => None,
            (false, ..) => by_element(f, true, u, true),
        };
    }
    if !f.bit(21) {
        return match (f.bit(15), f.bit(10)) {
            (true, true) => (u && integers(size) && f.at(12, 3) == 0).then_some(RDM),
            // Matches `dup`.
            (false, true) if f.is(0xffe0_fc00, 0x5e00_0400) => base(f.at(16, 5) & 15 != 0),
            (false, true) if f.bit(22) && !f.bit(14) => three_same_half(f, u, true),
            (false, false) if !u && size == 0 && !f.bit(11) => hash(f.at(12, 3)),
            _ => None,
        };
    }
    match (f.bit(10), f.bit(11)) {
        (true, _) => three_scalars(f, u),
        (false, false) => base(!u && matches!(f.at(12, 4), 0b1001 | 0b1011 | 0b1101) && integers(size)),
        (false, true) => match f.at(17, 4) {
            0b0000 => two_scalars(f, u),
            0b1000 => pair(f, u),
            0b1100 if f.bit(22) => two_half(f, u, true),
            0b0100 if !u && size == 0 => match f.at(12, 5) {
                0 | 1 => Some("SHA1"),
                2 => Some("SHA256"),
                _ => None,
            },
            _ => None,
        },
    }
}

fn integers(size: u32) -> bool {
    size == 1 || size == 2
}

/// Returns the extension that an accepted SHA1 or SHA256 operation with three registers needs.
fn hash(opcode: u32) -> Option<Part> {
    match opcode {
        0..=3 => Some("SHA1"),
        4..=6 => Some("SHA256"),
        _ => None,
    }
}

fn three_scalars(f: &Fields, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    let high = f.bit(23);
    base(match (u, f.at(11, 5)) {
        (_, 0b00001 | 0b00101 | 0b01001 | 0b01011) => true,
        (_, 0b00110 | 0b00111 | 0b01000 | 0b01010 | 0b10000 | 0b10001) => size == 3,
        (_, 0b10110) => integers(size),
        (false, 0b11011 | 0b11100) => !high,
        (false, 0b11111) | (true, 0b11100 | 0b11101) => true,
        (true, 0b11010) => high,
        _ => false,
    })
}

fn two_scalars(f: &Fields, u: bool) -> Option<Part> {
    let size = f.at(22, 2);
    let high = f.bit(23);
    base(match (u, f.at(12, 5)) {
        (_, 0b00011 | 0b00111) => true,
        (_, 0b01000 | 0b01001 | 0b01011) | (false, 0b01010) => size == 3,
        (_, 0b10100) | (true, 0b10010) => size != 3,
        // Matches `fcvtxn`.
        (true, 0b10110) => size == 1,
        (_, 0b01100 | 0b01101) | (false, 0b01110 | 0b11111) => high,
        (_, 0b11010 | 0b11011 | 0b11101) => true,
        (_, 0b11100) => !high,
        _ => false,
    })
}

/// Returns the extension that an accepted operation on the two elements of one vector needs.
fn pair(f: &Fields, u: bool) -> Option<Part> {
    match (u, f.at(12, 5)) {
        (false, 0b11011) => base(f.at(22, 2) == 3),
        (true, 0b01100 | 0b01111) => Some(BASE),
        (true, 0b01101) => base(!f.bit(23)),
        (false, 0b01100 | 0b01111) => (!f.bit(22)).then_some(FP16),
        (false, 0b01101) => (f.at(22, 2) == 0).then_some(FP16),
        _ => None,
    }
}

/// Returns the extension that an accepted SHA512, SHA3, SM3 or SM4 operation needs.
fn cryptographic(f: &Fields) -> Option<Part> {
    match f.at(21, 3) {
        0b000 | 0b001 => (!f.bit(15)).then_some("SHA3"),
        0b010 if !f.bit(15) => Some("SM3"),
        0b010 => (f.at(14, 2) == 0b10).then_some("SM3"),
        0b011 => match f.at(10, 6) {
            0b10_0000..=0b10_0010 => Some("SHA512"),
            0b10_0011 => Some("SHA3"),
            0b11_0000 | 0b11_0001 => Some("SM3"),
            0b11_0010 => Some("SM4"),
            _ => None,
        },
        0b100 => Some("SHA3"),
        0b110 => match f.at(10, 11) {
            0b000_0010_0000 => Some("SHA512"),
            0b000_0010_0001 => Some("SM4"),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the extension that an accepted floating-point instruction needs, including conversions to and from integers.
fn floating(f: &Fields) -> Option<Part> {
    if f.bit(29) {
        return None;
    }
    let kind = f.at(22, 2);
    // Single and double precision need no extension. Half precision is an extension, except for conversions to and from it.
    let of = match kind {
        0 | 1 => Some(BASE),
        3 => Some(FP16),
        _ => None,
    };
    if f.bit(24) {
        return if f.bit(31) { None } else { of };
    }
    let (rounding, opcode) = (f.at(19, 2), f.at(16, 3));
    let wide = f.bit(31);
    if !f.bit(21) {
        // Matches conversions between floating point and fixed-point numbers.
        let exists = matches!((rounding, opcode), (0, 2 | 3) | (3, 0 | 1)) && (wide || f.bit(15));
        return of.filter(|_| exists);
    }
    if f.at(10, 6) == 0 {
        return match (rounding, opcode) {
            (_, 0 | 1) | (0, 2..=5) => of,
            (0, 6 | 7) => match kind {
                0 => base(!wide),
                1 => base(wide),
                _ => of,
            },
            // Matches `fmov` of a vector's upper half.
            (1, 6 | 7) => base(kind == 2 && wide),
            (3, 6) => (kind == 1 && !wide).then_some("JSCVT"),
            _ => None,
        };
    }
    if wide {
        return None;
    }
    match f.at(10, 2) {
        0b01 | 0b11 => of,
        0b10 => of.filter(|_| f.at(12, 4) <= 8),
        _ if f.bit(12) => of.filter(|_| f.rn() == 0),
        // Matches a comparison with a register or with zero.
        _ if f.bit(13) => of.filter(|_| f.at(14, 2) == 0 && f.at(0, 3) == 0 && (!f.bit(3) || f.rm() == 0)),
        _ if f.bit(14) => one_source(f, kind, of),
        _ => None,
    }
}

fn one_source(f: &Fields, kind: u32, of: Option<Part>) -> Option<Part> {
    match f.at(15, 6) {
        0..=3 | 8..=12 | 14 | 15 => of,
        // Matches conversions between precisions.
        4 => base(kind == 1 || kind == 3),
        5 => base(kind == 0 || kind == 3),
        7 => base(kind < 2),
        16..=19 => (kind < 2).then_some("FRINTTS"),
        _ => None,
    }
}

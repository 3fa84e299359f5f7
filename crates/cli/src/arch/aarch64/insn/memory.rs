//! Reads the fields of loads and stores, for [`super::Insn`].

use super::{Access, Class, Fields, Form, Kind, Mode, Set, UNKNOWN, signed, x, xsp};
use crate::code::Reg;

/// Reads the fields of the class of loads and stores (C4.1.94).
pub(super) fn memory(f: &Fields) -> Class {
    let (rt, rn, rs, rt2) = (f.rd(), f.rn(), f.rm(), f.at(10, 5));
    let v = f.bit(26);
    let size = f.at(30, 2);
    let mut access = Access {
        base: rn as Reg,
        form: Form::Bare,
        mode: Mode::Offset,
        offset: 0,
        unit: 1 << size,
        size: 1 << size,
        loads: false,
        stores: false,
        words: [None; 2],
        prefetch: false,
    };
    let base = xsp(rn);
    let word = |reg: u32| (reg != 31).then_some(reg as Reg);
    // Matches loads and stores of vector structures.
    if f.is(0xbe00_0000, 0x0c00_0000) {
        let post = f.bit(23);
        (access.loads, access.stores) = (f.bit(22), !f.bit(22));
        if !f.bit(24) {
            if f.bit(21) || !post && rs != 0 {
                return UNKNOWN;
            }
            let count = match f.at(12, 4) {
                0b0000 | 0b0010 => 4,
                0b0100 | 0b0110 => 3,
                0b0111 => 1,
                0b1000 | 0b1010 => 2,
                _ => return UNKNOWN,
            };
            access.unit = if f.bit(30) { 16 } else { 8 };
            access.size = access.unit * count;
        } else {
            if !post && rs != 0 {
                return UNKNOWN;
            }
            let count = (u8::from(f.bit(13)) << 1 | u8::from(f.bit(21))) + 1;
            access.unit = match f.at(14, 2) {
                0 => 1,
                1 => 2,
                2 if f.at(10, 2) == 0 => 4,
                2 => 8,
                _ => 1 << f.at(10, 2),
            };
            access.size = access.unit * count;
        }
        let mut class = (base, 0);
        if post {
            access.mode = Mode::Post;
            access.offset = i64::from(access.size);
            class = (base | x(rs), base);
            // If rs is not 31, the instruction adds the register rs to the base after the access. Otherwise it adds the size of the access.
            if rs != 31 {
                access.form = Form::Indexed;
            }
        }
        return (Kind::Memory(access), class.0, class.1);
    }
    // Matches exclusive or ordered accesses, or compare and swap.
    if f.is(0x3f00_0000, 0x0800_0000) {
        let load = f.bit(22);
        (access.loads, access.stores) = (load, !load);
        return match (f.bit(23), f.bit(21)) {
            (false, false) => {
                if load && size == 3 {
                    access.words[0] = word(rt);
                }
                let (reads, writes) = if load { (0, x(rt)) } else { (x(rt), x(rs)) };
                (Kind::Memory(access), base | reads, writes)
            }
            (false, true) if size >= 2 => {
                access.size *= 2;
                let pair = x(rt) | x(rt2);
                let (reads, writes) = if load { (0, pair) } else { (pair, x(rs)) };
                (Kind::Memory(access), base | reads, writes)
            }
            (false, true) if rt2 == 31 && rs.is_multiple_of(2) && rt.is_multiple_of(2) => {
                access.unit = if f.bit(30) { 8 } else { 4 };
                access.size = access.unit * 2;
                (access.loads, access.stores) = (true, true);
                let pair = |reg: u32| x(reg) | x(reg + 1);
                (Kind::Memory(access), base | pair(rs) | pair(rt), pair(rs))
            }
            (true, false) => {
                let (reads, writes) = if load { (0, x(rt)) } else { (x(rt), 0) };
                (Kind::Memory(access), base | reads, writes)
            }
            (true, true) if rt2 == 31 => {
                (access.loads, access.stores) = (true, true);
                (Kind::Memory(access), base | x(rs) | x(rt), x(rs))
            }
            _ => UNKNOWN,
        };
    }
    // Matches `ldapur` and `stlur`.
    if f.is(0x3f20_0c00, 0x1900_0000) {
        access.form = Form::Unscaled;
        access.offset = signed(f.at(12, 9), 9);
        let load = f.at(22, 2) != 0;
        (access.loads, access.stores) = (load, !load);
        let (reads, writes) = if load { (0, x(rt)) } else { (x(rt), 0) };
        return (Kind::Memory(access), base | reads, writes);
    }
    if f.is(0x3b00_0000, 0x1800_0000) {
        return (Kind::Literal, 0, if v { 0 } else { x(rt) });
    }
    if f.is(0x3a00_0000, 0x2800_0000) {
        let load = f.bit(22);
        access.form = Form::Pair;
        access.unit = match (v, size) {
            (false, 0) => 4,
            (false, 1) if load && f.at(23, 2) != 0 => 4,
            (false, 2) => 8,
            (true, 0..=2) => 4 << size,
            _ => return UNKNOWN,
        };
        access.size = access.unit * 2;
        access.mode = [Mode::Offset, Mode::Post, Mode::Offset, Mode::Pre][f.at(23, 2) as usize];
        access.offset = signed(f.at(15, 7), 7) * i64::from(access.unit);
        (access.loads, access.stores) = (load, !load);
        let pair = if v { 0 } else { x(rt) | x(rt2) };
        if !v && size == 2 {
            access.words = [word(rt), word(rt2)];
        }
        let back = if access.mode == Mode::Offset { 0 } else { base };
        // If an access with write-back also loads or stores its base register, the result is unpredictable.
        if back & pair != 0 {
            return UNKNOWN;
        }
        return if load { (Kind::Memory(access), base, pair | back) } else { (Kind::Memory(access), base | pair, back) };
    }
    if f.is(0x3a00_0000, 0x3800_0000) {
        return single(f, access, base);
    }
    UNKNOWN
}

/// Reads the fields of accesses of one register, and of the atomics in this part of the encoding.
fn single(f: &Fields, mut access: Access, base: Set) -> Class {
    let (rt, rs, v, size, opc) = (f.rd(), f.rm(), f.bit(26), f.at(30, 2), f.at(22, 2));
    let data = if v { 0 } else { x(rt) };
    let load = match (v, opc, size) {
        (_, 0, _) => false,
        (_, 1, _) => true,
        (false, 2, 3) => {
            access.prefetch = true;
            true
        }
        (false, 2, _) | (false, 3, 0 | 1) => true,
        (true, 2 | 3, 0) => {
            access.unit = 16;
            opc == 3
        }
        _ if !f.bit(24) && f.bit(21) && f.at(10, 2) == 0 => true,
        _ => return UNKNOWN,
    };
    access.size = access.unit;
    access.form = Form::Single;
    (access.loads, access.stores) = (load, !load);
    if !v && size == 3 && opc < 2 {
        access.words[0] = (rt != 31).then_some(rt as Reg);
    }
    let mut address = base;
    if f.bit(24) {
        access.offset = i64::from(f.at(10, 12)) * i64::from(access.unit);
    } else if !f.bit(21) {
        access.offset = signed(f.at(12, 9), 9);
        match f.at(10, 2) {
            0 => {}
            1 if !access.prefetch => access.mode = Mode::Post,
            3 if !access.prefetch => access.mode = Mode::Pre,
            _ => return UNKNOWN,
        }
    } else if f.at(10, 2) == 2 {
        access.form = Form::Indexed;
        address |= x(rs);
    } else if f.at(10, 2) == 0 && !v {
        // Matches an atomic operation: Rt receives the old value, and Rs is the operand. `ldapr` has no operand.
        access.form = Form::Bare;
        access.unit = 1 << size;
        access.size = access.unit;
        access.words = [None; 2];
        access.prefetch = false;
        let operation = f.at(12, 4);
        return match operation {
            0..=8 => {
                (access.loads, access.stores) = (true, true);
                (Kind::Memory(access), base | x(rs), x(rt))
            }
            12 if rs == 31 && opc == 2 => {
                (access.loads, access.stores) = (true, false);
                (Kind::Memory(access), base, x(rt))
            }
            _ => UNKNOWN,
        };
    } else {
        return UNKNOWN;
    }
    let back = if access.mode == Mode::Offset { 0 } else { base };
    if back & data != 0 {
        return UNKNOWN;
    }
    if access.prefetch {
        (access.loads, access.stores) = (false, false);
        access.words = [None; 2];
        return (Kind::Memory(access), address, 0);
    }
    if load { (Kind::Memory(access), address, data | back) } else { (Kind::Memory(access), address | data, back) }
}

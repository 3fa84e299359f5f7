//! Encodes the instructions that lowering generates.

use crate::arch::aarch64::insn::SP;
use crate::code::Reg;

/// Encodes `brk #1`.
pub(in crate::arch::aarch64) const BREAK: u32 = 0xd420_0020;

/// Encodes `add rd, rn, #by`, or `sub` for a negative `by`, as one or two instructions. Returns `None` if `by` has more than 24 bits.
pub(in crate::arch::aarch64) fn add(rd: Reg, rn: Reg, by: i64) -> Option<Vec<u32>> {
    let size = u32::try_from(by.unsigned_abs()).ok().filter(|&size| size < 1 << 24)?;
    let opcode = if by < 0 { 0xd100_0000 } else { 0x9100_0000 };
    let (high, low) = (size >> 12, size & 0xfff);
    let mut words = Vec::new();
    let mut from = rn as u32;
    if high != 0 {
        words.push(opcode | 1 << 22 | high << 10 | from << 5 | rd as u32);
        from = rd as u32;
    }
    if low != 0 || high == 0 {
        words.push(opcode | low << 10 | from << 5 | rd as u32);
    }
    Some(words)
}

/// Returns the one or two instructions that move SP down by `by` bytes (up if `by` is negative), in a form that Go's assembler tracks. For each
/// instruction, returns its text, its word, and the number of bytes by which it moves SP down. The instructions have only 12-bit constants, shifted
/// by 12 or not. The assembler would split an instruction with any other constant into two, and between the two its table of SP would be wrong.
pub(in crate::arch::aarch64) fn move_sp(by: i64) -> Vec<(String, u32, i64)> {
    let size = by.unsigned_abs();
    let (mnemonic, opcode) = if by > 0 { ("SUB", 0xd100_03ff) } else { ("ADD", 0x9100_03ff) };
    [(size & !0xfff, 1 << 22 | ((size >> 12) as u32) << 10), (size & 0xfff, ((size & 0xfff) as u32) << 10)]
        .into_iter()
        .filter(|(part, _)| *part != 0)
        .map(|(part, field)| (format!("{mnemonic} ${part}, RSP, RSP"), opcode | field, by.signum() * part as i64))
        .collect()
}

/// Encodes `str rt, [base, #offset]`, 64 bits. Returns `None` unless the offset is from -256 to 255, or a multiple of 8 up to 32760.
pub(in crate::arch::aarch64) fn store(rt: Reg, base: Reg, offset: i64) -> Option<u32> {
    access(0xf800_0000, 0xf900_0000, rt, base, offset)
}

/// Encodes `ldr rt, [base, #offset]`, 64 bits. The same offsets are possible as for [`store`].
pub(in crate::arch::aarch64) fn load(rt: Reg, base: Reg, offset: i64) -> Option<u32> {
    access(0xf840_0000, 0xf940_0000, rt, base, offset)
}

fn access(unscaled: u32, scaled: u32, rt: Reg, base: Reg, offset: i64) -> Option<u32> {
    let registers = (base as u32) << 5 | rt as u32;
    if offset >= 0 && offset % 8 == 0 && offset / 8 < 4096 {
        Some(scaled | ((offset / 8) as u32) << 10 | registers)
    } else {
        (-256..256).contains(&offset).then_some(unscaled | (offset as u32 & 0x1ff) << 12 | registers)
    }
}

/// Encodes `str rt, [base], #8`, 64 bits.
pub(in crate::arch::aarch64) fn store_post_increment(rt: Reg, base: Reg) -> u32 {
    0xf800_8400 | (base as u32) << 5 | rt as u32
}

/// Encodes a loop that executes the words `load` and `store` `times` times, from 1 to 65535: `movz count, #times`, load, store, `sub count, count,
/// #1`, `cbnz count`. The loop changes no flag.
pub(in crate::arch::aarch64) fn copy(count: Reg, times: u32, load: u32, store: u32) -> [u32; 5] {
    let reg = count as u32;
    [0xd280_0000 | times << 5 | reg, load, store, 0xd100_0400 | reg << 5 | reg, 0xb5ff_ffa0 | reg]
}

/// Encodes `cmp rn, rm`, 64 bits. Neither register is SP.
pub(in crate::arch::aarch64) fn compare(rn: Reg, rm: Reg) -> u32 {
    0xeb00_001f | (rm as u32) << 16 | (rn as u32) << 5
}

/// Encodes `adrp reg, …; add reg, reg, …`, with zeros where the linker fills in the address.
pub(in crate::arch::aarch64) fn address(reg: Reg) -> Vec<u32> {
    let reg = reg as u32;
    vec![0x9000_0000 | reg, 0x9100_0000 | reg << 5 | reg]
}

/// Encodes `and reg, reg, #-to`, which changes no flag. `to` is a power of two above 1. (Arm ARM C6.2, AND (immediate): the mask is a rotated run
/// of ones.)
pub(in crate::arch::aarch64) fn round_down(reg: Reg, to: u64) -> u32 {
    let zeros = to.trailing_zeros();
    0x9240_0000 | (64 - zeros) << 16 | (63 - zeros) << 10 | (reg as u32) << 5 | reg as u32
}

/// Returns the name of a register in Go's assembly language.
pub(in crate::arch::aarch64) fn name(reg: Reg) -> String {
    match reg {
        SP => "RSP".into(),
        reg => format!("R{reg}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::aarch64::insn::{Insn, Kind};

    /// Checks that an encoded offset decodes to the same value, and that an offset that does not fit is refused.
    #[test]
    fn offsets_fit_or_are_refused() {
        for (offset, fits) in [
            (-257, false),
            (-256, true),
            (-1, true),
            (0, true),
            (255, true),
            (256, true),
            (257, false),
            (260, false),
            (32760, true),
            (32761, false),
            (32768, false),
        ] {
            for (word, loads) in [(store(30, SP, offset), false), (load(30, SP, offset), true)] {
                assert_eq!(word.is_some(), fits, "{offset}");
                let Some(Kind::Memory(access)) = word.map(|word| Insn::new(word).kind) else { continue };
                assert_eq!((access.base, access.offset, access.words[0], access.loads), (SP, offset, Some(30), loads));
            }
        }
        for (by, count) in
            [(0, Some(1)), (4095, Some(1)), (-4095, Some(1)), (4096, Some(1)), (-4097, Some(2)), (0xff_ffff, Some(2)), (1 << 24, None)]
        {
            let words = add(9, 8, by);
            assert_eq!(words.as_ref().map(Vec::len), count, "{by}");
            let (mut from, mut sum) = (8, 0);
            for word in words.unwrap_or_default() {
                let Kind::AddImmediate { rd: 9, rn, by } = Insn::new(word).kind else { panic!("{word:#x}") };
                assert_eq!(rn, from);
                (from, sum) = (9, sum + by);
            }
            assert!(count.is_none() || sum == by, "{by}: {sum}");
        }
        for by in [16, -16, 4080, 4096, 8192, -8192, 9056, -37728] {
            let moves = move_sp(by);
            let encoded = moves.iter().map(|&(_, word, part)| match Insn::new(word).kind {
                Kind::AddImmediate { rd: SP, rn: SP, by } if by == -part => part,
                other => panic!("{other:?}"),
            });
            assert_eq!(encoded.sum::<i64>(), by);
            assert!(
                moves.iter().all(|(text, _, part)| part.unsigned_abs() < 4096 || part % 4096 == 0 && text.contains("RSP")),
                "{moves:?}"
            );
        }
    }
}

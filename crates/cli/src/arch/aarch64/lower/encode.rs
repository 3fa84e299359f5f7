//! Encodings that lowering makes itself.

use crate::arch::Reg;
use crate::arch::aarch64::insn::SP;

/// `brk #1`
pub(in crate::arch::aarch64) const BREAK: u32 = 0xd420_0020;

/// `add rd, rn, #by` or `sub`, in one instruction or two; up to 24 bits.
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

/// A move of SP downwards by `by` bytes, or upwards: one or two instructions that Go's assembler follows, each with what
/// it becomes. Anything but 12 bits, shifted by 12 or not, would be taken apart by the assembler, with a wrong table in between.
pub(in crate::arch::aarch64) fn move_sp(by: i64) -> Vec<(String, u32, i64)> {
    let size = by.unsigned_abs();
    let (mnemonic, opcode) = if by > 0 { ("SUB", 0xd100_03ff) } else { ("ADD", 0x9100_03ff) };
    [(size & !0xfff, 1 << 22 | ((size >> 12) as u32) << 10), (size & 0xfff, ((size & 0xfff) as u32) << 10)]
        .into_iter()
        .filter(|(part, _)| *part != 0)
        .map(|(part, field)| (format!("{mnemonic} ${part}, RSP, RSP"), opcode | field, by.signum() * part as i64))
        .collect()
}

/// `str rt, [base, #offset]`, 64 bits; an offset from -256 to 255, or a multiple of 8 up to 32760.
pub(in crate::arch::aarch64) fn store(rt: Reg, base: Reg, offset: i64) -> Option<u32> {
    access(0xf800_0000, 0xf900_0000, rt, base, offset)
}

/// `ldr rt, [base, #offset]`, as [`store`].
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

/// `adrp reg, …; add reg, reg, …`, fields zero.
pub(in crate::arch::aarch64) fn address(reg: Reg) -> Vec<u32> {
    let reg = reg as u32;
    vec![0x9000_0000 | reg, 0x9100_0000 | reg << 5 | reg]
}

/// A register as Go's assembler names it.
pub(in crate::arch::aarch64) fn name(reg: Reg) -> String {
    match reg {
        SP => "RSP".into(),
        reg => format!("R{reg}"),
    }
}

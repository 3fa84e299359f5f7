//! Encodes the instructions that lowering generates.

use crate::arch::x86_64::number;
use crate::code::Set;
use iced_x86::{Encoder, Instruction, Mnemonic, OpKind, Register};

/// Returns the registers that an instruction uses without naming them (`cmpxchg` uses rax, shifts use rcx).
pub(in crate::arch::x86_64) fn implicit_registers(i: &Instruction) -> Set {
    let mut factory = iced_x86::InstructionInfoFactory::new();
    factory.info(i).used_registers().iter().filter_map(|u| number(u.register())).fold(0, |set, r| set | 1 << r)
        & !(0..i.op_count())
            .filter(|&k| i.op_kind(k) == OpKind::Register)
            .filter_map(|k| number(i.op_register(k)))
            .fold(0, |s, r| s | 1 << r)
}

/// Encodes the instruction with `[scratch + displacement]` in place of its RIP-relative operand.
pub(in crate::arch::x86_64) fn encode_through(i: &Instruction, scratch: usize, displacement: i64) -> Option<Vec<u8>> {
    let displacement = i32::try_from(displacement).ok()?;
    let mut through = *i;
    through.set_memory_base(gpr64(scratch));
    through.set_memory_index(Register::None);
    through.set_memory_displacement64(i64::from(displacement) as u64);
    // With a displacement size of 1 the encoder chooses the size.
    through.set_memory_displ_size(u32::from(displacement != 0));
    let mut encoder = Encoder::new(64);
    encoder.encode(&through, 0).ok()?;
    Some(encoder.take_buffer())
}

pub(in crate::arch::x86_64) fn gpr64(reg: usize) -> Register {
    const REGISTERS: [Register; 16] = [
        Register::RAX,
        Register::RCX,
        Register::RDX,
        Register::RBX,
        Register::RSP,
        Register::RBP,
        Register::RSI,
        Register::RDI,
        Register::R8,
        Register::R9,
        Register::R10,
        Register::R11,
        Register::R12,
        Register::R13,
        Register::R14,
        Register::R15,
    ];
    REGISTERS[reg]
}

/// Encodes `push qword [base + index * scale + displacement]`.
pub(in crate::arch::x86_64) fn encode_push(base: usize, index: Option<(usize, u32)>, displacement: i32) -> Option<Vec<u8>> {
    let (index, scale) = index.map_or((Register::None, 1), |(index, scale)| (gpr64(index), scale));
    // With a displacement size of 1 the encoder chooses the size, but it encodes even a displacement of zero. Go's assembler omits such a
    // displacement.
    let size = u32::from(displacement != 0);
    let memory = iced_x86::MemoryOperand::new(gpr64(base), index, scale, i64::from(displacement), size, false, Register::None);
    let push = Instruction::with1(iced_x86::Code::Push_rm64, memory).ok()?;
    let mut encoder = Encoder::new(64);
    encoder.encode(&push, 0).ok()?;
    Some(encoder.take_buffer())
}

pub(in crate::arch::x86_64) fn push_pop(opcode: u8, reg: usize) -> Vec<u8> {
    if reg >= 8 { vec![0x41, opcode | (reg as u8 & 7)] } else { vec![opcode | reg as u8] }
}

/// Encodes `mov reg, 0` for the low byte (8 bits) or the low two bytes (16 bits) of a register. The instruction changes no flag.
pub(in crate::arch::x86_64) fn clear_low(reg: usize, bits: u32) -> Vec<u8> {
    let low = reg as u8 & 7;
    // Without a REX prefix, the numbers of SP, BP, SI and DI would mean AH, CH, DH and BH.
    let prefix = if reg >= 8 { vec![0x41] } else { vec![0x40] };
    match bits {
        8 => [&prefix[..], &[0xB0 | low, 0]].concat(),
        _ => [&[0x66][..], &prefix, &[0xB8 | low, 0, 0]].concat(),
    }
}

/// Returns the line `ADJSP $by` and the bytes that the assembler makes of it (`cmd/internal/obj/x86`, asm6.go): `ADDQ` for negative amounts,
/// otherwise `SUBQ`. Amounts of ±128 are exceptions, because −128 has a shorter encoding than 128: for 128 the assembler adds −128, and for −128 it
/// subtracts −128.
pub(in crate::arch::x86_64) fn adjsp(by: i32) -> (String, Vec<u8>) {
    let (modrm, value) = if by == 0x80 || (by < 0 && by != -0x80) { (0xC4, by.wrapping_neg()) } else { (0xEC, by) };
    let bytes = match i8::try_from(value) {
        Ok(short) => vec![0x48, 0x83, modrm, short as u8],
        Err(_) => [&[0x48, 0x81, modrm][..], &value.to_le_bytes()].concat(),
    };
    (format!("ADJSP ${by}"), bytes)
}

/// Encodes the instruction with its displacement increased by `by`.
pub(in crate::arch::x86_64) fn encode_shifted(i: &Instruction, by: u32) -> Option<(Instruction, Vec<u8>)> {
    let mut shifted = *i;
    let displacement = i32::try_from((i.memory_displacement64() as i64).checked_add(i64::from(by))?).ok()?;
    shifted.set_memory_displacement64(i64::from(displacement) as u64);
    // With a displacement size of 1 the encoder chooses the size.
    shifted.set_memory_displ_size(1);
    let mut encoder = Encoder::new(64);
    encoder.encode(&shifted, 0).ok()?;
    Some((shifted, encoder.take_buffer()))
}

/// Encodes `lea register, [base + index + displacement]`.
pub(in crate::arch::x86_64) fn encode_lea(register: Register, base: Register, index: Register, displacement: i64) -> Option<Vec<u8>> {
    let displacement = i32::try_from(displacement).ok()?;
    let memory = iced_x86::MemoryOperand::new(base, index, 1, i64::from(displacement), 1, false, Register::None);
    let lea = Instruction::with2(iced_x86::Code::Lea_r64_m, register, memory).ok()?;
    let mut encoder = Encoder::new(64);
    encoder.encode(&lea, 0).ok()?;
    Some(encoder.take_buffer())
}

/// Encodes the replacement for `add register, rsp` and `sub register, rsp` where SP is `further` bytes lower than the compiler's SP. The register
/// gets the value that the compiler expects, but the flags differ.
pub(in crate::arch::x86_64) fn encode_sum_with_sp(i: &Instruction, further: u32) -> Option<Vec<u8>> {
    let register = i.op0_register();
    let plain = i.op1_kind() == OpKind::Register && i.op1_register() == Register::RSP && register.is_gpr64() && register != Register::RSP;
    let further = i64::from(further);
    match i.mnemonic() {
        Mnemonic::Add if plain => encode_lea(register, Register::RSP, register, further),
        Mnemonic::Sub if plain => {
            let mut encoder = Encoder::new(64);
            encoder.encode(i, 0).ok()?;
            Some([encoder.take_buffer(), encode_lea(register, register, Register::None, -further)?].concat())
        }
        _ => None,
    }
}

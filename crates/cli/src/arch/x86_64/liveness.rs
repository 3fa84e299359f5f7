//! Computes the registers and flags that each instruction reads and writes. Lowering uses this to find free scratch registers, and to find flags
//! that a move of SP must not change.

use super::{ARGUMENT_ORDER, CALLEE_SAVED, Code, GO_NAMES, RSP, instruction, number};
use crate::code::{Convention, Inst, Role, Set, StackUse, Uses};
use crate::load::Function;
use iced_x86::{InstructionInfoFactory, InstructionInfoOptions, Mnemonic as M, OpAccess, OpKind, Register};

/// The bit number of the first status flag in a set of registers and flags. Each flag has its own bit, because many instructions change only some
/// flags (`bt`, `inc`).
pub const FIRST_FLAG: u32 = 16;
/// The set of all status flags.
pub const FLAGS: Set = (STATUS as Set) << FIRST_FLAG;

/// The bit number of the first low byte in a set of registers. Each register has a bit for its low byte, because an instruction such as `setb r11b`
/// writes only this byte. The register's own bit represents the other bytes.
const FIRST_LOW: u32 = 32;

/// The bit number of the first *old value* in a set of registers. An instruction such as `bsr` may leave its destination register unchanged, so its
/// result may be the register's old value. But gcc treats `bsr` as a full write, so in code from gcc the old value may be undefined. So each register
/// has a separate bit for its old value. An instruction such as `bsr` counts as a read of this bit, not of the register's other bits.
const FIRST_LEFT: u32 = 48;

/// Returns the set with the bits for all parts of its registers added.
fn with_parts(registers: Set) -> Set {
    registers | registers << FIRST_LOW | registers << FIRST_LEFT
}

/// Returns the calling convention of the System V psABI: rdi, rsi, rdx, rcx, r8 and r9 pass arguments, rax passes the number of vector registers,
/// and r10 the static chain.
pub fn convention() -> Convention {
    // The registers that pass arguments or results. The result registers, rax and rdx, are among the argument registers.
    let values = 1 << 7 | 1 << 6 | 1 << 2 | 1 << 1 | 1 << 8 | 1 << 9 | 1;
    Convention {
        arguments: with_parts(values | 1 << 10),
        exit_arguments: std::array::from_fn(|arguments| with_parts(ARGUMENT_ORDER[..arguments].iter().fold(0, |set, reg| set | 1 << reg))),
        values: with_parts(values),
        results: with_parts(1 | 1 << 2),
        preserved: with_parts(CALLEE_SAVED.iter().fold(1 << RSP, |set, r| set | 1 << r)),
        veneers: 0,
        // r10 passes the static chain, which Rust does not use. r11 and the flags are scratch.
        undefined: with_parts(1 << 10 | 1 << 11) | FLAGS,
        undefined_in_c: (1 << 10 | 1 << 11) << FIRST_LEFT,
        subregisters: [(0xffff << FIRST_LOW, FIRST_LOW), (0xffff << FIRST_LEFT, FIRST_LEFT)],
    }
}

/// Returns the registers and flags that each instruction reads and overwrites. The bit number of a general register is the register's number.
pub fn uses(function: &Function, code: &Code) -> Vec<Uses> {
    let mut factory = InstructionInfoFactory::new();
    let uses = |inst| {
        let i = instruction(function, inst);
        let mut uses = register_uses(&i, &mut factory);
        uses.reads |= Set::from(i.rflags_read() & STATUS) << FIRST_FLAG;
        // An instruction overwrites a flag if it sets the flag or leaves the flag undefined. But a shift by CL or a repeated comparison
        // changes no flag if the count is zero.
        if !may_keep_flags(&i) {
            uses.writes |= Set::from(i.rflags_modified() & STATUS) << FIRST_FLAG;
        }
        // Lowering replaces a stack-probe loop by one move of SP, which reads no flags. The flags that the loop sets do not count as written: `lower`
        // refuses code that reads them.
        match inst.role {
            Role::Plain => uses,
            _ => Uses { reads: uses.reads & !FLAGS, writes: 0 },
        }
    };
    code.insts.iter().map(uses).collect()
}

/// Returns how an instruction accesses the stack.
pub fn stack_use(function: &Function, inst: &Inst) -> StackUse {
    let i = instruction(function, inst);
    let register = |k: u32| (i.op_kind(k) == OpKind::Register && i.op_register(k).is_gpr64()).then(|| number(i.op_register(k))).flatten();
    let by_sp = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory) && {
        [i.memory_base(), i.memory_index()].into_iter().any(|register| number(register) == Some(RSP))
    };
    match i.mnemonic() {
        M::Push => match register(0) {
            Some(RSP) => StackUse::Unknown,
            Some(reg) => StackUse::Push(reg),
            None if by_sp => StackUse::Unknown,
            None => StackUse::At(-8, 8),
        },
        M::Pop => register(0).filter(|&reg| reg != RSP).map_or(StackUse::Unknown, StackUse::Pop),
        M::Ret => StackUse::None,
        M::Add | M::Sub if register(0) == Some(RSP) && i.op1_kind() != OpKind::Register && !by_sp => StackUse::None,
        _ if by_sp => {
            let names_it = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Register && number(i.op_register(k)) == Some(RSP));
            let is_plain = i.memory_base() == Register::RSP && i.memory_index() == Register::None && i.mnemonic() != M::Lea;
            match i64::try_from(i.memory_size().size()) {
                Ok(size) if is_plain && !names_it && size > 0 => StackUse::At(i.memory_displacement64().cast_signed(), size),
                _ => StackUse::Unknown,
            }
        }
        _ => {
            let mut factory = InstructionInfoFactory::new();
            let info = factory.info_options(&i, InstructionInfoOptions::NO_MEMORY_USAGE);
            match info.used_registers().iter().any(|used| number(used.register()) == Some(RSP)) {
                true => StackUse::Unknown,
                false => StackUse::None,
            }
        }
    }
}

/// Returns the names of the registers and flags in a set, for messages.
pub fn names(set: Set) -> String {
    let registers = (0..16).filter(|r| set >> r & 1 != 0).map(|r| match GO_NAMES[r] {
        legacy if r < 8 => format!("r{}", legacy.to_lowercase()),
        numbered => numbered.to_lowercase(),
    });
    let flags = (set & FLAGS != 0).then(|| "the flags".to_owned());
    registers.chain(flags).collect::<Vec<_>>().join(", ")
}

/// Returns the registers that the instruction reads and overwrites, without flags.
fn register_uses(i: &iced_x86::Instruction, factory: &mut InstructionInfoFactory) -> Uses {
    let mut uses = Uses::default();
    for used in factory.info_options(i, InstructionInfoOptions::NO_MEMORY_USAGE).used_registers() {
        let Some(reg) = number(used.register()) else { continue };
        let (low, rest, left) = (1 << (FIRST_LOW + reg as u32), 1 << reg, 1 << (FIRST_LEFT + reg as u32));
        let (touched, replaced) = match used.register() {
            Register::AH | Register::BH | Register::CH | Register::DH => (rest, 0),
            register if register.size() == 1 => (low, low),
            // A 16-bit write leaves the other bytes of the register unchanged and does not read them.
            register if register.size() == 2 => (low | rest, low),
            // A write of 32 bits clears the upper half.
            _ => (low | rest, low | rest | left),
        };
        match used.access() {
            // On processors without shadow stacks, `rdssp` leaves its register unchanged (SDM vol. 2, RDSSPD/RDSSPQ). So its
            // write counts as a read.
            OpAccess::Write if matches!(i.mnemonic(), M::Rdsspd | M::Rdsspq) => uses.reads |= touched,
            OpAccess::Write if !may_leave(i, reg) => uses.writes |= replaced,
            OpAccess::NoMemAccess | OpAccess::None => {}
            _ if is_constant(i) && i.op0_register() == used.register() => uses.writes |= replaced,
            _ if may_leave(i, reg) => {
                uses.reads |= left;
                uses.writes |= replaced;
            }
            _ => uses.reads |= touched,
        }
    }
    uses
}

/// True if the new value of the first operand does not depend on the old value. For example, gcc emits `or r11, -1` to set all bits, because this
/// instruction has a short encoding.
fn is_constant(i: &iced_x86::Instruction) -> bool {
    let has_constant =
        i.op_count() == 2 && i.op0_kind() == OpKind::Register && (OpKind::Immediate8..=OpKind::Immediate32to64).contains(&i.op1_kind());
    has_constant && {
        let bits = 8 * i.op0_register().size() as u32;
        let value = i.immediate(1) & u64::MAX >> (64 - bits);
        match i.mnemonic() {
            M::Or => value == u64::MAX >> (64 - bits),
            M::And => value == 0,
            _ => false,
        }
    }
}

/// True for `bsf`, `bsr` and `tzcnt` with the destination `reg`, unless they also read `reg` as source. If the source is zero, `bsf` and `bsr` may
/// leave the destination unchanged. `tzcnt` may too, because processors without BMI1 execute it as `bsf`. LLVM relies on this: before `tzcnt`, it
/// writes the result for a source of zero to the destination.
fn may_leave(i: &iced_x86::Instruction, reg: usize) -> bool {
    let is = |register: Register| number(register) == Some(reg);
    let reads = match i.op1_kind() {
        OpKind::Register => is(i.op1_register()),
        _ => is(i.memory_base()) || is(i.memory_index()),
    };
    matches!(i.mnemonic(), M::Bsf | M::Bsr | M::Tzcnt) && i.op0_register().size() >= 4 && is(i.op0_register()) && !reads
}

/// The status flags OF, SF, ZF, AF, CF and PF, in the numbering of the crate iced.
const STATUS: u32 = iced_x86::RflagsBits::OF
    | iced_x86::RflagsBits::SF
    | iced_x86::RflagsBits::ZF
    | iced_x86::RflagsBits::AF
    | iced_x86::RflagsBits::CF
    | iced_x86::RflagsBits::PF;

fn may_keep_flags(i: &iced_x86::Instruction) -> bool {
    let repeats = i.is_string_instruction() && (i.has_rep_prefix() || i.has_repne_prefix());
    let shifts = matches!(i.mnemonic(), M::Shl | M::Sal | M::Shr | M::Sar | M::Shld | M::Shrd | M::Rol | M::Ror | M::Rcl | M::Rcr);
    // For an immediate count of zero, iced itself reports that no flag changes.
    repeats || shifts && i.op_kind(i.op_count() - 1) == OpKind::Register
}

#[cfg(test)]
mod tests {
    use super::{FIRST_LEFT, is_constant, register_uses};
    use iced_x86::InstructionInfoFactory;
    use iced_x86::{Decoder, DecoderOptions, Instruction};

    fn decoded(bytes: &[u8]) -> Instruction {
        Decoder::new(64, bytes, DecoderOptions::NONE).decode()
    }

    #[test]
    fn constants_do_not_read_their_destination() {
        for (bytes, constant) in [
            (&[0x49, 0x83, 0xcb, 0xff][..], true),   // or r11, -1
            (&[0x41, 0x83, 0xcb, 0xff], true),       // or r11d, -1
            (&[0x66, 0x41, 0x83, 0xcb, 0xff], true), // or r11w, -1
            (&[0x41, 0x80, 0xcb, 0xff], true),       // or r11b, -1
            (&[0x49, 0x83, 0xe3, 0x00], true),       // and r11, 0
            (&[0x49, 0x83, 0xcb, 0x01], false),      // or r11, 1
            (&[0x49, 0x83, 0xcb, 0x7f], false),      // or r11, 127
            (&[0x49, 0x83, 0xe3, 0xff], false),      // and r11, -1
            (&[0x49, 0x83, 0xe3, 0x01], false),      // and r11, 1
            (&[0x49, 0x83, 0xc3, 0xff], false),      // add r11, -1
            (&[0x49, 0x83, 0xcb, 0x00], false),      // or r11, 0
            (&[0x4c, 0x09, 0xd8], false),            // or rax, r11
        ] {
            assert_eq!(is_constant(&decoded(bytes)), constant, "{}", decoded(bytes));
        }
    }

    #[test]
    fn bit_scans_may_leave_their_destination() {
        for (bytes, leaves) in [
            (&[0x4c, 0x0f, 0xbd, 0xd8][..], true),    // bsr r11, rax
            (&[0x44, 0x0f, 0xbc, 0xd8], true),        // bsf r11d, eax
            (&[0x4d, 0x0f, 0xbd, 0xdb], false),       // bsr r11, r11
            (&[0x4d, 0x0f, 0xbd, 0x1b], false),       // bsr r11, [r11]
            (&[0x4e, 0x0f, 0xbd, 0x1c, 0x18], false), // bsr r11, [rax+r11]
            (&[0x66, 0x44, 0x0f, 0xbd, 0xd8], false), // bsr r11w, ax
            (&[0x49, 0x0f, 0xbd, 0xc3], false),       // bsr rax, r11
            (&[0xf3, 0x4c, 0x0f, 0xbd, 0xd8], false), // lzcnt r11, rax
            (&[0xf3, 0x4c, 0x0f, 0xbc, 0xd8], true),  // tzcnt r11, rax
            (&[0xf3, 0x4d, 0x0f, 0xbc, 0xdb], false), // tzcnt r11, r11
        ] {
            let uses = register_uses(&decoded(bytes), &mut InstructionInfoFactory::new());
            assert_eq!(uses.reads >> (FIRST_LEFT + 11) & 1 == 1, leaves, "{}", decoded(bytes));
        }
    }
}

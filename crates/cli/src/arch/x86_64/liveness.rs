//! What an instruction reads and writes: needed where a scratch register, or the flags, must be spared.

use super::{CALLEE_SAVED, Code, GO_NAMES, RSP, instruction, number};
use crate::arch::{Convention, Role, Set, Uses};
use crate::load::Function;
use iced_x86::{InstructionInfoFactory, InstructionInfoOptions, OpAccess};

/// Bits of a set from this one on: the status flags, each for itself, since many instructions change but some of them
/// (`bt`, `inc`).
pub const FIRST_FLAG: u32 = 16;
/// All status flags.
pub const FLAGS: Set = (STATUS as Set) << FIRST_FLAG;

/// The System V psABI: arguments in rdi, rsi, rdx, rcx, r8, r9; rax has the number of vector registers, r10 the static chain.
pub fn convention() -> Convention {
    Convention {
        arguments: 1 << 7 | 1 << 6 | 1 << 2 | 1 << 1 | 1 << 8 | 1 << 9 | 1 | 1 << 10,
        preserved: CALLEE_SAVED.iter().fold(1 << RSP, |set, r| set | 1 << r),
    }
}

/// What each instruction reads and replaces, as sets of registers (bit = number) and flags.
pub fn uses(function: &Function, code: &Code) -> Vec<Uses> {
    let mut factory = InstructionInfoFactory::new();
    let uses = |inst| {
        let i = instruction(function, inst);
        let mut uses = Uses::default();
        for used in factory.info_options(&i, InstructionInfoOptions::NO_MEMORY_USAGE).used_registers() {
            let Some(reg) = number(used.register()) else { continue };
            match used.access() {
                // A write of 8 or 16 bits keeps the rest of the register.
                OpAccess::Write if used.register().size() >= 4 => uses.writes |= 1 << reg,
                OpAccess::NoMemAccess | OpAccess::None => {}
                _ => uses.reads |= 1 << reg,
            }
        }
        uses.reads |= Set::from(i.rflags_read() & STATUS) << FIRST_FLAG;
        // A flag that is replaced, or left undefined, was dead. A shift by a count that may be zero, or as many comparisons,
        // replaces none.
        if !may_keep_flags(&i) {
            uses.writes |= Set::from(i.rflags_modified() & STATUS) << FIRST_FLAG;
        }
        // What becomes of a stack-probe loop is a move of SP: it sets nothing, and its own branch is gone.
        match inst.role {
            Role::Plain => uses,
            _ => Uses { reads: uses.reads & !FLAGS, writes: 0 },
        }
    };
    code.insts.iter().map(uses).collect()
}

/// The registers and flags of a set, for people.
pub fn names(set: Set) -> String {
    let registers = (0..16).filter(|r| set >> r & 1 != 0).map(|r| match GO_NAMES[r] {
        legacy if r < 8 => format!("r{}", legacy.to_lowercase()),
        numbered => numbered.to_lowercase(),
    });
    let flags = (set & FLAGS != 0).then(|| "the flags".to_owned());
    registers.chain(flags).collect::<Vec<_>>().join(", ")
}

/// OF, SF, ZF, AF, CF, PF as iced numbers them: its lowest six bits.
const STATUS: u32 = iced_x86::RflagsBits::OF
    | iced_x86::RflagsBits::SF
    | iced_x86::RflagsBits::ZF
    | iced_x86::RflagsBits::AF
    | iced_x86::RflagsBits::CF
    | iced_x86::RflagsBits::PF;

fn may_keep_flags(i: &iced_x86::Instruction) -> bool {
    use iced_x86::Mnemonic as M;
    let repeats = i.is_string_instruction() && (i.has_rep_prefix() || i.has_repne_prefix());
    repeats || matches!(i.mnemonic(), M::Shl | M::Shr | M::Sar | M::Shld | M::Shrd | M::Rol | M::Ror | M::Rcl | M::Rcr)
}

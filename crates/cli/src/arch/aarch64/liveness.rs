//! Computes the registers and flags that each instruction reads and writes. Lowering uses this to find free scratch registers.

use super::insn::SP;
use super::{CALLEE_SAVED, Code, instruction};
use crate::code::{Convention, Role, Set, Uses};
use crate::load::Function;

/// The set of all condition flags (NZCV) as one bit. One bit is enough, because nearly all instructions replace all flags or none. The few
/// instructions that change single flags (`rmif`, `setf8`) count as reads of the flags.
pub const FLAGS: Set = 1 << 32;

/// Returns the calling convention AAPCS64: x0 to x7 pass arguments, and x8 passes the address of a large result.
pub fn convention() -> Convention {
    Convention {
        arguments: 0x1ff,
        exit_arguments: std::array::from_fn(|arguments| (1 << arguments) - 1),
        values: 0x1ff,
        results: 0x3,
        preserved: CALLEE_SAVED.iter().fold(1 << SP, |set, r| set | 1 << r),
        // Veneers may change x16 and x17, the intra-procedure-call registers IP0 and IP1 (AAPCS64 §6.1.1).
        veneers: 1 << 16 | 1 << 17,
        undefined: 1 << 16 | 1 << 17 | FLAGS,
        undefined_in_c: 0,
        subregisters: [(0, 0); 2],
    }
}

/// Returns the registers and flags that each instruction reads and overwrites. The bit number of a register is the register's number.
pub fn uses(function: &Function, code: &Code) -> Vec<Uses> {
    let uses = |inst| {
        let i = instruction(function, inst);
        let flags = |touches| if touches { FLAGS } else { 0 };
        match inst.role {
            Role::Plain => {
                Uses { reads: Set::from(i.reads) | flags(i.reads_flags()), writes: Set::from(i.writes) | flags(i.replaces_flags()) }
            }
            // Instructions with another role belong to stack-probe loops. Lowering drops such a loop or replaces it by one move of SP, so nothing
            // sets flags.
            _ => Uses { reads: i.reads.into(), writes: 0 },
        }
    };
    code.insts.iter().map(uses).collect()
}

/// Returns the names of the registers and flags in a set, for messages.
pub fn names(set: Set) -> String {
    let registers = (0..SP).filter(|r| set >> r & 1 != 0).map(|r| format!("x{r}"));
    let flags = (set & FLAGS != 0).then(|| "the flags".to_owned());
    registers.chain(flags).collect::<Vec<_>>().join(", ")
}

//! The vocabulary of liveness: what one instruction reads and writes. Control is followed in `lower`.

use crate::exits::Exit;

/// A set of registers (and what else a machine counts, such as flags), one bit each.
pub type Set = u64;

/// What an instruction does to registers and flags by itself, whatever it calls.
///
/// A machine may count parts of its registers by themselves: [`Convention::whole`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// What it may read.
    pub reads: Set,
    /// What it surely replaces, whatever it held.
    pub writes: Set,
}

/// What an instruction does to the stack, as far as its form says; moves of SP are known by other means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackUse {
    /// It accesses nothing there and copies no address of it.
    None,
    /// Puts the whole register there.
    Push(usize),
    /// Takes the whole register from there.
    Pop(usize),
    /// Reads or writes so many bytes at this distance from SP before it.
    At(i64, i64),
    /// Anything else.
    Unknown,
}

/// What a calling convention says of callers and callees that are not seen.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// A callee may read these.
    pub arguments: Set,
    /// Rust code hands these to a way out with so many arguments ([`Row::handed`](crate::exits::Row::handed)).
    pub handed: [Set; Exit::HANDED + 1],
    /// Arguments and results are handed over in these.
    pub values: Set,
    /// Those of results.
    pub results: Set,
    /// A callee leaves these as they were.
    pub preserved: Set,
    /// A linker may change these where a call or jump to another function has a relocation: it puts code of its own in between.
    pub veneers: Set,
    /// What holds nothing where a function that rustc has compiled is entered: LLVM's conventions for Rust and C hand nothing over in these. Such a
    /// function may read one all the same, where the result does not depend on it.
    pub undefined: Set,
    /// The same of a function that gcc has compiled: what an instruction leaves there that may not write to it.
    pub undefined_in_c: Set,
    /// The bits that stand for a part of a register that can be written alone, or for what it holds where an instruction may leave it as it is. So many
    /// bits below them is the bit for the rest.
    pub parts: [(Set, u32); 2],
}

impl Convention {
    /// Registers and what counts as a part of them by itself.
    pub fn both(&self, registers: Set) -> Set {
        self.parts.iter().fold(registers, |both, (parts, above)| both | registers << above & parts)
    }

    /// A set with the registers of which either part is in `set`.
    pub fn whole(&self, set: Set) -> Set {
        self.parts.iter().fold(set, |set, (parts, above)| set & !parts | (set & parts) >> above)
    }
}

//! Types for the analysis of liveness: the registers that one instruction reads and writes. [`crate::lower`] follows the control flow with them.

use crate::exits::Exit;

/// A set of registers, one bit each. Some bits may be flags and parts of registers, depending on the machine.
pub type Set = u64;

/// The registers and flags that one instruction reads and writes. The effects of a callee are not included.
///
/// Parts of registers may have bits of their own, depending on the machine: see [`Convention::whole_registers`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The registers that the instruction may read.
    pub reads: Set,
    /// The registers that the instruction always overwrites, whatever they held.
    pub writes: Set,
}

/// How an instruction accesses the stack, as far as its encoding shows. Moves of SP are tracked elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackUse {
    /// The instruction accesses no stack memory and copies no stack address.
    None,
    /// The instruction pushes this whole register.
    Push(usize),
    /// The instruction pops this whole register.
    Pop(usize),
    /// The instruction accesses memory at a fixed place: the distance in bytes from SP before the instruction, and the size in bytes.
    At(i64, i64),
    /// The instruction accesses the stack in another way.
    Unknown,
}

/// The guarantees of the calling convention about unknown callers and callees.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// The registers that a callee may read.
    pub arguments: Set,
    /// For each number of arguments, the registers in which Rust code passes this many arguments to an exit
    /// ([`Row::rust_arguments`](crate::exits::Row::rust_arguments)).
    pub exit_arguments: [Set; Exit::MAX_RUST_ARGUMENTS + 1],
    /// The registers that pass arguments or results.
    pub values: Set,
    /// The registers that pass results.
    pub results: Set,
    /// The registers that a callee preserves.
    pub preserved: Set,
    /// The registers that a linker may change at a call or jump with a relocation to another function, because it may insert code there (a
    /// veneer).
    pub veneers: Set,
    /// The registers that hold no defined value on entry to a function compiled by rustc, because LLVM's conventions for Rust and C pass
    /// nothing in them. Such a function may still read one of them if the result does not depend on it.
    pub undefined: Set,
    /// The old values of registers that have no defined value on entry to a function compiled by gcc. An instruction may leave an old value in
    /// its destination by not writing it.
    pub undefined_in_c: Set,
    /// Pairs (set, distance). Each bit of the set is a part of a register that can be written alone, or the old value that an instruction may
    /// leave in a register. The bit of the register itself is `distance` bits lower.
    pub subregisters: [(Set, u32); 2],
}

impl Convention {
    /// The set of registers, with the bits of their parts added.
    pub fn with_parts(&self, registers: Set) -> Set {
        self.subregisters.iter().fold(registers, |both, (parts, above)| both | registers << above & parts)
    }

    /// The set, with the bit of each part replaced by the bit of its register.
    pub fn whole_registers(&self, set: Set) -> Set {
        self.subregisters.iter().fold(set, |set, (parts, above)| set & !parts | (set & parts) >> above)
    }
}

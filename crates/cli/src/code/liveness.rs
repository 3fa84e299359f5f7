//! Types for liveness analysis: the registers that one instruction reads and writes. `lower` propagates them along
//! control flow.

use crate::exits::Exit;

/// A set of registers, one bit each. A machine may add bits for flags and for parts of registers.
pub type Set = u64;

/// The registers and flags that one instruction reads and writes. The effects of a callee are not included.
///
/// A machine may give parts of its registers bits of their own: see [`Convention::whole_registers`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Registers that it may read.
    pub reads: Set,
    /// Registers that it always overwrites, whatever they held.
    pub writes: Set,
}

/// How an instruction accesses the stack, as far as its encoding shows. Changes of SP are tracked elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackUse {
    /// Accesses no stack memory and copies no stack address.
    None,
    /// Pushes the whole register.
    Push(usize),
    /// Pops the whole register.
    Pop(usize),
    /// Accesses memory at a fixed place: its distance in bytes from SP before the instruction, and its size in bytes.
    At(i64, i64),
    /// Any other access.
    Unknown,
}

/// Guarantees of the calling convention about unknown callers and callees.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// Registers that a callee may read.
    pub arguments: Set,
    /// By number of arguments: the registers in which Rust code passes them to an exit
    /// ([`Row::rust_arguments`](crate::exits::Row::rust_arguments)).
    pub exit_arguments: [Set; Exit::MAX_RUST_ARGUMENTS + 1],
    /// Registers that pass arguments or results.
    pub values: Set,
    /// Registers that pass results.
    pub results: Set,
    /// Registers that a callee preserves.
    pub preserved: Set,
    /// Registers that a linker may change at a call or jump with a relocation to another function, because it may
    /// insert a veneer.
    pub veneers: Set,
    /// Registers that hold no defined value on entry to a function compiled by rustc: LLVM's conventions for Rust and C
    /// pass nothing in them. Such a function may still read one if the result does not depend on it.
    pub undefined: Set,
    /// The same for a function compiled by gcc: the value that an instruction leaves in its destination when it may
    /// skip the write.
    pub undefined_in_c: Set,
    /// Pairs (set, distance): each bit of the set stands for the part of a register that can be written alone, or for
    /// the old value that an instruction may leave in place. The bit for the rest of that register lies `distance` bits
    /// lower.
    pub subregisters: [(Set, u32); 2],
}

impl Convention {
    /// Adds to a set of registers the bits for their parts.
    pub fn with_parts(&self, registers: Set) -> Set {
        self.subregisters.iter().fold(registers, |both, (parts, above)| both | registers << above & parts)
    }

    /// The set, with each part's bit replaced by the bit of its register.
    pub fn whole_registers(&self, set: Set) -> Set {
        self.subregisters.iter().fold(set, |set, (parts, above)| set & !parts | (set & parts) >> above)
    }
}

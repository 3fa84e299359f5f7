//! Types for the liveness analysis of [`crate::lower`]: the registers and flags that one instruction reads and writes.

use crate::exits::Exit;

/// A set of registers, one bit each. On some machines, further bits stand for flags and for parts of registers.
pub type Set = u64;

/// The registers and flags that one instruction reads and writes. For a call, the effects of the callee are not included.
///
/// On some machines, parts of registers have bits of their own: see [`Convention::whole_registers`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The registers and flags that the instruction may read.
    pub reads: Set,
    /// The registers and flags that the instruction always overwrites, whatever they held before.
    pub writes: Set,
}

/// The way in which an instruction accesses the stack, as far as its encoding shows. Changes of SP itself are not described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackUse {
    /// The instruction accesses no stack memory and copies no stack address.
    None,
    /// The instruction pushes this whole register.
    Push(usize),
    /// The instruction pops this whole register.
    Pop(usize),
    /// The instruction accesses memory at a fixed distance from SP. The fields are the distance in bytes from the value of SP before the instruction,
    /// and the size in bytes.
    At(i64, i64),
    /// The instruction accesses the stack in another way.
    Unknown,
}

/// The guarantees that the calling convention gives about unknown callers and callees.
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
    /// The registers that a veneer may change. A veneer is code that a linker may insert between a call or jump with a relocation and the called
    /// function.
    pub veneers: Set,
    /// The registers that hold no defined value on entry to a function compiled by rustc, because LLVM's conventions for Rust and C pass
    /// nothing in them. Such a function may still read one of these registers if the result does not depend on its value.
    pub undefined: Set,
    /// The old-value bits of registers that hold no defined value on entry to a function compiled by gcc. An instruction that may leave its
    /// destination register unchanged, such as `bsr` on x86-64, reads the register's old-value bit.
    pub undefined_in_c: Set,
    /// Pairs (set, distance) for bits that do not stand for whole registers. Each bit of a set stands for a part of a register that can be written
    /// alone, or is an old-value bit: it stands for the old value that an instruction may leave in a register. The bit of the register itself is
    /// `distance` bits lower.
    pub subregisters: [(Set, u32); 2],
}

impl Convention {
    /// Returns the set with the bits of the registers' parts added.
    pub fn with_parts(&self, registers: Set) -> Set {
        self.subregisters.iter().fold(registers, |both, (parts, above)| both | registers << above & parts)
    }

    /// Returns the set with the bit of each part replaced by the bit of the part's register.
    pub fn whole_registers(&self, set: Set) -> Set {
        self.subregisters.iter().fold(set, |set, (parts, above)| set & !parts | (set & parts) >> above)
    }
}

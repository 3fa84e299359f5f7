//! The memory functions for arm64.
//!
//! All of it is assembly, so that the compiler cannot take a part for a memory function and call it. The habits of this
//! file follow from where the code will run, in a Go program:
//! - nothing below the stack pointer is touched and the stack pointer never moves;
//! - nothing is called, branches stay within the function, and there is no data in the code;
//! - no register is changed but x1 to x8 and v0 to v7, v16 to v23, which the C ABI lets a function change (AAPCS64, 6.1);
//!   x18 belongs to some systems, x28 to Go;
//! - nothing beyond ARMv8.0 with Advanced SIMD, which every machine has that Go runs on. So there is nothing to ask the CPU
//!   for. `dc zva` is left out: the size of what it clears is the CPU's, and so is whether it may be used at all.
//!
//! Short areas, the most frequent by far, are loaded whole into registers before anything is stored. The loads from the
//! front and from the back overlap, so that a few branches serve all lengths; and since every load comes before every
//! store, it does not matter whether the areas overlap.
//!
//! Long areas go through pairs of 16-byte registers, 64 bytes a round, the next round's loads among this round's stores, so
//! that CPUs that execute in order do not wait either. Arm's optimized-routines found that this, with the source aligned to
//! 16 bytes, is fast on all of Arm's cores; none of their code is here.

mod compare;
mod copy;
mod set;

#[cfg(test)]
pub use compare::{bcmp, memcmp, strlen};
#[cfg(test)]
pub use copy::{memcpy, memmove};
#[cfg(test)]
pub use set::memset;

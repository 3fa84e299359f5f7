//! The memory functions for arm64.
//!
//! All functions are assembly, so that the compiler cannot recognise a part as a memory function and call it. The rules of these files follow from
//! the environment, a Go program:
//! - Nothing below the stack pointer is accessed, and the stack pointer never moves.
//! - Nothing is called, branches stay within the function, and there is no data in the code.
//! - Only the registers x1 to x8, v0 to v7 and v16 to v23 change, which the C ABI lets a function change (AAPCS64, 6.1). x18 belongs to some
//!   systems, x28 to Go.
//! - Only instructions of ARMv8.0 with Advanced SIMD are used, which every machine has that Go runs on, so no CPU feature needs a check. `dc zva`
//!   is not used: its block size depends on the CPU, and the system may forbid it.
//!
//! Short areas, by far the most frequent, are loaded completely into registers before anything is stored. The loads from the front and from the
//! back overlap, so a few branches handle all lengths. Because every load precedes every store, overlapping areas are safe.
//!
//! Long areas are copied through pairs of 16-byte registers, 64 bytes a round. The next round's loads are interleaved with this round's stores, so
//! that in-order CPUs do not wait either. Arm's optimized-routines showed that this method, with the source aligned to 16 bytes, is fast on all of
//! Arm's cores; none of their code is here.

mod compare;
mod copy;
mod set;

#[cfg(test)]
pub use compare::{bcmp, memcmp, strlen};
#[cfg(test)]
pub use copy::{memcpy, memmove};
#[cfg(test)]
pub use set::memset;

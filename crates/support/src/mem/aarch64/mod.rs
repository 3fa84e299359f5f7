//! The memory functions for arm64.
//!
//! All functions are written in assembly, because the compiler could replace a part of a Rust function by a call of a memory function. As these
//! functions become part of a Go program, they follow these rules:
//! - They do not access memory below the stack pointer, and do not move the stack pointer.
//! - They call nothing, branches stay within the function, and the code contains no data.
//! - They change only the registers x0 to x8, v0 to v7 and v16 to v23, which the C ABI lets a function change (AAPCS64, 6.1). x18 is reserved on
//!   some systems, and x28 on every system for Go.
//! - They use only instructions of ARMv8.0 with Advanced SIMD, which every arm64 machine that Go supports has, so no CPU feature needs a check. They
//!   do not use `dc zva`: its block size depends on the CPU, and the system may forbid this instruction.
//!
//! Short areas, by far the most frequent, are loaded completely into registers before anything is stored. Loads from the start of the area overlap
//! loads from its end, so that a few branches suffice for all lengths. Because every load precedes every store, the source and the destination may
//! overlap.
//!
//! Long areas are copied through pairs of 16-byte registers, 64 bytes in each round. The loads for the next round are interleaved with the stores
//! of the current round, so that in-order CPUs do not wait. Arm's optimized-routines showed that this method, with the source aligned to 16 bytes,
//! is fast on all of Arm's cores. This code is not derived from optimized-routines.

mod compare;
mod copy;
mod set;

#[cfg(test)]
pub use compare::{bcmp, memcmp, strlen};
#[cfg(test)]
pub use copy::{memcpy, memmove};
#[cfg(test)]
pub use set::memset;

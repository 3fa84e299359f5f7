//! The memory functions for x86-64.
//!
//! All functions are written in assembly, because the compiler could replace a part of a Rust function by a call of a memory function. As these
//! functions are part of a Go program, they follow these rules:
//! - They do not access memory below the stack pointer, and do not move the stack pointer.
//! - They call nothing, and jumps stay within the function.
//! - They change only registers that the C ABI lets a function change (System V psABI, 3.2.1); rbx, which cpuid overwrites, is restored.
//!   `vzeroupper` follows AVX code, because SSE instructions of the caller would otherwise be slow.
//! - `memcpy`, `memmove` and `memset` read the CPU features by `cpuid` once, at the first area of more than 256 bytes, and store the features in
//!   [`FEATURES`]. Two threads that read the features at the same time get the same result.
//!
//! Short areas, by far the most frequent, are loaded completely into registers before anything is stored. Loads from the start of the area overlap
//! loads from its end, so that a few branches suffice for all lengths. Because every load precedes every store, the source and the destination may
//! overlap.

mod compare;
mod copy;
mod set;

use core::sync::atomic::AtomicU32;

/// The CPU's features: 0 until a function has read the features, then the bit `KNOWN` and a bit for each feature found.
pub static FEATURES: AtomicU32 = AtomicU32::new(0);
pub const KNOWN: u32 = 1;
/// Bit of [`FEATURES`]: the CPU and the operating system support AVX.
pub const AVX: u32 = 2;
/// Bit of [`FEATURES`]: `rep movsb` is fast (enhanced rep movsb/stosb).
pub const ERMS: u32 = 4;

/// The least number of bytes for which a copy may use `rep movsb`. A copy of this size exceeds the second-level cache of most CPUs. Ordinary stores
/// would read the destination from memory before overwriting it, which takes as long as the copy itself. For smaller copies wide moves are at least
/// as fast.
pub const HUGE: u32 = 1 << 20;

/// Bits of ecx in leaf 1 of cpuid: the operating system uses xsave (bit 27), and the CPU has AVX (bit 28). Source: Intel SDM, volume 2A, CPUID.
const OSXSAVE_AVX: u32 = 1 << 27 | 1 << 28;
/// Bit of ebx in leaf 7 of cpuid: ERMS (bit 9).
const ERMS_BIT: u32 = 1 << 9;
/// Bits of XCR0: the operating system saves the SSE (bit 1) and AVX (bit 2) registers. Source: Intel SDM, volume 1, 13.3.
const XMM_YMM: u32 = 1 << 1 | 1 << 2;

/// Loads `FEATURES` into ecx and continues at the label 60 at its end. Preserves rdi, rsi, rdx, rbx, and rax, which must equal rdi.
macro_rules! features {
    () => {
        "
            mov ecx, dword ptr [rip + {features}]
            test ecx, ecx
            jnz 60f
            mov r8, rdx
            mov r9, rbx
            mov r10d, {known}
            xor eax, eax
            cpuid
            cmp eax, 7
            jb 58f
            mov eax, 7
            xor ecx, ecx
            cpuid
            test ebx, {erms_bit}
            jz 58f
            or r10d, {erms}
        58:
            mov eax, 1
            xor ecx, ecx
            cpuid
            and ecx, {osxsave_avx}
            cmp ecx, {osxsave_avx}
            jne 59f
            xor ecx, ecx
            xgetbv
            and eax, {xmm_ymm}
            cmp eax, {xmm_ymm}
            jne 59f
            or r10d, {avx}
        59:
            mov dword ptr [rip + {features}], r10d
            mov ecx, r10d
            mov rdx, r8
            mov rbx, r9
            mov rax, rdi
        60:
        "
    };
}
use features;

#[cfg(test)]
pub use compare::{bcmp, memcmp, strlen};
#[cfg(test)]
pub use copy::{memcpy, memmove};
#[cfg(test)]
pub use set::memset;

//! The memory functions for x86-64.
//!
//! All functions are assembly, so that the compiler cannot recognise a part as a memory function and call it. The rules of these files follow from
//! the environment, a Go program:
//! - Nothing below the stack pointer is accessed, and the stack pointer never moves.
//! - Nothing is called, and jumps stay within the function.
//! - Only registers change that the C ABI lets a function change (System V psABI, 3.2.1); rbx, which cpuid overwrites, is restored. `vzeroupper`
//!   follows AVX code, because SSE instructions of the caller would otherwise be slow.
//! - CPU features are read by `cpuid` once, at the first long area, and kept in [`FEATURES`]. Two threads that read them at the same time get the
//!   same result.
//!
//! Short areas, by far the most frequent, are loaded completely into registers before anything is stored. The loads from the front and from the
//! back overlap, so a few branches handle all lengths. Because every load precedes every store, overlapping areas are safe.

mod compare;
mod copy;
mod set;

use core::sync::atomic::AtomicU32;

/// The CPU's features: 0 before they were read, then `KNOWN` and the features found.
pub static FEATURES: AtomicU32 = AtomicU32::new(0);
pub const KNOWN: u32 = 1;
/// AVX, with operating system support for its registers.
pub const AVX: u32 = 2;
/// `rep movsb` is fast (enhanced rep movsb/stosb).
pub const ERMS: u32 = 4;

/// Copies of at least this many bytes exceed the second-level cache, and reading the destination before overwriting it would cost as much as the
/// copy; `rep movsb` avoids that. For smaller copies wide moves are at least as fast.
pub const HUGE: u32 = 1 << 20;

/// Leaf 1 of cpuid, ecx: the operating system uses xsave (27), AVX (28). Source: Intel SDM, volume 2A, CPUID.
const OSXSAVE_AVX: u32 = 1 << 27 | 1 << 28;
/// Leaf 7 of cpuid, ebx: ERMS (9).
const ERMS_BIT: u32 = 1 << 9;
/// XCR0: the operating system keeps the SSE (1) and AVX (2) registers. Source: Intel SDM, volume 1, 13.3.
const XMM_YMM: u32 = 1 << 1 | 1 << 2;

/// Loads `FEATURES` into ecx, at label 60. Falls through to what follows; keeps rdi, rsi, rdx, rbx, and rax equal to rdi.
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

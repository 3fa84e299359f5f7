//! The memory functions for x86-64.
//!
//! All of it is assembly, so that the compiler cannot take a part for a memory function and call it. The habits of this
//! file follow from where the code will run, in a Go program:
//! - nothing below the stack pointer is touched and the stack pointer never moves;
//! - nothing is called, and jumps stay within the function;
//! - no register is changed but those that the C ABI lets a function change (System V psABI, 3.2.1): rbx, which cpuid
//!   writes to, is put back; after AVX comes `vzeroupper`, or every SSE instruction of the caller would pay for it;
//! - CPU features are asked for with `cpuid` once, at the first long area, and kept in [`FEATURES`]. Two threads that ask
//!   at once find the same answer.
//!
//! Short areas, the most frequent by far, are loaded whole into registers before anything is stored. The loads from the
//! front and from the back overlap, so that a few branches serve all lengths; and since every load comes before every
//! store, it does not matter whether the areas overlap.

mod compare;
mod copy;
mod set;

use core::sync::atomic::AtomicU32;

/// What the CPU can do: 0 until somebody asked, then `KNOWN` and what was found.
pub static FEATURES: AtomicU32 = AtomicU32::new(0);
pub const KNOWN: u32 = 1;
/// AVX, and the operating system keeps its registers.
pub const AVX: u32 = 2;
/// `rep movsb` is fast (enhanced rep movsb/stosb).
pub const ERMS: u32 = 4;

/// A copy of this many bytes or more leaves the second-level cache, so that reading the destination before it is
/// overwritten costs as much as the copy; `rep movsb` knows how not to. Below it wide moves win or are as good.
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

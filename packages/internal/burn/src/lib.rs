//! Overwrites secrets that calls have left: round keys that were spilled to the stack, or that stay in registers.

use std::arch::asm;

/// Overwrites the vector registers and `WORDS` words (of eight bytes) of stack below the caller's frame. Earlier calls must not have used more.
#[cfg(not(target_feature = "avx"))]
#[inline(never)]
pub fn burn<const WORDS: usize>() {
    // The black box keeps the compiler from replacing the array by a constant.
    let frame = [std::hint::black_box(0u64); WORDS];
    zeroize::optimization_barrier(&frame);
    registers();
}

/// Overwrites the vector registers and `WORDS` words (of eight bytes) of stack below the caller's frame. Earlier calls must not have used more.
/// `WORDS` is a multiple of four.
#[cfg(target_feature = "avx")]
#[inline(never)]
pub fn burn<const WORDS: usize>() {
    stack::<WORDS>();
    registers();
}

/// Does what [`burn`] does, but does not change the vector registers 16 to 31. It is for use after code that has no AVX-512.
#[cfg(target_feature = "avx")]
#[inline(never)]
pub fn burn_avx<const WORDS: usize>() {
    stack::<WORDS>();
    // SAFETY: the processor has the instruction.
    unsafe { asm!("vzeroall", clobber_abi("sysv64"), options(nomem, nostack, preserves_flags)) };
}

#[cfg(target_feature = "avx")]
#[inline(always)]
fn stack<const WORDS: usize>() {
    const { assert!(WORDS.is_multiple_of(4)) }
    let mut frame = [const { std::mem::MaybeUninit::<u64>::uninit() }; WORDS];
    // SAFETY: the frame has 8 · WORDS bytes.
    unsafe { zero(frame.as_mut_ptr().cast(), 8 * WORDS) };
    zeroize::optimization_barrier(&frame);
}

/// Sets `len` bytes to zero by stores of 32 bytes, aligned where possible. An unaligned store may touch two cache lines, and takes longer then.
///
/// # Safety
/// `len` bytes must be writable; `len` is at least 32.
#[cfg(target_feature = "avx")]
#[inline(never)]
unsafe fn zero(to: *mut u8, len: usize) {
    use std::arch::x86_64::{__m256i, _mm256_storeu_si256};

    let zero: __m256i;
    // SAFETY: the processor has the instruction. The assembly hides from the compiler that the result is zero. Otherwise the loop would become
    // a call of memset, which takes longer.
    unsafe { asm!("vpxor {0}, {0}, {0}", out(ymm_reg) zero, options(pure, nomem, nostack, preserves_flags)) };
    // SAFETY: all stores lie in the `len` bytes: the first 32 bytes, the last 32 bytes, and aligned blocks between them.
    unsafe {
        _mm256_storeu_si256(to.cast(), zero);
        let mut at = 32 - to.addr() % 32;
        while at + 32 <= len {
            _mm256_storeu_si256(to.add(at).cast(), zero);
            at += 32;
        }
        _mm256_storeu_si256(to.add(len - 32).cast(), zero);
    }
}

/// Sets the vector registers to zero, except those that calls preserve. Otherwise their contents could be written to memory when a goroutine is
/// preempted or a signal arrives.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn registers() {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the instructions. By C's calling convention, calls preserve none of these registers.
        unsafe {
            asm!(
                "vzeroall",
                "vpxord zmm16, zmm16, zmm16",
                "vpxord zmm17, zmm17, zmm17",
                "vpxord zmm18, zmm18, zmm18",
                "vpxord zmm19, zmm19, zmm19",
                "vpxord zmm20, zmm20, zmm20",
                "vpxord zmm21, zmm21, zmm21",
                "vpxord zmm22, zmm22, zmm22",
                "vpxord zmm23, zmm23, zmm23",
                "vpxord zmm24, zmm24, zmm24",
                "vpxord zmm25, zmm25, zmm25",
                "vpxord zmm26, zmm26, zmm26",
                "vpxord zmm27, zmm27, zmm27",
                "vpxord zmm28, zmm28, zmm28",
                "vpxord zmm29, zmm29, zmm29",
                "vpxord zmm30, zmm30, zmm30",
                "vpxord zmm31, zmm31, zmm31",
                clobber_abi("sysv64"),
                options(nomem, nostack, preserves_flags),
            );
        }
    } else if is_x86_feature_detected!("avx") {
        // SAFETY: the processor has the instruction.
        unsafe { asm!("vzeroall", clobber_abi("sysv64"), options(nomem, nostack, preserves_flags)) };
    } else {
        // SAFETY: the processor has the instructions.
        unsafe {
            asm!(
                "pxor xmm0, xmm0",
                "pxor xmm1, xmm1",
                "pxor xmm2, xmm2",
                "pxor xmm3, xmm3",
                "pxor xmm4, xmm4",
                "pxor xmm5, xmm5",
                "pxor xmm6, xmm6",
                "pxor xmm7, xmm7",
                "pxor xmm8, xmm8",
                "pxor xmm9, xmm9",
                "pxor xmm10, xmm10",
                "pxor xmm11, xmm11",
                "pxor xmm12, xmm12",
                "pxor xmm13, xmm13",
                "pxor xmm14, xmm14",
                "pxor xmm15, xmm15",
                clobber_abi("sysv64"),
                options(nomem, nostack, preserves_flags),
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub fn registers() {
    // SAFETY: the processor has the instructions.
    unsafe {
        asm!(
            "movi v0.2d, #0", "movi v1.2d, #0", "movi v2.2d, #0", "movi v3.2d, #0",
            "movi v4.2d, #0", "movi v5.2d, #0", "movi v6.2d, #0", "movi v7.2d, #0",
            "movi v16.2d, #0", "movi v17.2d, #0", "movi v18.2d, #0", "movi v19.2d, #0",
            "movi v20.2d, #0", "movi v21.2d, #0", "movi v22.2d, #0", "movi v23.2d, #0",
            "movi v24.2d, #0", "movi v25.2d, #0", "movi v26.2d, #0", "movi v27.2d, #0",
            "movi v28.2d, #0", "movi v29.2d, #0", "movi v30.2d, #0", "movi v31.2d, #0",
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _, out("v7") _,
            out("v16") _, out("v17") _, out("v18") _, out("v19") _, out("v20") _, out("v21") _, out("v22") _, out("v23") _,
            out("v24") _, out("v25") _, out("v26") _, out("v27") _, out("v28") _, out("v29") _, out("v30") _, out("v31") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

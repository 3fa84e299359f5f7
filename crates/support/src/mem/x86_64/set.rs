//! `memset` for x86-64.

use super::{AVX, ERMS, ERMS_BIT, FEATURES, KNOWN, OSXSAVE_AVX, XMM_YMM, features};
use core::arch::naked_asm;

/// Fills more than 128 (SSE) or 256 (AVX) bytes with the register `$v`0 of `$w` bytes, and then executes `$end` and returns.
#[rustfmt::skip]
macro_rules! set_long {
    ($v:literal, $w:literal, $store_any:literal, $store:literal, $end:literal, $label:literal) => {
        concat!(
            "
            ", $store_any, " [rdi], ", $v, "0
            lea r9, [rdi + rdx - 4*", $w, "]
            lea r10, [rdi + ", $w, "]
            and r10, -", $w, "
            .p2align 5
        ", $label, ":
            ", $store, " [r10], ", $v, "0
            ", $store, " [r10 + 1*", $w, "], ", $v, "0
            ", $store, " [r10 + 2*", $w, "], ", $v, "0
            ", $store, " [r10 + 3*", $w, "], ", $v, "0
            add r10, 4*", $w, "
            cmp r10, r9
            jb ", $label, "b
            ", $store_any, " [r9], ", $v, "0
            ", $store_any, " [r9 + 1*", $w, "], ", $v, "0
            ", $store_any, " [r9 + 2*", $w, "], ", $v, "0
            ", $store_any, " [r9 + 3*", $w, "], ", $v, "0
            ", $end, "
            ret
            "
        )
    };
}

/// Sets `len` bytes to the low eight bits of `value`.
///
/// # Safety
/// `dst` must be writable for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memset(dst: *mut u8, value: i32, len: usize) -> *mut u8 {
    naked_asm!(
        "
            mov rax, rdi
            movzx esi, sil
            movabs r11, 0x0101010101010101
            imul r11, rsi
            cmp rdx, 16
            ja 30f
            cmp edx, 8
            jae 20f
            cmp edx, 4
            jae 21f
            cmp edx, 1
            jb 22f
            mov byte ptr [rdi], r11b
            je 22f
            mov word ptr [rdi + rdx - 2], r11w
        22:
            ret
        21:
            mov dword ptr [rdi], r11d
            mov dword ptr [rdi + rdx - 4], r11d
            ret
        20:
            mov qword ptr [rdi], r11
            mov qword ptr [rdi + rdx - 8], r11
            ret

        30:
            movq xmm0, r11
            punpcklqdq xmm0, xmm0
            cmp rdx, 32
            ja 31f
            movups [rdi], xmm0
            movups [rdi + rdx - 16], xmm0
            ret
        31:
            cmp rdx, 64
            ja 32f
            movups [rdi], xmm0
            movups [rdi + 16], xmm0
            movups [rdi + rdx - 32], xmm0
            movups [rdi + rdx - 16], xmm0
            ret
        32:
            cmp rdx, 128
            ja 33f
            movups [rdi], xmm0
            movups [rdi + 16], xmm0
            movups [rdi + 32], xmm0
            movups [rdi + 48], xmm0
            movups [rdi + rdx - 64], xmm0
            movups [rdi + rdx - 48], xmm0
            movups [rdi + rdx - 32], xmm0
            movups [rdi + rdx - 16], xmm0
            ret

        33:
            cmp rdx, 256
            jbe 90f
            ",
        features!(),
        "
            test cl, {avx}
            jz 90f
            vinsertf128 ymm0, ymm0, xmm0, 1
            ",
        set_long!("ymm", "32", "vmovdqu", "vmovdqa", "vzeroupper", "70"),
        "
        90:
            ",
        set_long!("xmm", "16", "movups", "movaps", "", "80"),
        features = sym FEATURES,
        known = const KNOWN,
        avx = const AVX,
        erms = const ERMS,
        erms_bit = const ERMS_BIT,
        osxsave_avx = const OSXSAVE_AVX,
        xmm_ymm = const XMM_YMM,
    )
}

//! `memcpy` and `memmove` for x86-64.

use super::{AVX, ERMS, ERMS_BIT, FEATURES, HUGE, KNOWN, OSXSAVE_AVX, XMM_YMM, features};
use core::arch::naked_asm;

/// Copies more than 256 bytes through the registers `$v`0 to `$v`8, of `$w` bytes each, and then executes `$end` and returns.
///
/// The stores in the loop are aligned. Both ends, which need not be aligned, are loaded before the loop and stored after it. The loop runs forward,
/// or backward if the destination begins within the source. Labels are `$n`0 to `$n`3.
#[rustfmt::skip]
macro_rules! copy_long {
    ($v:literal, $w:literal, $load:literal, $store:literal, $end:literal, $n:literal) => {
        concat!(
            "
            mov r8, rdi
            sub r8, rsi
            je ", $n, "3f
            cmp r8, rdx
            jb ", $n, "1f

            ", $load, " ", $v, "4, [rsi]
            ", $load, " ", $v, "5, [rsi + rdx - 4*", $w, "]
            ", $load, " ", $v, "6, [rsi + rdx - 3*", $w, "]
            ", $load, " ", $v, "7, [rsi + rdx - 2*", $w, "]
            ", $load, " ", $v, "8, [rsi + rdx - 1*", $w, "]
            lea r9, [rdi + rdx - 4*", $w, "]
            lea r10, [rdi + ", $w, "]
            and r10, -", $w, "
            sub rsi, rdi
            .p2align 5
        ", $n, "0:
            ", $load, " ", $v, "0, [rsi + r10]
            ", $load, " ", $v, "1, [rsi + r10 + 1*", $w, "]
            ", $load, " ", $v, "2, [rsi + r10 + 2*", $w, "]
            ", $load, " ", $v, "3, [rsi + r10 + 3*", $w, "]
            ", $store, " [r10], ", $v, "0
            ", $store, " [r10 + 1*", $w, "], ", $v, "1
            ", $store, " [r10 + 2*", $w, "], ", $v, "2
            ", $store, " [r10 + 3*", $w, "], ", $v, "3
            add r10, 4*", $w, "
            cmp r10, r9
            jb ", $n, "0b
            ", $load, " [rdi], ", $v, "4
            ", $load, " [r9], ", $v, "5
            ", $load, " [r9 + 1*", $w, "], ", $v, "6
            ", $load, " [r9 + 2*", $w, "], ", $v, "7
            ", $load, " [r9 + 3*", $w, "], ", $v, "8
            ", $end, "
            ret

        ", $n, "1:
            ", $load, " ", $v, "4, [rsi + rdx - ", $w, "]
            ", $load, " ", $v, "5, [rsi]
            ", $load, " ", $v, "6, [rsi + 1*", $w, "]
            ", $load, " ", $v, "7, [rsi + 2*", $w, "]
            ", $load, " ", $v, "8, [rsi + 3*", $w, "]
            lea r9, [rdi + 4*", $w, "]
            lea r11, [rdi + rdx]
            lea r10, [r11 - 1]
            and r10, -", $w, "
            sub rsi, rdi
            .p2align 5
        ", $n, "2:
            ", $load, " ", $v, "0, [rsi + r10 - 1*", $w, "]
            ", $load, " ", $v, "1, [rsi + r10 - 2*", $w, "]
            ", $load, " ", $v, "2, [rsi + r10 - 3*", $w, "]
            ", $load, " ", $v, "3, [rsi + r10 - 4*", $w, "]
            ", $store, " [r10 - 1*", $w, "], ", $v, "0
            ", $store, " [r10 - 2*", $w, "], ", $v, "1
            ", $store, " [r10 - 3*", $w, "], ", $v, "2
            ", $store, " [r10 - 4*", $w, "], ", $v, "3
            sub r10, 4*", $w, "
            cmp r10, r9
            ja ", $n, "2b
            ", $load, " [r11 - ", $w, "], ", $v, "4
            ", $load, " [rdi], ", $v, "5
            ", $load, " [rdi + 1*", $w, "], ", $v, "6
            ", $load, " [rdi + 2*", $w, "], ", $v, "7
            ", $load, " [rdi + 3*", $w, "], ", $v, "8
            ", $end, "
        ", $n, "3:
            ret
            "
        )
    };
}

/// The body of `memmove(rdi, rsi, rdx)`. The same body serves as `memcpy`, although `memcpy` need not support overlapping areas.
macro_rules! copy {
    () => {
        naked_asm!(
            "
            mov rax, rdi
            cmp rdx, 16
            ja 30f
            cmp edx, 8
            jae 20f
            cmp edx, 4
            jae 21f
            cmp edx, 1
            jb 22f
            je 23f
            movzx ecx, word ptr [rsi]
            movzx r8d, word ptr [rsi + rdx - 2]
            mov word ptr [rdi], cx
            mov word ptr [rdi + rdx - 2], r8w
        22:
            ret
        23:
            movzx ecx, byte ptr [rsi]
            mov byte ptr [rdi], cl
            ret
        21:
            mov ecx, dword ptr [rsi]
            mov r8d, dword ptr [rsi + rdx - 4]
            mov dword ptr [rdi], ecx
            mov dword ptr [rdi + rdx - 4], r8d
            ret
        20:
            mov rcx, qword ptr [rsi]
            mov r8, qword ptr [rsi + rdx - 8]
            mov qword ptr [rdi], rcx
            mov qword ptr [rdi + rdx - 8], r8
            ret

        30:
            cmp rdx, 32
            ja 31f
            movups xmm0, [rsi]
            movups xmm1, [rsi + rdx - 16]
            movups [rdi], xmm0
            movups [rdi + rdx - 16], xmm1
            ret
        31:
            cmp rdx, 64
            ja 32f
            movups xmm0, [rsi]
            movups xmm1, [rsi + 16]
            movups xmm2, [rsi + rdx - 32]
            movups xmm3, [rsi + rdx - 16]
            movups [rdi], xmm0
            movups [rdi + 16], xmm1
            movups [rdi + rdx - 32], xmm2
            movups [rdi + rdx - 16], xmm3
            ret
        32:
            cmp rdx, 128
            ja 33f
            movups xmm0, [rsi]
            movups xmm1, [rsi + 16]
            movups xmm2, [rsi + 32]
            movups xmm3, [rsi + 48]
            movups xmm4, [rsi + rdx - 64]
            movups xmm5, [rsi + rdx - 48]
            movups xmm6, [rsi + rdx - 32]
            movups xmm7, [rsi + rdx - 16]
            movups [rdi], xmm0
            movups [rdi + 16], xmm1
            movups [rdi + 32], xmm2
            movups [rdi + 48], xmm3
            movups [rdi + rdx - 64], xmm4
            movups [rdi + rdx - 48], xmm5
            movups [rdi + rdx - 32], xmm6
            movups [rdi + rdx - 16], xmm7
            ret
        33:
            cmp rdx, 256
            ja 34f
            movups xmm0, [rsi]
            movups xmm1, [rsi + 16]
            movups xmm2, [rsi + 32]
            movups xmm3, [rsi + 48]
            movups xmm4, [rsi + 64]
            movups xmm5, [rsi + 80]
            movups xmm6, [rsi + 96]
            movups xmm7, [rsi + 112]
            movups xmm8, [rsi + rdx - 128]
            movups xmm9, [rsi + rdx - 112]
            movups xmm10, [rsi + rdx - 96]
            movups xmm11, [rsi + rdx - 80]
            movups xmm12, [rsi + rdx - 64]
            movups xmm13, [rsi + rdx - 48]
            movups xmm14, [rsi + rdx - 32]
            movups xmm15, [rsi + rdx - 16]
            movups [rdi], xmm0
            movups [rdi + 16], xmm1
            movups [rdi + 32], xmm2
            movups [rdi + 48], xmm3
            movups [rdi + 64], xmm4
            movups [rdi + 80], xmm5
            movups [rdi + 96], xmm6
            movups [rdi + 112], xmm7
            movups [rdi + rdx - 128], xmm8
            movups [rdi + rdx - 112], xmm9
            movups [rdi + rdx - 96], xmm10
            movups [rdi + rdx - 80], xmm11
            movups [rdi + rdx - 64], xmm12
            movups [rdi + rdx - 48], xmm13
            movups [rdi + rdx - 32], xmm14
            movups [rdi + rdx - 16], xmm15
            ret

        34:
            ",
            features!(),
            "
            // For huge areas that do not overlap: uses rep movsb if it is fast. For speed, rep movsb needs an aligned destination.
            cmp rdx, {huge}
            jb 91f
            test cl, {erms}
            jz 91f
            mov r8, rdi
            sub r8, rsi
            cmp r8, rdx
            jb 91f
            neg r8
            cmp r8, rdx
            jb 91f
            movups xmm0, [rsi]
            movups xmm1, [rsi + 16]
            movups xmm2, [rsi + 32]
            movups xmm3, [rsi + 48]
            movups [rdi], xmm0
            movups [rdi + 16], xmm1
            movups [rdi + 32], xmm2
            movups [rdi + 48], xmm3
            lea r9, [rdi + rdx]
            sub rsi, rdi
            add rdi, 64
            and rdi, -64
            add rsi, rdi
            mov rcx, r9
            sub rcx, rdi
            rep movsb
            ret

        91:
            test cl, {avx}
            jz 90f
            ",
            copy_long!("ymm", "32", "vmovdqu", "vmovdqa", "vzeroupper", "7"),
            "
        90:
            ",
            copy_long!("xmm", "16", "movups", "movaps", "", "8"),
            features = sym FEATURES,
            known = const KNOWN,
            avx = const AVX,
            erms = const ERMS,
            erms_bit = const ERMS_BIT,
            huge = const HUGE,
            osxsave_avx = const OSXSAVE_AVX,
            xmm_ymm = const XMM_YMM,
        )
    };
}

/// Copies `len` bytes. By contract the areas do not overlap, although this implementation would copy overlapping areas correctly.
///
/// # Safety
/// `src` must be readable and `dst` writable for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memcpy(dst: *mut u8, src: *const u8, len: usize) -> *mut u8 {
    copy!()
}

/// Copies `len` bytes; the two areas may overlap.
///
/// # Safety
/// The caller must meet the requirements of `memcpy`, except that the areas may overlap.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memmove(dst: *mut u8, src: *const u8, len: usize) -> *mut u8 {
    copy!()
}

//! The memory functions for x86-64.
//!
//! All of it is assembly, so that the compiler cannot take a part for a memory function and call it. The habits of this
//! file follow from where the code will run, in a Go program:
//! - nothing below the stack pointer is touched and the stack pointer never moves;
//! - nothing is called, and jumps stay within the function;
//! - registers: only those that the C ABI lets a function change (System V psABI, 3.2.1), so neither rbx nor rbp nor
//!   r12…r15; after AVX comes `vzeroupper`, or every SSE instruction of the caller would pay for it;
//! - CPU features are asked for with `cpuid` once, at the first long area, and kept in [`FEATURES`]. Two threads that ask
//!   at once find the same answer.
//!
//! Short areas, the most frequent by far, are loaded whole into registers before anything is stored. The loads from the
//! front and from the back overlap, so that a few branches serve all lengths; and since every load comes before every
//! store, it does not matter whether the areas overlap.

use core::arch::naked_asm;
use core::sync::atomic::AtomicU32;

/// What the CPU can do: 0 until somebody asked, then `KNOWN` and what was found.
pub static FEATURES: AtomicU32 = AtomicU32::new(0);
pub const KNOWN: u32 = 1;
/// AVX, and the operating system keeps its registers.
pub const AVX: u32 = 2;

/// Leaf 1 of cpuid, ecx: the operating system uses xsave (27), AVX (28). Source: Intel SDM, volume 2A, CPUID.
const OSXSAVE_AVX: u32 = 1 << 27 | 1 << 28;
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

/// Copies more than 256 bytes, with registers `$v`0 to `$v`8 of `$w` bytes; then does `$end` and returns.
///
/// The destination is aligned; its ends, which are not, are loaded before the loop and stored after it. The loop goes
/// forward, or backward (at label `$backward`) where the destination begins within the source.
macro_rules! copy_long {
    ($v:literal, $w:literal, $load:literal, $store:literal, $end:literal, $backward:literal) => {
        concat!(
            "
            mov r8, rdi
            sub r8, rsi
            je ",
            $backward,
            "3f
            cmp r8, rdx
            jb ",
            $backward,
            "1f

            ",
            $load,
            " ",
            $v,
            "4, [rsi]
            ",
            $load,
            " ",
            $v,
            "5, [rsi + rdx - 4*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "6, [rsi + rdx - 3*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "7, [rsi + rdx - 2*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "8, [rsi + rdx - 1*",
            $w,
            "]
            lea r9, [rdi + rdx - 4*",
            $w,
            "]
            lea r10, [rdi + ",
            $w,
            "]
            and r10, -",
            $w,
            "
            sub rsi, rdi
            .p2align 5
        ",
            $backward,
            "0:
            ",
            $load,
            " ",
            $v,
            "0, [rsi + r10]
            ",
            $load,
            " ",
            $v,
            "1, [rsi + r10 + 1*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "2, [rsi + r10 + 2*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "3, [rsi + r10 + 3*",
            $w,
            "]
            ",
            $store,
            " [r10], ",
            $v,
            "0
            ",
            $store,
            " [r10 + 1*",
            $w,
            "], ",
            $v,
            "1
            ",
            $store,
            " [r10 + 2*",
            $w,
            "], ",
            $v,
            "2
            ",
            $store,
            " [r10 + 3*",
            $w,
            "], ",
            $v,
            "3
            add r10, 4*",
            $w,
            "
            cmp r10, r9
            jb ",
            $backward,
            "0b
            ",
            $load,
            " [rdi], ",
            $v,
            "4
            ",
            $load,
            " [r9], ",
            $v,
            "5
            ",
            $load,
            " [r9 + 1*",
            $w,
            "], ",
            $v,
            "6
            ",
            $load,
            " [r9 + 2*",
            $w,
            "], ",
            $v,
            "7
            ",
            $load,
            " [r9 + 3*",
            $w,
            "], ",
            $v,
            "8
            ",
            $end,
            "
            ret

        ",
            $backward,
            "1:
            ",
            $load,
            " ",
            $v,
            "4, [rsi + rdx - ",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "5, [rsi]
            ",
            $load,
            " ",
            $v,
            "6, [rsi + 1*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "7, [rsi + 2*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "8, [rsi + 3*",
            $w,
            "]
            lea r9, [rdi + 4*",
            $w,
            "]
            lea r11, [rdi + rdx]
            lea r10, [r11 - 1]
            and r10, -",
            $w,
            "
            sub rsi, rdi
            .p2align 5
        ",
            $backward,
            "2:
            ",
            $load,
            " ",
            $v,
            "0, [rsi + r10 - 1*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "1, [rsi + r10 - 2*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "2, [rsi + r10 - 3*",
            $w,
            "]
            ",
            $load,
            " ",
            $v,
            "3, [rsi + r10 - 4*",
            $w,
            "]
            ",
            $store,
            " [r10 - 1*",
            $w,
            "], ",
            $v,
            "0
            ",
            $store,
            " [r10 - 2*",
            $w,
            "], ",
            $v,
            "1
            ",
            $store,
            " [r10 - 3*",
            $w,
            "], ",
            $v,
            "2
            ",
            $store,
            " [r10 - 4*",
            $w,
            "], ",
            $v,
            "3
            sub r10, 4*",
            $w,
            "
            cmp r10, r9
            ja ",
            $backward,
            "2b
            ",
            $load,
            " [r11 - ",
            $w,
            "], ",
            $v,
            "4
            ",
            $load,
            " [rdi], ",
            $v,
            "5
            ",
            $load,
            " [rdi + 1*",
            $w,
            "], ",
            $v,
            "6
            ",
            $load,
            " [rdi + 2*",
            $w,
            "], ",
            $v,
            "7
            ",
            $load,
            " [rdi + 3*",
            $w,
            "], ",
            $v,
            "8
            ",
            $end,
            "
        ",
            $backward,
            "3:
            ret
            "
        )
    };
}

/// The body of `memmove(rdi, rsi, rdx)`, and of `memcpy`, which may as well allow overlaps.
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
            osxsave_avx = const OSXSAVE_AVX,
            xmm_ymm = const XMM_YMM,
        )
    };
}

/// Copies `len` bytes; the two areas do not overlap (though it would not matter).
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
/// As for `memcpy`.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memmove(dst: *mut u8, src: *const u8, len: usize) -> *mut u8 {
    copy!()
}

/// Fills more than 128 (SSE) or 256 (AVX) bytes with `$v`0, of `$w` bytes; then does `$end` and returns.
macro_rules! set_long {
    ($v:literal, $w:literal, $store_any:literal, $store:literal, $end:literal, $label:literal) => {
        concat!(
            "
            ",
            $store_any,
            " [rdi], ",
            $v,
            "0
            lea r9, [rdi + rdx - 4*",
            $w,
            "]
            lea r10, [rdi + ",
            $w,
            "]
            and r10, -",
            $w,
            "
            .p2align 5
        ",
            $label,
            ":
            ",
            $store,
            " [r10], ",
            $v,
            "0
            ",
            $store,
            " [r10 + 1*",
            $w,
            "], ",
            $v,
            "0
            ",
            $store,
            " [r10 + 2*",
            $w,
            "], ",
            $v,
            "0
            ",
            $store,
            " [r10 + 3*",
            $w,
            "], ",
            $v,
            "0
            add r10, 4*",
            $w,
            "
            cmp r10, r9
            jb ",
            $label,
            "b
            ",
            $store_any,
            " [r9], ",
            $v,
            "0
            ",
            $store_any,
            " [r9 + 1*",
            $w,
            "], ",
            $v,
            "0
            ",
            $store_any,
            " [r9 + 2*",
            $w,
            "], ",
            $v,
            "0
            ",
            $store_any,
            " [r9 + 3*",
            $w,
            "], ",
            $v,
            "0
            ",
            $end,
            "
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
        osxsave_avx = const OSXSAVE_AVX,
        xmm_ymm = const XMM_YMM,
    )
}

/// The body of `memcmp(rdi, rsi, rdx)`, and of `bcmp`, which asks for less.
macro_rules! compare {
    () => {
        naked_asm!(
            "
            cmp rdx, 16
            jae 40f
            cmp edx, 8
            jae 20f
            cmp edx, 4
            jae 21f
            test edx, edx
            jz 23f
            // One to three bytes.
            movzx eax, byte ptr [rdi]
            movzx ecx, byte ptr [rsi]
            sub eax, ecx
            jne 22f
            cmp edx, 1
            je 22f
            movzx eax, byte ptr [rdi + 1]
            movzx ecx, byte ptr [rsi + 1]
            sub eax, ecx
            jne 22f
            movzx eax, byte ptr [rdi + rdx - 1]
            movzx ecx, byte ptr [rsi + rdx - 1]
            sub eax, ecx
        22:
            ret
        23:
            xor eax, eax
            ret

        21:
            mov eax, dword ptr [rdi]
            mov ecx, dword ptr [rsi]
            cmp eax, ecx
            jne 24f
            mov eax, dword ptr [rdi + rdx - 4]
            mov ecx, dword ptr [rsi + rdx - 4]
            cmp eax, ecx
            je 23b
        24:
            bswap eax
            bswap ecx
            cmp eax, ecx
            sbb eax, eax
            or eax, 1
            ret

        20:
            mov rax, qword ptr [rdi]
            mov rcx, qword ptr [rsi]
            cmp rax, rcx
            jne 25f
            mov rax, qword ptr [rdi + rdx - 8]
            mov rcx, qword ptr [rsi + rdx - 8]
            cmp rax, rcx
            je 23b
        25:
            bswap rax
            bswap rcx
            cmp rax, rcx
            sbb eax, eax
            or eax, 1
            ret

            // Sixteen bytes or more: r8 goes up to the last sixteen, r9.
        40:
            xor r8d, r8d
            lea r9, [rdx - 16]
            cmp rdx, 64
            jb 50f
            lea r10, [rdx - 64]
            .p2align 5
        41:
            movdqu xmm0, [rdi + r8]
            movdqu xmm4, [rsi + r8]
            pcmpeqb xmm0, xmm4
            movdqu xmm1, [rdi + r8 + 16]
            movdqu xmm5, [rsi + r8 + 16]
            pcmpeqb xmm1, xmm5
            movdqu xmm2, [rdi + r8 + 32]
            movdqu xmm6, [rsi + r8 + 32]
            pcmpeqb xmm2, xmm6
            movdqu xmm3, [rdi + r8 + 48]
            movdqu xmm7, [rsi + r8 + 48]
            pcmpeqb xmm3, xmm7
            pand xmm1, xmm0
            pand xmm3, xmm2
            pand xmm3, xmm1
            pmovmskb eax, xmm3
            cmp eax, 0xffff
            jne 50f
            add r8, 64
            cmp r8, r10
            jbe 41b
            cmp r8, rdx
            je 23b

            // Up to 64 bytes, or the 64 bytes with the difference.
        50:
            cmp r8, r9
            jae 51f
            movdqu xmm0, [rdi + r8]
            movdqu xmm1, [rsi + r8]
            pcmpeqb xmm0, xmm1
            pmovmskb eax, xmm0
            xor eax, 0xffff
            jnz 52f
            add r8, 16
            jmp 50b
        51:
            mov r8, r9
            movdqu xmm0, [rdi + r8]
            movdqu xmm1, [rsi + r8]
            pcmpeqb xmm0, xmm1
            pmovmskb eax, xmm0
            xor eax, 0xffff
            jz 53f
        52:
            bsf eax, eax
            add r8, rax
            movzx eax, byte ptr [rdi + r8]
            movzx ecx, byte ptr [rsi + r8]
            sub eax, ecx
        53:
            ret
            "
        )
    };
}

/// Compares two areas as sequences of unsigned bytes: negative, zero or positive.
///
/// # Safety
/// Both areas must be readable for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    compare!()
}

/// Zero if two areas are equal.
///
/// # Safety
/// As for `memcmp`.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    compare!()
}

/// The number of bytes before the first zero byte.
///
/// Loads are aligned, so none reaches into a page that the text does not touch.
///
/// # Safety
/// `text` must be readable up to and including its first zero byte.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn strlen(text: *const u8) -> usize {
    naked_asm!(
        "
            mov rax, rdi
            and rax, -16
            pxor xmm0, xmm0
            movdqa xmm1, [rax]
            pcmpeqb xmm1, xmm0
            pmovmskb edx, xmm1
            // What lies before the text does not count.
            mov ecx, edi
            and ecx, 15
            shr edx, cl
            test edx, edx
            jnz 21f
            .p2align 4
        20:
            add rax, 16
            movdqa xmm1, [rax]
            pcmpeqb xmm1, xmm0
            pmovmskb edx, xmm1
            test edx, edx
            jz 20b
            bsf edx, edx
            sub rax, rdi
            add rax, rdx
            ret
        21:
            bsf eax, edx
            ret
            "
    )
}

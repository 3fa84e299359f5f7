//! `memcmp`, `bcmp` and `strlen` for x86-64.

use core::arch::naked_asm;

/// The body of `memcmp(rdi, rsi, rdx)`. The same body serves as `bcmp`, which only has to tell whether the areas are equal.
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
            // Compares one to three bytes.
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

            // Compares sixteen bytes or more. r8 advances to the last sixteen bytes, which begin at r9.
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

            // Compares up to 64 bytes, or the block of 64 bytes in which a difference was found.
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

/// Compares two areas as sequences of unsigned bytes. The result is negative, zero or positive.
///
/// # Safety
/// Both areas must be readable for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    compare!()
}

/// Returns zero if the two areas are equal, and another number if not.
///
/// # Safety
/// The caller must meet the requirements of `memcmp`.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    compare!()
}

/// Returns the number of bytes before the first zero byte.
///
/// Loads are aligned, so no load reaches into a memory page that contains no byte of the text.
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
            // Discards the bytes before the text.
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

//! `memcmp`, `bcmp` and `strlen` for arm64.

use core::arch::naked_asm;

/// The body of `memcmp(x0, x1, x2)`. The same body serves as `bcmp`, which only has to tell whether the areas are equal.
macro_rules! compare {
    () => {
        naked_asm!(
            "
            cmp x2, 16
            b.hs 40f
            add x7, x0, x2
            add x8, x1, x2
            tbz w2, 3, 21f
            ldr x3, [x0]
            ldr x4, [x1]
            cmp x3, x4
            b.ne 20f
            ldr x3, [x7, -8]
            ldr x4, [x8, -8]
            cmp x3, x4
            b.eq 23f

            // Decides which of two words is greater as a sequence of bytes.
        20:
            rev x3, x3
            rev x4, x4
            cmp x3, x4
            cset w0, ne
            cneg w0, w0, lo
            ret

        21:
            tbz w2, 2, 22f
            ldr w3, [x0]
            ldr w4, [x1]
            cmp w3, w4
            b.ne 20b
            ldr w3, [x7, -4]
            ldr w4, [x8, -4]
            cmp w3, w4
            b.ne 20b
            b 23f

            // Compares up to three bytes: the first, the middle one, the last.
        22:
            cbz x2, 23f
            lsr x5, x2, 1
            ldrb w3, [x0]
            ldrb w4, [x1]
            subs w6, w3, w4
            b.ne 24f
            ldrb w3, [x0, x5]
            ldrb w4, [x1, x5]
            subs w6, w3, w4
            b.ne 24f
            ldrb w3, [x7, -1]
            ldrb w4, [x8, -1]
            sub w6, w3, w4
        24:
            mov w0, w6
            ret
        23:
            mov w0, 0
            ret

            // Compares sixteen bytes or more. The pointers advance, and x2 counts the bytes left.
        40:
            cmp x2, 128
            b.lo 50f
            // Compares sixteen bytes, and advances to the first multiple of 16 after the start of the first area.
            ldp x3, x4, [x0]
            ldp x5, x6, [x1]
            cmp x3, x5
            ccmp x4, x6, 0, eq
            b.ne 52f
            and x7, x0, 15
            sub x7, x7, 16
            sub x0, x0, x7
            sub x1, x1, x7
            add x2, x2, x7
            .p2align 4
        41:
            ldp q0, q1, [x0]
            ldp q2, q3, [x1]
            ldp q4, q5, [x0, 32]
            ldp q6, q7, [x1, 32]
            eor v0.16b, v0.16b, v2.16b
            eor v1.16b, v1.16b, v3.16b
            eor v4.16b, v4.16b, v6.16b
            eor v5.16b, v5.16b, v7.16b
            orr v0.16b, v0.16b, v1.16b
            orr v4.16b, v4.16b, v5.16b
            orr v0.16b, v0.16b, v4.16b
            umaxp v0.4s, v0.4s, v0.4s
            fmov x3, d0
            cbnz x3, 50f
            add x0, x0, 64
            add x1, x1, 64
            sub x2, x2, 64
            cmp x2, 64
            b.hs 41b

            // Either fewer than 128 bytes are left, or at least 64 are left and the first 64 of them differ. The last sixteen bytes may
            // overlap bytes that have already been compared.
        50:
            cmp x2, 16
            b.ls 51f
            ldp x3, x4, [x0], 16
            ldp x5, x6, [x1], 16
            sub x2, x2, 16
            cmp x3, x5
            ccmp x4, x6, 0, eq
            b.eq 50b
            b 52f
        51:
            add x0, x0, x2
            add x1, x1, x2
            ldp x3, x4, [x0, -16]
            ldp x5, x6, [x1, -16]
            cmp x3, x5
            ccmp x4, x6, 0, eq
            b.eq 23b

            // Finds the first pair of words that differ: x3, x4 against x5, x6.
        52:
            cmp x3, x5
            csel x3, x3, x4, ne
            csel x4, x5, x6, ne
            b 20b
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
            and x1, x0, -16
            ldr q0, [x1]
            cmeq v0.16b, v0.16b, 0
            // v0 gets four bits for each byte of the block, all set if the byte is zero.
            shrn v0.8b, v0.8h, 4
            fmov x2, d0
            // Discards the bytes before the text. The shift is modulo 64.
            lsl x3, x0, 2
            lsr x2, x2, x3
            cbnz x2, 21f
            .p2align 4
        20:
            ldr q0, [x1, 16]!
            cmeq v0.16b, v0.16b, 0
            shrn v0.8b, v0.8h, 4
            fmov x2, d0
            cbz x2, 20b
            rbit x2, x2
            clz x2, x2
            sub x0, x1, x0
            add x0, x0, x2, lsr 2
            ret
        21:
            rbit x2, x2
            clz x2, x2
            lsr x0, x2, 2
            ret
            "
    )
}

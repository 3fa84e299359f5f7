//! `memcpy` and `memmove` for arm64.

use core::arch::naked_asm;

/// The body of `memmove(x0, x1, x2)`. The same body serves as `memcpy`, although `memcpy` need not support overlapping areas.
///
/// x4 and x5 are the ends of source and destination.
macro_rules! copy {
    () => {
        naked_asm!(
            "
            add x4, x1, x2
            add x5, x0, x2
            cmp x2, 128
            b.hi 40f
            cmp x2, 32
            b.hi 30f
            cmp x2, 16
            b.lo 20f
            ldr q0, [x1]
            ldr q1, [x4, -16]
            str q0, [x0]
            str q1, [x5, -16]
            ret

        20:
            tbz w2, 3, 21f
            ldr x6, [x1]
            ldr x7, [x4, -8]
            str x6, [x0]
            str x7, [x5, -8]
            ret
        21:
            tbz w2, 2, 22f
            ldr w6, [x1]
            ldr w7, [x4, -4]
            str w6, [x0]
            str w7, [x5, -4]
            ret
        22:
            cbz x2, 23f
            // Copies one to three bytes: the first, the middle one, the last.
            lsr x3, x2, 1
            ldrb w6, [x1]
            ldrb w7, [x4, -1]
            ldrb w8, [x1, x3]
            strb w6, [x0]
            strb w8, [x0, x3]
            strb w7, [x5, -1]
        23:
            ret

        30:
            ldp q0, q1, [x1]
            ldp q2, q3, [x4, -32]
            cmp x2, 64
            b.hi 31f
            stp q0, q1, [x0]
            stp q2, q3, [x5, -32]
            ret
        31:
            ldp q4, q5, [x1, 32]
            ldp q6, q7, [x4, -64]
            stp q0, q1, [x0]
            stp q4, q5, [x0, 32]
            stp q6, q7, [x5, -64]
            stp q2, q3, [x5, -32]
            ret

            // Copies more than 128 bytes. Both ends of the source, which need not be aligned, are loaded before the loop and stored
            // after it. The loop runs backward if the destination begins within the source.
        40:
            sub x6, x0, x1
            cbz x6, 23b
            cmp x6, x2
            b.lo 50f

            ldr q16, [x1]
            ldp q20, q21, [x4, -64]
            ldp q22, q23, [x4, -32]
            // The loop starts at the first multiple of 16 after the start of the source. x8 is the start of the last 128 bytes.
            orr x6, x1, 15
            add x6, x6, 1
            sub x3, x6, x1
            add x3, x3, x0
            sub x8, x4, 128
            ldp q0, q1, [x6]
            ldp q2, q3, [x6, 32]
            cmp x6, x8
            b.hs 42f
            .p2align 4
        41:
            stp q0, q1, [x3]
            ldp q0, q1, [x6, 64]!
            stp q2, q3, [x3, 32]
            ldp q2, q3, [x6, 32]
            add x3, x3, 64
            cmp x6, x8
            b.lo 41b
        42:
            stp q0, q1, [x3]
            stp q2, q3, [x3, 32]
            str q16, [x0]
            stp q20, q21, [x5, -64]
            stp q22, q23, [x5, -32]
            ret

        50:
            ldr q16, [x4, -16]
            ldp q20, q21, [x1]
            ldp q22, q23, [x1, 32]
            // The loop starts at the last multiple of 16 within the source, less the 64 bytes of a round. x8 is the end of the first 64
            // bytes.
            sub x6, x4, 1
            and x6, x6, -16
            sub x3, x6, x1
            add x3, x3, x0
            sub x3, x3, 64
            add x8, x1, 64
            ldp q0, q1, [x6, -64]!
            ldp q2, q3, [x6, 32]
            cmp x6, x8
            b.ls 52f
            .p2align 4
        51:
            stp q2, q3, [x3, 32]
            ldp q2, q3, [x6, -32]
            stp q0, q1, [x3]
            ldp q0, q1, [x6, -64]!
            sub x3, x3, 64
            cmp x6, x8
            b.hi 51b
        52:
            stp q2, q3, [x3, 32]
            stp q0, q1, [x3]
            str q16, [x5, -16]
            stp q20, q21, [x0]
            stp q22, q23, [x0, 32]
            ret
            "
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

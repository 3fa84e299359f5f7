//! `memset` for arm64.

use core::arch::naked_asm;

/// Sets `len` bytes to the low eight bits of `value`.
///
/// # Safety
/// `dst` must be writable for `len` bytes.
#[cfg_attr(rustgo, unsafe(no_mangle))]
#[unsafe(naked)]
pub unsafe extern "C" fn memset(dst: *mut u8, value: i32, len: usize) -> *mut u8 {
    naked_asm!(
        "
            dup v0.16b, w1
            add x4, x0, x2
            cmp x2, 64
            b.hi 30f
            cmp x2, 16
            b.lo 20f
            cmp x2, 32
            b.hi 10f
            str q0, [x0]
            str q0, [x4, -16]
            ret
        10:
            stp q0, q0, [x0]
            stp q0, q0, [x4, -32]
            ret

        20:
            tbz w2, 3, 21f
            str d0, [x0]
            str d0, [x4, -8]
            ret
        21:
            tbz w2, 2, 22f
            str s0, [x0]
            str s0, [x4, -4]
            ret
        22:
            cbz x2, 23f
            strb w1, [x0]
            tbz w2, 1, 23f
            str h0, [x4, -2]
        23:
            ret

        30:
            stp q0, q0, [x0]
            cmp x2, 128
            b.hi 31f
            stp q0, q0, [x0, 32]
            stp q0, q0, [x4, -64]
            stp q0, q0, [x4, -32]
            ret

            // Fills more than 128 bytes: from the first multiple of 16 after the area's start to the last 64 bytes, which begin at x5.
        31:
            orr x3, x0, 15
            add x3, x3, 1
            sub x5, x4, 64
            .p2align 4
        32:
            stp q0, q0, [x3]
            stp q0, q0, [x3, 32]
            add x3, x3, 64
            cmp x3, x5
            b.lo 32b
            stp q0, q0, [x5]
            stp q0, q0, [x5, 32]
            ret
            "
    )
}

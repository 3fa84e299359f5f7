//! LLVM moves the choice of a `match` out of a loop: the jump's target is kept in the frame, over calls that get addresses in that frame.
#![no_std]
use core::arch::asm;

/// Writes after the word that the caller keeps.
#[inline(never)]
extern "C" fn writes(to: &mut [u64; 2]) {
    to[0] = to[0].wrapping_mul(3) ^ to[1];
}

/// In the form that LLVM writes: the loop's jump reads its target from the frame.
#[rustgo::export]
pub fn kept(x: u64) -> u64 {
    let mut sum = x;
    // SAFETY: the table has an entry for each index, and everything that a call may change is declared.
    unsafe {
        asm!(
            "sub rsp, 32",
            "lea rcx, [rip + 20f]",
            "movsxd rax, dword ptr [rcx + rax*4]",
            "add rax, rcx",
            "mov [rsp + 8], rax",
            "mov [rsp + 16], r12",
            "mov [rsp + 24], r12",
            "mov r14d, 5",
            "2:",
            "lea rdi, [rsp + 16]",
            "call {writes}",
            "jmp qword ptr [rsp + 8]",
            "3:",
            "add r12, [rsp + 16]",
            "jmp 6f",
            "4:",
            "xor r12, [rsp + 16]",
            "jmp 6f",
            "5:",
            "sub r12, [rsp + 16]",
            "ror r12, 7",
            "6:",
            "dec r14d",
            "jnz 2b",
            "add rsp, 32",
            ".pushsection .rodata.kept,\"a\",@progbits",
            ".p2align 2",
            "20:",
            ".long 3b - 20b, 4b - 20b, 5b - 20b",
            ".popsection",
            writes = sym writes,
            inout("rax") x % 3 => _,
            inout("r12") sum,
            out("r14") _,
            clobber_abi("C"),
        );
    }
    sum
}

//! Valgrind's client requests, by which a program asks valgrind for something.
//!
//! The sequence of instructions and the numbers are a stable interface (valgrind.h and memcheck.h). Without valgrind the instructions have no effect.
//! This file replaces the crates that wrap these headers, because such crates need libclang to build.

use std::arch::asm;

const RUNNING_ON_VALGRIND: usize = 0x1001;
/// The requests of the tool memcheck are numbered from here: the letters MC.
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;

fn request<const N: usize>(number: usize, operands: [usize; N]) -> usize {
    let mut arguments = [number, 0, 0, 0, 0, 0];
    arguments[1..=N].copy_from_slice(&operands);
    let mut result = 0;
    // SAFETY: the rotations add up to 128 bits, and the exchange is of a register with itself, so a processor changes only flags. Valgrind sets
    // RDX. A request changes no bytes of memory. But the compiler must have written the bytes before the request and must read them again
    // afterwards, as it does without the option nomem.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") &raw const arguments,
            inout("rdx") result,
            options(nostack),
        );
    }
    result
}

pub fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, []) != 0
}

/// Marks the bytes as secret: from now on valgrind reports each branch and each address that depends on them.
pub fn secret<T: ?Sized>(bytes: &mut T) {
    request(MAKE_MEM_UNDEFINED, [address(bytes), size_of_val(bytes)]);
}

/// Marks the bytes as public, because everybody may know them, or because the test must look at them.
pub fn public<T: ?Sized>(bytes: &mut T) {
    request(MAKE_MEM_DEFINED, [address(bytes), size_of_val(bytes)]);
}

/// Returns true if valgrind takes some of the bytes for undefined, which means that they depend on a secret.
pub fn has_secret<T: ?Sized>(bytes: &T) -> bool {
    let mut undefined = vec![0u8; size_of_val(bytes)];
    let status = request(GET_VBITS, [address(bytes), undefined.as_mut_ptr() as usize, undefined.len()]);
    assert!(status == 1, "valgrind says nothing of the bytes: status {status}");
    undefined.iter().any(|&bits| bits != 0)
}

fn address<T: ?Sized>(bytes: &T) -> usize {
    (&raw const *bytes).cast::<u8>() as usize
}

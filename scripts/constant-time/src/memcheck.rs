//! Valgrind's client requests: what a program asks of the tool that runs it.
//!
//! The sequence of instructions and the numbers are a stable interface (valgrind.h and memcheck.h). They do nothing without valgrind. The crates
//! that wrap these headers need libclang to build.

use std::arch::asm;

const RUNNING_ON_VALGRIND: usize = 0x1001;
/// The first number of memcheck's requests: the letters MC.
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;

fn request<const N: usize>(number: usize, operands: [usize; N]) -> usize {
    let mut arguments = [number, 0, 0, 0, 0, 0];
    arguments[1..=N].copy_from_slice(&operands);
    let mut result = 0;
    // SAFETY: the rotations add up to 128 bits, and the exchange is with itself, so that a processor changes flags alone. Valgrind sets RDX.
    // What it notes about memory changes no bytes, but the compiler must have written them before and read them anew, as it does without
    // the option nomem.
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

/// From now on valgrind reports a branch or an address that depends on the bytes.
pub fn secret<T: ?Sized>(bytes: &mut T) {
    request(MAKE_MEM_UNDEFINED, [address(bytes), size_of_val(bytes)]);
}

/// The bytes are what everybody may know, or the test has to look at.
pub fn public<T: ?Sized>(bytes: &mut T) {
    request(MAKE_MEM_DEFINED, [address(bytes), size_of_val(bytes)]);
}

/// Whether valgrind takes some of the bytes for undefined: a secret has come as far as here.
pub fn has_secret<T: ?Sized>(bytes: &T) -> bool {
    let mut undefined = vec![0u8; size_of_val(bytes)];
    let status = request(GET_VBITS, [address(bytes), undefined.as_mut_ptr() as usize, undefined.len()]);
    assert!(status == 1, "valgrind says nothing of the bytes: status {status}");
    undefined.iter().any(|&bits| bits != 0)
}

fn address<T: ?Sized>(bytes: &T) -> usize {
    (&raw const *bytes).cast::<u8>() as usize
}

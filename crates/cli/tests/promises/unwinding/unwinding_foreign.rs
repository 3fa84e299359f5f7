//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Panics that reach frames of assembly, which has no unwind tables.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

static DROPPED: AtomicU64 = AtomicU64::new(0);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Dropped returns the number of destructors that have run.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

extern "C-unwind" fn called_back(x: u64) -> u64 {
    let _counted = Counted;
    assert!(x != 7, "called back with {x}");
    x
}

// `calls_back` changes the registers that a callee must preserve, calls `called_back`, and restores the registers.
#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".globl calls_back",
    ".type calls_back,@function",
    "calls_back:",
    "push rbx",
    "push rbp",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "sub rsp, 24",
    "mov rbx, 1",
    "mov rbp, 2",
    "mov r12, 3",
    "mov r13, 4",
    "mov r14, 5",
    "mov r15, 6",
    "call {called_back}",
    "add rax, rbx",
    "add rsp, 24",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbp",
    "pop rbx",
    "ret",
    ".size calls_back, .-calls_back",
    // The same function under a name that is declared without unwinding: LLVM has one declaration for each name.
    ".globl calls_back_plainly",
    ".type calls_back_plainly,@function",
    "calls_back_plainly:",
    "jmp calls_back",
    ".size calls_back_plainly, .-calls_back_plainly",
    called_back = sym called_back,
);

#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(
    ".globl calls_back",
    ".type calls_back,@function",
    "calls_back:",
    "stp x29, x30, [sp, #-160]!",
    "stp x19, x20, [sp, #16]",
    "stp x21, x22, [sp, #32]",
    "stp x23, x24, [sp, #48]",
    "stp x25, x26, [sp, #64]",
    "str x27, [sp, #80]",
    "stp d8, d9, [sp, #96]",
    "stp d10, d11, [sp, #112]",
    "stp d12, d13, [sp, #128]",
    "str d14, [sp, #144]",
    "str d15, [sp, #152]",
    "mov x19, #1",
    "mov x20, #2",
    "mov x21, #3",
    "mov x22, #4",
    "mov x23, #5",
    "mov x24, #6",
    "mov x25, #7",
    "mov x26, #8",
    "mov x27, #9",
    "mov x29, #10",
    "movi v8.2d, #0",
    "fmov d9, #1.0",
    "fmov d10, #2.0",
    "fmov d11, #3.0",
    "scvtf d12, x22",
    "ldp s13, s14, [sp]",
    "ldr q15, [sp]",
    "bl {called_back}",
    "add x0, x0, x19",
    "ldr d15, [sp, #152]",
    "ldr d14, [sp, #144]",
    "ldp d12, d13, [sp, #128]",
    "ldp d10, d11, [sp, #112]",
    "ldp d8, d9, [sp, #96]",
    "ldr x27, [sp, #80]",
    "ldp x25, x26, [sp, #64]",
    "ldp x23, x24, [sp, #48]",
    "ldp x21, x22, [sp, #32]",
    "ldp x19, x20, [sp, #16]",
    "ldp x29, x30, [sp], #160",
    "ret",
    ".size calls_back, .-calls_back",
    ".globl calls_back_plainly",
    ".type calls_back_plainly,@function",
    "calls_back_plainly:",
    "b calls_back",
    ".size calls_back_plainly, .-calls_back_plainly",
    called_back = sym called_back,
);

mod c {
    unsafe extern "C" {
        pub fn calls_back_plainly(x: u64) -> u64;
    }
}

mod c_unwind {
    unsafe extern "C-unwind" {
        pub fn calls_back(x: u64) -> u64;
    }
}

/// Through lets a panic leave the assembly if x is 7.
#[rustgo::export]
pub fn through(x: u64) -> u64 {
    let _counted = Counted;
    // SAFETY: the function follows C's convention.
    unsafe { c_unwind::calls_back(x) }
}

/// Caught catches the panic, and returns a digest of values that the compiler may have kept in registers over the call.
#[rustgo::export]
pub fn caught(x: u64) -> u64 {
    let values: [u64; 6] = black_box([11, 12, 13, 14, 15, 16]);
    let [a, b, c, d, e, f] = values.map(|value| value * x);
    let numbers = black_box([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0f64]).map(|number| number * x as f64);
    // SAFETY: the function follows C's convention.
    let result = catch_unwind(AssertUnwindSafe(|| unsafe { c_unwind::calls_back(x) })).unwrap_or(1000);
    let sum = numbers.iter().fold(0.0, |sum, number| sum * 2.0 + number);
    [a, b, c, d, e, f].iter().fold(result, |sum, value| sum * 3 + value) + sum as u64
}

/// Stuck calls the assembly as a function that does not unwind. If x is 7, the panic cannot leave the assembly.
#[rustgo::export]
pub fn stuck(x: u64) -> u64 {
    let counted = Counted;
    let text = x.to_string();
    // SAFETY: the function follows C's convention, and unwinds only if x is 7.
    let result = unsafe { c::calls_back_plainly(x) };
    // This call may unwind, so the function has a table of landing pads.
    through(result + 100);
    drop(counted);
    result + text.len() as u64
}

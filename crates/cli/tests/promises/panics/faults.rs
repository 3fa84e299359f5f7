//! The exports fault while the frame pointer register holds an arbitrary value. Go recovers the faults, and follows the chain of frame pointers.
#![no_std]

use core::arch::{asm, naked_asm};
use core::fmt;
use core::hint::black_box;

/// Reads the word at `address` while the frame pointer's register holds `frame_pointer`.
///
/// # Safety
/// None; the address may be 0, so that the read faults.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn read(address: u64, frame_pointer: u64) -> u64 {
    naked_asm!("push rbp", "mov rbp, rsi", "mov rax, [rdi]", "pop rbp", "ret")
}

/// # Safety
/// None; the address may be 0, so that the read faults.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn read(address: u64, frame_pointer: u64) -> u64 {
    naked_asm!("stp x29, x30, [sp, #-16]!", "mov x29, x1", "ldr x0, [x0]", "ldp x29, x30, [sp], #16", "ret")
}

/// Reads `address`, which faults, while the frame pointer register holds the number `frame_pointer`.
#[rustgo::export]
pub fn fault_with(address: u64, frame_pointer: u64) -> u64 {
    // SAFETY: none; the test expects the fault.
    unsafe { read(address, frame_pointer) }
}

/// Reads `address`, which faults, while the frame pointer register points to two words of the frame that hold `next` and `pc`.
#[rustgo::export]
pub fn fault_with_words(address: u64, next: u64, pc: u64) -> u64 {
    let words = black_box([next, pc]);
    // SAFETY: none; the test expects the fault.
    unsafe { read(address, words.as_ptr() as u64) ^ words[0] }
}

/// Reads `address`, which faults, while the frame pointer register points to a word of the frame that holds its own address.
#[rustgo::export]
pub fn fault_with_cycle(address: u64) -> u64 {
    let mut words = black_box([0u64; 2]);
    words[0] = words.as_ptr() as u64;
    let words = black_box(&words);
    // SAFETY: none; the test expects the fault.
    unsafe { read(address, words.as_ptr() as u64) ^ words[0] }
}

/// Reads `address`, which faults, while the frame pointer register points to the slice that Go passed.
#[rustgo::export]
pub fn fault_with_slice(address: u64, words: &[u64]) -> u64 {
    // SAFETY: none; the test expects the fault.
    unsafe { read(address, words.as_ptr() as u64) }
}

/// Reads `address`, which faults, while the code has more live values than there are registers.
#[rustgo::export]
pub fn fault_under_pressure(address: u64, number: u64) -> u64 {
    let kept = |n: u64| {
        let mut value = number.wrapping_add(n);
        // SAFETY: the assembly is empty. Its operand makes the compiler compute the value into a register before the read.
        unsafe { asm!("/* {0} */", inout(reg) value, options(nostack, preserves_flags)) };
        value
    };
    macro_rules! all {
        ($($value:ident)*) => {{
            let mut n = 0;
            $(
                n += 1;
                let $value = kept(n);
            )*
            // SAFETY: none; the test expects the fault.
            let mut sum = unsafe { (address as *const u64).read_volatile() };
            $(sum = (sum ^ $value).wrapping_mul($value | 1);)*
            sum
        }};
    }
    all!(a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff)
}

struct Faults(u64);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: none; the test expects the fault.
        write!(f, "{}", unsafe { (self.0 as *const u64).read_volatile() })
    }
}

/// Panics with a message whose formatting faults.
#[rustgo::export]
pub fn panic_of_faults(address: u64) {
    panic!("{}", Faults(address))
}

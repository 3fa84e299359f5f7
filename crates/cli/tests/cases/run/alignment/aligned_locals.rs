//! Locals whose type requires 16 bytes lie on multiples of 16, wherever Go's stack pointer is. The low bits of their addresses
//! are part of each result, and of a panic's message.
#![no_std]

use core::hint::black_box;
use core::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy)]
#[repr(align(16))]
struct Buf(u64);

/// The address modulo 16, hidden from the compiler, which would compute 0.
fn left<T: ?Sized>(at: &T) -> u64 {
    black_box(at as *const T as *const u8 as usize) as u64 % 16
}

/// Small enough that its body could be fused into the entry.
#[rustgo::export]
pub fn by_reference(x: u64) -> u64 {
    let buf = Buf(x);
    left(black_box(&buf)) << 32 ^ buf.0
}

#[inline(never)]
fn taken(buf: &Buf) -> u64 {
    left(buf) << 32 ^ buf.0
}

/// The callee checks the address, and its caller computes it.
#[rustgo::export]
pub fn by_callee(x: u64) -> u64 {
    taken(&Buf(x)) ^ taken(&Buf(x / 3))
}

#[inline(never)]
fn local(x: u64) -> u64 {
    let buf = black_box(Buf(x));
    left(&buf) << 32 ^ buf.0
}

/// The local belongs to a callee.
#[rustgo::export]
pub fn of_callee(x: u64) -> u64 {
    local(x).wrapping_mul(3) ^ local(x / 7)
}

/// The low bits of an address hold a tag, as in many tree structures.
#[rustgo::export]
pub fn tagged(x: u64) -> u64 {
    let buf = Buf(x);
    let pointer = black_box((&raw const buf).map_addr(|at| at | (x as usize & 15)));
    let tag = pointer.addr() & 15;
    // SAFETY: without the tag it points to `buf`, which lies on a multiple of 16.
    let value = unsafe { (*pointer.map_addr(|at| at & !15)).0 };
    value.wrapping_mul(17) ^ tag as u64
}

trait Look {
    fn look(&self) -> u64;
}

impl Look for Buf {
    #[inline(never)]
    fn look(&self) -> u64 {
        left(self) << 32 ^ self.0
    }
}

impl Look for u64 {
    #[inline(never)]
    fn look(&self) -> u64 {
        local(*self)
    }
}

/// Through a table of functions.
#[rustgo::export]
pub fn through_dyn(x: u64) -> u64 {
    let (buf, number) = (Buf(x), x / 5);
    let looks: [&dyn Look; 2] = [&buf, &number];
    black_box(looks)[x as usize % 2].look()
}

/// In a closure that another function calls.
#[rustgo::export]
pub fn in_closure(x: u64) -> u64 {
    let buf = Buf(x);
    each(&mut |n| left(black_box(&buf)) << 32 ^ local(n) ^ buf.0, x)
}

#[inline(never)]
fn each(look: &mut dyn FnMut(u64) -> u64, x: u64) -> u64 {
    (0..4).fold(x, |sum, n| sum.rotate_left(5) ^ look(n))
}

/// At each level of a recursion.
#[rustgo::export(stack = "64k")]
pub fn recursive(x: u64) -> u64 {
    level(x % 20, x)
}

#[inline(never)]
fn level(depth: u64, x: u64) -> u64 {
    let buf = black_box(Buf(x ^ depth));
    let below = if depth == 0 { 1 } else { level(depth - 1, x.rotate_left(1)) };
    left(&buf) << 32 ^ buf.0 ^ below.rotate_left(7)
}

static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Through a pointer that is kept in memory as a number, so its target is unknown.
#[rustgo::export]
pub fn through_memory(x: u64) -> u64 {
    let functions: [fn(u64) -> u64; 2] = [local, wide];
    CHOSEN.store(black_box(functions)[x as usize % 2] as usize, Ordering::Relaxed);
    // SAFETY: the number is the address of one of the two functions.
    let chosen: fn(u64) -> u64 = unsafe { core::mem::transmute(CHOSEN.load(Ordering::Relaxed)) };
    chosen(x)
}

/// The compiler's own 16-byte types.
#[inline(never)]
fn wide(x: u64) -> u64 {
    let number = black_box(u128::from(x) * u128::from(x));
    #[cfg(target_arch = "x86_64")]
    let vector = black_box(unsafe { core::arch::x86_64::_mm_set1_epi64x(x as i64) });
    #[cfg(not(target_arch = "x86_64"))]
    let vector = black_box(number);
    left(&number) << 32 ^ left(&vector) << 40 ^ (number >> 32) as u64
}

#[rustgo::export]
pub fn wide_numbers(x: u64) -> u64 {
    wide(x) ^ wide(x / 9)
}

/// The caller needs no alignment; only the code on the way to the panic does.
#[rustgo::export]
pub fn message_panics(x: u64) -> u64 {
    if x == u64::MAX {
        told(x);
    }
    x / 3
}

#[cold]
#[inline(never)]
fn told(x: u64) -> ! {
    let buf = black_box(Buf(x / 2));
    panic!("{} bytes off with {}, {} deeper", left(&buf), buf.0, local(9));
}

/// The panicking function computes the address of the local itself.
#[rustgo::export]
pub fn own_message_panics(x: u64) -> u64 {
    if x == u64::MAX {
        let buf = Buf(x / 2);
        panic!("{} bytes off with {}", left(black_box(&buf)), buf.0);
    }
    x / 3
}

struct Shown(Buf);

impl core::fmt::Display for Shown {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let own = black_box(Buf(self.0.0 / 3));
        write!(f, "{} and {} bytes off", left(self), left(&own))
    }
}

/// The formatter checks the address, on the stack where messages are formatted.
#[rustgo::export]
pub fn display_panics(x: u64) -> u64 {
    if x == u64::MAX {
        panic!("{}", Shown(Buf(x / 2)));
    }
    x / 5
}

//! Blocking calls notify Go's scheduler, so a garbage collection does not wait for them. Otherwise they behave as ordinary calls.
use std::cell::Cell;
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The number of calls of Wait that are running.
static INSIDE: AtomicU32 = AtomicU32::new(0);
static STOP: AtomicU32 = AtomicU32::new(0);

/// The number of rounds after which WaitFor ends if Release is not called.
const FOREVER: u64 = 1 << 36;

fn work(rounds: u64) -> u64 {
    let mut state = rounds | 1;
    for _ in 0..rounds {
        state = black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
    }
    state
}

/// Spin works for the given number of rounds.
#[rustgo::export(blocking)]
pub fn spin(rounds: u64) -> u64 {
    work(rounds)
}

/// OrdinarySpin does the work of Spin in an ordinary call.
#[rustgo::export]
pub fn ordinary_spin(rounds: u64) -> u64 {
    work(rounds)
}

/// Nothing does nothing and returns at once.
#[rustgo::export(blocking)]
pub fn nothing(x: u64) -> u64 {
    x + 1
}

/// Text returns the data after some work. Go copies the result after the call.
#[rustgo::export(blocking)]
pub fn text(data: &[u8], rounds: u64) -> &str {
    work(rounds);
    std::str::from_utf8(data).expect("text")
}

/// Wait spins until Release(1) is called, or for `rounds` rounds. It returns the number of rounds left.
#[rustgo::export(blocking)]
pub fn wait(rounds: u64) -> u64 {
    INSIDE.fetch_add(1, Ordering::SeqCst);
    let mut left = rounds;
    while left > 0 && STOP.load(Ordering::SeqCst) == 0 {
        left -= 1;
        std::hint::spin_loop();
    }
    INSIDE.fetch_sub(1, Ordering::SeqCst);
    left
}

/// Inside returns the number of running calls of Wait.
#[rustgo::export]
pub fn inside() -> u32 {
    INSIDE.load(Ordering::SeqCst)
}

/// Release(1) ends all running calls of Wait. Release(0) lets later calls of Wait run.
#[rustgo::export]
pub fn release(stop: u32) {
    STOP.store(stop, Ordering::SeqCst);
}

/// WaitFor waits for Release, and then adds up the slices. Meanwhile the garbage collector must find the slices on the stack.
#[rustgo::export(blocking)]
pub fn wait_for(a: &[u64], b: &[u64], s: &str) -> u64 {
    wait(FOREVER);
    a.iter().chain(b).sum::<u64>() + s.len() as u64
}

/// Over is a blocking call if its arguments have more than 1000 bytes, and an ordinary call otherwise.
#[rustgo::export(blocking_over = 1000)]
pub fn over(a: &[u64], s: &str, b: &[[u8; 3]]) -> usize {
    black_box(a.len() + s.len() + b.len())
}

/// WaitOverFor waits as Wait does. It is a blocking call only if its arguments have more than 100 bytes.
#[rustgo::export(blocking_over = 100)]
pub fn wait_over_for(a: &[u16], s: &str, rounds: u64) -> u64 {
    wait(rounds) + black_box(a.len() + s.len()) as u64
}

/// Panics panics after some work. The panic message contains the values of local variables.
#[rustgo::export(blocking)]
pub fn panics(rounds: u64, text: &str) -> u64 {
    let local = format!("{text} after {rounds}: {}", work(rounds) > 0);
    assert!(text.is_empty(), "a panic: {local}");
    local.len() as u64
}

/// Reads reads the byte at an address, which may fault.
#[rustgo::export(blocking)]
pub fn reads(rounds: u64, at: usize) -> u8 {
    work(rounds);
    // SAFETY: none; the test expects the fault.
    unsafe { std::ptr::with_exposed_provenance::<u8>(at).read_volatile() }
}

/// Divides uses the processor's division instruction, which may fault.
#[rustgo::export(blocking)]
pub fn divides(x: u64, by: u64) -> u64 {
    let mut quotient = x;
    // SAFETY: none; the test expects the fault.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("div {by}", by = in(reg) by, inout("rax") quotient, inout("rdx") 0_u64 => _);
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        // SAFETY: none; the test expects the fault. On this machine the division instruction does not fault, so the code reads address 0.
        quotient = if by == 0 { unsafe { std::ptr::null::<u64>().read_volatile() } } else { x / by };
    }
    quotient
}

/// Recurses recurses `depth` levels deep. Each level needs some stack.
#[rustgo::export(blocking, stack = "64k")]
pub fn recurses(depth: u64) -> u64 {
    let block = black_box([depth; 8]);
    if depth == 0 { block[0] } else { black_box(recurses(depth - 1)) + block[7] - depth + 1 }
}

/// Large has a frame of more than 100,000 bytes.
#[rustgo::export(blocking)]
pub fn large(x: u8) -> u64 {
    let block = black_box([x; 100_000]);
    block.iter().map(|&byte| u64::from(byte)).sum()
}

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Churn allocates and frees blocks of many sizes. It returns how often the content of a block or thread-local variable was wrong.
#[rustgo::export(blocking)]
pub fn churn(seed: u64, rounds: usize) -> usize {
    churned(seed, rounds)
}

/// OrdinaryChurn does the work of Churn in an ordinary call.
#[rustgo::export]
pub fn ordinary_churn(seed: u64, rounds: usize) -> usize {
    churned(seed, rounds)
}

fn churned(seed: u64, rounds: usize) -> usize {
    let mut held: HashMap<u64, Vec<u8>> = HashMap::new();
    let (mut state, mut wrong) = (seed | 1, 0);
    for _ in 0..rounds {
        COUNT.set(seed);
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let (key, size, mark) = (state >> 58, (state >> 33) as usize % (1 << ((state >> 20) % 14)), state as u8);
        if let Some(old) = held.insert(key, vec![mark; size]) {
            wrong += usize::from(old.iter().any(|&byte| byte != old[0]));
        }
        wrong += usize::from(COUNT.get() != seed);
    }
    wrong + held.values().filter(|bytes| bytes.iter().any(|&byte| byte != bytes[0])).count()
}

static TOTAL: AtomicU64 = AtomicU64::new(0);

/// Put allocates a box that Take frees.
#[rustgo::export(blocking)]
pub fn put(x: u64) -> usize {
    TOTAL.fetch_add(1, Ordering::Relaxed);
    Box::into_raw(Box::new([x, !x])).expose_provenance()
}

/// Take frees a box that Put allocated, and returns its content.
#[rustgo::export]
pub fn take(at: usize) -> u64 {
    // SAFETY: `put` allocated the box, and each box is taken once.
    let [x, y] = *unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<[u64; 2]>(at)) };
    if x == !y { x } else { u64::MAX }
}

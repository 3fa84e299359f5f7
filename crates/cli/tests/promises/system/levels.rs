//! A package has code for several CPU levels, and runs the code of one level. Some functions have different code at each level, and other
//! functions have one code for all levels. Both kinds share statics.
//@ args: --cpu x86-64,x86-64-v2,x86-64-v3,x86-64-v3+crypto,x86-64-v4,x86-64-v4+crypto,armv8-a,armv8-a+lse,armv8-a+lse+crypto
//@ native: dots floats deep
#![no_std]
use core::hint::black_box;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

/// Level returns the number of the CPU level for which this code is compiled.
#[rustgo::export]
pub fn level() -> u64 {
    match () {
        () if cfg!(target_arch = "aarch64") => 1 + cfg!(target_feature = "lse") as u64 + cfg!(target_feature = "aes") as u64,
        () if cfg!(target_feature = "vaes") => 6,
        () if cfg!(target_feature = "avx512f") => 5,
        () if cfg!(target_feature = "aes") => 4,
        () if cfg!(target_feature = "avx2") => 3,
        () if cfg!(target_feature = "popcnt") => 2,
        () => 1,
    }
}

/// `Dots` multiplies vectors of different lengths with the vector instructions of its level.
#[rustgo::export]
pub fn dots(x: u64) -> u64 {
    let mut a = [0u32; 200];
    let mut b = [0u64; 100];
    (0..).zip(&mut a).for_each(|(i, a)| *a = (x as u32).wrapping_mul(i).rotate_left(i));
    (0..).zip(&mut b).for_each(|(i, b)| *b = x.rotate_right(i as u32).wrapping_add(i));
    let length = x as usize % 200;
    let (a, b) = (&black_box(a)[..length], &black_box(b)[..length / 2]);
    let sum = a.iter().zip(&a[length / 3..]).fold(0u32, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)));
    b.iter().fold(u64::from(sum), |sum, x| sum.wrapping_mul(31) ^ u64::from(x.count_ones() + x.leading_zeros()))
}

/// Floats returns the same result at all levels, because no multiplication is fused with an addition.
#[rustgo::export]
pub fn floats(x: u64) -> u64 {
    let at = |i: u64| black_box((x ^ i.wrapping_mul(0x9e37_79b9)) as f64) / 3.0;
    (0..64).fold(0.1f64, |sum, i| sum * 0.75 + at(i) * at(i + 1)).to_bits()
}

static COUNTS: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// Two statics with equal initial values, which must remain two separate variables.
static FIRST: AtomicU64 = AtomicU64::new(7);
static SECOND: AtomicU64 = AtomicU64::new(7);

/// Count counts the bits of x that are 1, and its own calls. Its code differs between levels.
#[rustgo::export]
pub fn count(x: u64) {
    COUNTS[0].fetch_add(x.count_ones().into(), SeqCst);
    COUNTS[1].fetch_add(1, SeqCst);
    FIRST.store(x | x.leading_zeros() as u64, SeqCst);
}

/// Counted returns the two numbers of Count (ones, calls), the value that Count stored last (first), and a static that nothing changes (second).
/// Its code is equal at all levels, so the package has it once.
#[rustgo::export(results(ones, calls, first, second))]
pub fn counted() -> (u64, u64, u64, u64) {
    (COUNTS[0].load(SeqCst), COUNTS[1].load(SeqCst), FIRST.load(SeqCst), SECOND.load(SeqCst))
}

type Step = fn(u64) -> u64;

fn ones(x: u64) -> u64 {
    x.count_ones().into()
}

fn zeros(x: u64) -> u64 {
    x.trailing_zeros().into()
}

static STEPS: [Step; 2] = [ones, zeros];
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Choose stores the address of a function from a table. The code of all these functions differs between levels.
#[rustgo::export]
pub fn choose(index: usize) {
    CHOSEN.store(black_box(&STEPS)[index] as usize, SeqCst);
}

/// Chosen finds the stored address in the table of functions, and calls that function.
#[rustgo::export(results(index, result))]
pub fn chosen(x: u64) -> (i64, u64) {
    let chosen = CHOSEN.load(SeqCst);
    let index = black_box(&STEPS).iter().position(|step| *step as usize == chosen);
    (index.map_or(-1, |index| index as i64), index.map_or(0, |index| STEPS[index](x)))
}

/// Deeper recurses. Its code differs between levels.
#[rustgo::export(stack = "64k")]
pub fn deeper(depth: u64) -> u64 {
    let room = black_box([depth; 16]);
    if depth == 0 { 0 } else { black_box(deeper(depth - 1)) + u64::from(room[depth as usize % 16].count_ones()) }
}

/// `Deep` recurses within its budget.
#[rustgo::export]
pub fn deep(x: u64) -> u64 {
    deeper(x % 100)
}

struct Ones(u64);

impl core::fmt::Display for Ones {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ones in {:#x}", self.0.count_ones(), self.0)
    }
}

/// Refuse panics if x is odd. Code of the level in use formats the message.
#[rustgo::export]
pub fn refuse(x: u64) -> u64 {
    if x % 2 == 1 {
        panic!("{}, at level {}", Ones(x), level());
    }
    x.count_ones().into()
}

/// Sum is a blocking call for more than 64 bytes. Its code differs between levels.
#[rustgo::export(blocking_over = 64)]
pub fn sum(values: &[u32]) -> u64 {
    values.iter().fold(0, |sum, &x| sum + u64::from(x.count_ones()))
}

trait Word: Copy {
    fn word(self) -> u32;
}

impl Word for u32 {
    #[inline(always)]
    fn word(self) -> u32 {
        self
    }
}

impl Word for [u8; 4] {
    #[inline(always)]
    fn word(self) -> u32 {
        u32::from_ne_bytes(self)
    }
}

/// Has the same machine code and the same source lines for both types `T`.
#[inline(never)]
fn load<T: Word>(x: &T) -> u32 {
    let x = *x;
    x.word()
}

static LOADER: AtomicUsize = AtomicUsize::new(0);

fn loader(second: bool) -> usize {
    match black_box(second) {
        false => load::<u32> as fn(&u32) -> u32 as usize,
        true => load::<[u8; 4]> as fn(&[u8; 4]) -> u32 as usize,
    }
}

#[inline(always)]
fn loaders() -> [bool; 2] {
    [false, true].map(|second| LOADER.load(SeqCst) == loader(second))
}

/// `ChooseLoader` stores the address of one of two functions with equal code. `ChooseLoader` has one code for all levels.
#[rustgo::export]
pub fn choose_loader(second: bool) {
    LOADER.store(loader(second), SeqCst);
}

/// LoaderIs reports for each of the two functions whether its address is stored.
#[rustgo::export]
pub fn loader_is() -> [bool; 2] {
    loaders()
}

/// `LoaderHere` does what LoaderIs does, with code that differs between levels.
#[rustgo::export(results(is, ones))]
pub fn loader_here(x: u32) -> ([bool; 2], u32) {
    (loaders(), load(&x) ^ load(&x.to_ne_bytes()) ^ x.count_ones())
}

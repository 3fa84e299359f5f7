//! Function pointers that panicking code leaves in memory, and that a later call uses.
#![no_std]

use core::cell::UnsafeCell;
use core::fmt;
use core::hint::black_box;

type Hook = fn(u64) -> u64;

struct Hooks(UnsafeCell<[Hook; 2]>);
unsafe impl Sync for Hooks {}

static HOOKS: Hooks = Hooks(UnsafeCell::new([calm, calm]));

fn calm(x: u64) -> u64 {
    x + 1
}

/// A function that writes to all N bytes of its frame.
fn deep<const N: usize>(x: u64) -> u64 {
    let mut local = [0u8; N];
    black_box(&mut local)[(x as usize) % N] = 1;
    black_box(&local).iter().map(|&b| u64::from(b)).sum::<u64>() + x * N as u64
}

/// A function that panics.
fn fails(x: u64) -> u64 {
    panic!("called with {x}")
}

/// A function that recurses.
fn recurses(x: u64) -> u64 {
    let local = black_box([x; 64]);
    if x == 0 { 0 } else { black_box(back as Hook)(x) + black_box(&local)[9] / x }
}

#[inline(never)]
fn back(x: u64) -> u64 {
    black_box(recurses as Hook)(x - 1)
}

/// A function that calls the hook again.
fn again(x: u64) -> u64 {
    if x == 0 { 5 } else { 1 + call(x - 1, 0) }
}

static ARRAY: [Hook; 2] = [deep::<20_000>, deep::<20_008>];
static SMALL: [Hook; 2] = [deep::<24>, fails];
static CYCLES: [Hook; 2] = [again, recurses];
static COPIED: [Hook; 2] = [deep::<20_016>, deep::<20_024>];

fn hooks() -> *mut [Hook; 2] {
    black_box(HOOKS.0.get())
}

/// Call calls the hook that is set.
#[rustgo::export(name = "Call")]
pub fn call(x: u64, which: u64) -> u64 {
    // SAFETY: the test calls from one goroutine at a time.
    let hook = unsafe { (*hooks())[which as usize & 1] };
    black_box(hook)(x)
}

/// CallDeep does the same above a frame of its own.
#[rustgo::export]
pub fn call_deep(x: u64, which: u64) -> u64 {
    let mut local = [0u8; 3000];
    black_box(&mut local)[5] = 3;
    call(x, which) + u64::from(black_box(&local)[5]) - 3
}

/// Reset sets the initial hooks.
#[rustgo::export]
pub fn reset() {
    // SAFETY: as in `call`.
    unsafe { *hooks() = [calm, calm] };
}

#[inline(never)]
fn put(to: *mut Hook, hook: Hook) {
    // SAFETY: as in `call`.
    unsafe { *black_box(to) = hook };
}

struct Leaks<'a>(&'a UnsafeCell<[Hook; 2]>);

impl fmt::Display for Leaks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: as in `call`.
        unsafe { *black_box(self.0.get()) = [deep::<20_032>, deep::<20_040>] };
        f.write_str("leaked while formatting")
    }
}

/// Leak sets hooks in one of several ways, and panics.
#[rustgo::export]
pub fn leak(way: u64) -> u64 {
    match way {
        // Both at once, by a vector register.
        0 => unsafe {
            *hooks() = *black_box(&ARRAY);
            panic!("leaked")
        },
        // Without reading the value.
        1 => unsafe {
            core::ptr::copy_nonoverlapping(black_box(&COPIED).as_ptr(), hooks().cast(), black_box(2));
            panic!("leaked")
        },
        // Through another function.
        2 => {
            put(hooks().cast(), deep::<20_048>);
            put(unsafe { hooks().cast::<Hook>().add(1) }, deep::<20_056>);
            panic!("leaked")
        }
        3 => panic!("{}", Leaks(&HOOKS.0)),
        4 => unsafe {
            *hooks() = *black_box(&SMALL);
            panic!("leaked")
        },
        5 => unsafe {
            *hooks() = *black_box(&CYCLES);
            panic!("leaked")
        },
        _ => 0,
    }
}

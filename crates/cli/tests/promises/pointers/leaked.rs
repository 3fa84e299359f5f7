//! Code that panics leaves function pointers ("hooks") in memory, and a later call uses these pointers.
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

/// Uses a local array of N bytes.
fn deep<const N: usize>(x: u64) -> u64 {
    let mut local = [0u8; N];
    black_box(&mut local)[(x as usize) % N] = 1;
    black_box(&local).iter().map(|&b| u64::from(b)).sum::<u64>() + x * N as u64
}

/// Panics with its argument in the message.
fn fails(x: u64) -> u64 {
    panic!("called with {x}")
}

/// Recurses through pointers.
fn recurses(x: u64) -> u64 {
    let local = black_box([x; 64]);
    if x == 0 { 0 } else { black_box(back as Hook)(x) + black_box(&local)[9] / x }
}

#[inline(never)]
fn back(x: u64) -> u64 {
    black_box(recurses as Hook)(x - 1)
}

/// Calls the stored hook with index 0, which may be `again` itself.
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

/// Call calls the stored hook with the index `which`.
#[rustgo::export(name = "Call")]
pub fn call(x: u64, which: u64) -> u64 {
    // SAFETY: the test calls from one goroutine at a time.
    let hook = unsafe { (*hooks())[which as usize & 1] };
    black_box(hook)(x)
}

/// CallDeep does what Call does, but has a frame of more than 3000 bytes.
#[rustgo::export]
pub fn call_deep(x: u64, which: u64) -> u64 {
    let mut local = [0u8; 3000];
    black_box(&mut local)[5] = 3;
    call(x, which) + u64::from(black_box(&local)[5]) - 3
}

/// Reset sets the initial hooks.
#[rustgo::export]
pub fn reset() {
    // SAFETY: the test calls from one goroutine at a time.
    unsafe { *hooks() = [calm, calm] };
}

#[inline(never)]
fn put(to: *mut Hook, hook: Hook) {
    // SAFETY: the test calls from one goroutine at a time.
    unsafe { *black_box(to) = hook };
}

struct Leaks<'a>(&'a UnsafeCell<[Hook; 2]>);

impl fmt::Display for Leaks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the test calls from one goroutine at a time.
        unsafe { *black_box(self.0.get()) = [deep::<20_032>, deep::<20_040>] };
        f.write_str("leaked while formatting")
    }
}

/// Leak stores two hooks in the selected way, and then panics.
#[rustgo::export]
pub fn leak(way: u64) -> u64 {
    match way {
        // Store both hooks at once through a vector register.
        0 => unsafe {
            *hooks() = *black_box(&ARRAY);
            panic!("leaked")
        },
        // Copy both hooks with a memory copy, which does not look at their values.
        1 => unsafe {
            core::ptr::copy_nonoverlapping(black_box(&COPIED).as_ptr(), hooks().cast(), black_box(2));
            panic!("leaked")
        },
        // Store the hooks in a separate function.
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

//@ manifest: scoped-tls = "1"
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! A crate with a dependency that is sound only if no code goes on after a call whose destructors have not run. Panics run the destructors. Where a
//! call would abandon its frames, the process ends.

use std::hint::black_box;

scoped_tls::scoped_thread_local!(static SCOPED: u64);

/// Set reports whether the scoped variable is still set on this thread although no call that sets it is running.
#[rustgo::export]
pub fn set() -> bool {
    SCOPED.is_set()
}

/// Panics panics while the variable is set, if x is 7. Otherwise it returns the variable's value.
#[rustgo::export]
pub fn panics(x: u64) -> u64 {
    let local = x + 1;
    SCOPED.set(&local, || {
        assert!(x != 7, "met {x}");
        SCOPED.with(|value| *value)
    })
}

/// Recurses recurses `depth` levels deep while the variable is set.
#[rustgo::export(stack = "16k")]
pub fn recurses(depth: u64) -> u64 {
    fn down(depth: u64) -> u64 {
        if depth == 0 { SCOPED.with(|value| *value) } else { black_box(down(black_box(depth - 1))) + 1 }
    }
    SCOPED.set(&1, || down(depth))
}

struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("in a destructor");
    }
}

/// Twice panics, and a destructor that runs because of this panic panics too.
#[rustgo::export]
pub fn twice(x: u64) -> u64 {
    SCOPED.set(&1, || {
        let _panics = Panics;
        assert!(black_box(x) == u64::MAX, "first");
        0
    })
}

extern "C" fn must_not_unwind(x: u64) -> u64 {
    assert!(x != 7, "met {x}");
    x
}

/// Foreign calls a function that must not unwind. The function panics if x is 7.
#[rustgo::export]
pub fn foreign(x: u64) -> u64 {
    let f: extern "C" fn(u64) -> u64 = black_box(must_not_unwind);
    SCOPED.set(&1, || f(x) + SCOPED.with(|value| *value))
}

struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        SCOPED.set(&1, || panic!("in the destructor of a payload"));
    }
}

/// Drops panics with a payload whose destructor panics, if x is 7.
#[rustgo::export]
pub fn drops(x: u64) -> u64 {
    if black_box(x) == 7 { std::panic::panic_any(Payload) } else { x }
}

struct Unprintable;

impl std::fmt::Display for Unprintable {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("cannot be printed")
    }
}

/// Unprinted panics with a message whose formatting panics, if x is 7.
#[rustgo::export]
pub fn unprinted(x: u64) -> u64 {
    SCOPED.set(&1, || if black_box(x) == 7 { panic!("{Unprintable}") } else { x })
}

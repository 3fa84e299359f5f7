//! A thread-local variable.
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    CALLS.with(|calls| {
        calls.set(calls.get() + x);
        calls.get()
    })
}

//! The crate does not compile, and only the compiler's message is shown. (The message has no line of the library, whose sources may be missing.)
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    twice(x == 1)
}

fn twice(x: u64) -> u64 {
    2 * x
}

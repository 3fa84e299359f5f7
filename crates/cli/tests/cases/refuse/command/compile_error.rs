//! The crate does not compile: the compiler speaks for itself. (Its message shows no line of the library, whose sources are not on every machine.)
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    twice(x == 1)
}

fn twice(x: u64) -> u64 {
    2 * x
}

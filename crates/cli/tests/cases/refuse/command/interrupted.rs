//! Ctrl-C while cargo runs a build script: cargo ends, and nothing is left half-written.
//@ file rust/build.rs: fn main() { std::fs::write("../begun", "").unwrap(); std::thread::sleep(std::time::Duration::from_secs(60)) }
//@ interrupt: begun
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}

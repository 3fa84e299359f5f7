//! `unsafe(inline)`, which is `unsafe` where the author has written so.
#![deny(warnings, unsafe_code, missing_docs, missing_debug_implementations)]

/// In Go's memory, though it could be moved only.
#[rustgo::object(unsafe(inline))]
#[allow(unsafe_code)]
#[derive(Debug)]
pub struct Trusted(u64);

#[rustgo::export]
impl Trusted {
    /// Get gets.
    pub fn get(&self) -> u64 {
        self.0
    }
}

fn main() {}

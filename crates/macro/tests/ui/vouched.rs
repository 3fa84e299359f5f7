//! The `unsafe` of `unsafe(inline)` is subject to the author's lint levels.
#![deny(warnings, unsafe_code, missing_docs, missing_debug_implementations)]

/// A type in Go's memory that is not `Copy`.
#[rustgo::object(unsafe(inline))]
#[allow(unsafe_code)]
#[derive(Debug)]
pub struct Trusted(u64);

#[rustgo::export]
impl Trusted {
    /// Get returns the object's number.
    pub fn get(&self) -> u64 {
        self.0
    }
}

fn main() {}

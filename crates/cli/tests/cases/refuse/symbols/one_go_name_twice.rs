//! Two functions that would have one name in Go.
#![no_std]

#[rustgo::export]
pub fn sum_256(x: u64) -> u64 {
    x + 1
}

pub mod more {
    #[rustgo::export(name = "Sum256")]
    pub fn other(x: u64) -> u64 {
        x + 2
    }
}

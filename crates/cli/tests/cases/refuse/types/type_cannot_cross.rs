//! Types that cannot cross the boundary to Go.
#![no_std]
extern crate alloc;

pub struct Point {
    pub x: u64,
}

#[rustgo::export]
pub fn run(values: alloc::vec::Vec<u64>, point: Point) -> u64 {
    values[0] + point.x
}

#[rustgo::export]
pub fn by_trait(at: Point) -> u64 {
    at.x
}

#![allow(unused)]

#[rustgo::export]
pub struct Point {
    x: u8,
}

#[rustgo::export]
mod module {}

#[rustgo::export]
const ONE: u8 = 1;

trait Hash {
    #[rustgo::export]
    fn hash(x: u8);
}

fn main() {}

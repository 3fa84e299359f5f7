#![allow(unused)]

#[rustgo::export]
pub struct Point {
    x: u8,
}

#[rustgo::export]
mod module {}

trait Hash {
    #[rustgo::export]
    fn hash(x: u8);
}

fn main() {}

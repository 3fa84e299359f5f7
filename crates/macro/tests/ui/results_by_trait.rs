#![allow(unused)]

pub struct Point {
    pub x: u8,
}

type Parts = Result<(u8, bool), Point>;
type Maybe = Option<u8>;
type Pair = (u8, u8);
type Reference<'a> = &'a u64;
type Forever = &'static mut [u8];

#[rustgo::export]
pub fn own_type() -> Point {
    Point { x: 1 }
}

#[rustgo::export]
pub fn own_part() -> (u8, Point) {
    (1, Point { x: 1 })
}

#[rustgo::export]
pub fn hidden_parts() -> Parts {
    Ok((1, true))
}

#[rustgo::export]
pub fn own_generic(x: u8) -> Option<Point> {
    None
}

#[rustgo::export]
pub fn two_reasons(point: Point) -> Point {
    point
}

#[rustgo::export]
pub fn lists() -> (Vec<Point>, Vec<Vec<Point>>, Box<[Point]>) {
    loop {}
}

#[rustgo::export]
pub fn borrowed(x: &str) -> &[Point] {
    &[]
}

#[rustgo::export]
pub fn hidden(x: u64) -> (Maybe, u8) {
    (None, 1)
}

#[rustgo::export]
pub fn hidden_pair() -> Vec<Pair> {
    Vec::new()
}

#[rustgo::export]
pub fn hidden_reference(x: &u64) -> Reference<'_> {
    x
}

#[rustgo::export]
pub fn hidden_exclusive() -> Forever {
    &mut []
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Nothing {}

#[rustgo::export]
pub fn no_size() -> Vec<Nothing> {
    Vec::new()
}

fn main() {}

#![allow(unused)]

pub struct Point {
    pub x: u8,
}

type Parts = Result<(u8, bool), Point>;
type Bytes = Vec<u8>;
type Text = &'static str;

#[rustgo::export]
pub fn own_type() -> Point {
    Point { x: 1 }
}

#[rustgo::export]
pub fn own_part() -> (u8, Point) {
    (1, Point { x: 1 })
}

#[rustgo::export]
pub fn hidden_vec() -> Bytes {
    Vec::new()
}

#[rustgo::export]
pub fn hidden_reference() -> Text {
    ""
}

#[rustgo::export]
pub fn hidden_result() -> std::io::Result<u8> {
    Ok(1)
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

fn main() {}

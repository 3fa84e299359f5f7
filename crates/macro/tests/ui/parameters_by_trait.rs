//! What only the compiler can see.
#![allow(unused)]

use std::num::NonZeroU8;

pub struct Point {
    pub x: u8,
}

type Wide = u128;
type Bytes = Vec<u8>;
type Reference<'a> = &'a u64;

#[rustgo::export]
pub fn own_type(point: Point) {}

#[rustgo::export]
pub fn own_reference(a: u8, point: &Point) {}

#[rustgo::export]
pub fn own_elements(points: &[Point]) {}

#[rustgo::export]
pub fn own_array(points: &mut [[Point; 2]; 3]) {}

#[rustgo::export]
pub fn hidden_wide(x: Wide) {}

#[rustgo::export]
pub fn hidden_vec(bytes: Bytes, more: &Bytes) {}

#[rustgo::export]
pub fn hidden_reference(reference: Reference) {}

#[rustgo::export]
pub fn restricted(x: NonZeroU8, r#type: &[NonZeroU8]) {}

// The same name as a type of the prelude, and as the function.
#[rustgo::export]
pub fn u8(u8: Point) {}

fn main() {}

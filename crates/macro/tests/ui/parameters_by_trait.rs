//! Parameter types that only the compiler, not the syntax check, can refuse.
#![allow(unused)]

use std::num::NonZeroU8;

pub struct Point {
    pub x: u8,
}

pub enum Kind {
    One,
}

pub struct Wrapper<T>(T);

pub struct View<'a>(&'a [u8]);

type Text = std::string::String;
type Maybe = Option<u8>;
type Boxed = Box<[u8]>;
type Pair = (u8, u8);
type Pointer = *const u8;
type Function = fn(u8) -> u8;
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

#[rustgo::export]
pub fn hidden_text(text: Text, maybe: Maybe, boxed: Boxed, pair: Pair, pointer: Pointer, function: Function) {}

#[rustgo::export]
pub fn own_enum(kind: self::Kind, kinds: &mut [crate::Kind; 2]) {}

#[rustgo::export]
pub fn own_generic(wrapper: Wrapper<u8>, view: View, time: std::time::Duration) {}

#[rustgo::export]
pub fn single(x: Point) -> u8 {
    x.x
}

#[rustgo::export]
pub fn among_others(dst: &mut [u8], point: Point, key: &[u8; 32], text: &str) -> u64 {
    let x: u8 = point.x;
    dst[0] = x;
    u64::from(key[0])
}

// A type with the name of a prelude type, and a function with the same name.
#[rustgo::export]
pub fn u8(u8: Point) {}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Fine {
    pub x: u8,
}

#[rustgo::export]
pub fn among_values(x: &mut Point, y: Option<&Point>, z: Option<&mut Point>, fine: &mut Fine) {}

type Appended = rustgo::Append<u8>;

#[rustgo::export]
pub fn appends_hidden(a: &mut Appended, b: &mut Appended) {}

type AppendedTo<'a> = &'a mut Appended;

#[rustgo::export]
pub fn appends_more_hidden(a: AppendedTo<'_>, b: AppendedTo<'_>) {}

#[rustgo::export]
pub fn views(a: &[rustgo::GoStr<'_>], b: rustgo::Slices<'_, String>) {}

#[rustgo::object]
pub struct Regex(u8);

#[rustgo::export]
pub fn objects(a: &[Regex], b: Vec<Regex>) {}

fn main() {}

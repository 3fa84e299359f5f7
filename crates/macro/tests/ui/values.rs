//! Types that the derive macro must refuse as values.
#![allow(unused)]

#[derive(Clone, Copy, rustgo::Value)]
pub struct NoRepr {
    pub x: u8,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Private {
    pub x: u8,
    y: u8,
    pub(crate) z: u8,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Tuple(pub u8);

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Unit;

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub union Union {
    pub x: u8,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(u8)]
pub enum WithFields {
    A(u8),
}

#[derive(Clone, Copy, rustgo::Value)]
pub enum NoNumber {
    A,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub enum CNumber {
    A,
}

#[derive(Clone, Copy, rustgo::Value)]
pub enum Empty {}

#[derive(rustgo::Value)]
#[repr(C)]
pub struct NotCopy {
    pub x: u8,
}

#[derive(rustgo::Value)]
#[repr(u8)]
pub enum NotCopyEither {
    A,
}

pub struct Other;

#[derive(Clone, Copy)]
pub struct Another;

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Fields<'a> {
    pub text: &'a str,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct WrongFields {
    pub text: &'static str,
    pub another: Another,
    pub pair: (u8, u8),
    pub wide: u128,
    pub several: [Another; 2],
    pub option: Option<u8>,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C, align(16))]
pub struct Aligned {
    pub x: u64,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C, packed)]
pub struct Packed {
    pub x: u8,
    pub y: u64,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct AlignedByNothing {
    pub x: u8,
    pub y: [u64; 0],
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Generic<T> {
    pub x: T,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Lengthy<const N: usize> {
    pub x: [u8; N],
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
#[rustgo(name = "Not a name")]
pub struct Named {
    #[rustgo(name = "lower")]
    pub x: u8,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Fieldnames {
    #[rustgo(name = "lower")]
    pub x: u8,
    #[rustgo(rename = "X")]
    pub y: u8,
    #[rustgo(name = 5)]
    pub z: u8,
    pub _1: u8,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(u8)]
pub enum Variants {
    #[rustgo(name = "1")]
    A,
}

#[derive(Clone, Copy, rustgo::Value)]
#[repr(u8, align(8))]
pub enum AlignedNumber {
    A,
}

fn main() {}

//! Error types that the derive macro must refuse.
#![allow(unused)]

use std::fmt;

macro_rules! display {
    ($($error:ident)*) => {$(
        impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Ok(())
            }
        }
    )*};
}

#[derive(rustgo::Error)]
pub enum NoText {
    A,
}

#[derive(rustgo::Error)]
pub struct NoTextEither {
    pub line: usize,
}

#[derive(rustgo::Error)]
pub enum Tuple {
    A(u8),
}

#[derive(rustgo::Error)]
pub struct TupleStruct(u8);

#[derive(rustgo::Error)]
pub enum Generic<T> {
    A { x: T },
}

#[derive(rustgo::Error)]
pub enum Borrows<'a> {
    A { x: &'a str },
}

#[derive(rustgo::Error)]
pub enum Named {
    A { error: u8, is: u8 },
}

#[derive(rustgo::Error)]
pub struct NamedField {
    #[rustgo(name = "Error")]
    pub x: u8,
}

#[derive(rustgo::Error)]
pub enum Unwraps {
    A {
        unwrap: u8,
        #[rustgo(skip)]
        source: fmt::Error,
    },
}

#[derive(rustgo::Error)]
#[repr(C, packed(2))]
pub struct Packed {
    pub x: u64,
    pub y: String,
}

#[derive(rustgo::Error)]
#[rustgo(skip)]
pub struct Skipped {
    pub x: u8,
}

#[derive(rustgo::Error)]
pub struct WrongOption {
    #[rustgo(int = "usize")]
    pub x: usize,
}

#[derive(rustgo::Error)]
#[rustgo(int = "u64")]
pub struct WrongInt {
    pub x: usize,
}

#[derive(rustgo::Error)]
pub enum Empty {}

#[derive(rustgo::Error)]
pub union Union {
    pub x: u8,
}

pub struct Other;

#[derive(rustgo::Error)]
pub struct WrongFields {
    pub other: Other,
    pub wide: u128,
    pub several: Vec<Other>,
    pub option: Option<u8>,
    pub source: std::num::ParseIntError,
}

#[derive(rustgo::Error)]
pub enum Dropped {
    A { text: String },
}

impl Drop for Dropped {
    fn drop(&mut self) {}
}

display!(Tuple TupleStruct Named NamedField Empty Union WrongFields Dropped);

#[rustgo::export]
pub fn no_text() -> Result<u8, Other> {
    Ok(1)
}

#[rustgo::export]
pub fn nothing() -> Result<u8, ()> {
    Ok(1)
}

#[rustgo::export]
pub fn wrong_value() -> Result<Other, fmt::Error> {
    Ok(Other)
}

#[rustgo::export]
pub fn both() -> Result<Other, Other> {
    Ok(Other)
}

#[rustgo::export]
pub fn wrong_part() -> Result<(u8, Other), fmt::Error> {
    Ok((1, Other))
}

#[rustgo::export]
pub fn wrong_option() -> Result<Option<Other>, fmt::Error> {
    Ok(None)
}

#[rustgo::export]
pub fn alias() -> std::io::Result<Other> {
    Ok(Other)
}

#[rustgo::export]
pub fn nested() -> Result<Result<u8, fmt::Error>, fmt::Error> {
    Ok(Ok(1))
}

#[rustgo::export(results(value, err))]
pub fn counted() -> Result<(u8, u8), fmt::Error> {
    Ok((1, 1))
}

mod swapped {
    type Result<E, T> = core::result::Result<T, E>;

    #[rustgo::export]
    pub fn swapped() -> Result<i32, String> {
        Ok("".into())
    }
}

mod other {
    #[derive(Clone, Copy, rustgo::Value)]
    #[repr(C)]
    pub struct Result {
        pub x: u8,
    }

    #[rustgo::export]
    pub fn other() -> Result {
        Result { x: 1 }
    }
}

type Outcome = Result<u8, fmt::Error>;

#[rustgo::export]
pub fn hidden() -> Outcome {
    Ok(1)
}

fn main() {}

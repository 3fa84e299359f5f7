//! A crate that forbids `unsafe` code must not use `unsafe(inline)`.
#![forbid(unsafe_code)]

/// A type with `unsafe(inline)`.
#[rustgo::object(unsafe(inline))]
pub struct Trusted(u64);

/// A second type with `unsafe(inline)`.
#[rustgo::object(name = "Other", unsafe(inline),)]
pub struct Another(u64);

fn main() {}

//! A crate that forbids `unsafe` code cannot vouch for a type.
#![forbid(unsafe_code)]

/// A type with `unsafe(inline)`.
#[rustgo::object(unsafe(inline))]
pub struct Trusted(u64);

/// Another one.
#[rustgo::object(name = "Other", unsafe(inline),)]
pub struct Another(u64);

fn main() {}

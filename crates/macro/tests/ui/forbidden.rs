//! What is `unsafe` is refused in a crate that forbids it.
#![forbid(unsafe_code)]

/// The author vouches for it.
#[rustgo::object(unsafe(inline))]
pub struct Trusted(u64);

/// Here, too.
#[rustgo::object(name = "Other", unsafe(inline),)]
pub struct Another(u64);

fn main() {}

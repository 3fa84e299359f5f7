//! What the author of a Rust crate links.
#![no_std]

//! What of the Go package `rt` is written in Rust: the heap, thread-local variables, and random bytes.
//!
//! rustgo carries this crate into the Go package as it carries any other, with one difference: the functions that C knows (`malloc`) are
//! *routines*, which generated code of other packages calls by C's convention. crates/cli/src/exits.rs has the table.

#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod memory;
pub mod random;
pub mod state;
pub mod thread_local;

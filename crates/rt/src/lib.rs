//! The Rust part of the Go package `rt`: the heap, thread-local variables, and random bytes.
//!
//! rustgo compiles this crate into the Go package like any other crate, with one difference: functions of C's library, such as `malloc`, are
//! *routines*. Generated code of other packages calls routines by C's calling convention. crates/cli/src/exits.rs has the table of routines.

#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod memory;
pub mod random;
pub mod state;
pub mod thread_local;

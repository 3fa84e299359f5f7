//! Runs the exports of a crate natively, for the tests that `rustgo build --with-tests` writes.
//!
//! The command line tool generates a short program, which links a crate and calls [`serve()`]. A Go test (package `nativetest` of the module
//! `rustgo.dev/go`) starts the program and asks for the crate's exports. Then the test makes each call twice: in this program and in the
//! generated package. The two answers must be equal. [`protocol`] defines the messages.
//!
//! The program finds the exports through their records in the section `rustgo_exports`, as the command line tool does. It calls each export as
//! Go's assembly does, with an argument area and a result area in the layout of Go's ABI0. The records state the types and the offsets, so this
//! code works for every crate under test.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("rustgo: Go's `int` and `uint` are taken to be 64 bits wide");

mod call;
mod describe;
mod exports;
mod limit;
mod memory;
mod objects;
pub mod protocol;
mod serve;
mod show;

pub use serve::serve;

#[cfg(test)]
mod tests;

//! Runs the exports of a crate natively, for the tests that `rustgo build --with-tests` writes.
//!
//! The tool makes a program of three lines that links a crate and calls [`serve()`]. A Go test (package `nativetest` of the module
//! `rustgo.dev/go`) starts the program, asks what the crate exports, and has each call done twice: here, and by the generated package. The two must
//! give the same answer. [`protocol`] says what passes between them.
//!
//! The exports are found as the command line tool finds them, by their records in the section `rustgo_exports`, and called as Go's assembly calls
//! them, with arguments and results in areas that are laid out after Go's ABI0. So one program serves every crate.

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

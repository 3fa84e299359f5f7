//! Calls shims as Go's assembly does, with argument and result areas laid out by hand after Go's ABI0, and compares the
//! records with that layout. The feature `testing` (see Cargo.toml) has the attribute emit them natively.
//!
//! The records are found as the command line tool finds them, in their section; the linker marks its ends.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

mod basic;
mod borrowed;
mod common;
mod constants;
mod errors;
mod hygiene;
mod inline;
mod iterators;
mod objects;
mod owned;
mod values;
mod views;

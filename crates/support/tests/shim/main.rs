//! Calls shims as Go's assembly does, with argument and result areas laid out by hand according to Go's ABI0, and compares the records with this
//! layout. With the feature `testing` (see Cargo.toml) the attribute emits the shims in native builds.
//!
//! The tests find the records as the command line tool does: in their section, whose ends the linker marks.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

mod basic;
mod borrowed;
mod common;
mod constants;
mod errors;
mod hygiene;
mod inline;
mod iterators;
mod leaks;
mod objects;
mod owned;
mod values;
mod views;

//! The border: what Go's argument and result areas hold, and how it becomes Rust values.
//!
//! Go passes the arguments of an assembly function in memory (its ABI0): one after another, each at its natural
//! alignment; the results follow, from the next multiple of 8 on. The attribute mirrors the argument area in a
//! `#[repr(C)]` struct of [`Parameter::Raw`]s, which has the same layout; [`Results`] does so for the result area. Source:
//! the package `cmd/vet` (asmdecl) and "A Quick Guide to Go's Assembler".
//!
//! A shim works in four steps, each of them here, and each of them nothing for a parameter that needs no check:
//! [`Parameter::check`] for every parameter, [`disjoint`] for every pair, [`Parameter::take`] for every parameter, and
//! [`Results::put`] after the call.
//!
//! The attribute itself asserts that every type implements these traits, in words that name the parameter.

mod check;
mod element;
mod parameter;
mod record;
mod results;

pub use check::disjoint;
pub use element::Element;
pub use parameter::{Parameter, Witness, same, take, type_of};
pub use record::{Record, frame_size, named, results_offset};
pub use results::{Count, Results, Scalar};

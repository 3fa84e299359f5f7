//! The boundary between Go and Rust: the conversion of Go's argument and result areas to Rust values and back.
//!
//! Go passes the arguments of an assembly function in memory (its ABI0): one after another, each at its natural
//! alignment; the results follow, from the next multiple of 8 on. The attribute mirrors the argument area in a
//! `#[repr(C)]` struct of [`Parameter::Raw`]s, which has the same layout; [`Results`] does so for the result area. Source:
//! the package `cmd/vet` (asmdecl) and "A Quick Guide to Go's Assembler".
//!
//! A shim works in five steps. Each is defined here, and each is free for a parameter that needs no check: [`Parameter::check`] for every
//! parameter, [`disjoint`] for every pair, [`Parameter::prepare`] and then [`Parameter::take`] for every parameter, and [`Results::put`] after the
//! call.
//!
//! The attribute itself asserts that every type implements these traits, with messages that name the parameter.

mod check;
mod disjoint;
mod element;
mod failure;
mod generated;
mod lending;
mod methods;
mod object;
mod output;
#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
mod owned;
mod parameter;
mod record;
mod results;
mod text;
mod views;

pub use check::{Access, Extent};
pub use disjoint::disjoint;
pub use element::{Element, all_valid, bytes_of, fits_value, laid_out};
pub use failure::{Displayed, Failure, Fallible, Outcome, Probe, Structured, Unknown, kind};
pub use generated::{TEXT, batch, concat, first};
pub use lending::{appended, ends_early, fetched, kept, lent, lent_if_any, lent_one_by_one, meets, mode_of, nowhere, passed};
pub use methods::{Methods, NoMethods};
pub use object::{
    Copied, Declared, Fetched, Movable, NoZero, Plain, Sharable, Vouched, Zero, check_inline, copy_inline, exclusive_inline,
    extent_of_inline, inline, prepare_inline, shared_inline, words,
};
pub use output::{Optional, Output, mode};
#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
pub use owned::*;
pub use parameter::{
    Int, Parameter, Pointed, Witness, by_words, check_nilable, check_pointer, check_value, is_changeable, is_nilable, prepare, room, same,
    take, type_of,
};
pub use record::{Record, Shim, frame_size, results_offset};
pub use results::{Count, CountAndError, Fields, Results};
pub use text::{TextArgs, write_text};
pub use views::{GoStr, Slices, Strs};

//! The boundary between Go and Rust: the conversion of Go's argument and result areas to Rust values and back.
//!
//! Go passes the arguments of an assembly function in memory (its ABI0): one after another, each at its natural alignment; the results follow,
//! from the next multiple of 8 on. The attribute declares the argument area as a `#[repr(C)]` struct of [`Parameter::Raw`]s, which has the same
//! layout; [`Results`] describes the result area. Sources: the package `cmd/vet` (asmdecl) and "A Quick Guide to Go's Assembler".
//!
//! A shim works in five steps, which are defined in this module and cost nothing for a parameter that needs no check: [`Parameter::check`] for
//! every parameter, [`disjoint()`] for every pair of parameters, [`Parameter::prepare`] for every parameter, [`Parameter::take`] for every
//! parameter, and [`Results::put`] after the call of the author's function.
//!
//! The code of the attribute asserts that every type implements these traits; the compiler's messages name the parameter.

mod answer;
mod check;
mod disjoint;
mod element;
mod failure;
mod func;
mod generated;
mod interface;
mod kept;
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

pub use answer::{Answer, One, Types, Values, nil as nil_answer};
pub use check::{Access, Extent};
pub use disjoint::disjoint;
pub use element::{Element, all_valid, bytes_of, fits_value, laid_out};
pub use failure::{Displayed, Failure, Fallible, Outcome, Probe, Structured, Unknown, kind};
pub use func::{Callee, Func, Lent, Own, Signature};
pub use generated::{TEXT, batch, concat, first};
pub use interface::{Borrowable, Go, Interface, OwnedGo};
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

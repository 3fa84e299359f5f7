//! `rustgo get`: proposes a wrapper for the public API of a crate.
//!
//! ```text
//!  rustdoc's JSON ─api→ Api ─types→ Types ─┬─propose→ Proposal ─text→ Source
//!                                          └─ cross, parameter: types that can cross; function: calls of the crate's functions
//! ```
//!
//! A type *crosses* if its values can be passed between Rust and Go. A proposal may be wrong: only the compiler and the analysis show whether a
//! function compiles, and whether its machine code can run in Go. So `wrapping.rs` compiles and analyses the wrapper, names the items that fail with
//! their reasons, and asks for a proposal without them.

pub mod api;
mod constants;
mod cross;
mod declare;
mod docs;
mod enums;
mod errors;
pub mod failures;
mod fallible;
mod fields;
pub mod files;
mod foreign;
mod function;
pub mod go_api;
mod instances;
mod items;
mod names;
mod namespace;
mod parameter;
mod paths;
pub mod propose;
mod several;
mod std_traits;
pub mod text;
mod traits;
mod types;
pub mod update;

//! The machines: one folder each, with the same file names. The folders never import each other.
//!
//! Each stage defines a trait for what it needs of a machine: [`crate::decode::Decoder`] decodes bytes into
//! instructions of a common form, [`crate::analyze::Machine`] steps an abstract state over one,
//! [`crate::lower::Lowering`] generates Go assembly, and [`crate::verify::Prover`] checks the assembled result.
//! `backend.rs` combines the four. Types of the decoder libraries stay inside a folder.

pub mod aarch64;
mod decoding;
pub mod x86_64;

//! The supported machines, one folder each. Files with the same purpose have the same name in both folders. The folders never import each other.
//!
//! Each stage has a trait for what it needs from a machine. [`crate::decode::Decoder`] decodes bytes into instructions of a common form.
//! [`crate::analyze::Machine`] applies instructions to an abstract state. [`crate::lower::Lowering`] generates Go assembly.
//! [`crate::verify::Prover`] checks the assembled result. The file `backend.rs` combines the four traits. Types of the decoder libraries are used
//! only inside a machine's folder.

pub mod aarch64;
mod decoding;
mod saved;
pub mod x86_64;

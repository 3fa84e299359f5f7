//! The machines. One room each, with the same file names; the rooms never see each other.
//!
//! What a stage needs of a machine is a trait of that stage: [`crate::decode::Decoder`] turns bytes into instructions that every machine
//! has, [`crate::analyze::Machine`] steps an abstract state over one of them, [`crate::lower::Lowering`] prints them as Go assembly,
//! [`crate::verify::Prover`] reads what the assembler made of that; `backend.rs` is all four. Decoder types never leave a room.

pub mod aarch64;
mod decoding;
pub mod x86_64;

//! Object → Program: every function's bytes as instructions.
//!
//! A function that cannot be decoded is an error only where it is reached, so the outcome is kept per function.

use crate::code::Code;
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use crate::load::Object;
use cranelift_entity::{EntityRef, PrimaryMap};

/// A machine's decoder.
pub trait Decoder {
    /// Decode every byte of the function.
    ///
    /// # Errors
    /// Bytes that are no instruction, or one that is not understood.
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic>;
}

/// The instructions of every loaded function.
#[derive(Debug)]
pub struct Program {
    pub codes: PrimaryMap<FuncId, Result<Code, Diagnostic>>,
}

/// Decode everything that was loaded.
pub fn decode(object: &Object, machine: &dyn Decoder) -> Program {
    let mut codes = PrimaryMap::with_capacity(object.functions.len());
    for id in object.functions.keys() {
        let at: FuncId = codes.push(machine.decode(object, id));
        debug_assert_eq!(at.index(), id.index());
    }
    Program { codes }
}

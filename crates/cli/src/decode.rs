//! Object → Program: decodes every loaded function into instructions. The module [`crate::analyze`] works on the result.
//!
//! Each function has a result of its own, because a function that cannot be decoded is an error only if an export reaches it.

use crate::code::Code;
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use crate::load::Object;
use cranelift_entity::{EntityRef, PrimaryMap};

/// What decoding needs from a machine.
pub trait Decoder {
    /// Decodes every byte of the function.
    ///
    /// # Errors
    /// Fails if some bytes are not an instruction, or if an instruction is not understood.
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic>;
}

/// The instructions of every loaded function, or the reason why they cannot be decoded.
#[derive(Debug)]
pub struct Program {
    pub codes: PrimaryMap<FuncId, Result<Code, Diagnostic>>,
}

/// Decodes all functions that were loaded.
pub fn decode(object: &Object, machine: &dyn Decoder) -> Program {
    let mut codes = PrimaryMap::with_capacity(object.functions.len());
    for id in object.functions.keys() {
        let at: FuncId = codes.push(machine.decode(object, id));
        debug_assert_eq!(at.index(), id.index());
    }
    Program { codes }
}

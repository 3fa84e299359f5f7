//! Object → Program: decodes every loaded function into instructions. The module [`crate::analyze`] works on the result.
//!
//! A function that cannot be decoded is an error only if an export reaches this function. So each function has its own result, instructions or an
//! error.

use crate::activity;
use crate::code::Code;
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use crate::load::Object;
use cranelift_entity::{EntityRef, PrimaryMap};

/// The part of decoding that depends on the processor architecture.
pub trait Decoder {
    /// Decodes every byte of the function.
    ///
    /// # Errors
    /// Fails if some bytes are not an instruction, or if the decoder does not know an instruction.
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic>;
}

/// For every loaded function, its instructions, or the reason why it cannot be decoded.
#[derive(Debug)]
pub struct Program {
    pub codes: PrimaryMap<FuncId, Result<Code, Diagnostic>>,
}

/// Decodes every function of the object.
pub fn decode(object: &Object, machine: &dyn Decoder) -> Program {
    let mut codes = PrimaryMap::with_capacity(object.functions.len());
    for (id, function) in &object.functions {
        activity::report(id.index(), object.functions.len(), "functions", &function.path);
        let at: FuncId = codes.push(machine.decode(object, id));
        debug_assert_eq!(at.index(), id.index());
    }
    Program { codes }
}

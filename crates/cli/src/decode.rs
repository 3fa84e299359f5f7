//! Object → Program: decodes every loaded function into instructions, for analysis.
//!
//! A function that cannot be decoded is an error only if it is reached, so each function has its own result.

use crate::code::Code;
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use crate::load::Object;
use cranelift_entity::{EntityRef, PrimaryMap};

/// A machine's decoder.
pub trait Decoder {
    /// Decodes every byte of the function.
    ///
    /// # Errors
    /// Bytes that are not an instruction, or an instruction that is not understood.
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic>;
}

/// The instructions of every loaded function.
#[derive(Debug)]
pub struct Program {
    pub codes: PrimaryMap<FuncId, Result<Code, Diagnostic>>,
}

/// Decodes everything that was loaded.
pub fn decode(object: &Object, machine: &dyn Decoder) -> Program {
    let mut codes = PrimaryMap::with_capacity(object.functions.len());
    for id in object.functions.keys() {
        let at: FuncId = codes.push(machine.decode(object, id));
        debug_assert_eq!(at.index(), id.index());
    }
    Program { codes }
}

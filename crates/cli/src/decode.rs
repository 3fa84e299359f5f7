//! Object → Program: every function's bytes as instructions.
//!
//! A function that cannot be decoded is an error only where it is reached, so the outcome is kept per function.

use crate::arch::{Code, Machine};
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use crate::load::Object;
use cranelift_entity::{EntityRef, PrimaryMap};

/// The instructions of every loaded function.
#[derive(Debug)]
pub struct Program {
    pub codes: PrimaryMap<FuncId, Result<Code, Diagnostic>>,
}

/// Decode everything that was loaded.
pub fn decode(object: &Object, machine: &dyn Machine) -> Program {
    let mut codes = PrimaryMap::with_capacity(object.functions.len());
    for id in object.functions.keys() {
        let at: FuncId = codes.push(machine.decode(object, id));
        debug_assert_eq!(at.index(), id.index());
    }
    Program { codes }
}

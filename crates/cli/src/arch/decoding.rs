//! What the decoders of all machines do alike.

use super::{Callee, Code, Dest};
use crate::diag::{Code as Reason, Diagnostic};
use crate::ids::FuncId;
use crate::load::{Function, Object, Target};

/// Finds the relocation inside each instruction; asked in the order of the text.
pub struct Relocs<'a> {
    object: &'a Object,
    function: &'a Function,
    next: usize,
}

impl<'a> Relocs<'a> {
    pub fn new(object: &'a Object, function: &'a Function) -> Relocs<'a> {
        Relocs { object, function, next: 0 }
    }

    /// The index of the relocation inside the instruction from `offset` to `end`, if it has one.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] if it has two.
    pub fn within(&mut self, offset: u32, end: u32) -> Result<Option<u32>, Diagnostic> {
        let inside = |index: usize| self.function.relocs.get(index).is_some_and(|r| r.offset < end);
        if !inside(self.next) {
            return Ok(None);
        }
        if inside(self.next + 1) {
            let message = format!("{} has an instruction with two relocations at offset {offset:#x}", self.function.path);
            return Err(Diagnostic::new(Reason::Unsupported, message).at(self.object.place(self.function, offset)));
        }
        self.next += 1;
        Ok(Some(self.next as u32 - 1))
    }
}

fn local(code: &Code, offset: i64) -> Dest {
    match u32::try_from(offset).ok().filter(|&offset| code.at(offset).is_some()) {
        Some(offset) => Dest::Local(offset),
        None => Dest::Nowhere,
    }
}

/// Where a branch leads that the linker makes lead `by` bytes past `target`.
pub fn linked(object: &Object, function: &Function, code: &Code, target: &Target, by: i64) -> Dest {
    match target {
        Target::Function(id) if std::ptr::eq(&object.functions[*id], function) && by != 0 => local(code, by),
        target => Callee::of(target).filter(|_| by == 0).map_or(Dest::Nowhere, Dest::Entry),
    }
}

/// Where a branch leads that the compiler's assembler resolved: `to` counts from the function's first byte.
pub fn resolved(object: &Object, function: &Function, code: &Code, to: i64) -> Dest {
    if (0..function.code.len() as i64).contains(&to) {
        return local(code, to);
    }
    // Another function of the same section.
    begins(object, function, to).map_or(Dest::Nowhere, |id| Dest::Entry(Callee::Function(id)))
}

/// The function of the same section that begins `to` bytes behind the function's first one.
pub fn begins(object: &Object, function: &Function, to: i64) -> Option<FuncId> {
    let absolute = function.offset.cast_signed().wrapping_add(to);
    let starts_there = |id: &FuncId| object.functions[*id].offset.cast_signed() == absolute;
    object.sections[function.section].functions.iter().copied().find(starts_there)
}

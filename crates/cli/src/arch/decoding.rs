//! Functions that the decoders of all machines use, to find relocations and the targets of branches.

use crate::code::{Callee, Code, Dest};
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::FuncId;
use crate::load::{Function, Object, Target};

/// Finds the relocation inside each instruction. [`Relocs::within`] must be called for the instructions in ascending order of their offsets.
pub struct Relocs<'a> {
    object: &'a Object,
    function: &'a Function,
    next: usize,
}

impl<'a> Relocs<'a> {
    pub fn new(object: &'a Object, function: &'a Function) -> Relocs<'a> {
        Relocs { object, function, next: 0 }
    }

    /// Returns the index of the relocation inside the instruction from `offset` to `end`, if the instruction has one.
    ///
    /// # Errors
    /// [`ErrorCode::Unsupported`] if the instruction has two relocations.
    pub fn within(&mut self, offset: u32, end: u32) -> Result<Option<u32>, Diagnostic> {
        let inside = |index: usize| self.function.relocs.get(index).is_some_and(|r| r.offset < end);
        if !inside(self.next) {
            return Ok(None);
        }
        if inside(self.next + 1) {
            let message = format!("{} has an instruction with two relocations at offset {offset:#x}", self.function.path);
            return Err(Diagnostic::new(ErrorCode::Unsupported, message).at(self.object.place(self.function, offset)));
        }
        self.next += 1;
        Ok(Some(self.next as u32 - 1))
    }
}

/// Refuses a function that LLVM's outliner made. Such a function uses its caller's frame.
///
/// # Errors
/// [`ErrorCode::Unsupported`] if LLVM's outliner made the function.
pub fn refuse_outlined(object: &Object, function: &Function) -> Result<(), Diagnostic> {
    if !function.symbol.starts_with("OUTLINED_FUNCTION_") {
        return Ok(());
    }
    let what = "was created by LLVM's outliner and does not follow the calling convention";
    Err(Diagnostic::new(ErrorCode::Unsupported, format!("{} {what}", function.path))
        .at(object.place(function, 0))
        .hint("compile this code without the outliner; clang has -mno-outline"))
}

fn local(code: &Code, offset: i64) -> Dest {
    match u32::try_from(offset).ok().filter(|&offset| code.at(offset).is_some()) {
        Some(offset) => Dest::Local(offset),
        None => Dest::Nowhere,
    }
}

/// Returns the destination of a branch whose relocation refers to `target` plus `by` bytes.
pub fn linked_destination(object: &Object, function: &Function, code: &Code, target: &Target, by: i64) -> Dest {
    match target {
        Target::Function(id) if std::ptr::eq(&object.functions[*id], function) && by != 0 => local(code, by),
        target => Callee::of(target).filter(|_| by == 0).map_or(Dest::Nowhere, Dest::Entry),
    }
}

/// Returns the destination of a branch without a relocation, which the compiler's assembler resolved. `from` is the offset of the branch, and `to`
/// is the offset of its target. Both offsets count from the first byte of `function`.
pub fn resolved_destination(object: &Object, function: &Function, code: &Code, from: u32, to: i64) -> Dest {
    match code_at(object, function, from, to) {
        Some((id, to)) if std::ptr::eq(&object.functions[id], function) => local(code, i64::from(to)),
        Some((id, 0)) => Dest::Entry(Callee::Function(id)),
        _ => Dest::Nowhere,
    }
}

/// Returns the function whose first byte lies at offset `to`. `from` is the offset of the instruction that refers to `to`. Both offsets count from
/// the first byte of `function`.
pub fn function_at(object: &Object, function: &Function, from: u32, to: i64) -> Option<FuncId> {
    code_at(object, function, from, to).and_then(|(id, offset)| (offset == 0).then_some(id))
}

/// Returns the function that contains the byte at offset `to`, and the byte's offset in that function. `from` is the offset of the instruction
/// that refers to `to`. Both offsets count from the first byte of `function`. The fragments of `function` may come from several sections, so
/// the byte is looked up in the section that contained the instruction.
fn code_at(object: &Object, function: &Function, from: u32, to: i64) -> Option<(FuncId, u32)> {
    let (section, offset) = function.origin(from);
    object.in_section(section, offset.checked_add_signed(to - i64::from(from))?)
}

//! The interface between generic lowering and a machine. Each machine implements [`Lowering`]; [`Glue`] describes the steps of small generated
//! functions.

use super::data::{DataLowering, DataPlan};
use super::symbols::{Signature, Symbols};
use crate::analyze::{InstanceId, Machine};
use crate::code::Set;
use crate::diag::Diagnostic;
use crate::goasm::{Expected, ExpectedDispatch, Op, Text};
use crate::ids::ExportId;

/// A step of a generated function.
#[derive(Clone, Debug)]
pub enum Glue {
    /// Loads the address of a symbol plus an offset into an argument register. The number 0 stands for the first argument.
    Argument(usize, String, i64),
    /// Jumps to another function by its name.
    Jump(String),
    /// Jumps to an offset in a function of this file, named by its symbol.
    Enter(String, i64),
    /// Ends the program.
    Trap,
}

/// A machine's part in the lowering of code.
pub trait Lowering: Machine + DataLowering {
    /// The lines for the assembler's preprocessor at the top of the file.
    fn prelude(&self) -> Vec<String>;
    /// Offset of the function's own code after the assembler's prologue, in bytes.
    fn start(&self, symbols: &Symbols<'_>, me: InstanceId) -> u32;
    /// Offset of the code of a checked or aligning entry after the assembler's prologue, in bytes.
    fn entry_start(&self) -> u32;
    /// The entry by which Go calls an export, with helper functions of the entry.
    fn entry(
        &self,
        symbols: &Symbols<'_>,
        plan: &mut DataPlan<'_>,
        export: ExportId,
        signature: &Signature,
    ) -> Result<Vec<Text>, Diagnostic>;
    /// The function itself as assembly text.
    fn body(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Result<Text, Diagnostic>;
    /// The entry that checks the stack, for a function whose stack need is not part of every caller's bound.
    fn checked_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// The entry that pointers lead to, for a function that depends on the alignment of SP on entry.
    fn aligned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// The registers and flags that a checked entry changes before it continues in the function.
    fn checking_changes(&self) -> Set;
    /// The registers and flags that an aligning entry changes before or after the function's code.
    fn aligning_changes(&self) -> Set;
    /// The entry of a function that is called on the way to a panic, where SP may have any alignment.
    fn realigned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Go's names of the argument registers of the C convention, in order.
    fn arguments(&self) -> &'static [&'static str];
    /// The entry that jumps to the entry for the processor's level (its set of instructions). The caller sets the name, comments and arguments
    /// of the text.
    fn dispatch(&self, expected: &ExpectedDispatch) -> Text;
    /// A function that only executes `steps`: its operations, and the bytes that the assembler must make of them.
    fn glue(&self, steps: &[Glue]) -> (Vec<Op>, Expected);
}

//! The interface between generic lowering and a machine: [`Lowering`] is implemented by each machine; [`Glue`]
//! describes small generated functions.

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
    /// Loads the address of a symbol plus offset into the register of an argument, numbered from 0.
    Argument(usize, String, i64),
    /// Jumps to another function by its name.
    Jump(String),
    /// Jumps to a function of the file that begins at an offset from its symbol.
    Enter(String, i64),
    /// Ends the program.
    Trap,
}

/// A machine, for lowering.
pub trait Lowering: Machine + DataLowering {
    /// Preprocessor lines at the top of the file.
    fn prelude(&self) -> Vec<String>;
    /// Offset of a function's body after the assembler's prologue, in bytes.
    fn start(&self, symbols: &Symbols<'_>, me: InstanceId) -> u32;
    /// Offset of the code of a checked or aligning entry after the prologue, in bytes.
    fn entry_start(&self) -> u32;
    /// The exported entry of an export, with its helper functions.
    fn entry(
        &self,
        symbols: &Symbols<'_>,
        plan: &mut DataPlan<'_>,
        export: ExportId,
        signature: &Signature,
    ) -> Result<Vec<Text>, Diagnostic>;
    /// The assembly text of a function.
    fn body(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Result<Text, Diagnostic>;
    /// The entry of a function whose stack some callers do not count: it checks the stack.
    fn checked_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// The entry that a pointer leads to, for a function that depends on its entry alignment.
    fn aligned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Registers and flags that a checked entry changes before the body.
    fn checking_changes(&self) -> Set;
    /// Registers and flags that an aligning entry changes before the body and after it.
    fn aligning_changes(&self) -> Set;
    /// The entry of a call on the way to a panic, which is made with any SP.
    fn realigned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Go's names of the C argument registers, in order.
    fn arguments(&self) -> &'static [&'static str];
    /// The entry that continues at the entry of the processor's level. The caller sets its name, comments and
    /// arguments.
    fn dispatch(&self, expected: &ExpectedDispatch) -> Text;
    /// A function that executes `steps` only: its operations, and their expected bytes.
    fn glue(&self, steps: &[Glue]) -> (Vec<Op>, Expected);
}

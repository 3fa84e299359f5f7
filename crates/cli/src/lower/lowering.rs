//! What a machine's lowering is told, and what it must be able to do.

use super::data::{DataLowering, DataPlan};
use super::symbols::{Signature, Symbols};
use crate::analyze::{InstanceId, Machine};
use crate::code::Set;
use crate::diag::Diagnostic;
use crate::goasm::{Expected, ExpectedDispatch, Op, Text};
use crate::ids::ExportId;

/// What a function of glue does.
#[derive(Clone, Debug)]
pub enum Glue {
    /// Puts the address of a symbol, and an offset, into the register of an argument, by its number from 0.
    Argument(usize, String, i64),
    /// Goes on to another function, by its name.
    Jump(String),
    /// Goes on to a function of the file that begins at an offset from its symbol.
    Enter(String, i64),
    /// Ends the program.
    Trap,
}

/// A machine's lowering.
pub trait Lowering: Machine + DataLowering {
    /// Lines for the preprocessor at the top of the file.
    fn prelude(&self) -> Vec<String>;
    /// Where a function's body starts behind the assembler's prologue, in bytes.
    fn start(&self, symbols: &Symbols<'_>, me: InstanceId) -> u32;
    /// Where a checked or aligning entry starts behind it.
    fn entry_start(&self) -> u32;
    /// The exported entry of an export, and what belongs to it.
    fn entry(
        &self,
        symbols: &Symbols<'_>,
        plan: &mut DataPlan<'_>,
        export: ExportId,
        signature: &Signature,
    ) -> Result<Vec<Text>, Diagnostic>;
    /// The text of a function.
    fn body(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Result<Text, Diagnostic>;
    /// The entry of a function that not every caller counts: is there stack for it?
    fn checked_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// What a pointer leads to, where the function depends on its entry alignment.
    fn aligned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// What a checked entry changes before the body.
    fn checking_changes(&self) -> Set;
    /// What an entry that aligns the stack changes before the body and after it.
    fn aligning_changes(&self) -> Set;
    /// What a call leads to that is made with any SP on the way to a panic.
    fn realigned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// The Go names of the registers that hold the arguments in C, in their order.
    fn arguments(&self) -> &'static [&'static str];
    /// The entry that goes on to that of the processor's level. Its name, comments and arguments are the caller's to set.
    fn dispatch(&self, expected: &ExpectedDispatch) -> Text;
    /// A function that does this and nothing else: its operations, and what they must become.
    fn glue(&self, steps: &[Glue]) -> (Vec<Op>, Expected);
}

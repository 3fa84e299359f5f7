//! The interface between the machine-independent part of lowering and one machine (processor architecture): the trait [`Lowering`]. [`Glue`] lists
//! the steps of small generated functions.

use super::data::{DataLowering, DataPlan};
use super::symbols::{Signature, Symbols};
use crate::analyze::{InstanceId, Machine};
use crate::code::Set;
use crate::diag::Diagnostic;
use crate::goasm::{Expected, ExpectedDispatch, Op, Text};
use crate::ids::ExportId;

/// One step of a small generated function.
#[derive(Clone, Debug)]
pub enum Glue {
    /// Loads an address, a symbol plus an offset, into an argument register. The first field is the argument's number, counted from 0.
    Argument(usize, String, i64),
    /// Jumps to the function with this symbol.
    Jump(String),
    /// Jumps to a function of the same assembly file: the function's symbol, and an offset in bytes from the symbol.
    Enter(String, i64),
    /// Ends the program.
    Trap,
}

/// The part of lowering that depends on the machine.
pub trait Lowering: Machine + DataLowering {
    /// Returns the preprocessor lines for the top of the assembly file.
    fn prelude(&self) -> Vec<String>;
    /// Returns the offset in bytes from the function's symbol to the function's code. The assembler may put a prologue in between.
    fn start(&self, symbols: &Symbols<'_>, me: InstanceId) -> u32;
    /// Returns the offset in bytes from the symbol of a checked, aligning, realigning or copying entry to the entry's code, after the assembler's
    /// prologue.
    fn entry_start(&self) -> u32;
    /// Generates the entry by which Go calls an export, and the helper functions of this entry.
    fn entry(
        &self,
        symbols: &Symbols<'_>,
        plan: &mut DataPlan<'_>,
        export: ExportId,
        signature: &Signature,
    ) -> Result<Vec<Text>, Diagnostic>;
    /// Generates the assembly text of a function's machine code.
    fn body(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Result<Text, Diagnostic>;
    /// Generates the checked entry of a function. This entry checks that the stack suffices, and continues in the function. A function needs a
    /// checked entry if some caller's stack bound does not include the function's stack.
    fn checked_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Generates the aligning entry of a function that depends on the alignment of SP on entry. A pointer to the function holds the address of this
    /// entry.
    fn aligned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Generates the copying entry of a function that depends on the alignment of SP on entry. If SP is not aligned at a direct call with stack
    /// arguments, the call goes through this entry.
    fn copying_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Returns the registers and flags that a checked entry changes before it continues in the function.
    fn checking_changes(&self) -> Set;
    /// Returns the registers and flags that an aligning entry changes: before the function's code, and after it.
    fn aligning_changes(&self) -> [Set; 2];
    /// Generates the realigning entry of a function. The function is called on the way to a panic, and SP may be any multiple of 8 at the call. The
    /// entry aligns SP to 16.
    fn realigned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// Returns Go's names of the argument registers of the C calling convention, in order.
    fn arguments(&self) -> &'static [&'static str];
    /// Generates the entry of an export with code for several processor levels (sets of instructions). The entry jumps to the code for the
    /// processor's level. The caller sets the name, comments and arguments of the text.
    fn dispatch(&self, expected: &ExpectedDispatch) -> Text;
    /// Returns an instruction that loads the address of a symbol. The instruction is never executed. It makes the linker keep the symbol.
    fn address_of(&self, symbol: &str) -> Op;
    /// Generates a function that only executes `steps`. Returns its operations, and the bytes that the assembler must make of these operations.
    fn glue(&self, steps: &[Glue]) -> (Vec<Op>, Expected);
}

//! What a machine's lowering is told, and what it must be able to do.

use super::data::DataPlan;
use crate::analyze::{Facts, InstanceId};
use crate::arch::Machine;
use crate::decode::Program;
use crate::diag::Diagnostic;
use crate::goasm::{Data, Text};
use crate::ids::FuncId;
use crate::load::{Object, Target};
use std::collections::BTreeMap;

/// The panic entry of the package, reached from Rust by a call.
pub const PANIC: &str = "rustgo·panic<>";
/// Stands for functions that only a panic's message could call and that cannot be carried.
pub const UNAVAILABLE: &str = "rustgo·unavailable<>";

/// What the Go declaration of an export says, as far as its entry in assembly must agree with it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    /// The declaration, for the comment above the entry.
    pub declaration: String,
    /// The Go name of the first word of the arguments, as `go vet` knows it (`dst`, `msg_base`).
    pub first_argument: Option<String>,
    /// The Go name of the first result and its offset from the arguments.
    pub first_result: Option<(String, u32)>,
    /// Size of arguments and results, in bytes.
    pub size: u32,
}

/// What a machine's lowering needs to know of the others' symbols.
pub struct Symbols<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// By instance: its name (with `<>`).
    pub names: BTreeMap<InstanceId, String>,
    /// By instance: where its body starts behind the assembler's prologue.
    pub starts: BTreeMap<InstanceId, u32>,
    /// By recursive instance: the name of its checked entry.
    pub checked: BTreeMap<InstanceId, String>,
    /// For addresses of functions: the one instance that stands for each.
    pub addresses: BTreeMap<FuncId, InstanceId>,
    /// By function whose code depends on its entry alignment and whose address is taken: the entry that aligns the stack.
    pub aligned: BTreeMap<FuncId, String>,
}

/// A machine's lowering.
pub trait Lowering: Machine {
    /// Lines for the preprocessor at the top of the file.
    fn prelude(&self) -> Vec<String>;
    /// Where a function's body starts behind the assembler's prologue, in bytes.
    fn start(&self, symbols: &Symbols<'_>, me: InstanceId) -> u32;
    /// The exported entry of an export, and what belongs to it.
    fn entry(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, index: usize, signature: &Signature) -> Result<Vec<Text>, Diagnostic>;
    /// The text of a function.
    fn body(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Result<Text, Diagnostic>;
    /// The entry of a recursive function: is there stack for one more level?
    fn checked_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// The data that checked entries refer to.
    fn checked_names(&self, symbols: &Symbols<'_>) -> Vec<Data>;
    /// What a pointer leads to, where the function depends on its entry alignment.
    fn aligned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text;
    /// The panic entry of the package and the stub for what is not carried.
    fn panic_glue(&self, symbols: &Symbols<'_>) -> Vec<Text>;
    /// The symbol and offset that stand for the address of something callable.
    fn function_address(&self, symbols: &Symbols<'_>, target: &Target) -> (String, i64);
    /// Read-only data that needs more alignment than Go gives data.
    fn data_in_text(&self, comment: String, name: String, align: u64, bytes: Vec<u8>) -> Text;
}

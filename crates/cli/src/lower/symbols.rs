//! The symbols of one file, and the details of Go declarations that entries must match.

use super::live::Live;
use crate::abi::{ENTER_CALL, LEAVE_CALL};
use crate::analyze::{Facts, InstanceId};
use crate::api::{Blocking, Function};
use crate::decode::Program;
use crate::exits::{Argument, Exit};
use crate::goasm::{ExpectedBlocking, ExpectedExit, Operand};
use crate::ids::FuncId;
use crate::load::{Object, Target};
use std::collections::{BTreeMap, BTreeSet};

/// The details of an export's Go declaration that its entry in assembly must match.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    /// The declaration, for the comment above the entry.
    pub declaration: String,
    /// The Go name of the first argument word, as `go vet` expects it (`dst`, `msg_base`).
    pub first_argument: Option<String>,
    /// The Go name of the first result, and its offset from the arguments.
    pub first_result: Option<(String, u32)>,
    /// Size of the arguments and results together, in bytes.
    pub size: u32,
    /// The rule for the calls that must go through Go's scheduler; `None` if the export is not blocking.
    pub blocking: Option<Blocking>,
}

impl Signature {
    pub fn of(function: &Function) -> Self {
        Self {
            name: function.symbol.clone(),
            declaration: function.declaration(),
            first_argument: function.params.first().map(|param| param.first_word.clone()),
            first_result: function.results.first().map(|result| (result.first_word.clone(), result.field.offset)),
            size: function.size,
            blocking: function.blocking.clone(),
        }
    }
}

/// The symbols of a file, and what lowering needs to know about their functions.
pub struct Symbols<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// The prefix of the functions of the package rt, in the assembler's spelling: `rustgo·dev∕go∕rt`.
    pub rt: &'a str,
    /// For each instance, the name of its text (with `<>`).
    pub names: BTreeMap<InstanceId, String>,
    /// For each instance, the offset of its own code after the assembler's prologue.
    pub starts: BTreeMap<InstanceId, u32>,
    /// For each instance that is recursive, or that checks the stack when called through a pointer: the name of its checked entry.
    pub checked: BTreeMap<InstanceId, String>,
    /// For each function whose address is taken, the instance to which its address leads.
    pub addresses: BTreeMap<FuncId, InstanceId>,
    /// For each function whose address is taken and that depends on the alignment of SP on entry: the name of its aligning entry.
    pub aligned: BTreeMap<FuncId, String>,
    /// Which registers and flags are live, in the whole program.
    pub live: Live<'a>,
    /// The instances in which lowering must compute upper parts of addresses, because code reads such a part.
    pub address_halves: BTreeSet<InstanceId>,
    /// For each instance that is called where SP may be any multiple of 8: the name of the entry that aligns SP to 16.
    pub realigned: BTreeMap<InstanceId, String>,
    /// Offset of the code in realigning and checked entries, after the assembler's prologue.
    pub entry_start: u32,
}

/// The symbol of the data that holds a function's name. The function's checked entry passes this name for the message.
pub fn checked_name(checked: &str) -> String {
    format!("{}·name<>", checked.trim_end_matches("<>"))
}

/// The symbol of the function whose address counts as the address of an exit. The function is in this file, because in a program that is linked
/// dynamically, Go's assembler would turn an LEAQ of another package's function into a load.
pub fn address_of(exit: Exit) -> String {
    exit.row().stub.as_ref().map_or_else(|| format!("rustgo·{}<>", exit.row().function), |stub| stub.symbol.to_owned())
}

/// The methods return a symbol, most of them with the offset at which its code begins.
impl Symbols<'_> {
    /// The function's own code, without a check of the stack.
    pub fn body(&self, me: InstanceId) -> (String, i64) {
        (self.names[&me].clone(), i64::from(self.starts[&me]))
    }

    /// The entry for direct calls: the checked entry of a recursive function, otherwise the function's own code.
    pub fn entry(&self, me: InstanceId) -> (String, i64) {
        if self.facts.stacks[me].recursive { self.checked_entry(me) } else { self.body(me) }
    }

    /// The checked entry if there is one, otherwise the function's own code. Pointers to the function lead there, directly or through an
    /// aligning entry.
    pub fn checked_entry(&self, me: InstanceId) -> (String, i64) {
        self.checked.get(&me).map_or_else(|| self.body(me), |checked| (checked.clone(), i64::from(self.entry_start)))
    }

    /// The symbol whose address code gets as the address of a function or exit.
    pub fn address(&self, target: &Target) -> (String, i64) {
        match target {
            Target::Function(id) => match (self.aligned.get(id), self.addresses.get(id)) {
                (Some(aligned), _) => (aligned.clone(), i64::from(self.entry_start)),
                (None, Some(&me)) => self.checked_entry(me),
                // No code that an export reaches can call the function.
                (None, None) => (self.exit(Exit::Missing), 0),
            },
            Target::Exit(exit) => (address_of(*exit), 0),
            Target::Data(_) | Target::Undefined(_) | Target::AmongCode(_) => (self.exit(Exit::Missing), 0),
        }
    }

    /// The symbol that Rust's calls of an exit go to: the exit's stub, if it has one, otherwise a function of `rt`.
    pub fn exit(&self, exit: Exit) -> String {
        exit.row().stub.as_ref().map_or_else(|| self.rt_function(exit), |stub| stub.symbol.to_owned())
    }

    /// The function of `rt` that handles an exit.
    pub fn rt_function(&self, exit: Exit) -> String {
        format!("{}·{}", self.rt, exit.row().function)
    }

    /// The calls of Go's scheduler that the entry of a blocking export makes.
    pub fn scheduler_calls(&self, blocking: &Blocking) -> Box<ExpectedBlocking> {
        Box::new(ExpectedBlocking {
            enter: format!("{}·{ENTER_CALL}", self.rt),
            leave: format!("{}·{LEAVE_CALL}", self.rt),
            over: blocking.over,
            lengths: blocking.lengths.iter().map(|length| (length.offset, length.size)).collect(),
        })
    }

    /// The call by which a function's checked entry reports an exhausted stack.
    pub fn exhausted(&self, me: InstanceId) -> ExpectedExit {
        let given = |argument: &Argument| match argument {
            Argument::Name => Some((Argument::Name, Operand::Address(checked_name(&self.checked[&me])))),
            Argument::NameLength => Some((Argument::NameLength, Operand::Number(self.path(me).len() as u32))),
            Argument::Budget => Some((Argument::Budget, Operand::Number(self.budget(me)))),
            // These arguments belong to other exits.
            Argument::PanicInfo | Argument::Formatter | Argument::Word(_) => None,
        };
        let arguments = Exit::Exhausted.row().arguments.iter().filter_map(given).collect();
        ExpectedExit { function: self.rt_function(Exit::Exhausted), arguments }
    }

    /// The function's name, as messages show it.
    pub fn path(&self, me: InstanceId) -> String {
        self.names[&me].trim_end_matches("<>").replace('·', ".")
    }

    /// The stack budget that exports state for this function's recursion. 0 if the function is not recursive, or if exports state different
    /// budgets or none.
    pub fn budget(&self, me: InstanceId) -> u32 {
        let instance = &self.facts.instances[me];
        if !self.facts.stacks[me].recursive || !instance.hot || instance.doomed {
            return 0;
        }
        let mut budgets = self.facts.exports.values().filter_map(|export| export.budget);
        let first = budgets.next().unwrap_or(0);
        if budgets.all(|budget| budget == first) { first } else { 0 }
    }
}

//! The symbols of one file, and the parts of Go declarations that entries must match.

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

/// The Go declaration of an export, as far as its entry in assembly must match it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    /// The declaration, for the comment above the entry.
    pub declaration: String,
    /// The Go name of the first argument word, as `go vet` expects it (`dst`, `msg_base`).
    pub first_argument: Option<String>,
    /// The Go name of the first result, and its offset from the arguments.
    pub first_result: Option<(String, u32)>,
    /// Size of arguments and results, in bytes.
    pub size: u32,
    /// Which calls go through the scheduler, if any.
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

/// The symbols of a file, for a machine's lowering.
pub struct Symbols<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// The prefix of the package rt's functions, in the assembler's spelling: `rustgo·dev∕go∕rt`.
    pub rt: &'a str,
    /// By instance: its name (with `<>`).
    pub names: BTreeMap<InstanceId, String>,
    /// By instance: offset of its body after the assembler's prologue.
    pub starts: BTreeMap<InstanceId, u32>,
    /// By instance that is recursive, or guarded against calls through pointers: the name of its checked entry.
    pub checked: BTreeMap<InstanceId, String>,
    /// By function whose address is taken: the instance that represents it.
    pub addresses: BTreeMap<FuncId, InstanceId>,
    /// By function that depends on its entry alignment and whose address is taken: the name of its aligning entry.
    pub aligned: BTreeMap<FuncId, String>,
    /// Liveness in the whole program.
    pub live: Live<'a>,
    /// Functions in which lowering must compute upper parts of addresses, because code reads one.
    pub address_halves: BTreeSet<InstanceId>,
    /// By instance that is called where SP may be any multiple of 8: the name of the entry that aligns SP to 16.
    pub realigned: BTreeMap<InstanceId, String>,
    /// Offset of the code of realigned and checked entries after the assembler's prologue.
    pub entry_start: u32,
}

/// The symbol of a function's name, for the message of its checked entry.
pub fn checked_name(checked: &str) -> String {
    format!("{}·name<>", checked.trim_end_matches("<>"))
}

/// The function of this file that stands for an exit's address. If programs are linked dynamically, Go's assembler
/// would turn an LEAQ of another package's function into a load.
pub fn address_of(exit: Exit) -> String {
    exit.row().stub.as_ref().map_or_else(|| format!("rustgo·{}<>", exit.row().function), |stub| stub.symbol.to_owned())
}

/// Symbols, with the offset where the code begins.
impl Symbols<'_> {
    /// The function's own body.
    pub fn body(&self, me: InstanceId) -> (String, i64) {
        (self.names[&me].clone(), i64::from(self.starts[&me]))
    }

    /// The entry that a caller calls: the checked entry of a recursive function, else the body.
    pub fn entry(&self, me: InstanceId) -> (String, i64) {
        if self.facts.stacks[me].recursive { self.checked_entry(me) } else { self.body(me) }
    }

    /// The checked entry if there is one, else the body. Pointers lead there, directly or through an aligning entry.
    pub fn checked_entry(&self, me: InstanceId) -> (String, i64) {
        self.checked.get(&me).map_or_else(|| self.body(me), |checked| (checked.clone(), i64::from(self.entry_start)))
    }

    /// The symbol that stands for the address of a callable target.
    pub fn address(&self, target: &Target) -> (String, i64) {
        match target {
            Target::Function(id) => match (self.aligned.get(id), self.addresses.get(id)) {
                (Some(aligned), _) => (aligned.clone(), i64::from(self.entry_start)),
                (None, Some(&me)) => self.checked_entry(me),
                // No reached code can call it.
                (None, None) => (self.exit(Exit::Missing), 0),
            },
            Target::Exit(exit) => (address_of(*exit), 0),
            Target::Data(_) | Target::Undefined(_) | Target::AmongCode(_) => (self.exit(Exit::Missing), 0),
        }
    }

    /// The symbol that Rust's calls of an exit go to: its stub, if it has one.
    pub fn exit(&self, exit: Exit) -> String {
        exit.row().stub.as_ref().map_or_else(|| self.rt_function(exit), |stub| stub.symbol.to_owned())
    }

    /// The function of `rt` that the exit continues in.
    pub fn rt_function(&self, exit: Exit) -> String {
        format!("{}·{}", self.rt, exit.row().function)
    }

    /// The calls of the scheduler that a blocking export's entry makes.
    pub fn scheduler_calls(&self, blocking: &Blocking) -> Box<ExpectedBlocking> {
        Box::new(ExpectedBlocking {
            enter: format!("{}·{ENTER_CALL}", self.rt),
            leave: format!("{}·{LEAVE_CALL}", self.rt),
            over: blocking.over,
            lengths: blocking.lengths.iter().map(|length| (length.offset, length.size)).collect(),
        })
    }

    /// How a function's checked entry ends the call if the stack is exhausted.
    pub fn exhausted(&self, me: InstanceId) -> ExpectedExit {
        let given = |argument: &Argument| match argument {
            Argument::Name => Some((Argument::Name, Operand::Address(checked_name(&self.checked[&me])))),
            Argument::NameLength => Some((Argument::NameLength, Operand::Number(self.path(me).len() as u32))),
            Argument::Budget => Some((Argument::Budget, Operand::Number(self.budget(me)))),
            // Arguments of other exits.
            Argument::PanicInfo | Argument::Formatter | Argument::Word(_) => None,
        };
        let arguments = Exit::Exhausted.row().arguments.iter().filter_map(given).collect();
        ExpectedExit { function: self.rt_function(Exit::Exhausted), arguments }
    }

    /// The function's name in messages.
    pub fn path(&self, me: InstanceId) -> String {
        self.names[&me].trim_end_matches("<>").replace('·', ".")
    }

    /// The budget that exports state for this function's recursion; 0 if it is not recursive, or if exports differ or
    /// state none.
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

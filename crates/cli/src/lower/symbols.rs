//! The symbols of one file, and what its entries must agree on with Go.

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
    /// Which calls the scheduler is told of.
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

/// What a machine's lowering needs to know of the others' symbols.
pub struct Symbols<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// What the names of the package rt's functions begin with, as the assembler spells it: `rustgo·dev∕go∕rt`.
    pub rt: &'a str,
    /// By instance: its name (with `<>`).
    pub names: BTreeMap<InstanceId, String>,
    /// By instance: where its body starts behind the assembler's prologue.
    pub starts: BTreeMap<InstanceId, u32>,
    /// By instance that is recursive, or guarded against pointers: the name of its checked entry.
    pub checked: BTreeMap<InstanceId, String>,
    /// For addresses of functions: the one instance that stands for each.
    pub addresses: BTreeMap<FuncId, InstanceId>,
    /// By function whose code depends on its entry alignment and whose address is taken: the entry that aligns the stack.
    pub aligned: BTreeMap<FuncId, String>,
    /// What is live at each function's entry and at its returns, over all that calls it.
    pub live: Live<'a>,
    /// Functions in which upper parts of addresses must be made, since somebody reads one.
    pub parts: BTreeSet<InstanceId>,
    /// By instance that is called from where SP may be any multiple of 8: the entry that aligns it to 16.
    pub realigned: BTreeMap<InstanceId, String>,
    /// Where those entries, and the checked ones, start behind the assembler's prologue.
    pub entry_start: u32,
}

/// The symbol of a function's name, for the message of its checked entry.
pub fn checked_name(checked: &str) -> String {
    format!("{}·name<>", checked.trim_end_matches("<>"))
}

/// What stands for the address of a way out: a function of this file. Where programs are linked dynamically, Go's assembler would turn an
/// LEAQ of another package's function into a load.
pub fn address_of(exit: Exit) -> String {
    exit.row().stub.as_ref().map_or_else(|| format!("rustgo·{}<>", exit.row().function), |stub| stub.symbol.to_owned())
}

/// Symbols and the offsets in them where the code begins.
impl Symbols<'_> {
    /// The function itself.
    pub fn body(&self, me: InstanceId) -> (String, i64) {
        (self.names[&me].clone(), i64::from(self.starts[&me]))
    }

    /// What a caller calls: the checked entry of a recursive function, else the function itself.
    pub fn entry(&self, me: InstanceId) -> (String, i64) {
        if self.facts.stacks[me].recursive { self.checked_entry(me) } else { self.body(me) }
    }

    /// The checked entry, where there is one, else the function itself: what a pointer leads to, or what aligns the stack for it.
    pub fn checked_entry(&self, me: InstanceId) -> (String, i64) {
        self.checked.get(&me).map_or_else(|| self.body(me), |checked| (checked.clone(), i64::from(self.entry_start)))
    }

    /// What stands for the address of something callable.
    pub fn address(&self, target: &Target) -> (String, i64) {
        match target {
            Target::Function(id) => match (self.aligned.get(id), self.addresses.get(id)) {
                (Some(aligned), _) => (aligned.clone(), i64::from(self.entry_start)),
                (None, Some(&me)) => self.checked_entry(me),
                // Nothing that is reached can call it.
                (None, None) => (self.exit(Exit::Missing), 0),
            },
            Target::Exit(exit) => (address_of(*exit), 0),
            Target::Data(_) | Target::Undefined(_) | Target::AmongCode(_) => (self.exit(Exit::Missing), 0),
        }
    }

    /// Where Rust's calls of a way out lead: its stub, if it has one.
    pub fn exit(&self, exit: Exit) -> String {
        exit.row().stub.as_ref().map_or_else(|| self.taking_over(exit), |stub| stub.symbol.to_owned())
    }

    /// The function of `rt` that takes over there.
    pub fn taking_over(&self, exit: Exit) -> String {
        format!("{}·{}", self.rt, exit.row().function)
    }

    /// What the entry of an export needs that tells the scheduler of its calls.
    pub fn telling(&self, blocking: &Blocking) -> Box<ExpectedBlocking> {
        Box::new(ExpectedBlocking {
            enter: format!("{}·{ENTER_CALL}", self.rt),
            leave: format!("{}·{LEAVE_CALL}", self.rt),
            over: blocking.over,
            lengths: blocking.lengths.iter().map(|length| (length.offset, length.size)).collect(),
        })
    }

    /// What the checked entry of a function does where there is no stack: it leaves, and says for whom.
    pub fn exhausted(&self, me: InstanceId) -> ExpectedExit {
        let given = |argument: &Argument| match argument {
            Argument::Name => Some((Argument::Name, Operand::Address(checked_name(&self.checked[&me])))),
            Argument::NameLength => Some((Argument::NameLength, Operand::Number(self.path(me).len() as u32))),
            Argument::Budget => Some((Argument::Budget, Operand::Number(self.budget(me)))),
            // Others are those of other exits.
            Argument::PanicInfo | Argument::Formatter | Argument::Word(_) => None,
        };
        let arguments = Exit::Exhausted.row().arguments.iter().filter_map(given).collect();
        ExpectedExit { function: self.taking_over(Exit::Exhausted), arguments }
    }

    /// The function's name as messages have it.
    pub fn path(&self, me: InstanceId) -> String {
        self.names[&me].trim_end_matches("<>").replace('·', ".")
    }

    /// The budget that exports state for this function's recursion, if it is one; 0 where they differ, or state none.
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

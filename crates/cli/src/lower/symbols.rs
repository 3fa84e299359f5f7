//! The symbols of one assembly file, and the details of an export's Go declaration that its entry must match.

use super::live::Live;
use crate::abi::{ENDS_PROCESS, ENTER_CALL, LEAVE_CALL};
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
    /// The Go name of the first argument word, as `go vet` expects it: for example `dst`, or `msg_base` for a slice.
    pub first_argument: Option<String>,
    /// The Go name of the first result, and its offset in bytes from the start of the arguments.
    pub first_result: Option<(String, u32)>,
    /// Size of the arguments and results together, in bytes.
    pub size: u32,
    /// Describes which calls of the export are announced to Go's scheduler as blocking; `None` if no call is.
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

/// The names of all symbols of one assembly file, and the properties of its functions that lowering needs.
pub struct Symbols<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// The prefix of symbols of the package rt, in the assembler's spelling: `rustgo·dev∕go∕rt`.
    pub rt: &'a str,
    /// For each instance, the name of its text symbol (with `<>`). A function whose code depends on the alignment of SP on entry has one instance for
    /// each alignment. Any other function has one instance.
    pub names: BTreeMap<InstanceId, String>,
    /// For each instance, the offset in bytes from its symbol to its code. The assembler may put a prologue in between.
    pub starts: BTreeMap<InstanceId, u32>,
    /// The names of checked entries. An instance has one if it is recursive, or if it must check the stack when it is called through a pointer.
    pub checked: BTreeMap<InstanceId, String>,
    /// For each function, the instance that code reaches through the function's address. If the code depends on the alignment of SP on entry, the
    /// function is in this map only if its address is taken.
    pub addresses: BTreeMap<FuncId, InstanceId>,
    /// For each C function whose address is taken and that is not emitted: the name of a generated function whose address is used instead. So two C
    /// functions always have different addresses, as C promises. Rust makes no such promise for Rust functions.
    pub unreached: BTreeMap<FuncId, String>,
    /// The names of aligning entries. A function has one if its address is taken and its code depends on the alignment of SP on entry.
    pub aligned: BTreeMap<FuncId, String>,
    /// The registers and flags that are live at each point of the whole program.
    pub live: Live<'a>,
    /// The instances in which lowering must compute the upper parts of addresses, because some code reads such a part (arm64).
    pub address_halves: BTreeSet<InstanceId>,
    /// The names of realigning entries, which align SP to 16. An instance has one if it is called where SP may be any multiple of 8.
    pub realigned: BTreeMap<InstanceId, String>,
    /// The names of copying entries, which align SP and copy stack arguments. An instance has one if a direct call must go through it.
    pub copying: BTreeMap<InstanceId, String>,
    /// The offset in bytes from the symbol of a generated entry (checked, aligning, realigning or copying) to the entry's code, after the assembler's
    /// prologue.
    pub entry_start: u32,
}

/// Returns the symbol of the data that holds a function's name. If the stack is exhausted, the function's checked entry passes the name to `rt`.
/// `checked` is the symbol of the checked entry.
pub fn checked_name(checked: &str) -> String {
    format!("{}·name<>", checked.trim_end_matches("<>"))
}

/// Returns the symbol of a generated function: lowered code uses the function's address as the address of an exit (a function of `rt`). The function
/// is in the same assembly file. The address of a function of `rt` itself is not usable: if the program is linked dynamically, Go's assembler turns
/// an LEAQ of another package's function into a load. The name cannot clash with the name of a crate's function: the support crate, whose path is
/// `rustgo`, has no module `exit`.
pub fn address_of(exit: Exit) -> String {
    exit.row().stub.as_ref().map_or_else(|| format!("rustgo·exit·{}<>", exit.row().function), |stub| stub.symbol.to_owned())
}

/// Methods that return a place in the code return a symbol, and the offset in bytes from the symbol to the place.
impl Symbols<'_> {
    /// Returns the function's own code, which does not check the stack.
    pub fn body(&self, me: InstanceId) -> (String, i64) {
        (self.names[&me].clone(), i64::from(self.starts[&me]))
    }

    /// Returns the entry for direct calls: the checked entry if the function is recursive, otherwise the function's own code.
    pub fn entry(&self, me: InstanceId) -> (String, i64) {
        if self.facts.stacks[me].recursive { self.checked_entry(me) } else { self.body(me) }
    }

    /// Returns the function's checked entry if it has one, otherwise the function's own code. A pointer to the function holds the address of the
    /// returned place, or of an aligning entry that calls it.
    pub fn checked_entry(&self, me: InstanceId) -> (String, i64) {
        self.checked.get(&me).map_or_else(|| self.body(me), |checked| (checked.clone(), i64::from(self.entry_start)))
    }

    /// Returns the place whose address lowered code uses as the address of `target`, a function or an exit. The place can be an entry of the
    /// function, or a generated function that stands for the target.
    pub fn address(&self, target: &Target) -> (String, i64) {
        match target {
            Target::Function(id) => match (self.aligned.get(id), self.addresses.get(id)) {
                (Some(aligned), _) => (aligned.clone(), i64::from(self.entry_start)),
                (None, Some(&me)) => self.checked_entry(me),
                // No code that an export reaches can call the function through its address. The address of a stub is used instead.
                (None, None) => (self.unreached.get(id).cloned().unwrap_or_else(|| self.exit(Exit::Missing)), 0),
            },
            Target::Exit(exit) => (address_of(*exit), 0),
            Target::Data(_) | Target::Undefined(_) | Target::AmongCode(_) => (self.exit(Exit::Missing), 0),
        }
    }

    /// Returns the symbol that Rust code calls to leave through an exit: the exit's stub if it has one, otherwise a function of `rt`.
    pub fn exit(&self, exit: Exit) -> String {
        exit.row().stub.as_ref().map_or_else(|| self.rt_function(exit), |stub| stub.symbol.to_owned())
    }

    /// Returns the symbol of the function of `rt` that implements an exit.
    pub fn rt_function(&self, exit: Exit) -> String {
        format!("{}·{}", self.rt, exit.row().function)
    }

    /// Describes the calls of `rt` before and after the body of a blocking export. These calls tell Go's scheduler about the blocking.
    pub fn scheduler_calls(&self, blocking: &Blocking) -> Box<ExpectedBlocking> {
        Box::new(ExpectedBlocking {
            enter: format!("{}·{ENTER_CALL}", self.rt),
            leave: format!("{}·{LEAVE_CALL}", self.rt),
            over: blocking.over,
            lengths: blocking.lengths.iter().map(|length| (length.offset, length.size)).collect(),
        })
    }

    /// Describes the call by which a function's checked entry reports to `rt` that the stack is exhausted.
    pub fn exhausted(&self, me: InstanceId) -> ExpectedExit {
        let given = |argument: &Argument| match argument {
            Argument::Name => Some((Argument::Name, Operand::Address(checked_name(&self.checked[&me])))),
            Argument::NameLength => Some((Argument::NameLength, Operand::Number(self.path(me).len() as u32))),
            Argument::Budget => {
                Some((Argument::Budget, Operand::Number(self.budget(me) | if self.object.ends_process { ENDS_PROCESS } else { 0 })))
            }
            // Only other exits have these arguments.
            Argument::PanicInfo | Argument::Formatter | Argument::Word(_) => None,
        };
        let arguments = Exit::Exhausted.row().arguments.iter().filter_map(given).collect();
        ExpectedExit { function: self.rt_function(Exit::Exhausted), arguments }
    }

    /// Returns the function's name as messages show it.
    pub fn path(&self, me: InstanceId) -> String {
        self.names[&me].trim_end_matches("<>").replace('·', ".")
    }

    /// Returns the stack budget in bytes that the package's exports grant this function's recursion. 0 if the function is not recursive, or if it
    /// runs only on the way to a panic. Also 0 if no export has a budget, or if the exports have different budgets.
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

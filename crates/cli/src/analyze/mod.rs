//! Program → Facts: computes stack depths, the call graph, and the properties of every call from decoded machine code. Lowering needs these facts.
//! Code is refused if the facts about it cannot be proved.
//!
//! ```text
//!  machine          interface to a processor architecture
//!  value            abstract value of a register or frame word
//!  slots            frame words with a known value
//!  state            what is known before an instruction, and the join of two states
//!  summary          facts about one function
//!  flow             one function: SP and known values at every instruction, calls, returns, clobbers
//!  outgoing         frame words that may be arguments of calls
//!  escaping_values  values that leave a function besides arguments and results
//!  tables           targets of a jump through a table
//!  table_use        proof that a table's address is used only for its jump
//!  world            all reached functions: flow repeated to a fixed point, targets of indirect calls
//!  pointers         functions whose address a pointer may hold, and functions that check the stack when called through a pointer
//!  arguments        stack argument words that the entry for a pointer copies
//!  contiguous_args  functions that copy their stack arguments into their frame
//!  aligned_calls    calls that pass stack arguments from an aligned frame
//!  align            functions that need SP to be a multiple of 16
//!  untyped          labels whose address is taken and that may not be functions
//!  graph            nodes of the call graph, strongly connected components
//!  depths           recursion, and the deepest stack of each function
//!  default_budget   the stack budget of an export that recurses but whose author states no budget
//!  bounds           the stack bound and entry of each export
//!  stacks           stack sizes of functions, entries and checks
//!  chain            call chains for messages
//!  hints            hints for refusals
//!  explain          call chains for refusals of later stages
//!  facts            the result: facts about functions, calls and exports
//! ```
//!
//! The analysis starts at the exports. It does not follow *exits*, the calls by which Rust code enters the Go package `rt` (see `exits`). The code of
//! an export is its *shim*, the function that the macro `#[rustgo::export]` generates around the author's function. An *instance* is a function
//! analysed for one alignment of SP on entry. An instruction is *doomed* if the function can no longer return after it.
//!
//! Code that runs only after a panic is the *panic world*: the formatter of the message, and the functions that only this formatter reaches, for
//! example through pointers in the arguments of the message. All other code is the *hot world*. The panic world runs on a separate stack of a fixed
//! size. Its code checks this stack at recursive calls and at calls through pointers. If a function of the panic world cannot be included, a stub
//! replaces the function. A call of the stub ends the formatting.
//!
//! An indirect call reaches one of the functions that its operand is known to hold. If the operand is unknown, the call may reach any function
//! whose address is taken. Such an address comes from a relocation in reached code or data, or from an instruction that refers to a function of
//! its own section without a relocation (`Inst::function_address`).
//!
//! The addresses of some functions are taken only on the way to a panic. The analysis assumes that an unresolved call in a function that can still
//! return does not reach such a function. The exception is a function whose address the analysis sees stored where a later call may find it. If the
//! assumption is wrong, the call still cannot overflow the stack: every pointer to such a function holds the address of an entry that checks the
//! stack.

mod align;
mod aligned_calls;
mod arguments;
mod bounds;
mod chain;
mod contiguous_args;
mod default_budget;
mod depths;
mod escaping_values;
mod explain;
mod facts;
mod flow;
mod graph;
mod hints;
mod machine;
mod outgoing;
mod pointers;
mod slots;
mod stacks;
mod state;
mod summary;
mod table_use;
mod tables;
mod untyped;
mod value;
mod world;

pub use explain::explain;
pub use facts::{EntryKind, ExportFacts, Facts, Limits, Recursion};
pub use graph::{InstanceId, Node, SetId};
pub use hints::{complete as complete_hint, complete_data as complete_data_hint, needs_mathematics};
pub use machine::{Effect, Knowledge, Machine, Reach, Refusal, refuse, refuse_undefined};
pub use slots::Slots;
pub use stacks::align_stack;
pub use state::{AlignedFrame, State};
pub use summary::{Edge, EdgeKind, EscapingValues, TableAddresses, Unwound, Way};
pub use value::{Origin, Value, value_after_call};
pub use world::{Instance, LARGEST_ALIGNMENT, at_root};

use crate::decode::Program;
use crate::diag::Result;
use crate::load::Object;
use std::collections::BTreeSet;

/// Analyses all functions that the exports reach.
///
/// If the code is refused, the result is incomplete facts with the reasons ([`Facts::refused`]): functions with errors are left out, and no export
/// has facts. Such facts serve only to find further reasons.
pub fn analyze(object: &Object, program: &Program, machine: &dyn Machine, limits: Limits) -> Result<Facts> {
    let mut padless = BTreeSet::new();
    loop {
        let world = world::explore(object, program, machine, &padless)?;
        let more = if world.refused.is_empty() { bounds::uncopied(object, program, &world) } else { BTreeSet::new() };
        if more.is_empty() {
            return Ok(bounds::bound(object, program, machine, world, limits));
        }
        padless.extend(more);
    }
}

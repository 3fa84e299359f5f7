//! Program → Facts: what the machine code does to the stack, proved instruction by instruction.
//!
//! ```text
//!  machine  what a machine must be able to do
//!  state    what is known before an instruction, and what of it where two ways meet
//!  summary  what is found in one function
//!  flow     one function: SP and known values before every instruction, calls, returns, clobbers
//!  tables   where a jump through a table can lead
//!  table_use that a table's address serves for nothing else
//!  world    all reached functions: flow repeated until nothing changes; targets of indirect calls
//!  arguments how many words of arguments on the stack the entry behind a pointer must hand on
//!  joined   which functions copy their arguments on the stack, and how much of them
//!  align    which functions need SP to be a multiple of 16
//!  pointers which functions a pointer may lead to, and which of them it leads to through a check
//!  untyped  labels whose address is taken, and of which nothing says that they are functions
//!  depths   the call graph: recursion, the deepest stack of each function
//!  bounds   the stack of each export, and what else is known of it
//!  likely   the stack that recursion is granted, by which functions a call through a pointer is likely to reach
//!  stacks   the stack of a function, and that of what is not compiled: entries, and what they call
//!  chain    why: the calls that lead from an export to what is refused
//!  hints    the way out of each kind of refusal
//!  facts    what all this leaves for the stages behind it
//! ```
//!
//! The walk starts at the exports and ends at the ways out of Rust code (`exits`). What only runs after a panic (the formatter, and
//! functions whose address only a message can hold) is the *panic world*. It runs on a stack of its own and of a known size,
//! whatever it needs: where it recurses, and where it calls through pointers, the stack is checked. A function there that
//! cannot be carried is replaced by a stub that ends the formatting.
//!
//! An indirect call reaches one of the functions its operand is known to hold. Where that is not known, every address of
//! a function in the program comes from a relocation in reached code or data, or from an instruction that names a function
//! of its own section without one (`Inst::names`), so the call reaches one of those: the set of address-taken functions.
//! Addresses made where only a panic can follow are not counted by calls from which the function can still return, unless
//! they are seen to be stored where a later call may find them: pointers to those functions lead to a check.

mod align;
mod arguments;
mod bounds;
mod chain;
mod contiguous_args;
mod default_budget;
mod depths;
mod escaping_values;
mod facts;
mod flow;
mod graph;
mod hints;
mod machine;
mod outgoing;
mod pointers;
mod stacks;
mod state;
mod summary;
mod table_use;
mod tables;
mod untyped;
mod world;

pub use facts::{EntryKind, Facts, Limits};
pub use graph::{InstanceId, Node};
pub use hints::UNSUPPORTED;
pub use machine::{Effect, Knowledge, Machine, Reach, Refusal, refuse, refuse_undefined};
pub use state::{AlignedFrame, Found, State, Value, left};
pub use summary::{Crossing, Edge, EdgeKind, Handed};
pub use world::{Instance, ROOT_ALIGNMENT};

use crate::decode::Program;
use crate::diag::Result;
use crate::load::Object;

/// Analyze everything the exports reach.
pub fn analyze(object: &Object, program: &Program, machine: &dyn Machine, limits: Limits) -> Result<Facts> {
    let world = world::explore(object, program, machine)?;
    bounds::bound(object, program, machine, world, limits)
}

//! Program → Facts: what the machine code does to the stack, proved instruction by instruction.
//!
//! ```text
//!  flow     one function: SP and known values before every instruction, calls, returns, clobbers
//!  tables   where a jump through a table can lead
//!  table_use that a table's address serves for nothing else
//!  world    all reached functions: flow repeated until nothing changes; targets of indirect calls
//!  arguments how many words of arguments on the stack the entry behind a pointer must hand on
//!  joined   which functions copy their arguments on the stack, and how much of them
//!  align    which functions need SP to be a multiple of 16
//!  pointers which functions a pointer may lead to, and which of them it leads to by way of a check
//!  untyped  labels whose address is taken, and of which nothing says that they are functions
//!  bounds   the call graph: recursion, the deepest stack of each function and export
//!  chain    why: the calls that lead from an export to what is refused
//! ```
//!
//! The walk starts at the exports and ends at the panic entry. What only runs after a panic (the formatter, and
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
mod crossing;
mod flow;
mod graph;
mod joined;
mod pointers;
mod table_use;
mod tables;
mod untyped;
mod world;

pub use chain::UNSUPPORTED;
pub use crossing::Crossing;
pub use flow::{Edge, EdgeKind, Summary};
pub use graph::{InstanceId, Node};
pub use pointers::Pointers;
pub use table_use::Handed;
pub use tables::JumpTable;
pub use world::{Instance, ROOT_ALIGNMENT};

use crate::arch::{Machine, Reach};
use crate::decode::Program;
use crate::diag::Result;
use crate::load::Object;
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// Stack the panic entry may use below SP at its entry, in bytes: `rt.enter`'s frame and its call of Go
/// (`go/rt/panic_amd64.s`, `PANIC_STACK`).
pub const PANIC_STACK: u32 = 96;

/// What analysis leaves for the stages behind it.
#[derive(Debug)]
pub struct Facts {
    pub instances: PrimaryMap<InstanceId, Instance>,
    /// In the order of the object's exports.
    pub exports: Vec<ExportFacts>,
    /// Functions to emit, hot ones first, each once per entry alignment that matters.
    pub emitted: Vec<InstanceId>,
    /// Can any export panic? Then the formatter and `rt` are needed.
    pub can_panic: bool,
    /// Functions that only a panic's message could call and that cannot be carried, with the reason.
    pub unavailable: BTreeMap<String, String>,
    pub pointers: Pointers,
}

impl Facts {
    /// Does one of these take arguments on the stack, or hand on what it was passed there to a function that does?
    pub fn take_stack(&self, nodes: &BTreeSet<Node>) -> bool {
        self.takes_stack(nodes, &mut BTreeSet::new())
    }

    fn takes_stack(&self, nodes: &BTreeSet<Node>, seen: &mut BTreeSet<InstanceId>) -> bool {
        nodes.iter().any(|node| {
            let Node::Instance(to) = node else { return false };
            let instance = &self.instances[*to];
            let handed_on = |seen: &mut BTreeSet<InstanceId>| {
                let edges = instance.summary.edges.iter().zip(&instance.targets);
                edges.into_iter().any(|(edge, nodes)| edge.kind == EdgeKind::Tail && self.takes_stack(nodes, seen))
            };
            instance.summary.stack_arguments || instance.joined.is_some_and(|bytes| bytes > 0) || seen.insert(*to) && handed_on(seen)
        })
    }

    /// Does the package need `rt`: to panic, where a check of the stack fails, or where it faults?
    pub fn needs_rt(&self) -> bool {
        self.can_fault()
            || self.can_panic
            || self.exports.iter().any(|e| e.can_panic)
            || !self.unavailable.is_empty()
            || !self.pointers.guarded.is_empty()
    }

    /// Can code fault, as far as is seen?
    fn can_fault(&self) -> bool {
        let shims: BTreeSet<InstanceId> = self.exports.iter().map(|export| export.shim).collect();
        self.emitted.iter().any(|me| {
            let summary = &self.instances[*me].summary;
            let there = if shims.contains(me) { Reach::Areas } else { Reach::There };
            // A function that is not known may be none.
            summary.reach > there || summary.edges.iter().any(|edge| edge.targets.is_none())
        })
    }
}

/// One export.
#[derive(Debug)]
pub struct ExportFacts {
    pub shim: InstanceId,
    /// The deepest stack below the entry's frame base: return address, alignment and everything below, in bytes.
    pub bound: u32,
    /// The stated budget, where recursion needs one.
    pub budget: Option<u32>,
    /// May the shim's body stand in the entry itself, without a check of the stack?
    pub fused: bool,
    /// SP must be a multiple of this before the call: 8 (always so), 16, or 64.
    pub align: u32,
    /// Can it get to a checked entry? Then its own says how far down the call may go.
    pub limited: bool,
    pub can_panic: bool,
    /// Does it use the x87 stack? Then the entry empties that first: a fault that was recovered on this thread may have left it full.
    pub x87: bool,
    /// CPU features beyond the base line in code this export reaches.
    pub features: BTreeSet<String>,
}

/// Limits the request sets.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest stack bound an export may have, in bytes.
    pub max_stack: u64,
}

/// Analyze everything the exports reach.
pub fn analyze(object: &Object, program: &Program, machine: &dyn Machine, limits: Limits) -> Result<Facts> {
    let world = world::explore(object, program, machine)?;
    bounds::bound(object, program, machine, world, limits)
}

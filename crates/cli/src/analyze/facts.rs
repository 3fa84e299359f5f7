//! What the analysis leaves for the stages behind it.

use super::arguments::Words;
use super::contiguous_args::Joined;
use super::graph::{InstanceId, Node};
use super::machine::Reach;
use super::pointers::{Guarded, Pointers};
use super::stacks::Stacks;
use super::summary::EdgeKind;
use super::world::Instance;
use crate::ids::ExportId;
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What analysis leaves for the stages behind it: the results of its passes.
#[derive(Debug)]
pub struct Facts {
    pub instances: PrimaryMap<InstanceId, Instance>,
    /// Edges, by their index, that lead through an entry that aligns SP to 16 for the callee.
    pub realigned: BTreeSet<(InstanceId, usize)>,
    /// What the entry behind a pointer to a function copies.
    pub argument_words: Words,
    pub joined: Joined,
    pub stacks: Stacks,
    pub exports: PrimaryMap<ExportId, ExportFacts>,
    /// Functions to emit, hot ones first, each once per entry alignment that matters.
    pub emitted: Vec<InstanceId>,
    /// Can any export panic? Then the formatter and `rt` are needed.
    pub can_panic: bool,
    /// Functions that only a panic's message could call and that cannot be carried, with the reason.
    pub unavailable: BTreeMap<String, String>,
    pub pointers: Pointers,
    pub guarded: Guarded,
    /// Does the package ask for memory, or give it back?
    pub needs_heap: bool,
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
            instance.summary.stack_arguments
                || self.joined.copied(*to).is_some_and(|bytes| bytes > 0)
                || seen.insert(*to) && handed_on(seen)
        })
    }

    /// Does the package need `rt`: to panic, where a check of the stack fails, or where it faults?
    pub fn needs_rt(&self) -> bool {
        self.can_fault()
            || self.can_panic
            || self.exports.values().any(|e| e.can_panic || e.blocking)
            || !self.unavailable.is_empty()
            || !self.guarded.is_empty()
    }

    /// Can code fault, as far as is seen?
    fn can_fault(&self) -> bool {
        let shims: BTreeSet<InstanceId> = self.exports.values().map(|export| export.shim).collect();
        self.emitted.iter().any(|me| {
            let summary = &self.instances[*me].summary;
            let there = if shims.contains(me) { Reach::Areas } else { Reach::There };
            // A function that is not known may be none.
            summary.reach > there || summary.edges.iter().any(|edge| edge.targets.is_none())
        })
    }
}

/// How the entry of an export reaches the body of its shim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// The body stands in the entry itself. There is no check of the stack: all that it needs lies in what Go keeps free for NOSPLIT
    /// functions.
    Fused,
    /// The entry makes sure of the stack, and calls the body.
    Framed,
    /// A routine's: generated code calls it by C's convention, and has made sure of the stack. It goes on to the body.
    Routine,
}

impl EntryKind {
    /// `fused`, `framed` or `routine`.
    pub fn as_str(self) -> &'static str {
        match self {
            EntryKind::Fused => "fused",
            EntryKind::Framed => "framed",
            EntryKind::Routine => "routine",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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
    /// Where it recurses and states no budget: a function that recurses.
    pub assumed: Option<String>,
    pub entry: EntryKind,
    /// SP must be a multiple of this before the call: 8 (always so), 16, or 64.
    pub align: u32,
    /// Can it get to a checked entry? Then its own says how far down the call may go.
    pub limited: bool,
    pub can_panic: bool,
    /// Is the scheduler told of calls?
    pub blocking: bool,
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

//! The result of the analysis: facts about functions, calls and exports, for lowering, verification and the runtime
//! copy.

use super::arguments::ArgumentWords;
use super::contiguous_args::ContiguousArgs;
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

/// The results of all passes of the analysis.
#[derive(Debug)]
pub struct Facts {
    pub instances: PrimaryMap<InstanceId, Instance>,
    /// Edges, by index, that go through an entry that aligns SP to 16 for the callee.
    pub realigned: BTreeSet<(InstanceId, usize)>,
    /// Stack argument words that the entry for a pointer to a function copies.
    pub argument_words: ArgumentWords,
    pub contiguous_args: ContiguousArgs,
    pub stacks: Stacks,
    pub exports: PrimaryMap<ExportId, ExportFacts>,
    /// Functions to emit, hot ones first, once for each entry alignment that matters.
    pub emitted: Vec<InstanceId>,
    /// Can any export panic? Then the formatter and `rt` are needed.
    pub can_panic: bool,
    /// Functions that only a panic's message could call and that cannot be included, with the reason.
    pub unavailable: BTreeMap<String, String>,
    pub pointers: Pointers,
    pub guarded: Guarded,
    /// Does the package allocate or free memory?
    pub needs_heap: bool,
}

impl Facts {
    /// Does any of the nodes take stack arguments, or jump to a function that does?
    pub fn take_stack_arguments(&self, nodes: &BTreeSet<Node>) -> bool {
        self.takes_stack_arguments(nodes, &mut BTreeSet::new())
    }

    fn takes_stack_arguments(&self, nodes: &BTreeSet<Node>, seen: &mut BTreeSet<InstanceId>) -> bool {
        nodes.iter().any(|node| {
            let Node::Instance(to) = node else { return false };
            let instance = &self.instances[*to];
            let handed_on = |seen: &mut BTreeSet<InstanceId>| {
                let edges = instance.summary.edges.iter().zip(&instance.targets);
                edges.into_iter().any(|(edge, nodes)| edge.kind == EdgeKind::Tail && self.takes_stack_arguments(nodes, seen))
            };
            instance.summary.stack_arguments
                || self.contiguous_args.copied_bytes(*to).is_some_and(|bytes| bytes > 0)
                || seen.insert(*to) && handed_on(seen)
        })
    }

    /// Does the package need `rt`: for panics, failed stack checks, or faults?
    pub fn needs_rt(&self) -> bool {
        self.can_fault()
            || self.can_panic
            || self.exports.values().any(|e| e.can_panic || e.blocking)
            || !self.unavailable.is_empty()
            || !self.guarded.is_empty()
    }

    /// May emitted code fault?
    fn can_fault(&self) -> bool {
        let shims: BTreeSet<InstanceId> = self.exports.values().map(|export| export.shim).collect();
        self.emitted.iter().any(|me| {
            let summary = &self.instances[*me].summary;
            let there = if shims.contains(me) { Reach::Areas } else { Reach::There };
            // An unresolved function pointer may be invalid, so the call may fault.
            summary.reach > there || summary.edges.iter().any(|edge| edge.targets.is_none())
        })
    }
}

/// How the entry of an export leads to the shim's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// The body is part of the entry. There is no stack check: the body and its callees fit into the stack that Go
    /// keeps free for NOSPLIT functions.
    Fused,
    /// The entry checks the stack and calls the body.
    Framed,
    /// Entry of a routine: generated code calls it by the C convention and has checked the stack already. The entry
    /// continues into the body.
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

/// Facts of one export.
#[derive(Debug)]
pub struct ExportFacts {
    pub shim: InstanceId,
    /// Stack below the entry's frame base, in bytes: return address, alignment, and everything deeper.
    pub bound: u32,
    /// The stack budget, if the export recurses.
    pub budget: Option<u32>,
    /// If the export recurses and states no budget: the path of a function that recurses.
    pub assumed: Option<String>,
    pub entry: EntryKind,
    /// SP must be a multiple of this before the call: 8 (always true), 16, or 64.
    pub align: u32,
    /// Can it reach a checked entry? Then its own entry stores the stack limit of the call.
    pub limited: bool,
    pub can_panic: bool,
    /// Does the scheduler treat calls as blocking?
    pub blocking: bool,
    /// Does it use the x87 stack? Then the entry empties that stack first: a recovered fault on this thread may have
    /// left it full.
    pub x87: bool,
    /// CPU features above the baseline that code reached by this export needs.
    pub features: BTreeSet<String>,
}

/// Limits from the request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest stack bound of an export, in bytes.
    pub max_stack: u64,
}

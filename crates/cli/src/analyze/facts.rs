//! Holds the result of the analysis: facts about functions, calls and exports. Lowering, verification and the choice of runtime files read these
//! facts.

use super::aligned_calls::AlignedCalls;
use super::arguments::ArgumentWords;
use super::contiguous_args::ContiguousArgs;
use super::graph::{InstanceId, Node, SetId, TargetSets};
use super::machine::Reach;
use super::pointers::{Guarded, Pointers};
use super::stacks::Stacks;
use super::summary::EdgeKind;
use super::world::{Instance, World};
use crate::diag::gather::{by_importance, gather};
use crate::diag::{Diagnostic, Failure, Result};
use crate::ids::ExportId;
use cranelift_entity::{EntitySet, PrimaryMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The results of all passes of the analysis.
#[derive(Debug)]
pub struct Facts {
    pub instances: PrimaryMap<InstanceId, Instance>,
    /// The targets of the calls and jumps of all instances.
    pub sets: TargetSets,
    pub stack_arguments: StackArguments,
    /// The calls and jumps that go through an entry which aligns SP to 16 for the callee, as (caller, index of the call or jump).
    pub realigned: BTreeSet<(InstanceId, usize)>,
    /// The direct calls that go through an entry which aligns SP and copies stack arguments, as (caller, index of the call). See [`World::copied`].
    pub copied: BTreeSet<(InstanceId, usize)>,
    /// For each function, the number of stack argument words that its aligning entry copies. A pointer to a function that aligns its frame holds the
    /// address of this entry.
    pub argument_words: ArgumentWords,
    pub contiguous_args: ContiguousArgs,
    pub aligned_calls: AlignedCalls,
    pub stacks: Stacks,
    pub exports: PrimaryMap<ExportId, ExportFacts>,
    /// The alignment of SP in bytes that the analysis tracks: 64 or 128. If a callee depends on the alignment of SP, SP is a multiple of this number
    /// of bytes where an entry calls an export's body, and where code calls through a pointer.
    pub alignment: u8,
    /// The functions to emit. A function whose code depends on the alignment of SP occurs once for each alignment on entry. Functions that run
    /// without a panic come first.
    pub emitted: Vec<InstanceId>,
    /// True if the package contains the formatter of panic messages: an export can reach an exit that formats the message of a panic.
    pub can_panic: bool,
    /// The functions that cannot be included, each with the reason. Only code that formats a panic's message could call such a function.
    pub unavailable: BTreeMap<String, String>,
    pub pointers: Pointers,
    pub guarded: Guarded,
    /// True if the package allocates or frees memory.
    pub needs_heap: bool,
    /// The reasons to refuse the code. If there is any, the facts are incomplete (see [`analyze`](super::analyze)).
    pub refused: Vec<Diagnostic>,
}

impl Facts {
    /// Returns complete facts, or the reasons to refuse the code.
    pub fn accepted(self) -> Result<Facts> {
        if self.refused.is_empty() { Ok(self) } else { Err(Failure::Refused(by_importance(gather(self.refused)))) }
    }

    /// Returns the targets of a call or jump. `edge` is the index of the call or jump.
    pub fn targets(&self, me: InstanceId, edge: usize) -> &BTreeSet<Node> {
        &self.sets[self.instances[me].targets[edge]]
    }

    /// Searches the call graph breadth first from the functions `from`, through functions for which `enters` is true. Returns the first result of
    /// `find`.
    pub fn nearest<T>(
        &self,
        from: &[InstanceId],
        enters: impl Fn(InstanceId) -> bool,
        find: impl Fn(InstanceId) -> Option<T>,
    ) -> Option<T> {
        let mut queue = from.to_vec();
        let mut seen: BTreeSet<InstanceId> = from.iter().copied().collect();
        let mut visited = BTreeSet::new();
        let mut at = 0;
        while let Some(&me) = queue.get(at) {
            at += 1;
            if let Some(found) = find(me) {
                return Some(found);
            }
            for &set in self.instances[me].targets.iter().filter(|&&set| visited.insert(set)) {
                queue.extend(self.sets[set].iter().filter_map(Node::instance).filter(|&to| enters(to) && seen.insert(to)));
            }
        }
        None
    }

    /// Returns all functions and exits that a call or jump may reach ([`Pointers::reach`]).
    pub fn reach(&self, me: InstanceId, edge: usize) -> impl Iterator<Item = &Node> {
        self.pointers.reach(&self.sets, &self.instances[me], edge)
    }

    /// True if the package needs `rt`: for panics, failed stack checks, faults, or blocking calls.
    pub fn needs_rt(&self) -> bool {
        self.can_fault()
            || self.can_panic
            || self.exports.values().any(|e| e.can_panic || e.blocking)
            || !self.unavailable.is_empty()
            || !self.guarded.is_empty()
    }

    /// True if an instruction of the emitted code may cause a memory fault or another hardware exception.
    fn can_fault(&self) -> bool {
        let shims: BTreeSet<InstanceId> = self.exports.values().map(|export| export.shim).collect();
        self.emitted.iter().any(|me| {
            let summary = &self.instances[*me].summary;
            let there = if shims.contains(me) { Reach::Areas } else { Reach::There };
            // A pointer that the analysis cannot resolve may be invalid, so a call through the pointer may fault.
            summary.reach > there || summary.edges.iter().any(|edge| edge.targets.is_none())
        })
    }
}

/// The calls and jumps whose targets take stack arguments, or jump to a function that takes stack arguments.
#[derive(Debug)]
pub struct StackArguments {
    /// The sets of targets with a function that takes stack arguments, or jumps to a function that does.
    sets: EntitySet<SetId>,
    /// True if [`Pointers::uncounted`] has a function that takes stack arguments, or jumps to a function that does.
    is_any_uncounted: bool,
}

impl StackArguments {
    pub fn new(world: &World, emitted: &[InstanceId], contiguous_args: &ContiguousArgs, uncounted: &[Node]) -> StackArguments {
        let takes =
            |me: InstanceId| world.instances[me].summary.stack_arguments || contiguous_args.copied_bytes(me).is_some_and(|bytes| bytes > 0);
        let mut jumpers: BTreeMap<SetId, Vec<InstanceId>> = BTreeMap::new();
        for &me in emitted {
            let edges = world.instances[me].summary.edges.iter().zip(&world.instances[me].targets);
            edges.filter(|(edge, _)| edge.kind == EdgeKind::Tail).for_each(|(_, &set)| jumpers.entry(set).or_default().push(me));
        }
        let taking = world.sets.leading_to(world.instances.keys().filter(|&me| takes(me)), jumpers);
        let is_taking = |node: &Node| node.instance().is_some_and(|to| taking.contains(&to));
        let (sets, is_any_uncounted) = (world.sets_with(is_taking), uncounted.iter().any(is_taking));
        StackArguments { sets, is_any_uncounted }
    }

    /// True if a member of the set takes stack arguments.
    pub fn taken_by(&self, set: SetId) -> bool {
        self.sets.contains(set)
    }

    /// True if a target of the call or jump takes stack arguments. Counts all functions of [`Pointers::reach`].
    pub fn taken_at(&self, instance: &Instance, edge: usize) -> bool {
        self.taken_by(instance.targets[edge]) || instance.summary.edges[edge].targets.is_none() && self.is_any_uncounted
    }
}

/// The kind of the entry that Go calls. The kinds differ in how control gets from the entry to the *body*: the code of the export's shim (the
/// function that the macro generates around the author's function).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// The body is part of the entry, without a stack check: the body and its callees fit into the stack that Go keeps free for NOSPLIT
    /// functions.
    Fused,
    /// The entry checks the stack and then calls the body.
    Framed,
    /// The entry of a routine (a function of `rt` that is written in Rust). Generated code calls the entry by the C convention, after a check of the
    /// stack. The entry continues in the body.
    Routine,
    /// No entry: `rt` calls the body on a separate stack of [`ExportFacts::bound`] bytes.
    Task,
}

impl EntryKind {
    /// Returns the name of the kind: `fused`, `framed`, `routine` or `task`.
    pub fn as_str(self) -> &'static str {
        match self {
            EntryKind::Fused => "fused",
            EntryKind::Framed => "framed",
            EntryKind::Routine => "routine",
            EntryKind::Task => "task",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The facts about one export.
#[derive(Debug)]
pub struct ExportFacts {
    pub shim: InstanceId,
    /// The number of bytes of stack that the export needs below the base of its entry's frame, including the return address and alignment.
    pub bound: u32,
    /// The stack budget in bytes; `None` if the export cannot recurse without a panic.
    pub budget: Option<u32>,
    /// Set if the author states no budget and calls that are likely recurse (`default_budget`). Then the export has the general default budget, and
    /// this is the path of a function that recurses.
    pub assumed: Option<String>,
    /// The recursion because of which the export has a stack budget. `None` if `budget` is `None`.
    pub recursion: Option<Recursion>,
    pub entry: EntryKind,
    /// The alignment that SP must have before the call: 8 (always true), 16, or [`Facts::alignment`].
    pub align: u32,
    /// The number of bytes of stack that the entry leaves free above the return address of its call. The reason is that an aligning entry may copy
    /// more stack arguments than the caller has passed: all words that the aligning entry reads must be part of the stack. The number is a multiple
    /// of `align`, and 0 for nearly all exports.
    pub room: u32,
    /// True if the export can reach a function's checked entry, which compares SP with the stack limit of the call. Then the export's own entry
    /// stores this limit.
    pub limited: bool,
    pub can_panic: bool,
    /// True if calls of the export may take long. Then the entry tells Go's scheduler that the call blocks.
    pub blocking: bool,
    /// True if the export uses the x87 register stack. Then the entry empties the x87 stack first, because a recovered fault on the current thread
    /// may have left the x87 stack full.
    pub x87: bool,
    /// The CPU features above the baseline that the export's code and its callees need.
    pub features: BTreeSet<String>,
}

/// A recursion that an export reaches without a panic.
#[derive(Clone, Debug)]
pub struct Recursion {
    /// The path of the recursive function that needs the most stack.
    pub function: String,
    /// The number of bytes of stack that a call of this function needs, up to the next stack check.
    pub level: u32,
    /// The smallest possible budget in bytes: one call of this function fits into it.
    pub least: u32,
    /// True if the author of the crate stated the budget.
    pub stated: bool,
}

impl Recursion {
    /// Returns how many nested calls of recursive functions certainly fit in the budget.
    pub fn levels(&self, budget: u32) -> u32 {
        budget.saturating_sub(self.least) / self.level.max(1) + 1
    }
}

/// The limits that the build request states.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest stack bound of an export, in bytes.
    pub max_stack: u64,
    /// Set if unknown Rust code calls the exports instead of Go (`rustgo survey`): the number of bytes of stack above the return address of each
    /// export's shim.
    pub above_roots: Option<u32>,
}

//! Computes for each function the stack that it needs up to the next stack check, and whether it recurses. [`super::bounds`] derives the stack
//! bounds of exports from the results.

use super::arguments::ArgumentWords;
use super::contiguous_args::ContiguousArgs;
use super::graph::{InstanceId, Node, components};
use super::machine::Machine;
use super::pointers::Guarded;
use super::stacks::{ALIGN_STACK, CHECK_STACK, REALIGN_STACK, Stack, Stacks};
use super::summary::EdgeKind;
use super::world::World;
use crate::decode::Program;
use crate::load::Object;
use std::collections::BTreeSet;

/// The facts that determine the stack needs of functions.
pub struct Depths<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub machine: &'a dyn Machine,
    pub world: &'a World,
    pub realigned: &'a BTreeSet<(InstanceId, usize)>,
    pub argument_words: &'a ArgumentWords,
    pub contiguous_args: &'a ContiguousArgs,
    /// The number of bytes of stack for a call through a pointer that reaches a function outside of the call's known targets
    /// ([`Pointers::check_stack`](super::pointers::Pointers::check_stack)).
    pub check: u32,
}

/// A strongly connected component of the graph of calls and jumps.
struct Component {
    members: BTreeSet<InstanceId>,
    /// True if a member of the component calls a member. Jumps between members do not count.
    recursive: bool,
}

impl Depths<'_> {
    /// Finds the recursive functions in `which`, and the stack that each function in `which` needs. `known` has the stack needs of the other
    /// functions that they call. The result contains `known` too.
    pub fn measure(&self, which: &[InstanceId], guarded: &Guarded, known: Stacks) -> Stacks {
        let mut stacks = known;
        let next = |me| self.inner_edges(me, guarded).map(|(_, to)| to);
        // `components` returns callees before callers, so `stacks` already has every function outside of a component that the component
        // calls.
        for members in components(self.world.instances.len(), which, next) {
            let members: BTreeSet<InstanceId> = members.into_iter().collect();
            let is_call = |me, (edge, to): (usize, InstanceId)| members.contains(&to) && self.calls(me, edge, to);
            let recursive = members.iter().any(|&me| self.inner_edges(me, guarded).any(|edge| is_call(me, edge)));
            let component = Component { members, recursive };
            let needs: Vec<u32> = component.members.iter().map(|&me| self.need(me, &component, guarded, &stacks)).collect();
            // Jumps add no stack. So in a component without calls, every member needs as much stack as the member that needs most.
            let deepest = needs.iter().copied().max().unwrap_or(0);
            for (&me, need) in component.members.iter().zip(needs) {
                stacks[me] = Stack { recursive: component.recursive, need: if component.recursive { need } else { deepest } };
            }
        }
        stacks
    }

    /// True if the caller's frame stays on the stack during this call or jump. A jump counts as a call if it goes through an aligning entry,
    /// or if the caller's frame contains a copy of its stack arguments.
    fn calls(&self, me: InstanceId, edge: usize, to: InstanceId) -> bool {
        let kind = self.world.instances[me].summary.edges[edge].kind;
        kind == EdgeKind::Call || self.contiguous_args.copied_bytes(me).is_some() || self.aligning_stack(me, edge, to) > 0
    }

    /// Returns the stack of the entry that aligns SP, in bytes; 0 if the call or jump does not go through such an entry.
    pub fn aligning_stack(&self, me: InstanceId, edge: usize, to: InstanceId) -> u32 {
        let instances = &self.world.instances;
        if self.realigned.contains(&(me, edge)) {
            REALIGN_STACK
        } else if instances[me].summary.edges[edge].indirect && instances[to].alignment.is_some() {
            ALIGN_STACK + 8 * self.argument_words[to]
        } else {
            0
        }
    }

    /// Returns the calls and jumps that may be part of a cycle without a stack check. Caller and callee both run without a panic, or both run
    /// only after a panic. In code that runs only after a panic, calls through pointers to functions in `guarded` are left out, because such
    /// pointers lead to a stack check.
    fn inner_edges(&self, me: InstanceId, guarded: &Guarded) -> impl Iterator<Item = (usize, InstanceId)> {
        let caller = &self.world.instances[me];
        self.world.edges(me).filter_map(move |(edge, node)| {
            let &Node::Instance(to) = node else { return None };
            let callee = &self.world.instances[to];
            let within = callee.hot == caller.hot && (caller.hot || !guarded.checks(caller.summary.edges[edge].indirect, callee));
            within.then_some((edge, to))
        })
    }

    /// Returns the stack that a function needs up to the next checked entry, in bytes below SP on entry. If the component does not recurse,
    /// jumps inside it are left out. `stacks` has the needs of the functions that the component calls.
    fn need(&self, me: InstanceId, component: &Component, guarded: &Guarded, stacks: &Stacks) -> u32 {
        let instance = &self.world.instances[me];
        let is_inside = |to: &InstanceId| !component.recursive && component.members.contains(to);
        self.deepest(me, |index| {
            let edge = &instance.summary.edges[index];
            let targets = &instance.targets[index];
            if targets.iter().all(|node| matches!(node, Node::Instance(to) if is_inside(to))) && edge.targets.is_some() {
                return None;
            }
            let below = |node: &Node| match node {
                Node::Instance(to) if is_inside(to) => 0,
                Node::Instance(to) => {
                    let recursive = stacks[*to].recursive || component.members.contains(to);
                    let entry = if recursive { CHECK_STACK } else { self.entry(me, index, *to, guarded, stacks) };
                    entry.saturating_add(self.aligning_stack(me, index, *to))
                }
                Node::Exit(_) | Node::Unavailable(_) => node.exit().map_or(0, |exit| exit.row().stack),
            };
            Some(targets.iter().map(below).max().unwrap_or(0))
        })
    }

    /// Returns the stack in bytes that the callee of this call or jump needs. The callee must not recurse.
    pub fn entry(&self, me: InstanceId, edge: usize, to: InstanceId, guarded: &Guarded, stacks: &Stacks) -> u32 {
        let instance = &self.world.instances[me];
        match guarded.checks(instance.summary.edges[edge].indirect, &self.world.instances[to]) {
            // Code that runs without a panic counts the callee's stack in full, so that the callee's check never fails needlessly.
            true if instance.hot => stacks[to].need.max(CHECK_STACK),
            true => CHECK_STACK,
            false => stacks[to].need,
        }
    }

    /// Returns the stack that a function needs, in bytes below SP on entry. `below` returns the stack that the callee of a call or jump needs,
    /// or `None` to leave the call or jump out.
    pub fn deepest(&self, me: InstanceId, mut below: impl FnMut(usize) -> Option<u32>) -> u32 {
        let Depths { object, program, machine, world, contiguous_args, .. } = *self;
        let instance = &world.instances[me];
        let own = instance.summary.deepest;
        let frame = machine.lowered_frame(own, contiguous_args.extra_frame(me));
        let mut deepest = frame;
        if let Ok(code) = &program.codes[instance.function] {
            let function = &object.functions[instance.function];
            let scratch = code.insts.iter().zip(&instance.summary.depths).filter_map(|(inst, depth)| Some((inst, (*depth)?)));
            deepest = scratch
                .map(|(inst, depth)| depth.next_multiple_of(8) + machine.scratch_stack(object, function, inst))
                .fold(deepest, u32::max);
        }
        for (index, edge) in instance.summary.edges.iter().enumerate() {
            let Some(below) = below(index) else { continue };
            let uncounted = if edge.targets.is_some() { 0 } else { self.check };
            let pushed = if edge.kind == EdgeKind::Call { machine.call_size() as u32 } else { 0 };
            let depth = match edge.kind {
                // A function that copies its stack arguments keeps its whole frame, with the copies, on the stack during every call
                // and jump.
                _ if contiguous_args.copied_bytes(me).is_some() => frame,
                EdgeKind::Call => machine.lowered_call(own, contiguous_args.extra_frame(me), edge.depth),
                // At a jump to another function, SP has its value on entry.
                EdgeKind::Tail => edge.depth,
            };
            deepest = deepest.max((depth + instance.pads[index] + pushed).saturating_add(below.max(uncounted)));
        }
        deepest
    }
}

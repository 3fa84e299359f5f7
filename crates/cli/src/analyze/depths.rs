//! Computes for each function whether it recurses, and the stack that it needs up to the next stack check. A *checked entry* of a function compares
//! SP with the stack limit of the running call. [`super::bounds`] derives the stack bounds of exports from the results.

use super::aligned_calls::AlignedCalls;
use super::arguments::ArgumentWords;
use super::contiguous_args::ContiguousArgs;
use super::graph::{InstanceId, Node, SetId, components};
use super::machine::Machine;
use super::pointers::Guarded;
use super::stacks::{CHECK_STACK, REALIGN_STACK, Stack, Stacks, align_stack};
use super::summary::EdgeKind;
use super::world::World;
use crate::decode::Program;
use crate::load::Object;
use cranelift_entity::EntityRef;
use std::collections::{BTreeSet, HashMap};

/// The facts that determine the stack needs of functions.
pub struct Depths<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub machine: &'a dyn Machine,
    pub world: &'a World,
    pub realigned: &'a BTreeSet<(InstanceId, usize)>,
    pub argument_words: &'a ArgumentWords,
    pub contiguous_args: &'a ContiguousArgs,
    pub aligned_calls: &'a AlignedCalls,
    /// The number of bytes of stack that a call through an unresolved pointer needs if it reaches a function that is not counted among its targets
    /// ([`Pointers::check_stack`](super::pointers::Pointers::check_stack)).
    pub check: u32,
}

/// A strongly connected component of the graph of calls and jumps.
struct Component {
    members: BTreeSet<InstanceId>,
    /// True if a member of the component calls itself or another member. Jumps between members do not count.
    recursive: bool,
}

/// The key of a stored result: a set of targets, whether the call goes through a pointer, and whether the caller runs without a panic.
type Key = (SetId, bool, bool);

/// The results that [`Depths::need`] stores for sets of targets: for each set, the stack need of the member that needs most. The results are not used
/// for calls and jumps in `Depths::realigned` and `World::copied`: such a call or jump goes through an entry that aligns SP, and its need includes
/// the entry's stack.
#[derive(Default)]
struct Known {
    /// The results for sets without a member of the current component. All members have been measured, so these results stay valid.
    outside: HashMap<Key, u32>,
    /// The results for sets with a member of the current component.
    of_component: HashMap<Key, u32>,
    /// For each set, the number of its members in the current component.
    inside: HashMap<SetId, usize>,
}

impl Depths<'_> {
    /// Returns for each function in `which` whether it recurses and how much stack it needs. `known` has the results for the other functions that
    /// these functions call. The returned map contains the results of `known` too.
    pub fn measure(&self, which: &[InstanceId], guarded: &Guarded, known: Stacks) -> Stacks {
        let mut stacks = known;
        let mut known = Known::default();
        // `components` returns callees before callers. So `stacks` already has the callees of a component that lie outside of the component.
        for members in self.components(which, guarded) {
            let recursive = self.is_recursive(&members, guarded);
            let component = Component { members, recursive };
            known.inside.clear();
            known.of_component.clear();
            let needs: Vec<u32> = component.members.iter().map(|&me| self.need(me, &component, guarded, &stacks, &mut known)).collect();
            // Jumps add no stack. So if the members only jump to each other, every member needs as much stack as the member that needs most.
            let deepest = needs.iter().copied().max().unwrap_or(0);
            for (&me, need) in component.members.iter().zip(needs) {
                stacks[me] = Stack { recursive: component.recursive, need: if component.recursive { need } else { deepest } };
            }
        }
        stacks
    }

    /// Returns the strongly connected components of the call graph, callees before callers. Only calls and jumps that may be part of a cycle without
    /// a stack check count. In the searched graph, a set of targets is a vertex of its own, between the callers and the members of the set.
    fn components(&self, which: &[InstanceId], guarded: &Guarded) -> Vec<BTreeSet<InstanceId>> {
        let world = self.world;
        let count = world.instances.len();
        // The vertices of the sets follow the vertices of the instances. A set has four vertices: for calls by name or through pointers, from
        // functions that run without a panic or only after one.
        let vertex = |set: SetId, indirect: bool, hot: bool| count + set.index() * 4 + usize::from(indirect) * 2 + usize::from(hot);
        let next = |from: usize| -> Vec<usize> {
            match from.checked_sub(count) {
                None => {
                    let instance = &world.instances[InstanceId::new(from)];
                    let edges = instance.summary.edges.iter().zip(&instance.targets);
                    edges.map(|(edge, &set)| vertex(set, edge.indirect, instance.hot)).collect()
                }
                Some(variant) => {
                    let (set, indirect, hot) = (SetId::new(variant / 4), variant & 2 != 0, variant & 1 != 0);
                    let targets = world.sets[set].iter().filter_map(Node::instance);
                    targets.filter(|&to| self.is_inner(hot, indirect, to, guarded)).map(EntityRef::index).collect()
                }
            }
        };
        let roots: Vec<usize> = which.iter().map(|me| me.index()).collect();
        let found = components(count + world.sets.len() * 4, &roots, next);
        let members = |component: Vec<usize>| component.into_iter().filter(|&at| at < count).map(InstanceId::new).collect();
        found.into_iter().map(members).filter(|members: &BTreeSet<InstanceId>| !members.is_empty()).collect()
    }

    /// True if a member of the component calls itself or another member. Jumps between members do not count.
    fn is_recursive(&self, members: &BTreeSet<InstanceId>, guarded: &Guarded) -> bool {
        let mut known: HashMap<(SetId, bool), Vec<InstanceId>> = HashMap::new();
        members.iter().any(|&me| {
            let instance = &self.world.instances[me];
            let mut edges = instance.summary.edges.iter().zip(&instance.targets).enumerate();
            edges.any(|(index, (edge, &set))| {
                let inside = known.entry((set, edge.indirect)).or_insert_with(|| {
                    let inside = self.members_in(set, members).into_iter();
                    inside.filter(|&to| self.is_inner(instance.hot, edge.indirect, to, guarded)).collect()
                });
                inside.iter().any(|&to| self.calls(me, index, to))
            })
        })
    }

    /// Returns the members of a component that are in the set.
    fn members_in(&self, set: SetId, members: &BTreeSet<InstanceId>) -> Vec<InstanceId> {
        let nodes = &self.world.sets[set];
        if members.len() < nodes.len() {
            members.iter().copied().filter(|&me| nodes.contains(&Node::Instance(me))).collect()
        } else {
            nodes.iter().filter_map(Node::instance).filter(|to| members.contains(to)).collect()
        }
    }

    /// True if the caller's frame stays on the stack while the callee runs. This is true for every call. For a jump, it is true in two cases: the
    /// jump goes through an entry that aligns SP, or the caller's frame contains a copy of the caller's stack arguments.
    fn calls(&self, me: InstanceId, edge: usize, to: InstanceId) -> bool {
        let kind = self.world.instances[me].summary.edges[edge].kind;
        kind == EdgeKind::Call || self.contiguous_args.copied_bytes(me).is_some() || self.aligning_stack(me, edge, to) > 0
    }

    /// Returns the number of bytes of stack that an entry that aligns SP uses at this call or jump; 0 if the call or jump does not go through such an
    /// entry.
    pub fn aligning_stack(&self, me: InstanceId, edge: usize, to: InstanceId) -> u32 {
        let instances = &self.world.instances;
        if self.realigned.contains(&(me, edge)) {
            REALIGN_STACK
        } else if self.world.copied.contains_key(&(me, edge))
            || instances[me].summary.edges[edge].indirect && instances[to].alignment.is_some()
        {
            align_stack(u32::from(self.world.alignment), self.argument_words[to])
        } else {
            0
        }
    }

    /// True if a call or jump to `to` may be part of a cycle without a stack check. Caller and callee must both run without a panic (`hot`), or both
    /// only after a panic. In code that runs only after a panic, calls of functions in `guarded` through pointers are left out, because such a call
    /// checks the stack.
    fn is_inner(&self, hot: bool, indirect: bool, to: InstanceId, guarded: &Guarded) -> bool {
        let callee = &self.world.instances[to];
        callee.hot == hot && (hot || !guarded.checks(indirect, callee))
    }

    /// Returns the stack that a function needs up to the next checked entry, in bytes below SP on entry. In a component that does not recurse, jumps
    /// between its members are left out. `stacks` has the needs of the functions that the component calls.
    fn need(&self, me: InstanceId, component: &Component, guarded: &Guarded, stacks: &Stacks, known: &mut Known) -> u32 {
        let instance = &self.world.instances[me];
        self.deepest(me, |index| {
            let edge = &instance.summary.edges[index];
            let set = instance.targets[index];
            let targets = &self.world.sets[set];
            let inside = *known.inside.entry(set).or_insert_with(|| self.members_in(set, &component.members).len());
            if !component.recursive && inside == targets.len() && edge.targets.is_some() {
                return None;
            }
            let below = |node: &Node| match node {
                Node::Instance(to) if !component.recursive && component.members.contains(to) => 0,
                Node::Instance(to) => {
                    let recursive = stacks[*to].recursive || component.members.contains(to);
                    let entry = if recursive { CHECK_STACK } else { self.entry(me, index, *to, guarded, stacks) };
                    entry.saturating_add(self.aligning_stack(me, index, *to))
                }
                Node::Exit(_) | Node::Unavailable(_) => node.exit().map_or(0, |exit| exit.row().stack),
            };
            let deepest = || targets.iter().map(below).max().unwrap_or(0);
            let key = (set, edge.indirect, instance.hot);
            let is_special = self.realigned.contains(&(me, index)) || self.world.copied.contains_key(&(me, index));
            Some(match (is_special, inside) {
                (true, _) => deepest(),
                (false, 0) => *known.outside.entry(key).or_insert_with(deepest),
                (false, _) => *known.of_component.entry(key).or_insert_with(deepest),
            })
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
        let own = instance.summary.deepest.saturating_add(self.aligned_calls.room(me));
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
                // A function that copies its stack arguments keeps its whole frame, including the copies, on the stack during every call and jump.
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

//! Which functions a pointer may lead to, and which of them it leads to through a check of the stack.
//!
//! A call through a pointer that is not resolved by value counts the functions whose address is made, or seen to be stored,
//! where a later call may find it ([`World::lasting`]). Others have an address too: code on the way to a panic makes it, or
//! what formats the message. If that address stays in memory all the same, in a way that nobody saw, a later call may reach
//! the function and know nothing of its stack. So every pointer to such a function leads to its checked entry, which finds
//! out whether the call that is running has that much left ([`Guarded`]).

use super::graph::{InstanceId, Node};
use super::stacks::{ALIGN_STACK, CHECK_STACK, Stacks};
use super::world::{Instance, World};
use crate::abi::FORMATTER_STACK;
use crate::code::Flow;
use crate::decode::Program;
use crate::ids::FuncId;
use crate::load::{Object, RelocKind, Target};
use std::collections::BTreeSet;

/// A function that needs more than this, in bytes, is guarded whoever takes its address: what formats a message counts every
/// function that a pointer leads to without a check, and has [`FORMATTER_STACK`] for all it does.
const DEEP: u32 = FORMATTER_STACK / 4;

/// The functions whose address exists.
#[derive(Debug, Default)]
pub struct Pointers {
    /// Those whose address emitted code or carried data can hold.
    pub addressed: BTreeSet<FuncId>,
    /// Is there any of them that calls do not count, emitted or not?
    is_any_uncounted: bool,
    /// As they are emitted, those that calls do not count.
    uncounted: Vec<Node>,
}

impl Pointers {
    /// The functions whose address is in what is emitted.
    pub fn new(object: &Object, program: &Program, world: &World, emitted: &[InstanceId]) -> Pointers {
        let addressed = addressed(object, program, world, emitted);
        let hot = |id: &FuncId| emitted.iter().any(|&me| world.instances[me].hot && world.instances[me].function == *id);
        let uncounted: BTreeSet<FuncId> = addressed.iter().copied().filter(|id| !world.lasting.contains(id) || !hot(id)).collect();
        let is_any_uncounted = !uncounted.is_empty();
        let instances = emitted.iter().copied().filter(|&me| uncounted.contains(&world.instances[me].function));
        let uncounted = instances.map(Node::Instance).collect();
        Pointers { addressed, is_any_uncounted, uncounted }
    }

    /// Stack that a call through a pointer needs to get to the check of a function that it does not count, or to a stub, and to fail there,
    /// in bytes. `copied`: words of arguments that the entry which aligns the stack for a function copies, and that before the check.
    pub fn check_stack(&self, world: &World, copied: impl Fn(InstanceId) -> u32) -> u32 {
        let aligned = self.uncounted.iter().filter_map(Node::instance).filter(|&me| world.instances[me].alignment.is_some());
        match (self.is_any_uncounted, aligned.map(copied).max()) {
            (false, _) => 0,
            (true, None) => CHECK_STACK,
            (true, Some(words)) => CHECK_STACK + ALIGN_STACK + 8 * words,
        }
    }

    /// What the call or jump over an edge may get to: what it counts, and what a pointer may lead to that it does not count.
    pub fn reach<'a>(&'a self, instance: &'a Instance, edge: usize) -> impl Iterator<Item = &'a Node> {
        let uncounted: &[Node] = if instance.summary.edges[edge].targets.is_none() { &self.uncounted } else { &[] };
        instance.targets[edge].iter().chain(uncounted)
    }
}

/// Those of the functions whose address exists to which pointers lead through a check. (A pointer to a function that is not emitted leads
/// to a stub.)
#[derive(Clone, Debug, Default)]
pub struct Guarded(BTreeSet<FuncId>);

impl Guarded {
    /// Those that calls through pointers do not count, and what formats messages, which `rt` calls on a stack that it knows the size of.
    pub fn new(world: &World, pointers: &Pointers) -> Guarded {
        let instances = || pointers.uncounted.iter().filter_map(Node::instance);
        let mut guarded: BTreeSet<FuncId> = instances().map(|me| world.instances[me].function).collect();
        guarded.extend(world.format_panic.map(|root| world.instances[root].function));
        Guarded(guarded)
    }

    /// These, and the deep functions of the hot world, for the sake of what formats messages. `stacks`: what the functions of the hot world
    /// need.
    pub fn with_deep(&self, world: &World, pointers: &Pointers, stacks: &Stacks) -> Guarded {
        let mut guarded = self.0.clone();
        if world.format_panic.is_some() {
            let deep = world.instances.iter().filter(|(me, instance)| instance.hot && stacks[*me].need > DEEP);
            guarded.extend(deep.map(|(_, instance)| instance.function).filter(|function| pointers.addressed.contains(function)));
        }
        Guarded(guarded)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, function: FuncId) -> bool {
        self.0.contains(&function)
    }

    pub fn iter(&self) -> impl Iterator<Item = FuncId> {
        self.0.iter().copied()
    }

    /// Does a call over this edge check the stack, because it is made by a pointer to a guarded function?
    pub fn checks(&self, indirect: bool, to: &Instance) -> bool {
        indirect && self.contains(to.function)
    }

    /// May a call that the instance makes get to a function that calls do not count?
    fn leads_anywhere(&self, instance: &Instance) -> bool {
        !self.0.is_empty() && instance.summary.edges.iter().any(|edge| edge.targets.is_none())
    }

    /// Does a call that the instance makes check the stack?
    pub fn checked_from(&self, world: &World, stacks: &Stacks, instance: &Instance) -> bool {
        let checks = |node: &Node, indirect: bool| match node {
            Node::Instance(to) => stacks[*to].recursive || self.checks(indirect, &world.instances[*to]),
            Node::Exit(_) | Node::Unavailable(_) => false,
        };
        let edges = instance.summary.edges.iter().zip(&instance.targets);
        self.leads_anywhere(instance) || edges.into_iter().any(|(edge, nodes)| nodes.iter().any(|node| checks(node, edge.indirect)))
    }
}

/// Functions whose address emitted code or carried data can hold.
fn addressed(object: &Object, program: &Program, world: &World, emitted: &[InstanceId]) -> BTreeSet<FuncId> {
    let mut addressed = BTreeSet::new();
    for data in object.data.values() {
        // Relative entries into code, and addresses inside a function, are jump tables.
        let pointers = data.relocs.iter().filter(|r| r.kind == RelocKind::Abs64 && r.addend == 0);
        addressed.extend(pointers.filter_map(|r| if let Target::Function(id) = r.target { Some(id) } else { None }));
    }
    for &me in emitted {
        let id = world.instances[me].function;
        let Ok(code) = &program.codes[id] else { continue };
        for inst in code.insts.iter().filter(|i| !matches!(i.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_))) {
            addressed.extend(inst.names);
            if let Some(Target::Function(to)) = inst.reloc.map(|r| &object.functions[id].relocs[r as usize].target) {
                addressed.insert(*to);
            }
        }
    }
    addressed
}

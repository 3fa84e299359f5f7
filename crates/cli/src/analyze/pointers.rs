//! Finds the functions whose address a pointer may hold, and the functions that check the stack when called through a pointer. Stack depths and
//! lowering depend on the results.
//!
//! The analysis assumes that a call through an unresolved pointer reaches only the functions in [`World::lasting`]: their addresses are made in code
//! that can still return, or the analysis sees them stored where a later call may find them. The addresses of other functions are made on the way to
//! a panic, or by code that formats the message. Such an address may stay in memory without the analysis seeing this. Then a later call may reach the
//! function, although the caller's bound does not include the function's stack. So every pointer to such a function holds the address of the
//! function's checked entry, which compares the remaining stack of the running call with the function's need ([`Guarded`]).

use super::graph::{InstanceId, Node, TargetSets};
use super::stacks::{CHECK_STACK, Stacks, align_stack};
use super::world::{Instance, World};
use crate::abi::FORMATTER_STACK;
use crate::code::Flow;
use crate::decode::Program;
use crate::ids::FuncId;
use crate::load::{Object, RelocKind, Target};
use cranelift_entity::EntitySet;
use std::collections::BTreeSet;

/// A function that needs more than this number of bytes of stack checks the stack when called through a pointer, whichever code takes its address.
/// The reason is the panic formatter: it calls through pointers, and its stack has only [`FORMATTER_STACK`] bytes. In the formatter's stack bound, a
/// function without the check counts with its full need, and a function with the check only with the stack of the check.
const DEEP: u32 = FORMATTER_STACK / 4;

/// The functions whose address pointers in the program may hold.
#[derive(Debug, Default)]
pub struct Pointers {
    /// The functions whose address emitted code or included data can hold.
    pub addressed: BTreeSet<FuncId>,
    /// True if some function in `addressed`, emitted or not, is not among the targets that the analysis assumes for unresolved pointers.
    is_any_uncounted: bool,
    /// The emitted functions in `addressed` that are not among the targets that the analysis assumes for unresolved pointers.
    uncounted: Vec<Node>,
}

impl Pointers {
    /// Collects the functions whose address is in emitted code or data.
    pub fn new(object: &Object, program: &Program, world: &World, emitted: &[InstanceId]) -> Pointers {
        let addressed = addressed(object, program, world, emitted);
        let hot: BTreeSet<FuncId> =
            emitted.iter().map(|&me| &world.instances[me]).filter(|instance| instance.hot).map(|instance| instance.function).collect();
        let uncounted: BTreeSet<FuncId> = addressed.iter().copied().filter(|id| !world.lasting.contains(id) || !hot.contains(id)).collect();
        let is_any_uncounted = !uncounted.is_empty();
        let instances = emitted.iter().copied().filter(|&me| uncounted.contains(&world.instances[me].function));
        let uncounted = instances.map(Node::Instance).collect();
        Pointers { addressed, is_any_uncounted, uncounted }
    }

    /// Returns the emitted functions whose address is taken, but that are not among the targets that the analysis assumes for unresolved pointers.
    pub fn uncounted(&self) -> &[Node] {
        &self.uncounted
    }

    /// Returns the number of bytes of stack that a call through an unresolved pointer needs if it reaches a function that is not counted among its
    /// targets: a stub, or a function in `uncounted`, whose stack check may fail. `copied` returns the number of argument words that an aligning
    /// entry copies before the check.
    pub fn check_stack(&self, world: &World, copied: impl Fn(InstanceId) -> u32) -> u32 {
        let aligned = self.uncounted.iter().filter_map(Node::instance).filter(|&me| world.instances[me].alignment.is_some());
        match (self.is_any_uncounted, aligned.map(copied).max()) {
            (false, _) => 0,
            (true, None) => CHECK_STACK,
            (true, Some(words)) => CHECK_STACK + align_stack(u32::from(world.alignment), words),
        }
    }

    /// Returns all functions and exits that a call or jump may reach: the targets that the analysis found, and, if the pointer is unresolved,
    /// the functions in `uncounted`.
    pub fn reach<'a>(&'a self, sets: &'a TargetSets, instance: &'a Instance, edge: usize) -> impl Iterator<Item = &'a Node> {
        let uncounted: &[Node] = if instance.summary.edges[edge].targets.is_none() { &self.uncounted } else { &[] };
        sets[instance.targets[edge]].iter().chain(uncounted)
    }
}

/// The functions that check the stack when called through a pointer. (A pointer to a function that is not emitted holds the address of a stub.)
#[derive(Clone, Debug, Default)]
pub struct Guarded(BTreeSet<FuncId>);

impl Guarded {
    /// Returns the set of the functions in `Pointers::uncounted` and the panic formatter, which `rt` calls on a stack of known size.
    pub fn new(world: &World, pointers: &Pointers) -> Guarded {
        let instances = || pointers.uncounted.iter().filter_map(Node::instance);
        let mut guarded: BTreeSet<FuncId> = instances().map(|me| world.instances[me].function).collect();
        guarded.extend(world.format_panic.map(|root| world.instances[root].function));
        Guarded(guarded)
    }

    /// Adds to this set the functions that the panic formatter may call and that need much stack: they run without a panic, their address is taken,
    /// and they need more than [`DEEP`] bytes. `stacks` has the needs of these functions.
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

    /// True if a call of `to` checks the stack: the call goes through a pointer, and this set contains the function.
    pub fn checks(&self, indirect: bool, to: &Instance) -> bool {
        indirect && self.contains(to.function)
    }

    /// True if the instance calls through an unresolved pointer and this set is not empty. Such a call may reach a function in the set.
    fn may_reach_uncounted(&self, instance: &Instance) -> bool {
        !self.0.is_empty() && instance.summary.edges.iter().any(|edge| edge.targets.is_none())
    }

    /// Returns the instances with a call whose target may check the stack.
    pub fn checking<'a>(
        &self,
        world: &World,
        stacks: &Stacks,
        instances: impl IntoIterator<Item = &'a InstanceId>,
    ) -> EntitySet<InstanceId> {
        let checks = |node: &Node, indirect: bool| match node {
            Node::Instance(to) => stacks[*to].recursive || self.checks(indirect, &world.instances[*to]),
            Node::Exit(_) | Node::Unavailable(_) => false,
        };
        let [direct, indirect] = [false, true].map(|indirect| world.sets_with(|node| checks(node, indirect)));
        let mut found = EntitySet::new();
        for &me in instances {
            let instance = &world.instances[me];
            let mut edges = instance.summary.edges.iter().zip(&instance.targets);
            if self.may_reach_uncounted(instance) || edges.any(|(edge, &set)| if edge.indirect { &indirect } else { &direct }.contains(set))
            {
                found.insert(me);
            }
        }
        found
    }
}

/// The functions whose address emitted code or included data can hold.
fn addressed(object: &Object, program: &Program, world: &World, emitted: &[InstanceId]) -> BTreeSet<FuncId> {
    let mut addressed = BTreeSet::new();
    for data in object.data.values() {
        // Distances to code, and addresses inside a function, belong to jump tables, so they are not pointers to functions.
        let pointers = data.relocs.iter().filter(|r| r.kind == RelocKind::Abs64 && r.addend == 0);
        addressed.extend(pointers.filter_map(|r| if let Target::Function(id) = r.target { Some(id) } else { None }));
    }
    for &me in emitted {
        let id = world.instances[me].function;
        let Ok(code) = &program.codes[id] else { continue };
        for inst in code.insts.iter().filter(|i| !matches!(i.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_))) {
            addressed.extend(inst.function_address);
            if let Some(Target::Function(to)) = inst.reloc.map(|r| &object.functions[id].relocs[r as usize].target) {
                addressed.insert(*to);
            }
        }
    }
    addressed
}

//! Builds the call chains of messages: the calls that lead from an export to the refused function.

use super::graph::{InstanceId, Node};
use super::machine::Machine;
use super::stacks::Stacks;
use super::world::{Instance, World};
use crate::decode::Program;
use crate::diag::{Call, Diagnostic, ErrorCode, Place};
use crate::load::Object;
use std::collections::BTreeSet;

/// Returns one element of a chain of calls: the function `me`, and its call or jump with the index `edge`.
pub fn link(object: &Object, program: &Program, world: &World, me: InstanceId, edge: Option<usize>) -> Call {
    call(object, program, &world.instances[me], edge)
}

/// Returns one element of a chain of calls: a function, and its call or jump with the index `edge`.
pub fn call(object: &Object, program: &Program, instance: &Instance, edge: Option<usize>) -> Call {
    let function = &object.functions[instance.function];
    let edge = edge.map(|e| &instance.summary.edges[e]);
    let offset = edge.and_then(|e| program.codes[instance.function].as_ref().ok().map(|c| c.insts[e.inst].offset));
    Call {
        place: offset.map_or_else(|| Place::of(&function.path), |offset| object.place(function, offset)),
        how: edge.map(|e| if e.indirect { "may call" } else { "calls" }),
    }
}

/// Returns the refusal of an export that may return with a changed frame pointer. The chain of calls leads to the function that changes the
/// register.
pub fn frame_pointer(object: &Object, program: &Program, machine: &dyn Machine, world: &World, root: InstanceId, name: &str) -> Diagnostic {
    let changes_it = |me: InstanceId| machine.frame_pointer().is_some_and(|reg| world.instances[me].summary.clobbers >> reg & 1 != 0);
    let (mut chain, mut at, mut seen) = (Vec::new(), root, BTreeSet::from([root]));
    loop {
        let next = world.edges(at).find_map(|(edge, node)| match node {
            Node::Instance(to) if changes_it(*to) && seen.insert(*to) => Some((edge, *to)),
            _ => None,
        });
        chain.push(link(object, program, world, at, next.map(|(edge, _)| edge)));
        match next {
            Some((_, to)) => at = to,
            None => break,
        }
    }
    let register = machine.frame_pointer().map_or_else(String::new, |reg| machine.names(1 << reg));
    Diagnostic::new(ErrorCode::Unsupported, format!("{name} may return with a changed {register}, which holds Go's frame pointer"))
        .at(object.place(&object.functions[world.instances[at].function], 0))
        .chain(chain)
        .hint(format!("save {register} by a push at the start, and pop it before each return"))
}

/// Returns the chain of calls that needs the most stack. The chain starts at `root`, the shim of an export (the function that the export's entry
/// calls).
pub fn deepest_chain(object: &Object, program: &Program, world: &World, stacks: &Stacks, root: InstanceId) -> Vec<Call> {
    let mut chain = Vec::new();
    let mut at = root;
    let mut seen = BTreeSet::new();
    while seen.insert(at) {
        let instance = &world.instances[at];
        let next = world
            .edges(at)
            .filter_map(|(e, n)| match n {
                Node::Instance(to) if !stacks[*to].recursive => Some((instance.summary.edges[e].depth + stacks[*to].need, e, *to)),
                _ => None,
            })
            .max();
        let mut call = match next {
            Some((_, edge, _)) => link(object, program, world, at, Some(edge)),
            None => link(object, program, world, at, None),
        };
        call.place.function = format!("{} (frame {} bytes, {} in all)", call.place.function, instance.summary.deepest, stacks[at].need);
        chain.push(call);
        match next {
            Some((_, _, to)) => at = to,
            None => break,
        }
    }
    chain
}

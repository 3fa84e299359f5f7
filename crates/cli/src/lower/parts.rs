//! Which functions must make the upper parts of addresses.
//!
//! Where an address is made in two steps, lowering makes all of it in the second; the first is left out, and the register holds whatever
//! it held. That is right as long as nobody reads it as a number. Compilers do: an upper part that is left in a register is what an
//! undefined value happens to be, which is stored, handed over and returned like any other. So a function leaves none out if
//!
//! - one of its instructions reads one, or a register that on another way holds one (`Summary::reads_part`);
//! - where it calls or jumps, a register holds one that the code there may read, or its frame does and arguments are passed on the stack;
//! - where it returns, a register holds one that is live behind one of its calls.
//!
//! What a callee reads is said by liveness, for which a register that is saved is read. So of callee-saved registers only those count
//! whose value is used for more than to be kept, there or by what it calls in turn.

use super::live::Live;
use crate::analyze::{Crossing, Facts, InstanceId, Node};
use crate::code::Set;
use std::collections::{BTreeMap, BTreeSet};

/// The functions, of those that are emitted.
pub fn made(facts: &Facts, live: &Live<'_>) -> BTreeSet<InstanceId> {
    let used = used(facts, live);
    let makes = |me: &InstanceId| {
        let instance = &facts.instances[*me];
        let summary = &instance.summary;
        let handed_over = |edge: usize| {
            let crossing = crossing(facts, *me, edge);
            Set::from(crossing.parts) & by_callees(facts, live, &used, *me, edge) != 0
                || crossing.kept_part && facts.take_stack(&instance.targets[edge])
        };
        let returned = |crossing: &Crossing| Set::from(crossing.parts) & live.exit(*me) != 0;
        let edges: BTreeSet<usize> = summary.edges.iter().map(|edge| edge.inst).collect();
        let mut returns = summary.crossings.iter().filter(|(at, _)| !edges.contains(at));
        summary.reads_part || (0..summary.edges.len()).any(handed_over) || returns.any(|(_, crossing)| returned(crossing))
    };
    facts.emitted.iter().copied().filter(makes).collect()
}

fn crossing(facts: &Facts, me: InstanceId, edge: usize) -> Crossing {
    let summary = &facts.instances[me].summary;
    summary.crossings.get(&summary.edges[edge].inst).copied().unwrap_or_default()
}

/// By function: registers whose value on entry it uses, or what it calls.
pub(super) fn used(facts: &Facts, live: &Live<'_>) -> BTreeMap<InstanceId, Set> {
    let saved = live.preserved();
    let own = |me: InstanceId| live.reads(me) & !saved | Set::from(facts.instances[me].summary.uses_entry);
    let mut used: BTreeMap<InstanceId, Set> = facts.emitted.iter().map(|&me| (me, own(me))).collect();
    loop {
        let mut changed = false;
        for &me in facts.emitted.iter().rev() {
            let instance = &facts.instances[me];
            let handed_on = (0..instance.targets.len()).fold(0, |set, edge| {
                let crossing = crossing(facts, me, edge);
                let kept = if facts.take_stack(&instance.targets[edge]) { crossing.kept } else { 0 };
                set | Set::from(crossing.untouched) & by_callees(facts, live, &used, me, edge) | Set::from(kept)
            });
            let known = used.entry(me).or_default();
            changed |= handed_on & !*known != 0;
            *known |= handed_on;
        }
        if !changed {
            return used;
        }
    }
}

/// Registers that what a call or jump leads to may use.
fn by_callees(facts: &Facts, live: &Live<'_>, used: &BTreeMap<InstanceId, Set>, me: InstanceId, edge: usize) -> Set {
    let instance = &facts.instances[me];
    let ways = facts.pointers.reach(instance, edge).map(|node| match node {
        Node::Instance(to) => used.get(to).copied().unwrap_or(Set::MAX),
        Node::Exit(_) | Node::Unavailable(_) => live.handed(node),
    });
    ways.reduce(|a, b| a | b).unwrap_or(Set::MAX)
}

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
    let used = Used::new(facts, live);
    let makes = |me: &InstanceId| {
        let instance = &facts.instances[*me];
        let summary = &instance.summary;
        let handed_over = |edge: usize| {
            let crossing = crossing(facts, *me, edge);
            Set::from(crossing.parts) & used.by_callees(live, *me, edge) != 0
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

/// Registers whose value on entry is used.
pub(super) struct Used {
    /// By function: by it, or what it calls.
    functions: BTreeMap<InstanceId, Set>,
    /// By set of callees: by any of them.
    sets: Vec<Set>,
}

impl Used {
    pub(super) fn new(facts: &Facts, live: &Live<'_>) -> Used {
        let saved = live.preserved();
        let own = |me: InstanceId| live.reads(me) & !saved | Set::from(facts.instances[me].summary.uses_entry);
        let functions: BTreeMap<InstanceId, Set> = facts.emitted.iter().map(|&me| (me, own(me))).collect();
        let mut used = Used { functions, sets: Vec::new() };
        let of = |node: &&Node| match node {
            Node::Instance(to) => used.by(*to),
            Node::Exit(_) | Node::Unavailable(_) => live.handed(node),
        };
        used.sets = live.callees().sets().map(|set| set.iter().map(of).reduce(|a, b| a | b).unwrap_or(Set::MAX)).collect();
        loop {
            let mut changed = false;
            for &me in facts.emitted.iter().rev() {
                let instance = &facts.instances[me];
                let handed_on = (0..instance.targets.len()).fold(0, |set, edge| {
                    let crossing = crossing(facts, me, edge);
                    let kept = if crossing.kept != 0 && facts.take_stack(&instance.targets[edge]) { crossing.kept } else { 0 };
                    set | Set::from(crossing.untouched) & used.by_callees(live, me, edge) | Set::from(kept)
                });
                let known = used.functions.entry(me).or_default();
                if handed_on & !*known != 0 {
                    changed = true;
                    *known |= handed_on;
                    let known = *known;
                    live.callees().containing(me).iter().for_each(|&set| used.sets[set] |= known);
                }
            }
            if !changed {
                return used;
            }
        }
    }

    /// By the function, or what it calls.
    pub(super) fn by(&self, me: InstanceId) -> Set {
        self.functions.get(&me).copied().unwrap_or(Set::MAX)
    }

    /// Registers that what a call or jump leads to may use.
    fn by_callees(&self, live: &Live<'_>, me: InstanceId, edge: usize) -> Set {
        self.sets[live.callees().of(me, edge)]
    }
}

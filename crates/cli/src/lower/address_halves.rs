//! Finds the functions in which lowering must compute the upper parts of addresses. The decision rests on the analysis and on whole-program
//! liveness ([`super::live`]).
//!
//! On arm64, code makes an address in two steps: the upper part (`adrp`), then the whole address. Lowering makes the whole address in the second step
//! and drops the first step, so the register keeps its old value in between. This is correct as long as no code reads the upper part as a number. But
//! compiled code may read the upper part: for an undefined value, compilers use whatever a register holds, and code stores, passes and returns this
//! content like any other value. So lowering keeps the first steps in a function if
//!
//! - an instruction reads an upper part, or a register that holds an upper part on some path (`Summary::reads_part`);
//! - at a call or jump out of the function, a register holds an upper part and the callee may read this register;
//! - at a call or jump out of the function, the frame holds an upper part and arguments are passed on the stack;
//! - at a return, a register holds an upper part, and the code after some call to this function may read the register.
//!
//! Liveness states which registers a callee reads, but liveness also counts saving a register as a read. Here a callee-saved register counts only if
//! the callee, or a function that it calls, does more with the register's value than save it.

use super::live::Live;
use crate::analyze::{EscapingValues, Facts, InstanceId, Node};
use crate::code::Set;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the emitted functions in which lowering must compute the upper parts of addresses.
pub fn find(facts: &Facts, live: &Live<'_>) -> BTreeSet<InstanceId> {
    let used = EntryUses::new(facts, live);
    let makes = |me: &InstanceId| {
        let instance = &facts.instances[*me];
        let summary = &instance.summary;
        let handed_over = |edge: usize| {
            let escaping = escaping_values(facts, *me, edge);
            Set::from(escaping.address_parts) & used.by_callees(live, *me, edge) != 0
                || escaping.part_in_frame && facts.stack_arguments.taken_by(instance.targets[edge])
        };
        let returned = |escaping: &EscapingValues| Set::from(escaping.address_parts) & live.exit(*me) != 0;
        let edges: BTreeSet<usize> = summary.edges.iter().map(|edge| edge.inst).collect();
        let mut returns = summary.escaping_values.iter().filter(|(at, _)| !edges.contains(at));
        summary.reads_part || (0..summary.edges.len()).any(handed_over) || returns.any(|(_, escaping)| returned(escaping))
    };
    facts.emitted.iter().copied().filter(makes).collect()
}

fn escaping_values(facts: &Facts, me: InstanceId, edge: usize) -> EscapingValues {
    let summary = &facts.instances[me].summary;
    summary.escaping_values.get(&summary.edges[edge].inst).copied().unwrap_or_default()
}

/// For all functions and call targets: the registers whose value at the function's entry is used.
pub(super) struct EntryUses {
    /// For each function, the registers whose value at the function's entry is used by the function or its callees.
    functions: BTreeMap<InstanceId, Set>,
    /// For each set of call targets ([`super::callees`]), the registers whose value at the target's entry is used by any of the targets.
    sets: Vec<Set>,
}

impl EntryUses {
    pub(super) fn new(facts: &Facts, live: &Live<'_>) -> EntryUses {
        let saved = live.preserved();
        let own = |me: InstanceId| live.reads(me) & !saved | Set::from(facts.instances[me].summary.uses_entry);
        let functions: BTreeMap<InstanceId, Set> = facts.emitted.iter().map(|&me| (me, own(me))).collect();
        let mut used = EntryUses { functions, sets: Vec::new() };
        let of = |node: &&Node| match node {
            Node::Instance(to) => used.by(*to),
            Node::Exit(_) | Node::Unavailable(_) => live.exit_arguments(node),
        };
        used.sets = live.callees().sets().map(|set| set.iter().map(of).reduce(|a, b| a | b).unwrap_or(Set::MAX)).collect();
        loop {
            let mut changed = false;
            for &me in facts.emitted.iter().rev() {
                let instance = &facts.instances[me];
                let handed_on = (0..instance.targets.len()).fold(0, |set, edge| {
                    let escaping = escaping_values(facts, me, edge);
                    let kept = if escaping.saved_in_frame != 0 && facts.stack_arguments.taken_by(instance.targets[edge]) {
                        escaping.saved_in_frame
                    } else {
                        0
                    };
                    set | Set::from(escaping.preserved) & used.by_callees(live, me, edge) | Set::from(kept)
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

    /// Returns the registers whose value at the function's entry is used by the function or its callees.
    pub(super) fn by(&self, me: InstanceId) -> Set {
        self.functions.get(&me).copied().unwrap_or(Set::MAX)
    }

    /// Returns the registers whose value at the call or jump is used by its targets. The set is empty if there is no target.
    pub(super) fn by_targets(&self, live: &Live<'_>, me: InstanceId, edge: usize) -> Set {
        if live.callees().members(live.callees().of(me, edge)).is_empty() { 0 } else { self.by_callees(live, me, edge) }
    }

    /// Returns the registers whose value at the call or jump may be used by its targets. All registers if there is no target.
    fn by_callees(&self, live: &Live<'_>, me: InstanceId, edge: usize) -> Set {
        self.sets[live.callees().of(me, edge)]
    }
}

//! Addresses of jump tables that a function hands on in registers.
//!
//! The copy of a table that lowering makes is no data that others may read ([`crate::analyze::Handed`]). So a function is refused that
//! calls, jumps or returns with such an address in a register which is read there.
//!
//! But what reads a register may do so for a value that is undefined: the second word of a result that has none, the arguments that a
//! function of variable arguments saves. Compilers leave in such a register what is there, and where a jump through a table was made
//! before, that is often its address. So in registers that languages hand values over in, only an address counts that was not jumped by
//! yet, and of that none that a function returns in the registers of arguments; nor does an address that was jumped by count elsewhere where
//! it is not known who is called.

use super::live::Live;
use super::{Site, Symbols, parts};
use crate::analyze::{EdgeKind, Facts, Handed, InstanceId, Node};
use crate::arch::{Machine, Set};
use crate::diag::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// What is refused.
pub fn handed_over(symbols: &Symbols<'_>, machine: &dyn Machine) -> Vec<Diagnostic> {
    let (facts, live) = (symbols.facts, &symbols.live);
    let hand = facts.emitted.iter().copied().filter(|&me| !facts.instances[me].summary.handed.is_empty());
    let hand: Vec<InstanceId> = hand.collect();
    if hand.is_empty() {
        return Vec::new();
    }
    let used = parts::used(facts, live);
    let returned = returned(facts, live);
    let counted = !live.values();
    let mut refused = Vec::new();
    for me in hand {
        let instance = &facts.instances[me];
        let edges: BTreeMap<usize, usize> = instance.summary.edges.iter().enumerate().map(|(index, edge)| (edge.inst, index)).collect();
        for (&at, handed) in &instance.summary.handed {
            let (read, what) = match edges.get(&at) {
                Some(&index) => {
                    let known = if instance.summary.edges[index].targets.is_some() { counted } else { 0 };
                    let ways = facts.pointers.reach(instance, index).map(|node| match node {
                        Node::Instance(to) => used.get(to).copied().unwrap_or(Set::MAX),
                        Node::Panic | Node::Unavailable(_) => live.panic(),
                    });
                    // What a callee saves and gives back is no value that it is handed.
                    let read = ways.fold(0, |set, way| set | way) & !live.preserved();
                    (of(*handed, known) & read, "calls or jumps to a function")
                }
                None => {
                    let known = of(*handed, counted) & returned.get(&me).copied().unwrap_or(0);
                    ((known | of(*handed, 0) & live.exit(me)) & (counted | live.results()), "returns")
                }
            };
            if read != 0 {
                let names = machine.names(read);
                let what = format!("{what} with the address of a jump table, or an entry, in {names}, which is read there");
                refused.extend(Site::new(symbols, me).map(|site| site.refuse(at, what)));
            }
        }
    }
    refused
}

/// The registers that count; `spent`: those in which an address does that was jumped by.
fn of(handed: Handed, spent: Set) -> Set {
    Set::from(handed.fresh) | Set::from(handed.spent) & spent
}

/// By function: what is live at its returns, by callers that are known to call it.
fn returned(facts: &Facts, live: &Live<'_>) -> BTreeMap<InstanceId, Set> {
    let mut live_there: BTreeMap<InstanceId, Set> = BTreeMap::new();
    let mut queue: BTreeSet<InstanceId> = facts.emitted.iter().copied().collect();
    while let Some(me) = queue.pop_first() {
        let instance = &facts.instances[me];
        for (index, edge) in instance.summary.edges.iter().enumerate().filter(|(_, edge)| edge.targets.is_some()) {
            let wanted = match edge.kind {
                EdgeKind::Call => live.function(me).after(edge.inst),
                EdgeKind::Tail => live_there.get(&me).copied().unwrap_or(0),
            };
            for node in facts.pointers.reach(instance, index) {
                let Node::Instance(to) = node else { continue };
                let known = live_there.entry(*to).or_default();
                if *known | wanted != *known {
                    *known |= wanted;
                    queue.insert(*to);
                }
            }
        }
    }
    live_there
}

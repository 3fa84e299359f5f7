//! Addresses of jump tables that a function hands on in registers.
//!
//! The copy of a table that lowering makes is no data that others may read ([`crate::analyze::Handed`]). So a function is refused that
//! calls, jumps or returns with such an address in a register which is read there.
//!
//! But what reads a register may do so for a value that is undefined: the second word of a result that has none, a variable that is set
//! on one way only, the arguments that a function of variable arguments saves. Compilers leave in such a register what is there, and where
//! a jump through a table was made before, that is often its address. So an address that was jumped by counts only at calls and jumps
//! whose targets are known, in registers that languages hand no values over in. One that was not jumped by yet counts everywhere but in
//! registers of arguments at a return.

use super::{Site, Symbols, address_halves};
use crate::analyze::Machine;
use crate::analyze::{Handed, InstanceId, Node};
use crate::code::Set;
use crate::diag::Diagnostic;
use std::collections::BTreeMap;

/// What is refused.
pub fn handed_over(symbols: &Symbols<'_>, machine: &dyn Machine) -> Vec<Diagnostic> {
    let (facts, live) = (symbols.facts, &symbols.live);
    let hand = facts.emitted.iter().copied().filter(|&me| !facts.instances[me].summary.handed.is_empty());
    let hand: Vec<InstanceId> = hand.collect();
    if hand.is_empty() {
        return Vec::new();
    }
    let used = address_halves::Used::new(facts, live);
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
                        Node::Instance(to) => used.by(*to),
                        Node::Exit(_) | Node::Unavailable(_) => live.handed(node),
                    });
                    // What a callee saves and gives back is no value that it is handed.
                    let read = ways.fold(0, |set, way| set | way) & !live.preserved();
                    (of(*handed, known) & read, "calls or jumps to a function")
                }
                None => (of(*handed, 0) & live.exit(me) & (counted | live.results()), "returns"),
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

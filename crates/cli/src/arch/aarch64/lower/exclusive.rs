//! Exclusive accesses: `ldxr` takes a reservation, and `stxr` stores if nothing has undone it.
//!
//! Another access to memory between the two may undo it each time (Arm ARM, B2.17.5), and the loop around them would not end. So no
//! register may be kept in the frame there.

use super::{Site, instruction};
use std::collections::BTreeSet;

/// Instructions on a way from an exclusive load to an exclusive store, both of them too.
pub fn between(site: &Site<'_>) -> BTreeSet<usize> {
    let insts = || site.code.insts.iter().enumerate().map(|(at, inst)| (at, instruction(site.function, inst)));
    let loads: BTreeSet<usize> = insts().filter(|(_, i)| i.is_load_exclusive()).map(|(at, _)| at).collect();
    let stores: BTreeSet<usize> = insts().filter(|(_, i)| i.is_store_exclusive()).map(|(at, _)| at).collect();
    if loads.is_empty() || stores.is_empty() {
        return loads;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); site.code.insts.len()];
    let mut next = before.clone();
    for (at, to) in next.iter_mut().enumerate() {
        site.instance.successors(site.code, at, |successor| to.push(successor));
    }
    for (at, to) in next.iter().enumerate() {
        to.iter().for_each(|&to| before[to].push(at));
    }
    // What a store follows, that no other load does, comes after a load.
    let forward = reached(&loads, |at| if stores.contains(&at) { &[] } else { &next[at] });
    let backward = reached(&stores, |at| if loads.contains(&at) { &[] } else { &before[at] });
    &(&forward & &backward) | &loads
}

fn reached<'a>(from: &BTreeSet<usize>, on: impl Fn(usize) -> &'a [usize]) -> BTreeSet<usize> {
    let mut reached = from.clone();
    let mut queue: Vec<usize> = from.iter().copied().collect();
    while let Some(at) = queue.pop() {
        queue.extend(on(at).iter().filter(|&&to| reached.insert(to)));
    }
    reached
}

//! Exclusive accesses: `ldxr` takes a reservation, and `stxr` stores if nothing has undone it.
//!
//! Another access to memory between the two may undo it each time (Arm ARM, B2.17.5), and the loop around them would not end. So no
//! register may be kept in the frame there.

use super::{Site, instruction};
use crate::code::{Dest, Flow};
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
    let next: Vec<Vec<usize>> = (0..before.len()).map(|at| successors(site, at)).collect();
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

/// Instructions of the function that may come next.
fn successors(site: &Site<'_>, at: usize) -> Vec<usize> {
    let next = (at + 1 < site.code.insts.len()).then_some(at + 1);
    let to = |offset: u32| site.code.at(offset);
    match &site.code.insts[at].flow {
        Flow::Jump(Dest::Local(offset)) => to(*offset).into_iter().collect(),
        Flow::Branch(Dest::Local(offset)) => to(*offset).into_iter().chain(next).collect(),
        Flow::IndirectJump => {
            let targets = site.instance.summary.tables.get(&at).into_iter().flat_map(|table| &table.targets);
            targets.filter_map(|&offset| to(offset)).collect()
        }
        Flow::Jump(_) | Flow::Return | Flow::Trap | Flow::Forbidden(..) => Vec::new(),
        Flow::Next | Flow::Call(_) | Flow::IndirectCall | Flow::Branch(_) => next.into_iter().collect(),
    }
}

//! Finds the instructions between an exclusive load and its exclusive store. Lowering must not add memory accesses between the two.
//!
//! `ldxr` sets a reservation, and `stxr` stores only if the reservation still holds. Another memory access between the two instructions may clear the
//! reservation (Arm ARM, B2.17.5). Code repeats both instructions until the store succeeds. If an added access clears the reservation each time, this
//! loop never ends. So between the two instructions, lowering must not save registers in the frame.

use super::{FunctionContext, instruction};
use std::collections::BTreeSet;

/// Returns the instructions on the paths from an exclusive load to the next exclusive store, including the load and the store. Exclusive loads
/// without a store are included too.
pub fn between(context: &FunctionContext<'_>) -> BTreeSet<usize> {
    let insts = || context.code.insts.iter().enumerate().map(|(at, inst)| (at, instruction(context.function, inst)));
    let loads: BTreeSet<usize> = insts().filter(|(_, i)| i.is_load_exclusive()).map(|(at, _)| at).collect();
    let stores: BTreeSet<usize> = insts().filter(|(_, i)| i.is_store_exclusive()).map(|(at, _)| at).collect();
    if loads.is_empty() || stores.is_empty() {
        return loads;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); context.code.insts.len()];
    let mut next = before.clone();
    for (at, to) in next.iter_mut().enumerate() {
        context.instance.successors(context.code, at, |successor| to.push(successor));
    }
    for (at, to) in next.iter().enumerate() {
        to.iter().for_each(|&to| before[to].push(at));
    }
    // Follow each path forward from a load up to the first store, and backward from a store up to the last load before it.
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

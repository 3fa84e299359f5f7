//! Arguments on the stack, behind a pointer to a function that aligns its frame.
//!
//! Such a function is made for one value of SP modulo 64, and a pointer to it leads to an entry that aligns SP and calls it. What the caller
//! passed on the stack must then lie above that call's return address. So the entry copies as many words as the function may reach: those
//! at constant distances. If it makes addresses of its frame, by which it may reach any, these are as many as anybody may pass it. What it
//! jumps to finds the same words, so it counts too. (The words belong to the callee, psABI §3.2.3: nobody reads them when it has returned.)

use super::chain::link;
use super::graph::InstanceId;
use super::joined::passed;
use super::pointers::Pointers;
use super::summary::EdgeKind;
use super::world::World;
use crate::decode::Program;
use crate::diag::{Code as Reason, Diagnostic};
use crate::load::Object;
use cranelift_entity::SecondaryMap;
use std::collections::BTreeSet;

/// More words than this no entry copies.
const MOST_WORDS: u32 = 128;

/// By function: how many words of arguments on the stack it may reach, itself or by what it jumps to. None are counted where no function is
/// made for one value of SP.
pub type Words = SecondaryMap<InstanceId, u32>;

/// How many words each of the emitted functions may reach.
pub fn count(world: &World, emitted: &[InstanceId], pointers: &Pointers) -> Words {
    let mut counts = Words::new();
    if !emitted.iter().any(|&me| world.instances[me].alignment.is_some()) {
        return counts;
    }
    let passed = passed(world, emitted, pointers, |_, edge| edge.passable);
    for &me in emitted {
        let summary = &world.instances[me].summary;
        let most = || passed.get(&me).map_or(0, |(bytes, _)| bytes.div_ceil(8));
        counts[me] = match summary.argument_words {
            Some(words) if summary.reaches_up => words.max(most()),
            Some(words) => words,
            None => most(),
        };
    }
    // What is jumped to may jump on: the counts only grow.
    loop {
        let mut grown = false;
        for &me in emitted {
            let instance = &world.instances[me];
            let jumps = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].kind == EdgeKind::Tail);
            let reached = jumps.flat_map(|edge| pointers.reach(instance, edge)).filter_map(|node| Some(counts[node.instance()?]));
            let words = reached.fold(counts[me], u32::max);
            grown |= words != counts[me];
            counts[me] = words;
        }
        if !grown {
            return counts;
        }
    }
}

/// Functions behind pointers whose arguments no entry can hand on.
pub fn refuse(
    object: &Object,
    program: &Program,
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
    counts: &Words,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for &me in emitted {
        let instance = &world.instances[me];
        let words = counts[me];
        if words <= MOST_WORDS {
            continue;
        }
        if instance.alignment.is_none() || !pointers.addressed.contains(&instance.function) || !seen.insert(instance.function) {
            continue;
        }
        let function = &object.functions[instance.function];
        // An export's shim has no arguments on the stack.
        let ways = world.roots.values().map(|&root| world.way(root, me));
        let shortest = ways.filter(|way| !way.is_empty()).min_by_key(Vec::len).unwrap_or_default();
        let mut chain: Vec<_> = shortest.into_iter().map(|(from, edge)| link(object, program, world, from, Some(edge))).collect();
        chain.push(link(object, program, world, me, None));
        found.push(
            Diagnostic::new(
                Reason::Unsupported,
                format!(
                    "{} aligns its frame beyond 16 bytes, its address is taken, and it may reach {words} words of arguments on the stack, more than \
                     {MOST_WORDS}",
                    function.path
                ),
            )
            .at(object.place(function, 0))
            .chain(chain)
            .hint("pass what does not fit registers by reference, or call the function by its name only"),
        );
    }
    found
}

//! Arguments on the stack, behind a pointer to a function that aligns its frame.
//!
//! Such a function is made for one value of SP modulo 64, and a pointer to it leads to an entry that aligns SP and calls it. What the caller
//! passed on the stack must then lie above that call's return address. So the entry copies as many words as the function may reach: those
//! at constant distances. If it makes addresses of its frame, by which it may reach any, these are as many as anybody may pass it. What it
//! jumps to finds the same words, so it counts too. (The words belong to the callee, psABI §3.2.3: nobody reads them when it has returned.)

use super::chain::link;
use super::contiguous_args::passed;
use super::graph::{InstanceId, Node};
use super::pointers::Pointers;
use super::summary::EdgeKind;
use super::world::World;
use crate::abi::FORMATTER_ABOVE;
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode};
use crate::load::Object;
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// What lies above the return address of an export's body, in bytes, at least: the return address of the entry, and the saved frame pointer
/// and the return address of its caller in Go.
const ABOVE_EXPORT: u32 = 24;

/// More words than this no entry copies.
const MOST_WORDS: u32 = FORMATTER_ABOVE / 8;

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

/// By function: how much of the stack lies above its return address, in bytes, whoever calls it; at least.
fn above(world: &World, emitted: &[InstanceId], pointers: &Pointers) -> BTreeMap<InstanceId, u32> {
    let mut above: BTreeMap<InstanceId, u32> = world.roots.values().map(|&root| (root, ABOVE_EXPORT)).collect();
    above.extend(world.format_panic.map(|root| (root, FORMATTER_ABOVE)));
    // Callers that are found later may have less above them: the numbers only fall.
    loop {
        let mut fallen = false;
        for &me in emitted {
            let Some(&mine) = above.get(&me) else { continue };
            for index in 0..world.instances[me].targets.len() {
                let bytes = above_callee(world, me, index, mine);
                for to in pointers.reach(&world.instances[me], index).filter_map(Node::instance) {
                    let known = above.entry(to).or_insert(u32::MAX);
                    fallen |= bytes < *known;
                    *known = bytes.min(*known);
                }
            }
        }
        if !fallen {
            return above;
        }
    }
}

/// The same at a call or jump of a function that has `mine` above its own return address.
fn above_callee(world: &World, me: InstanceId, edge: usize, mine: u32) -> u32 {
    let edge = &world.instances[me].summary.edges[edge];
    match edge.kind {
        EdgeKind::Call => edge.depth.saturating_add(8).saturating_add(mine),
        EdgeKind::Tail => mine,
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
    // An entry copies as many words for a caller that passes none, which may stand where the stack begins.
    let above = if emitted.iter().any(|&me| counts[me] > 0) { above(world, emitted, pointers) } else { BTreeMap::new() };
    for &me in emitted {
        let instance = &world.instances[me];
        let words = counts[me];
        let missing = above.get(&me).is_some_and(|&bytes| bytes < 8 * words);
        if words <= MOST_WORDS && !missing {
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
        let most = if words > MOST_WORDS { MOST_WORDS.to_string() } else { "lie above each of its calls".to_owned() };
        let what = format!(
            "{} aligns its frame beyond 16 bytes, its address is taken, and it may reach {words} words of arguments on the stack, more than {most}",
            function.path
        );
        let mut refusal = Diagnostic::new(ErrorCode::Unsupported, what)
            .at(object.place(function, 0))
            .chain(chain)
            .hint("pass what does not fit registers by reference, or call the function by its name only");
        // Its own code may name fewer words: then others pass them, perhaps to another function of the same type.
        if let Some(&(bytes, Some((from, _)))) = passed(world, emitted, pointers, |_, edge| edge.passable).get(&me)
            && bytes.div_ceil(8) == words
        {
            refusal = refusal.note(format!("{} may pass it as many", object.functions[world.instances[from].function].path));
        }
        found.push(refusal);
    }
    found
}

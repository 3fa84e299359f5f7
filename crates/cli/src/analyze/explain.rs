//! Explains refusals of later stages by the calls that lead from an export to the refused function.

use super::chain::call;
use super::facts::Facts;
use super::graph::{InstanceId, Node, SetId};
use crate::decode::Program;
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use crate::load::Object;
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet};

/// Adds a chain of calls to each reason that has a place and no chain: the shortest chain from an export to the function at this place.
pub fn explain(object: &Object, program: &Program, facts: &Facts, reasons: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let shims: BTreeSet<FuncId> = object.exports.values().map(|export| export.shim).collect();
    let mut queue: Vec<InstanceId> = facts.emitted.iter().copied().filter(|&me| shims.contains(&facts.instances[me].function)).collect();
    let mut parents: BTreeMap<InstanceId, Option<(InstanceId, usize)>> = queue.iter().map(|&root| (root, None)).collect();
    let mut nearest: BTreeMap<&str, InstanceId> = BTreeMap::new();
    let mut visited = EntitySet::new();
    let mut at = 0;
    while let Some(&me) = queue.get(at) {
        at += 1;
        let instance = &facts.instances[me];
        nearest.entry(&object.functions[instance.function].path).or_insert(me);
        let new: Vec<(usize, SetId)> = instance.targets.iter().copied().enumerate().filter(|&(_, set)| visited.insert(set)).collect();
        for (edge, node) in new.into_iter().flat_map(|(edge, set)| facts.sets[set].iter().map(move |node| (edge, node))) {
            if let Node::Instance(to) = node
                && !parents.contains_key(to)
            {
                parents.insert(*to, Some((me, edge)));
                queue.push(*to);
            }
        }
    }
    let chain = |mut me: InstanceId| {
        let mut chain = vec![call(object, program, &facts.instances[me], None)];
        while let Some(&Some((from, edge))) = parents.get(&me) {
            chain.push(call(object, program, &facts.instances[from], Some(edge)));
            me = from;
        }
        chain.reverse();
        chain
    };
    let explained = |reason: Diagnostic| {
        let function = reason.place.as_ref().filter(|_| reason.chain.is_empty()).and_then(|place| nearest.get(place.function.as_str()));
        match function {
            Some(&me) => reason.chain(chain(me)),
            None => reason,
        }
    };
    reasons.into_iter().map(explained).collect()
}

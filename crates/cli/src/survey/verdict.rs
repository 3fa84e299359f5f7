//! Decides for each root of an attempt whether rustgo accepts the root, and collects the reasons for refusals. A root is a function that is analysed
//! like an export.

use crate::analyze::{Facts, InstanceId, Node, SetId};
use crate::diag::Diagnostic;
use crate::diag::wall::Wall;
use crate::load::Object;
use std::collections::{BTreeMap, BTreeSet};

/// The results of the analysis and the lowering of some roots together.
#[derive(Debug)]
pub struct Attempt {
    pub facts: Facts,
    /// The reasons of all stages, not merged.
    pub reasons: Vec<Diagnostic>,
}

/// The result of an attempt for one root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The root is accepted.
    Accepted,
    /// The root is refused.
    Refused(Refusal),
    /// The attempt refuses the root only because calls through pointers may reach refused functions. Perhaps only other roots make the addresses of
    /// these functions.
    Doubtful(Refusal),
}

/// Why a root is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub kinds: BTreeSet<Wall>,
    /// The index of the reason that serves as an example: of the reasons of the most important kind, the reason nearest to the root in the call
    /// graph.
    pub example: usize,
}

/// Judges the roots of an attempt, which are the exports of `object`, in their order.
pub fn judge(object: &Object, attempt: &Attempt) -> Vec<Verdict> {
    let Attempt { facts, reasons } = attempt;
    // Reasons without a place are about the crate as a whole.
    let everywhere: Vec<usize> = (0..reasons.len()).filter(|&at| reasons[at].place.is_none()).collect();
    let mut by_function: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, reason) in reasons.iter().enumerate() {
        if let Some(place) = &reason.place {
            by_function.entry(&place.function).or_default().push(at);
        }
    }
    // For each function, the reasons whose chain of calls passes through the function.
    let mut through: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, reason) in reasons.iter().enumerate() {
        for call in &reason.chain {
            through.entry(&call.place.function).or_default().push(at);
        }
    }
    // The analysis replaces a function with an error by a stub. The stub's name is the function's symbol.
    let path_of: BTreeMap<&str, &str> =
        object.functions.values().map(|function| (function.symbol.as_str(), function.path.as_str())).collect();
    let stubbed = |nodes: &BTreeSet<Node>| -> Vec<usize> {
        let names = nodes.iter().filter_map(|node| if let Node::Unavailable(name) = node { path_of.get(name.as_str()) } else { None });
        names.flat_map(|path| [by_function.get(path), through.get(path)]).flatten().flatten().copied().collect()
    };
    let stubbed: BTreeMap<SetId, Vec<usize>> = facts.sets.iter().map(|(set, nodes)| (set, stubbed(nodes))).collect();
    // Returns the reasons in a function itself, and in its callees that stubs replace. Callees of calls with unknown targets count only if
    // `uncertain` is true.
    let here = |me: InstanceId, uncertain: bool| -> Vec<usize> {
        let instance = &facts.instances[me];
        let own = by_function.get(object.functions[instance.function].path.as_str()).into_iter().flatten().copied();
        let edges = instance.summary.edges.iter().zip(&instance.targets).filter(|(edge, _)| uncertain || edge.targets.is_some());
        own.chain(edges.flat_map(|(_, set)| stubbed[set].iter().copied())).collect()
    };
    let all: Vec<InstanceId> = facts.instances.keys().collect();
    // The call graph in reverse. `callers` maps each set of targets to the callers, each with true if the analysis knows the call's targets.
    // `sets_with` maps each function to the sets that contain it.
    let mut callers: BTreeMap<SetId, Vec<(InstanceId, bool)>> = BTreeMap::new();
    let sets_with = facts.sets.containing();
    for &me in &all {
        let instance = &facts.instances[me];
        for (edge, &set) in instance.summary.edges.iter().zip(&instance.targets) {
            callers.entry(set).or_default().push((me, edge.targets.is_some()));
        }
    }
    let blocked = |uncertain: bool| {
        let mut blocked: BTreeMap<InstanceId, BTreeSet<Wall>> = BTreeMap::new();
        let mut todo = Vec::new();
        let mut told: BTreeMap<SetId, BTreeSet<Wall>> = BTreeMap::new();
        for &me in &all {
            let kinds: BTreeSet<Wall> = here(me, uncertain).into_iter().map(|at| reasons[at].wall).collect();
            if !kinds.is_empty() {
                blocked.insert(me, kinds);
                todo.push(me);
            }
        }
        while let Some(me) = todo.pop() {
            let kinds = blocked[&me].clone();
            // Pass each kind to the callers of a set only once: when the first member of the set gets this kind.
            let fresh = sets_with.get(&me).into_iter().flatten().filter(|&&set| {
                let known = told.entry(set).or_default();
                let before = known.len();
                known.extend(kinds.iter().copied());
                known.len() > before
            });
            let fresh: Vec<SetId> = fresh.copied().collect();
            for &(caller, certain) in fresh.iter().filter_map(|set| callers.get(set)).flatten() {
                let known = blocked.entry(caller).or_default();
                let before = known.len();
                if certain || uncertain {
                    known.extend(kinds.iter().copied());
                }
                if known.len() > before {
                    todo.push(caller);
                }
            }
        }
        blocked.retain(|_, kinds| !kinds.is_empty());
        blocked
    };
    let (certainly, possibly) = (blocked(false), blocked(true));
    // Several exports may have one shim, and a function may have several instances.
    let mut instances: BTreeMap<_, Vec<InstanceId>> = BTreeMap::new();
    for &me in &all {
        instances.entry(facts.instances[me].function).or_default().push(me);
    }
    let verdict = |shim| {
        let own = instances.get(&shim).map(Vec::as_slice).unwrap_or_default();
        let of = |blocked: &BTreeMap<InstanceId, BTreeSet<Wall>>| -> BTreeSet<Wall> {
            own.iter().filter_map(|me| blocked.get(me)).flatten().copied().collect()
        };
        let certain = !everywhere.is_empty() || !of(&certainly).is_empty();
        let mut kinds = of(&possibly);
        kinds.extend(everywhere.iter().map(|&at| reasons[at].wall));
        let Some(&first) = kinds.first() else { return Verdict::Accepted };
        let example = facts.nearest(own, |_| true, |me| here(me, true).into_iter().find(|&at| reasons[at].wall == first));
        let refusal = Refusal { kinds, example: example.or(everywhere.first().copied()).unwrap_or(0) };
        if certain { Verdict::Refused(refusal) } else { Verdict::Doubtful(refusal) }
    };
    object.exports.values().map(|export| verdict(export.shim)).collect()
}

//! Makes the final `World` from the `Explorer`. Keeps one instance for each function and for each entry alignment that makes a difference.
//! Replaces functions by stubs if they run only after a panic and cannot be included.

use super::{Explorer, Instance, Unresolved, World};
use crate::analyze::graph::{InstanceId, Link, Node};
use crate::analyze::summary::Edge;
use crate::diag::Diagnostic;
use crate::ids::FuncId;
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Explorer<'_> {
    pub(super) fn finish(
        self,
        roots: Vec<InstanceId>,
        format_panic: Option<InstanceId>,
        hot_unresolved: &Unresolved,
        panic_unresolved: &Unresolved,
        lasting: BTreeSet<FuncId>,
        refused: Vec<Diagnostic>,
    ) -> World {
        let (sensitive, canonical) = self.canonical(hot_unresolved);
        let returning: BTreeSet<InstanceId> = self.returning_context(&roots, hot_unresolved).into_iter().map(|me| canonical[&me]).collect();
        // The functions that run only after a panic and cannot be included, each with the reason. A stub replaces them.
        let mut unavailable = BTreeMap::new();
        let mut instances = PrimaryMap::new();
        // If the code is refused, stubs also replace the functions with errors, so that the rest can be searched for further reasons.
        let broken = |me: InstanceId| -> Option<String> {
            if self.hot.contains(&me) {
                self.summary(canonical[&me]).errors.first().map(|error| error.message.clone())
            } else {
                self.summary(me).exclusion_reason()
            }
        };
        let all_targets: Vec<Vec<BTreeSet<Node>>> = self
            .functions
            .keys()
            .map(|me| {
                let unresolved = if self.hot.contains(&me) { hot_unresolved } else { panic_unresolved };
                let mut sets = vec![BTreeSet::new(); self.summary(me).edges.len()];
                for (index, target) in self.targets(me, unresolved) {
                    let node = match target {
                        Link::Instance(to) => match broken(to) {
                            Some(why) => {
                                let name = self.object.functions[self.functions[to].0].symbol.clone();
                                unavailable.insert(name.clone(), why);
                                Node::Unavailable(name)
                            }
                            None => Node::Instance(canonical[&to]),
                        },
                        Link::Exit(exit) => Node::Exit(exit),
                        Link::Undefined(name) => {
                            unavailable.insert(name.clone(), "is not defined anywhere".into());
                            Node::Unavailable(name)
                        }
                    };
                    sets[index].insert(node);
                }
                sets
            })
            .collect();
        for me in self.functions.keys() {
            if let Some(why) = broken(me) {
                unavailable.insert(self.object.functions[self.functions[me].0].symbol.clone(), why);
            }
        }
        let alignment = self.alignment();
        let pads: Vec<Vec<u32>> = self
            .functions
            .keys()
            .map(|me| {
                let pad = |edge: &Edge, nodes: &BTreeSet<Node>| {
                    let (Some(entry), Some(Node::Instance(to)), true) = (self.functions[me].1, nodes.first(), edge.paddable) else {
                        return 0;
                    };
                    match self.functions[*to].1.filter(|_| sensitive.contains(to)) {
                        Some(wanted) => u32::from((self.unpadded(entry, edge) + alignment - wanted) % alignment),
                        None => 0,
                    }
                };
                self.summary(me).edges.iter().zip(&all_targets[me.as_u32() as usize]).map(|(e, n)| pad(e, n)).collect()
            })
            .collect();
        let Explorer { functions, summaries, hot, .. } = self;
        for ((((me, (function, alignment)), summary), targets), pads) in functions.into_iter().zip(summaries).zip(all_targets).zip(pads) {
            let summary = summary.expect("every instance is settled");
            instances.push(Instance {
                function,
                alignment: alignment.filter(|_| sensitive.contains(&me)),
                summary,
                targets,
                pads,
                hot: hot.contains(&me),
                doomed: !returning.contains(&me),
            });
        }
        let roots = roots.into_iter().map(|r| canonical[&r]).collect();
        let format_panic = format_panic.map(|r| canonical[&r]);
        World { instances, canonical, roots, format_panic, lasting, unavailable, alignment, refused }
    }

    /// Returns the instances that depend on the alignment of SP on entry, directly or through callees. Also returns for each instance the
    /// instance that is emitted in its place.
    pub(super) fn canonical(&self, unresolved: &Unresolved) -> (BTreeSet<InstanceId>, BTreeMap<InstanceId, InstanceId>) {
        let mut sensitive: BTreeSet<InstanceId> = self.functions.keys().filter(|&i| self.summary(i).uses_alignment).collect();
        loop {
            let more: Vec<InstanceId> = self
                .functions
                .keys()
                .filter(|me| !sensitive.contains(me))
                .filter(|&me| self.targets(me, unresolved).iter().any(|(_, t)| matches!(t, Link::Instance(to) if sensitive.contains(to))))
                .collect();
            if more.is_empty() {
                break;
            }
            sensitive.extend(more);
        }
        let mut first: HashMap<FuncId, InstanceId> = HashMap::new();
        for hot in [true, false] {
            for me in self.functions.keys().filter(|me| self.hot.contains(me) == hot && !sensitive.contains(me)) {
                first.entry(self.functions[me].0).or_insert(me);
            }
        }
        let canonical =
            self.functions.keys().map(|me| (me, if sensitive.contains(&me) { me } else { first[&self.functions[me].0] })).collect();
        (sensitive, canonical)
    }
}

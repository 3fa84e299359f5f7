//! Makes the final `World` from the `Explorer`. Chooses the instances to emit: one for each function, or one for each alignment of SP on entry that
//! makes a difference. Stubs replace functions that run only after a panic and cannot be included.

use super::unresolved::Unresolved;
use super::{Explorer, Instance, World};
use crate::analyze::graph::{InstanceId, Link, Node, SetId, TargetSets};
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
        // The functions that run only after a panic and cannot be included, each with the reason. A stub replaces each of these functions.
        let mut unavailable = BTreeMap::new();
        let mut instances = PrimaryMap::new();
        // If the code is refused, stubs also replace all functions with errors, so that the other functions can be searched for further reasons.
        let broken = |me: InstanceId| -> Option<String> {
            if self.hot.contains(&me) {
                self.summary(canonical[&me]).errors.first().map(|error| error.message.clone())
            } else {
                self.summary(me).exclusion_reason()
            }
        };
        let mut node = |target: Link| match target {
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
        let mut sets = TargetSets::default();
        // For each set of unresolved targets, its number in `sets`. The first map is for callers that run only after a panic, the second for all
        // others.
        let mut known: [BTreeMap<Option<usize>, SetId>; 2] = Default::default();
        let mut all_targets: Vec<Vec<SetId>> = Vec::new();
        for me in self.functions.keys() {
            let is_hot = self.hot.contains(&me);
            let unresolved = if is_hot { hot_unresolved } else { panic_unresolved };
            let mut targets = Vec::new();
            for (index, edge) in self.summary(me).edges.iter().enumerate() {
                targets.push(match self.known_targets(me, edge) {
                    Some(links) => sets.add(links.map(&mut node).collect()),
                    None => {
                        let set = unresolved.of(me, index);
                        *known[usize::from(is_hot)].entry(set).or_insert_with(|| {
                            let members = set.into_iter().flat_map(|set| unresolved.set(set)).map(|&to| Link::Instance(to));
                            let exits = self.addressed_exits.iter().map(|&exit| Link::Exit(exit));
                            sets.add(members.chain(exits).map(&mut node).collect())
                        })
                    }
                });
            }
            all_targets.push(targets);
        }
        for me in self.functions.keys() {
            if let Some(why) = broken(me) {
                unavailable.insert(self.object.functions[self.functions[me].0].symbol.clone(), why);
            }
        }
        let alignment = self.alignment();
        let mut copied = BTreeMap::new();
        let pads: Vec<Vec<u32>> = self
            .functions
            .keys()
            .map(|me| {
                let mut pad = |index: usize, edge: &Edge, &set: &SetId| {
                    let (Some(entry), Some(Node::Instance(to)), true) = (self.functions[me].1, sets[set].first(), edge.paddable) else {
                        return 0;
                    };
                    let pad = match self.functions[*to].1.filter(|_| sensitive.contains(to)) {
                        Some(wanted) => u32::from((self.unpadded(entry, edge) + alignment - wanted) % alignment),
                        None => 0,
                    };
                    let is_copied = pad > 0 && self.takes(edge, self.functions[*to].0);
                    if is_copied {
                        copied.insert((me, index), pad);
                    }
                    if is_copied { 0 } else { pad }
                };
                let edges = self.summary(me).edges.iter().zip(&all_targets[me.as_u32() as usize]);
                edges.enumerate().map(|(index, (edge, set))| pad(index, edge, set)).collect()
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
        World { instances, sets, copied, canonical, roots, format_panic, lasting, unavailable, alignment, refused }
    }

    /// Returns the instances that depend on the alignment of SP on entry, directly or through callees. Also returns for each instance the
    /// instance that is emitted in its place.
    pub(super) fn canonical(&self, unresolved: &Unresolved) -> (BTreeSet<InstanceId>, BTreeMap<InstanceId, InstanceId>) {
        let mut sensitive: BTreeSet<InstanceId> = self.functions.keys().filter(|&i| self.summary(i).uses_alignment).collect();
        let mut callers: HashMap<InstanceId, Vec<InstanceId>> = HashMap::new();
        let mut set_callers: Vec<Vec<InstanceId>> = vec![Vec::new(); unresolved.len()];
        let mut sets_with: HashMap<InstanceId, Vec<usize>> = HashMap::new();
        for me in self.functions.keys() {
            for (index, edge) in self.summary(me).edges.iter().enumerate() {
                match self.known_targets(me, edge) {
                    Some(links) => links.for_each(|link| {
                        if let Link::Instance(to) = link {
                            callers.entry(to).or_default().push(me);
                        }
                    }),
                    None => unresolved.of(me, index).into_iter().for_each(|set| set_callers[set].push(me)),
                }
            }
        }
        for set in 0..unresolved.len() {
            unresolved.set(set).iter().for_each(|&to| sets_with.entry(to).or_default().push(set));
        }
        let mut queue: Vec<InstanceId> = sensitive.iter().copied().collect();
        while let Some(me) = queue.pop() {
            // The first sensitive member of a set makes all callers of the set sensitive. Take these callers out of the list, so that they are added
            // only once.
            let through_sets = sets_with.get(&me).into_iter().flatten().flat_map(|&set| std::mem::take(&mut set_callers[set]));
            let all: Vec<InstanceId> = callers.get(&me).into_iter().flatten().copied().chain(through_sets).collect();
            queue.extend(all.into_iter().filter(|&caller| sensitive.insert(caller)));
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

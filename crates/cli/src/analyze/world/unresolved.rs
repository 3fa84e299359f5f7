//! The targets of calls and jumps through unknown pointers. Most of these calls share a few sets of targets, and each set may have thousands of
//! functions. So each set exists once, and a search of the call graph visits each set once.

use super::Explorer;
use crate::analyze::graph::{InstanceId, Link};
use crate::analyze::summary::Edge;
use crate::code::Callee;
use crate::ids::FuncId;
use std::collections::{BTreeSet, HashMap};

/// The targets of calls and jumps through unknown pointers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Unresolved {
    sets: Vec<BTreeSet<InstanceId>>,
    /// For each call or jump, by instance and index, the number of its set.
    of: HashMap<(InstanceId, usize), usize>,
}

/// The kind of an unresolved call: whether it reaches only functions in `lasting` ([`World::lasting`](super::World::lasting)), and whether the
/// analysis tracks the alignment of SP in its caller. Calls of one kind share a set of targets. If the alignment is tracked and the call does not go
/// through an entry that aligns SP, the call has no kind, and a set of its own.
type Kind = (bool, bool);

impl Unresolved {
    /// Returns the number of the target set of an unresolved call; `None` if the call has no set.
    pub(super) fn of(&self, me: InstanceId, edge: usize) -> Option<usize> {
        self.of.get(&(me, edge)).copied()
    }

    pub(super) fn set(&self, set: usize) -> &BTreeSet<InstanceId> {
        &self.sets[set]
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    fn add(&mut self, set: BTreeSet<InstanceId>) -> usize {
        self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        })
    }
}

/// The sets of unresolved targets that a search of the call graph has visited.
pub(super) struct Visited(Vec<bool>);

impl Visited {
    pub(super) fn none(unresolved: &Unresolved) -> Visited {
        Visited(vec![false; unresolved.len()])
    }

    /// True if the set is visited for the first time.
    pub(super) fn visit(&mut self, set: usize) -> bool {
        !std::mem::replace(&mut self.0[set], true)
    }
}

impl Explorer<'_> {
    /// Calls `each` with every instance that the calls and jumps of `me` reach. Leaves out calls and jumps that `counts` rejects, and sets in
    /// `visited`. Adds the newly visited sets to `visited`.
    pub(super) fn callees(
        &self,
        me: InstanceId,
        unresolved: &Unresolved,
        visited: &mut Visited,
        counts: impl Fn(&Edge) -> bool,
        mut each: impl FnMut(InstanceId),
    ) {
        let Some(summary) = &self.summaries[me.as_u32() as usize] else { return };
        for (index, edge) in summary.edges.iter().enumerate().filter(|(_, edge)| counts(edge)) {
            match &edge.targets {
                Some(callees) => {
                    for callee in callees {
                        if let Callee::Function(id) = callee {
                            each(self.keys[&(*id, self.alignment_at(me, edge, *id))]);
                        }
                    }
                }
                None => {
                    if let Some(set) = unresolved.of(me, index)
                        && visited.visit(set)
                    {
                        unresolved.set(set).iter().copied().for_each(&mut each);
                    }
                }
            }
        }
    }

    /// Returns the known targets of a call or jump; `None` if the pointer is unknown.
    pub(super) fn known_targets(&self, me: InstanceId, edge: &Edge) -> Option<impl Iterator<Item = Link>> {
        let callees = edge.targets.as_ref()?;
        Some(callees.iter().map(move |callee| match callee {
            Callee::Function(id) => Link::Instance(self.keys[&(*id, self.alignment_at(me, edge, *id))]),
            Callee::Exit(exit) => Link::Exit(*exit),
            Callee::Undefined(name) => Link::Undefined(name.clone()),
        }))
    }

    /// Decides the targets of each unresolved call of the instances in `reached`: the functions in `lasting` if `lasts` returns true, otherwise the
    /// functions in `all`. The arguments of `lasts` are the caller, and whether the caller can no longer return after the call. Creates the missing
    /// instances of the targets.
    pub(super) fn resolve(
        &mut self,
        reached: &BTreeSet<InstanceId>,
        lasting: &BTreeSet<FuncId>,
        all: &BTreeSet<FuncId>,
        lasts: impl Fn(InstanceId, bool) -> bool,
    ) -> Unresolved {
        let mut unresolved = Unresolved::default();
        let mut known: HashMap<Kind, usize> = HashMap::new();
        for &me in reached {
            let summary = self.summary(me);
            let calls = summary.edges.iter().enumerate().filter(|(_, edge)| edge.targets.is_none());
            let calls: Vec<(usize, bool, bool)> = calls.map(|(index, edge)| (index, summary.doomed[edge.inst], edge.indirect)).collect();
            for (index, doomed, indirect) in calls {
                let lasts = lasts(me, doomed);
                let is_tracked = self.functions[me].1.is_some();
                let kind = (indirect || !is_tracked).then_some((lasts, is_tracked));
                let set = match kind.and_then(|kind| known.get(&kind)) {
                    Some(&set) => set,
                    None => {
                        let candidates = if lasts { lasting } else { all };
                        let edge = self.summary(me).edges[index].clone();
                        let targets = candidates.iter().map(|&id| self.instance(id, self.alignment_at(me, &edge, id))).collect();
                        let set = unresolved.add(targets);
                        known.extend(kind.map(|kind| (kind, set)));
                        set
                    }
                };
                unresolved.of.insert((me, index), set);
            }
        }
        unresolved
    }
}

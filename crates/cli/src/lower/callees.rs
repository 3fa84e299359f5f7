//! Numbers the sets of functions to which calls and jumps may go. Calls with the same set share its number, so [`super::live`] keeps only one result
//! for each set.
//!
//! Calls through unknown pointers share a few sets of targets. Such a set may contain hundreds of functions, and a program may have thousands of such
//! calls. So [`super::live`] computes the union of the targets' results once for each set, and updates this union when the result of a target grows.

use crate::analyze::{Facts, InstanceId, Node, SetId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The sets of targets of all calls and jumps out of emitted functions.
pub struct Callees<'a> {
    sets: Vec<Vec<&'a Node>>,
    /// For each function: the numbers of the target sets of its calls and jumps, in the order of `Summary::edges`.
    edges: BTreeMap<InstanceId, Vec<usize>>,
    /// For each set, the functions that call or jump to it.
    callers: Vec<BTreeSet<InstanceId>>,
    /// For each function, the numbers of the sets that contain it.
    containing: BTreeMap<InstanceId, Vec<usize>>,
}

impl<'a> Callees<'a> {
    pub fn new(facts: &'a Facts) -> Callees<'a> {
        let mut known: HashMap<(SetId, bool), usize> = HashMap::new();
        let mut callees = Callees { sets: Vec::new(), edges: BTreeMap::new(), callers: Vec::new(), containing: BTreeMap::new() };
        for &me in &facts.emitted {
            let instance = &facts.instances[me];
            let mut edges = Vec::new();
            for (edge, &targets) in instance.targets.iter().enumerate() {
                // A call through an unresolved pointer may also reach functions that are in no set.
                let key = (targets, instance.summary.edges[edge].targets.is_none());
                let set = *known.entry(key).or_insert_with(|| callees.add(facts.reach(me, edge).collect()));
                callees.callers[set].insert(me);
                edges.push(set);
            }
            callees.edges.insert(me, edges);
        }
        callees
    }

    fn add(&mut self, nodes: Vec<&'a Node>) -> usize {
        let set = self.sets.len();
        let members: BTreeSet<InstanceId> = nodes.iter().filter_map(|node| node.instance()).collect();
        members.into_iter().for_each(|member| self.containing.entry(member).or_default().push(set));
        self.sets.push(nodes);
        self.callers.push(BTreeSet::new());
        set
    }

    /// Returns each set as a list of targets.
    pub fn sets(&self) -> impl Iterator<Item = &[&'a Node]> {
        self.sets.iter().map(Vec::as_slice)
    }

    /// Returns the number of the target set of a call or jump. `edge` is the index of the call or jump in `Summary::edges` of the function
    /// `me`.
    pub fn of(&self, me: InstanceId, edge: usize) -> usize {
        self.edges[&me][edge]
    }

    pub fn members(&self, set: usize) -> &[&'a Node] {
        &self.sets[set]
    }

    pub fn callers(&self, set: usize) -> impl Iterator<Item = InstanceId> {
        self.callers[set].iter().copied()
    }

    /// Returns the numbers of the sets that contain a function.
    pub fn containing(&self, me: InstanceId) -> &[usize] {
        self.containing.get(&me).map_or(&[], Vec::as_slice)
    }
}

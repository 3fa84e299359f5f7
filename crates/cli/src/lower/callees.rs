//! Groups the targets of calls and jumps: equal sets of targets are stored once. [`super::live`] keeps one result per
//! set.
//!
//! Calls through unknown pointers share one set, which may have hundreds of functions, and a program may have thousands
//! of such calls. A result that is the union over all targets is therefore computed once per set, and grows with the
//! targets' own results.

use crate::analyze::{Facts, InstanceId, Node};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The sets of targets in all emitted functions.
pub struct Callees<'a> {
    sets: Vec<Vec<&'a Node>>,
    /// By function: the set of each edge.
    edges: BTreeMap<InstanceId, Vec<usize>>,
    /// By set: the functions that have an edge to it.
    callers: Vec<BTreeSet<InstanceId>>,
    /// By function: the sets that contain it.
    containing: BTreeMap<InstanceId, Vec<usize>>,
}

impl<'a> Callees<'a> {
    pub fn new(facts: &'a Facts) -> Callees<'a> {
        let mut known: HashMap<Vec<&Node>, usize> = HashMap::new();
        let mut callees = Callees { sets: Vec::new(), edges: BTreeMap::new(), callers: Vec::new(), containing: BTreeMap::new() };
        for &me in &facts.emitted {
            let instance = &facts.instances[me];
            let mut edges = Vec::new();
            for edge in 0..instance.targets.len() {
                let nodes: Vec<&Node> = facts.pointers.reach(instance, edge).collect();
                let set = *known.entry(nodes).or_insert_with_key(|nodes| callees.add(nodes));
                callees.callers[set].insert(me);
                edges.push(set);
            }
            callees.edges.insert(me, edges);
        }
        callees
    }

    fn add(&mut self, nodes: &[&'a Node]) -> usize {
        let set = self.sets.len();
        let members: BTreeSet<InstanceId> = nodes.iter().filter_map(|node| node.instance()).collect();
        members.into_iter().for_each(|member| self.containing.entry(member).or_default().push(set));
        self.sets.push(nodes.to_vec());
        self.callers.push(BTreeSet::new());
        set
    }

    /// The members of each set.
    pub fn sets(&self) -> impl Iterator<Item = &[&'a Node]> {
        self.sets.iter().map(Vec::as_slice)
    }

    /// The number of the set that an edge of an emitted function leads to.
    pub fn of(&self, me: InstanceId, edge: usize) -> usize {
        self.edges[&me][edge]
    }

    pub fn members(&self, set: usize) -> &[&'a Node] {
        &self.sets[set]
    }

    pub fn callers(&self, set: usize) -> impl Iterator<Item = InstanceId> {
        self.callers[set].iter().copied()
    }

    /// The sets that contain a function.
    pub fn containing(&self, me: InstanceId) -> &[usize] {
        self.containing.get(&me).map_or(&[], Vec::as_slice)
    }
}

//! Queries about the calls and jumps between instances. An instance is a function analysed for one alignment of SP on entry.

use super::World;
use crate::analyze::graph::{InstanceId, Node, SetId};
use cranelift_entity::EntitySet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl World {
    /// Returns the targets of a call or jump of the instance. `edge` is the index of the call or jump.
    pub fn targets(&self, me: InstanceId, edge: usize) -> &BTreeSet<Node> {
        &self.sets[self.instances[me].targets[edge]]
    }

    /// Returns the targets of the instance's calls and jumps, each with the index of the call or jump. A pass over many instances uses
    /// [`World::new_edges`] or [`World::all_targets`] instead, because instances share large sets of targets.
    pub fn edges(&self, me: InstanceId) -> impl Iterator<Item = (usize, &Node)> {
        (0..self.instances[me].targets.len()).flat_map(move |edge| self.targets(me, edge).iter().map(move |node| (edge, node)))
    }

    /// Like [`World::edges`], but leaves out the targets of the sets in `visited`, and adds the other sets to `visited`.
    pub fn new_edges<'a>(&'a self, me: InstanceId, visited: &mut EntitySet<SetId>) -> impl Iterator<Item = (usize, &'a Node)> + use<'a> {
        let sets = self.instances[me].targets.iter().enumerate();
        let new: Vec<(usize, SetId)> = sets.filter(|&(_, &set)| visited.insert(set)).map(|(edge, &set)| (edge, set)).collect();
        new.into_iter().flat_map(move |(edge, set)| self.sets[set].iter().map(move |node| (edge, node)))
    }

    /// Returns all targets of the calls and jumps of the instances. A target may occur several times.
    pub fn all_targets<'a>(&'a self, instances: impl IntoIterator<Item = &'a InstanceId>) -> impl Iterator<Item = &'a Node> {
        let sets: BTreeSet<SetId> = instances.into_iter().flat_map(|&me| self.instances[me].targets.iter().copied()).collect();
        sets.into_iter().flat_map(|set| &self.sets[set])
    }

    /// Returns for each set of targets whether a member fulfils the condition.
    pub fn sets_with(&self, condition: impl Fn(&Node) -> bool) -> EntitySet<SetId> {
        let mut found = EntitySet::new();
        for (set, _) in self.sets.iter().filter(|(_, nodes)| nodes.iter().any(&condition)) {
            found.insert(set);
        }
        found
    }

    /// Returns the instances that are reachable from `root`, including `root`.
    pub fn reached(&self, root: InstanceId) -> BTreeSet<InstanceId> {
        let mut reached = BTreeSet::from([root]);
        let mut stack = vec![root];
        let mut visited = EntitySet::new();
        while let Some(me) = stack.pop() {
            for (_, node) in self.new_edges(me, &mut visited) {
                if let Node::Instance(to) = node
                    && reached.insert(*to)
                {
                    stack.push(*to);
                }
            }
        }
        reached
    }

    /// Returns a shortest path from one instance to another: for each step the instance, and the index of its call or jump.
    pub fn shortest_path(&self, from: InstanceId, to: InstanceId) -> Vec<(InstanceId, usize)> {
        let mut parents: BTreeMap<InstanceId, (InstanceId, usize)> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        let mut visited = EntitySet::new();
        'search: while let Some(me) = queue.pop_front() {
            for (edge, node) in self.new_edges(me, &mut visited) {
                if let Node::Instance(next) = node
                    && !parents.contains_key(next)
                {
                    parents.insert(*next, (me, edge));
                    if *next == to {
                        break 'search;
                    }
                    queue.push_back(*next);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while let Some(&(parent, edge)) = parents.get(&at) {
            way.push((parent, edge));
            at = parent;
            if at == from {
                break;
            }
        }
        way.reverse();
        way
    }
}

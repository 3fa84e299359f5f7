//! Queries about the calls and jumps between the emitted functions.

use super::World;
use crate::analyze::graph::{InstanceId, Node};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl World {
    /// Returns the targets of the instance's calls and jumps, each with the index of the call or jump.
    pub fn edges(&self, me: InstanceId) -> impl Iterator<Item = (usize, &Node)> {
        self.instances[me].targets.iter().enumerate().flat_map(|(edge, nodes)| nodes.iter().map(move |node| (edge, node)))
    }

    /// Returns the instances that are reachable from `root`, including `root`.
    pub fn reached(&self, root: InstanceId) -> BTreeSet<InstanceId> {
        let mut reached = BTreeSet::from([root]);
        let mut stack = vec![root];
        while let Some(me) = stack.pop() {
            for (_, node) in self.edges(me) {
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
        'search: while let Some(me) = queue.pop_front() {
            for (edge, node) in self.edges(me) {
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

//! Defines the nodes of the call graph, and finds strongly connected components.

use crate::exits::Exit;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The index of an instance: a function analysed for one alignment of SP on entry. Most functions have a single instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "instance");

/// A target of a call or jump in the call graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Instance(InstanceId),
    /// An exit from Rust code to the runtime.
    Exit(Exit),
    /// The name of a function that cannot be included. [`Exit::Missing`] replaces the function. In accepted code, only code that runs after a panic
    /// calls such a function.
    Unavailable(String),
}

impl Node {
    /// Returns the instance of a function of the package; `None` for any other node.
    pub fn instance(&self) -> Option<InstanceId> {
        match self {
            Node::Instance(me) => Some(*me),
            Node::Exit(_) | Node::Unavailable(_) => None,
        }
    }

    /// Returns the exit that a call of this node reaches; `None` for a function of the package.
    pub fn exit(&self) -> Option<Exit> {
        match self {
            Node::Instance(_) => None,
            Node::Exit(exit) => Some(*exit),
            Node::Unavailable(_) => Some(Exit::Missing),
        }
    }
}

/// A set of targets of calls and jumps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);
entity_impl!(SetId, "set");

/// The target sets of all calls and jumps. Calls through unknown pointers share a few sets, and such a set may have thousands of functions. Therefore
/// each set is stored once, and a pass over the program computes a result once for each set, not for each call.
#[derive(Debug, Default)]
pub struct TargetSets {
    sets: PrimaryMap<SetId, BTreeSet<Node>>,
    known: HashMap<BTreeSet<Node>, SetId>,
}

impl TargetSets {
    /// Returns the number of the set. Equal sets have equal numbers.
    pub fn add(&mut self, set: BTreeSet<Node>) -> SetId {
        if let Some(&id) = self.known.get(&set) {
            return id;
        }
        let id = self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }

    /// Returns for each instance the sets that contain the instance.
    pub fn containing(&self) -> BTreeMap<InstanceId, Vec<SetId>> {
        let mut containing: BTreeMap<InstanceId, Vec<SetId>> = BTreeMap::new();
        for (set, nodes) in &self.sets {
            nodes.iter().filter_map(Node::instance).for_each(|member| containing.entry(member).or_default().push(set));
        }
        containing
    }

    /// Returns `first` and all instances from which calls and jumps lead to an instance in `first`. `callers` has, for each set of targets, the
    /// instances that call or jump to it.
    pub fn leading_to(
        &self,
        first: impl IntoIterator<Item = InstanceId>,
        mut callers: BTreeMap<SetId, Vec<InstanceId>>,
    ) -> BTreeSet<InstanceId> {
        let containing = self.containing();
        let mut found = BTreeSet::new();
        let mut queue: Vec<InstanceId> = first.into_iter().collect();
        while let Some(me) = queue.pop() {
            if found.insert(me) {
                // When the first member of a set is found, take the callers of the set out of the map, so that they are added only once.
                queue.extend(containing.get(&me).into_iter().flatten().filter_map(|set| callers.remove(set)).flatten());
            }
        }
        found
    }

    /// Returns how many different sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns all sets with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (SetId, &BTreeSet<Node>)> {
        self.sets.iter()
    }
}

impl std::ops::Index<SetId> for TargetSets {
    type Output = BTreeSet<Node>;

    fn index(&self, id: SetId) -> &BTreeSet<Node> {
        &self.sets[id]
    }
}

/// A target of a call or jump, before the analysis knows which functions can be included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    Instance(InstanceId),
    Exit(Exit),
    Undefined(String),
}

/// Returns the strongly connected components of a graph (Tarjan's algorithm), searched from the vertices in `which`. `next` returns the successors of
/// a vertex, and `count` is the number of all vertices. Each component comes after all other components that are reachable from it.
pub fn components(count: usize, which: &[usize], next: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    struct Visit {
        index: Vec<u32>,
        low: Vec<u32>,
        on: Vec<bool>,
        stack: Vec<usize>,
        next: u32,
        out: Vec<Vec<usize>>,
    }
    let mut v = Visit { index: vec![u32::MAX; count], low: vec![0; count], on: vec![false; count], stack: vec![], next: 0, out: vec![] };
    for &root in which {
        if v.index[root] != u32::MAX {
            continue;
        }
        let mut work: Vec<(usize, Vec<usize>, usize)> = Vec::new();
        let enter = |v: &mut Visit, me: usize| {
            v.index[me] = v.next;
            v.low[me] = v.next;
            v.next += 1;
            v.on[me] = true;
            v.stack.push(me);
            (me, next(me), 0)
        };
        let first = enter(&mut v, root);
        work.push(first);
        while let Some((me, next, at)) = work.last_mut() {
            let me = *me;
            if let Some(&to) = next.get(*at) {
                *at += 1;
                if v.index[to] == u32::MAX {
                    let entered = enter(&mut v, to);
                    work.push(entered);
                } else if v.on[to] {
                    v.low[me] = v.low[me].min(v.index[to]);
                }
            } else {
                work.pop();
                if let Some(&(parent, _, _)) = work.last() {
                    v.low[parent] = v.low[parent].min(v.low[me]);
                }
                if v.low[me] == v.index[me] {
                    let mut component = Vec::new();
                    while let Some(top) = v.stack.pop() {
                        v.on[top] = false;
                        component.push(top);
                        if top == me {
                            break;
                        }
                    }
                    component.sort();
                    v.out.push(component);
                }
            }
        }
    }
    v.out
}

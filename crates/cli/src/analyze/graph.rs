//! Defines the nodes of the call graph, and finds strongly connected components.

use crate::exits::Exit;
use cranelift_entity::{EntityRef, entity_impl};

/// The index of a function instance. A function has one instance, or one for each alignment of SP on entry for which its code is emitted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "instance");

/// A target of a call or jump in the call graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Instance(InstanceId),
    /// An exit from Rust code to the runtime.
    Exit(Exit),
    /// A function that cannot be included and that is called only after a panic, by name. [`Exit::Missing`] replaces it.
    Unavailable(String),
}

impl Node {
    /// Returns the instance, if the node is a function of the package.
    pub fn instance(&self) -> Option<InstanceId> {
        match self {
            Node::Instance(me) => Some(*me),
            Node::Exit(_) | Node::Unavailable(_) => None,
        }
    }

    /// Returns the exit that a call of this node leads to, if the node is not a function of the package.
    pub fn exit(&self) -> Option<Exit> {
        match self {
            Node::Instance(_) => None,
            Node::Exit(exit) => Some(*exit),
            Node::Unavailable(_) => Some(Exit::Missing),
        }
    }
}

/// A target of a call or jump, before the analysis knows which functions can be included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    Instance(InstanceId),
    Exit(Exit),
    Undefined(String),
}

/// Returns the strongly connected components of the graph, callees before callers (Tarjan's algorithm). The graph begins at the nodes `which`, and
/// `next` returns the successors of a node. `count` is the number of all instances.
pub fn components<N: Iterator<Item = InstanceId>>(
    count: usize,
    which: &[InstanceId],
    next: impl Fn(InstanceId) -> N,
) -> Vec<Vec<InstanceId>> {
    struct Visit {
        index: Vec<u32>,
        low: Vec<u32>,
        on: Vec<bool>,
        stack: Vec<InstanceId>,
        next: u32,
        out: Vec<Vec<InstanceId>>,
    }
    let mut v = Visit { index: vec![u32::MAX; count], low: vec![0; count], on: vec![false; count], stack: vec![], next: 0, out: vec![] };
    for &root in which {
        if v.index[root.index()] != u32::MAX {
            continue;
        }
        let mut work: Vec<(InstanceId, Vec<InstanceId>, usize)> = Vec::new();
        let enter = |v: &mut Visit, me: InstanceId| {
            v.index[me.index()] = v.next;
            v.low[me.index()] = v.next;
            v.next += 1;
            v.on[me.index()] = true;
            v.stack.push(me);
            (me, next(me).collect(), 0)
        };
        let first = enter(&mut v, root);
        work.push(first);
        while let Some((me, next, at)) = work.last_mut() {
            let me = *me;
            if let Some(&to) = next.get(*at) {
                *at += 1;
                if v.index[to.index()] == u32::MAX {
                    let entered = enter(&mut v, to);
                    work.push(entered);
                } else if v.on[to.index()] {
                    v.low[me.index()] = v.low[me.index()].min(v.index[to.index()]);
                }
            } else {
                work.pop();
                if let Some((parent, _, _)) = work.last() {
                    v.low[parent.index()] = v.low[parent.index()].min(v.low[me.index()]);
                }
                if v.low[me.index()] == v.index[me.index()] {
                    let mut component = Vec::new();
                    while let Some(top) = v.stack.pop() {
                        v.on[top.index()] = false;
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

//! The call graph's vocabulary.

use cranelift_entity::entity_impl;

/// A function as emitted: the same code under another entry alignment is another instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "instance");

/// The end of an edge in the call graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Instance(InstanceId),
    Panic,
    /// A function that cannot be carried, called from the panic world only.
    Unavailable(String),
}

/// Where an edge leads, before it is known what can be carried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    Instance(InstanceId),
    Panic,
    Undefined(String),
}

//! Lists the reasons to refuse the code that the roots (the shims of the exports) reach, each with the shortest chain of calls from an export to the
//! refused function.

use super::unresolved::{Unresolved, Visited};
use crate::analyze::graph::{InstanceId, Link};
use crate::analyze::hints;
use crate::decode::Program;
use crate::diag::{Call, Diagnostic, ErrorCode, Place};
use crate::ids::FuncId;
use crate::load::Object;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The call graph, and the errors found in each function.
pub struct Graph<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub functions: Vec<FuncId>,
    pub errors: Vec<&'a [Diagnostic]>,
    /// For each instance, the indices of the instructions that call or jump through a pointer.
    pub indirect: Vec<BTreeSet<usize>>,
    /// For each instance, its calls and jumps: the index of the instruction, and a target or the set of targets.
    pub edges: BTreeMap<InstanceId, Vec<(usize, Step)>>,
    /// The targets of calls through unknown pointers.
    pub unresolved: &'a Unresolved,
}

/// The target of a call or jump.
pub enum Step {
    To(Link),
    /// Any member of the set with this number in [`Graph::unresolved`].
    ToAny(usize),
}

impl Graph<'_> {
    fn path(&self, me: InstanceId) -> &str {
        &self.object.functions[self.functions[me.as_u32() as usize]].path
    }

    /// Returns one element of a chain of calls: the function `me`, and how its instruction `inst` leads to the next element.
    pub fn call(&self, me: InstanceId, inst: Option<usize>) -> Call {
        let id = self.functions[me.as_u32() as usize];
        let function = &self.object.functions[id];
        let offset = inst.and_then(|at| self.program.codes[id].as_ref().ok().map(|c| c.insts[at].offset));
        let indirect = inst.is_some_and(|at| self.indirect[me.as_u32() as usize].contains(&at));
        Call {
            place: offset.map_or_else(|| Place::of(self.path(me)), |offset| self.object.place(function, offset)),
            how: inst.map(|_| if indirect { "may call" } else { "calls" }),
        }
    }

    /// Searches the call graph from the roots, breadth first. Returns for each instance the caller and instruction that reach it first.
    pub fn parents(&self, roots: &[InstanceId]) -> BTreeMap<InstanceId, Option<(InstanceId, usize)>> {
        let mut parents: BTreeMap<InstanceId, Option<(InstanceId, usize)>> = roots.iter().map(|&r| (r, None)).collect();
        let mut queue: VecDeque<InstanceId> = roots.iter().copied().collect();
        let mut visited = Visited::none(self.unresolved);
        while let Some(me) = queue.pop_front() {
            let mut reach = |to: InstanceId, inst: usize| {
                parents.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    Some((me, inst))
                });
            };
            for (inst, step) in self.edges.get(&me).into_iter().flatten() {
                match step {
                    Step::To(Link::Instance(to)) => reach(*to, *inst),
                    Step::To(Link::Exit(_) | Link::Undefined(_)) => {}
                    // The first caller of the set has already reached all members of the set.
                    Step::ToAny(set) if visited.visit(*set) => self.unresolved.set(*set).iter().for_each(|&to| reach(to, *inst)),
                    Step::ToAny(_) => {}
                }
            }
        }
        parents
    }

    /// Returns the chain of calls from a root to the function `me`.
    pub fn chain(&self, parents: &BTreeMap<InstanceId, Option<(InstanceId, usize)>>, me: InstanceId) -> Vec<Call> {
        let mut links = vec![self.call(me, None)];
        let mut at = me;
        while let Some(Some((from, inst))) = parents.get(&at) {
            links.push(self.call(*from, Some(*inst)));
            at = *from;
        }
        links.reverse();
        links
    }
}

/// Returns the errors of functions that the roots reach, and their calls of undefined symbols.
pub fn reasons(graph: &Graph<'_>, roots: &[InstanceId]) -> Vec<Diagnostic> {
    let parents = graph.parents(roots);
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for &me in parents.keys() {
        for error in graph.errors[me.as_u32() as usize] {
            if error.shared.is_some() || seen.insert((error.code, &error.message)) {
                let function = &graph.object.functions[graph.functions[me.as_u32() as usize]];
                found.push(hints::complete(error.clone(), function).chain(graph.chain(&parents, me)));
            }
        }
        for (inst, step) in &graph.edges[&me] {
            if let Step::To(Link::Undefined(name)) = step {
                found.push(undefined(graph, &parents, me, *inst, name));
            }
        }
    }
    found
}

fn undefined(
    graph: &Graph<'_>,
    parents: &BTreeMap<InstanceId, Option<(InstanceId, usize)>>,
    me: InstanceId,
    inst: usize,
    name: &str,
) -> Diagnostic {
    let mut chain = graph.chain(parents, me);
    if let Some(last) = chain.last_mut() {
        *last = graph.call(me, Some(inst));
    }
    chain.push(Call { place: Place::of(name), how: None });
    let at = &chain[chain.len() - 2];
    // An instruction that makes the symbol's address gets the same message. So a call and an address of one undefined symbol count as one reason.
    let what = hints::undefined_message(name);
    let (wall, hint) = hints::for_symbol(name);
    Diagnostic::of(ErrorCode::Undefined, at.place.clone(), format!("needs the function {name}, which nothing defines"))
        .shared(at.place.clone(), what)
        .chain(chain)
        .wall(wall)
        .hint(hint)
}

//! Finds reasons for a refusal beyond the first error of a function. Used only if the code is refused.

use super::{Explorer, World};
use crate::analyze::graph::InstanceId;
use crate::analyze::summary::{Edge, EdgeKind, Summary};
use crate::code::{Callee, Code, Dest, Flow};
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// Merges two lists of reasons. Some reasons are about things that the code needs from outside: undefined functions, system calls, thread-local
/// variables. These reasons come from the `lenient` exploration, which finds more of them. Reasons about the form of the code come from `world`,
/// because the lenient exploration may see code that never runs.
pub(super) fn merge(world: &mut World, lenient: World) {
    let needs = |reason: &Diagnostic| matches!(reason.code, ErrorCode::Undefined | ErrorCode::Syscall | ErrorCode::ThreadLocal);
    world.refused.retain(|reason| !needs(reason));
    world.refused.extend(lenient.refused.into_iter().filter(needs));
}

impl Explorer<'_> {
    /// Adds the direct calls of, and jumps to, other functions in code that the analysis has not reached because of an error.
    pub(super) fn add_unreached_calls(&mut self, me: InstanceId, id: FuncId, summary: &mut Summary) {
        let Ok(code) = &self.program.codes[id] else { return };
        let reached = self.reachable(code, summary);
        let known: BTreeSet<usize> = summary.edges.iter().map(|edge| edge.inst).collect();
        for (inst, callee) in code.insts.iter().enumerate().filter_map(|(at, inst)| match &inst.flow {
            Flow::Call(Dest::Entry(callee)) | Flow::Jump(Dest::Entry(callee)) | Flow::Branch(Dest::Entry(callee)) => Some((at, callee)),
            _ => None,
        }) {
            if known.contains(&inst) || !reached.contains(&inst) {
                continue;
            }
            let edge = Edge {
                inst,
                kind: EdgeKind::Call,
                depth: 0,
                targets: Some(BTreeSet::from([callee.clone()])),
                indirect: false,
                origin: None,
                paddable: true,
                only_in_frame: BTreeMap::new(),
                written: 0,
                unwound: None,
                passable: 0,
            };
            if let Callee::Function(to) = *callee {
                let alignment = self.alignment_at(me, &edge, to);
                let target = self.instance(to, alignment);
                self.callers.entry(target).or_default().insert(me);
            }
            summary.edges.push(edge);
        }
        summary.edges.sort_by_key(|edge| edge.inst);
    }

    /// Returns the instructions that control may reach from the function's first instruction. Landing pads are left out, because control reaches them
    /// only by unwinding.
    fn reachable(&self, code: &Code, summary: &Summary) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            let Some(inst) = code.insts.get(at).filter(|_| reached.insert(at)) else { continue };
            let local = |dest: &Dest| if let Dest::Local(to) = dest { code.at(*to) } else { None };
            match &inst.flow {
                Flow::Next | Flow::IndirectCall => todo.push(at + 1),
                Flow::Call(dest) if self.may_return(dest) => todo.push(at + 1),
                Flow::Branch(dest) => todo.extend(local(dest).into_iter().chain([at + 1])),
                Flow::Jump(dest) => todo.extend(local(dest)),
                Flow::IndirectJump => {
                    todo.extend(summary.tables.get(&at).into_iter().flat_map(|table| &table.targets).filter_map(|&to| code.at(to)));
                }
                _ => {}
            }
        }
        reached
    }

    /// False if the callee is an exit that never returns, or a function that never returns according to its latest summary.
    fn may_return(&self, dest: &Dest) -> bool {
        match dest {
            Dest::Entry(Callee::Exit(exit)) => exit.row().returns,
            Dest::Entry(Callee::Function(to)) => {
                let instances =
                    [None, self.tracked.map(super::at_root)].into_iter().filter_map(|alignment| self.keys.get(&(*to, alignment)));
                let mut summaries = instances.filter_map(|instance| self.summaries[instance.as_u32() as usize].as_ref());
                summaries.next().is_none_or(|summary| summary.returns)
            }
            _ => true,
        }
    }
}

//! Finds the functions that the roots reach, and the functions whose address is taken in reached code or data. The roots are the shims of the
//! exports, and the formatter of panic messages. [`Explorer`] uses the result to resolve calls with unknown targets.

use super::Explorer;
use super::unresolved::{Unresolved, Visited};
use crate::analyze::graph::InstanceId;
use crate::analyze::summary::Edge;
use crate::analyze::value::Value;
use crate::code::{Callee, Flow};
use crate::ids::{DataId, FuncId};
use crate::load::{RelocKind, Target};
use std::collections::BTreeSet;

impl Explorer<'_> {
    /// Returns the instances that the roots reach by calls and jumps.
    pub(super) fn reached(&self, roots: &[InstanceId], unresolved: &Unresolved) -> BTreeSet<InstanceId> {
        let mut reached: BTreeSet<InstanceId> = roots.iter().copied().collect();
        let mut stack: Vec<InstanceId> = roots.to_vec();
        let mut visited = Visited::none(unresolved);
        while let Some(me) = stack.pop() {
            let reach = |to| {
                if reached.insert(to) {
                    stack.push(to);
                }
            };
            self.callees(me, unresolved, &mut visited, |_| true, reach);
        }
        reached
    }

    /// Returns the instances called from places where the caller can no longer return, and all instances that the called instances reach.
    pub(super) fn doomed_context(&self, reached: &BTreeSet<InstanceId>, unresolved: &Unresolved) -> BTreeSet<InstanceId> {
        let mut called = BTreeSet::new();
        let mut visited = Visited::none(unresolved);
        for &me in reached {
            let summary = self.summary(me);
            let is_doomed = |edge: &Edge| summary.doomed[edge.inst];
            self.callees(me, unresolved, &mut visited, is_doomed, |to| called.extend([to]));
        }
        self.reached(&called.into_iter().collect::<Vec<_>>(), unresolved)
    }

    /// Returns the roots, and the instances that a root reaches only through calls after which the caller can still return. Code that runs later can
    /// observe the effects of these instances.
    pub(super) fn returning_context(&self, roots: &[InstanceId], unresolved: &Unresolved) -> BTreeSet<InstanceId> {
        let mut returning: BTreeSet<InstanceId> = roots.iter().copied().collect();
        let mut stack = roots.to_vec();
        let mut visited = Visited::none(unresolved);
        while let Some(me) = stack.pop() {
            let summary = self.summary(me);
            let reach = |to| {
                if returning.insert(to) {
                    stack.push(to);
                }
            };
            self.callees(me, unresolved, &mut visited, |edge| !summary.doomed[edge.inst], reach);
        }
        returning
    }

    /// Returns two sets of functions whose address is taken in reached code or data. The first set has the functions whose address is made where
    /// control can still return, or is stored where a later call may find it. The second set has all functions whose address is taken. If
    /// `everything` is true, code that is analysed but not reached counts too.
    pub(super) fn address_taken(
        &self,
        reached: &BTreeSet<InstanceId>,
        returning: &BTreeSet<InstanceId>,
        everything: bool,
    ) -> (BTreeSet<FuncId>, BTreeSet<FuncId>) {
        let mut sets = [BTreeSet::new(), BTreeSet::new()];
        let mut data = [BTreeSet::new(), BTreeSet::new()];
        let all: Vec<InstanceId> = if everything { self.functions.keys().collect() } else { reached.iter().copied().collect() };
        for me in all {
            let (id, _) = self.functions[me];
            let (Ok(code), Some(summary)) = (&self.program.codes[id], &self.summaries[me.as_u32() as usize]) else { continue };
            let function = &self.object.functions[id];
            for (at, inst) in code.insts.iter().enumerate() {
                let named =
                    inst.function_address.map(Target::Function).or_else(|| Some(function.relocs[inst.reloc? as usize].target.clone()));
                let Some(target) = named else { continue };
                let direct = matches!(inst.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_));
                if direct || summary.depths.get(at).copied().flatten().is_none() {
                    continue;
                }
                let lasting = !summary.doomed[at] && returning.contains(&me);
                for which in if lasting { 0..2 } else { 1..2 } {
                    match target {
                        Target::Function(f) => {
                            sets[which].insert(f);
                        }
                        Target::Data(d) => {
                            data[which].insert(d);
                        }
                        _ => {}
                    }
                }
            }
        }
        for &me in reached {
            for value in self.summary(me).published.values().flatten() {
                match value {
                    Value::Code(callees) => {
                        sets[0].extend(callees.iter().filter_map(|c| if let Callee::Function(f) = c { Some(*f) } else { None }));
                    }
                    &Value::Data(d, _) => {
                        data[0].insert(d);
                    }
                    _ => {}
                }
            }
        }
        for which in 0..2 {
            let mut stack: Vec<DataId> = data[which].iter().copied().collect();
            while let Some(d) = stack.pop() {
                for reloc in &self.object.data[d].relocs {
                    match reloc.target {
                        // Distances to code, and addresses inside a function, belong to jump tables, so they are not pointers to functions.
                        Target::Function(f) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 => {
                            sets[which].insert(f);
                        }
                        Target::Data(next) if data[which].insert(next) => {
                            stack.push(next);
                        }
                        _ => {}
                    }
                }
            }
        }
        let [lasting, all] = sets;
        (lasting, all)
    }
}

//! Where a machine's lowering is at work: one function, and what the analysis says of it.

use super::Symbols;
use super::live::Liveness;
use crate::analyze::{Edge, Instance, InstanceId, Node, UNSUPPORTED};
use crate::code::{Code, Dest, Flow, Inst, Role};
use crate::diag::{Diagnostic, ErrorCode};
use crate::exits::Exit;
use crate::load::{Function, Line};
use std::collections::BTreeSet;

/// As many bytes of instructions have a line of their own whatever they do.
const LEAST_BYTES: u32 = 32;

/// A function that is being lowered. Instructions are named by their index.
pub struct Site<'a> {
    pub me: InstanceId,
    pub symbols: &'a Symbols<'a>,
    pub instance: &'a Instance,
    pub function: &'a Function,
    pub code: &'a Code,
}

impl<'a> Site<'a> {
    /// # Errors
    /// Those of decode, where the function is not code.
    pub fn new(symbols: &'a Symbols<'a>, me: InstanceId) -> Result<Site<'a>, Diagnostic> {
        let instance = &symbols.facts.instances[me];
        let code = symbols.program.codes[instance.function].as_ref().map_err(Clone::clone)?;
        Ok(Site { me, symbols, instance, function: &symbols.object.functions[instance.function], code })
    }

    /// The function cannot be carried for what it does at this instruction; `what` goes on where its name ends.
    pub fn refuse(&self, at: usize, what: impl AsRef<str>) -> Diagnostic {
        let offset = self.code.insts.get(at).map_or(0, |i| i.offset);
        Diagnostic::of(ErrorCode::Unsupported, self.symbols.object.place(self.function, offset), what.as_ref()).hint(UNSUPPORTED)
    }

    /// Which registers and flags somebody reads later, here or in another function.
    pub fn liveness(&self) -> Liveness<'a, 'a> {
        self.symbols.live.function(self.me)
    }

    /// How deep SP lies before the instruction; none where it is not reached.
    pub fn depth(&self, at: usize) -> Option<u32> {
        self.instance.summary.depths.get(at).copied().flatten()
    }

    /// How deep SP lies behind an instruction that goes on.
    ///
    /// # Errors
    /// Nothing that is reached follows it.
    pub fn depth_after(&self, at: usize) -> Result<u32, Diagnostic> {
        self.depth(at + 1).ok_or_else(|| self.refuse(at, "runs past its last instruction"))
    }

    /// Instructions that are reached by a branch or through a table.
    pub fn targets(&self) -> BTreeSet<usize> {
        let reached = self.code.insts.iter().enumerate().filter(|&(at, inst)| self.depth(at).is_some() && inst.role != Role::Dropped);
        let branches = reached.filter_map(|(_, inst)| match inst.flow {
            Flow::Jump(Dest::Local(to)) | Flow::Branch(Dest::Local(to)) => self.code.at(to),
            _ => None,
        });
        let tables = self.instance.summary.tables.values().flat_map(|table| &table.targets);
        branches.chain(tables.filter_map(|&to| self.code.at(to))).collect()
    }

    /// Does the instruction before `at` in the text continue with it?
    pub fn falls_into(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|&before| self.depth(before).is_some()) else { return false };
        match self.code.insts[before].flow {
            Flow::Next | Flow::Branch(_) => true,
            Flow::Call(_) | Flow::IndirectCall => self.call_returns(before),
            _ => false,
        }
    }

    /// Did the analysis follow control behind this call?
    pub fn call_returns(&self, at: usize) -> bool {
        let returns = |node: &Node| match node {
            Node::Instance(to) => self.symbols.facts.instances[*to].summary.returns,
            Node::Exit(_) | Node::Unavailable(_) => node.exit().is_some_and(|exit| exit.row().returns),
        };
        let never = self.edge(at).is_some_and(|(_, nodes)| !nodes.is_empty() && !nodes.iter().any(returns));
        !never && self.depth(at + 1).is_some() && self.depth(at + 1) == self.depth(at)
    }

    /// The call or jump out of the function that this instruction is, and what it can reach.
    pub fn edge(&self, at: usize) -> Option<(&'a Edge, &'a BTreeSet<Node>)> {
        let index = self.edge_index(at)?;
        Some((&self.instance.summary.edges[index], &self.instance.targets[index]))
    }

    /// Is the instruction a call or jump through a pointer in a program that has no function's address? It is never executed by code that
    /// keeps to its language's rules; its place is taken by a fault.
    pub fn leads_nowhere(&self, at: usize) -> bool {
        let Some(index) = self.edge_index(at) else { return false };
        let edge = &self.instance.summary.edges[index];
        edge.targets.is_none() && self.symbols.facts.pointers.reach(self.instance, index).next().is_none()
    }

    /// Its number among the function's.
    pub fn edge_index(&self, at: usize) -> Option<usize> {
        self.instance.summary.edges.binary_search_by_key(&at, |edge| edge.inst).ok()
    }

    /// The symbol and offset to call or jump to for the one target of a direct edge.
    ///
    /// # Errors
    /// There is no such edge.
    pub fn callee(&self, at: usize) -> Result<(String, i64), Diagnostic> {
        let Some((_, nodes)) = self.edge(at) else { return Err(self.refuse(at, "has a call that was not analyzed")) };
        let realigned = self.edge_index(at).is_some_and(|index| self.symbols.facts.realigned.contains(&(self.me, index)));
        Ok(match nodes.first() {
            Some(Node::Instance(to)) if realigned => (self.symbols.realigned[to].clone(), i64::from(self.symbols.entry_start)),
            Some(Node::Instance(to)) => self.symbols.entry(*to),
            Some(Node::Exit(exit)) => (self.symbols.exit(*exit), 0),
            Some(Node::Unavailable(_)) => (self.symbols.exit(Exit::Missing), 0),
            None => return Err(self.refuse(at, "has a call without a target")),
        })
    }

    /// The source file and line of the instruction, where it is another than `last`, which it becomes, and where it matters: no traceback
    /// names an instruction that neither calls nor faults, and a few of these get no samples of a profile to speak of.
    pub fn new_line(&self, at: usize, last: &mut Option<Line>) -> Option<(String, u32)> {
        let line_at = |inst: &Inst| self.function.line_at(inst.offset).filter(|line| line.line > 0);
        let same = |a: Line, b: Line| (a.file, a.line) == (b.file, b.line);
        let line = line_at(&self.code.insts[at])?;
        if last.is_some_and(|last| same(last, line)) {
            return None;
        }
        let run = self.code.insts[at..].iter().take_while(|inst| line_at(inst).is_some_and(|next| same(next, line)));
        let bytes = run.clone().map(|inst| u32::from(inst.len)).sum::<u32>();
        if last.is_some() && bytes < LEAST_BYTES && !run.into_iter().any(Inst::stops) {
            return None;
        }
        *last = Some(line);
        Some((self.symbols.object.files[line.file].clone(), line.line))
    }
}

//! Describes one function while a machine lowers it: the function's code, and the results of the analysis for the function.

use super::Symbols;
use super::live::Liveness;
use crate::analyze::{Edge, Instance, InstanceId, Node, complete_hint};
use crate::code::{Code, Dest, Flow, Inst, Role};
use crate::diag::{Diagnostic, ErrorCode};
use crate::exits::Exit;
use crate::load::{Function, Line};
use std::collections::BTreeSet;

/// Minimum length in bytes of a run of instructions on one source line. A shorter run gets an entry in the line table only if a traceback may show
/// an instruction in it.
const LEAST_BYTES: u32 = 32;

/// A function that is being lowered. Instructions are numbered by their index in the function's code.
pub struct FunctionContext<'a> {
    pub me: InstanceId,
    pub symbols: &'a Symbols<'a>,
    pub instance: &'a Instance,
    pub function: &'a Function,
    pub code: &'a Code,
}

impl<'a> FunctionContext<'a> {
    /// # Errors
    /// Fails with the decode error if the function's bytes could not be decoded as instructions.
    pub fn new(symbols: &'a Symbols<'a>, me: InstanceId) -> Result<FunctionContext<'a>, Diagnostic> {
        let instance = &symbols.facts.instances[me];
        let code = symbols.program.codes[instance.function].as_ref().map_err(Clone::clone)?;
        Ok(FunctionContext { me, symbols, instance, function: &symbols.object.functions[instance.function], code })
    }

    /// Returns an error that refuses the function because of the instruction `at`. `what` continues a sentence that begins with the function's
    /// name.
    pub fn refuse(&self, at: usize, what: impl AsRef<str>) -> Diagnostic {
        let offset = self.code.insts.get(at).map_or(0, |i| i.offset);
        let place = self.symbols.object.place(self.function, offset);
        complete_hint(Diagnostic::of(ErrorCode::Unsupported, place, what.as_ref()), self.function)
    }

    /// Returns, for each point of the function, the registers and flags that this function or another function reads later.
    pub fn liveness(&self) -> Liveness<'a, 'a> {
        self.symbols.live.function(self.me)
    }

    /// Returns the distance in bytes by which SP at the instruction lies below SP on entry to the function; `None` if the instruction is
    /// unreachable.
    pub fn depth(&self, at: usize) -> Option<u32> {
        self.instance.summary.depths.get(at).copied().flatten()
    }

    /// Returns the distance in bytes by which SP after the instruction lies below SP on entry to the function. Control must continue with the
    /// next instruction.
    ///
    /// # Errors
    /// Fails if the next instruction is unreachable.
    pub fn depth_after(&self, at: usize) -> Result<u32, Diagnostic> {
        self.depth(at + 1).ok_or_else(|| self.refuse(at, "runs past its last instruction"))
    }

    /// Returns the instructions that branches, jumps through jump tables, and unwinding may go to.
    pub fn targets(&self) -> BTreeSet<usize> {
        let reached = self.code.insts.iter().enumerate().filter(|&(at, inst)| self.depth(at).is_some() && inst.role != Role::Dropped);
        let branches = reached.filter_map(|(_, inst)| match inst.flow {
            Flow::Jump(Dest::Local(to)) | Flow::Branch(Dest::Local(to)) => self.code.at(to),
            _ => None,
        });
        let tables = self.instance.summary.tables.values().flat_map(|table| &table.targets);
        let pads = self.instance.summary.edges.iter().filter_map(Edge::landing_pad);
        branches.chain(tables.filter_map(|&to| self.code.at(to))).chain(pads).collect()
    }

    /// True if control may continue from the instruction before `at` to `at`.
    pub fn falls_into(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|&before| self.depth(before).is_some()) else { return false };
        match self.code.insts[before].flow {
            Flow::Next | Flow::Branch(_) => true,
            Flow::Call(_) | Flow::IndirectCall => self.call_returns(before),
            _ => false,
        }
    }

    /// True if the analysis found that the call at this instruction may return.
    pub fn call_returns(&self, at: usize) -> bool {
        let returns = |node: &Node| match node {
            Node::Instance(to) => self.symbols.facts.instances[*to].summary.returns,
            Node::Exit(_) | Node::Unavailable(_) => node.exit().is_some_and(|exit| exit.row().returns),
        };
        let never = self.edge(at).is_some_and(|(_, nodes)| !nodes.is_empty() && !nodes.iter().any(returns));
        !never && self.depth(at + 1).is_some() && self.depth(at + 1) == self.depth(at)
    }

    /// Returns the call or jump that the instruction makes, and its targets; `None` unless the instruction calls, or jumps out of the function.
    pub fn edge(&self, at: usize) -> Option<(&'a Edge, &'a BTreeSet<Node>)> {
        let index = self.edge_index(at)?;
        Some((&self.instance.summary.edges[index], self.symbols.facts.targets(self.me, index)))
    }

    /// True for a call or jump through a pointer if no function can be its target: the program takes the address of no function that could be the
    /// target. Code that follows the rules of its language never executes such an instruction. Lowering replaces the instruction by a fault.
    pub fn leads_nowhere(&self, at: usize) -> bool {
        let Some(index) = self.edge_index(at) else { return false };
        let edge = &self.instance.summary.edges[index];
        edge.targets.is_none() && self.symbols.facts.reach(self.me, index).next().is_none()
    }

    /// Returns the index in `Summary::edges` of the call or jump at the instruction.
    pub fn edge_index(&self, at: usize) -> Option<usize> {
        self.instance.summary.edges.binary_search_by_key(&at, |edge| edge.inst).ok()
    }

    /// Returns the target of a direct call or jump: a symbol, and the offset from the symbol.
    ///
    /// # Errors
    /// Fails if the instruction is not a direct call or jump out of the function.
    pub fn callee(&self, at: usize) -> Result<(String, i64), Diagnostic> {
        let Some((_, nodes)) = self.edge(at) else { return Err(self.refuse(at, "has a call that was not analyzed")) };
        let goes_through =
            |calls: &BTreeSet<(InstanceId, usize)>| self.edge_index(at).is_some_and(|index| calls.contains(&(self.me, index)));
        let (realigned, copied) = (goes_through(&self.symbols.facts.realigned), goes_through(&self.symbols.facts.copied));
        Ok(match nodes.first() {
            Some(Node::Instance(to)) if realigned => (self.symbols.realigned[to].clone(), i64::from(self.symbols.entry_start)),
            Some(Node::Instance(to)) if copied => (self.symbols.copying[to].clone(), i64::from(self.symbols.entry_start)),
            Some(Node::Instance(to)) => self.symbols.entry(*to),
            Some(Node::Exit(exit)) => (self.symbols.exit(*exit), 0),
            Some(Node::Unavailable(_)) => (self.symbols.exit(Exit::Missing), 0),
            None => return Err(self.refuse(at, "has a call without a target")),
        })
    }

    /// Returns the instruction's source file and line; `None` if the line equals `last` or hardly any tool displays it. Sets `last` to a returned
    /// line. A short run of instructions that appear in no traceback gets no line, because such a run hardly ever appears in a profile either.
    pub fn new_line(&self, at: usize, last: &mut Option<Line>) -> Option<(String, u32)> {
        let line_at = |inst: &Inst| self.function.line_at(inst.offset).filter(|line| line.line > 0);
        let same = |a: Line, b: Line| (a.file, a.line) == (b.file, b.line);
        let line = line_at(&self.code.insts[at])?;
        if last.is_some_and(|last| same(last, line)) {
            return None;
        }
        let run = self.code.insts[at..].iter().take_while(|inst| line_at(inst).is_some_and(|next| same(next, line)));
        let bytes = run.clone().map(|inst| u32::from(inst.len)).sum::<u32>();
        if last.is_some() && bytes < LEAST_BYTES && !run.into_iter().any(|inst| inst.appears_in_traceback(self.function.is_rust)) {
            return None;
        }
        *last = Some(line);
        Some((self.symbols.object.files[line.file].clone(), line.line))
    }
}

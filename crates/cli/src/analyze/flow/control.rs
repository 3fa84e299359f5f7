//! Follows the control flow of one instruction for [`super::flow`]. Records calls and jumps out of the function as edges of the call graph, and
//! passes the state on to the instructions that may come next.

use super::{Callees, Outcome, Walk, by_convention, depth};
use crate::analyze::escaping_values::{self, only_in_frame};
use crate::analyze::outgoing::written;
use crate::analyze::state::State;
use crate::analyze::summary::{Edge, EdgeKind, JumpTable};
use crate::analyze::tables::{self, Table};
use crate::analyze::value::Value;
use crate::code::{Callee, Dest, Flow, Inst};
use crate::diag::ErrorCode;
use crate::exits::Exit;
use crate::ids::DataId;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Walk<'_> {
    /// Follows the control flow of the instruction `at`. Returns true if control may continue with the next instruction. `block` is the first
    /// instruction of the basic block, and `target` the value of the operand of an indirect call or jump.
    pub(super) fn follow(
        &mut self,
        at: usize,
        inst: &Inst,
        (block, target): (usize, Option<Value>),
        state: &mut State,
        world: &mut dyn Callees,
    ) -> bool {
        match &inst.flow {
            Flow::Next => true,
            Flow::Trap | Flow::Forbidden(..) => false,
            Flow::Return => {
                self.leave(at, state);
                false
            }
            Flow::Jump(dest) => {
                self.jump(at, dest, state, world);
                false
            }
            Flow::Branch(dest) => {
                self.jump(at, dest, state, world);
                true
            }
            Flow::Call(dest) => {
                let callee = match dest {
                    Dest::Entry(callee) => callee.clone(),
                    Dest::Local(0) => Callee::Function(self.id),
                    _ => {
                        self.fail(at, ErrorCode::Unsupported, "calls a place that is not the start of a function".into());
                        return false;
                    }
                };
                self.call(at, Some(BTreeSet::from([callee])), false, state, world)
            }
            Flow::IndirectCall => {
                let targets = match target {
                    Some(Value::Code(set)) => Some(Arc::unwrap_or_clone(set)),
                    Some(Value::Label(_)) => {
                        self.fail(at, ErrorCode::Unsupported, "calls a place that is not the start of a function".into());
                        return false;
                    }
                    _ => None,
                };
                self.call(at, targets, true, state, world)
            }
            Flow::IndirectJump => {
                match target {
                    Some(Value::TableTarget(data, offset)) => self.table(block, at, data, offset, state),
                    // On another path, this jump goes through a jump table. So the jump must go through a table on this path too.
                    _ if self.summary.tables.get(&at).is_some_and(|table| table.place.is_some()) => self.fail(
                        at,
                        ErrorCode::IndirectCall,
                        format!("jumps to an unknown address: `{}`", self.machine.print(self.function, inst)),
                    ),
                    Some(Value::Code(set)) => self.tail(at, Some(Arc::unwrap_or_clone(set)), true, state, world),
                    Some(Value::Label(id)) if id == self.id => self.label(at, state),
                    // A function with a frame cannot jump to another function, so the unknown word must be the address of a label in this function.
                    // Accept only a word that this function did not compute: a computed word may be a label's address plus any distance, and so the
                    // address of another place. A word from the frame may be computed too.
                    Some(Value::Whole | Value::Loaded(_) | Value::Entry(_) | Value::Label(_))
                        if state.sp(self.machine.sp()) != 0 && !self.labels.is_empty() =>
                    {
                        self.label(at, state);
                    }
                    value if state.sp(self.machine.sp()) == 0 && self.labels.is_empty() => {
                        if !value.is_some_and(|value| value.is_whole()) {
                            self.computed.insert(at);
                        }
                        self.tail(at, None, true, state, world);
                    }
                    _ => self.fail(
                        at,
                        ErrorCode::IndirectCall,
                        format!("jumps to an unknown address: `{}`", self.machine.print(self.function, inst)),
                    ),
                }
                false
            }
        }
    }

    fn leave(&mut self, at: usize, state: &State) {
        escaping_values::note(&mut self.summary, self.machine, at, state);
        if state.sp(self.machine.sp()) != 0 {
            self.fail(at, ErrorCode::DynamicStack, "returns with a stack pointer that differs from its entry value".into());
            return;
        }
        self.summary.returns = true;
        self.clobbers(state);
        self.exits.push(at);
    }

    fn clobbers(&mut self, state: &State) {
        for reg in (0..state.regs.len()).filter(|&reg| reg != self.machine.sp() && state.regs[reg] != Value::Entry(reg as u8)) {
            self.change(1 << reg);
        }
    }

    fn change(&mut self, registers: u32) {
        let saved = self.machine.callee_saved().iter().fold(0, |set, reg| set | 1 << reg);
        self.summary.clobbers |= registers & saved;
        self.summary.changes |= registers & !saved;
    }

    fn jump(&mut self, at: usize, dest: &Dest, state: &State, world: &mut dyn Callees) {
        match dest {
            Dest::Local(to) => match self.code.at(*to) {
                Some(to) => {
                    self.successors[at].push(to);
                    self.reach(to, state);
                }
                None => self.fail(at, ErrorCode::Decode, "jumps into the middle of an instruction".into()),
            },
            Dest::Entry(callee) => self.tail(at, Some(BTreeSet::from([callee.clone()])), false, state, world),
            Dest::Nowhere => self.fail(
                at,
                ErrorCode::Unsupported,
                "jumps to a place that is neither one of its instructions nor the start of a function".into(),
            ),
        }
    }

    fn tail(&mut self, at: usize, targets: Option<BTreeSet<Callee>>, indirect: bool, state: &State, world: &mut dyn Callees) {
        let edge = self.edge(at, EdgeKind::Tail, targets, indirect, state);
        let Outcome { returns, clobbers, unwinds, lost } = self.outcome(&edge, world);
        // Refuse a non-zero depth even if the target never returns: Go's unwinder finds the callers from the target's frame.
        if edge.depth != 0 {
            self.fail(
                at,
                ErrorCode::DynamicStack,
                "jumps to another function with a stack pointer that differs from its entry value".into(),
            );
            return;
        }
        if returns {
            self.summary.returns = true;
            self.change(clobbers);
            self.clobbers(state);
            self.exits.push(at);
        }
        if unwinds {
            self.unwind_from_tail(lost, state);
        }
        self.edges.insert(at, edge);
    }

    fn edge(&mut self, at: usize, kind: EdgeKind, targets: Option<BTreeSet<Callee>>, indirect: bool, state: &State) -> Edge {
        escaping_values::note(&mut self.summary, self.machine, at, state);
        let depth = depth(state, self.machine.sp()) as u32;
        // The assembler resolves calls within a section, so a call without a relocation goes to a function of the same section. In hand-written code,
        // the two functions may follow a private convention. Code compiled by rustc always follows the convention.
        let by_convention = self.code.insts[at].reloc.is_some() || self.summary.is_rust;
        let paddable = kind == EdgeKind::Call && !indirect && by_convention;
        self.outgoing.call(self.machine, at, state);
        Edge {
            inst: at,
            kind,
            depth,
            targets,
            indirect,
            origin: None,
            paddable,
            only_in_frame: only_in_frame(self.machine, state),
            written: written(self.machine, state),
            // `finish` computes this field after all reads of the function are known.
            passable: 0,
            unwound: None,
        }
    }

    fn call(&mut self, at: usize, targets: Option<BTreeSet<Callee>>, indirect: bool, state: &mut State, world: &mut dyn Callees) -> bool {
        let mut edge = self.edge(at, EdgeKind::Call, targets, indirect, state);
        let Outcome { returns, clobbers, unwinds, lost } = self.outcome(&edge, world);
        // A call of `Exit::Resume` ends a landing pad. Control then continues in the function's caller, as after a return.
        let resumes = edge.targets.iter().flatten().any(|to| *to == Callee::Exit(Exit::Resume));
        edge.unwound = if unwinds { self.unwind(at, (lost, resumes), state) } else { None };
        self.edges.insert(at, edge);
        self.recorded.lost.insert(at, clobbers);
        let is_thread_local = self.edges[&at].targets.iter().flatten().any(|to| *to == Callee::Exit(Exit::ThreadLocal));
        if returns {
            // If the callee overwrites a register only on some of its paths, the register keeps its old value on the others. Later code may use the
            // old value. So if the old value is a register's value on entry to this function, the function may use this value.
            for &reg in self.machine.callee_saved().iter().filter(|&&reg| clobbers >> reg & 1 != 0) {
                if let Value::Entry(entry) = state.regs[reg] {
                    self.summary.uses_entry |= 1 << entry;
                }
            }
            self.machine.returned(state, clobbers);
            // In Rust functions, the words of stack arguments count as not written after a call: the callee owns these words, so LLVM writes them
            // again for the next call. (gcc may reuse arguments that it wrote before a call.) The exception is the call that returns the address of a
            // thread-local variable: LLVM may place this call between the store of an argument and the call that passes the argument.
            if self.function.is_rust && !is_thread_local {
                state.written = 0;
            }
        }
        returns
    }

    /// Returns the ways in which the call or jump can end. An unknown target may do anything that the convention allows.
    fn outcome(&self, edge: &Edge, world: &mut dyn Callees) -> Outcome {
        let mut outcome = match edge.targets {
            Some(_) => Outcome::default(),
            None => Outcome { unwinds: self.object.unwinds, ..by_convention(self.machine) },
        };
        for callee in edge.targets.iter().flatten() {
            let Outcome { returns, clobbers, unwinds, lost } = world.outcome(callee, edge);
            outcome = Outcome {
                returns: outcome.returns | returns,
                clobbers: outcome.clobbers | clobbers,
                unwinds: outcome.unwinds | unwinds,
                lost: outcome.lost | lost,
            };
        }
        outcome
    }

    fn table(&mut self, block: usize, at: usize, data: DataId, offset: i64, state: &State) {
        self.tables.insert((data, offset));
        let bound = self.machine.table_bound(self.function, self.code, block, at);
        let found = tables::entries(self.object, self.id, self.code, (data, offset), bound);
        match found {
            Ok(Table { targets, doubt }) => {
                self.doubtful.extend(doubt.map(|place| (at, (data, place))));
                self.one_of(at, &targets, state);
                self.summary.tables.insert(at, JumpTable { place: Some((data, offset as u32)), targets });
            }
            Err(what) => self.fail_at_table(at, format!("jumps through a table that is not understood: {what}")),
        }
    }

    /// Follows a jump that may go to any label of the function.
    fn label(&mut self, at: usize, state: &State) {
        let labels = self.labels;
        self.one_of(at, labels, state);
        self.summary.tables.insert(at, JumpTable { place: None, targets: labels.to_vec() });
    }

    fn one_of(&mut self, at: usize, targets: &[u32], state: &State) {
        for &to in targets {
            match self.code.at(to) {
                Some(to) => {
                    self.successors[at].push(to);
                    self.reach(to, state);
                }
                None => self.fail(at, ErrorCode::Decode, "jumps through a table into the middle of an instruction".into()),
            }
        }
    }
}

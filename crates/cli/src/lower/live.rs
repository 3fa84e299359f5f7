//! Whole-program liveness: computes from the call graph which registers and flags are read later. Lowering chooses scratch registers by this
//! result.
//!
//! Lowering uses scratch registers, and moves SP by instructions that change flags, so lowering must know which registers and flags are free. The
//! calling convention does not suffice. A compiler that sees both caller and callee may keep values in caller-saved registers over a call (gcc's
//! -fipa-ra), and hand-written code has its own conventions. So a call counts as reading the registers that the callee's code reads, and as
//! overwriting the registers that the callee's code overwrites on every path.
//!
//! 1. A [`Transfer`] computes what is live at a point of a function from what is live at the function's returns. The transfer of a call includes
//!    the callee's transfer, so all functions are solved together, starting with empty transfers.
//! 2. A register is live at a function's returns if it is live after any call to the function, or if the calling convention requires callees to
//!    preserve it.
//!
//! The results of both steps are the least solutions of their equations, so they do not depend on the order of work.

use super::callees::Callees;
use super::saved_scratch;
use crate::analyze::Machine;
use crate::analyze::{EdgeKind, EntryKind, Facts, Instance, InstanceId, Node};
use crate::code::{Code, Convention, Flow, Set, Uses};
use crate::decode::Program;
use crate::exits::Exit;
use crate::load::Object;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Maximum number of instructions that the search for a reader visits ([`Live::reader`]). The search only makes a message more exact.
const STEPS: usize = 100_000;

/// Computes the live registers and flags at one point of the code from the set that is live at a later point. A register is live if it is in `reads`,
/// or if it is in `passes` and live at the later point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Transfer {
    /// Registers and flags that are read before they are overwritten.
    reads: Set,
    /// The registers and flags that some path from this point to the later point neither reads nor overwrites.
    passes: Set,
}

impl Transfer {
    /// The transfer of a path without instructions: it neither reads nor overwrites anything.
    const NOTHING: Transfer = Transfer { reads: 0, passes: Set::MAX };

    /// Returns the transfer of a choice between this path and `other`.
    fn or(self, other: Transfer) -> Transfer {
        Transfer { reads: self.reads | other.reads, passes: self.passes | other.passes }
    }

    /// Returns the transfer of this path followed by the path of `next`.
    fn then(self, next: Transfer) -> Transfer {
        Transfer { reads: self.reads | next.reads & self.passes, passes: self.passes & next.passes }
    }

    fn of(uses: Uses) -> Transfer {
        Transfer { reads: uses.reads, passes: !uses.writes }
    }

    fn live(self, further: Set) -> Set {
        self.reads | further & self.passes
    }
}

/// The live registers and flags at all points of all emitted functions.
pub struct Live<'a> {
    facts: &'a Facts,
    program: &'a Program,
    convention: Convention,
    callees: Callees<'a>,
    uses: BTreeMap<InstanceId, Vec<Uses>>,
    /// For each instruction of each function: the transfer from the point before the instruction to the function's returns. The transfer of an
    /// unreachable instruction is empty.
    transfers: BTreeMap<InstanceId, Vec<Transfer>>,
    /// For each function compiled by rustc, or by gcc under its plain calling convention: the registers that hold no defined value on entry. If the
    /// function calls another function in this map, the same registers hold no defined value after the call.
    compiled: BTreeMap<InstanceId, Set>,
    /// For each set of call targets, true if all targets are exits or functions in `compiled`.
    all_compiled: Vec<bool>,
    /// For each set of call targets, the transfer of a call to the set.
    calls: Vec<Transfer>,
    /// For each function, the scratch registers that it only saves and restores.
    saved_scratch: BTreeMap<InstanceId, Set>,
    /// For each function, the registers and flags that are live at its returns.
    exits: BTreeMap<InstanceId, Set>,
}

/// An instruction that reads a register, as the reason why the register is live on entry to a function.
pub struct Reader {
    /// The function that contains the instruction.
    pub function: InstanceId,
    /// The index of the instruction.
    pub at: usize,
    /// True if the instruction runs after the function with the live register has returned.
    pub is_after_call: bool,
}

/// The live registers and flags at all points of one function.
pub struct Liveness<'l, 'a> {
    live: &'l Live<'a>,
    me: InstanceId,
}

impl<'a> Live<'a> {
    pub fn new(object: &Object, program: &'a Program, facts: &'a Facts, machine: &dyn Machine) -> Live<'a> {
        let emitted = facts.emitted.iter().filter_map(|&me| Some((me, program.codes[facts.instances[me].function].as_ref().ok()?)));
        let (mut uses, mut saved_scratch, convention) = (BTreeMap::new(), BTreeMap::new(), machine.convention());
        for (me, code) in emitted {
            let instance = &facts.instances[me];
            let function = &object.functions[instance.function];
            let found = machine.uses(function, code);
            saved_scratch.insert(me, saved_scratch::find(machine, function, code, instance, &found, convention));
            uses.insert(me, found);
        }
        let callees = Callees::new(facts);
        let compiled = compiled(object, program, facts, &callees, &uses, convention);
        // After a call of a function in `compiled`, or of an exit (a function of `rt`), some registers hold no defined value.
        let returns_nothing_there = |node: &&Node| node.instance().is_none_or(|to| compiled.contains_key(&to));
        let all_compiled = callees.sets().map(|set| set.iter().all(returns_nothing_there)).collect();
        let (transfers, calls, exits) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        let mut live = Live { facts, program, convention, callees, uses, transfers, compiled, all_compiled, saved_scratch, calls, exits };
        live.transfers();
        live.exits();
        live
    }

    pub fn callees(&self) -> &Callees<'a> {
        &self.callees
    }

    /// Returns the registers and flags that are live on entry to the function.
    pub fn entry(&self, me: InstanceId) -> Set {
        let transfer = self.transfers.get(&me).and_then(|found| found.first());
        self.convention.whole_registers(transfer.map_or(Set::MAX, |&transfer| self.entered(me, transfer).live(self.raw_exit(me))))
    }

    /// Returns the transfer of a whole function, for use in its callers: without reads of undefined values, and without reads that only save a
    /// register.
    fn entered(&self, me: InstanceId, transfer: Transfer) -> Transfer {
        let undefined = self.compiled.get(&me).copied().unwrap_or_default();
        let saved_scratch = self.saved_scratch.get(&me).copied().unwrap_or_default();
        Transfer { reads: transfer.reads & !undefined & !saved_scratch, passes: transfer.passes | saved_scratch }
    }

    fn raw_exit(&self, me: InstanceId) -> Set {
        self.exits.get(&me).copied().unwrap_or(Set::MAX)
    }

    /// Returns the registers whose value on entry the function or its callees read. Reads of undefined values do not count: on a path where a
    /// variable has no value, compiled code may read any register in which callers pass nothing.
    pub fn reads(&self, me: InstanceId) -> Set {
        let first = self.transfers.get(&me).and_then(|found| found.first());
        self.convention.whole_registers(first.map_or(Set::MAX, |&first| self.entered(me, first).reads))
    }

    /// Finds the reason why some of the `registers` are live on entry to the function `me`: an instruction that reads a register. First searches
    /// `me` and its callees, then the code after the calls that lead to `me`.
    pub fn reader(&self, me: InstanceId, registers: Set) -> Option<Reader> {
        let registers = self.convention.with_parts(registers);
        let left = Cell::new(STEPS);
        if let Some((function, at)) = self.first_read(vec![(me, 0)], registers, &left) {
            return Some(Reader { function, at, is_after_call: false });
        }
        // Search the callers of `me`. If a function jumps to `me`, `me` returns to the callers of that function, so search these callers too. If the
        // register is still live when a caller returns, search the callers of that caller too.
        let (mut seen, mut queue) = (BTreeSet::from([me]), VecDeque::from([me]));
        while let Some(to) = queue.pop_front() {
            for &set in self.callees.containing(to) {
                for caller in self.callees.callers(set) {
                    let instance = &self.facts.instances[caller];
                    let edges = instance.summary.edges.iter().enumerate();
                    for (_, edge) in edges.filter(|&(index, _)| self.callees.of(caller, index) == set) {
                        let is_call = edge.kind == EdgeKind::Call;
                        if is_call && self.live_after_call(caller, edge.inst) & registers == 0 {
                            continue;
                        }
                        if is_call && let Ok(code) = &self.program.codes[instance.function] {
                            let mut next = Vec::new();
                            instance.successors(code, edge.inst, |to| next.push((caller, to)));
                            if let Some((function, at)) = self.first_read(next, registers, &left) {
                                return Some(Reader { function, at, is_after_call: true });
                            }
                        }
                        if left.get() == 0 {
                            return None;
                        }
                        if self.raw_exit(caller) & registers != 0 && seen.insert(caller) {
                            queue.push_back(caller);
                        }
                    }
                }
            }
        }
        None
    }

    /// Returns the first instruction that reads one of the registers before it is written, on paths that start at the instructions in `from`.
    /// Visits at most `left` instructions, and lowers `left` by the number of visited instructions.
    fn first_read(&self, from: Vec<(InstanceId, usize)>, registers: Set, left: &Cell<usize>) -> Option<(InstanceId, usize)> {
        let (mut seen, mut queue) = (from.iter().copied().collect::<BTreeSet<_>>(), VecDeque::from(from));
        while let Some((me, at)) = queue.pop_front() {
            left.set(left.get().checked_sub(1)?);
            let instance = &self.facts.instances[me];
            let (Ok(code), Some(used)) = (&self.program.codes[instance.function], self.uses.get(&me).and_then(|uses| uses.get(at))) else {
                continue;
            };
            let undefined = self.compiled.get(&me).copied().unwrap_or_default();
            if used.reads & registers & !undefined != 0 {
                return Some((me, at));
            }
            if let Ok(index) = instance.summary.edges.binary_search_by_key(&at, |edge| edge.inst) {
                let callees = self.callees.members(self.callees.of(me, index)).iter().filter_map(|node| node.instance());
                let first = |to: InstanceId| self.transfers.get(&to).and_then(|found| found.first());
                let reads = callees.filter(|&to| first(to).is_some_and(|&first| self.entered(to, first).reads & registers != 0));
                queue.extend(reads.map(|to| (to, 0)).filter(|&next| seen.insert(next)));
            }
            if used.writes & registers == 0 && code.insts[at].flow != Flow::Return {
                instance.successors(code, at, |next| {
                    if seen.insert((me, next)) {
                        queue.push_back((me, next));
                    }
                });
            }
        }
        None
    }

    /// Returns the registers in which Rust code passes arguments to an exit. A function that the package does not include counts as the exit
    /// that replaces it.
    pub fn exit_arguments(&self, node: &Node) -> Set {
        self.convention.whole_registers(self.raw_exit_arguments(node))
    }

    fn raw_exit_arguments(&self, node: &Node) -> Set {
        self.convention.exit_arguments[node.exit().map_or(Exit::MAX_RUST_ARGUMENTS, |exit| exit.row().rust_arguments())]
    }

    /// Returns the registers that pass arguments and results by the convention. A register that a call does not use may hold an undefined
    /// value.
    pub fn values(&self) -> Set {
        self.convention.whole_registers(self.convention.values)
    }

    /// Returns the registers that a linker's veneers (code between caller and function) may change.
    pub fn veneers(&self) -> Set {
        self.convention.veneers
    }

    /// Returns the registers that return results.
    pub fn results(&self) -> Set {
        self.convention.whole_registers(self.convention.results)
    }

    /// Returns the registers that callees preserve by the convention.
    pub fn preserved(&self) -> Set {
        self.convention.whole_registers(self.convention.preserved)
    }

    /// Returns the registers and flags that are live at the function's returns.
    pub fn exit(&self, me: InstanceId) -> Set {
        self.convention.whole_registers(self.raw_exit(me))
    }

    pub fn function(&self, me: InstanceId) -> Liveness<'_, 'a> {
        Liveness { live: self, me }
    }

    fn transfers(&mut self) {
        self.transfers = self.uses.iter().map(|(&me, uses)| (me, vec![Transfer::default(); uses.len()])).collect();
        self.calls = self.callees.sets().map(|set| self.call(set)).collect();
        let mut queue: BTreeSet<InstanceId> = self.uses.keys().copied().collect();
        // Functions with high indices were discovered last and mostly call no other functions, so solve these functions first.
        while let Some(me) = queue.pop_last() {
            let before = self.transfers[&me].first().copied();
            self.settle(me);
            let Some(first) = self.transfers[&me].first().copied().filter(|&first| Some(first) != before) else { continue };
            for &set in self.callees.containing(me) {
                // Transfers only grow. So it suffices to combine the set's old transfer with the function's new transfer.
                let grown = self.calls[set].or(self.entered(me, first));
                if grown != self.calls[set] {
                    self.calls[set] = grown;
                    queue.extend(self.callees.callers(set));
                }
            }
        }
    }

    /// Computes the transfers of one function: repeats a backward pass over its reachable instructions until no transfer changes.
    fn settle(&mut self, me: InstanceId) {
        let instance = &self.facts.instances[me];
        let Ok(code) = &self.program.codes[instance.function] else { return };
        let edges: BTreeMap<usize, Transfer> =
            instance.summary.edges.iter().enumerate().map(|(index, edge)| (edge.inst, self.transfer_of_call(me, index))).collect();
        let uses = &self.uses[&me];
        let mut found = self.transfers[&me].clone();
        loop {
            let mut changed = false;
            for at in (0..found.len()).rev().filter(|&at| instance.summary.depths[at].is_some()) {
                let next = transfer_after(code, instance, &found, at);
                let on = match edges.get(&at) {
                    Some(&callee) if is_tail(instance, at) => callee.or(next),
                    Some(&callee) => callee.then(self.returned(me, at, next)).or(self.unwound(instance, &found, at)),
                    None => next,
                };
                let before = Transfer::of(uses[at]).then(on);
                changed |= found[at] != before;
                found[at] = before;
            }
            if !changed {
                break;
            }
        }
        self.transfers.insert(me, found);
    }

    /// Returns the transfer of a call that unwinds. The unwinder restores the callee-saved registers of all functions on its way, and sets the
    /// registers that return results.
    fn unwound(&self, instance: &Instance, found: &[Transfer], at: usize) -> Transfer {
        let Ok(index) = instance.summary.edges.binary_search_by_key(&at, |edge| edge.inst) else { return Transfer::default() };
        if instance.summary.edges[index].unwound.is_none() {
            return Transfer::default();
        }
        let landed = instance.summary.landing_pad(at).map_or(Transfer::default(), |pad| found[pad]);
        Transfer { reads: landed.reads & !self.convention.results | self.convention.preserved, passes: landed.passes }
    }

    /// Returns the registers and flags that are live after a call, except registers that hold no defined value there.
    fn live_after_call(&self, me: InstanceId, at: usize) -> Set {
        let instance = &self.facts.instances[me];
        match (&self.program.codes[instance.function], self.transfers.get(&me)) {
            (Ok(code), Some(found)) => self.returned(me, at, transfer_after(code, instance, found, at)).live(self.raw_exit(me)),
            _ => Set::MAX,
        }
    }

    /// Returns `next`, the transfer of the code that follows the call at `at`, without the reads of registers that hold no defined value after the
    /// call.
    fn returned(&self, me: InstanceId, at: usize, next: Transfer) -> Transfer {
        let edges = &self.facts.instances[me].summary.edges;
        let undefined = edges.binary_search_by_key(&at, |edge| edge.inst).map_or(0, |edge| self.undefined_after_call(me, edge));
        Transfer { reads: next.reads & !undefined, ..next }
    }

    /// Returns the registers that hold no defined value after a call in compiled code. For a call through an unknown pointer, the targets make no
    /// difference: the compiler knew nothing about the target, so the caller's code relies only on the convention.
    fn undefined_after_call(&self, me: InstanceId, edge: usize) -> Set {
        let is_plain = self.is_unknown(me, edge) || self.all_compiled[self.callees.of(me, edge)];
        if is_plain { self.compiled.get(&me).copied().unwrap_or_default() } else { 0 }
    }

    /// Returns the transfer of a call or jump to its targets. In a call through an unknown pointer, compiled code passes nothing in the undefined
    /// registers.
    fn transfer_of_call(&self, me: InstanceId, edge: usize) -> Transfer {
        let transfer = self.calls[self.callees.of(me, edge)];
        let undefined = if self.is_unknown(me, edge) { self.compiled.get(&me).copied().unwrap_or_default() } else { 0 };
        Transfer { reads: transfer.reads & !undefined, ..transfer }
    }

    fn is_unknown(&self, me: InstanceId, edge: usize) -> bool {
        self.facts.instances[me].summary.edges[edge].targets.is_none()
    }

    /// Returns the transfer of a call that goes to one of the targets.
    fn call(&self, callees: &[&Node]) -> Transfer {
        // Assume that a called function whose code is unknown reads every register that the calling convention lets it read.
        let unseen = Transfer { reads: self.convention.arguments | self.convention.preserved, passes: Set::MAX };
        let ways = callees.iter().map(|node| match node {
            Node::Instance(to) => {
                self.transfers.get(to).map_or(unseen, |found| found.first().map_or(unseen, |&first| self.entered(*to, first)))
            }
            Node::Exit(_) | Node::Unavailable(_) => {
                let returns = node.exit().is_some_and(|exit| exit.row().returns);
                Transfer { reads: self.raw_exit_arguments(node) | self.convention.preserved, passes: if returns { Set::MAX } else { 0 } }
            }
        });
        ways.reduce(Transfer::or).unwrap_or(unseen)
    }

    fn exits(&mut self) {
        self.exits = self.uses.keys().map(|&me| (me, self.convention.preserved)).collect();
        // The callers of a routine (a function of `rt` that is written in Rust) are in other packages and may read its results.
        for export in self.facts.exports.values().filter(|export| export.entry == EntryKind::Routine) {
            self.exits.entry(export.shim).and_modify(|exit| *exit |= self.convention.results);
        }
        // For each set of call targets, two sets of registers and flags that are live after calls of the set: the first for targets that are not in
        // `compiled`, the second for targets that are. After a function in `compiled` has called a target in `compiled`, some registers are
        // undefined, so the second set leaves out the caller's reads of these registers.
        let mut wanted_of: Vec<(Set, Set)> = self.callees.sets().map(|_| (0, 0)).collect();
        let mut queue: BTreeSet<InstanceId> = self.uses.keys().copied().collect();
        while let Some(me) = queue.pop_first() {
            let instance = &self.facts.instances[me];
            let undefined = self.compiled.get(&me).copied().unwrap_or_default();
            for (index, edge) in instance.summary.edges.iter().enumerate() {
                let set = self.callees.of(me, index);
                let (live, defined) = match edge.kind {
                    EdgeKind::Call => (self.live_after_call(me, edge.inst), !undefined),
                    EdgeKind::Tail => (self.raw_exit(me), Set::MAX),
                };
                let wanted = (wanted_of[set].0 | live, wanted_of[set].1 | live & defined);
                if std::mem::replace(&mut wanted_of[set], wanted) == wanted {
                    continue;
                }
                for node in self.callees.members(set) {
                    if let Node::Instance(to) = node
                        && let Some(exit) = self.exits.get_mut(to)
                    {
                        let wanted = if self.compiled.contains_key(to) { wanted.1 } else { wanted.0 };
                        if *exit | wanted != *exit {
                            *exit |= wanted;
                            queue.insert(*to);
                        }
                    }
                }
            }
        }
    }
}

/// Returns the functions compiled by rustc, and those compiled by gcc under its plain calling convention, each with the registers that hold no
/// defined value on entry.
///
/// If LLVM merges equal functions, some of the functions become jumps to others. Such a jump has no debug information, so nothing names its compiler.
/// So a function with a name of rustc's form counts as compiled by rustc if its code only [jumps](only_jumps) and all its targets are compiled by
/// rustc. The rule is also safe for hand-written functions of this form: their code does not read the undefined registers, and the targets do not
/// depend on values in these registers.
fn compiled(
    object: &Object,
    program: &Program,
    facts: &Facts,
    callees: &Callees<'_>,
    uses: &BTreeMap<InstanceId, Vec<Uses>>,
    convention: Convention,
) -> BTreeMap<InstanceId, Set> {
    let function = |me: InstanceId| &object.functions[facts.instances[me].function];
    let jumps = |me: InstanceId| {
        let code = program.codes[facts.instances[me].function].as_ref();
        function(me).is_mangled()
            && code.is_ok_and(|code| uses.get(&me).is_some_and(|uses| only_jumps(code, &facts.instances[me], uses, convention.undefined)))
    };
    let mut by_rustc: BTreeSet<InstanceId> = facts.emitted.iter().copied().filter(|&me| function(me).is_rust).collect();
    let mut jumping: Vec<InstanceId> = facts.emitted.iter().copied().filter(|&me| !function(me).is_rust && jumps(me)).collect();
    by_rustc.extend(&jumping);
    loop {
        let is_other = |node: &&Node| node.instance().is_some_and(|to| !by_rustc.contains(&to));
        let others: BTreeSet<usize> = callees.sets().enumerate().filter(|(_, set)| set.iter().any(is_other)).map(|(set, _)| set).collect();
        let leads_there = |&me: &InstanceId| (0..facts.instances[me].targets.len()).any(|edge| others.contains(&callees.of(me, edge)));
        let (left, kept): (Vec<InstanceId>, Vec<InstanceId>) = jumping.into_iter().partition(leads_there);
        if left.is_empty() {
            break;
        }
        left.iter().for_each(|me| {
            by_rustc.remove(me);
        });
        jumping = kept;
    }
    let by_gcc = facts.emitted.iter().copied().filter(|&me| function(me).is_gcc && !function(me).is_rust);
    let by_gcc: BTreeMap<InstanceId, Set> = by_gcc.map(|me| (me, convention.undefined_in_c)).collect();
    by_rustc.into_iter().map(|me| (me, convention.undefined)).chain(by_gcc).collect()
}

/// True if the code runs without a branch up to a jump out of the function, and reads no register in `undefined` before it has written the register.
fn only_jumps(code: &Code, instance: &Instance, uses: &[Uses], undefined: Set) -> bool {
    let mut unwritten = undefined;
    for (at, inst) in code.insts.iter().enumerate() {
        if uses[at].reads & unwritten != 0 || instance.summary.depths[at].is_none() {
            return false;
        }
        if is_tail(instance, at) {
            return !matches!(inst.flow, Flow::Branch(_));
        }
        if inst.flow != Flow::Next {
            return false;
        }
        unwritten &= !uses[at].writes;
    }
    false
}

impl Liveness<'_, '_> {
    /// Returns the registers and flags that are live before the instruction.
    pub fn before(&self, at: usize) -> Set {
        let transfer = self.live.transfers.get(&self.me).and_then(|found| found.get(at));
        self.live.convention.whole_registers(transfer.map_or(Set::MAX, |transfer| transfer.live(self.live.raw_exit(self.me))))
    }

    /// Returns the registers and flags that are live after the instruction in this function. After a call this means: when the call has
    /// returned.
    pub fn after(&self, at: usize) -> Set {
        self.live.convention.whole_registers(self.raw_after(at))
    }

    /// Returns the result of [`Liveness::after`] with separate bits for parts of registers.
    fn raw_after(&self, at: usize) -> Set {
        let instance = &self.live.facts.instances[self.me];
        match (&self.live.program.codes[instance.function], self.live.transfers.get(&self.me)) {
            (Ok(code), Some(found)) => transfer_after(code, instance, found, at).live(self.live.raw_exit(self.me)),
            _ => Set::MAX,
        }
    }
}

/// Returns the transfer from the point after an instruction to the function's returns, over all possible successors.
fn transfer_after(code: &Code, instance: &Instance, found: &[Transfer], at: usize) -> Transfer {
    if code.insts[at].flow == Flow::Return {
        return Transfer::NOTHING;
    }
    let mut ways = Transfer::default();
    instance.successors(code, at, |to| ways = ways.or(found.get(to).copied().unwrap_or_default()));
    ways
}

fn is_tail(instance: &Instance, at: usize) -> bool {
    instance
        .summary
        .edges
        .binary_search_by_key(&at, |edge| edge.inst)
        .is_ok_and(|index| instance.summary.edges[index].kind == EdgeKind::Tail)
}

//! All reached functions: flow, repeated until nothing changes.
//!
//! The facts that flow needs of other functions (does it return, what does it clobber) and of static cells (which
//! functions can a pointer there hold) start at the least claim and only grow, so the order of work does not matter.

use super::flow::{Callees, Edge, EdgeKind, Summary, flow};
use crate::arch::{Callee, Flow, Knowledge, Machine, Value};
use crate::decode::Program;
use crate::diag::{Diagnostic, Failure, Result};
use crate::ids::{DataId, FuncId};
use crate::load::{Object, RelocKind, Target};
use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A function as emitted: the same code under another entry alignment is another instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "instance");

/// What is known of one emitted function.
#[derive(Debug)]
pub struct Instance {
    pub function: FuncId,
    /// SP on entry modulo 64, where the code depends on it.
    pub alignment: Option<u8>,
    pub summary: Summary,
    /// By the index into `summary.edges`: the instances that are called.
    pub targets: Vec<BTreeSet<Node>>,
    /// By edge: bytes to move SP down before the call, so that the callee finds the alignment it is made for.
    pub pads: Vec<u32>,
    /// Reached from an export without a panic.
    pub hot: bool,
    /// In a cycle of calls: its entry checks the stack.
    pub recursive: bool,
    /// Stack below SP-on-entry, up to the next checked entry, in bytes.
    pub need: u32,
}

/// The end of an edge in the call graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Instance(InstanceId),
    Panic,
    /// A function that cannot be carried, called from the panic world only.
    Unavailable(String),
}

type Key = (FuncId, Option<u8>);

/// The outcome of exploring.
#[derive(Debug)]
pub struct World {
    pub instances: PrimaryMap<InstanceId, Instance>,
    /// By instance: the one that is emitted for it.
    pub canonical: BTreeMap<InstanceId, InstanceId>,
    /// By the object's exports.
    pub roots: Vec<InstanceId>,
    pub format_panic: Option<InstanceId>,
    pub unavailable: BTreeMap<String, String>,
}

/// Entry alignment of the exports' shims when it is tracked: SP is a multiple of 64 before the call.
pub const ROOT_ALIGNMENT: u8 = 56;

pub fn explore(object: &Object, program: &Program, machine: &dyn Machine) -> Result<World> {
    match Explorer::new(object, program, machine, false).run()? {
        Some(world) => Ok(world),
        // Some function aligns its frame beyond what the psABI promises: tell it apart by entry alignment.
        None => Explorer::new(object, program, machine, true)
            .run()?
            .ok_or_else(|| Failure::from(Diagnostic::new(crate::diag::Code::DynamicStack, "a frame's alignment cannot be decided"))),
    }
}

struct Explorer<'a> {
    object: &'a Object,
    program: &'a Program,
    machine: &'a dyn Machine,
    tracked: bool,
    keys: HashMap<Key, InstanceId>,
    functions: PrimaryMap<InstanceId, (FuncId, Option<u8>)>,
    summaries: Vec<Option<Summary>>,
    callers: HashMap<InstanceId, BTreeSet<InstanceId>>,
    readers: HashMap<DataId, BTreeSet<InstanceId>>,
    cells: BTreeMap<(DataId, i64), Value>,
    exposed: BTreeSet<DataId>,
    /// Functions that take arguments on the stack: SP must not be moved between those and the call.
    stack_arguments: BTreeSet<FuncId>,
    queue: BTreeSet<InstanceId>,
    /// Everything up to here belongs to the hot world.
    hot: BTreeSet<InstanceId>,
}

/// The view of the world that one run of flow has.
struct View<'w, 'a> {
    explorer: &'w mut Explorer<'a>,
    me: InstanceId,
}

impl Knowledge for View<'_, '_> {
    fn object(&self) -> &Object {
        self.explorer.object
    }

    fn entry_alignment(&self) -> Option<u8> {
        self.explorer.functions[self.me].1
    }

    fn load(&mut self, data: DataId, offset: i64) -> Value {
        let section = &self.explorer.object.data[data];
        if !section.writable {
            return initial(self.explorer.object, data, offset);
        }
        self.explorer.readers.entry(data).or_default().insert(self.me);
        if self.explorer.exposed.contains(&data) {
            return Value::Unknown;
        }
        match self.explorer.cells.get(&(data, offset)) {
            Some(value) => value.clone(),
            None => initial(self.explorer.object, data, offset),
        }
    }

    fn load_any(&mut self, data: DataId) -> Value {
        let section = &self.explorer.object.data[data];
        if section.writable {
            return Value::Unknown;
        }
        let mut targets = BTreeSet::new();
        for reloc in &section.relocs {
            match code_target(&reloc.target) {
                Some(callee) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 => targets.insert(callee),
                _ => return Value::Unknown,
            };
        }
        if targets.is_empty() { Value::Unknown } else { Value::Code(targets) }
    }

    fn store(&mut self, data: DataId, offset: i64, value: &Value) {
        if !self.explorer.object.data[data].writable {
            return;
        }
        let old = match self.explorer.cells.get(&(data, offset)) {
            Some(old) => old.clone(),
            None if self.explorer.object.data[data].relocs.iter().any(|r| i64::from(r.offset) == offset) => {
                initial(self.explorer.object, data, offset)
            }
            // A cell that starts as zero (a null pointer) is never called before it is set.
            None => value.clone(),
        };
        let joined = old.join(value);
        if self.explorer.cells.get(&(data, offset)) != Some(&joined) {
            self.explorer.cells.insert((data, offset), joined);
            self.explorer.wake(data);
        }
    }

    fn take_address(&mut self, data: DataId) {
        if self.explorer.object.data[data].writable && self.explorer.exposed.insert(data) {
            self.explorer.wake(data);
        }
    }
}

impl Callees for View<'_, '_> {
    fn outcome(&mut self, callee: &Callee, edge: &Edge) -> (bool, u32) {
        let id = match callee {
            Callee::Function(id) => id,
            // It is refused, or (in the panic world) replaced by a stub; what stands behind the call may have more to say.
            Callee::Undefined(_) => return (true, 0),
            Callee::Panic => return (false, 0),
        };
        let alignment = self.explorer.alignment_at(self.me, edge, *id);
        let target = self.explorer.instance(*id, alignment);
        self.explorer.callers.entry(target).or_default().insert(self.me);
        match &self.explorer.summaries[target.as_u32() as usize] {
            Some(summary) => (summary.returns, summary.clobbers),
            None => (false, 0),
        }
    }
}

/// What a cell of a data section holds before anything runs.
fn initial(object: &Object, data: DataId, offset: i64) -> Value {
    let section = &object.data[data];
    let Ok(at) = u32::try_from(offset) else { return Value::Unknown };
    let found = section.relocs.binary_search_by_key(&at, |r| r.offset);
    match found.map(|i| &section.relocs[i]) {
        Ok(reloc) if reloc.kind == RelocKind::Abs64 => match &reloc.target {
            Target::Data(id) => Value::Data(*id, reloc.addend),
            target => match code_target(target) {
                Some(callee) if reloc.addend == 0 => Value::code(callee),
                _ => Value::Unknown,
            },
        },
        _ => Value::Unknown,
    }
}

fn code_target(target: &Target) -> Option<Callee> {
    match target {
        Target::Function(id) => Some(Callee::Function(*id)),
        Target::Panic => Some(Callee::Panic),
        Target::Undefined(name) => Some(Callee::Undefined(name.clone())),
        Target::Data(_) => None,
    }
}

impl<'a> Explorer<'a> {
    fn new(object: &'a Object, program: &'a Program, machine: &'a dyn Machine, tracked: bool) -> Self {
        // A writable section that other data points to can be written by anyone who reads that data.
        let exposed = object
            .data
            .values()
            .flat_map(|d| &d.relocs)
            .filter_map(|r| match r.target {
                Target::Data(id) if object.data[id].writable => Some(id),
                _ => None,
            })
            .collect();
        Explorer {
            object,
            program,
            machine,
            tracked,
            keys: HashMap::new(),
            functions: PrimaryMap::new(),
            summaries: Vec::new(),
            callers: HashMap::new(),
            readers: HashMap::new(),
            cells: BTreeMap::new(),
            exposed,
            stack_arguments: BTreeSet::new(),
            queue: BTreeSet::new(),
            hot: BTreeSet::new(),
        }
    }

    fn instance(&mut self, id: FuncId, alignment: Option<u8>) -> InstanceId {
        if let Some(&instance) = self.keys.get(&(id, alignment)) {
            return instance;
        }
        let instance = self.functions.push((id, alignment));
        self.keys.insert((id, alignment), instance);
        self.summaries.push(None);
        self.queue.insert(instance);
        instance
    }

    fn wake(&mut self, data: DataId) {
        if let Some(readers) = self.readers.get(&data) {
            self.queue.extend(readers.iter().copied());
        }
    }

    /// Work until nothing is left to do.
    fn settle(&mut self) {
        while let Some(me) = self.queue.pop_first() {
            let (id, _) = self.functions[me];
            let summary: Summary = match &self.program.codes[id] {
                Ok(code) => {
                    let (object, machine) = (self.object, self.machine);
                    flow(object, id, code, machine, &mut View { explorer: self, me })
                }
                Err(diagnostic) => Summary { errors: vec![diagnostic.clone()], ..Summary::default() },
            };
            let slot = &mut self.summaries[me.as_u32() as usize];
            let grown = match slot {
                Some(old) => old.returns != summary.returns || old.clobbers != summary.clobbers,
                None => summary.returns,
            };
            let moved = summary.stack_arguments && self.stack_arguments.insert(id);
            *slot = Some(summary);
            if moved {
                let all = self.functions.iter().filter(|(_, f)| f.0 == id).map(|(i, _)| i);
                let callers: Vec<InstanceId> = all.filter_map(|i| self.callers.get(&i)).flatten().copied().collect();
                self.queue.extend(callers);
            }
            if grown && let Some(callers) = self.callers.get(&me) {
                self.queue.extend(callers.iter().copied());
            }
        }
    }

    fn summary(&self, id: InstanceId) -> &Summary {
        self.summaries[id.as_u32() as usize].as_ref().expect("every instance is settled")
    }

    /// `None`: a hot function needs to know its entry alignment, and it is not tracked yet.
    fn run(mut self) -> Result<Option<World>> {
        let root_alignment = self.tracked.then_some(ROOT_ALIGNMENT);
        let roots: Vec<InstanceId> = self.object.exports.iter().map(|e| self.instance(e.shim, root_alignment)).collect();
        let hot_unresolved = self.close(&roots, true);
        self.hot = self.reached(&roots, &hot_unresolved);
        if !self.tracked && self.hot.iter().any(|&i| self.summary(i).needs_alignment) {
            return Ok(None);
        }
        super::chain::refuse(self.object, &self.graph(&hot_unresolved), &roots)?;
        let panics = self.hot.iter().any(|&i| {
            self.summary(i).edges.iter().any(|e| e.targets.as_ref().is_some_and(|t| t.contains(&Callee::Panic)))
        });
        let format_panic = self.object.format_panic.filter(|_| panics).map(|id| self.instance(id, None));
        let before = self.hot_edges();
        let panic_unresolved = match format_panic {
            Some(root) => {
                let mut all = roots.clone();
                all.push(root);
                self.close(&all, false)
            }
            None => BTreeMap::new(),
        };
        if self.hot_edges() != before {
            // The panic world stored a function pointer where the hot world reads one: the proof above did not know.
            return Err(Diagnostic::new(
                crate::diag::Code::IndirectCall,
                "formatting a panic's message stores a function pointer that other code calls",
            )
            .into());
        }
        Ok(Some(self.finish(roots, format_panic, &hot_unresolved, &panic_unresolved)))
    }

    /// What the hot world calls.
    fn hot_edges(&self) -> Vec<Vec<Edge>> {
        self.hot.iter().map(|&me| self.summary(me).edges.clone()).collect()
    }

    /// Settle, give unresolved calls their targets, and repeat until the set of targets is stable.
    /// Returns, by instance and edge, the targets of the calls that are not resolved by value.
    fn close(&mut self, roots: &[InstanceId], hot: bool) -> BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>> {
        let mut unresolved: BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>> = BTreeMap::new();
        loop {
            self.settle();
            let reached = self.reached(roots, &unresolved);
            let doomed = self.doomed_context(&reached, &unresolved);
            let returning = self.returning_context(roots, &unresolved);
            let (lasting, all) = self.address_taken(&reached, &returning, !hot);
            let mut next: BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>> = BTreeMap::new();
            for &me in &reached {
                let edges = self.summary(me).edges.clone();
                let doomed_here = self.summary(me).doomed.clone();
                for (index, edge) in edges.iter().enumerate().filter(|(_, e)| e.targets.is_none()) {
                    let candidates = if !hot || doomed.contains(&me) || doomed_here[edge.inst] { &all } else { &lasting };
                    let candidates = candidates.clone();
                    let targets = candidates.into_iter().map(|id| self.instance(id, self.alignment_at(me, edge, id))).collect();
                    next.insert((me, index), targets);
                }
            }
            // In the panic world anything whose address is taken may be called by a message's formatting.
            if !hot {
                for &id in &all {
                    if !self.functions.values().any(|f| f.0 == id) {
                        self.instance(id, None);
                    }
                }
            }
            if next == unresolved && self.queue.is_empty() {
                return unresolved;
            }
            unresolved = next;
        }
    }

    /// Instances that the roots reach by edges.
    fn reached(&self, roots: &[InstanceId], unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>) -> BTreeSet<InstanceId> {
        let mut reached: BTreeSet<InstanceId> = roots.iter().copied().collect();
        let mut stack: Vec<InstanceId> = roots.to_vec();
        while let Some(me) = stack.pop() {
            for (_, target) in self.targets(me, unresolved) {
                if let Link::Instance(to) = target
                    && reached.insert(to)
                {
                    stack.push(to);
                }
            }
        }
        reached
    }

    /// Every target of every edge of an instance.
    fn targets(&self, me: InstanceId, unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>) -> Vec<(usize, Link)> {
        let mut all = Vec::new();
        let Some(summary) = &self.summaries[me.as_u32() as usize] else { return all };
        for (index, edge) in summary.edges.iter().enumerate() {
            match &edge.targets {
                Some(set) => {
                    for callee in set {
                        all.push((
                            index,
                            match callee {
                                Callee::Function(id) => Link::Instance(self.keys[&(*id, self.alignment_at(me, edge, *id))]),
                                Callee::Panic => Link::Panic,
                                Callee::Undefined(name) => Link::Undefined(name.clone()),
                            },
                        ));
                    }
                }
                None => all.extend(unresolved.get(&(me, index)).into_iter().flatten().map(|&to| (index, Link::Instance(to)))),
            }
        }
        all
    }

    /// SP modulo 64 on entry to `callee` over this edge, where it is tracked. Calls are padded to one and the same
    /// remainder, so that a function need not be emitted once for each; only arguments on the stack forbid it.
    fn alignment_at(&self, me: InstanceId, edge: &Edge, callee: FuncId) -> Option<u8> {
        let Some(entry) = self.functions[me].1 else {
            // The panic world does not track it; what a pointer leads to aligns the stack itself.
            let aligned = Some(ROOT_ALIGNMENT);
            return aligned.filter(|_| edge.indirect && self.keys.contains_key(&(callee, aligned)));
        };
        // An address stands for an entry that aligns the stack itself.
        if (edge.paddable || edge.indirect) && !self.stack_arguments.contains(&callee) {
            return Some(ROOT_ALIGNMENT);
        }
        Some(self.unpadded(entry, edge))
    }

    fn unpadded(&self, entry: u8, edge: &Edge) -> u8 {
        let size = if edge.kind == EdgeKind::Call { self.machine.call_size() } else { 0 };
        (i64::from(entry) - i64::from(edge.depth) - size).rem_euclid(64) as u8
    }

    /// Instances that are called from where a function can no longer return: their own caller never sees what they do.
    fn doomed_context(
        &self,
        reached: &BTreeSet<InstanceId>,
        unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>,
    ) -> BTreeSet<InstanceId> {
        let mut doomed = BTreeSet::new();
        let mut stack = Vec::new();
        for &me in reached {
            let summary = self.summary(me);
            for (index, target) in self.targets(me, unresolved) {
                if let (Link::Instance(to), true) = (target, summary.doomed[summary.edges[index].inst])
                    && doomed.insert(to)
                {
                    stack.push(to);
                }
            }
        }
        while let Some(me) = stack.pop() {
            for (_, target) in self.targets(me, unresolved) {
                if let Link::Instance(to) = target
                    && doomed.insert(to)
                {
                    stack.push(to);
                }
            }
        }
        doomed
    }

    /// Instances that are called from where every function up to the root can still return: what they do can be seen later.
    fn returning_context(
        &self,
        roots: &[InstanceId],
        unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>,
    ) -> BTreeSet<InstanceId> {
        let mut returning: BTreeSet<InstanceId> = roots.iter().copied().collect();
        let mut stack = roots.to_vec();
        while let Some(me) = stack.pop() {
            let summary = self.summary(me);
            for (index, target) in self.targets(me, unresolved) {
                if let (Link::Instance(to), false) = (target, summary.doomed[summary.edges[index].inst])
                    && returning.insert(to)
                {
                    stack.push(to);
                }
            }
        }
        returning
    }

    /// Functions whose address reached code or data makes: those made where the function can still return, and all.
    fn address_taken(&self, reached: &BTreeSet<InstanceId>, returning: &BTreeSet<InstanceId>, everything: bool) -> (BTreeSet<FuncId>, BTreeSet<FuncId>) {
        let mut sets = [BTreeSet::new(), BTreeSet::new()];
        let mut data = [BTreeSet::new(), BTreeSet::new()];
        let all: Vec<InstanceId> = if everything { self.functions.keys().collect() } else { reached.iter().copied().collect() };
        for me in all {
            let (id, _) = self.functions[me];
            let (Ok(code), Some(summary)) = (&self.program.codes[id], &self.summaries[me.as_u32() as usize]) else { continue };
            let function = &self.object.functions[id];
            for (at, inst) in code.insts.iter().enumerate() {
                let Some(reloc) = inst.reloc.map(|r| &function.relocs[r as usize]) else { continue };
                let direct = matches!(inst.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_));
                if direct || summary.depths.get(at).copied().flatten().is_none() {
                    continue;
                }
                let lasting = !summary.doomed[at] && returning.contains(&me);
                for which in if lasting { 0..2 } else { 1..2 } {
                    match reloc.target {
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
        for which in 0..2 {
            let mut stack: Vec<DataId> = data[which].iter().copied().collect();
            while let Some(d) = stack.pop() {
                for reloc in &self.object.data[d].relocs {
                    match reloc.target {
                        // Relative entries into code are jump tables.
                        Target::Function(f) if reloc.kind == RelocKind::Abs64 => {
                            sets[which].insert(f);
                        }
                        Target::Data(next) => {
                            if data[which].insert(next) {
                                stack.push(next);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        let [lasting, all] = sets;
        (lasting, all)
    }

    fn graph(&self, unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>) -> super::chain::Graph<'_> {
        let mut edges = BTreeMap::new();
        for me in self.functions.keys() {
            edges.insert(me, self.targets(me, unresolved).into_iter().map(|(i, t)| (self.summary(me).edges[i].inst, t)).collect());
        }
        super::chain::Graph {
            object: self.object,
            program: self.program,
            functions: self.functions.values().map(|&(f, _)| f).collect(),
            errors: self.summaries.iter().map(|s| s.as_ref().map(|s| s.errors.as_slice()).unwrap_or_default()).collect(),
            indirect: self
                .functions
                .keys()
                .map(|me| self.summary(me).edges.iter().filter(|e| e.indirect).map(|e| e.inst).collect())
                .collect(),
            edges,
        }
    }

    fn finish(
        self,
        roots: Vec<InstanceId>,
        format_panic: Option<InstanceId>,
        hot_unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>,
        panic_unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>,
    ) -> World {
        let (sensitive, canonical) = self.canonical(hot_unresolved);
        // A function of the panic world that cannot be carried is replaced by a stub.
        let mut unavailable = BTreeMap::new();
        let mut instances = PrimaryMap::new();
        let broken = |me: InstanceId| -> Option<String> {
            let summary = self.summary(me);
            if self.hot.contains(&me) {
                return None;
            }
            if summary.needs_alignment {
                return Some("aligns its frame beyond 16 bytes".into());
            }
            summary.errors.first().map(|e| e.message.clone())
        };
        let all_targets: Vec<Vec<BTreeSet<Node>>> = self
            .functions
            .keys()
            .map(|me| {
                let unresolved = if self.hot.contains(&me) { hot_unresolved } else { panic_unresolved };
                let mut sets = vec![BTreeSet::new(); self.summary(me).edges.len()];
                for (index, target) in self.targets(me, unresolved) {
                    let node = match target {
                        Link::Instance(to) => match broken(to) {
                            Some(why) => {
                                let name = self.object.functions[self.functions[to].0].symbol.clone();
                                unavailable.insert(name.clone(), why);
                                Node::Unavailable(name)
                            }
                            None => Node::Instance(canonical[&to]),
                        },
                        Link::Panic => Node::Panic,
                        Link::Undefined(name) => {
                            unavailable.insert(name.clone(), "is not defined anywhere".into());
                            Node::Unavailable(name)
                        }
                    };
                    sets[index].insert(node);
                }
                sets
            })
            .collect();
        for me in self.functions.keys() {
            if let Some(why) = broken(me) {
                unavailable.insert(self.object.functions[self.functions[me].0].symbol.clone(), why);
            }
        }
        let pads: Vec<Vec<u32>> = self
            .functions
            .keys()
            .map(|me| {
                let pad = |edge: &Edge, nodes: &BTreeSet<Node>| {
                    let (Some(entry), Some(Node::Instance(to)), true) = (self.functions[me].1, nodes.first(), edge.paddable) else { return 0 };
                    match self.functions[*to].1.filter(|_| sensitive.contains(to)) {
                        Some(wanted) => (u32::from(self.unpadded(entry, edge)) + 64 - u32::from(wanted)) % 64,
                        None => 0,
                    }
                };
                self.summary(me).edges.iter().zip(&all_targets[me.as_u32() as usize]).map(|(e, n)| pad(e, n)).collect()
            })
            .collect();
        let Explorer { functions, summaries, hot, .. } = self;
        for ((((me, (function, alignment)), summary), targets), pads) in functions.into_iter().zip(summaries).zip(all_targets).zip(pads) {
            let summary = summary.expect("every instance is settled");
            instances.push(Instance {
                function,
                alignment: alignment.filter(|_| sensitive.contains(&me)),
                summary,
                targets,
                pads,
                hot: hot.contains(&me),
                recursive: false,
                need: 0,
            });
        }
        let roots = roots.into_iter().map(|r| canonical[&r]).collect();
        let format_panic = format_panic.map(|r| canonical[&r]);
        World { instances, canonical, roots, format_panic, unavailable }
    }

    /// Instances whose code depends on their entry alignment, their own or that of what they call; and for each of the
    /// others, the one instance of its function that stands for all.
    fn canonical(
        &self,
        unresolved: &BTreeMap<(InstanceId, usize), BTreeSet<InstanceId>>,
    ) -> (BTreeSet<InstanceId>, BTreeMap<InstanceId, InstanceId>) {
        let mut sensitive: BTreeSet<InstanceId> = self.functions.keys().filter(|&i| self.summary(i).uses_alignment).collect();
        loop {
            let more: Vec<InstanceId> = self
                .functions
                .keys()
                .filter(|me| !sensitive.contains(me))
                .filter(|&me| self.targets(me, unresolved).iter().any(|(_, t)| matches!(t, Link::Instance(to) if sensitive.contains(to))))
                .collect();
            if more.is_empty() {
                break;
            }
            sensitive.extend(more);
        }
        let mut first: HashMap<FuncId, InstanceId> = HashMap::new();
        for hot in [true, false] {
            for me in self.functions.keys().filter(|me| self.hot.contains(me) == hot && !sensitive.contains(me)) {
                first.entry(self.functions[me].0).or_insert(me);
            }
        }
        let canonical =
            self.functions.keys().map(|me| (me, if sensitive.contains(&me) { me } else { first[&self.functions[me].0] })).collect();
        (sensitive, canonical)
    }
}

/// Where an edge leads, before it is known what can be carried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    Instance(InstanceId),
    Panic,
    Undefined(String),
}

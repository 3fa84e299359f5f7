//! Analyses all functions that the exports reach: repeats [`super::flow`] for each function until nothing changes, and resolves calls with unknown
//! targets. The result is the [`World`], which later passes use.
//!
//! The analysis of one function needs facts about other functions (whether they return, which registers they change) and about cells of static data
//! (which functions a pointer in a cell may point to). The analysis begins with the strongest assumption: the function does not return and changes no
//! register, and the cell has its initial value. The analysis only weakens assumptions, so the order of work does not matter.

mod calls;
mod contexts;
mod finish;
mod further;
mod refuse;
mod unresolved;
mod view;

use super::flow::flow;
use super::graph::{InstanceId, Link, Node, SetId, TargetSets};
use super::summary::{Edge, EdgeKind, Summary};
use super::tables::Places;
use crate::activity;
use crate::analyze::machine::Machine;
use crate::analyze::value::Value;
use crate::code::{Callee, Code, Dest, Flow};
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::exits::Exit;
use crate::ids::{DataId, ExportId, FuncId};
use crate::load::{Object, Target};
use cranelift_entity::PrimaryMap;
use refuse::Step;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use unresolved::Unresolved;
use view::View;

/// The facts about one instance from this first pass of the analysis. Later passes keep their results in separate tables ([`Facts`](super::Facts)).
#[derive(Debug)]
pub struct Instance {
    pub function: FuncId,
    /// The value of SP on entry modulo [`World::alignment`], if the code depends on it.
    pub alignment: Option<u8>,
    pub summary: Summary,
    /// For each of `summary.edges`, the set of targets of this call or jump ([`World::sets`]).
    pub targets: Vec<SetId>,
    /// For each of `summary.edges`, the number of bytes by which lowering must move SP down before the call. Then SP on entry to the callee has the
    /// alignment that the callee's analysis assumed.
    pub pads: Vec<u32>,
    /// True if an export reaches the function without a panic.
    pub hot: bool,
    /// True if the function is called only on the way to a panic, from places where its callers can no longer return.
    pub doomed: bool,
}

impl Instance {
    /// Calls `each` with the index of every instruction of the function that may follow the instruction `at`. The landing pad of a call is left out
    /// ([`Summary::landing_pad`]).
    pub fn successors(&self, code: &Code, at: usize, mut each: impl FnMut(usize)) {
        let to = |offset: u32| code.at(offset);
        let next = (at + 1 < code.insts.len()).then_some(at + 1);
        match &code.insts[at].flow {
            Flow::Jump(Dest::Local(offset)) => to(*offset).into_iter().for_each(each),
            Flow::Branch(Dest::Local(offset)) => to(*offset).into_iter().chain(next).for_each(each),
            Flow::IndirectJump => {
                let targets = self.summary.tables.get(&at).into_iter().flat_map(|table| &table.targets);
                targets.filter_map(|&offset| to(offset)).for_each(&mut each);
            }
            Flow::Jump(_) | Flow::Return | Flow::Trap | Flow::Forbidden(..) => {}
            Flow::Next | Flow::Call(_) | Flow::IndirectCall | Flow::Branch(_) => next.into_iter().for_each(each),
        }
    }
}

type Key = (FuncId, Option<u8>);

/// All analysed functions, and the functions that they call.
#[derive(Debug)]
pub struct World {
    pub instances: PrimaryMap<InstanceId, Instance>,
    /// The targets of the calls and jumps of all instances.
    pub sets: TargetSets,
    /// The direct calls, as (caller, index of the call), that may pass stack arguments and whose callee depends on an alignment that SP does not have
    /// at the call. For each, the padding in bytes that would align SP. Padding would separate the arguments from the return address. So if the
    /// callee may access stack arguments, the call goes through an entry that aligns SP and copies the arguments.
    pub copied: BTreeMap<(InstanceId, usize), u32>,
    /// For each instance, the instance that is emitted in its place. Of the instances of a function that do not depend on the alignment of SP, only
    /// one is emitted.
    pub canonical: BTreeMap<InstanceId, InstanceId>,
    /// The instances of the exports' shims (the functions that the entries of the exports call).
    pub roots: PrimaryMap<ExportId, InstanceId>,
    pub format_panic: Option<InstanceId>,
    /// The functions that an unresolved call may reach if the calling function can still return: their address is made in code that can still return,
    /// or the analysis sees the address stored where a later call may find it.
    pub lasting: BTreeSet<FuncId>,
    pub unavailable: BTreeMap<String, String>,
    /// The alignment in bytes that the analysis tracks: 128 if 64 is too little for a frame, otherwise 64. If a callee depends on the alignment of
    /// SP, SP is a multiple of this number before the call of an export's shim and before a call through a pointer.
    pub alignment: u8,
    /// The reasons to refuse the code. If there is any, stubs replace the functions with errors.
    pub refused: Vec<Diagnostic>,
}

/// The alignments of frames that the analysis can track, in bytes. Exported entries, and the entries whose addresses pointers hold, align SP to the
/// smallest of these alignments that suffices for all frames.
const ALIGNMENTS: [u8; 2] = [64, 128];

/// The largest alignment of a frame that the analysis can track, in bytes.
pub const LARGEST_ALIGNMENT: i64 = ALIGNMENTS[ALIGNMENTS.len() - 1] as i64;

impl World {
    /// Pads the calls in `copied` whose target accesses no stack arguments, and removes them from `copied`. `words` returns the number of argument
    /// words that the target may access.
    pub fn pad_without_arguments(&mut self, words: impl Fn(InstanceId) -> u32) {
        let World { instances, sets, copied, .. } = self;
        copied.retain(|&(me, edge), &mut pad| {
            let takes = sets[instances[me].targets[edge]].iter().filter_map(Node::instance).any(|to| words(to) > 0);
            if !takes {
                instances[me].pads[edge] = pad;
            }
            takes
        });
    }

    /// Returns the targets of the calls in `copied`.
    pub fn copied_targets(&self) -> impl Iterator<Item = InstanceId> {
        self.copied.keys().filter_map(|&(me, edge)| self.sets[self.instances[me].targets[edge]].first()?.instance())
    }
}

/// Analyses all functions that the exports reach. `padless` has functions that take too many stack arguments for an entry to copy. If calls of such a
/// function pass stack arguments, the function is analysed (and emitted) once for each value that SP has at these calls, modulo the alignment.
pub fn explore(object: &Object, program: &Program, machine: &dyn Machine, padless: &BTreeSet<FuncId>) -> Result<World> {
    let mut world = explore_once(object, program, machine, (padless, false))?;
    if !world.refused.is_empty() {
        further::merge(&mut world, explore_once(object, program, machine, (padless, true))?);
    }
    Ok(world)
}

/// Analyses all functions. A `lenient` exploration assumes that calls of undefined symbols return, and follows calls in code after an error. Its
/// result serves only to find further reasons to refuse the code.
fn explore_once(object: &Object, program: &Program, machine: &dyn Machine, (padless, lenient): (&BTreeSet<FuncId>, bool)) -> Result<World> {
    // If a function aligns its frame to more than the 16 bytes of the psABI, analyse all functions again and track SP on entry modulo a larger
    // alignment.
    let places = Places::of(object);
    for tracked in [None].into_iter().chain(ALIGNMENTS.map(Some)) {
        if let Some(world) = Explorer::new((object, &places), program, machine, (tracked, padless, lenient)).run()? {
            return Ok(world);
        }
    }
    Err(Failure::from(Diagnostic::new(
        ErrorCode::DynamicStack,
        "a function aligns its frame beyond 16 bytes, and the analysis cannot tell SP on entry to it modulo 128",
    )))
}

/// Returns SP on entry to a function, modulo `alignment`. SP must have been a multiple of `alignment` before the call.
pub fn at_root(alignment: u8) -> u8 {
    alignment - 8
}

struct Explorer<'a> {
    object: &'a Object,
    places: &'a Places,
    program: &'a Program,
    machine: &'a dyn Machine,
    /// The alignment in bytes that this run tracks: the run knows SP on entry modulo this number. `None` if the run tracks no alignment.
    tracked: Option<u8>,
    /// See [`explore`].
    padless: &'a BTreeSet<FuncId>,
    /// See [`explore_once`].
    lenient: bool,
    /// True if a function depends on an alignment of SP on entry that this run does not track. Then the results of this run are not used.
    lacks_alignment: bool,
    keys: HashMap<Key, InstanceId>,
    functions: PrimaryMap<InstanceId, (FuncId, Option<u8>)>,
    instances_of: HashMap<FuncId, Vec<InstanceId>>,
    summaries: Vec<Option<Summary>>,
    callers: HashMap<InstanceId, BTreeSet<InstanceId>>,
    readers: HashMap<DataId, BTreeSet<InstanceId>>,
    cells: BTreeMap<(DataId, i64), Value>,
    exposed: BTreeSet<DataId>,
    /// The exits that return and whose address code or data may hold. A call through an unknown pointer may reach them.
    addressed_exits: BTreeSet<Exit>,
    /// The functions that take stack arguments. A direct call of such a function gets no padding, because the padding would lie between the
    /// arguments and the return address.
    stack_arguments: BTreeSet<FuncId>,
    /// The functions that access stack arguments if a caller passes any: an access to their frame may hit an argument (`Summary::reaches_up`).
    reaches_up: BTreeSet<FuncId>,
    queue: BTreeSet<InstanceId>,
    /// The instances whose analysis is under way: a caller, the new callee found in the caller, the new callee found in that callee, and so
    /// on.
    running: Vec<InstanceId>,
    /// The instances that run without a panic. Empty until all of them are known.
    hot: BTreeSet<InstanceId>,
}

impl<'a> Explorer<'a> {
    fn new(
        (object, places): (&'a Object, &'a Places),
        program: &'a Program,
        machine: &'a dyn Machine,
        (tracked, padless, lenient): (Option<u8>, &'a BTreeSet<FuncId>, bool),
    ) -> Self {
        // If data contains the address of a writable section, any code that reads this data can write to the section.
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
            places,
            program,
            machine,
            tracked,
            padless,
            lenient,
            lacks_alignment: false,
            addressed_exits: addressed_exits(object, program),
            keys: HashMap::new(),
            functions: PrimaryMap::new(),
            instances_of: HashMap::new(),
            summaries: Vec::new(),
            callers: HashMap::new(),
            readers: HashMap::new(),
            cells: BTreeMap::new(),
            exposed,
            stack_arguments: BTreeSet::new(),
            reaches_up: BTreeSet::new(),
            queue: BTreeSet::new(),
            running: Vec::new(),
            hot: BTreeSet::new(),
        }
    }

    fn instance(&mut self, id: FuncId, alignment: Option<u8>) -> InstanceId {
        if let Some(&instance) = self.keys.get(&(id, alignment)) {
            return instance;
        }
        let instance = self.functions.push((id, alignment));
        self.keys.insert((id, alignment), instance);
        self.instances_of.entry(id).or_default().push(instance);
        self.summaries.push(None);
        self.queue.insert(instance);
        instance
    }

    fn wake(&mut self, data: DataId) {
        if let Some(readers) = self.readers.get(&data) {
            self.queue.extend(readers.iter().copied());
        }
    }

    /// Analyses the instances in the queue until the queue is empty. Stops early if the results will not be used (`lacks_alignment`).
    fn settle(&mut self) {
        while !self.lacks_alignment
            && let Some(me) = self.queue.pop_first()
        {
            self.analyze_instance(me);
        }
    }

    /// Analyses a new callee at once. Otherwise the analysis of the caller would stop at each call of a callee without a result, and would be
    /// repeated for each such callee.
    fn analyze_new_callee(&mut self, callee: InstanceId) {
        /// Maximum number of nested analyses. Further callees wait in the queue, because each nested analysis uses stack of this process.
        const DEEPEST: usize = 64;
        let new = self.summaries[callee.as_u32() as usize].is_none() && !self.running.contains(&callee);
        if new && self.running.len() < DEEPEST && self.queue.remove(&callee) {
            self.analyze_instance(callee);
        }
    }

    fn analyze_instance(&mut self, me: InstanceId) {
        let (id, _) = self.functions[me];
        let known = self.functions.len();
        activity::report(known.saturating_sub(self.queue.len()), known, "functions", &self.object.functions[id].path);
        self.running.push(me);
        let summary: Summary = match &self.program.codes[id] {
            Ok(code) => {
                let (object, places, machine) = (self.object, self.places, self.machine);
                flow((object, places), id, code, machine, &mut View { explorer: self, me })
            }
            Err(diagnostic) => Summary { errors: vec![diagnostic.clone()], ..Summary::default() },
        };
        self.running.pop();
        let mut summary = summary;
        // When `hot` is not empty, only code that formats the message of a panic is left to analyse. The package does not include such code if the
        // code needs alignment.
        self.lacks_alignment |= summary.needs_alignment && self.hot.is_empty();
        if self.lenient && !summary.errors.is_empty() {
            self.add_unreached_calls(me, id, &mut summary);
        }
        let slot = &mut self.summaries[me.as_u32() as usize];
        let grown = match slot {
            Some(old) => {
                let ends = |summary: &Summary| (summary.returns, summary.clobbers, summary.changes, summary.unwinds, summary.lost);
                ends(old) != ends(&summary)
            }
            None => summary.returns || summary.unwinds,
        };
        // A function that jumps to a function with stack arguments passes on its own stack arguments.
        let passes_on = |summary: &Summary, those: &BTreeSet<FuncId>| {
            summary.edges.iter().filter(|edge| edge.kind == EdgeKind::Tail).any(|edge| match &edge.targets {
                Some(targets) => targets.iter().any(|c| matches!(c, Callee::Function(to) if those.contains(to))),
                None => self.tracked.is_some(),
            })
        };
        summary.stack_arguments |= passes_on(&summary, &self.stack_arguments);
        let reaches_up = summary.reaches_up || passes_on(&summary, &self.reaches_up);
        let moved = (summary.stack_arguments && self.stack_arguments.insert(id)) | (reaches_up && self.reaches_up.insert(id));
        *slot = Some(summary);
        if moved {
            let all = self.instances_of.get(&id).into_iter().flatten();
            self.queue.extend(all.filter_map(|instance| self.callers.get(instance)).flatten().copied());
        }
        if grown && let Some(callers) = self.callers.get(&me) {
            self.queue.extend(callers.iter().copied());
        }
    }

    fn summary(&self, id: InstanceId) -> &Summary {
        self.summaries[id.as_u32() as usize].as_ref().expect("every instance is settled")
    }

    /// Analyses all functions. Returns `None` if a function that runs without a panic depends on an alignment of SP on entry that this run
    /// does not track.
    fn run(mut self) -> Result<Option<World>> {
        let root_alignment = self.tracked.map(at_root);
        let roots: Vec<InstanceId> = self.object.exports.values().map(|e| self.instance(e.shim, root_alignment)).collect();
        let (hot_unresolved, lasting) = self.close(&roots, true);
        if self.lacks_alignment {
            return Ok(None);
        }
        self.hot = self.reached(&roots, &hot_unresolved);
        let refused = refuse::reasons(&self.graph(&hot_unresolved), &roots);
        if !refused.is_empty() {
            // Do not analyse the code that formats panic messages: errors in it would only follow from the errors found here.
            return Ok(Some(self.finish(roots, None, &hot_unresolved, &Unresolved::default(), lasting, refused)));
        }
        let panics = self.hot.iter().any(|&i| {
            self.summary(i)
                .edges
                .iter()
                .any(|e| e.targets.as_ref().is_some_and(|t| t.iter().any(|to| matches!(to, Callee::Exit(exit) if exit.formats()))))
        });
        let format_panic = self.object.format_panic.filter(|_| panics).map(|id| self.instance(id, None));
        let before = self.hot_edges();
        let panic_unresolved = match format_panic {
            Some(root) => {
                let mut all = roots.clone();
                all.push(root);
                self.close(&all, false).0
            }
            None => Unresolved::default(),
        };
        if self.hot_edges() != before {
            // Code that runs only after a panic stores a function pointer that hot code calls, so the result for hot code is wrong.
            return Err(Diagnostic::new(
                ErrorCode::IndirectCall,
                "formatting a panic's message stores a function pointer that other code calls",
            )
            .into());
        }
        Ok(Some(self.finish(roots, format_panic, &hot_unresolved, &panic_unresolved, lasting, Vec::new())))
    }

    /// Returns the calls and jumps of all functions that run without a panic.
    fn hot_edges(&self) -> Vec<Vec<Edge>> {
        self.hot.iter().map(|&me| self.summary(me).edges.clone()).collect()
    }

    /// Analyses all functions and gives unresolved calls their targets, until the targets are stable. Returns the targets of unresolved calls, and
    /// the functions that every unresolved call may reach ([`World::lasting`]).
    fn close(&mut self, roots: &[InstanceId], hot: bool) -> (Unresolved, BTreeSet<FuncId>) {
        let mut unresolved = Unresolved::default();
        loop {
            self.settle();
            if self.lacks_alignment {
                return (unresolved, BTreeSet::new());
            }
            let reached = self.reached(roots, &unresolved);
            let doomed = self.doomed_context(&reached, &unresolved);
            let returning = self.returning_context(roots, &unresolved);
            let (lasting, all) = self.address_taken(&reached, &returning, !hot);
            let next = self.resolve(&reached, &lasting, &all, |me, is_doomed| hot && !is_doomed && !doomed.contains(&me));
            // Code that formats a panic's message may call any function whose address is taken.
            if !hot {
                let known: BTreeSet<FuncId> = self.functions.values().map(|&(id, _)| id).collect();
                for &id in all.difference(&known) {
                    self.instance(id, None);
                }
            }
            if next == unresolved && self.queue.is_empty() {
                return (unresolved, lasting);
            }
            unresolved = next;
        }
    }

    /// Returns SP on entry to `callee` by the call or jump `edge`, modulo the tracked alignment; `None` if the analysis tracks none. Lowering pads
    /// calls so that this value is equal for all calls of a function, and the function is emitted only once. A call that passes stack arguments
    /// cannot be padded. If [`Explorer::can_copy`] is true, such a call goes through an entry that aligns SP and copies the arguments.
    fn alignment_at(&self, me: InstanceId, edge: &Edge, callee: FuncId) -> Option<u8> {
        let Some(entry) = self.functions[me].1 else {
            // The analysis does not track the alignment in code that runs only after a panic. A call through a pointer goes to an entry that aligns
            // SP.
            let aligned = self.tracked.map(at_root);
            return aligned.filter(|_| edge.indirect && self.keys.contains_key(&(callee, aligned)));
        };
        // A pointer to the function holds the address of an entry that aligns SP and copies the arguments. Lowering pads a direct call, or sends it
        // through such an entry.
        if edge.indirect || edge.paddable && (!self.takes(edge, callee) || self.can_copy(me, callee)) {
            return self.tracked.map(at_root);
        }
        Some(self.unpadded(entry, edge))
    }

    /// True if an entry can copy the stack arguments of a direct call. Both functions must be compiled by rustc. Hand-written code may return values
    /// in its arguments. Other compilers may address arguments by an index, and then the number of arguments is uncertain.
    fn can_copy(&self, me: InstanceId, callee: FuncId) -> bool {
        let is_rust = |id: FuncId| self.object.functions[id].is_rust;
        is_rust(self.functions[me].0) && is_rust(callee) && !self.padless.contains(&callee)
    }

    /// True if the call passes stack arguments that the callee may access.
    fn takes(&self, edge: &Edge, callee: FuncId) -> bool {
        self.stack_arguments.contains(&callee) || edge.written > 0 && self.reaches_up.contains(&callee)
    }

    fn alignment(&self) -> u8 {
        self.tracked.unwrap_or(ALIGNMENTS[0])
    }

    fn unpadded(&self, entry: u8, edge: &Edge) -> u8 {
        let size = if edge.kind == EdgeKind::Call { self.machine.call_size() } else { 0 };
        (i64::from(entry) - i64::from(edge.depth) - size).rem_euclid(i64::from(self.alignment())) as u8
    }

    fn graph<'g>(&'g self, unresolved: &'g Unresolved) -> refuse::Graph<'g> {
        let steps = |me: InstanceId| {
            let mut steps = Vec::new();
            for (index, edge) in self.summary(me).edges.iter().enumerate() {
                match self.known_targets(me, edge) {
                    Some(targets) => steps.extend(targets.map(|link| (edge.inst, Step::To(link)))),
                    None => {
                        steps.extend(unresolved.of(me, index).map(|set| (edge.inst, Step::ToAny(set))));
                        steps.extend(self.addressed_exits.iter().map(|&exit| (edge.inst, Step::To(Link::Exit(exit)))));
                    }
                }
            }
            steps
        };
        refuse::Graph {
            object: self.object,
            program: self.program,
            functions: self.functions.values().map(|&(f, _)| f).collect(),
            errors: self.summaries.iter().map(|s| s.as_ref().map(|s| s.errors.as_slice()).unwrap_or_default()).collect(),
            indirect: self
                .functions
                .keys()
                .map(|me| self.summary(me).edges.iter().filter(|e| e.indirect).map(|e| e.inst).collect())
                .collect(),
            edges: self.functions.keys().map(|me| (me, steps(me))).collect(),
            unresolved,
        }
    }
}

/// Returns the exits that return and that code may call through a pointer. Data refers to these exits, or an instruction other than a direct call or
/// jump does.
fn addressed_exits(object: &Object, program: &Program) -> BTreeSet<Exit> {
    let returning = |target: &Target| match target {
        Target::Exit(exit) if exit.row().returns => Some(*exit),
        _ => None,
    };
    let in_data = object.data.values().flat_map(|data| &data.relocs).filter_map(|reloc| returning(&reloc.target));
    let in_code = object.functions.iter().filter_map(|(id, function)| Some((function, program.codes[id].as_ref().ok()?)));
    let in_code = in_code.flat_map(|(function, code)| {
        let values = code.insts.iter().filter(|inst| !matches!(inst.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_)));
        values.filter_map(|inst| returning(&function.relocs[inst.reloc? as usize].target))
    });
    in_data.chain(in_code).collect()
}

//! Analyses one function by abstract interpretation from its entry, and returns its [`Summary`]: SP at every instruction, the calls, and the
//! registers that the function changes. [`super::world`] combines the summaries of all functions.

mod control;
mod landing;

use super::escaping_values;
use super::machine::{Knowledge, Machine};
use super::outgoing::Outgoing;
use super::state::State;
use super::summary::{Edge, EdgeKind, Summary};
use super::table_use::{self, Recorded};
use super::tables::{self, Places};
use super::value::Value;
use crate::code::{Callee, Code, Dest, Flow};
use crate::diag::wall::Wall;
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::{DataId, FuncId};
use crate::load::{Function, Object};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The facts about callees that [`flow`] needs.
pub trait Callees: Knowledge {
    /// Returns the ways in which the call can end.
    fn outcome(&mut self, callee: &Callee, edge: &Edge) -> Outcome;
}

/// The ways in which a call can end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub returns: bool,
    /// The registers that may have changed when the call returns, one bit each.
    pub clobbers: u32,
    /// True if the call can unwind.
    pub unwinds: bool,
    /// The callee-saved registers that may have changed when the call unwinds, one bit each.
    pub lost: u32,
}

/// Analyses the function `id`, whose instructions are `code`.
pub(super) fn flow(
    (object, places): (&Object, &Places),
    id: FuncId,
    code: &Code,
    machine: &dyn Machine,
    world: &mut dyn Callees,
) -> Summary {
    let mut leaders = branch_targets(code);
    // Mark the landing pads (the code to which control goes when a call unwinds) as leaders (starts of basic blocks) now. A walk that finds a new
    // leader starts again, and a function may have many landing pads.
    landing_pads(object, id).filter_map(|pad| code.at(pad)).for_each(|at| leaders[at] = true);
    let has_jumps = code.insts.iter().any(|inst| inst.flow == Flow::IndirectJump);
    let labels = if has_jumps { places.labels(id) } else { &[] };
    let mut first: Option<(HashMap<usize, State>, Summary)> = None;
    loop {
        let mut walk = Walk::new((object, places), id, code, machine, &leaders, labels);
        walk.has_jumps = has_jumps;
        walk.settled = first.as_ref().map(|(states, _)| states);
        walk.run(world);
        if !walk.new_leaders.is_empty() {
            walk.new_leaders.iter().for_each(|&at| leaders[at] = true);
            continue;
        }
        let states = std::mem::take(&mut walk.states);
        let summary = walk.finish();
        match first {
            // Return the errors of the first pass, because they describe paths that are easier to understand.
            Some((_, first)) if !first.errors.is_empty() && !summary.errors.is_empty() => return first,
            None if !summary.errors.is_empty() || summary.clobbers != 0 || summary.boundary_escapes => first = Some((states, summary)),
            _ => return summary,
        }
    }
}

/// Returns for each instruction whether it is a *leader*, the first instruction of a basic block. The leaders are the targets of jumps and branches.
fn branch_targets(code: &Code) -> Vec<bool> {
    let mut leaders = vec![false; code.insts.len()];
    for inst in &code.insts {
        if let Flow::Jump(Dest::Local(to)) | Flow::Branch(Dest::Local(to)) = inst.flow
            && let Some(at) = code.at(to)
        {
            leaders[at] = true;
        }
    }
    leaders
}

/// Returns the offsets of the function's landing pads.
fn landing_pads(object: &Object, id: FuncId) -> impl Iterator<Item = u32> {
    let tables = object.functions[id].unwinding.as_ref().filter(|_| object.unwinds).and_then(|tables| tables.as_ref().ok());
    let sites = tables.and_then(|tables| tables.sites.as_deref()).unwrap_or_default();
    sites.iter().filter_map(|site| Some(site.pad?.offset))
}

struct Walk<'a> {
    object: &'a Object,
    places: &'a Places,
    function: &'a Function,
    id: FuncId,
    code: &'a Code,
    machine: &'a dyn Machine,
    /// For each instruction, true if it is a leader ([`branch_targets`]).
    leaders: &'a [bool],
    /// Offsets of the places in the function whose addresses are stored in data.
    labels: &'a [u32],
    new_leaders: BTreeSet<usize>,
    states: HashMap<usize, State>,
    /// The states at the starts of basic blocks after the first pass. Set only in the second pass, which is more precise.
    ///
    /// The first pass enters a block with the state of the first path that reaches the block. A register may hold a frame address on this path, and
    /// another value on the other paths. Then the first pass applies every store through the register to the frame, even a store that runs only on
    /// the other paths and writes elsewhere. So the first pass forgets words of the frame that do not change. The second pass treats such registers
    /// as unknown from the start.
    settled: Option<&'a HashMap<usize, State>>,
    queue: BTreeSet<usize>,
    successors: Vec<Vec<usize>>,
    exits: Vec<usize>,
    summary: Summary,
    failed: BTreeSet<usize>,
    edges: BTreeMap<usize, Edge>,
    /// The jumps through tables whose end is certain only if another table begins at this end. For each, the place where the other table must begin.
    doubtful: BTreeMap<usize, (DataId, i64)>,
    /// The places of the jump tables that the function uses.
    tables: BTreeSet<(DataId, i64)>,
    /// The facts from which [`table_use`] proves the use of jump tables. The words are recorded only for functions with indirect jumps.
    recorded: Recorded,
    has_jumps: bool,
    /// The indirect jumps that seem to leave the function, but whose target the function itself may have computed. Such a target may lie within the
    /// function.
    computed: BTreeSet<usize>,
    /// True if the function computes an address from the address of its frame's top (`Effect::from_top`).
    from_top: bool,
    outgoing: Outgoing,
}

impl<'a> Walk<'a> {
    fn new(
        (object, places): (&'a Object, &'a Places),
        id: FuncId,
        code: &'a Code,
        machine: &'a dyn Machine,
        leaders: &'a [bool],
        labels: &'a [u32],
    ) -> Self {
        let count = code.insts.len();
        Walk {
            object,
            places,
            function: &object.functions[id],
            id,
            code,
            machine,
            leaders,
            labels,
            new_leaders: BTreeSet::new(),
            states: HashMap::new(),
            settled: None,
            queue: BTreeSet::new(),
            successors: vec![Vec::new(); count],
            exits: Vec::new(),
            summary: Summary {
                depths: vec![None; count],
                is_llvm: object.functions[id].is_llvm,
                is_rust: object.functions[id].is_rust,
                ..Summary::default()
            },
            failed: BTreeSet::new(),
            edges: BTreeMap::new(),
            doubtful: BTreeMap::new(),
            tables: BTreeSet::new(),
            recorded: Recorded::default(),
            has_jumps: false,
            computed: BTreeSet::new(),
            from_top: false,
            outgoing: Outgoing::default(),
        }
    }

    fn run(&mut self, world: &mut dyn Callees) {
        if self.code.insts.is_empty() {
            self.fail(0, ErrorCode::Decode, "has no instructions".into());
            return;
        }
        self.reach(0, &State { is_rust: self.function.is_rust, ..self.machine.entry() });
        while let Some(at) = self.queue.pop_first() {
            let state = self.states[&at].clone();
            self.block(at, state, world);
            if !self.new_leaders.is_empty() {
                return;
            }
        }
    }

    /// Joins the state of one path into the state at `at`, the first instruction of a basic block.
    fn reach(&mut self, at: usize, state: &State) {
        if at != 0 && !self.leaders[at] {
            self.new_leaders.insert(at);
            return;
        }
        // Frame addresses in registers that hold another value on another path. The analysis does not track later uses of these registers.
        let mut met = Vec::new();
        let mut state = Cow::Borrowed(state);
        if let Some(settled) = self.settled.and_then(|settled| settled.get(&at)) {
            for (reg, all) in settled.regs.iter().enumerate() {
                if matches!(all, Value::Unknown | Value::Mixed) && matches!(state.regs[reg], Value::Sp(_)) {
                    let state = state.to_mut();
                    met.push(std::mem::replace(&mut state.regs[reg], Value::Unknown));
                    state.escaped = true;
                }
            }
        }
        match self.states.get(&at) {
            None => {
                self.states.insert(at, state.into_owned());
                self.queue.insert(at);
            }
            Some(known) => {
                let sp = self.machine.sp();
                if known.regs[sp] != state.regs[sp] || known.aligned != state.aligned {
                    let what = match known.aligned == state.aligned {
                        true => format!("({} and {} bytes deep)", depth(known, sp), depth(&state, sp)),
                        false => "(aligned on one path, not on another)".into(),
                    };
                    self.fail(at, ErrorCode::DynamicStack, format!("reaches one instruction with different stack pointers {what}"));
                    return;
                }
                let different = known.regs.iter().zip(&state.regs).filter(|(a, b)| a != b);
                met.extend(different.flat_map(|(a, b)| [a, b]).filter(|value| matches!(value, Value::Sp(_))).cloned());
                self.summary.uses_entry |= escaping_values::lost_at_join(self.machine, known, &state);
                if let Some(joined) = known.join(&state) {
                    self.states.insert(at, joined);
                    self.queue.insert(at);
                }
            }
        }
        self.summary.observes_alignment |= !met.is_empty();
        // On arm64, lowering moves the caller's frame further away from this function's frame. So the analysis must know if an address belongs to the
        // frame or to the arguments.
        if self.machine.link().is_some() {
            self.summary.boundary_escapes |= met.iter().any(|value| matches!(value, Value::Sp(0..)));
            self.summary.indexes |= !met.is_empty() && !self.function.is_llvm;
        } else {
            self.summary.reaches_up |= !met.is_empty();
        }
    }

    fn block(&mut self, start: usize, mut state: State, world: &mut dyn Callees) {
        let sp = self.machine.sp();
        let mut at = start;
        let code = self.code;
        loop {
            let inst = &code.insts[at];
            let below = depth(&state, sp);
            if below < 0 {
                self.fail(at, ErrorCode::DynamicStack, "raises the stack pointer above its value on entry".into());
                return;
            }
            if below > i64::from(i32::MAX) {
                self.fail(at, ErrorCode::StackLimit, "has a frame of over 2 GiB".into());
                return;
            }
            self.summary.depths[at] = Some(below as u32);
            self.summary.deepest = self.summary.deepest.max(below as u32);
            if let Flow::Forbidden(reason, what) = &inst.flow {
                self.fail(at, *reason, format!("contains {what}: `{}`", self.machine.print(self.function, inst)));
                return;
            }
            if self.has_jumps {
                self.recorded.words.insert(at, self.machine.word_uses(self.function, inst, &state));
            }
            let effect = match self.machine.step(self.function, inst, &mut state, world) {
                Ok(effect) => effect,
                Err(refusal) => {
                    // Do not print the instruction: its operand is a placeholder that a linker fills in.
                    let what = match refusal.code {
                        ErrorCode::ThreadLocal | ErrorCode::Undefined => refusal.message,
                        _ => format!("{}: `{}`", refusal.message, self.machine.print(self.function, inst)),
                    };
                    self.fail_with(at, refusal.code, what, refusal.hint);
                    return;
                }
            };
            // An instruction that observes SP may make a pointer from SP, and any later code may use the pointer.
            state.escaped |= effect.observes_alignment;
            let moved = state.sp(sp);
            state.shift_written(-below - moved);
            if let Some((from, to)) = effect.writes {
                state.note_written(from - moved, to - moved);
            }
            if effect.needs_alignment {
                self.summary.needs_alignment = true;
                return;
            }
            self.summary.uses_alignment |= effect.uses_alignment;
            self.summary.assumes_alignment |= effect.assumes_alignment;
            self.summary.observes_alignment |= effect.observes_alignment;
            self.summary.reads_part |= effect.reads_part;
            self.summary.uses_entry |= effect.uses_entry;
            self.summary.stack_arguments |= effect.stack_arguments;
            self.from_top |= effect.from_top;
            self.summary.argument_bytes = self.summary.argument_bytes.max(u32::try_from(effect.argument_bytes).unwrap_or(0));
            self.summary.boundary_escapes |= effect.boundary_escapes;
            self.summary.indexes |= effect.indexes;
            self.summary.reaches_up |= effect.reaches_up;
            self.outgoing.read(effect.reads);
            self.outgoing.keep(&state, effect.takes, effect.writes);
            self.summary.reach = self.summary.reach.max(effect.reach);
            let makes_address = state.regs.iter().enumerate().any(|(reg, value)| reg != sp && matches!(value, Value::Sp(0..)));
            let words = u32::try_from(effect.argument_bytes.max(0)).unwrap_or(u32::MAX).div_ceil(8);
            self.summary.argument_words = self.summary.argument_words.max(words);
            self.summary.any_argument |= effect.any_argument || makes_address;
            // The last visit of an instruction covers every path, so its result replaces the results of earlier visits.
            match effect.moved {
                0 => self.summary.moved.remove(&at),
                by => self.summary.moved.insert(at, by),
            };
            match effect.boundary {
                true => self.summary.boundary.insert(at),
                false => self.summary.boundary.remove(&at),
            };
            match effect.aligned_frame {
                Some(size) => self.summary.in_aligned_frame.insert(at, size),
                None => self.summary.in_aligned_frame.remove(&at),
            };
            match effect.published.is_empty() {
                true => self.summary.published.remove(&at),
                false => self.summary.published.insert(at, effect.published),
            };
            self.recorded.access(self.object, at, effect.data);
            self.summary.red_zone |= effect.touched > depth(&state, sp).max(below);
            self.summary.deepest = self.summary.deepest.max(effect.touched.clamp(0, i64::from(u32::MAX)) as u32);
            self.summary.deepest = self.summary.deepest.max(depth(&state, sp).max(0) as u32);
            let origin = effect.target.as_ref().and_then(Value::origin);
            let goes_on = self.follow(at, inst, (start, effect.target), &mut state, world);
            self.edges.entry(at).and_modify(|edge| edge.origin = origin);
            if !goes_on {
                return;
            }
            at += 1;
            // The code of the function, or of a fragment merged into the function, ends here. In the original object, other code or data followed.
            if self.code.insts.get(at).is_none_or(|next| self.function.starts_part(next.offset)) {
                self.fail(at - 1, ErrorCode::Decode, "runs past its last instruction".into());
                return;
            }
            self.successors[at - 1].push(at);
            if self.leaders[at] {
                self.reach(at, &state);
                return;
            }
        }
    }

    fn fail_at_table(&mut self, at: usize, what: String) {
        let hint = "compile this code without jump tables; gcc and clang have -fno-jump-tables";
        self.fail_with(at, ErrorCode::IndirectCall, what, Some((Wall::Form, hint)));
    }

    fn fail(&mut self, at: usize, reason: ErrorCode, what: String) {
        self.fail_with(at, reason, what, None);
    }

    fn fail_with(&mut self, at: usize, reason: ErrorCode, what: String, hint: Option<(Wall, &'static str)>) {
        if self.failed.insert(at) {
            let offset = self.code.insts.get(at).map_or(0, |i| i.offset);
            let error = Diagnostic::of(reason, self.object.place(self.function, offset), what);
            self.summary.errors.push(match hint {
                Some((wall, hint)) => error.wall(wall).hint(hint),
                None => error,
            });
        }
    }

    fn finish(mut self) -> Summary {
        for (at, place) in std::mem::take(&mut self.doubtful) {
            if !self.tables.contains(&place) {
                self.fail_at_table(at, "jumps through a table whose end is unknown".into());
            }
        }
        if !self.computed.is_empty() && (!self.tables.is_empty() || tables::has_places(self.object, self.places, self.id, self.code)) {
            for at in std::mem::take(&mut self.computed) {
                let inst = self.machine.print(self.function, &self.code.insts[at]);
                self.fail_at_table(at, format!("jumps to an unknown address that may lie within it: `{inst}`"));
            }
        }
        self.summary.reaches_up |= self.outgoing.rereads_address();
        if self.from_top && self.summary.uses_alignment {
            self.summary.stack_arguments = true;
            self.summary.any_argument = true;
        }
        // Remove duplicates, because each visit of an instruction has recorded its successors again.
        for successors in &mut self.successors {
            successors.sort_unstable();
            successors.dedup();
        }
        let found = table_use::find(&self.recorded, &self.summary, &self.successors, &self.tables, self.function.is_rust);
        for at in found.misused {
            let inst = self.machine.print(self.function, &self.code.insts[at]);
            self.fail(
                at,
                ErrorCode::Unsupported,
                format!("uses the address of a jump table, or one of its entries, for something other than the jump: `{inst}`"),
            );
        }
        (self.summary.table_addresses, self.summary.distances) = (found.table_addresses, found.distances);
        // Walk backward from the function's exits. After an instruction that the walk does not reach, the function cannot return: the
        // instruction is doomed.
        let count = self.code.insts.len();
        // Leave out the edges to landing pads, because a function that continues at a landing pad is still on the way to a panic.
        let mut predecessors = vec![Vec::new(); count];
        for (from, tos) in self.successors.iter().enumerate() {
            let pad = self.edges.get(&from).and_then(Edge::landing_pad);
            for &to in tos.iter().filter(|&&to| Some(to) != pad) {
                predecessors[to].push(from);
            }
        }
        let mut doomed = vec![true; count];
        let mut stack = std::mem::take(&mut self.exits);
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut doomed[at], false) {
                stack.extend(&predecessors[at]);
            }
        }
        self.summary.doomed = doomed;
        let (outgoing, is_llvm) = (self.outgoing, self.function.is_llvm);
        let mut edges: Vec<Edge> = self.edges.into_values().collect();
        for edge in &mut edges {
            match self.machine.link() {
                Some(_) => (edge.written, edge.passable) = outgoing.passed(edge, is_llvm),
                None if self.function.is_rust => edge.passable = edge.written.min(outgoing.passable(edge)),
                None => edge.passable = edge.written.min(outgoing.unread(edge)),
            }
        }
        // If the function uses a frame address that the analysis does not track, assume that it uses its whole red zone: an access through the
        // address may be anywhere. Functions with calls are left out, because compilers use no red zone in them. Functions that rustgo compiles are
        // left out, because rustgo passes rustc an option that disables the red zone.
        let has_red_zone = self.machine.red_zone() > 0 && !self.function.is_compiled_here();
        if has_red_zone && self.summary.reaches_up && edges.iter().all(|edge| edge.kind == EdgeKind::Tail) {
            let frame = self.summary.depths.iter().flatten().max().copied().unwrap_or(0);
            self.summary.red_zone = true;
            self.summary.deepest = self.summary.deepest.max(frame.saturating_add(self.machine.red_zone()));
        }
        self.summary.edges = edges;
        self.summary
    }
}

/// Returns the assumed outcome of a call to an unknown callee: the callee returns, and may change every register that the convention allows it to
/// change.
pub fn by_convention(machine: &dyn Machine) -> Outcome {
    let clobbers = machine.callee_saved().iter().fold(u32::MAX, |set, reg| set & !(1 << reg));
    Outcome { returns: true, clobbers, ..Outcome::default() }
}

fn depth(state: &State, sp: usize) -> i64 {
    -state.sp(sp)
}

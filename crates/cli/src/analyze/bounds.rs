//! Computes the stack bound of each export and the kind of its entry, or the reason to refuse the export. The result is [`Facts`], the input of
//! lowering.

use super::align::{self, Alignment};
use super::aligned_calls::AlignedCalls;
use super::arguments::{self, AboveRoots};
use super::chain::{deepest_chain, frame_pointer, link};
use super::contiguous_args;
use super::default_budget::DefaultBudget;
use super::depths::Depths;
use super::facts::{EntryKind, ExportFacts, Facts, Limits, Recursion, StackArguments};
use super::graph::{InstanceId, Node};
use super::hints;
use super::machine::Machine;
use super::pointers::{Guarded, Pointers};
use super::stacks::{CHECK_STACK, Stacks};
use super::summary::EdgeKind;
use super::untyped;
use super::world::World;
use crate::abi::TASK_STACK;
use crate::abi::{DEFAULT_BUDGET, NOSPLIT_STACK};
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode};
use crate::exits::{Exit, Part};
use crate::ids::FuncId;
use crate::load::{Export, Object};
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use rustgo_schema::role;
use std::collections::BTreeSet;

/// Maximum stack need of a fused body, in bytes. A fused body is an export's code inside its entry, a NOSPLIT function. The body and its callees run
/// on the [`NOSPLIT_STACK`] bytes that Go keeps free for NOSPLIT functions. The remaining bytes are for a wrapper around the entry, and for a panic.
const FUSED_LIMIT: u32 = 512;
/// Maximum in bytes of the body's stack need plus twice the size of arguments and results. When an exported function is used as a value, Go calls the
/// function through a wrapper, which is NOSPLIT too and passes on arguments and results. Without optimisation (`-N -l`) the wrapper's frame is nearly
/// twice as large as arguments and results. The limit leaves three parts of [`NOSPLIT_STACK`] free: 8 bytes that Go's linker counts for a call
/// (cmd/link, stackcheck.go); 16 bytes for the return address and the wrapper's frame pointer; and 8 bytes for a jump that the linker counts as a
/// call, from the dispatching entry of a package with several levels.
const WRAPPED_LIMIT: u32 = NOSPLIT_STACK - 8 - 2 * 8 - 8;

/// True if a body that needs `need` bytes of stack may be part of an entry with `arguments` bytes of arguments and results.
fn fits_nosplit(need: u32, arguments: u32) -> bool {
    need <= FUSED_LIMIT && need.saturating_add(arguments.saturating_mul(2)) <= WRAPPED_LIMIT
}

pub fn bound(object: &Object, program: &Program, machine: &dyn Machine, mut world: World, limits: Limits) -> Facts {
    let emitted = emitted(&world);
    let pointers = Pointers::new(object, program, &world, &emitted);
    let (hot, panic): (Vec<InstanceId>, Vec<InstanceId>) = emitted.iter().partition(|&&me| world.instances[me].hot);
    let argument_words = arguments::count(&world, &emitted, &pointers);
    world.pad_without_arguments(|me| argument_words[me]);
    let Alignment { needs: needs_alignment, realigned } = align::decide(object, program, machine, &world, &hot);
    let mut errors = object.refused.clone();
    errors.append(&mut world.refused);
    let (contiguous_args, more) = contiguous_args::plan(object, program, &world, &emitted, &pointers);
    errors.extend(more);
    let stack_arguments = StackArguments::new(&world, &emitted, &contiguous_args, pointers.uncounted());
    let aligned_calls = AlignedCalls::new(&world, &emitted, |instance, edge| stack_arguments.taken_at(instance, edge));
    let check = pointers.check_stack(&world, |me| argument_words[me]);
    let depths = Depths {
        object,
        program,
        machine,
        world: &world,
        realigned: &realigned,
        argument_words: &argument_words,
        contiguous_args: &contiguous_args,
        aligned_calls: &aligned_calls,
        check,
    };
    // First measure the functions that run without a panic: they never call functions that run only after a panic. The results show which functions
    // need much stack. The panic formatter may call such a function through a pointer, so these functions are *guarded*: they check the stack when
    // called through a pointer. Then measure the functions that run only after a panic.
    let guarded = Guarded::new(&world, &pointers);
    let stacks = depths.measure(&hot, &guarded, Stacks::new());
    let guarded = guarded.with_deep(&world, &pointers, &stacks);
    let stacks = depths.measure(&panic, &guarded, stacks);
    errors.extend(align::misaligned_calls(object, program, machine, &world, &emitted, &pointers));
    errors.extend(arguments::refuse(object, program, &world, &emitted, &pointers, &argument_words));
    let above_roots = AboveRoots::new(object, &world, &emitted, &pointers, &argument_words, limits.above_roots);
    errors.extend(untyped::refuse(object, program, &world, &emitted));
    errors.extend(refuse_changing_calls(object, program, machine, &world, &emitted, &pointers));
    let mut exports = PrimaryMap::new();
    let own = OwnFacts::new(object, program, machine, &world, &emitted, guarded.checking(&world, &stacks, &emitted));
    let mut default_budget = DefaultBudget::new(&depths, &stacks, &guarded);
    for (id, export) in &object.exports {
        let root = world.roots[id];
        if is_broken(&world, root) {
            continue;
        }
        let root = (root, needs_alignment.contains(&root));
        let room = above_roots.room(root.0);
        match depths.export(&own, &mut default_budget, export, root, room, limits) {
            Ok(facts) => drop(exports.push(facts)),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    // An export with an error has pushed no facts, so the facts of the exports after it have wrong indexes.
    if !errors.is_empty() {
        exports.clear();
    }
    let asks = |node: &Node| node.exit().is_some_and(|exit| exit.row().part == Part::Heap);
    let needs_heap = world.all_targets(&emitted).any(asks);
    Facts {
        exports,
        alignment: world.alignment,
        emitted,
        can_panic: world.format_panic.is_some(),
        unavailable: world.unavailable,
        instances: world.instances,
        sets: world.sets,
        stack_arguments,
        realigned,
        copied: world.copied.into_keys().collect(),
        argument_words,
        contiguous_args,
        aligned_calls,
        stacks,
        pointers,
        guarded,
        needs_heap,
        refused: errors,
    }
}

/// Maximum number of stack argument words that the entry for a direct call copies. The entry executes one push for each word.
const MOST_WORDS: u32 = 32;

/// Returns the targets of the calls in [`World::copied`] that take more than `MOST_WORDS` words of stack arguments. No entry copies these arguments.
pub fn uncopied(object: &Object, program: &Program, world: &World) -> BTreeSet<FuncId> {
    if world.copied.is_empty() {
        return BTreeSet::new();
    }
    let emitted = emitted(world);
    let counts = arguments::count(world, &emitted, &Pointers::new(object, program, world, &emitted));
    world.copied_targets().filter(|&to| counts[to] > MOST_WORDS).map(|to| world.instances[to].function).collect()
}

/// True if a stub replaces the function because the code is refused for an error in this function.
fn is_broken(world: &World, me: InstanceId) -> bool {
    let instance = &world.instances[me];
    instance.hot && !instance.summary.errors.is_empty()
}

/// Refuses a call through an unresolved pointer if it may reach a function that changes callee-saved registers when it returns or unwinds. The
/// analysis assumes that such a call leaves these registers unchanged.
fn refuse_changing_calls(
    object: &Object,
    program: &Program,
    machine: &dyn Machine,
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
) -> Vec<Diagnostic> {
    let changed = |to: InstanceId| world.instances[to].summary.clobbers | world.instances[to].summary.lost;
    let changes = |node: &Node| node.instance().is_some_and(|to| changed(to) != 0);
    let (changing, is_any_changing) = (world.sets_with(changes), pointers.uncounted().iter().any(changes));
    let mut found = Vec::new();
    for &me in emitted {
        let instance = &world.instances[me];
        let unknown = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].targets.is_none());
        let changing = unknown.filter(|&edge| is_any_changing || changing.contains(instance.targets[edge]));
        for (edge, node) in changing.flat_map(|edge| pointers.reach(&world.sets, instance, edge).map(move |node| (edge, node))) {
            let Node::Instance(to) = node else { continue };
            let callee = &world.instances[*to];
            if changed(*to) != 0 {
                let call = link(object, program, world, me, Some(edge));
                let (to, lost) = (&object.functions[callee.function].path, machine.names(changed(*to).into()));
                let error = Diagnostic::of(
                    ErrorCode::Unsupported,
                    call.place.clone(),
                    format!("may call {to} through a pointer, and {to} may not restore {lost}"),
                )
                .hint("save and restore callee-saved registers in the function, or call it by name");
                found.push(hints::complete(error, &object.functions[callee.function]));
            }
        }
    }
    found
}

/// Facts about the code of each emitted function. The code of its callees does not count.
struct OwnFacts {
    /// The CPU features above the baseline that the code needs.
    features: SecondaryMap<InstanceId, BTreeSet<String>>,
    /// The functions that use the x87 register stack.
    x87: EntitySet<InstanceId>,
    /// The functions with a call or jump to an exit that does not return.
    panics: EntitySet<InstanceId>,
    /// The functions with a call whose target may check the stack.
    checking: EntitySet<InstanceId>,
}

impl OwnFacts {
    fn new(
        object: &Object,
        program: &Program,
        machine: &dyn Machine,
        world: &World,
        emitted: &[InstanceId],
        checking: EntitySet<InstanceId>,
    ) -> OwnFacts {
        let mut own = OwnFacts { features: SecondaryMap::new(), x87: EntitySet::new(), panics: EntitySet::new(), checking };
        let panicking = world.sets_with(|node| matches!(node, Node::Exit(exit) if !exit.row().returns));
        for &me in emitted {
            let instance = &world.instances[me];
            let function = &object.functions[instance.function];
            if instance.targets.iter().any(|&set| panicking.contains(set)) {
                own.panics.insert(me);
            }
            let Ok(code) = &program.codes[instance.function] else { continue };
            for (inst, _) in code.insts.iter().zip(&instance.summary.depths).filter(|(_, depth)| depth.is_some()) {
                machine.features(function, inst, &mut own.features[me]);
                if machine.uses_x87(function, inst) {
                    own.x87.insert(me);
                }
            }
        }
        own
    }
}

impl Depths<'_> {
    /// Returns the facts about one export, or the reason to refuse the export.
    fn export(
        &self,
        own_facts: &OwnFacts,
        default_budget: &mut DefaultBudget<'_>,
        export: &Export,
        (root, aligned): (InstanceId, bool),
        room: u32,
        limits: Limits,
    ) -> std::result::Result<ExportFacts, Diagnostic> {
        let Depths { object, program, machine, world, .. } = *self;
        let stacks = default_budget.stacks;
        let (shim, own) = (&world.instances[root], stacks[root]);
        let reached = world.reached(root);
        let recursive: Vec<InstanceId> = reached.iter().copied().filter(|&i| stacks[i].recursive).collect();
        let limited = own.recursive || reached.iter().any(|&i| own_facts.checking.contains(i));
        let align = match (shim.alignment, aligned) {
            (Some(_), _) => u32::from(world.alignment),
            (None, true) => 16,
            (None, false) => 8,
        };
        let blocking = export.schema.blocking.is_some();
        let glue = machine.entry_stack(align, blocking) + room;
        let first = if own.recursive { CHECK_STACK } else { own.need };
        let needed = first.saturating_add(glue);
        let name = &export.schema.go_name;
        if machine.frame_pointer().is_some_and(|reg| shim.summary.clobbers >> reg & 1 != 0) {
            return Err(frame_pointer(object, program, machine, world, root, name));
        }
        let of_task = export.schema.task.then_some(TASK_STACK);
        let stated = export.schema.stack.map(|s| u32::try_from(s).unwrap_or(u32::MAX)).or(of_task);
        // Functions that recurse only on the way to a panic need no budget. (For example, a failed slice of a string panics, and the code that
        // formats the message slices the string again.) The bound includes one recursion level of each such function. If the recursion is deeper, the
        // function's stack check fails. The export's call panics in either case.
        let doomed_stack: u32 =
            recursive.iter().filter(|&&i| world.instances[i].doomed).map(|&i| stacks[i].need).fold(0, u32::saturating_add);
        let needed = needed.saturating_add(doomed_stack);
        // Choose the recursive function that needs the most stack, among the functions that recurse without a panic. If several need equally much,
        // choose the first.
        let widest = recursive.iter().rev().copied().filter(|&i| !world.instances[i].doomed).max_by_key(|&i| stacks[i].need);
        // Each level of a recursion needs the function's frame and its callees' stack, so refuse a budget for less than one level.
        let level = recursive.iter().map(|&i| stacks[i].need).max().unwrap_or(0);
        let least = needed.saturating_add(level);
        let (budget, culprit) = match (widest, stated) {
            (None, _) => (None, None),
            (_, Some(stated)) => (Some(stated), None),
            (_, None) => match default_budget.stack(root) {
                Ok(stack) => {
                    let granted = least.saturating_add(stack.saturating_add(glue).saturating_add(doomed_stack));
                    (Some(granted.checked_next_multiple_of(1 << 10).unwrap_or(u32::MAX)), None)
                }
                Err(culprit) => {
                    let levels = needed.saturating_add(level.saturating_mul(4));
                    (Some(DEFAULT_BUDGET.max(levels.checked_next_multiple_of(1 << 10).unwrap_or(u32::MAX))), Some(culprit))
                }
            },
        };
        if let Some(granted) = budget.filter(|&granted| granted < least) {
            return Err(Diagnostic::new(
                ErrorCode::StackLimit,
                format!(
                    "{name}: the stack budget of {} is smaller than the {} that one level of its recursion needs",
                    size(granted),
                    size(least)
                ),
            )
            .at(object.place(&object.functions[shim.function], 0))
            .hint(format!("state a larger one: #[rustgo::export(stack = \"{}k\")]", least.saturating_mul(4).div_ceil(1024))));
        }
        let bound = budget.unwrap_or(needed);
        if let (Some(_), Some(stated)) = (of_task, stated)
            && needed > stated
        {
            let message = format!("{name} needs {} of stack, and its task has {}", size(needed), size(stated));
            let setting = if export.schema.role == role::DROP { "object(" } else { "export(task, " };
            return Err(Diagnostic::new(ErrorCode::StackLimit, message)
                .at(object.place(&object.functions[shim.function], 0))
                .chain(deepest_chain(object, program, world, stacks, root))
                .hint(format!("state a larger stack: #[rustgo::{setting}stack = \"{}k\")]", needed.div_ceil(1024))));
        }
        let path = |me: InstanceId| object.functions[world.instances[me].function].path.clone();
        // A budget that the author states raises the limit.
        if u64::from(bound) > limits.max_stack.max(stated.unwrap_or(0).into()) {
            return Err(Diagnostic::new(
                ErrorCode::StackLimit,
                format!(
                    "{name} needs {} of stack, which is over the limit of {}",
                    size(bound),
                    size(u32::try_from(limits.max_stack).unwrap_or(u32::MAX))
                ),
            )
            .at(object.place(&object.functions[shim.function], 0))
            .chain(deepest_chain(object, program, world, stacks, root))
            .hint(format!("make the large frames smaller (pass buffers from Go), state a budget (#[rustgo::export(stack = \"{}k\")]), or raise the limit with --max-stack", bound.div_ceil(1024))));
        }
        let features = reached.iter().flat_map(|&me| &own_facts.features[me]).cloned().collect();
        let x87 = reached.iter().any(|&me| own_facts.x87.contains(me));
        let fits = room == 0 && fits_nosplit(own.need, export.schema.frame_size);
        // A label's address in data refers to one copy of the code, but the code of a fused body may exist twice.
        let has_labels = shim.summary.tables.values().any(|table| table.place.is_none());
        if export.is_routine {
            self.routine(root, name, (needed, aligned, limited))?;
        }
        // On a machine with a link register, Go keeps the frame pointer of the caller's caller in the word below SP at entry. The frame of a fused body
        // leaves this word alone, but the frame of a function to which the body jumps does not. The body must also restore the frame pointer itself.
        let jumps = shim.summary.edges.iter().any(|edge| edge.kind == EdgeKind::Tail);
        let keeps_frame_pointer = machine.call_size() > 0 || !jumps && shim.summary.clobbers == 0;
        let is_simple = !limited && !has_labels && !x87 && !blocking && keeps_frame_pointer;
        let fused = is_simple && align == 8 && fits && self.contiguous_args.copied_bytes(root).is_none();
        let can_panic = limited || reached.iter().any(|&i| own_facts.panics.contains(i));
        Ok(ExportFacts {
            shim: root,
            bound,
            budget,
            assumed: culprit.map(path),
            recursion: widest.map(|me| Recursion { function: path(me), level: stacks[me].need, least, stated: stated.is_some() }),
            entry: match (export.is_routine, fused) {
                (true, _) => EntryKind::Routine,
                _ if of_task.is_some() => EntryKind::Task,
                (false, true) => EntryKind::Fused,
                (false, false) => EntryKind::Framed,
            },
            align,
            room,
            limited,
            can_panic,
            blocking,
            x87,
            features,
        })
    }

    /// Checks that generated code can call a routine (a function of `rt` that is written in Rust) through an entry that only jumps to the body. The
    /// routine may take arguments only in registers, must need no more stack than its [row](crate::exits::Row) states, and may need SP aligned only
    /// if the row says so.
    fn routine(&self, root: InstanceId, name: &str, (needed, aligned, limited): (u32, bool, bool)) -> std::result::Result<(), Diagnostic> {
        let instance = &self.world.instances[root];
        let row = Exit::ALL.map(Exit::row).into_iter().find(|row| row.function == name);
        let takes_stack = instance.summary.stack_arguments || self.contiguous_args.copied_bytes(root).is_some();
        let problem = match row {
            None => format!("{name} has no row in exits.rs"),
            Some(row) if needed > row.stack => format!("{name} needs {}, and exits.rs says {}", size(needed), size(row.stack)),
            Some(row) if aligned && !row.aligned || instance.alignment.is_some() => format!("{name} depends on how SP is aligned"),
            Some(_) if limited => format!("{name} recurses or calls through pointers"),
            Some(_) if takes_stack => format!("{name} takes arguments on the stack"),
            Some(_) => return Ok(()),
        };
        Err(Diagnostic::new(ErrorCode::Unsupported, problem).at(self.object.place(&self.object.functions[instance.function], 0)))
    }
}

fn size(bytes: u32) -> String {
    match bytes {
        0 => "0 bytes".into(),
        bytes if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

/// Returns the functions to emit, in order of discovery: first the functions that run without a panic, then the functions that run only after a
/// panic.
fn emitted(world: &World) -> Vec<InstanceId> {
    let mut emitted = Vec::new();
    for hot in [true, false] {
        for me in world.instances.keys() {
            let instance = &world.instances[me];
            let included = hot || (world.format_panic.is_some() && instance.summary.exclusion_reason().is_none());
            if instance.hot == hot && world.canonical[&me] == me && included && !is_broken(world, me) {
                emitted.push(me);
            }
        }
    }
    emitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nosplit_limit_counts_wrappers() {
        for (need, arguments, fits) in [
            (0, 0, true),
            (512, 0, true),
            (513, 0, false),
            (512, 128, true),
            (512, 136, false),
            (480, 144, true),
            (480, 192, false),
            (8, 376, true),
            (8, 384, false),
        ] {
            assert_eq!(fits_nosplit(need, arguments), fits, "{need} {arguments}");
        }
        assert!(!fits_nosplit(u32::MAX, u32::MAX));
    }
}

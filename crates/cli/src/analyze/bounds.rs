//! The call graph of the hot world: recursion, and the deepest stack of every function and export.

use super::align::{decide, misaligned_calls};
use super::arguments;
use super::chain::{deepest_chain, frame_pointer, link, recursion};
use super::facts::{EntryKind, ExportFacts, Facts, Limits};
use super::graph::{InstanceId, Node, components};
use super::joined;
use super::machine::Machine;
use super::pointers::Pointers;
use super::stacks::{ALIGN_STACK, CHECK_STACK, REALIGN_STACK};
use super::summary::EdgeKind;
use super::untyped;
use super::world::World;
use crate::abi::NOSPLIT_STACK;
use crate::decode::Program;
use crate::diag::gather::gather;
use crate::diag::{Code as Reason, Diagnostic, Failure, Result};
use crate::load::Object;
use cranelift_entity::PrimaryMap;
use std::collections::BTreeSet;

/// A fused body stands in a NOSPLIT function: with everything it calls it lives on what Go keeps free for such functions,
/// [`NOSPLIT_STACK`] bytes, of which callers' wrappers and a panic need some.
const FUSED_LIMIT: u32 = 512;
/// The same with twice the arguments and results. Where an exported function is used as a value Go calls it through a wrapper, which
/// is NOSPLIT too and hands them on; in builds without optimisation (`-N -l`) its frame is nearly twice as large. Go's linker
/// keeps 8 bytes for a call (cmd/link, stackcheck.go), and the chain includes the return address and the wrapper's frame pointer.
const WRAPPED_LIMIT: u32 = NOSPLIT_STACK - 8 - 2 * 8;

/// May a body that needs this much stack stand in an entry with so many bytes of arguments and results?
fn fits_nosplit(need: u32, arguments: u32) -> bool {
    need <= FUSED_LIMIT && need.saturating_add(arguments.saturating_mul(2)) <= WRAPPED_LIMIT
}

pub fn bound(object: &Object, program: &Program, machine: &dyn Machine, mut world: World, limits: Limits) -> Result<Facts> {
    let emitted = emitted(&world);
    let mut pointers = Pointers::new(object, program, &world, &emitted);
    let (hot, panic): (Vec<InstanceId>, Vec<InstanceId>) = emitted.iter().partition(|&&me| world.instances[me].hot);
    let needs_alignment = decide(object, program, machine, &mut world, &hot);
    arguments::count(&mut world, &emitted, &pointers);
    pointers.count_arguments(&world);
    let mut errors = joined::join(object, program, &mut world, &emitted, &pointers);
    // Nothing leads out of the hot world.
    measure(object, program, machine, &mut world, &hot, &pointers);
    pointers.guard_deep(&world);
    measure(object, program, machine, &mut world, &panic, &pointers);
    errors.extend(misaligned_calls(object, program, machine, &world, &emitted, &pointers));
    errors.extend(arguments::refuse(object, program, &world, &emitted, &pointers));
    errors.extend(untyped::refuse(object, program, &world, &emitted));
    errors.extend(changing_calls(object, program, machine, &world, &emitted, &pointers));
    let mut exports = PrimaryMap::new();
    for (id, export) in &object.exports {
        let root = world.roots[id];
        let root = (root, needs_alignment.contains(&root));
        match export_facts(object, program, machine, &world, &pointers, export, root, limits) {
            Ok(facts) => drop(exports.push(facts)),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    // From here on each export has its facts.
    if !errors.is_empty() {
        return Err(Failure::Refused(gather(errors)));
    }
    let can_panic = world.format_panic.is_some();
    Ok(Facts { exports, emitted, can_panic, unavailable: world.unavailable, instances: world.instances, pointers })
}

/// What is known of registers that a callee must leave as they were is taken to hold behind a call through a pointer that is not known. So
/// whatever that may lead to must give them back.
fn changing_calls(
    object: &Object,
    program: &Program,
    machine: &dyn Machine,
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for &me in emitted {
        let instance = &world.instances[me];
        let unknown = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].targets.is_none());
        for (edge, node) in unknown.flat_map(|edge| pointers.reach(instance, edge).map(move |node| (edge, node))) {
            let Node::Instance(to) = node else { continue };
            let callee = &world.instances[*to];
            if callee.summary.clobbers != 0 {
                let call = link(object, program, world, me, Some(edge));
                let (to, lost) = (&object.functions[callee.function].path, machine.names(callee.summary.clobbers.into()));
                found.push(
                    Diagnostic::of(
                        Reason::Unsupported,
                        call.place.clone(),
                        format!("may call {to} through a pointer, which is not seen to give back {lost}"),
                    )
                    .hint("restore what the convention says from where the function saved it, or call it by name"),
                );
            }
        }
    }
    found
}

/// Finds which of these instances are in a cycle of calls, and what each of them needs; of what else they call that is known.
fn measure(object: &Object, program: &Program, machine: &dyn Machine, world: &mut World, which: &[InstanceId], pointers: &Pointers) {
    let next = |me| inner_edges(world, me, pointers).map(|(_, to)| to);
    for component in &components(world.instances.len(), which, next) {
        let members: BTreeSet<InstanceId> = component.iter().copied().collect();
        let calls_itself = component
            .iter()
            .any(|&me| inner_edges(world, me, pointers).any(|(edge, to)| members.contains(&to) && calls(world, me, edge, to)));
        for &me in component {
            world.instances[me].recursive = calls_itself;
        }
        // Callees come before callers, so what is outside the component is done. Inside it only jumps count, and they
        // add nothing: every member needs what the deepest of them needs.
        let inside = if calls_itself { BTreeSet::new() } else { members };
        let needs: Vec<u32> = component.iter().map(|&me| need(object, program, world, machine, pointers, me, &inside)).collect();
        let deepest = needs.iter().copied().max().unwrap_or(0);
        for (&me, need) in component.iter().zip(needs) {
            world.instances[me].need = if calls_itself { need } else { deepest };
        }
    }
}

/// Is there a frame left behind when control goes this way? A jump is a call where it leads through an entry that aligns SP, and where
/// the frame has a copy of the function's arguments.
fn calls(world: &World, me: InstanceId, edge: usize, to: InstanceId) -> bool {
    let instance = &world.instances[me];
    instance.summary.edges[edge].kind == EdgeKind::Call || instance.joined.is_some() || aligning_stack(world, me, edge, to) > 0
}

/// Stack of the entry that aligns SP, where control goes this way through one.
fn aligning_stack(world: &World, me: InstanceId, edge: usize, to: InstanceId) -> u32 {
    if world.instances[me].realigned.contains(&edge) {
        REALIGN_STACK
    } else if world.instances[me].summary.edges[edge].indirect && world.instances[to].alignment.is_some() {
        ALIGN_STACK + 8 * world.instances[to].copied_words()
    } else {
        0
    }
}

/// The edges by which what runs on one stack may come back to where it was, and no checked entry stands between: within the
/// hot world, or within the panic world, whose pointers to functions of its own all lead to checks.
fn inner_edges(world: &World, me: InstanceId, pointers: &Pointers) -> impl Iterator<Item = (usize, InstanceId)> {
    let caller = &world.instances[me];
    world.edges(me).filter_map(move |(edge, node)| {
        let &Node::Instance(to) = node else { return None };
        let callee = &world.instances[to];
        let within = callee.hot == caller.hot && (caller.hot || !pointers.checks(caller.summary.edges[edge].indirect, callee));
        within.then_some((edge, to))
    })
}

/// Stack below SP-on-entry up to the next checked entry; jumps within `inside` are left out.
fn need(
    object: &Object,
    program: &Program,
    world: &World,
    machine: &dyn Machine,
    pointers: &Pointers,
    me: InstanceId,
    inside: &BTreeSet<InstanceId>,
) -> u32 {
    let instance = &world.instances[me];
    let own = instance.summary.deepest;
    let frame = machine.lowered_frame(own, instance.above);
    let mut deepest = frame;
    if let Ok(code) = &program.codes[instance.function] {
        let function = &object.functions[instance.function];
        let scratch = code.insts.iter().zip(&instance.summary.depths).filter_map(|(inst, depth)| Some((inst, (*depth)?)));
        deepest =
            scratch.map(|(inst, depth)| depth.next_multiple_of(8) + machine.scratch_stack(object, function, inst)).fold(deepest, u32::max);
    }
    for (index, edge) in instance.summary.edges.iter().enumerate() {
        let below = |node: &Node| match node {
            Node::Instance(to) if inside.contains(to) => 0,
            Node::Instance(to) => {
                let callee = &world.instances[*to];
                let entry = match () {
                    () if callee.recursive => CHECK_STACK,
                    // The hot world has no check fail that need not: a function that it counts finds all it needs.
                    () if pointers.checks(edge.indirect, callee) && instance.hot => callee.need.max(CHECK_STACK),
                    () if pointers.checks(edge.indirect, callee) => CHECK_STACK,
                    () => callee.need,
                };
                entry.saturating_add(aligning_stack(world, me, index, *to))
            }
            Node::Exit(_) | Node::Unavailable(_) => node.exit().map_or(0, |exit| exit.row().stack),
        };
        let targets = &instance.targets[index];
        if targets.iter().all(|node| matches!(node, Node::Instance(to) if inside.contains(to))) && edge.targets.is_some() {
            continue;
        }
        let below = targets.iter().map(below).max().unwrap_or(0).max(pointers.uncounted(edge.targets.is_some()));
        let pushed = if edge.kind == EdgeKind::Call { machine.call_size() as u32 } else { 0 };
        let depth = match edge.kind {
            // It has its frame all the time.
            _ if instance.joined.is_some() => frame,
            EdgeKind::Call => machine.lowered_call(own, instance.above, edge.depth),
            // Made at the stack pointer of the entry.
            EdgeKind::Tail => edge.depth,
        };
        deepest = deepest.max((depth + instance.pads[index] + pushed).saturating_add(below));
    }
    deepest
}

#[expect(clippy::too_many_arguments, reason = "what is known when an export is looked at")]
fn export_facts(
    object: &Object,
    program: &Program,
    machine: &dyn Machine,
    world: &World,
    pointers: &Pointers,
    export: &crate::load::Export,
    (root, aligned): (InstanceId, bool),
    limits: Limits,
) -> std::result::Result<ExportFacts, Diagnostic> {
    let shim = &world.instances[root];
    let reached = world.reached(root);
    let recursive: Vec<InstanceId> = reached.iter().copied().filter(|&i| world.instances[i].recursive).collect();
    let limited = shim.recursive || reached.iter().any(|&i| pointers.checked_from(world, &world.instances[i]));
    let align = match (shim.alignment, aligned) {
        (Some(_), _) => 64,
        (None, true) => 16,
        (None, false) => 8,
    };
    let glue = machine.entry_stack(align);
    let first = if shim.recursive { CHECK_STACK } else { shim.need };
    let needed = first.saturating_add(glue);
    let name = &export.schema.go_name;
    if machine.frame_pointer().is_some_and(|reg| shim.summary.clobbers >> reg & 1 != 0) {
        return Err(frame_pointer(object, program, machine, world, root, name));
    }
    let stated = export.schema.stack.map(|s| u32::try_from(s).unwrap_or(u32::MAX));
    // Functions that recurse only on the way to a panic (slicing a text to say why slicing it failed) need no budget: each
    // gets one level, and where that is not enough the check ends in a panic all the same.
    let one_each: u32 =
        recursive.iter().filter(|&&i| world.instances[i].doomed).map(|&i| world.instances[i].need).fold(0, u32::saturating_add);
    let needed = needed.saturating_add(one_each);
    let mut bound = needed;
    if let Some(&culprit) = recursive.iter().find(|&&i| !world.instances[i].doomed) {
        let Some(budget) = stated else {
            return Err(recursion(object, program, world, root, culprit, &export.schema.rust_path));
        };
        // Each level needs its own frame and what it calls below; less than one level is no budget.
        let level = recursive.iter().map(|&i| world.instances[i].need).max().unwrap_or(0);
        let least = needed.saturating_add(level);
        if budget < least {
            return Err(Diagnostic::new(
                Reason::StackLimit,
                format!(
                    "{name}: the stack budget of {} is smaller than the {} that one level of its recursion needs",
                    size(budget),
                    size(least)
                ),
            )
            .at(object.place(&object.functions[shim.function], 0))
            .hint(format!("state a larger one: #[rustgo::export(stack = \"{}k\")]", least.saturating_mul(4).div_ceil(1024))));
        }
        bound = budget;
    }
    // Who states a budget has decided on it.
    if u64::from(bound) > limits.max_stack.max(stated.unwrap_or(0).into()) {
        return Err(Diagnostic::new(
            Reason::StackLimit,
            format!(
                "{name} needs {} of stack, which is over the limit of {}",
                size(bound),
                size(u32::try_from(limits.max_stack).unwrap_or(u32::MAX))
            ),
        )
        .at(object.place(&object.functions[shim.function], 0))
        .chain(deepest_chain(object, program, world, root))
        .hint(format!("make the large frames smaller (pass buffers from Go), state a budget (#[rustgo::export(stack = \"{}k\")]), or raise the limit with --max-stack", bound.div_ceil(1024))));
    }
    let mut features = BTreeSet::new();
    let mut x87 = false;
    for &me in &reached {
        let instance = &world.instances[me];
        let function = &object.functions[instance.function];
        if let Ok(code) = &program.codes[instance.function] {
            for (at, inst) in code.insts.iter().enumerate() {
                if instance.summary.depths[at].is_some() {
                    machine.features(function, inst, &mut features);
                    x87 |= machine.uses_x87(function, inst);
                }
            }
        }
    }
    let fits = fits_nosplit(shim.need, export.schema.frame_size);
    // A table of labels needs one place for each.
    let has_labels = shim.summary.tables.values().any(|table| table.place.is_none());
    let fused = !limited && align == 8 && fits && !has_labels && !x87 && shim.joined.is_none();
    let can_panic = limited || reached.iter().any(|&i| world.edges(i).any(|(_, n)| matches!(n, Node::Exit(_))));
    Ok(ExportFacts {
        shim: root,
        bound,
        budget: stated.filter(|_| recursive.iter().any(|&i| !world.instances[i].doomed)),
        entry: if fused { EntryKind::Fused } else { EntryKind::Framed },
        align,
        limited,
        can_panic,
        x87,
        features,
    })
}

fn size(bytes: u32) -> String {
    match bytes {
        0 => "0 bytes".into(),
        bytes if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

/// What is emitted: hot functions in the order of discovery, then the panic world's.
fn emitted(world: &World) -> Vec<InstanceId> {
    let mut emitted = Vec::new();
    for hot in [true, false] {
        for me in world.instances.keys() {
            let instance = &world.instances[me];
            let carried = hot || (world.format_panic.is_some() && instance.summary.not_carried().is_none());
            if instance.hot == hot && world.canonical[&me] == me && carried {
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
    fn wrappers_count() {
        for (need, arguments, fits) in [
            (0, 0, true),
            (512, 0, true),
            (513, 0, false),
            (512, 132, true),
            (512, 140, false),
            (480, 144, true),
            (480, 192, false),
            (8, 384, true),
            (8, 392, false),
        ] {
            assert_eq!(fits_nosplit(need, arguments), fits, "{need} {arguments}");
        }
        assert!(!fits_nosplit(u32::MAX, u32::MAX));
    }
}

//! Decides which functions need SP aligned to 16, and which calls must go through an entry that aligns SP. Lowering generates these entries.
//!
//! Go keeps SP at multiples of 8; compilers assume multiples of 16. A *fused* entry contains the export's code and cannot align SP. So the analysis
//! demands an aligned SP only for code that can observe the alignment: code that makes the address of a local, masks or compares SP, or uses an
//! instruction that requires alignment. A function *needs* alignment if its own code or a callee's code observes the alignment. An export that does
//! not need alignment may run at any multiple of 8, and so may its callees.
//!
//! Code that formats a panic's message nearly always makes addresses of locals. A function that otherwise needs no alignment calls such code through
//! an entry that aligns SP. So only panics pay for the alignment.

use super::chain::link;
use super::graph::{InstanceId, Node};
use super::machine::Machine;
use super::pointers::Pointers;
use super::summary::EdgeKind;
use super::world::World;
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode};
use crate::load::Object;
use std::collections::{BTreeMap, BTreeSet};

/// The alignment of SP that compilers assume at calls, in bytes.
const CONVENTION: u32 = 16;

/// The functions that need SP aligned to 16, and the calls that align SP for their callee.
#[derive(Debug, Default)]
pub struct Alignment {
    /// The functions that need SP aligned to 16 on entry.
    pub needs: BTreeSet<InstanceId>,
    /// The calls and jumps that go through an entry which aligns SP for the callee, as (caller, index of the call or jump).
    pub realigned: BTreeSet<(InstanceId, usize)>,
}

/// Decides which functions need alignment, and which calls must go through an aligning entry. `hot` has the functions that run without a panic.
pub fn decide(object: &Object, program: &Program, machine: &dyn Machine, world: &World, hot: &[InstanceId]) -> Alignment {
    if machine.stack_alignment() >= CONVENTION {
        return Alignment::default();
    }
    let calls_aligned = calls_aligned(world);
    let mut needs: BTreeSet<InstanceId> = hot
        .iter()
        .copied()
        .filter(|&me| {
            let summary = &world.instances[me].summary;
            // A call through an unresolved pointer may reach a function outside of `hot`. Assume that this function needs alignment.
            let anywhere = summary.edges.iter().any(|edge| edge.targets.is_none());
            summary.observes_alignment || anywhere || calls_aligned(me) || assumes_alignment(object, program, machine, world, me)
        })
        .collect();
    // A function with an unresolved call is already in `needs`, so the sets of targets of the other functions are small.
    let mut callers: BTreeMap<InstanceId, Vec<(InstanceId, usize)>> = BTreeMap::new();
    for &me in hot.iter().filter(|me| !needs.contains(me)) {
        for (edge, to) in world.edges(me).filter_map(|(edge, node)| Some((edge, node.instance()?))) {
            callers.entry(to).or_default().push((me, edge));
        }
    }
    let mut queue: Vec<InstanceId> = needs.iter().copied().collect();
    while let Some(to) = queue.pop() {
        for &(me, edge) in callers.get(&to).into_iter().flatten() {
            if !needs.contains(&me) && !can_align(program, world, me, edge) {
                needs.insert(me);
                queue.push(me);
            }
        }
    }
    let shims = world.roots.values().copied().filter(|root| !needs.contains(root) && world.instances[*root].alignment.is_none());
    let mut loose: BTreeSet<InstanceId> = shims.collect();
    let mut stack: Vec<InstanceId> = loose.iter().copied().collect();
    let mut realigned = BTreeSet::new();
    while let Some(me) = stack.pop() {
        for (edge, node) in world.edges(me) {
            let Node::Instance(to) = *node else { continue };
            if needs.contains(&to) {
                realigned.insert((me, edge));
            } else if loose.insert(to) {
                stack.push(to);
            }
        }
    }
    Alignment { needs, realigned }
}

/// Returns a predicate: whether a function calls an exit (a function of `rt`) that relies on an aligned SP.
fn calls_aligned(world: &World) -> impl Fn(InstanceId) -> bool {
    let sets = world.sets_with(relies_on_alignment);
    move |me| world.instances[me].targets.iter().any(|&set| sets.contains(set))
}

fn relies_on_alignment(node: &Node) -> bool {
    matches!(node, Node::Exit(exit) if exit.row().aligned)
}

/// True if the call can go through an entry that aligns SP. It must be a direct call with a relocation, on the way to a panic, and the callee must
/// take no stack arguments. The caller's frame must keep SP aligned as the calling convention demands ([`keeps_alignment`]).
fn can_align(program: &Program, world: &World, me: InstanceId, index: usize) -> bool {
    let instance = &world.instances[me];
    let edge = &instance.summary.edges[index];
    let linked = program.codes[instance.function].as_ref().is_ok_and(|code| code.insts[edge.inst].reloc.is_some());
    let plain = |node: &Node| {
        let &Node::Instance(to) = node else { return false };
        let summary = &world.instances[to].summary;
        let takes = summary.stack_arguments || summary.reaches_up && edge.written > 0;
        world.instances[to].alignment.is_none() && !takes
    };
    let nodes = world.targets(me, index);
    instance.summary.doomed[edge.inst]
        && instance.alignment.is_none()
        && linked
        && !edge.indirect
        && keeps_alignment(world, me, index)
        && nodes.len() == 1
        && nodes.iter().all(plain)
}

/// True if SP is aligned at this call as the calling convention demands, provided that SP is aligned on entry to the caller.
fn keeps_alignment(world: &World, me: InstanceId, index: usize) -> bool {
    let instance = &world.instances[me];
    let edge = &instance.summary.edges[index];
    edge.kind == EdgeKind::Tail || (edge.depth + instance.pads[index]) % CONVENTION == 8
}

/// Refuses calls with a misaligned SP. The psABI demands SP ≡ 8 (mod 16) at the entry of every function, and the analysis assumes this. Compilers
/// obey the rule wherever it makes a difference. Hand-written code may break the rule when it calls a function of its own file. A call with a
/// misaligned SP is refused if the callee, or a function that the callee reaches, relies on the alignment.
pub fn misaligned_calls(
    object: &Object,
    program: &Program,
    machine: &dyn Machine,
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
) -> Vec<Diagnostic> {
    if machine.stack_alignment() >= CONVENTION {
        // The processor itself requires an aligned SP, so no check is needed.
        return Vec::new();
    }
    let calls_aligned = calls_aligned(world);
    let assuming = |&me: &InstanceId| {
        let instance = &world.instances[me];
        assumes_alignment(object, program, machine, world, me) || calls_aligned(me) || instance.alignment.is_some()
    };
    let mut leads: BTreeMap<InstanceId, bool> = BTreeMap::new();
    let mut found = Vec::new();
    for &me in emitted {
        let instance = &world.instances[me];
        let misaligned = (0..instance.targets.len()).filter(|&index| !keeps_alignment(world, me, index));
        for (index, node) in misaligned.flat_map(|index| pointers.reach(&world.sets, instance, index).map(move |node| (index, node))) {
            let assumed = match node {
                Node::Instance(to) => *leads.entry(*to).or_insert_with(|| world.reached(*to).iter().any(assuming)),
                Node::Exit(_) | Node::Unavailable(_) => relies_on_alignment(node),
            };
            if assumed {
                let call = link(object, program, world, me, Some(index));
                found.push(
                    Diagnostic::of(
                        ErrorCode::Unsupported,
                        call.place.clone(),
                        "calls with a stack pointer that is not a multiple of 16, and its callees rely on that alignment",
                    )
                    .hint("keep to the System V ABI: SP is a multiple of 16 before each call"),
                );
            }
        }
    }
    found
}

/// True if the function relies on the alignment of SP: it rounds SP or a frame address, or an instruction requires aligned memory and may access the
/// stack.
fn assumes_alignment(object: &Object, program: &Program, machine: &dyn Machine, world: &World, me: InstanceId) -> bool {
    let instance = &world.instances[me];
    instance.summary.assumes_alignment
        || program.codes[instance.function].as_ref().is_ok_and(|code| {
            let reached = code.insts.iter().zip(&instance.summary.depths).filter(|(_, depth)| depth.is_some());
            reached.into_iter().any(|(inst, _)| machine.needs_aligned_stack(&object.functions[instance.function], inst))
        })
}

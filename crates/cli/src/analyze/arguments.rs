//! Counts the stack arguments that an *aligning entry* must copy. Such an entry aligns SP before it calls a function. A pointer to a function that
//! aligns its frame holds the address of such an entry. Some direct calls with stack arguments also go through such an entry ([`World::copied`]).
//!
//! A function that aligns its frame is emitted for one value of SP modulo 64 or 128. A pointer to the function holds the address of an entry that
//! aligns SP and calls the function. The function expects its stack arguments directly above the return address of this call, so the entry copies the
//! arguments there. The entry copies every word that the function may access. If the function accesses words only at constant distances, the entry
//! copies the words up to the last such word. If the function makes addresses of its arguments, the entry copies as many words as any caller may
//! pass. If the function jumps to another function, both functions find their arguments in the same place, so the larger count applies. (A copy
//! suffices because the words belong to the callee, psABI §3.2.3: nothing reads the words after the return.)

use super::chain::link;
use super::contiguous_args::passed;
use super::graph::{InstanceId, Node, SetId};
use super::pointers::Pointers;
use super::summary::EdgeKind;
use super::world::World;
use crate::abi::{FORMATTER_ABOVE, TASK_ABOVE};
use crate::decode::Program;
use crate::diag::wall::Wall;
use crate::diag::{Diagnostic, ErrorCode};
use crate::load::Object;
use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of bytes of stack above the return address of an export's shim (the function that the export's entry calls): the entry's return
/// address, the frame pointer that the entry's Go caller saved, and the return address of this caller.
const ABOVE_EXPORT: u32 = 24;

/// The additional room that an exported entry leaves ([`AboveRoots::room`]) is a multiple of this number of bytes: the largest alignment of SP.
const ROOM: u32 = 128;

/// Maximum number of argument words that an entry copies: `rt` leaves room for this many words above the return address of the formatter of panic
/// messages.
const MAX_WORDS: u32 = FORMATTER_ABOVE / 8;

/// For each function, the number of stack argument words that the function, or a function that it jumps to, may access. If no emitted function
/// depends on the alignment of SP, no entry copies arguments, and all counts are 0.
pub type ArgumentWords = SecondaryMap<InstanceId, u32>;

/// Counts the stack argument words that each emitted function, or a function that it jumps to, may access.
pub fn count(world: &World, emitted: &[InstanceId], pointers: &Pointers) -> ArgumentWords {
    let mut counts = ArgumentWords::new();
    if !emitted.iter().any(|&me| world.instances[me].alignment.is_some()) {
        return counts;
    }
    let passed = passed(world, emitted, pointers, |_, edge| edge.passable);
    for &me in emitted {
        let summary = &world.instances[me].summary;
        let most = || passed.get(&me).map_or(0, |(bytes, _)| bytes.div_ceil(8));
        let words = summary.argument_words;
        counts[me] = if summary.any_argument || summary.reaches_up { words.max(most()) } else { words };
    }
    // The target of a jump may jump to a further function, so repeat until nothing changes. The counts only grow.
    loop {
        let mut grown = false;
        // For each set of targets, the largest count of its members.
        let mut known: BTreeMap<(SetId, bool), u32> = BTreeMap::new();
        for &me in emitted {
            let instance = &world.instances[me];
            let jumps = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].kind == EdgeKind::Tail);
            // `known` keeps a count for the rest of the round. If the count of a member grows meanwhile, `grown` is true, and another round follows
            // with an empty `known`.
            let most = |edge: usize, counts: &ArgumentWords| {
                let reached = pointers.reach(&world.sets, instance, edge).filter_map(Node::instance);
                reached.map(|to| counts[to]).max().unwrap_or(0)
            };
            let words = jumps
                .map(|edge| {
                    let key = (instance.targets[edge], instance.summary.edges[edge].targets.is_none());
                    *known.entry(key).or_insert_with(|| most(edge, &counts))
                })
                .fold(counts[me], u32::max);
            grown |= words != counts[me];
            counts[me] = words;
        }
        if !grown {
            return counts;
        }
    }
}

/// The number of bytes of stack above the return address of each root. The roots are the shims of the exports.
#[derive(Debug)]
pub struct AboveRoots {
    /// For each root, the number of bytes of stack above its return address, without the additional room.
    bytes: BTreeMap<InstanceId, u32>,
    /// For some roots, the number of bytes of additional room that the exported entry leaves.
    room: BTreeMap<InstanceId, u32>,
}

impl AboveRoots {
    /// Computes for each root how much stack lies above its return address, and how much room its exported entry must add ([`AboveRoots::room`]).
    ///
    /// An aligning entry copies all words that its function may access, even if the caller passes fewer. If the frames between a root and the call
    /// are small, some of these words may lie above the bytes of stack that exist above every root. Then the root's entry leaves more bytes.
    pub fn new(
        object: &Object,
        world: &World,
        emitted: &[InstanceId],
        pointers: &Pointers,
        counts: &ArgumentWords,
        stated: Option<u32>,
    ) -> AboveRoots {
        let mut roots = AboveRoots { bytes: BTreeMap::new(), room: BTreeMap::new() };
        for (id, &root) in &world.roots {
            let of_task = object.exports[id].schema.task.then_some(TASK_ABOVE);
            let bytes = stated.or(of_task).unwrap_or(ABOVE_EXPORT);
            roots.bytes.entry(root).and_modify(|least| *least = bytes.min(*least)).or_insert(bytes);
        }
        if stated.is_some() || emitted.iter().all(|&me| counts[me] == 0) {
            return roots;
        }
        let above = above(world, emitted, pointers, &roots);
        let copied: BTreeSet<InstanceId> = world.copied_targets().collect();
        let lacks = |&me: &InstanceId| {
            let is_pointed_to = world.instances[me].alignment.is_some() && pointers.addressed.contains(&world.instances[me].function);
            let copies = is_pointed_to || copied.contains(&me);
            let missing = (8 * counts[me]).saturating_sub(*above.get(&me)?);
            (copies && counts[me] <= MAX_WORDS && missing > 0).then_some((me, missing))
        };
        let lacking: BTreeMap<InstanceId, u32> = emitted.iter().filter_map(lacks).collect();
        if lacking.is_empty() {
            return roots;
        }
        for &root in roots.bytes.keys() {
            let missing = world.reached(root).iter().filter_map(|me| lacking.get(me)).max();
            roots.room.extend(missing.map(|missing| (root, missing.next_multiple_of(ROOM))));
        }
        roots
    }

    /// Returns the number of bytes of stack that the exported entry of a root leaves above the root's return address, in addition to the bytes that
    /// every entry leaves. The number is a multiple of every alignment of SP.
    pub fn room(&self, root: InstanceId) -> u32 {
        self.room.get(&root).copied().unwrap_or(0)
    }
}

/// Returns for each function the minimum number of bytes of stack above its return address, over all callers.
fn above(world: &World, emitted: &[InstanceId], pointers: &Pointers, roots: &AboveRoots) -> BTreeMap<InstanceId, u32> {
    let mut above: BTreeMap<InstanceId, u32> = roots.bytes.iter().map(|(&root, bytes)| (root, bytes + roots.room(root))).collect();
    above.extend(world.format_panic.map(|root| (root, FORMATTER_ABOVE)));
    // For each set of targets, the smallest result of `above_callee` over the calls handled so far. In `above`, no member of the set has a larger
    // number, so a call with an equal or larger result changes nothing.
    let mut least: BTreeMap<(SetId, bool), u32> = BTreeMap::new();
    // Repeat until nothing changes: when a caller's number of bytes falls, the numbers of its callees may fall too.
    loop {
        let mut fallen = false;
        for &me in emitted {
            let Some(&own) = above.get(&me) else { continue };
            let instance = &world.instances[me];
            for index in 0..instance.targets.len() {
                let bytes = above_callee(world, me, index, own);
                let known = least.entry((instance.targets[index], instance.summary.edges[index].targets.is_none())).or_insert(u32::MAX);
                if bytes >= *known {
                    continue;
                }
                *known = bytes;
                for to in pointers.reach(&world.sets, instance, index).filter_map(Node::instance) {
                    let known = above.entry(to).or_insert(u32::MAX);
                    fallen |= bytes < *known;
                    *known = bytes.min(*known);
                }
            }
        }
        if !fallen {
            return above;
        }
    }
}

/// Returns the number of bytes of stack above the callee's return address. The caller has `own` bytes above its own return address, and `edge` is the
/// index of the caller's call or jump.
fn above_callee(world: &World, me: InstanceId, edge: usize, own: u32) -> u32 {
    let edge = &world.instances[me].summary.edges[edge];
    match edge.kind {
        EdgeKind::Call => edge.depth.saturating_add(8).saturating_add(own),
        EdgeKind::Tail => own,
    }
}

/// Refuses functions whose stack arguments no entry can copy: their code depends on the alignment of SP, their address is taken, and they may access
/// more than [`MAX_WORDS`] words.
pub fn refuse(
    object: &Object,
    program: &Program,
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
    counts: &ArgumentWords,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for &me in emitted {
        let instance = &world.instances[me];
        let words = counts[me];
        if words <= MAX_WORDS
            || instance.alignment.is_none()
            || !pointers.addressed.contains(&instance.function)
            || !seen.insert(instance.function)
        {
            continue;
        }
        let function = &object.functions[instance.function];
        // An export's shim takes no stack arguments, so `me` is not a root. The chain of calls in the message can start at a root.
        let paths = world.roots.values().map(|&root| world.shortest_path(root, me));
        let shortest = paths.filter(|path| !path.is_empty()).min_by_key(Vec::len).unwrap_or_default();
        let mut chain: Vec<_> = shortest.into_iter().map(|(from, edge)| link(object, program, world, from, Some(edge))).collect();
        chain.push(link(object, program, world, me, None));
        let what = format!(
            "{} aligns its frame beyond 16 bytes, its address is taken, and it may access {words} words of arguments on the stack, more than {MAX_WORDS}",
            function.path
        );
        let refusal = Diagnostic::new(ErrorCode::Unsupported, what)
            .at(object.place(function, 0))
            .chain(chain)
            .hint("pass arguments that do not fit in registers by reference, or do not take the function's address");
        // Keep this hint even if rustc compiled the function, because the author can act on the hint.
        let mut refusal = if function.is_rust { refusal.wall(Wall::Limit) } else { refusal };
        // If the number of words comes from a caller, name this caller. The caller may intend the words for another function of the same type.
        if let Some(&(bytes, Some((from, _)))) = passed(world, emitted, pointers, |_, edge| edge.passable).get(&me)
            && bytes.div_ceil(8) == words
        {
            refusal = refusal.note(format!("{} may pass that many", object.functions[world.instances[from].function].path));
        }
        found.push(refusal);
    }
    found
}

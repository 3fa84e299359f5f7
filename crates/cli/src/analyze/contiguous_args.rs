//! Functions whose frame and arguments on the stack must be in one piece (arm64).
//!
//! Lowering puts a return address between a frame and what the caller passed above it. So the address where the two meet means one place
//! of the compiler's and two of ours. Compilers let go of it: gcc's `va_list` counts down from it to saved registers, and up to arguments.
//! Such a function gets a frame that is larger at its top, and copies its arguments there when it is entered. Then every distance from
//! SP on entry is what the compiler took it for. (The words belong to the callee, as they do with every compiler for AAPCS64: nobody
//! reads them when it has returned, and what the caller keeps for itself lies above them.)
//!
//! How many bytes to copy, the callers say: each passes no more than [`Summary::passes`], and what is jumped to finds what its caller was
//! passed. The copy reads as many bytes whoever calls, so a caller with a smaller frame gets room at its top, too.

use super::chain::link;
use super::graph::{InstanceId, Node};
use super::pointers::Pointers;
use super::summary::{Edge, EdgeKind, Summary};
use super::world::{Instance, World};
use crate::decode::Program;
use crate::diag::{Call, Diagnostic, ErrorCode};
use crate::load::Object;
use std::collections::BTreeMap;

/// More bytes than this no function copies. Callers get as much room, those that format messages too.
const MOST_BYTES: u32 = 4096;

/// Frames, and copies, are multiples of this, in bytes.
const GRAIN: u32 = 16;

impl Summary {
    /// Must its frame and its arguments on the stack be in one piece? It makes the address where they meet, and nobody knows which of
    /// them is meant.
    ///
    /// So must those of one that reaches arguments, and its frame by indexes: compilers take numbers from an index and put them into
    /// the address (gcc makes `a[i - 19]` an access 19 bytes below `a`), so either may be reached from an address of the other.
    pub fn is_joined(&self) -> bool {
        self.makes_boundary() || self.stack_arguments && self.indexes
    }

    fn makes_boundary(&self) -> bool {
        self.may_take_arguments() && self.joins || self.stack_arguments && !self.boundary.is_empty()
    }

    /// May it reach arguments on the stack? In a Rust function they are words that LLVM loads from constant distances (AAPCS64 passes no
    /// large structure in them), so there it is seen, and any other address is the frame's.
    pub fn may_take_arguments(&self) -> bool {
        self.stack_arguments || !self.is_rust
    }

    /// Why the panic world cannot have it, if it cannot. It never copies arguments: which of its functions are carried depends on nothing
    /// else. There, LLVM is taken to reach arguments only from where they begin.
    pub fn not_carried(&self) -> Option<String> {
        if self.needs_alignment {
            Some("aligns its frame beyond 16 bytes".into())
        } else if self.makes_boundary() || self.is_joined() && !self.is_llvm {
            Some("uses the address between its frame and its arguments, which is either's".into())
        } else {
            self.errors.first().map(|error| error.message.clone())
        }
    }

    /// Bytes of arguments that a call passes on the stack, at most. They are the callee's, so what the function must give back when it
    /// returns lies above them. Where nothing says less they may be all of its frame.
    pub fn passes(&self, edge: &Edge) -> u32 {
        let returned = |reg: usize| !self.doomed[edge.inst] && self.clobbers >> reg & 1 == 0;
        edge.kept.iter().filter(|(reg, _)| returned(**reg)).map(|(_, &above)| above).min().unwrap_or(edge.depth).min(edge.depth)
    }
}

/// What lowering makes of frames for the sake of arguments on the stack.
#[derive(Debug, Default)]
pub struct Joined {
    copied: BTreeMap<InstanceId, u32>,
    above: BTreeMap<InstanceId, u32>,
}

impl Joined {
    /// Bytes of its arguments on the stack that the function copies, so that they are in one piece with its frame; none where it need not.
    pub fn copied(&self, me: InstanceId) -> Option<u32> {
        self.copied.get(&me).copied()
    }

    /// Bytes that its frame is larger at its top, for them and for what it calls; none where it is the compiler's.
    pub fn above(&self, me: InstanceId) -> Option<u32> {
        self.above.get(&me).copied()
    }
}

/// What each of the emitted functions copies and how much larger its frame is. Refuses those that cannot.
pub fn join(object: &Object, program: &Program, world: &World, emitted: &[InstanceId], pointers: &Pointers) -> (Joined, Vec<Diagnostic>) {
    let concerned = |&me: &InstanceId| {
        let summary = &world.instances[me].summary;
        summary.is_joined() || summary.indexes
    };
    if !emitted.iter().any(concerned) {
        return (Joined::default(), Vec::new());
    }
    let most = passed(world, emitted, pointers, |instance, edge| instance.summary.passes(edge));
    let to_llvm = passed(world, emitted, pointers, |instance, edge| instance.summary.passes(edge).min(edge.written));
    let to_others = passed(world, emitted, pointers, |instance, edge| instance.summary.passes(edge).min(edge.passable));
    let mut found = Vec::new();
    let mut copied = BTreeMap::new();
    for &me in emitted {
        let summary = &world.instances[me].summary;
        let passed = match (summary.makes_boundary(), summary.is_llvm) {
            (true, _) => &most,
            (false, true) => &to_llvm,
            (false, false) => &to_others,
        };
        let (bytes, from) = passed.get(&me).copied().unwrap_or_default();
        let joins = summary.is_joined() || summary.indexes && summary.may_take_arguments() && bytes > 0;
        let hot = world.instances[me].hot;
        if !joins || !hot && summary.is_llvm {
            continue;
        }
        if !hot {
            found.push(refusal(
                object,
                program,
                world,
                me,
                from,
                "may reach arguments on the stack by an index, where a panic is formatted",
            ));
        }
        let bytes = bytes.max(world.instances[me].summary.argument_bytes).next_multiple_of(GRAIN);
        if bytes > MOST_BYTES {
            let message =
                format!("may be passed {bytes} bytes of arguments on the stack, more than {MOST_BYTES}, and hands on their address");
            found.push(refusal(object, program, world, me, from, &message).hint(
                "call it from a small function of its own: arguments may be all of the caller's frame, where nothing shows that they are less",
            ));
        }
        copied.insert(me, bytes);
    }
    let mut above = copied.clone();
    if !found.is_empty() {
        return (Joined { copied, above }, found);
    }
    let room = room(world, emitted, pointers, &copied);
    for &me in emitted {
        let instance = &world.instances[me];
        let calls = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].kind == EdgeKind::Call);
        let wanted = calls.map(|edge| wanted(world, &room, pointers, me, edge)).max().unwrap_or(0);
        let own = copied.get(&me).copied().unwrap_or(0);
        // Arguments are passed where SP is deepest, so all of the frame lies above them.
        let missing = wanted.saturating_sub(instance.summary.deepest.next_multiple_of(GRAIN) + own);
        if missing > 0 {
            above.insert(me, own + missing);
        }
    }
    for &root in world.roots.values().chain(&world.format_panic) {
        if let Some(&(bytes, of)) = room.get(&root)
            && bytes > 0
        {
            let what =
                format!("may be passed {bytes} bytes of arguments on the stack and hands on their address, and Go gets to it without");
            found.push(
                refusal(object, program, world, of, None, &what).hint("call it from a function that the export calls, not by a jump"),
            );
        }
    }
    (Joined { copied, above }, found)
}

/// By function: the most bytes of arguments on the stack that anybody passes, and who does, by which edge.
pub fn passed(
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
    bytes: impl Fn(&Instance, &Edge) -> u32,
) -> BTreeMap<InstanceId, (u32, Option<(InstanceId, usize)>)> {
    let mut passed: BTreeMap<InstanceId, (u32, Option<(InstanceId, usize)>)> = BTreeMap::new();
    // What is jumped to may jump on: the numbers only grow.
    loop {
        let mut grown = false;
        for &me in emitted {
            let instance = &world.instances[me];
            for (index, edge) in instance.summary.edges.iter().enumerate() {
                let (bytes, from) = match edge.kind {
                    EdgeKind::Call => (bytes(instance, edge), Some((me, index))),
                    EdgeKind::Tail => passed.get(&me).copied().unwrap_or_default(),
                };
                for node in pointers.reach(instance, index) {
                    if let Node::Instance(to) = node
                        && passed.get(to).is_none_or(|(known, _)| *known < bytes)
                    {
                        passed.insert(*to, (bytes, from));
                        grown = true;
                    }
                }
            }
        }
        if !grown {
            return passed;
        }
    }
}

/// By function: how many bytes above SP where it is entered must be part of the stack, for itself or for what it jumps to, and for which
/// of these.
fn room(
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
    copied: &BTreeMap<InstanceId, u32>,
) -> BTreeMap<InstanceId, (u32, InstanceId)> {
    let mut room: BTreeMap<InstanceId, (u32, InstanceId)> = copied.iter().map(|(&me, &bytes)| (me, (bytes, me))).collect();
    loop {
        let mut grown = false;
        for &me in emitted {
            let instance = &world.instances[me];
            let jumps = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].kind == EdgeKind::Tail);
            for node in jumps.flat_map(|edge| pointers.reach(instance, edge)) {
                if let Node::Instance(to) = node
                    && let Some(&(bytes, of)) = room.get(to)
                    && room.get(&me).is_none_or(|(known, _)| *known < bytes)
                {
                    room.insert(me, (bytes, of));
                    grown = true;
                }
            }
        }
        if !grown {
            return room;
        }
    }
}

/// Bytes that must lie above SP at this call.
fn wanted(world: &World, room: &BTreeMap<InstanceId, (u32, InstanceId)>, pointers: &Pointers, me: InstanceId, edge: usize) -> u32 {
    let reached = pointers.reach(&world.instances[me], edge).filter_map(|node| room.get(&node.instance()?));
    reached.map(|(bytes, _)| *bytes).max().unwrap_or(0)
}

fn refusal(object: &Object, program: &Program, world: &World, me: InstanceId, from: Option<(InstanceId, usize)>, what: &str) -> Diagnostic {
    let function = &object.functions[world.instances[me].function];
    let target = from.map_or(me, |(from, _)| from);
    let ways = world.roots.values().filter(|root| **root != target).map(|&root| world.way(root, target));
    let shortest = ways.filter(|way| !way.is_empty()).min_by_key(Vec::len).unwrap_or_default();
    let mut chain: Vec<Call> = shortest.into_iter().map(|(at, edge)| link(object, program, world, at, Some(edge))).collect();
    chain.extend(from.map(|(from, edge)| link(object, program, world, from, Some(edge))));
    chain.push(link(object, program, world, me, None));
    Diagnostic::of(ErrorCode::Unsupported, object.place(function, 0), what).chain(chain)
}

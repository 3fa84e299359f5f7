//! Finds the functions whose frame and stack arguments must be contiguous in memory (arm64), and how many bytes of arguments each must copy.
//! Lowering generates the copies.
//!
//! Lowering puts a return address between a frame and the arguments that the caller passed above the frame. For the compiler, the frame ends and the
//! arguments begin at one address; in lowered code these are two addresses. Some code uses this one address for both: gcc's `va_list` counts down
//! from the address to saved registers and up to arguments. Lowering enlarges the frame of such a function at its top, and the function copies its
//! arguments there on entry. Then the frame and the copy are contiguous, and all distances are as the compiler assumed. (A copy suffices because
//! stack arguments belong to the callee: every compiler for AAPCS64 assumes that the caller does not read stack arguments after the return. Words
//! that the caller needs later lie above the arguments.)
//!
//! The callers determine the number of copied bytes. A call passes at most [`Summary::passes`] bytes. A jump passes on the arguments of the function
//! that jumps. The copy has the same size for every caller. So if a caller's frame is smaller than the copy, the caller's frame also gets extra room
//! at its top.

use super::chain::link;
use super::graph::{InstanceId, Node, SetId};
use super::pointers::Pointers;
use super::summary::{Edge, EdgeKind, Summary};
use super::world::{Instance, World};
use crate::decode::Program;
use crate::diag::{Call, Diagnostic, ErrorCode};
use crate::load::Object;
use std::collections::{BTreeMap, VecDeque};

/// Maximum number of bytes that a function copies. Frames of callers may grow by this number too, even in functions that format the message of a
/// panic.
const MAX_BYTES: u32 = 4096;

/// The sizes of frames and copies are multiples of this number of bytes.
pub const GRAIN: u32 = 16;

impl Summary {
    /// True if the frame and the stack arguments must be contiguous: the function makes the address at which its frame ends and its arguments begin,
    /// and may access either area through this address.
    ///
    /// Also true if the function accesses stack arguments and indexes its frame. Compilers move the constant part of an index into the address: gcc
    /// compiles `a[i - 19]` as an access at index `i` from 19 bytes below `a`. So the function may reach arguments from a frame address, or the frame
    /// from an argument's address.
    pub fn needs_contiguous_args(&self) -> bool {
        self.loses_boundary() || self.stack_arguments && self.indexes
    }

    fn loses_boundary(&self) -> bool {
        self.may_take_arguments() && self.boundary_escapes || self.stack_arguments && !self.boundary.is_empty()
    }

    /// True if the function may access stack arguments. In a Rust function, LLVM loads stack arguments only from constant distances, because AAPCS64
    /// passes no large structure on the stack. The analysis sees every such access, and any other address belongs to the frame.
    pub fn may_take_arguments(&self) -> bool {
        self.stack_arguments || !self.is_rust
    }

    /// If the function runs only after a panic, returns the reason why a stub must replace it; `None` if there is no reason. Stubs are chosen before
    /// the copies of arguments are planned, so a function that runs only after a panic cannot copy its arguments. The analysis assumes that code
    /// compiled by LLVM reaches its arguments only from the address at which the arguments begin. So if such code indexes its frame, the index alone
    /// is no reason.
    pub fn exclusion_reason(&self) -> Option<String> {
        if self.needs_alignment {
            Some("aligns its frame beyond 16 bytes".into())
        } else if self.loses_boundary() || self.needs_contiguous_args() && !self.is_llvm {
            Some("uses the address between its frame and its arguments, which may refer to either".into())
        } else {
            self.errors.first().map(|error| error.message.clone())
        }
    }

    /// Returns an upper bound on the number of bytes of stack arguments at the call. The arguments begin at SP. The callee may overwrite the
    /// arguments, so the arguments end below every saved register that the function must restore after the call. If the function must restore none,
    /// the bound is the size of its whole frame.
    pub fn passes(&self, edge: &Edge) -> u32 {
        let returned = |reg: usize| !self.doomed[edge.inst] && self.clobbers >> reg & 1 == 0;
        edge.only_in_frame.iter().filter(|(reg, _)| returned(**reg)).map(|(_, &above)| above).min().unwrap_or(edge.depth).min(edge.depth)
    }

    /// Returns the bound of [`Summary::passes`]. For a function compiled by rustc, the bound is at most [`Edge::passable`]. Without this limit, all
    /// locals of a large frame would count as arguments.
    fn passes_most(&self, edge: &Edge) -> u32 {
        let bytes = self.passes(edge);
        if self.is_rust { bytes.min(edge.passable) } else { bytes }
    }
}

/// The changes of frames by which lowering makes frames and stack arguments contiguous.
#[derive(Debug, Default)]
pub struct ContiguousArgs {
    copied_bytes: BTreeMap<InstanceId, u32>,
    extra_frame: BTreeMap<InstanceId, u32>,
}

impl ContiguousArgs {
    /// Returns the number of bytes of stack arguments that the function copies to make them contiguous with its frame; `None` if it copies
    /// none.
    pub fn copied_bytes(&self, me: InstanceId) -> Option<u32> {
        self.copied_bytes.get(&me).copied()
    }

    /// Returns the number of bytes by which lowering enlarges the function's frame at the top: room for the function's own copy of its arguments, and
    /// room for callees that copy more bytes than the function passes. `None` if the frame is not enlarged.
    pub fn extra_frame(&self, me: InstanceId) -> Option<u32> {
        self.extra_frame.get(&me).copied()
    }
}

/// Computes for each emitted function how many bytes of arguments it copies, and how much its frame grows. Also returns an error for each function
/// whose arguments cannot be copied.
pub fn plan(
    object: &Object,
    program: &Program,
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
) -> (ContiguousArgs, Vec<Diagnostic>) {
    let concerned = |&me: &InstanceId| {
        let summary = &world.instances[me].summary;
        summary.needs_contiguous_args() || summary.indexes
    };
    if !emitted.iter().any(concerned) {
        return (ContiguousArgs::default(), Vec::new());
    }
    let most = passed(world, emitted, pointers, |instance, edge| instance.summary.passes_most(edge));
    let to_llvm = passed(world, emitted, pointers, |instance, edge| instance.summary.passes(edge).min(edge.written));
    let to_others = passed(world, emitted, pointers, |instance, edge| instance.summary.passes(edge).min(edge.passable));
    let mut found = Vec::new();
    let mut copied_bytes = BTreeMap::new();
    for &me in emitted {
        let summary = &world.instances[me].summary;
        let passed = match (summary.loses_boundary(), summary.is_llvm) {
            (true, _) => &most,
            (false, true) => &to_llvm,
            (false, false) => &to_others,
        };
        let (bytes, from) = passed.get(&me).copied().unwrap_or_default();
        let needs_copy = summary.needs_contiguous_args() || summary.indexes && summary.may_take_arguments() && bytes > 0;
        let hot = world.instances[me].hot;
        if !needs_copy || !hot && summary.is_llvm {
            continue;
        }
        if !hot {
            found.push(refusal(object, program, world, me, from, "may access stack arguments by an index while it formats a panic"));
        }
        let bytes = bytes.max(world.instances[me].summary.argument_bytes).next_multiple_of(GRAIN);
        if bytes > MAX_BYTES {
            let message =
                format!("may be passed {bytes} bytes of arguments on the stack, more than {MAX_BYTES}, and passes on their address");
            found.push(
                refusal(object, program, world, me, from, &message)
                    .hint("call it from a separate function with a small frame (#[inline(never)]): if the number of passed bytes is unknown, the caller's whole frame counts"),
            );
        }
        copied_bytes.insert(me, bytes);
    }
    let mut extra_frame = copied_bytes.clone();
    if !found.is_empty() {
        return (ContiguousArgs { copied_bytes, extra_frame }, found);
    }
    let room = room(world, emitted, pointers, &copied_bytes);
    let mut most = Most::default();
    for &me in emitted {
        let instance = &world.instances[me];
        let calls = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].kind == EdgeKind::Call);
        let wanted = calls.filter_map(|edge| most.of(world, &room, pointers, me, edge)).map(|(bytes, _)| bytes).max().unwrap_or(0);
        let own = copied_bytes.get(&me).copied().unwrap_or(0);
        // A function passes arguments when SP is lowest, so its whole frame lies above SP at such a call.
        let missing = wanted.saturating_sub(instance.summary.deepest.next_multiple_of(GRAIN) + own);
        if missing > 0 {
            extra_frame.insert(me, own + missing);
        }
    }
    for &root in world.roots.values().chain(&world.format_panic) {
        if let Some(&(bytes, of)) = room.get(&root)
            && bytes > 0
        {
            let what =
                format!("may be passed {bytes} bytes of arguments on the stack and passes on their address, but a Go caller passes none");
            found.push(
                refusal(object, program, world, of, None, &what).hint("call it from a function that the export calls, not by a jump"),
            );
        }
    }
    (ContiguousArgs { copied_bytes, extra_frame }, found)
}

/// Returns for each function the maximum number of bytes of stack arguments that a caller passes, and the call that passes them.
pub fn passed(
    world: &World,
    emitted: &[InstanceId],
    pointers: &Pointers,
    bytes: impl Fn(&Instance, &Edge) -> u32,
) -> BTreeMap<InstanceId, (u32, Option<(InstanceId, usize)>)> {
    let mut passed: BTreeMap<InstanceId, (u32, Option<(InstanceId, usize)>)> = BTreeMap::new();
    // For each set of targets, the largest number of bytes that a call to the set passes. In `passed`, each member of the set has at least this
    // number.
    let mut least: BTreeMap<(SetId, bool), u32> = BTreeMap::new();
    // The target of a jump may jump to a further function, so visit a function again when its number has grown.
    let mut queue: VecDeque<InstanceId> = emitted.iter().copied().collect();
    while let Some(me) = queue.pop_front() {
        let instance = &world.instances[me];
        for (index, edge) in instance.summary.edges.iter().enumerate() {
            let (bytes, from) = match edge.kind {
                EdgeKind::Call => (bytes(instance, edge), Some((me, index))),
                EdgeKind::Tail => passed.get(&me).copied().unwrap_or_default(),
            };
            let key = (instance.targets[index], edge.targets.is_none());
            if least.get(&key).is_some_and(|&known| known >= bytes) {
                continue;
            }
            least.insert(key, bytes);
            for to in pointers.reach(&world.sets, instance, index).filter_map(Node::instance) {
                if passed.get(&to).is_none_or(|(known, _)| *known < bytes) {
                    passed.insert(to, (bytes, from));
                    queue.extend(world.instances[to].summary.edges.iter().any(|edge| edge.kind == EdgeKind::Tail).then_some(to));
                }
            }
        }
    }
    passed
}

/// For each function, the number of bytes above SP on entry that a copy of arguments reads, and the function that makes the copy.
type Room = BTreeMap<InstanceId, (u32, InstanceId)>;

/// Returns for each function how many bytes above its SP on entry a copy of arguments reads, and which function makes the copy: the function itself,
/// or a function that it jumps to.
fn room(world: &World, emitted: &[InstanceId], pointers: &Pointers, copied: &BTreeMap<InstanceId, u32>) -> Room {
    let mut room: Room = copied.iter().map(|(&me, &bytes)| (me, (bytes, me))).collect();
    loop {
        let mut grown = false;
        // `most` keeps a number for the rest of the round, although the number may grow meanwhile. In that case another round follows.
        let mut most = Most::default();
        for &me in emitted {
            let instance = &world.instances[me];
            let jumps = (0..instance.targets.len()).filter(|&edge| instance.summary.edges[edge].kind == EdgeKind::Tail);
            for edge in jumps {
                if let Some((bytes, of)) = most.of(world, &room, pointers, me, edge)
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

/// For each set of targets, the largest `room` of its members, and the function that copies this number of bytes. Computed on demand.
#[derive(Default)]
struct Most(BTreeMap<(SetId, bool), Option<(u32, InstanceId)>>);

impl Most {
    /// Returns the largest `room` of the targets of a call or jump: the number of bytes of stack that must lie above SP at this call or jump.
    fn of(&mut self, world: &World, room: &Room, pointers: &Pointers, me: InstanceId, edge: usize) -> Option<(u32, InstanceId)> {
        let instance = &world.instances[me];
        let key = (instance.targets[edge], instance.summary.edges[edge].targets.is_none());
        *self.0.entry(key).or_insert_with(|| {
            let reached = pointers.reach(&world.sets, instance, edge).filter_map(|node| room.get(&node.instance()?).copied());
            reached.reduce(|most, next| if next.0 > most.0 { next } else { most })
        })
    }
}

fn refusal(object: &Object, program: &Program, world: &World, me: InstanceId, from: Option<(InstanceId, usize)>, what: &str) -> Diagnostic {
    let function = &object.functions[world.instances[me].function];
    let target = from.map_or(me, |(from, _)| from);
    let paths = world.roots.values().filter(|root| **root != target).map(|&root| world.shortest_path(root, target));
    let shortest = paths.filter(|path| !path.is_empty()).min_by_key(Vec::len).unwrap_or_default();
    let mut chain: Vec<Call> = shortest.into_iter().map(|(at, edge)| link(object, program, world, at, Some(edge))).collect();
    chain.extend(from.map(|(from, edge)| link(object, program, world, from, Some(edge))));
    chain.push(link(object, program, world, me, None));
    Diagnostic::of(ErrorCode::Unsupported, object.place(function, 0), what).chain(chain)
}

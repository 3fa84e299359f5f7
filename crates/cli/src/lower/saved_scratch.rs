//! Finds scratch registers that a function only saves and restores, for liveness.
//!
//! Hand-written code may push every register at its start and pop it at its end, also registers that its caller does
//! not expect to be preserved. Such a push reads no argument: the register is live on entry only if it is live at the
//! return. Without this rule such a function could not be entered through a stack check or a pointer, because the entry
//! before it uses a scratch register.

use crate::analyze::{Instance, Machine};
use crate::code::{Code, Convention, Flow, Set, StackUse, Uses};
use crate::load::Function;
use std::collections::BTreeSet;

/// The registers of [`Convention::undefined`] that the function preserves. Only for functions without calls, because a
/// callee could read the register.
pub fn find(machine: &dyn Machine, function: &Function, code: &Code, instance: &Instance, uses: &[Uses], convention: Convention) -> Set {
    let summary = &instance.summary;
    if !summary.edges.is_empty() {
        return 0;
    }
    // Stack accesses of the reachable instructions, with places relative to SP on entry.
    let mut places = Vec::new();
    for (at, depth) in summary.depths.iter().enumerate() {
        let Some(depth) = depth.map(i64::from) else { continue };
        match machine.stack_use(function, &code.insts[at]) {
            StackUse::None => {}
            StackUse::Push(reg) => places.push(Place { at, access: Access::Push(reg), top: -depth - 8, end: -depth }),
            StackUse::Pop(reg) => places.push(Place { at, access: Access::Pop(reg), top: -depth, end: 8 - depth }),
            StackUse::At(from, size) => {
                places.push(Place { at, access: Access::Other, top: from - depth, end: from - depth + size });
            }
            StackUse::Unknown => return 0,
        }
    }
    let candidates = (0..REGISTERS).filter(|reg| convention.undefined >> reg & 1 != 0);
    let kept = candidates.filter(|&reg| is_only_saved(reg, convention.with_parts(1 << reg), code, instance, uses, &places));
    kept.fold(0, |set, reg| set | convention.with_parts(1 << reg))
}

/// General registers of machines with push and pop.
const REGISTERS: usize = 16;

/// An access to the frame: the bytes from `top` up to `end`, relative to SP on entry.
struct Place {
    at: usize,
    access: Access,
    top: i64,
    end: i64,
}

#[derive(PartialEq, Eq)]
enum Access {
    Push(usize),
    Pop(usize),
    Other,
}

fn is_only_saved(reg: usize, parts: Set, code: &Code, instance: &Instance, uses: &[Uses], places: &[Place]) -> bool {
    // There is one push of the register, and its word is accessed otherwise only by pops back into it.
    let mut pushes = places.iter().filter(|place| place.access == Access::Push(reg));
    let (Some(push), None) = (pushes.next(), pushes.next()) else { return false };
    let touching = places.iter().filter(|place| place.at != push.at && place.top < push.end && push.top < place.end);
    let mut pops = BTreeSet::new();
    for place in touching {
        if place.access != Access::Pop(reg) || place.top != push.top {
            return false;
        }
        pops.insert(place.at);
    }
    // The push is the first use of the register and executes once; after a pop the register is not used again.
    let touches = |at: usize| (uses[at].reads | uses[at].writes) & parts != 0;
    let (before, after) =
        (reached(code, instance, vec![0], Some(push.at)), reached(code, instance, successors(code, instance, push.at), None));
    let restored = pops.iter().flat_map(|&pop| reached(code, instance, successors(code, instance, pop), None));
    !after.contains(&push.at) && !before.into_iter().chain(restored).any(touches)
}

/// The instructions on paths from `from` that do not pass through `until`.
fn reached(code: &Code, instance: &Instance, from: Vec<usize>, until: Option<usize>) -> BTreeSet<usize> {
    let (mut seen, mut queue) = (BTreeSet::new(), from);
    while let Some(at) = queue.pop() {
        if Some(at) != until && seen.insert(at) {
            queue.extend(successors(code, instance, at));
        }
    }
    seen
}

fn successors(code: &Code, instance: &Instance, at: usize) -> Vec<usize> {
    let mut next = Vec::new();
    if code.insts[at].flow != Flow::Return {
        instance.successors(code, at, |to| next.push(to));
    }
    next
}

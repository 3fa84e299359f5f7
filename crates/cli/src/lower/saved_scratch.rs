//! Finds the scratch registers that a function only saves and restores. The liveness analysis ([`super::live`]) uses the result.
//!
//! Hand-written code may push every register at its start and pop it at its end, even registers that a callee need not preserve. Such a push does not
//! mean that the caller passes a value in the register: the register is live on entry only if it is live at the function's return. Without this rule,
//! the register would always be live on entry. Then the function could not have an entry that checks or aligns the stack, because such an entry
//! overwrites a scratch register.

use crate::analyze::{Instance, Machine};
use crate::code::{Code, Convention, Flow, Set, StackUse, Uses};
use crate::load::Function;
use std::collections::BTreeSet;

/// Returns the registers of [`Convention::undefined`] that the function preserves. The result is empty for a function with calls, because a callee
/// could read the register.
pub fn find(machine: &dyn Machine, function: &Function, code: &Code, instance: &Instance, uses: &[Uses], convention: Convention) -> Set {
    let summary = &instance.summary;
    if !summary.edges.is_empty() {
        return 0;
    }
    // All accesses of reachable instructions to the frame, as offsets from the value of SP on entry.
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

/// The number of general registers on machines that have instructions for push and pop.
const REGISTERS: usize = 16;

/// An access of an instruction to bytes of the frame. `top` is the first byte and `end` the byte after the last, as offsets from the value of SP
/// on entry.
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
    // Require exactly one push of the register, and no accesses to the pushed word except pops back into this register.
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
    // Require that no instruction uses the register before the push or after a pop, and that the push executes only once.
    let touches = |at: usize| (uses[at].reads | uses[at].writes) & parts != 0;
    let (before, after) =
        (reached(code, instance, vec![0], Some(push.at)), reached(code, instance, successors(code, instance, push.at), None));
    let restored = pops.iter().flat_map(|&pop| reached(code, instance, successors(code, instance, pop), None));
    !after.contains(&push.at) && !before.into_iter().chain(restored).any(touches)
}

/// Returns the instructions that paths from `from` reach without passing through `until`.
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

//! Scratch registers that a function saves only to give them back.
//!
//! Hand-written code may push every register at its start and pop it at its end, also those that a caller does not expect to find again.
//! Then the push reads nothing that anybody has handed over: what the register held is live where the function is entered only if it is live
//! where the function returns. Without this rule such a function could not be checked for stack, or called through a pointer, because the
//! entry before it uses a scratch register.

use crate::analyze::{Instance, Machine};
use crate::code::{Code, Convention, Flow, Set, StackUse, Uses};
use crate::load::Function;
use std::collections::BTreeSet;

/// Those of [`Convention::undefined`] that the function keeps so. Only functions that call nothing are looked at: a callee could read one.
pub fn kept(machine: &dyn Machine, function: &Function, code: &Code, instance: &Instance, uses: &[Uses], convention: Convention) -> Set {
    let summary = &instance.summary;
    if !summary.edges.is_empty() {
        return 0;
    }
    // By instruction that is reached: what it does to the stack, with places counted from SP on entry downwards.
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
    let kept = candidates.filter(|&reg| is_kept(reg, convention.both(1 << reg), code, instance, uses, &places));
    kept.fold(0, |set, reg| set | convention.both(1 << reg))
}

/// General registers of the machines that have pushes and pops.
const REGISTERS: usize = 16;

/// An access to the frame: the bytes from `top` to before `end`, counted from SP on entry.
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

fn is_kept(reg: usize, parts: Set, code: &Code, instance: &Instance, uses: &[Uses], places: &[Place]) -> bool {
    // One push of it; its word is otherwise only popped, back into it.
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
    // The push is the first to touch the register, and happens once; behind a pop nothing touches it any more.
    let touches = |at: usize| (uses[at].reads | uses[at].writes) & parts != 0;
    let (before, after) = (reached(code, instance, vec![0], Some(push.at)), reached(code, instance, behind(code, instance, push.at), None));
    let restored = pops.iter().flat_map(|&pop| reached(code, instance, behind(code, instance, pop), None));
    !after.contains(&push.at) && !before.into_iter().chain(restored).any(touches)
}

/// The instructions to which ways lead from `from`, and not through `until`.
fn reached(code: &Code, instance: &Instance, from: Vec<usize>, until: Option<usize>) -> BTreeSet<usize> {
    let (mut seen, mut queue) = (BTreeSet::new(), from);
    while let Some(at) = queue.pop() {
        if Some(at) != until && seen.insert(at) {
            queue.extend(behind(code, instance, at));
        }
    }
    seen
}

fn behind(code: &Code, instance: &Instance, at: usize) -> Vec<usize> {
    let mut next = Vec::new();
    if code.insts[at].flow != Flow::Return {
        instance.successors(code, at, |to| next.push(to));
    }
    next
}

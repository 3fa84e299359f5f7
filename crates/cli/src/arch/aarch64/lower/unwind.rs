//! Lowers calls through which a panic may unwind: finds the places of the callee-saved registers, and writes the call's mark and record (see
//! `super::super::record`).
//!
//! The analysis follows the general registers. This module follows the lower halves of v8 to v15, which callees preserve too. Compilers save these
//! registers by stores of doublewords at SP. If a function changes such a register without such a store, and a call unwinds to the function's
//! callers, the function is refused.

use super::*;
use crate::analyze::{Unwound, Way};
use crate::arch::aarch64::record::{COUNT, GENERAL, Record, VECTORS};
use std::collections::BTreeMap;

/// The number of callee-saved vector registers.
const VECTOR_COUNT: usize = VECTORS.len();

/// The records of a function, and the state of its vector registers.
#[derive(Default)]
pub(super) struct Calls {
    pub records: Records,
    /// The state before each instruction. The outer `None` means that the states are not computed yet. The inner `None` means that the function
    /// changes no callee-saved vector register.
    vectors: Option<Option<BTreeMap<usize, Vectors>>>,
}

/// The places of the values that the callee-saved vector registers had on entry. A register is named by its index in [`VECTORS`].
#[derive(Clone, PartialEq, Eq)]
struct Vectors {
    /// True for each register that holds its value on entry.
    hold: [bool; VECTOR_COUNT],
    /// The words of the frame that hold such a value: for each word, its distance from SP on entry, and the register that had the value.
    words: BTreeMap<i64, usize>,
}

impl Vectors {
    const ON_ENTRY: Vectors = Vectors { hold: [true; VECTOR_COUNT], words: BTreeMap::new() };

    fn join(&self, other: &Vectors) -> Vectors {
        let hold = std::array::from_fn(|index| self.hold[index] && other.hold[index]);
        let words = self.words.iter().filter(|(at, index)| other.words.get(at) == Some(index)).map(|(&at, &index)| (at, index));
        Vectors { hold, words: words.collect() }
    }

    /// Applies an instruction. Before the instruction, the compiler's SP lies at the distance `sp` from SP on entry (0 or negative).
    fn step(&mut self, i: &Insn, sp: i64) {
        let before = self.clone();
        for (index, register) in VECTORS.iter().enumerate() {
            self.hold[index] &= i.vector_writes() >> register & 1 == 0;
        }
        let Some(access) = i.access().filter(|access| access.base == SP) else { return };
        let lowest = sp + if access.mode == Mode::Post { 0 } else { access.offset };
        if access.stores {
            self.words.retain(|&at, _| at + 8 <= lowest || at >= lowest + i64::from(access.size));
        }
        for (at, register) in [lowest, lowest + 8].into_iter().zip(i.doublewords()) {
            let Some(index) = VECTORS.iter().position(|&saved| Some(saved) == register) else { continue };
            if access.loads {
                self.hold[index] |= before.words.get(&at) == Some(&index);
            } else if before.hold[index] {
                self.words.insert(at, index);
            }
        }
    }

    /// Returns the place of each value: 0 for the register itself, or the distance from SP on entry of the highest word with the value (a negative
    /// number).
    fn places(&self) -> [Option<i64>; VECTOR_COUNT] {
        let word = |index| self.words.iter().rev().find(|&(&at, &saved)| saved == index && at < 0).map(|(&at, _)| at);
        std::array::from_fn(|index| if self.hold[index] { Some(0) } else { word(index) })
    }
}

/// True if an instruction of the function may write a callee-saved vector register.
fn changes_vectors(context: &FunctionContext<'_>) -> bool {
    let saved = VECTORS.iter().fold(0, |set, register| set | 1 << register);
    context.code.insts.iter().any(|inst| instruction(context.function, inst).vector_writes() & saved != 0)
}

/// Follows the vector registers through a function. Returns the state before each instruction that is reached.
fn vectors(context: &FunctionContext<'_>) -> BTreeMap<usize, Vectors> {
    let mut found: BTreeMap<usize, Vectors> = BTreeMap::new();
    let mut work = vec![(0, Vectors::ON_ENTRY)];
    while let Some((at, arrived)) = work.pop() {
        let Some(depth) = context.depth(at) else { continue };
        let now = found.get(&at).map_or_else(|| arrived.clone(), |known| known.join(&arrived));
        if found.get(&at) == Some(&now) {
            continue;
        }
        found.insert(at, now.clone());
        let inst = &context.code.insts[at];
        let mut after = now;
        if inst.role == Role::Plain {
            after.step(&instruction(context.function, inst), -i64::from(depth));
        }
        // Words below SP are lost: callees may overwrite them.
        let forget_below = |sp: u32, mut state: Vectors| {
            state.words.retain(|&at, _| at >= -i64::from(sp));
            state
        };
        let pad = context.instance.summary.landing_pad(at);
        let mut next = pad.into_iter().collect::<Vec<_>>();
        context.instance.successors(context.code, at, |to| next.push(to));
        work.extend(next.into_iter().filter_map(|to| Some((to, forget_below(context.depth(to)?, after.clone())))));
    }
    found
}

impl Body<'_, '_, '_> {
    /// Emits the mark of a call, and adds its record, if the call may unwind.
    pub(super) fn mark_call(&mut self, at: usize) -> Lowered<()> {
        let Some(unwound) = self.context.edge(at).and_then(|(edge, _)| edge.unwound.as_ref()) else { return Ok(()) };
        let pad = match unwound.way {
            Way::Ends => return Ok(()),
            Way::Leaves => return self.mark_exit(at, Some(unwound)),
            Way::Lands { pad, .. } => pad,
        };
        if self.context.depth(pad).map(|depth| self.lowered(depth)) != Some(self.tracked) {
            return Err(self.context.refuse(at, "has a landing pad with another stack pointer"));
        }
        // The landing pad runs in this frame, so the unwinder must not restore any register for it: `saved` is 0.
        let record = Record { frame: self.tracked as u32, ..Record::default() };
        self.push_mark(record, Some(pad));
        Ok(())
    }

    /// Emits the mark for a jump to another function that lowering has turned into a call.
    pub(super) fn mark_jump(&mut self, at: usize) -> Lowered<()> {
        if self.context.symbols.object.unwinds { self.mark_exit(at, None) } else { Ok(()) }
    }

    /// Refuses a return, or a jump to another function, at which a callee-saved vector register does not hold its value on entry. So every callee
    /// preserves these registers, and [`vectors`] need not follow calls.
    pub(super) fn check_vectors(&mut self, at: usize) -> Lowered<()> {
        if self.context.symbols.object.unwinds && self.vectors(at) != [Some(0); VECTOR_COUNT] {
            return Err(self.context.refuse(at, "does not keep the registers d8 to d15 of its caller, which a panic that unwinds needs"));
        }
        Ok(())
    }

    /// Emits the mark of a call that unwinds to the callers of this function. `unwound` has the places of the general registers. For a jump that
    /// lowering has turned into a call, `unwound` is `None`, because the general registers hold their values on entry there.
    fn mark_exit(&mut self, at: usize, unwound: Option<&Unwound>) -> Lowered<()> {
        let general = GENERAL.map(|register| match unwound {
            None => (self.context.instance.summary.lost == 0).then_some(0),
            Some(unwound) if unwound.kept >> register & 1 != 0 => Some(0),
            Some(unwound) => unwound.saved.get(&register).copied().filter(|&at| at < 0),
        });
        let mut places = general.into_iter().chain(self.vectors(at));
        // In lowered code, `spare` bytes of extra room lie between SP on entry and the compiler's frame, so the words of the frame lie lower by
        // `spare` bytes.
        let lowered = |place: i64| if place == 0 { 0 } else { self.spare - place };
        let saved: [Option<i64>; COUNT] = std::array::from_fn(|_| places.next().flatten().map(lowered));
        let record = Record::new(self.tracked as u32, saved).map_err(|what| self.context.refuse(at, what))?;
        self.push_mark(record, None);
        Ok(())
    }

    fn push_mark(&mut self, record: Record, pad: Option<Label>) {
        self.mark();
        self.pieces.push(Piece::Mark(self.calls.records.add(record, pad)));
    }

    fn vectors(&mut self, at: usize) -> [Option<i64>; VECTOR_COUNT] {
        let states = self.calls.vectors.get_or_insert_with(|| changes_vectors(&self.context).then(|| vectors(&self.context)));
        match states {
            None => Vectors::ON_ENTRY.places(),
            Some(states) => states.get(&at).map_or([None; VECTOR_COUNT], Vectors::places),
        }
    }
}

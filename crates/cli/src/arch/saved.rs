//! Follows the callee-saved registers of a function through its assembled code. For each instruction, this module computes which registers still hold
//! the caller's value, and which words of the frame hold a copy of such a value. The checks of both machines use this module. Each machine describes
//! the effect of its instructions as [`Step`]s.

/// The place of a word in the frame: the distance in bytes from SP on entry down to the word.
type Place = i64;

/// One instruction and its effect. A register is named by its index in a record (`record.rs` of each machine).
#[derive(Debug)]
pub struct Step {
    pub at: u32,
    /// Before the instruction, SP is lower than on entry by this number of bytes. Words below SP are lost.
    pub depth: Place,
    /// The registers that the instruction writes, one bit each.
    pub writes: u32,
    /// The place of the lowest byte that the instruction stores, and the number of bytes.
    pub stores: Option<(Place, i64)>,
    /// The whole registers that the instruction copies to or from words of the frame.
    pub moves: [Option<Move>; 2],
    /// The instruction after this one, if control may go on there.
    pub next: Option<u32>,
    /// The other places where control may go on: the target of a jump, and a landing pad (the code to which a panic unwinds).
    pub jumps: [Option<u32>; 2],
}

#[derive(Clone, Copy, Debug)]
pub enum Move {
    Save { register: usize, to: Place },
    Restore { register: usize, from: Place },
}

/// The state of the callee-saved registers before an instruction.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    /// The registers that hold their value on entry, one bit each.
    holds: u32,
    /// The words of the frame that hold a register's value on entry, in ascending order of their places, each with the register. Several words may
    /// hold one register's value, because hand-written code inside a function may save the register again.
    words: Vec<(Place, usize)>,
}

impl State {
    const ENTRY: State = State { holds: !0, words: Vec::new() };

    pub fn holds(&self, register: usize) -> bool {
        self.holds >> register & 1 != 0
    }

    /// True if the word at `place` holds the value that the register had on entry.
    pub fn has_saved(&self, register: usize, place: Place) -> bool {
        self.words.contains(&(place, register))
    }

    /// Returns the place of the highest word that holds the value that the register had on entry.
    pub fn place(&self, register: usize) -> Option<Place> {
        self.words.iter().find(|(_, saved)| *saved == register).map(|(place, _)| *place)
    }

    /// Removes the registers and words that `other`, the state of another path, does not have. Returns true if the state has changed.
    fn join(&mut self, other: &State) -> bool {
        let (held, saved) = (self.holds, self.words.len());
        self.holds &= other.holds;
        self.words.retain(|word| other.words.contains(word));
        (held, saved) != (self.holds, self.words.len())
    }

    /// Forgets the words below SP, because callees may overwrite them. `depth` is the place of SP.
    fn cut(&mut self, depth: Place) {
        while self.words.last().is_some_and(|&(place, _)| place > depth) {
            self.words.pop();
        }
    }

    fn step(&mut self, step: &Step) {
        let held = self.holds;
        self.holds &= !step.writes;
        for restored in step.moves.iter().flatten() {
            if let Move::Restore { register, from } = *restored
                && self.has_saved(register, from)
            {
                self.holds |= 1 << register;
            }
        }
        if let Some((lowest, size)) = step.stores {
            self.words.retain(|&(place, _)| place - 8 >= lowest || place <= lowest - size);
        }
        for saved in step.moves.iter().flatten() {
            if let Move::Save { register, to } = *saved
                && held >> register & 1 != 0
            {
                let index = self.words.partition_point(|&(place, _)| place < to);
                self.words.insert(index, (to, register));
            }
        }
    }
}

/// The instructions of a function, and the states at places where paths may meet.
struct Paths<'a> {
    steps: &'a [Step],
    /// True for each step at which paths may meet: the first step, the target of a jump, a landing pad, or the step after an instruction whose bytes
    /// overlap other instructions. (In `steps`, the overlapped instructions lie between this instruction and the step after it.)
    meet: Vec<bool>,
    /// For each step at which paths may meet, the state before the step; `None` if no path has reached it yet.
    states: Vec<Option<State>>,
}

impl Paths<'_> {
    fn new(steps: &[Step]) -> Paths<'_> {
        let mut paths = Paths { steps, meet: vec![false; steps.len()], states: vec![None; steps.len()] };
        for (index, step) in steps.iter().enumerate() {
            let apart = step.next.filter(|&next| !paths.is_adjacent(index, next));
            for to in step.jumps.into_iter().flatten().chain(apart) {
                if let Some(to) = paths.index_of(to) {
                    paths.meet[to] = true;
                }
            }
        }
        paths
    }

    fn index_of(&self, at: u32) -> Option<usize> {
        self.steps.binary_search_by_key(&at, |step| step.at).ok()
    }

    fn is_adjacent(&self, index: usize, next: u32) -> bool {
        self.steps.get(index + 1).is_some_and(|step| step.at == next)
    }

    /// Follows the path from the step `from` up to the next step at which paths may meet, and calls `visit` for each step of the path. Returns the
    /// steps where control goes on, each with the state there: the targets of the path's jumps, and the step after the path. Does nothing if no
    /// path has reached `from` yet.
    fn walk(&self, from: usize, mut visit: impl FnMut(&Step, &State)) -> Vec<(usize, State)> {
        let mut arrived = Vec::new();
        let Some(mut state) = self.states[from].clone() else { return arrived };
        for (index, step) in self.steps.iter().enumerate().skip(from) {
            state.cut(step.depth);
            visit(step, &state);
            state.step(step);
            arrived.extend(step.jumps.into_iter().flatten().filter_map(|to| self.index_of(to)).map(|to| (to, state.clone())));
            let Some(next) = step.next else { break };
            if !self.is_adjacent(index, next) || self.meet[index + 1] {
                arrived.extend(self.index_of(next).map(|to| (to, state)));
                break;
            }
        }
        arrived
    }

    /// Joins `state` into the known state before the step `to`. Returns true if the known state has changed.
    fn arrive(&mut self, to: usize, mut state: State) -> bool {
        state.cut(self.steps[to].depth);
        match &mut self.states[to] {
            Some(known) => known.join(&state),
            unknown => unknown.replace(state).is_none(),
        }
    }
}

/// Computes the state before each instruction, as a fixed point over all paths from `first`, and calls `visit` for each reached instruction.
/// `steps` are in ascending order. A path ends at an instruction that is not in `steps`.
pub fn follow(steps: &[Step], first: u32, mut visit: impl FnMut(&Step, &State)) {
    let mut paths = Paths::new(steps);
    let Some(first) = paths.index_of(first) else { return };
    paths.meet[first] = true;
    paths.arrive(first, State::ENTRY);
    let mut work = vec![first];
    while let Some(from) = work.pop() {
        for (to, state) in paths.walk(from, |_, _| {}) {
            if paths.arrive(to, state) {
                work.push(to);
            }
        }
    }
    for from in 0..steps.len() {
        paths.walk(from, &mut visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVE: Move = Move::Save { register: 0, to: 8 };
    const RESTORE: Move = Move::Restore { register: 0, from: 8 };

    fn step(at: u32, depth: Place, next: Option<u32>, jump: Option<u32>) -> Step {
        Step { at, depth, writes: 0, stores: None, moves: [None; 2], next, jumps: [jump, None] }
    }

    fn changes(at: u32, next: u32) -> Step {
        Step { writes: 1, ..step(at, 8, Some(next), None) }
    }

    fn saves(at: u32, next: u32) -> Step {
        Step { stores: Some((8, 8)), moves: [Some(SAVE), None], ..step(at, 8, Some(next), None) }
    }

    /// Returns, for each reached instruction, its offset, whether register 0 holds its value on entry, and the place of the word with this value.
    fn states(steps: &[Step]) -> Vec<(u32, bool, Option<Place>)> {
        let mut states = Vec::new();
        follow(steps, 0, |step, state| states.push((step.at, state.holds(0), state.place(0))));
        states.sort_unstable();
        states
    }

    #[test]
    fn a_path_has_its_places() {
        let restores = Step { writes: 1, moves: [Some(RESTORE), None], ..step(2, 8, Some(3), None) };
        let path = [saves(0, 1), changes(1, 2), restores, step(3, 0, None, None)];
        assert_eq!(states(&path), [(0, true, None), (1, true, Some(8)), (2, false, Some(8)), (3, true, None)]);
    }

    /// If an instruction of a loop changes a register or a saved word, the states of all instructions of the loop show the change.
    #[test]
    fn loops_are_followed_until_nothing_changes() {
        let path = [saves(0, 1), step(1, 8, Some(2), None), step(2, 8, Some(3), Some(4)), changes(3, 4), step(4, 8, None, Some(1))];
        let state = |at| (at, false, Some(8));
        assert_eq!(states(&path), [(0, true, None), state(1), state(2), state(3), state(4)]);
        let overwrites = Step { stores: Some((4, 1)), ..step(3, 8, Some(4), None) };
        let path = [saves(0, 1), step(1, 8, Some(2), None), step(2, 8, Some(3), Some(4)), overwrites, step(4, 8, None, Some(1))];
        assert_eq!(states(&path), [(0, true, None), (1, true, None), (2, true, None), (3, true, None), (4, true, None)]);
    }

    /// Step 0 is an instruction with a prefix, and step 1 is the same instruction without its prefix. Step 2 jumps to step 1.
    #[test]
    fn overlapping_instructions_are_followed() {
        let path = [step(0, 8, Some(2), None), changes(1, 2), step(2, 8, Some(3), Some(1)), step(3, 8, None, None)];
        assert_eq!(states(&path), [(0, true, None), (1, false, None), (2, false, None), (3, false, None)]);
    }

    #[test]
    fn words_below_sp_are_lost() {
        // At the landing pad (2), SP is 8 bytes higher than at the call (1).
        let call = Step { jumps: [None, Some(2)], ..step(1, 8, None, None) };
        assert_eq!(states(&[saves(0, 1), call, step(2, 0, None, None)]), [(0, true, None), (1, true, Some(8)), (2, true, None)]);
    }
}

//! Complete automata (DFAs) for short texts. The crate's engines first take a cache and choose among several automata. Both steps take longer than a
//! DFA takes for a short text.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

/// The length in bytes of the longest text for which these automata are used.
pub const LONGEST: usize = 96;

/// The largest size of a DFA in bytes.
const SIZE_LIMIT: usize = 64 << 10;

type Dfa = dense::DFA<Vec<u32>>;

pub struct Small {
    forward: Dfa,
    /// The state at the beginning of a text.
    first: StateID,
    /// The idle bytes. They lead from `first` to `idling`, and from `idling` to itself.
    idle: [bool; 256],
    idling: StateID,
    /// A DFA that searches backwards from the end of a match for its beginning; `None` if each match begins at the start of the text.
    reverse: Option<Dfa>,
}

impl Small {
    /// Builds the automata; `None` if they would be too large.
    pub fn new(hirs: &[Hir], anchored: bool) -> Option<Small> {
        let forward = dfa(hirs, false, if anchored { StartKind::Anchored } else { StartKind::Unanchored })?;
        let first = forward.start_state_forward(&Input::new("").anchored(kind(anchored))).ok()?;
        let reverse = if anchored { None } else { Some(dfa(hirs, true, StartKind::Anchored)?) };
        let (idle, idling) = idle(&forward, first);
        Some(Small { forward, first, idle, idling, reverse })
    }

    /// Returns the state after the idle bytes at the beginning of a text, and the number of these bytes.
    #[inline]
    fn begin(&self, text: &[u8]) -> (StateID, usize) {
        match text.iter().position(|&byte| !self.idle[usize::from(byte)]) {
            Some(0) => (self.first, 0),
            at => (if text.is_empty() { self.first } else { self.idling }, at.unwrap_or(text.len())),
        }
    }

    #[inline]
    pub fn is_match(&self, text: &[u8]) -> bool {
        let (mut state, at) = self.begin(text);
        for &byte in &text[at..] {
            state = self.forward.next_state(state, byte);
            if self.forward.is_special_state(state) {
                if self.forward.is_match_state(state) {
                    return true;
                }
                if self.forward.is_dead_state(state) {
                    return false;
                }
            }
        }
        self.forward.is_match_state(self.forward.next_eoi_state(state))
    }

    /// Returns the start and the end of the first match that begins at or after `at`.
    #[inline]
    pub fn find(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let (mut state, from) = if at == 0 {
            self.begin(text)
        } else {
            let anchored = kind(self.reverse.is_none());
            (self.forward.start_state_forward(&Input::new(text).range(at..).anchored(anchored)).ok()?, at)
        };
        let mut end = None;
        'walk: {
            for (i, &byte) in text.iter().enumerate().skip(from) {
                state = self.forward.next_state(state, byte);
                if self.forward.is_special_state(state) {
                    // A DFA reports a match one byte after the match's end.
                    if self.forward.is_match_state(state) {
                        end = Some(i);
                    } else if self.forward.is_dead_state(state) {
                        break 'walk;
                    }
                }
            }
            if self.forward.is_match_state(self.forward.next_eoi_state(state)) {
                end = Some(text.len());
            }
        }
        let end = end?;
        let Some(reverse) = &self.reverse else { return Some((at, end)) };
        if end == at {
            return Some((at, end));
        }
        let input = Input::new(text).range(at..end).anchored(Anchored::Yes);
        let mut state = reverse.start_state_reverse(&input).ok()?;
        let mut start = end;
        for i in (at..end).rev() {
            state = reverse.next_state(state, text[i]);
            if reverse.is_special_state(state) {
                if reverse.is_match_state(state) {
                    start = i + 1;
                } else if reverse.is_dead_state(state) {
                    return Some((start, end));
                }
            }
        }
        state = match at.checked_sub(1) {
            Some(before) => reverse.next_state(state, text[before]),
            None => reverse.next_eoi_state(state),
        };
        if reverse.is_match_state(state) {
            start = at;
        }
        Some((start, end))
    }
}

/// Returns the idle bytes of [`Small`], and the state after them.
fn idle(forward: &Dfa, first: StateID) -> ([bool; 256], StateID) {
    let after = |state, byte: usize| forward.next_state(state, byte as u8);
    let idling = after(first, 0);
    if forward.is_special_state(idling) {
        return ([false; 256], first);
    }
    (core::array::from_fn(|byte| after(first, byte) == idling && after(idling, byte) == idling), idling)
}

fn kind(anchored: bool) -> Anchored {
    if anchored { Anchored::Yes } else { Anchored::No }
}

fn dfa(hirs: &[Hir], reverse: bool, start: StartKind) -> Option<Dfa> {
    let nfa = thompson::Config::new().which_captures(thompson::WhichCaptures::None).reverse(reverse).nfa_size_limit(Some(SIZE_LIMIT));
    let nfa = thompson::Compiler::new().configure(nfa).build_many_from_hir(hirs).ok()?;
    let dfa = dense::Config::new()
        .accelerate(false)
        .start_kind(start)
        .match_kind(if reverse { MatchKind::All } else { MatchKind::LeftmostFirst })
        .dfa_size_limit(Some(SIZE_LIMIT))
        .determinize_size_limit(Some(4 * SIZE_LIMIT));
    dense::Builder::new().configure(dfa).build_from_nfa(&nfa).ok()
}

//! Complete automata for short texts. The engines of the crate choose, prepare and hand on, which takes longer than to walk through some
//! bytes; and they need a cache.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

/// The longest text that they are used for.
pub const LONGEST: usize = 96;

/// After so many searches in short texts they are made.
pub const AFTER: u32 = 16;

/// The most memory for each.
const SIZE_LIMIT: usize = 64 << 10;

type Dfa = dense::DFA<Vec<u32>>;

pub struct Small {
    forward: Dfa,
    /// Where a search at the beginning of a text starts.
    first: StateID,
    /// Bytes that change nothing where a search starts,
    idle: [bool; 256],
    /// behind the first of them.
    idling: StateID,
    /// From the end of a match to its beginning; `None` if that is the beginning of the text.
    reverse: Option<Dfa>,
}

impl Small {
    /// `None` if they would be too large.
    pub fn new(hirs: &[Hir], anchored: bool) -> Option<Small> {
        let forward = dfa(hirs, false, if anchored { StartKind::Anchored } else { StartKind::Unanchored })?;
        let first = forward.start_state_forward(&Input::new("").anchored(kind(anchored))).ok()?;
        let reverse = if anchored { None } else { Some(dfa(hirs, true, StartKind::Anchored)?) };
        let (idle, idling) = idle(&forward, first);
        Some(Small { forward, first, idle, idling, reverse })
    }

    /// Where a walk begins that starts at the beginning: the state, and how many bytes are behind it.
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

    /// The first match from there on.
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
                    // A state says so one byte later.
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

/// The bytes after which a search that starts there is in the same state as after the first of them.
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

//! Finds the number of bytes of a text on which the result of a search depends.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input};
use regex_syntax::hir::Hir;

/// A lazy automaton that reads every byte, like a search for the leftmost match without a prefilter. It reaches its dead state at the last byte that
/// can change the match.
pub struct Reach(DFA);

impl Reach {
    /// Builds the automaton; `None` if it would be too large.
    pub fn new(hirs: &[Hir]) -> Option<Reach> {
        let config = thompson::Config::new().which_captures(thompson::WhichCaptures::None).nfa_size_limit(Some(crate::engine::SIZE_LIMIT));
        let nfa = thompson::Compiler::new().configure(config).build_many_from_hir(hirs).ok()?;
        Some(Reach(DFA::builder().build_from_nfa(nfa).ok()?))
    }

    pub fn cache(&self) -> Cache {
        self.0.create_cache()
    }

    /// Returns the number of bytes on which the match depends; `None` if the number exceeds `most`, or if the automaton gives up.
    pub fn of(&self, cache: &mut Cache, text: &[u8], most: usize) -> Option<usize> {
        let input = Input::new(text).anchored(Anchored::No);
        let mut state = self.0.start_state_forward(cache, &input).ok()?;
        for (at, &byte) in text.iter().enumerate().take(most) {
            state = self.0.next_state(cache, state, byte).ok()?;
            if state.is_dead() {
                return Some(at + 1);
            }
        }
        None
    }
}

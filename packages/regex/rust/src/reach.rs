//! How far a search looks.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input};
use regex_syntax::hir::Hir;

/// A lazy automaton that walks through a text as a search for the leftmost match does, only without skipping anything, and so dies where
/// nothing behind can change the match any more.
pub struct Reach(DFA);

impl Reach {
    /// `None` if the automaton would be too large.
    pub fn new(hirs: &[Hir]) -> Option<Reach> {
        let config = thompson::Config::new().which_captures(thompson::WhichCaptures::None).nfa_size_limit(Some(super::SIZE_LIMIT));
        let nfa = thompson::Compiler::new().configure(config).build_many_from_hir(hirs).ok()?;
        Some(Reach(DFA::builder().build_from_nfa(nfa).ok()?))
    }

    pub fn cache(&self) -> Cache {
        self.0.create_cache()
    }

    /// How many bytes a search looks at; `None` if these are more than `most`, or it is too costly to say.
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

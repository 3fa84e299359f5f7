//! The search engines of the crate for one program, with the caches for their searches.

use crate::caches::Caches;
use regex_automata::MatchKind;
use regex_automata::meta::{BuildError, Config, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_syntax::hir::Hir;

/// The size limit of an automaton (NFA) in bytes, the same as in the crate regex.
pub const SIZE_LIMIT: usize = 10 << 20;

/// The capacity in bytes of the cache of a lazy automaton.
const CACHE_LIMIT: usize = 16 << 20;

pub struct Engine {
    pub regex: Regex,
    pub caches: Caches,
}

/// The kind of matches that an engine reports.
#[derive(Clone, Copy)]
pub struct Kind {
    pub groups: bool,
    pub set: bool,
    /// True if the engine must leave out empty matches inside characters, which takes time for each match.
    pub whole_characters: bool,
}

impl Engine {
    /// Builds all engines from which the crate can choose. They search fast, but take long to build.
    pub fn full(hirs: &[Hir], kind: Kind) -> Result<Engine, BuildError> {
        Engine::new(hirs, kind.config())
    }

    /// Builds only the engines that need no further automata. They search slowly, but take little time to build.
    pub fn light(hirs: &[Hir], kind: Kind) -> Result<Engine, BuildError> {
        Engine::new(hirs, kind.config().auto_prefilter(false).onepass(false).hybrid(false).dfa(false))
    }

    fn new(hirs: &[Hir], config: Config) -> Result<Engine, BuildError> {
        let regex = Regex::builder().configure(config).build_many_from_hir(hirs)?;
        Ok(Engine { regex, caches: Caches::new() })
    }
}

impl Kind {
    fn config(self) -> Config {
        Config::new()
            .match_kind(if self.set { MatchKind::All } else { MatchKind::LeftmostFirst })
            .which_captures(if self.groups { WhichCaptures::All } else { WhichCaptures::Implicit })
            .utf8_empty(self.whole_characters)
            .nfa_size_limit(Some(SIZE_LIMIT))
            .hybrid_cache_capacity(CACHE_LIMIT)
    }
}

//! The engines of the crate regex for regex.go, which has Go's interface and parses the patterns.

mod caches;
mod code;
mod reach;
mod small;

use caches::{Cache, Caches};
use code::Empty;
use reach::Reach;
use regex_automata::meta::{BuildError, Config, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, MatchKind, PatternSet};
use regex_syntax::hir::{Hir, Look};
use small::Small;
use std::sync::OnceLock;

/// A pattern, or several at once, ready to search. Any number of threads may use it at a time.
#[rustgo::object(name = "program")]
pub struct Program {
    regex: Regex,
    caches: Caches,
    /// Two for the match and two for each group.
    slots: usize,
    /// [`code::Patterns::lossy`].
    lossy: bool,
    /// [`code::Patterns::empty`].
    empty: Empty,
    /// Whether this is a set: its matches are not leftmost-first.
    set: bool,
    /// Whether a match can only begin where the text does.
    anchored: bool,
    hirs: Vec<Hir>,
    reach: OnceLock<Option<Reach>>,
    /// Made when it is worth it.
    small: OnceLock<Option<Box<Small>>>,
}

/// The automaton takes at most so many bytes, as in the crate regex.
const SIZE_LIMIT: usize = 10 << 20;

/// The lazy automata of a search take at most so many, as in the crate regex.
const CACHE_LIMIT: usize = 16 << 20;

/// What a search says: that there is no match,
pub const NONE: u8 = 0;
/// that there is one,
pub const FOUND: u8 = 1;
/// or that the text is not UTF-8, and Go may see another match.
pub const LOSSY: u8 = 2;

#[rustgo::export(stack = "256k", blocking_over = 65536)]
impl Program {
    /// newProgram compiles a code that has one pattern or several. A search reports so many groups; 0 for a set.
    #[rustgo::export(name = "newProgram", stack = "4m", blocking_over = 256)]
    pub fn new(code: &[u32], groups: usize, set: bool) -> Result<Program, String> {
        let code::Patterns { hirs, empty, lossy } = code::decode(code).ok_or("damaged code")?;
        let config = Config::new()
            .match_kind(if set { MatchKind::All } else { MatchKind::LeftmostFirst })
            .which_captures(if groups > 0 { WhichCaptures::All } else { WhichCaptures::Implicit })
            // Keeps empty matches out of characters, at a cost for each match.
            .utf8_empty(empty > Empty::AtBoundaries)
            .nfa_size_limit(Some(SIZE_LIMIT))
            .hybrid_cache_capacity(CACHE_LIMIT);
        let regex = Regex::builder().configure(config).build_many_from_hir(&hirs).map_err(explain)?;
        let anchored = hirs.iter().all(|hir| hir.properties().look_set_prefix().contains(Look::Start));
        let (caches, reach, small) = (Caches::new(), OnceLock::new(), OnceLock::new());
        if set {
            // Its matches are not leftmost-first.
            let _ = small.set(None);
        }
        Ok(Program { regex, caches, slots: 2 * (groups + 1), lossy, empty, set, anchored, hirs, reach, small })
    }

    /// isMatch says whether there is a match.
    #[rustgo::export(name = "isMatch")]
    pub fn is_match(&self, text: &[u8]) -> u8 {
        if self.empty == Empty::Everywhere {
            return FOUND;
        }
        if let Some(small) = self.small(text) {
            let found = small.is_match(text);
            return if !found && self.lossy && !is_utf8(text, text.len()) { LOSSY } else { u8::from(found) };
        }
        let mut cache = self.caches.take(&self.regex);
        let found = match self.empty {
            // The search for the earliest end of a match drops the matches that it has begun when it comes to an empty match inside a
            // character: it would not find `é` for `\B|é`. The search for the leftmost match ends there only if no match has begun.
            Empty::NoWordBoundary if self.set => self.overlapping(&mut cache, text).len() > 0,
            Empty::NoWordBoundary => self.regex.search_half_with(&mut cache.search, &Input::new(text)).is_some(),
            _ => self.regex.search_half_with(&mut cache.search, &Input::new(text).earliest(true)).is_some(),
        };
        // A match of the engines is one for Go too.
        if found || !self.lossy { u8::from(found) } else { self.confirm(&mut cache, text, None) }
    }

    /// find says where the first match is.
    #[rustgo::export(name = "find", results(start, end, said))]
    pub fn find(&self, text: &[u8]) -> (usize, usize, u8) {
        if let Some(small) = self.small(text) {
            return match small.find(text, 0) {
                _ if self.lossy && !is_utf8(text, text.len()) => (0, 0, LOSSY),
                Some((start, end)) => (start, end, FOUND),
                None => (0, 0, NONE),
            };
        }
        let mut cache = self.caches.take(&self.regex);
        let found = self.regex.search_with(&mut cache.search, &Input::new(text));
        let (start, end) = found.map_or((0, 0), |found| (found.start(), found.end()));
        let said = if self.lossy { self.confirm(&mut cache, text, found.map(|_| end)) } else { u8::from(found.is_some()) };
        (start, end, said)
    }

    /// findGroups says where the first match and its groups are: -1 where a group has taken no part.
    #[rustgo::export(name = "findGroups")]
    pub fn find_groups(&self, text: &[u8], found: &mut [isize]) -> u8 {
        let mut input = Input::new(text);
        if let Some(small) = self.small(text) {
            if self.lossy && !is_utf8(text, text.len()) {
                return LOSSY;
            }
            // Where a match can only begin at the beginning, the engine that finds the groups sees as soon whether there is one.
            if !self.anchored {
                let Some((start, end)) = small.find(text, 0) else { return NONE };
                input = input.range(start..end);
            }
            input = input.anchored(Anchored::Yes);
        }
        let mut cache = self.caches.take(&self.regex);
        let (mut few, mut many) = ([None; FEW], Vec::new());
        let slots = slots(&mut few, &mut many, self.slots);
        let any = self.regex.search_slots_with(&mut cache.search, &input, slots).is_some();
        put(found, slots);
        if !self.lossy {
            return u8::from(any);
        }
        let end = slots[1].filter(|_| any).map(NonMaxUsize::get);
        self.confirm(&mut cache, text, end)
    }

    /// The automata for short texts, if the text is short. They do not know where characters begin, so they are of no use for a match of
    /// the empty string among others than ASCII.
    #[inline]
    fn small(&self, text: &[u8]) -> Option<&Small> {
        if text.len() > small::LONGEST || self.empty > Empty::AtBoundaries && !text.is_ascii() {
            return None;
        }
        match self.small.get() {
            Some(small) => small.as_deref(),
            None => self.make_small(),
        }
    }

    #[cold]
    fn make_small(&self) -> Option<&Small> {
        let mut cache = self.caches.take(&self.regex);
        cache.short += 1;
        if cache.short < small::AFTER {
            return None;
        }
        self.small.get_or_init(|| Small::new(&self.hirs, self.anchored).map(Box::new)).as_deref()
    }

    /// Whether Go would see the same in this text: a match that ends there, or none.
    fn confirm(&self, cache: &mut Cache, text: &[u8], end: Option<usize>) -> u8 {
        let said = u8::from(end.is_some());
        // Where a match ends far before the text does, a whole loop of searches may do so: then nobody should look at all of the text
        // each time.
        let far = text.len() / 16;
        let known = text.len() < 4096 || end.is_none() && !self.anchored || end > Some(far);
        let reach = if known { None } else { self.reach(cache, text, far) };
        if is_utf8(text, reach.unwrap_or(text.len())) { said } else { LOSSY }
    }

    #[cold]
    fn reach(&self, cache: &mut Cache, text: &[u8], most: usize) -> Option<usize> {
        let reach = self.reach.get_or_init(|| Reach::new(&self.hirs)).as_ref()?;
        reach.of(cache.reach.get_or_insert_with(|| reach.cache()), text, most)
    }

    /// findAll finds the matches from at on, as Go counts them: an empty one right behind another is none. previous is the end of the match
    /// before, or -1. It writes as many as there are, fit into found, and are wanted: the match and its groups, -1 where a group has taken
    /// no part. It returns how many these are, and at and previous for the next call; an at behind the end of the text if there is none. The
    /// first call returns a previous of -2 if the text is not UTF-8 and Go may see other matches.
    #[rustgo::export(name = "findAll", results(count, next, last))]
    pub fn find_all(&self, text: &[u8], at: usize, previous: isize, wanted: usize, found: &mut [isize]) -> (usize, usize, isize) {
        if self.lossy && previous == -1 && !is_utf8(text, text.len()) {
            return (0, 0, -2);
        }
        let (mut at, mut previous, mut count) = (at, previous, 0);
        let small = self.small(text);
        let mut cache = (small.is_none() || self.slots > 2).then(|| self.caches.take(&self.regex));
        let mut input = Input::new(text);
        let mut room = found.chunks_exact_mut(self.slots).take(wanted);
        // Room is taken when a match is known to count.
        let Some(mut to) = room.next() else { return (0, at, previous) };
        let (mut few, mut many) = ([None; FEW], Vec::new());
        let slots = slots(&mut few, &mut many, self.slots);
        while at <= text.len() {
            let (start, end) = match (&mut cache, small) {
                (None, Some(small)) => {
                    let Some(found) = small.find(text, at) else { break };
                    found
                }
                (Some(cache), _) if self.slots == 2 => {
                    input.set_start(at);
                    let Some(found) = self.regex.search_with(&mut cache.search, &input) else { break };
                    (found.start(), found.end())
                }
                (Some(cache), _) => {
                    if let Some(small) = small {
                        let Some((start, end)) = small.find(text, at) else { break };
                        input.set_range(start..end);
                        input.set_anchored(Anchored::Yes);
                    } else {
                        input.set_start(at);
                    }
                    if self.regex.search_slots_with(&mut cache.search, &input, slots).is_none() {
                        break;
                    }
                    let [Some(start), Some(end), ..] = slots[..] else { break };
                    (start.get(), end.get())
                }
                (None, None) => break,
            };
            let counts = end != at || start as isize != previous;
            at = if end == at { at + width(&text[at..]) } else { end };
            previous = end as isize;
            if counts {
                if self.slots > 2 {
                    put(to, slots);
                }
                (to[0], to[1]) = (start as isize, end as isize);
                count += 1;
                to = match room.next() {
                    Some(next) => next,
                    None => return (count, at, previous),
                };
            }
        }
        (count, text.len() + 1, previous)
    }

    /// matches sets the elements of matched whose patterns match anywhere, and returns how many these are; -1 if the text is not UTF-8 and Go
    /// may see others.
    #[rustgo::export(name = "matches")]
    pub fn matches(&self, text: &[u8], matched: &mut [bool]) -> isize {
        if self.lossy && !is_utf8(text, text.len()) {
            return -1;
        }
        let set = self.overlapping(&mut self.caches.take(&self.regex), text);
        for pattern in set.iter() {
            matched[pattern.as_usize()] = true;
        }
        set.len() as isize
    }

    /// The patterns of a set that match anywhere in the text.
    fn overlapping(&self, cache: &mut Cache, text: &[u8]) -> PatternSet {
        let mut set = PatternSet::new(self.regex.pattern_len());
        self.regex.which_overlapping_matches_with(&mut cache.search, &Input::new(text), &mut set);
        set
    }
}

/// Up to so many slots lie on the stack.
const FEW: usize = 32;

type Slots = [Option<NonMaxUsize>];

fn slots<'a>(few: &'a mut [Option<NonMaxUsize>; FEW], many: &'a mut Vec<Option<NonMaxUsize>>, number: usize) -> &'a mut Slots {
    match few.get_mut(..number) {
        Some(slots) => slots,
        None => {
            many.resize(number, None);
            many
        }
    }
}

fn put(found: &mut [isize], slots: &Slots) {
    for (to, slot) in found.iter_mut().zip(slots) {
        *to = slot.map_or(-1, |at| at.get() as isize);
    }
}

/// Whether the text is UTF-8 up to there. A character that ends behind it is not looked at.
fn is_utf8(text: &[u8], end: usize) -> bool {
    let looked_at = &text[..text.len().min(end + 3)];
    if looked_at.len() <= small::LONGEST && looked_at.is_ascii() {
        return true;
    }
    simdutf8::basic::from_utf8(looked_at).is_ok() || core::str::from_utf8(looked_at).is_err_and(|error| error.valid_up_to() >= end)
}

fn explain(error: BuildError) -> String {
    match error.size_limit() {
        Some(limit) => format!("the compiled pattern exceeds the limit of {} MiB", limit >> 20),
        None => error.to_string(),
    }
}

/// How far it is to the next character; a byte that is not UTF-8 counts as one. 1 at the end.
fn width(text: &[u8]) -> usize {
    let length = match text.first() {
        None | Some(..0xc2) => return 1,
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..) => 4,
    };
    let whole = text.get(..length).is_some_and(|character| core::str::from_utf8(character).is_ok());
    if whole { length } else { 1 }
}

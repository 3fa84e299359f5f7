//! The engines of the crate regex, for regex.go, which has the interface of Go's package regexp and parses the patterns.
//!
//! Compiling a pattern builds little. A search that needs more returns [`UNPREPARED`]; then Go calls [`Program::prepare`] and searches again. So
//! the recursive builders run only on a large stack, and in calls that Go's scheduler knows to be long.
//!
//! | built | when | for |
//! |---|---|---|
//! | a light engine | at the first search | some first searches |
//! | [`Small`] | after some searches in short texts | texts of up to [`small::LONGEST`] bytes |
//! | the full engine | after some other searches, or for a long text | all other texts |
//! | [`Reach`] | when a match ends early in a long text | text that may not be UTF-8 |

mod caches;
mod code;
mod engine;
mod reach;
mod small;

use caches::Cache;
use code::Empty;
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use engine::{Engine, Kind};
use reach::Reach;
use regex_automata::meta::{BuildError, Regex};
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, PatternSet};
use regex_syntax::hir::{Hir, Look};
use small::Small;
use std::sync::OnceLock;

/// program is the compiled code of one or several patterns. Any number of threads may use it at the same time.
#[rustgo::object(name = "program")]
pub struct Program {
    hirs: Vec<Hir>,
    kind: Kind,
    /// The number of positions in a match: two for the match itself and two for each group.
    slots: usize,
    /// The value of [`code::Patterns::lossy`].
    lossy: bool,
    /// The value of [`code::Patterns::empty`].
    empty: Empty,
    /// True if a match can begin only at the start of the text.
    anchored: bool,
    /// The engine for the first searches; `None` if the program gets the full engine at once.
    light: OnceLock<Option<Box<Engine>>>,
    /// The automata for short texts; `None` if they are too large.
    small: OnceLock<Option<Box<Small>>>,
    full: OnceLock<Box<Engine>>,
    /// The automaton that finds how much of a text affects a match; `None` if it is too large.
    reach: OnceLock<Option<Reach>>,
    /// The work of the light engine so far: [`SEARCH`] for each search, plus one for each byte of its text.
    work: AtomicUsize,
    /// The parts that `prepare` must build, as bits: [`WANTED_LIGHT`] and the constants after it.
    wanted: AtomicU8,
}

const WANTED_LIGHT: u8 = 1;
const WANTED_SMALL: u8 = 2;
const WANTED_FULL: u8 = 4;
const WANTED_REACH: u8 = 8;

/// The most work for the light engine: 16 searches, or one search in a text of 3,840 bytes. This work takes about as long as building the other
/// automata.
const LIGHT_WORK: usize = 4096;
const SEARCH: usize = 256;

/// Result of a search: there is no match.
pub const NONE: u8 = 0;
/// Result of a search: there is a match.
pub const FOUND: u8 = 1;
/// Result of a search: the text is not UTF-8, so Go's regexp may give a different result. The caller must search by Go's regexp.
pub const LOSSY: u8 = 2;
/// Result of a search: the caller must call `prepare` and search again.
pub const UNPREPARED: u8 = 3;

#[rustgo::export(stack = "256k", blocking_over = 65536)]
impl Program {
    /// newProgram compiles the code of one or several patterns. groups is the number of groups that a search reports, 0 for a set. The error says
    /// that the code is damaged or that a pattern is too large.
    #[rustgo::export(name = "newProgram", stack = "4m", blocking_over = 256)]
    pub fn new(code: &[u32], groups: usize, set: bool) -> Result<Program, String> {
        let code::Patterns { hirs, empty, lossy, size } = code::decode(code).ok_or("damaged code")?;
        let kind = Kind { groups: groups > 0, set, whole_characters: empty > Empty::AtBoundaries };
        let anchored = hirs.iter().all(|hir| hir.properties().look_set_prefix().contains(Look::Start));
        let program = Program {
            kind,
            slots: 2 * (groups + 1),
            lossy,
            empty,
            anchored,
            light: OnceLock::new(),
            small: OnceLock::new(),
            full: OnceLock::new(),
            reach: OnceLock::new(),
            work: AtomicUsize::new(0),
            wanted: AtomicU8::new(0),
            hirs,
        };
        if set {
            // A set needs all matches, and Small finds only leftmost-first matches. The light engine is slow for many patterns.
            let _ = program.small.set(None);
            let _ = program.light.set(None);
        } else if let [hir] = &program.hirs[..]
            && hir.properties().is_literal()
        {
            // The full engine of a literal searches for a substring, and is quick to build. So the light engine is not needed.
            let _ = program.light.set(None);
        }
        if size > engine::SIZE_LIMIT as u64 {
            // The automaton may exceed the limit. Only its builder knows, so build it now.
            let full = Engine::full(&program.hirs, kind).map_err(explain)?;
            let _ = program.full.set(Box::new(full));
        }
        Ok(program)
    }

    /// prepare builds the parts that the last searches lacked.
    #[rustgo::export(name = "prepare", stack = "4m", blocking)]
    pub fn prepare(&self) {
        let wanted = self.wanted.swap(0, Relaxed);
        if wanted & WANTED_LIGHT != 0 {
            self.light.get_or_init(|| Engine::light(&self.hirs, self.kind).ok().map(Box::new));
        }
        if wanted & WANTED_SMALL != 0 {
            self.small.get_or_init(|| Small::new(&self.hirs, self.anchored).map(Box::new));
        }
        if wanted & WANTED_FULL != 0 {
            // `new` has found an upper bound of the size below the limit, or has built the engine.
            self.full.get_or_init(|| Box::new(Engine::full(&self.hirs, self.kind).expect("an automaton below the limit")));
        }
        if wanted & WANTED_REACH != 0 {
            self.reach.get_or_init(|| Reach::new(&self.hirs));
        }
    }

    /// isMatch searches for any match. The result is FOUND, NONE, LOSSY or UNPREPARED.
    #[rustgo::export(name = "isMatch")]
    pub fn is_match(&self, text: &[u8]) -> u8 {
        if self.empty == Empty::Everywhere {
            return FOUND;
        }
        if let Some(small) = self.small(text) {
            let found = small.is_match(text);
            return if !found && self.lossy && !is_utf8(text, text.len()) { LOSSY } else { u8::from(found) };
        }
        let Some(Engine { regex, caches }) = self.engine(text) else { return UNPREPARED };
        let mut cache = caches.take(regex);
        let found = match self.empty {
            // A search for the earliest end of a match stops at an empty match inside a character, and drops the matches that have begun. So it would
            // not find `é` for `\B|é`. A search for the leftmost match stops at an empty match only if no other match has begun.
            Empty::NoWordBoundary if self.kind.set => !overlapping(regex, &mut cache, text).is_empty(),
            Empty::NoWordBoundary => regex.search_half_with(&mut cache.search, &Input::new(text)).is_some(),
            _ => regex.search_half_with(&mut cache.search, &Input::new(text).earliest(true)).is_some(),
        };
        // Go finds a match wherever these engines find one.
        if found || !self.lossy { u8::from(found) } else { self.confirm(&mut cache, text, None) }
    }

    /// find returns the start and the end of the first match, in bytes. said is FOUND, NONE, LOSSY or UNPREPARED.
    #[rustgo::export(name = "find", results(start, end, said))]
    pub fn find(&self, text: &[u8]) -> (usize, usize, u8) {
        if let Some(small) = self.small(text) {
            return match small.find(text, 0) {
                _ if self.lossy && !is_utf8(text, text.len()) => (0, 0, LOSSY),
                Some((start, end)) => (start, end, FOUND),
                None => (0, 0, NONE),
            };
        }
        let Some(Engine { regex, caches }) = self.engine(text) else { return (0, 0, UNPREPARED) };
        let mut cache = caches.take(regex);
        let found = regex.search_with(&mut cache.search, &Input::new(text));
        let (start, end) = found.map_or((0, 0), |found| (found.start(), found.end()));
        let said = if self.lossy { self.confirm(&mut cache, text, found.map(|_| end)) } else { u8::from(found.is_some()) };
        (start, end, said)
    }

    /// findGroups writes the positions of the first match and of its groups to found, -1 for a group that took no part. The result is FOUND, NONE,
    /// LOSSY or UNPREPARED.
    #[rustgo::export(name = "findGroups")]
    pub fn find_groups(&self, text: &[u8], found: &mut [isize]) -> u8 {
        let mut input = Input::new(text);
        if let Some(small) = self.small(text) {
            if self.lossy && !is_utf8(text, text.len()) {
                return LOSSY;
            }
            // An engine for groups sees quickly that no match begins at the start of the text. So an anchored pattern does not need Small first.
            if !self.anchored {
                let Some((start, end)) = small.find(text, 0) else { return NONE };
                input = input.range(start..end);
            }
            input = input.anchored(Anchored::Yes);
        }
        let Some(Engine { regex, caches }) = self.engine(text) else { return UNPREPARED };
        let mut cache = caches.take(regex);
        let (mut few, mut many) = ([None; FEW], Vec::new());
        let slots = slots(&mut few, &mut many, self.slots);
        let any = regex.search_slots_with(&mut cache.search, &input, slots).is_some();
        put(found, slots);
        if !self.lossy {
            return u8::from(any);
        }
        let end = slots[1].filter(|_| any).map(NonMaxUsize::get);
        self.confirm(&mut cache, text, end)
    }

    /// Returns the automata for short texts if they are built and suit the text. They would report empty matches inside characters. So a pattern with
    /// such matches uses them only for ASCII texts.
    #[inline]
    fn small(&self, text: &[u8]) -> Option<&Small> {
        let small = self.small.get()?.as_deref();
        if text.len() > small::LONGEST || self.empty > Empty::AtBoundaries && !text.is_ascii() { None } else { small }
    }

    /// Returns the engine for a text; `None` if the engine must be prepared.
    #[inline]
    fn engine(&self, text: &[u8]) -> Option<&Engine> {
        match self.full.get() {
            Some(full) if text.len() > small::LONGEST || self.small.get().is_some() => Some(full),
            _ => self.first_engine(text.len()),
        }
    }

    /// Returns the engine for one of the first searches; `None` if the engine must be prepared.
    #[cold]
    fn first_engine(&self, length: usize) -> Option<&Engine> {
        let work = SEARCH.saturating_add(length);
        let first = work <= LIGHT_WORK && self.work.fetch_add(work, Relaxed) <= LIGHT_WORK - work;
        let (full, light) = (self.full.get(), self.light.get());
        let wanted = match (full, light) {
            (Some(full), _) if first => return Some(full),
            (None, Some(Some(light))) if first => return Some(light),
            (None, None) if first => WANTED_LIGHT,
            _ if !first && length <= small::LONGEST && self.small.get().is_none() => WANTED_SMALL,
            (Some(full), _) => return Some(full),
            _ => WANTED_FULL,
        };
        self.wanted.fetch_or(wanted, Relaxed);
        None
    }

    /// Returns the result of a search whose first match ends at `end`, or that found no match. The result is [`LOSSY`] if Go's regexp may give
    /// another one, and [`UNPREPARED`] if the check needs [`Reach`] first.
    fn confirm(&self, cache: &mut Cache, text: &[u8], end: Option<usize>) -> u8 {
        let said = u8::from(end.is_some());
        // A check of the whole rest of the text would make a loop of searches, each in the rest of the text, take quadratic time.
        let far = text.len() / 16;
        let known = text.len() < 4096 || end.is_none() && !self.anchored || end > Some(far);
        let reach = match self.reach.get() {
            _ if known => None,
            Some(reach) => reach.as_ref().and_then(|reach| reach.of(cache.reach.get_or_insert_with(|| reach.cache()), text, far)),
            None => {
                self.wanted.fetch_or(WANTED_REACH, Relaxed);
                return UNPREPARED;
            }
        };
        if is_utf8(text, reach.unwrap_or(text.len())) { said } else { LOSSY }
    }

    /// findAll searches from the offset at on, and writes the matches to found: at most wanted matches, and no more than found has room for. Each
    /// match is written with its groups, -1 for a group that took no part. As in Go, an empty match directly after another match does not count.
    /// previous is the end of the previous match, or -1. findAll returns the number of matches, and the values of at and previous for the next call.
    /// The new at exceeds the length of the text if no match is left. If the text is not UTF-8 and Go's regexp must search, the new previous is -2.
    /// If prepare must be called first, it is -3.
    #[rustgo::export(name = "findAll", results(count, next, last))]
    pub fn find_all(&self, text: &[u8], at: usize, previous: isize, wanted: usize, found: &mut [isize]) -> (usize, usize, isize) {
        if self.lossy && previous == -1 && !is_utf8(text, text.len()) {
            return (0, 0, -2);
        }
        let (mut at, mut previous, mut count) = (at, previous, 0);
        let small = self.small(text);
        let mut engine = None;
        if small.is_none() || self.slots > 2 {
            let Some(Engine { regex, caches }) = self.engine(text) else { return (0, at, -3) };
            engine = Some((regex, caches.take(regex)));
        }
        let mut input = Input::new(text);
        let mut room = found.chunks_exact_mut(self.slots).take(wanted);
        // A match that does not count is overwritten by the next match.
        let Some(mut to) = room.next() else { return (0, at, previous) };
        let (mut few, mut many) = ([None; FEW], Vec::new());
        let slots = slots(&mut few, &mut many, self.slots);
        while at <= text.len() {
            let (start, end) = match (&mut engine, small) {
                (None, Some(small)) => {
                    let Some(found) = small.find(text, at) else { break };
                    found
                }
                (Some((regex, cache)), _) if self.slots == 2 => {
                    input.set_start(at);
                    let Some(found) = regex.search_with(&mut cache.search, &input) else { break };
                    (found.start(), found.end())
                }
                (Some((regex, cache)), _) => {
                    if let Some(small) = small {
                        let Some((start, end)) = small.find(text, at) else { break };
                        input.set_range(start..end);
                        input.set_anchored(Anchored::Yes);
                    } else {
                        input.set_start(at);
                    }
                    if regex.search_slots_with(&mut cache.search, &input, slots).is_none() {
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

    /// matches sets to true the elements of matched whose patterns match anywhere in the text, and returns the number of these patterns. It returns
    /// -1 if the text is not UTF-8 and Go may find other matches, and -3 if prepare must be called first. It panics if matched has no element for a
    /// pattern that matches.
    #[rustgo::export(name = "matches")]
    pub fn matches(&self, text: &[u8], matched: &mut [bool]) -> isize {
        if self.lossy && !is_utf8(text, text.len()) {
            return -1;
        }
        let Some(Engine { regex, caches }) = self.engine(text) else { return -3 };
        let set = overlapping(regex, &mut caches.take(regex), text);
        for pattern in set.iter() {
            matched[pattern.as_usize()] = true;
        }
        set.len() as isize
    }
}

/// Returns the patterns of a set that match anywhere in the text.
fn overlapping(regex: &Regex, cache: &mut Cache, text: &[u8]) -> PatternSet {
    let mut set = PatternSet::new(regex.pattern_len());
    regex.which_overlapping_matches_with(&mut cache.search, &Input::new(text), &mut set);
    set
}

/// The largest number of positions for which the stack has room; more positions go to the heap.
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

/// True if the text is UTF-8 up to `end`. A character that begins before `end` must be complete, even if it ends after `end`.
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

/// Returns the length in bytes of the first character; 1 for an invalid byte and for an empty text.
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

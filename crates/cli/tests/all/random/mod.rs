//! Compares random functions with random frames: the same crate runs natively and, as a Go package, on each machine. Every result and every panic
//! must be equal. Other random functions have destructors, and their panics unwind.
//!
//! An ordinary run has a few fixed seeds; `scripts/random --seeds 1..100` runs others. The script turns its arguments into variables:
//! `RANDOM_SEEDS`; `RANDOM_BATCH`, the number of seeds in a crate; `RANDOM_ARCH`, to test only one machine; `RANDOM_CPU`, the CPU level for amd64.
//! The build is kept in the scratch folder that a failure names.

mod body;
mod both;
mod expression;
mod generate;
mod odd;
mod recursion;
mod statement;
mod types;
mod unwinding;

use both::Sort;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::ops::RangeInclusive;
use std::time::Instant;

crate::tests!(random_functions, random_functions_that_unwind, module_text_depends_only_on_the_seed,);

/// A generator of random numbers that depend only on the seed, not on the machine or the version of a library.
pub struct Random(ChaCha8Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A random number below `end`. `end` is small, so the bias is negligible.
    pub fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A random array length, usually odd.
    pub fn length(&mut self) -> usize {
        const LENGTHS: [usize; 20] = [1, 2, 3, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 31, 33, 37, 63, 65, 129];
        LENGTHS[self.below(LENGTHS.len())]
    }
}

/// The seeds of an ordinary run. Seeds 3 and 4 are in one crate, in which the code that formats panic messages reaches a recursive function through a
/// pointer. In seed 282, a function that is called through a pointer reads an undefined scratch register.
const SEEDS: [RangeInclusive<u64>; 2] = [3..=4, 282..=282];
/// The seeds of an ordinary run of functions that unwind.
const UNWINDING: RangeInclusive<u64> = 1..=3;
/// The number of seeds in a crate.
const BATCH: usize = 10;

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

/// The seeds in `RANDOM_SEEDS`: `17`, `1..100` (both ends included), or several of these separated by commas.
fn seeds(ordinary: &[RangeInclusive<u64>]) -> Vec<u64> {
    let Ok(text) = std::env::var("RANDOM_SEEDS") else { return ordinary.iter().cloned().flatten().collect() };
    let range = |part: &str| -> Option<RangeInclusive<u64>> {
        let (from, to) = part.split_once("..").unwrap_or((part, part));
        Some(from.parse().ok()?..=to.parse().ok()?).filter(|range| !range.is_empty())
    };
    let wrong = || panic!("seeds {text}: write 17, 1..100, or several of these with commas between them");
    text.split(',').flat_map(|part| range(part).unwrap_or_else(wrong)).collect()
}

/// Messages of refusals that docs/errors.md lists. A seed with only such refusals is skipped.
const KNOWN: [&str; 1] = ["data that does not begin as zeros can be aligned to 32 at most"];

/// True if every error of rustgo in this output is a known refusal.
fn is_known(problem: &str) -> bool {
    let mut errors = problem.lines().filter(|line| line.starts_with("rustgo: error")).peekable();
    errors.peek().is_some() && errors.all(|line| KNOWN.iter().any(|known| line.contains(known)))
}

/// Runs the seeds in one crate. Seeds whose functions the tool refuses are skipped. If the crate of the remaining seeds fails, each of these seeds
/// is run alone. Returns the seeds that fail.
fn batch(seeds: &[u64], sort: Sort) -> Vec<u64> {
    let started = Instant::now();
    let what = format!("{sort:?} --seeds {}", seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(","));
    let problem = match both::run(seeds, sort) {
        Ok(said) => {
            crate::say!("ok    {what}: {said}{} s", started.elapsed().as_secs());
            return Vec::new();
        }
        Err(problem) => problem,
    };
    let known = is_known(&problem);
    crate::say!("{}  {what}: {} s\n{problem}", if known { "left out" } else { "FAIL" }, started.elapsed().as_secs());
    if seeds.len() == 1 {
        return if known { Vec::new() } else { seeds.to_vec() };
    }
    let named =
        |seed: &u64| problem.contains(&format!("random::s{seed}::")) || problem.contains(&format!("scripts/random --seeds {seed}\n"));
    let (mut wrong, rest): (Vec<u64>, Vec<u64>) = seeds.iter().partition(|seed| named(seed));
    if wrong.is_empty() {
        return rest.iter().flat_map(|&seed| batch(&[seed], sort)).collect();
    }
    if !rest.is_empty() && problem.contains("rustgo: error") {
        let others = batch(&rest, sort);
        if known {
            return others;
        }
        wrong.extend(others);
    }
    wrong
}

fn random_functions() {
    let seeds = seeds(&SEEDS);
    let began = Instant::now();
    let (aligned, others): (Vec<u64>, Vec<u64>) = seeds.iter().partition(|&&seed| generate::aligned(seed));
    let size = number("RANDOM_BATCH").unwrap_or(BATCH).max(1);
    let wrong: Vec<u64> = others.chunks(size).chain(aligned.chunks(size)).flat_map(|seeds| batch(seeds, Sort::Plain)).collect();
    crate::say!("{} seeds in {} s", seeds.len(), began.elapsed().as_secs());
    assert!(wrong.is_empty(), "seeds that fail, alone or together with others: {wrong:?}; the commands above run them again");
}

fn random_functions_that_unwind() {
    let seeds = seeds(&[UNWINDING]);
    let size = number("RANDOM_BATCH").unwrap_or(BATCH).max(1);
    let wrong: Vec<u64> = seeds.chunks(size).flat_map(|seeds| batch(seeds, Sort::Unwinding)).collect();
    assert!(wrong.is_empty(), "seeds that fail, alone or together with others: {wrong:?}; the commands above run them again");
}

/// The text of each module depends only on its seed.
fn module_text_depends_only_on_the_seed() {
    for module in [generate::module, unwinding::module, recursion::module] {
        let text = module(7).text;
        assert_eq!(text, module(7).text);
        assert_ne!(text.replace("s7_", "s8_"), module(8).text);
    }
}

//! `rustgo survey`: finds out which public functions of a crate rustgo would accept.
//!
//! ```text
//!  items    finds the public functions in rustdoc's JSON
//!  verdict  decides about each root of an attempt
//!  show     prints the result
//! ```
//!
//! The crate is compiled once, with a root (a function that is analysed like an export) for each public function. Then the roots are analysed
//! together. A root that reaches refused code by direct calls is refused. A root that reaches refused code only by calls through pointers is analysed
//! again alone. The reason is that a call through a pointer counts as a call of every function whose address the code makes, and perhaps only another
//! root makes the address of the refused function.

pub mod items;
pub mod show;
pub mod verdict;

use crate::diag::gather::{by_importance, gather};
use crate::diag::{Diagnostic, Result};
use crate::ids::{ExportId, FuncId};
use crate::load::{Export, Object};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use verdict::{Attempt, Refusal, Verdict, judge};

/// The time for the analysis of single roots. The roots that remain after this time are undecided.
const ALONE: Duration = Duration::from_secs(60);
/// Maximum number of attempts to analyse roots together. Each attempt has only the roots that the preceding attempt accepted.
const ROUNDS: usize = 6;

/// The result for one function.
#[derive(Debug)]
pub struct Examined {
    pub path: String,
    /// The line of the function's name.
    pub line: u32,
    pub outcome: Outcome,
}

#[derive(Debug)]
pub enum Outcome {
    Accepted(Option<Needs>),
    /// The function is refused. The diagnostic is the example of the refusal.
    Refused(Refusal, Diagnostic),
    /// The function was refused in an analysis together with other functions, and there was no time to analyse it alone.
    Undecided(Refusal, Diagnostic),
}

/// The needs of an accepted function.
#[derive(Debug)]
pub struct Needs {
    /// The stack bound in bytes.
    pub stack: u32,
    /// The default stack budget in bytes, and the function that recurses.
    pub recursion: Option<(u32, String)>,
    pub panics: bool,
}

/// The results for all functions.
#[derive(Debug, Default)]
pub struct Examination {
    /// The functions in the order of the exports.
    pub functions: Vec<Examined>,
    /// All reasons, merged and sorted.
    pub reasons: Vec<Diagnostic>,
    /// The size in bytes and the number of the accepted functions and their callees.
    pub size: (usize, usize),
    /// True if the accepted functions allocate memory.
    pub needs_heap: bool,
    /// True if the accepted functions call functions of C's math.h.
    pub needs_libm: bool,
}

/// Examines the exports of `object`. `attempt` runs the stages after decoding for the exports of the object that it receives.
pub fn examine(object: &mut Object, attempt: &mut dyn FnMut(&Object) -> Result<Attempt>) -> Result<Examination> {
    let all: Vec<Export> = std::mem::take(&mut object.exports).into_iter().map(|(_, export)| export).collect();
    let mut outcomes: Vec<Option<Outcome>> = all.iter().map(|_| None).collect();
    let mut left: Vec<usize> = (0..all.len()).collect();
    let mut doubtful: Vec<(usize, Refusal, Diagnostic)> = Vec::new();
    let mut examination = Examination::default();
    let mut reasons = Vec::new();
    let mut accepted = BTreeSet::new();
    for _ in 0..ROUNDS {
        if left.is_empty() {
            break;
        }
        object.exports = left.iter().map(|&at| all[at].clone()).collect();
        let result = attempt(object)?;
        let before = left.len();
        let verdicts = judge(object, &result);
        for ((at, id), verdict) in std::mem::take(&mut left).into_iter().zip(object.exports.keys()).zip(&verdicts) {
            match verdict {
                Verdict::Accepted => {
                    left.push(at);
                    outcomes[at] = Some(Outcome::Accepted(needs(&result, id)));
                }
                Verdict::Refused(refusal) => {
                    outcomes[at] = Some(Outcome::Refused(refusal.clone(), result.reasons[refusal.example].clone()));
                }
                Verdict::Doubtful(refusal) => doubtful.push((at, refusal.clone(), result.reasons[refusal.example].clone())),
            }
        }
        let done = result.reasons.is_empty();
        if done {
            measure(&result, &mut examination, &mut accepted);
        }
        reasons.extend(result.reasons);
        if done || left.len() == before {
            break;
        }
    }
    let begun = Instant::now();
    for (at, refusal, reason) in doubtful {
        if begun.elapsed() > ALONE {
            outcomes[at] = Some(Outcome::Undecided(refusal, reason));
            continue;
        }
        object.exports = std::iter::once(all[at].clone()).collect();
        let result = attempt(object)?;
        outcomes[at] = Some(if result.reasons.is_empty() {
            measure(&result, &mut examination, &mut accepted);
            Outcome::Accepted(object.exports.keys().next().and_then(|id| needs(&result, id)))
        } else {
            // A reason from this attempt concerns the function itself. The reason from the attempt with all roots may concern other functions.
            match judge(object, &result).into_iter().next() {
                Some(Verdict::Refused(own) | Verdict::Doubtful(own)) => {
                    let reason = result.reasons[own.example].clone();
                    Outcome::Refused(own, reason)
                }
                _ => Outcome::Refused(refusal, reason),
            }
        });
    }
    examination.size = (accepted.iter().map(|&id: &FuncId| object.functions[id].code.len()).sum(), accepted.len());
    examination.needs_libm = accepted.iter().any(|&id| object.functions[id].path.contains("libm::"));
    let outcomes = outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Accepted(None)));
    examination.functions = all
        .iter()
        .zip(outcomes)
        .map(|(export, outcome)| Examined { path: export.schema.rust_path.clone(), line: export.schema.line, outcome })
        .collect();
    examination.reasons = by_importance(gather(reasons));
    Ok(examination)
}

fn needs(attempt: &Attempt, id: ExportId) -> Option<Needs> {
    let facts = attempt.facts.exports.get(id)?;
    let recursion = facts.budget.zip(facts.assumed.clone());
    Some(Needs { stack: facts.bound, recursion, panics: facts.can_panic })
}

/// Adds the functions of an attempt to `accepted`. The attempt must have refused nothing.
fn measure(attempt: &Attempt, examination: &mut Examination, accepted: &mut BTreeSet<FuncId>) {
    accepted.extend(attempt.facts.emitted.iter().map(|&me| attempt.facts.instances[me].function));
    examination.needs_heap |= attempt.facts.needs_heap;
}

//! Finds the items of a proposal that fail, by the line numbers in the compiler's messages, in the analysis, and in the reasons of a refused build.

use super::propose::Proposal;
use super::text::Source;
use super::types::{DEPRECATED, as_value};
use crate::compile::subject::Mistake;
use crate::diag::{Diagnostic, ErrorCode, Place};
use crate::survey::{Examination, Outcome};
use std::collections::BTreeMap;

/// The reasons for leaving items out, by the items' paths.
pub type Failures = BTreeMap<String, String>;

/// Adds the item that contains a line of the wrapper's source. Adds nothing if no item contains the line.
fn add(found: &mut Failures, line: u32, reason: &str, proposal: &Proposal, source: &Source) {
    let Some(path) = source.item_at(line) else { return };
    // A mirror is a struct or enum with the same fields or variants as the crate's type. If the mirror fails, the next proposal can make the type an
    // object.
    let key = match proposal.types.iter().find(|part| part.path == path) {
        Some(part) if part.is_mirror => as_value(path),
        _ => path.to_owned(),
    };
    found.entry(key).or_insert_with(|| reason.to_owned());
}

/// Returns the items that the compiler refuses, or that use a deprecated item.
pub fn of_compiler(mistakes: &[Mistake], proposal: &Proposal, source: &Source) -> Failures {
    let mut found = Failures::new();
    for Mistake { lines, message, is_deprecation } in mistakes {
        let reason = match is_deprecation {
            true => DEPRECATED.to_owned(),
            false if message.contains("has no size: give it a field") => {
                "a type without data: an object needs a place in memory".to_owned()
            }
            false => format!("does not compile: {}", message.lines().next().unwrap_or_default()),
        };
        lines.iter().for_each(|&line| add(&mut found, line, &reason, proposal, source));
    }
    found
}

/// Returns the items whose machine code the analysis refuses or cannot decide.
pub fn of_analysis(examination: &Examination, proposal: &Proposal, source: &Source) -> Failures {
    let mut found = Failures::new();
    for function in &examination.functions {
        let (refusal, reason) = match &function.outcome {
            Outcome::Accepted(_) => continue,
            Outcome::Refused(refusal, reason) | Outcome::Undecided(refusal, reason) => (refusal, reason),
        };
        let kinds: Vec<&str> = refusal.kinds.iter().map(|kind| kind.title()).collect();
        add(&mut found, function.line, &format!("refused ({}): {}", kinds.join(", "), reason.message), proposal, source);
    }
    found
}

/// Returns the items of the wrapper to which the reasons of a refused build refer.
pub fn of_build(reasons: &[Diagnostic], proposal: &Proposal, source: &Source) -> Failures {
    let mut found = Failures::new();
    let is_wrapper = |place: &&Place| place.file.as_ref().is_some_and(|file| file.ends_with("rust/src/lib.rs"));
    for reason in reasons {
        let places = reason.place.iter().chain(reason.chain.iter().map(|call| &call.place)).chain(&reason.others);
        for line in places.filter(is_wrapper).filter_map(|place| place.line) {
            add(&mut found, line, &reason.message, proposal, source);
        }
    }
    found
}

/// Returns the error for a message of the compiler that is about no item.
pub fn elsewhere(message: &str) -> Diagnostic {
    Diagnostic::new(ErrorCode::Compile, "the proposed wrapper does not compile, and no item is the cause")
        .note(message.to_owned())
        .hint("write the wrapper by hand, beginning with rustgo new, and report the crate to the authors of rustgo")
}

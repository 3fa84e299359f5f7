//! Rules broken on purpose, one after another: the tool is built with each change, and some test must fail.
//!
//! A test that passes with a rule and without it does not test the rule. The lists in `mutants/` name a rule, a piece of source text that
//! implements it, a replacement, and the tests for the rule. `make mutants` makes each change in a copy of the checkout, builds the copy, and runs
//! those tests, and all other tests if they pass. If no test fails, the mutant has survived: the rule lacks a test, or is not needed.
//!
//! The ordinary run only checks that each text is found where the list says. Variables: `MUTANTS=all`, or a part of a rule or file name, or
//! several of these separated by commas, selects mutants; `OWN=1` runs only the tests that the list names. The copy and its build stay in the
//! scratch folder.

mod aarch64;
mod analyze;
mod blocking;
mod border;
mod load;
mod lower;
mod tree;
mod verify;
mod watch;
mod x86_64;

use crate::common::{cases_dir, read, root};
use crate::harness::NAMES;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tree::{Ended, Tree};

crate::tests!(every_text_is_found_once, no_mutant_survives,);

/// One way to break a rule.
pub struct Mutant {
    /// The rule that is broken.
    pub rule: &'static str,
    /// The path below `crates/cli/src`, or, if it begins with `go/`, below the checkout.
    pub file: &'static str,
    /// The text to replace, which occurs once in the file.
    pub from: &'static str,
    pub to: &'static str,
    /// The tests for this rule, the most likely first: the name of a test, or of a module with colons (`live::`). `lib` and a filter stand for
    /// unit tests, `rt` and a filter for tests of the Go package.
    pub tests: &'static [&'static str],
}

const LISTS: [&[Mutant]; 9] =
    [load::LIST, analyze::LIST, lower::LIST, x86_64::LIST, aarch64::LIST, blocking::LIST, watch::LIST, border::LIST, verify::LIST];

/// The tests that run if none of a mutant's own tests fails.
const OTHERS: [&str; 12] = [
    "lib ",
    "live::",
    "load::",
    "decode::",
    "analyze::",
    "lower::",
    "refuse::",
    "cases::",
    "run::",
    "verify::",
    "fuzz::",
    "fuzz_aarch64::",
];

/// A mutant can make an analysis run for ever.
const LONGEST: Duration = Duration::from_secs(600);

fn path(mutant: &Mutant) -> String {
    if mutant.file.starts_with("go/") { mutant.file.to_owned() } else { format!("crates/cli/src/{}", mutant.file) }
}

/// True if the test exists. (Tests of the library and of the Go package are only known when they run.)
fn exists(test: &str) -> bool {
    test.starts_with("lib ") || test.starts_with("rt ") || expected(test).next().is_some()
}

/// The tests that an entry of the lists stands for: the test with this name, or the tests of a module. A module's crates that are refused are left
/// out, because they are slow and their code is rarely analysed.
fn expected(entry: &str) -> impl Iterator<Item = &'static str> {
    let names = NAMES.get().expect("a test is run after all are named");
    let is_crate = |name: &str| name.starts_with("refuse::") && cases_dir().join(name.replace("::", "/")).with_extension("rs").exists();
    names.iter().map(String::as_str).filter(move |name| match entry.ends_with("::") {
        true => name.starts_with(entry) && !is_crate(name),
        false => *name == entry,
    })
}

/// A changed source text requires a changed list entry.
fn every_text_is_found_once() {
    let mut wrong = String::new();
    for mutant in LISTS.into_iter().flatten() {
        let count = read(&root().join(path(mutant))).matches(mutant.from).count();
        let is_named = LISTS.into_iter().flatten().filter(|other| other.rule == mutant.rule).count() == 1;
        if count != 1 || mutant.from == mutant.to || !is_named || !mutant.tests.iter().all(|test| exists(test)) {
            writeln!(wrong, "{}: {}: found {count} times, to be caught by {:?}:\n{}", mutant.file, mutant.rule, mutant.tests, mutant.from)
                .expect("a string takes everything");
        }
    }
    assert!(wrong.is_empty(), "these have to be made anew:\n{wrong}");
}

fn no_mutant_survives() {
    let Ok(wanted) = std::env::var("MUTANTS") else { return };
    let parts: Vec<&str> = wanted.split(',').collect();
    let asked = |mutant: &Mutant| wanted == "all" || parts.iter().any(|part| mutant.rule.contains(part) || mutant.file.contains(part));
    let mutants: Vec<&Mutant> = LISTS.into_iter().flatten().filter(|mutant| asked(mutant)).collect();
    assert!(!mutants.is_empty(), "MUTANTS={wanted}: there is none with this in its rule or file name");
    let tree = Tree::copy();
    let mut wrong = Vec::new();
    for mutant in &mutants {
        let began = Instant::now();
        let file = tree.change(&path(mutant), mutant.from, mutant.to);
        let outcome = outcome(&tree, mutant);
        drop(file);
        let (said, is_caught) = match &outcome {
            Outcome::Caught(by) => (by.as_str(), true),
            Outcome::Elsewhere(by) => (by.as_str(), true),
            Outcome::Survived => ("SURVIVED", false),
            Outcome::NotBuilt(said) => (said.as_str(), false),
        };
        let mark = if matches!(outcome, Outcome::Elsewhere(_)) { " (not in the list)" } else { "" };
        crate::say!("{:<28} | {:<76} | {said}{mark} | {} s", mutant.file, mutant.rule, began.elapsed().as_secs());
        if !is_caught {
            wrong.push(format!("{}: {}", mutant.file, mutant.rule));
        }
    }
    crate::say!("{} mutants, {} not caught", mutants.len(), wrong.len());
    assert!(wrong.is_empty(), "no test fails where these rules are broken:\n{}", wrong.join("\n"));
}

enum Outcome {
    /// A test for the rule has failed.
    Caught(String),
    /// Another test has failed.
    Elsewhere(String),
    Survived,
    /// The changed tool does not compile.
    NotBuilt(String),
}

fn outcome(tree: &Tree, mutant: &Mutant) -> Outcome {
    let others = if std::env::var_os("OWN").is_some() { &[] } else { &OTHERS[..] };
    for (tests, own) in [(mutant.tests, true), (others, false)] {
        for test in tests {
            match tree.run(test, LONGEST) {
                Ended::Passed => {}
                Ended::Failed(what) if own => return Outcome::Caught(format!("{test}: {what}")),
                Ended::Failed(what) => return Outcome::Elsewhere(format!("{test}: {what}")),
                Ended::NotBuilt(said) => return Outcome::NotBuilt(format!("does not compile:\n{said}")),
            }
        }
    }
    Outcome::Survived
}

//! Breaks the tool's rules one after another: the tool is built with each change, and at least one test must fail.
//!
//! A test that passes both with a rule and without it does not test the rule. The lists in `mutants/` contain rules. Each entry names a piece of
//! source text that implements the rule, a replacement that breaks the rule (a "mutant" of the tool), and the tests for the rule. For each entry,
//! `make mutants` makes the change in a copy of the checkout, builds the copy, and runs the tests for the rule. If they pass, it runs all other
//! tests. If these pass too, the mutant has survived: the rule has no test, or is not needed.
//!
//! An ordinary run only checks that each piece of source text occurs in its file once. `MUTANTS=all` runs all mutants; `MUTANTS=TEXT` runs those
//! whose rule or file name contains the text, or one of several texts separated by commas. `OWN=1` runs only the tests that an entry names. The
//! copy and its build are kept in the scratch folder.

mod aarch64;
mod analyze;
mod blocking;
mod border;
mod load;
mod lower;
mod tasks;
mod tree;
mod unwind;
mod verify;
mod watch;
mod x86_64;

use crate::common::{cases_dir, read, root};
use crate::harness::NAMES;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tree::{Ended, Tree};

crate::tests!(every_source_text_occurs_once, no_mutant_survives,);

/// A change of the sources that breaks a rule. Some test must then fail.
pub struct Mutant {
    /// The broken rule.
    pub rule: &'static str,
    /// The path of the changed file, relative to `crates/cli/src`; relative to the checkout if it begins with `go/` or `crates/`.
    pub file: &'static str,
    /// The text that the change replaces. It must occur once in the file.
    pub from: &'static str,
    pub to: &'static str,
    /// The tests for the rule; the test that is most likely to fail comes first. An element is the name of a test, or the name of a module with
    /// colons (`live::`). `lib FILTER` means unit tests, and `rt FILTER` means tests of the Go package rt.
    pub tests: &'static [&'static str],
}

const LISTS: [&[Mutant]; 11] = [
    load::LIST,
    analyze::LIST,
    lower::LIST,
    x86_64::LIST,
    aarch64::LIST,
    blocking::LIST,
    tasks::LIST,
    watch::LIST,
    border::LIST,
    unwind::LIST,
    verify::LIST,
];

/// The tests that run if none of the tests for the rule fails.
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

/// The time limit of a test, because a mutant may make an analysis run for ever.
const LONGEST: Duration = Duration::from_secs(600);

fn path(mutant: &Mutant) -> String {
    let of_checkout = ["go/", "crates/"].iter().any(|start| mutant.file.starts_with(start));
    if of_checkout { mutant.file.to_owned() } else { format!("crates/cli/src/{}", mutant.file) }
}

/// True if the test exists. (For tests of the library and of rt it is always true, because their names are known only when they run.)
fn exists(test: &str) -> bool {
    test.starts_with("lib ") || test.starts_with("rt ") || expected(test).next().is_some()
}

/// Returns the tests that an entry names: the test with this name, or all tests of a module. It leaves out those cases of the module `refuse` that
/// are crates: they take long, and the tool rarely analyses their code.
fn expected(entry: &str) -> impl Iterator<Item = &'static str> {
    let names = NAMES.get().expect("a test is run after all are named");
    let is_crate = |name: &str| name.starts_with("refuse::") && cases_dir().join(name.replace("::", "/")).with_extension("rs").exists();
    names.iter().map(String::as_str).filter(move |name| match entry.ends_with("::") {
        true => name.starts_with(entry) && !is_crate(name),
        false => *name == entry,
    })
}

/// Checks each entry: its source text occurs once in its file, its replacement is another text, no other entry has its rule, and its tests exist.
/// So whoever changes such a source text must change the entry too.
fn every_source_text_occurs_once() {
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
    /// A test for the rule failed.
    Caught(String),
    /// None of the tests for the rule failed, but another test did.
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

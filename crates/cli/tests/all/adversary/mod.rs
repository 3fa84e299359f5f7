//! C programs by other authors and generators, compiled by gcc and clang. The tool must either refuse a program, or make a Go package whose
//! results equal the program's native results.
//!
//! | test | the programs |
//! |---|---|
//! | `csmith` | random programs by csmith |
//! | `calls` | random programs by `adversary/calls.rs`: structs by value, many arguments, arrays |
//! | `torture` | GCC's own execution tests |
//! | `collection::NAME` | the files in `adversary/c`, one for each construct that compilers translate in special ways |
//!
//! An ordinary run tests a few programs of each kind; `scripts/adversary` tests more. All selected files of the collection run together, and each
//! file is a test of its own. `scripts/adversary` turns its arguments into variables: `ADVERSARY_SEEDS` (`17`, `1..100`), `ADVERSARY_TESTS`
//! (names, or `all`), `ADVERSARY_ARCH`, `ADVERSARY_CC`, `ADVERSARY_LEVEL`, `ADVERSARY_FLAGS` (`ours`, `own`), `ADVERSARY_CFLAGS`,
//! `ADVERSARY_REASONS=1`.

mod batch;
mod calls;
mod collection;
mod csmith;
mod options;
mod program;
mod report;
mod seeds;
mod torture;

use crate::common;
use crate::harness::{self, Shared, Test};
use options::{COMPILERS, Compiler, FLAGS, Flags, LEVELS, Options, can_run, chosen};
use program::Runtime;
use report::Report;
use rustgo_cli::testing::target::Arch;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub fn tests() -> Vec<Test> {
    let mut tests = functions();
    // This test needs the variable ADVERSARY_FILE.
    tests.push(Test::new("adversary::one", one).ignored());
    tests.extend(collection());
    tests
}

crate::tests!(fn functions: csmith, calls, torture);

/// The seeds of an ordinary run.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A folder that is kept between test runs. Test runs at the same time use different names.
fn scratch(name: &str) -> PathBuf {
    variable("ADVERSARY_SCRATCH").map_or_else(|| common::scratch(&format!("adversary/{name}")), |dir| PathBuf::from(dir).join(name))
}

fn seeds() -> Vec<u64> {
    let Some(text) = variable("ADVERSARY_SEEDS") else { return SEEDS.collect() };
    let range = |part: &str| -> Option<std::ops::RangeInclusive<u64>> {
        let (from, to) = part.split_once("..").unwrap_or((part, part));
        Some(from.parse().ok()?..=to.parse().ok()?)
    };
    let wrong = || panic!("ADVERSARY_SEEDS={text}: write 17, 1..100, or several of these with commas between them");
    text.split(',').flat_map(|part| range(part).unwrap_or_else(wrong)).collect()
}

fn csmith() {
    of_seeds("csmith", &["csmith"], csmith::source);
}

fn calls() {
    of_seeds("calls", &[], calls::source);
}

/// Tests the random programs of the generator called `name`.
fn of_seeds(name: &str, needed: &[&str], source: seeds::Source) {
    let began = Instant::now();
    let mut report = Report::default();
    for arch in chosen("ADVERSARY_ARCH", &Arch::ALL) {
        if !can_run(arch, needed) {
            continue;
        }
        let dir = scratch(&format!("{name}-{arch}"));
        let runtime = Runtime::new(arch, &dir.join("runtime"));
        let ways = seeds::Ways {
            compilers: chosen("ADVERSARY_CC", &COMPILERS),
            flags: chosen("ADVERSARY_FLAGS", &FLAGS),
            levels: variable("ADVERSARY_LEVEL").map(|_| chosen("ADVERSARY_LEVEL", &LEVELS)),
        };
        for some in seeds().chunks(64) {
            let programs = seeds::programs(arch, &dir, source, some, &ways);
            let outcomes = batch::run(&runtime, &dir, &programs);
            for (program, outcome) in programs.iter().zip(&outcomes) {
                report.add(program, outcome, &format!("scripts/adversary {name} --seeds {} {}", program.name, program.options));
            }
        }
    }
    finish(&report, name, began);
}

/// An ordinary run tests every `SAMPLE`-th program of GCC's test suite.
const SAMPLE: usize = 97;

fn torture() {
    let Some(folder) = torture::folder() else { return };
    let began = Instant::now();
    let mut report = Report::default();
    let mut sources = torture::sources(&folder);
    match variable("ADVERSARY_TESTS").as_deref() {
        None => sources = sources.into_iter().step_by(SAMPLE).collect(),
        Some("all") => {}
        Some(names) => sources.retain(|path| names.split(',').any(|name| name == common::stem(path))),
    }
    for arch in chosen("ADVERSARY_ARCH", &Arch::ALL) {
        if !can_run(arch, &[]) {
            continue;
        }
        let dir = scratch(&format!("torture-{arch}"));
        let runtime = Runtime::new(arch, &dir.join("runtime"));
        for options in ways(arch, &[Compiler::Gcc], &[Flags::Own], &["O2"]) {
            let programs: Vec<_> = sources.iter().map(|source| torture::program(source, options)).collect();
            let outcomes = batch::run(&runtime, &dir, &programs);
            for (program, outcome) in programs.iter().zip(&outcomes) {
                report.add(program, outcome, &format!("scripts/adversary torture --tests {} {options}", program.name));
            }
        }
    }
    finish(&report, "torture", began);
}

/// A test for each file of the collection.
fn collection() -> Vec<Test> {
    let mut sources = collection::sources();
    if let Some(names) = variable("ADVERSARY_TESTS") {
        sources.retain(|path| names.split(',').any(|name| name == common::stem(path)));
    }
    let name = |source: &PathBuf| common::test_name("collection", source);
    let chosen: Vec<PathBuf> = sources.iter().filter(|source| harness::is_selected(&name(source), false)).cloned().collect();
    let reports = Arc::new(Shared::new(move || judged(&chosen)));
    let test = |source: &PathBuf| {
        let (reports, stem) = (Arc::clone(&reports), common::stem(source));
        Test::new(name(source), move || {
            // Without compilers no outcome is judged; `can_run` then prints the missing tools, or fails in CI.
            if arches_of_collection().into_iter().filter(|&arch| can_run(arch, &[])).count() > 0 {
                let report = &reports.get()[&stem];
                assert!(report.wrong.is_empty(), "{report}");
            }
        })
    };
    sources.iter().map(test).collect()
}

/// The machines that the collection is compiled for.
fn arches_of_collection() -> Vec<Arch> {
    variable("ADVERSARY_ARCH").map_or(vec![Arch::Amd64], |_| chosen("ADVERSARY_ARCH", &Arch::ALL))
}

/// Runs the collection's files; returns their outcomes by the name of the file.
fn judged(sources: &[PathBuf]) -> BTreeMap<String, Report> {
    let began = Instant::now();
    let (mut all, mut reports) = (Report::default(), BTreeMap::<String, Report>::new());
    for arch in arches_of_collection() {
        if !can_run(arch, &[]) {
            continue;
        }
        let dir = scratch(&format!("collection-{arch}"));
        let runtime = Runtime::new(arch, &dir.join("runtime"));
        for options in ways(arch, &COMPILERS, &FLAGS, &["O2"]) {
            let programs: Vec<_> = sources.iter().map(|source| collection::program(source, options)).collect();
            let outcomes = batch::run(&runtime, &dir, &programs);
            for (program, outcome) in programs.iter().zip(outcomes) {
                let outcome = collection::judged(program, outcome);
                let repeat = format!("scripts/adversary collection --tests {} {options}", program.name);
                all.add(program, &outcome, &repeat);
                reports.entry(program.name.clone()).or_default().add(program, &outcome, &repeat);
            }
        }
    }
    tell(&all, "collection", began);
    reports
}

/// Tests the file that `ADVERSARY_FILE` names. scripts/reduce calls this test repeatedly.
fn one() {
    let source = PathBuf::from(variable("ADVERSARY_FILE").expect("ADVERSARY_FILE names a C file"));
    let mut report = Report::default();
    for arch in chosen("ADVERSARY_ARCH", &Arch::ALL) {
        let dir = scratch(&format!("one-{arch}"));
        let runtime = Runtime::new(arch, &dir.join("runtime"));
        for options in ways(arch, &[Compiler::Gcc], &[Flags::Own], &["O2"]) {
            let program = collection::program(&source, options);
            let outcome = batch::run(&runtime, &dir, std::slice::from_ref(&program)).remove(0);
            report.add(&program, &outcome, "");
        }
    }
    finish(&report, "one", Instant::now());
}

/// Returns all combinations of these compilers, flags and levels. An environment variable such as `ADVERSARY_CC` replaces the list that it names.
fn ways(arch: Arch, compilers: &[Compiler], flags: &[Flags], levels: &[&'static str]) -> Vec<Options> {
    let compilers = variable("ADVERSARY_CC").map_or(compilers.to_vec(), |_| chosen("ADVERSARY_CC", &COMPILERS));
    let flags = variable("ADVERSARY_FLAGS").map_or(flags.to_vec(), |_| chosen("ADVERSARY_FLAGS", &FLAGS));
    let levels = variable("ADVERSARY_LEVEL").map_or(levels.to_vec(), |_| chosen("ADVERSARY_LEVEL", &LEVELS));
    let mut ways = Vec::new();
    for compiler in compilers {
        for &flags in &flags {
            ways.extend(levels.iter().map(|&level| Options { arch, compiler, flags, level }));
        }
    }
    ways
}

fn finish(report: &Report, what: &str, began: Instant) {
    tell(report, what, began);
    assert!(report.wrong.is_empty(), "{} programs are wrong", report.wrong.len());
}

fn tell(report: &Report, what: &str, began: Instant) {
    crate::say!("{report}{what}: {} s", began.elapsed().as_secs());
    if variable("ADVERSARY_REASONS").is_some() {
        crate::say!("{}", report.reasons());
    }
}

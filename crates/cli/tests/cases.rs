//! The cases: one file each in `cases/STAGE/`, with what is expected beside it.
//!
//! | folder | a case is | expected |
//! |---|---|---|
//! | `decode`, `analyze`, `lower` | the case of `run` of the same name | `NAME.txt`: the listing of what the stage makes of it |
//! | `bind` | a crate's `lib.rs` | `NAME.go`: the declarations |
//! | `refuse` | assembly, or a crate's `lib.rs` with its own command line | `NAME.txt`: what the user reads |
//! | `run` | assembly, or a crate's `lib.rs` | the same results from Go as natively |
//!
//! `BLESS=1 cargo test -p cargo-rustgo --test cases` renews the expected files; `CASE=NAME` runs one case alone.

mod common;
#[path = "cases/harness/krate.rs"]
mod krate;
#[path = "cases/harness/listing.rs"]
mod listing;
#[path = "cases/harness/run.rs"]
mod run;

use common::{Goldens, case_archive, cases, failure_text, read};
use rustgo_cli::decode;
use std::path::{Path, PathBuf};

/// A case of `run` names the stages whose listing is kept: `# goldens decode lower`.
fn listed(stage: &str) -> impl Iterator<Item = (PathBuf, String)> {
    let wanted = move |text: &str| {
        text.lines().filter_map(|line| line.strip_prefix("# goldens ")).any(|line| line.split(' ').any(|name| name == stage))
    };
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(stage);
    cases("run", "s")
        .into_iter()
        .map(|path| (path.clone(), read(&path)))
        .filter(move |(_, text)| wanted(text))
        .map(move |(path, text)| (golden.join(common::stem(&path)).with_extension("txt"), text))
}

fn must<T>(golden: &Path, result: rustgo_cli::diag::Result<T>) -> T {
    result.unwrap_or_else(|failure| panic!("{}: {}", golden.display(), failure_text(&failure)))
}

#[test]
fn decode_listings() {
    let mut goldens = Goldens::default();
    for (golden, text) in listed("decode") {
        let object = must(&golden, common::load(&case_archive(&text)));
        goldens.check(&golden, &listing::decoded(&object, &decode::decode(&object, common::machine())));
    }
    goldens.finish();
}

#[test]
fn analyze_listings() {
    let mut goldens = Goldens::default();
    for (golden, text) in listed("analyze") {
        let object = must(&golden, common::load(&case_archive(&text)));
        let program = decode::decode(&object, common::machine());
        let facts = must(&golden, common::analyze(&object, &program));
        goldens.check(&golden, &listing::analyzed(&object, &program, &facts));
    }
    goldens.finish();
}

#[test]
fn lower_listings() {
    let mut goldens = Goldens::default();
    for (golden, text) in listed("lower") {
        let asm = must(&golden, common::lower(&case_archive(&text))).asm;
        let printed = asm.print();
        // What is the same in every file is left out: its head, and the marks by which functions are told their own lines.
        let body = printed.find("\n// func ").map_or(printed.as_str(), |at| &printed[at + 1..]);
        let mark = format!("\"{}\"", asm.name());
        let own = |line: &&str| !(line.starts_with("#line") && line.ends_with(&mark));
        let body: String = body.lines().filter(own).map(|line| format!("{line}\n")).collect();
        goldens.check(&golden, &body);
    }
    goldens.finish();
}

#[test]
fn refused_assembly() {
    let mut goldens = Goldens::default();
    for path in cases("refuse", "s") {
        match common::lower(&case_archive(&read(&path))) {
            Ok(_) => goldens.fail(&format!("{} is accepted", path.display())),
            Err(failure) => goldens.check(&path.with_extension("txt"), &failure_text(&failure)),
        }
    }
    goldens.finish();
}

#[test]
fn refused_crates() {
    let mut goldens = Goldens::default();
    for path in cases("refuse", "rs") {
        krate::Case::read("refuse", &path).refused(&mut goldens, &path.with_extension("txt"));
    }
    goldens.finish();
}

#[test]
fn bound_crates() {
    let mut goldens = Goldens::default();
    for path in cases("bind", "rs") {
        krate::Case::read("bind", &path).bound(&mut goldens, &path.with_extension("go.txt"));
    }
    goldens.finish();
}

/// Every case of `run` becomes a package of one Go module, and a part of one native program: one build each for all.
#[test]
fn results_are_those_of_the_native_code() {
    run::all();
}

#[test]
fn refused_assembly_of_aarch64() {
    let mut goldens = Goldens::default();
    for path in cases("refuse/aarch64", "s") {
        match common::lower_aarch64(&read(&path)) {
            Ok(_) => goldens.fail(&format!("{} is accepted", path.display())),
            Err(failure) => goldens.check(&path.with_extension("txt"), &failure_text(&failure)),
        }
    }
    goldens.finish();
}

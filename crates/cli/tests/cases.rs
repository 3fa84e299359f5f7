//! The cases: one file each in `cases/STAGE/`, with what is expected beside it.
//!
//! | folder | a case is | expected |
//! |---|---|---|
//! | `decode`, `analyze`, `lower` | assembly | `NAME.txt`: the listing of what the stage makes of it |
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
use rustgo_cli::arch::x86_64::X86_64;
use rustgo_cli::{decode, verify};

#[test]
fn decode_cases() {
    let mut goldens = Goldens::default();
    for path in cases("decode", "s") {
        let text = match common::load(&case_archive(&read(&path))) {
            Ok(object) => listing::decoded(&object, &decode::decode(&object, &X86_64)),
            Err(failure) => failure_text(&failure),
        };
        goldens.check(&path.with_extension("txt"), &text);
    }
    goldens.finish();
}

#[test]
fn analyze_cases() {
    let mut goldens = Goldens::default();
    for path in cases("analyze", "s") {
        let object = common::load(&case_archive(&read(&path))).unwrap_or_else(|failure| panic!("{}", failure_text(&failure)));
        let program = decode::decode(&object, &X86_64);
        let text = match common::analyze(&object, &program) {
            Ok(facts) => listing::analyzed(&object, &program, &facts),
            Err(failure) => failure_text(&failure),
        };
        goldens.check(&path.with_extension("txt"), &text);
    }
    goldens.finish();
}

#[test]
fn lower_cases() {
    let mut goldens = Goldens::default();
    let go = common::go();
    for path in cases("lower", "s") {
        match common::lower(&case_archive(&read(&path))) {
            Ok(made) => {
                if let Err(failure) = verify::verify(&made.asm, &made.go.print(), &go) {
                    goldens.fail(&format!("{}: {}", path.display(), failure_text(&failure)));
                }
                goldens.check(&path.with_extension("txt"), &made.asm.print());
            }
            Err(failure) => goldens.fail(&format!("{}: {}", path.display(), failure_text(&failure))),
        }
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

//! All integration tests of the tool, in one program: a test for each case file, and test functions. docs/testing.md describes the folders and how
//! to add a case.

mod adversary;
mod c_libraries;
mod cases;
mod cli;
mod common;
mod compile;
mod compile_arm64;
mod dev;
mod documents;
mod fuzz;
mod fuzz_aarch64;
mod get;
mod goobj;
mod harness;
mod large;
mod live;
mod load;
mod mutants;
mod no_threads;
mod progress;
mod promises;
mod publish;
mod random;
mod survey;
mod tidy;
mod translated;
mod trust;
mod unwind;
mod verify;
mod with_tests;

/// `fuzz_aarch64` compiles a part of the tool into this program, and that part imports these items from the crate root.
mod code {
    pub type Reg = usize;
}

fn main() -> std::process::ExitCode {
    // The slowest modules come first, so that all processors are busy until the end of the run.
    let modules = [
        adversary::tests,
        promises::tests,
        publish::tests,
        random::tests,
        cases::tests,
        c_libraries::tests,
        fuzz::tests,
        compile_arm64::tests,
        compile::tests,
        documents::tests,
        verify::tests,
        with_tests::tests,
        no_threads::tests,
        translated::tests,
        trust::tests,
        dev::tests,
        progress::tests,
        large::tests,
        survey::tests,
        fuzz_aarch64::tests,
        load::tests,
        unwind::tests,
        live::tests,
        get::tests,
        goobj::tests,
        mutants::tests,
        cli::tests,
        tidy::tests,
        common::directives::tests,
        common::rooms::tests,
    ];
    harness::run(modules.into_iter().flat_map(|tests| tests()).collect())
}

//! The promises of docs/safety.md, one crate each, written by someone who wants to break it.
//!
//! `promises/NAME.rs` is a crate's `lib.rs`, `promises/NAME_test.go` the Go tests that call it. All crates become packages of one Go
//! module, whose tests are one program for each machine; it is run several times: as it is, with settings of Go's runtime that make it move and
//! free more, and under the race detector. What every crate may say of itself stands in its first lines:
//!
//! | line | meaning |
//! |---|---|
//! | `//@ args: …` | further arguments of `rustgo build` |
//! | `//@ manifest: LINE` | a line of Cargo.toml |
//! | `//@ variants: …` | features; with each of them alone the crate becomes a package `NAME_FEATURE` |
//! | `//@ native: NAME…` | these exports `pub fn NAME(x: u64) -> u64`, or `all` such, are called natively too: Go must find the same results and panics |
//!
//! `CASE=NAME` takes one crate alone, `ARCH=amd64` one machine.

#[path = "common/arm64.rs"]
mod arm64;
mod common;
#[path = "promises/harness/krate.rs"]
mod krate;
#[path = "promises/harness/native.rs"]
mod native;

use common::{cases_in, go_mod, read, scratch, stem, write};
use krate::Promise;
use rustgo_cli::target::Arch;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// What is run by.
const EMULATOR: &str = "qemu-aarch64-static";

/// How a test program is built and run.
struct Run {
    what: &'static str,
    arch: Arch,
    race: bool,
    env: &'static [(&'static str, &'static str)],
}

const RUNS: [Run; 5] = [
    Run { what: "as it is", arch: Arch::Amd64, race: false, env: &[] },
    Run {
        what: "collected all the time",
        arch: Arch::Amd64,
        race: false,
        env: &[("GOGC", "1"), ("GODEBUG", "clobberfree=1,gcstoptheworld=1")],
    },
    Run {
        what: "on one processor, never preempted",
        arch: Arch::Amd64,
        race: false,
        env: &[("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1,gcshrinkstackoff=1")],
    },
    Run { what: "under the race detector", arch: Arch::Amd64, race: true, env: &[] },
    Run { what: "emulated", arch: Arch::Arm64, race: false, env: &[] },
];

#[test]
fn promises_hold() {
    let dir = scratch("promises");
    let go = dir.join("go");
    let _ = std::fs::remove_dir_all(&go);
    go_mod(&go);
    let arches = arches();
    let mut problems = String::new();
    let mut promises = Vec::new();
    for path in cases_in(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/promises"), "rs") {
        let mut built = true;
        for promise in Promise::read(&dir, &path) {
            match promise.build(&go, &arches) {
                Ok(()) => promises.push(promise),
                Err(said) => {
                    built = false;
                    writeln!(problems, "{} is not built:\n{said}", promise.name).expect("a string takes everything");
                }
            }
        }
        if built {
            write(&go.join(format!("{}_test.go", stem(&path))), &read(&path.with_file_name(format!("{}_test.go", stem(&path)))));
        }
    }
    native::tests(&dir, &go, &promises);
    for (name, text) in HARNESS {
        write(&go.join(name), text);
    }
    for run in RUNS.iter().filter(|run| arches.contains(&run.arch)) {
        if let Err(said) = go_tests(&go, &dir.join("want.txt"), run) {
            writeln!(problems, "{}, {}:\n{said}", run.arch, run.what).expect("a string takes everything");
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

/// What every test of a promise may use.
const HARNESS: [(&str, &str); 6] = [
    ("harness_test.go", include_str!("promises/harness/harness_test.go")),
    ("native_test.go", include_str!("promises/harness/native_test.go")),
    ("profile_test.go", include_str!("promises/harness/profile_test.go")),
    ("paint/paint.go", include_str!("promises/harness/paint/paint.go")),
    ("paint/paint_amd64.s", include_str!("promises/harness/paint/paint_amd64.s")),
    ("paint/paint_arm64.s", include_str!("promises/harness/paint/paint_arm64.s")),
];

/// The machines whose programs can be built and run here; in CI all of them must be.
fn arches() -> Vec<Arch> {
    let mut arches = vec![Arch::Amd64];
    if arm64::toolchain("promises on arm64").is_some() {
        match Command::new(EMULATOR).arg("--version").output() {
            Ok(_) => arches.push(Arch::Arm64),
            Err(error) => {
                println!("skipped: promises on arm64: {EMULATOR}: {error}: scripts/setup installs it");
                assert!(std::env::var_os("CI").is_none(), "there is no {EMULATOR}");
            }
        }
    }
    if let Ok(alone) = std::env::var("ARCH") {
        arches.retain(|arch| arch.goarch() == alone);
    }
    arches
}

fn go_tests(go: &Path, want: &Path, run: &Run) -> Result<(), String> {
    let race = if run.race { "race" } else { "plain" };
    let program = go.join(format!("{}-{race}.test", run.arch.goarch()));
    if !program.exists() {
        let mut build = common::go_command(run.arch, go);
        build.env("CGO_ENABLED", if run.race { "1" } else { "0" }).args(["test", "-c", "-vet=off", "-o"]).arg(&program);
        if run.race {
            build.arg("-race");
        }
        match native::said(build.arg(".")) {
            Err(problem) if run.race && std::env::var_os("CI").is_none() && problem.contains("C compiler") => {
                println!("skipped: promises under the race detector: {problem}");
                return Ok(());
            }
            built => built?,
        };
    }
    let mut test = match run.arch {
        Arch::Arm64 if !cfg!(target_arch = "aarch64") => {
            let mut emulator = Command::new(EMULATOR);
            emulator.arg(&program);
            emulator
        }
        _ => Command::new(&program),
    };
    test.current_dir(go).env_remove("GODEBUG").env_remove("GOGC").env("WANT", want).envs(run.env.iter().copied());
    if run.race {
        test.env("RACE", "1");
    }
    if let Ok(only) = std::env::var("RUN") {
        test.arg(format!("-test.run={only}"));
    }
    let began = std::time::Instant::now();
    let said = native::said(test.args(["-test.timeout=5m"]))?;
    println!("{}, {}: {} s: {}", run.arch, run.what, began.elapsed().as_secs(), said.trim());
    Ok(())
}

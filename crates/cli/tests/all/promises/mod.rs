//! Tests of the promises in docs/safety.md. For each promise there is a crate that tries to break it.
//!
//! `promises/ROOM/NAME.rs` is a crate's `lib.rs`, and `NAME_test.go` beside it contains the Go tests that call the crate. A room is a folder for one
//! subject; it is not part of a test's name. All crates become packages of a Go module for each machine. The module's tests
//! are one program, built once. Each crate has a test for each way to run that program: unchanged, with settings of Go's runtime that move and free
//! more memory, with the race detector, and emulated. `profile` is not a crate: it samples the functions of all crates. docs/testing.md documents the
//! directives.

mod krate;
mod native;

use crate::common::{self, TARGETS, arm64, go_mod, read, rooms, root, scratch, stem, write};
use crate::harness::{self, Shared, Test};
use krate::Promise;
use rayon::prelude::*;
use rustgo_cli::testing::target::Arch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The emulator that runs the tests for arm64.
const EMULATOR: &str = "qemu-aarch64-static";

/// A way to build and run the Go tests.
struct Way {
    name: &'static str,
    arch: Arch,
    race: bool,
    env: &'static [(&'static str, &'static str)],
    /// The only crate whose tests run in this way; empty if the tests of all crates run in this way.
    only: &'static str,
}

const PLAIN: Way = Way { name: "plain", arch: Arch::Amd64, race: false, env: &[], only: "" };
const ARM64: Way = Way { name: "arm64", arch: Arch::Arm64, ..PLAIN };

const WAYS: [Way; 8] = [
    PLAIN,
    Way { name: "collected", env: &[("GOGC", "1"), ("GODEBUG", "clobberfree=1,gcstoptheworld=1")], ..PLAIN },
    Way { name: "one_processor", env: &[("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1,gcshrinkstackoff=1")], ..PLAIN },
    Way { name: "race", race: true, ..PLAIN },
    ARM64,
    Way { name: "lowest", env: &[("RUSTGO_CPU", "x86-64")], only: "levels", ..PLAIN },
    Way { name: "switched_off", env: &[("GODEBUG", "cpu.avx2=off")], only: "levels", ..PLAIN },
    Way { name: "arm64_lowest", env: &[("RUSTGO_CPU", "armv8-a")], only: "levels", ..ARM64 },
];

impl Way {
    fn has(&self, case: &str) -> bool {
        self.only.is_empty() || self.only == case
    }

    /// Most crates run on arm64 only with `--include-ignored`, because each takes a build and then the emulator. The others have the code that differs
    /// most between the machines: calls in both directions, unwinding, signals, stacks and levels.
    fn is_ignored(&self, case: &str) -> bool {
        self.arch == Arch::Arm64 && case != PROFILE && !ARM64_SAMPLE.contains(&case)
    }
}

const ARM64_SAMPLE: [&str; 15] = [
    "blocking",
    "border",
    "callbacks",
    "callbacks_values",
    "faults",
    "heap",
    "levels",
    "panics",
    "stack",
    "stack_arguments",
    "tail_calls",
    "tasks",
    "unwinding",
    "unwinding_drops",
    "unwinding_frames",
];

/// The name of the test that samples the functions of all crates.
const PROFILE: &str = "profile";

/// A test for each crate and way to run.
pub fn tests() -> Vec<Test> {
    let paths = rooms::cases(&root().join("crates/cli/tests/promises"), &["rs"]);
    let name = |case: &str, way: &Way| format!("promises::{case}::{}", way.name);
    let cases: Vec<String> = paths.iter().map(|path| stem(path)).chain([PROFILE.to_owned()]).collect();
    let mut tests = Vec::new();
    for arch in Arch::ALL {
        let ways = || WAYS.iter().filter(move |way| way.arch == arch);
        let is_selected = |case: &str| ways().any(|way| way.has(case) && harness::is_selected(&name(case, way), way.is_ignored(case)));
        // The profile samples the functions of all crates whose tests are not ignored.
        let is_sampled = |case: &str| is_selected(PROFILE) && !ways().all(|way| way.is_ignored(case));
        let chosen: Vec<PathBuf> = paths.iter().filter(|path| is_selected(&stem(path)) || is_sampled(&stem(path))).cloned().collect();
        let module = Arc::new(Shared::new(move || Module::make(&chosen, arch)));
        for way in ways() {
            for case in cases.iter().filter(|case| way.has(case)) {
                let (module, of) = (Arc::clone(&module), case.clone());
                let test = Test::new(name(case, way), move || {
                    if can_run(way.arch) {
                        module.get().run(&of, way);
                    }
                });
                tests.push(if way.is_ignored(case) { test.ignored() } else { test });
            }
        }
    }
    tests
}

/// State that the tests for one machine share.
struct Module {
    go: PathBuf,
    want: PathBuf,
    /// By the crate's file name: its Go packages, or the message if the tool refuses the crate.
    cases: BTreeMap<String, Result<Vec<Promise>, String>>,
    /// The Go test programs, or the reasons why they cannot be built. The key is true if the race detector is on.
    programs: BTreeMap<bool, Shared<Result<PathBuf, String>>>,
}

impl Module {
    fn make(paths: &[PathBuf], arch: Arch) -> Module {
        let dir = scratch(&format!("promises-{}", arch.goarch()));
        let go = dir.join("go");
        let _ = std::fs::remove_dir_all(&go);
        go_mod(&go);
        let build = |(at, path): (usize, &PathBuf)| {
            let promises = Promise::read(&dir, path)?;
            promises
                .iter()
                .try_for_each(|promise| promise.build(&go, arch, at).map_err(|said| format!("{} is not built:\n{said}", promise.name)))?;
            Ok(promises)
        };
        // Each target folder gets every other crate, and the folders are used at the same time.
        let of_folder = |folder| paths.iter().enumerate().skip(folder).step_by(TARGETS).map(build).collect::<Vec<_>>().into_iter();
        let mut folders: Vec<_> = (0..TARGETS).into_par_iter().map(of_folder).collect();
        let built: Vec<Result<Vec<Promise>, String>> = (0..paths.len()).filter_map(|at| folders[at % TARGETS].next()).collect();
        for path in paths.iter().zip(&built).filter_map(|(path, built)| built.is_ok().then_some(path)) {
            let tests = format!("{}_test.go", stem(path));
            write(&go.join(&tests), &read(&path.with_file_name(&tests)));
        }
        native::tests(&dir, &go, built.iter().flatten().flatten());
        for (name, text) in HARNESS {
            write(&go.join(name), text);
        }
        let program = |race: bool| {
            let go = go.clone();
            (race, Shared::new(move || program(&go, arch, race)))
        };
        Module {
            want: dir.join("want.txt"),
            cases: paths.iter().map(|path| stem(path)).zip(built).collect(),
            programs: [false, true].map(program).into(),
            go,
        }
    }

    /// Runs the Go tests of a crate in one of the [`WAYS`].
    fn run(&self, case: &str, way: &Way) {
        let program = match self.programs[&way.race].get() {
            Ok(program) => program,
            Err(why) => return crate::say!("skipped: {case}, {}: {why}", way.name),
        };
        let mut test = match way.arch {
            Arch::Arm64 if !cfg!(target_arch = "aarch64") => {
                let mut emulator = Command::new(EMULATOR);
                emulator.arg(program);
                emulator
            }
            _ => Command::new(program),
        };
        test.current_dir(&self.go)
            .env_remove("GODEBUG")
            .env_remove("GOGC")
            .env_remove("RUSTGO_CPU")
            .env("WANT", &self.want)
            .envs(way.env.iter().copied());
        if way.race {
            test.env("RACE", "1");
        }
        let mut names = Vec::new();
        if case == PROFILE {
            names.push("TestNoSampleEndsInRust".to_owned());
        } else {
            let promises = self.cases[case].as_ref().unwrap_or_else(|said| panic!("{said}"));
            let packages: Vec<&str> = promises.iter().map(|promise| promise.name.as_str()).collect();
            test.env("PACKAGES", packages.join(","));
            let text = read(&self.go.join(format!("{case}_test.go")));
            let declared = text.lines().filter_map(|line| line.strip_prefix("func Test")?.split_once('('));
            names.extend(declared.map(|(name, _)| format!("Test{name}")));
            if promises.iter().any(|promise| !promise.functions().is_empty()) {
                names.push("TestNative".to_owned());
            }
        }
        assert!(!names.is_empty(), "{case} has neither Go tests nor native results");
        let only = match harness::go_test() {
            Some(wanted) => {
                let (test, subtest) = wanted.split_once('/').unwrap_or((wanted, ""));
                assert!(names.iter().any(|name| name == test), "{case} has no Go test {test}, only {}", names.join(", "));
                format!("^{test}$/{subtest}")
            }
            None => format!("^({})$", names.join("|")),
        };
        let began = std::time::Instant::now();
        let said = native::said(test.arg(format!("-test.run={only}")).arg("-test.timeout=5m")).unwrap_or_else(|said| panic!("{said}"));
        crate::say!("{case}, {}: {} s: {}", way.name, began.elapsed().as_secs(), said.trim());
    }
}

/// Builds the Go test program. The race detector needs a C compiler. If there is none, `program` returns the go command's message as an error, or
/// panics in CI.
fn program(go: &Path, arch: Arch, race: bool) -> Result<PathBuf, String> {
    let program = go.join(format!("{}-{}.test", arch.goarch(), if race { "race" } else { "plain" }));
    let mut build = common::go_command(arch, go);
    build.env("CGO_ENABLED", if race { "1" } else { "0" }).args(["test", "-c", "-vet=off", "-o"]).arg(&program);
    if race {
        build.arg("-race");
    }
    match native::said(build.arg(".")) {
        Err(problem) if race && std::env::var_os("CI").is_none() && problem.contains("C compiler") => Err(problem),
        built => {
            built.unwrap_or_else(|said| panic!("{said}"));
            Ok(program)
        }
    }
}

/// True if test programs for this machine can be built and run here. In CI a missing emulator is a failure.
fn can_run(arch: Arch) -> bool {
    if arch == Arch::Amd64 {
        return true;
    }
    if arm64::toolchain("promises on arm64").is_none() {
        return false;
    }
    match Command::new(EMULATOR).arg("--version").output() {
        Ok(_) => true,
        Err(error) => {
            crate::say!("skipped: promises on arm64: {EMULATOR}: {error}: scripts/setup installs it");
            assert!(std::env::var_os("CI").is_none(), "there is no {EMULATOR}");
            false
        }
    }
}

/// Go test files that the tests of all crates use.
const HARNESS: [(&str, &str); 4] = [
    ("harness_test.go", include_str!("../../promises/harness/harness_test.go")),
    ("native_test.go", include_str!("../../promises/harness/native_test.go")),
    ("profile_test.go", include_str!("../../promises/harness/profile_test.go")),
    ("stream_test.go", include_str!("../../promises/harness/stream_test.go")),
];

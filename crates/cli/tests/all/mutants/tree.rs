//! The copy of the checkout in which the mutants are built and tested.

use super::expected;
use crate::common::{read, root, scratch, write};
use crate::harness::NAMES;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The parts of the checkout that the tests need.
const PARTS: [&str; 5] = ["crates", "go", "docs", "Cargo.toml", "Cargo.lock"];

/// The stages for which a case of `run` may have a listing.
const STAGES: [&str; 3] = ["decode", "analyze", "lower"];

pub struct Tree {
    dir: PathBuf,
    target: PathBuf,
    /// The latest build of each test program, by the program's name. A change of a file empties the map.
    built: RefCell<HashMap<String, Result<PathBuf, String>>>,
}

/// The outcome of a test.
pub enum Ended {
    Passed,
    /// The names of the failed tests.
    Failed(String),
    NotBuilt(String),
}

/// A changed file. Its original content is restored when this value is dropped.
pub struct Changed<'t> {
    tree: &'t Tree,
    path: PathBuf,
    text: String,
}

impl Drop for Changed<'_> {
    fn drop(&mut self) {
        write(&self.path, &self.text);
        self.tree.built.borrow_mut().clear();
    }
}

impl Tree {
    /// Creates or updates the copy. Unchanged files keep their modification times, so cargo recompiles little.
    pub fn copy() -> Tree {
        let dir = scratch("mutants");
        let tree = Tree { target: dir.join("target"), dir: dir.join("tree"), built: RefCell::default() };
        for part in PARTS {
            mirror(&root().join(part), &tree.dir.join(part));
        }
        tree
    }

    /// Replaces a text in a file of the copy.
    pub fn change(&self, file: &str, from: &str, to: &str) -> Changed<'_> {
        let path = self.dir.join(file);
        let text = read(&path);
        assert_eq!(text.matches(from).count(), 1, "{file}: {from}");
        write(&path, &text.replacen(from, to, 1));
        self.built.borrow_mut().clear();
        Changed { tree: self, path, text }
    }

    /// Runs the tests that `test` names, in the form of an entry in `Mutant::tests`.
    pub fn run(&self, test: &str, longest: Duration) -> Ended {
        if let Some(wanted) = test.strip_prefix("rt ") {
            let mut go = Command::new("go");
            go.current_dir(self.dir.join("go")).args(["test", "-count=1", "-run", wanted, "./rt/..."]).env("GOWORK", "off");
            return self.ended(test, go, longest);
        }
        let target = if test.starts_with("lib ") { "lib" } else { "all" };
        let known = self.built.borrow().get(target).cloned();
        let built = known.unwrap_or_else(|| {
            let built = self.build(target);
            self.built.borrow_mut().insert(target.to_owned(), built.clone());
            built
        });
        let program = match built {
            Ok(program) => program,
            Err(said) => return Ended::NotBuilt(said),
        };
        let wanted = test.strip_prefix("lib ").unwrap_or(test);
        // For a case of `run`, compare its listings first, because this comparison needs no Go build.
        let listings = wanted.strip_prefix("run::").into_iter().flat_map(|case| STAGES.map(|stage| format!("{stage}::{case}")));
        let listings = listings.filter(|name| expected(name).next().is_some() && !name.ends_with("::"));
        for filter in listings.chain([wanted.to_owned()]) {
            let mut command = Command::new(&program);
            command.current_dir(self.dir.join("crates/cli"));
            match target {
                "lib" if filter.is_empty() => {}
                "lib" => drop(command.arg(filter)),
                _ => {
                    // The harness cannot select several tests by their exact names. So skip all other tests.
                    let expected: Vec<&str> = expected(&filter).collect();
                    let names = NAMES.get().expect("a test is run after all are named").iter();
                    let others = names.filter(|name| !expected.contains(&name.as_str()));
                    command.arg("--exact").args(others.flat_map(|name| ["--skip", name]));
                }
            }
            for variable in ["RANDOM_SEEDS", "BLESS", "MUTANTS"] {
                command.env_remove(variable);
            }
            command.env("ADVERSARY_ARCH", "amd64,arm64");
            match self.ended(test, command, longest) {
                Ended::Passed => {}
                ended => return ended,
            }
        }
        Ended::Passed
    }

    /// Runs a test program to its end, or kills it after the time limit.
    fn ended(&self, test: &str, mut command: Command, longest: Duration) -> Ended {
        let log = self.target.join("said.txt");
        let file = File::create(&log).expect("the scratch folder is writable");
        let shared = file.try_clone().expect("a file has more than one handle");
        // Run the test in a process group of its own, so that the time limit also kills the processes that the test starts.
        let mut child = command.stdout(file).stderr(shared).stdin(Stdio::null()).process_group(0).spawn().expect("the test can be started");
        let began = Instant::now();
        loop {
            match child.try_wait().expect("the test is our child") {
                Some(status) => {
                    let said = String::from_utf8_lossy(&std::fs::read(&log).expect("it was just made")).into_owned();
                    assert!(!said.contains("\nrunning 0 tests\n"), "{test}: there is no such test");
                    return if status.success() { Ended::Passed } else { Ended::Failed(failed(&said)) };
                }
                None if began.elapsed() > longest => {
                    let group = format!("-{}", child.id());
                    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                    let _ = child.wait();
                    return Ended::Failed("does not end".to_owned());
                }
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Builds a test program; returns its path, or the compiler's message.
    fn build(&self, target: &str) -> Result<PathBuf, String> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // Without debug information a build takes half the time.
        cargo.current_dir(&self.dir).env("CARGO_TARGET_DIR", &self.target).env("CARGO_PROFILE_DEV_DEBUG", "0");
        cargo.args(["test", "--no-run", "--locked", "-p", "cargo-rustgo"]);
        match target {
            "lib" => cargo.arg("--lib"),
            target => cargo.args(["--test", target]),
        };
        let output = cargo.output().expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let program = said.lines().rev().find_map(|line| line.trim().strip_prefix("Executable ")?.rsplit_once('(')?.1.strip_suffix(')'));
        match program {
            Some(program) if output.status.success() => Ok(self.dir.join(program)),
            _ => Err(said),
        }
    }
}

/// The names of the failed tests in a test program's output.
fn failed(said: &str) -> String {
    let rust = said.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED")).map(str::trim);
    let go = said.lines().filter_map(|line| line.trim_start().strip_prefix("--- FAIL: ")?.split(' ').next());
    let mut names: Vec<&str> = rust.chain(go).map(|name| name.strip_prefix("tests::").unwrap_or(name)).collect();
    names.dedup();
    if names.is_empty() { "ends early".to_owned() } else { names.join(", ") }
}

/// Makes `to` a copy of `from`, without build output.
fn mirror(from: &Path, to: &Path) {
    if !from.is_dir() {
        let new = std::fs::read(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        if !std::fs::read(to).is_ok_and(|old| old == new) {
            std::fs::create_dir_all(to.parent().expect("a file lies in a folder")).expect("the folder can be made");
            std::fs::copy(from, to).expect("the scratch folder is writable");
        }
        return;
    }
    let names = |dir: &Path| -> Vec<std::ffi::OsString> {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).filter(|name| name != "target").collect()
    };
    let wanted = names(from);
    for gone in names(to).into_iter().filter(|name| !wanted.contains(name)) {
        let gone = to.join(gone);
        let removed = if gone.is_dir() { std::fs::remove_dir_all(&gone) } else { std::fs::remove_file(&gone) };
        removed.expect("the scratch folder is writable");
    }
    wanted.iter().for_each(|name| mirror(&from.join(name), &to.join(name)));
}

//! `rustgo dev`: builds the package and tests it whenever a source file is saved.
//!
//! rustgo finds changes by reading the times and sizes of the files three times a second. This method needs no library, works on every file system,
//! and takes a few milliseconds for a package.

use crate::args::{BuildArgs, Cli, DevArgs, Output};
use crate::config::go_module::GoModule;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::process;
use crate::progress::{Manner, Progress};
use crate::request::Request;
use crate::toolchain::Go;
use crate::{build_and_write, config, manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The time between two readings of the files' times.
const PERIOD: Duration = Duration::from_millis(300);
/// The time between two checks for an interrupt.
const STEP: Duration = Duration::from_millis(30);

/// The folders whose files are watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Watched {
    /// The folders of the crate and of its dependencies in local folders.
    crates: BTreeSet<PathBuf>,
    /// The folder of the Go module.
    module: Option<PathBuf>,
    /// cargo's target folder.
    target: PathBuf,
    /// The files that the last build has written.
    written: BTreeSet<PathBuf>,
}

/// The time of the last change and the size of each file.
type Snapshot = BTreeMap<PathBuf, (SystemTime, u64)>;

/// The state of the watched files at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    /// The sources of the crates.
    rust: Snapshot,
    /// The files of the Go module that the author writes.
    go: Snapshot,
}

/// The work that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    BuildAndTest,
    Test,
}

/// Builds and tests until the user interrupts. Errors of a build and failures of a test are printed. `program` is the path of this program.
///
/// # Errors
/// [`Failure::Interrupted`]; [`ErrorCode::Request`] if the user chose a message format for programs; the reasons why the request is invalid.
pub fn dev(args: &DevArgs, cli: &Cli, program: &Path, progress: &Progress) -> Result<()> {
    if matches!(progress.manner(), Manner::Json | Manner::GitHub) {
        let message = "rustgo dev writes for people: it takes no --message-format";
        return Err(Diagnostic::new(ErrorCode::Request, message)
            .hint("for messages that a program reads, run rustgo build --message-format json")
            .into());
    }
    let build = cli.command.build_args(cli.toolchain.as_ref()).unwrap_or_default();
    // A request that cannot be understood, such as a crate that does not exist, ends the command.
    let mut watched = Watched::default();
    watched.follow(&config::resolve(&build, &cli.output, Output::Written, program.to_owned())?);
    let mut due = Due::BuildAndTest;
    let mut built = None;
    loop {
        progress.clear_screen();
        // This state is read before the build, so a file that is saved during the build differs from it.
        let mut state = watched.state();
        // After a failed build there is nothing to test.
        if due == Due::BuildAndTest || built.is_none() {
            built = attempt(progress, rebuild(&build, (cli, program), progress, &mut watched))?;
            state = state.after_build(&watched);
        }
        if let Some(request) = &built {
            attempt(progress, test(request, args, progress))?;
            state = state.after_test(&watched);
        }
        progress.done("waiting for changes; Ctrl-C ends");
        due = loop {
            wait()?;
            if let Some((due, changed)) = state.compare(&watched.state()) {
                progress.done(&format!("{} has changed", changed.display()));
                break due;
            }
        };
    }
}

/// Prints the reasons of a failure, and returns `None`. Returns an error only for an interrupt.
fn attempt<T>(progress: &Progress, result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(Failure::Refused(reasons)) => {
            progress.refuse(&reasons, None);
            Ok(None)
        }
        Err(Failure::Reported(reason)) => {
            progress.reported(&reason);
            Ok(None)
        }
    }
}

/// Waits for [`PERIOD`], or fails if the user interrupts.
fn wait() -> Result<()> {
    let mut waited = Duration::ZERO;
    while waited < PERIOD {
        process::check()?;
        std::thread::sleep(STEP);
        waited += STEP;
    }
    process::check()
}

/// Builds the package, and sets the folders to watch. Each build makes a new request, because Cargo.toml may have changed.
fn rebuild(build: &BuildArgs, (cli, program): (&Cli, &Path), progress: &Progress, watched: &mut Watched) -> Result<Request> {
    let request = config::resolve(build, &cli.output, Output::Written, program.to_owned())?;
    if let Some(note) = &request.note {
        progress.note(note);
    }
    watched.follow(&request);
    if let Some(&target) = request.targets.first() {
        let packages = manifest::packages(&request.cargo.of(target.arch), &request.manifest, &request.features, target)?;
        watched.crates.extend(packages.into_iter().filter(|package| package.source.is_none()).map(|package| package.dir));
    }
    let product = build_and_write(&request, progress)?;
    let files = product.folders.iter().flat_map(|folder| folder.files.keys().map(|name| folder.dir.join(name)));
    watched.written = files.collect();
    Ok(request)
}

/// Runs `go test` in the package's module.
fn test(request: &Request, args: &DevArgs, progress: &Progress) -> Result<()> {
    let Some(module) = GoModule::of(&request.out) else {
        progress.note(&format!("{} is in no Go module, so there is nothing to test", request.out.display()));
        return Ok(());
    };
    let go = Go::find(&request.go)?;
    let mut command = go.program(&module.root);
    command.arg("test");
    match args.test.is_empty() {
        true => command.arg("./..."),
        false => command.args(&args.test),
    };
    let status = process::show(&mut command)?
        .map_err(|error| Failure::from(Diagnostic::new(ErrorCode::Toolchain, format!("go test cannot be run: {error}"))))?;
    progress.done(if status.success() { "go test: ok" } else { "go test: failed" });
    Ok(())
}

impl Watched {
    /// Sets the folders that a request names.
    fn follow(&mut self, request: &Request) {
        self.target.clone_from(&request.manifest.target_dir);
        self.module = GoModule::of(&request.out).map(|module| module.root);
        self.crates = [request.manifest.dir.clone()].into();
    }

    /// Reads the times of the files. A file that cannot be read counts as missing: an editor may be about to replace it.
    fn state(&self) -> State {
        let mut all = Snapshot::new();
        let outer = self.module.iter().chain(&self.crates);
        outer.for_each(|dir| self.read(dir, &mut all));
        let (rust, go) = all.into_iter().partition(|(file, _)| self.is_rust(file));
        State { rust, go }
    }

    /// Returns true for a source of a crate. Any file in a crate's folder counts as a source, because a crate may include any file. Only Go files do
    /// not count, because Go files there are tests of the package.
    fn is_rust(&self, file: &Path) -> bool {
        self.crates.iter().any(|dir| file.starts_with(dir)) && file.extension().is_none_or(|extension| extension != "go")
    }

    fn read(&self, dir: &Path, all: &mut Snapshot) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            // Leave out hidden files, which belong to editors and to version control, and files that the last build has written.
            if name.to_string_lossy().starts_with('.') || self.written.contains(&path) {
                continue;
            }
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => {
                    // Leave out cargo's target folders, which contain this file.
                    if path != self.target && !path.join("CACHEDIR.TAG").exists() {
                        self.read(&path, all);
                    }
                }
                Ok(metadata) => {
                    let time = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    all.insert(path, (time, metadata.len()));
                }
                Err(_) => {}
            }
        }
    }
}

impl State {
    /// Turns `self`, the state before a build, into the state with which to compare the files after the build. Removes the files that the build has
    /// written. Adds, with their current times, Cargo.lock, which cargo may have changed, and the files that are watched only since the build. All
    /// other files keep their times from before the build, so that an edit during the build counts as a change.
    fn after_build(mut self, watched: &Watched) -> State {
        let now = watched.state();
        let merge = |before: &mut Snapshot, now: Snapshot| {
            before.retain(|file, _| !watched.written.contains(file));
            for (file, value) in now {
                if file.ends_with("Cargo.lock") || !before.contains_key(&file) {
                    before.insert(file, value);
                }
            }
        };
        // Only the build has found the folders of the module and of the dependencies, so sort all files into Rust and Go files again.
        let mut before: Snapshot = std::mem::take(&mut self.rust);
        before.append(&mut self.go);
        let (mut rust, mut go) = before.into_iter().partition(|(file, _)| watched.is_rust(file));
        merge(&mut rust, now.rust);
        merge(&mut go, now.go);
        State { rust, go }
    }

    /// Turns `self`, the state before a test, into the state with which to compare the files after the test. Files that are not sources, such as
    /// profiles and expected output, get their current times. Otherwise a test that writes such a file would cause another run of the tests, without
    /// end.
    fn after_test(mut self, watched: &Watched) -> State {
        let is_source =
            |file: &Path| file.extension().is_some_and(|end| ["go", "s", "mod", "sum", "c", "h"].iter().any(|source| end == *source));
        self.go.retain(|file, _| is_source(file));
        self.go.extend(watched.state().go.into_iter().filter(|(file, _)| !is_source(file)));
        self
    }

    /// Returns the work that the difference to a later state requires, and a file that differs.
    fn compare(&self, later: &State) -> Option<(Due, PathBuf)> {
        let rust = difference(&self.rust, &later.rust).map(|file| (Due::BuildAndTest, file));
        rust.or_else(|| difference(&self.go, &later.go).map(|file| (Due::Test, file)))
    }
}

/// Returns a file that is new, missing or changed.
fn difference(before: &Snapshot, later: &Snapshot) -> Option<PathBuf> {
    let changed = later.iter().find(|(file, value)| before.get(*file) != Some(*value));
    let missing = || before.keys().find(|file| !later.contains_key(*file));
    changed.map(|(file, _)| file).or_else(missing).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Go module with a crate in `rust`, and cargo's results.
    fn module() -> (tempfile::TempDir, Watched) {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "go.mod",
            "rustgo.go",
            "a_test.go",
            ".hidden",
            "rust/Cargo.toml",
            "rust/src/lib.rs",
            "rust/src/data.txt",
            "rust/target/CACHEDIR.TAG",
            "rust/target/x",
            "out/y",
        ] {
            write(&dir.path().join(name), name);
        }
        let watched = Watched {
            crates: [dir.path().join("rust")].into(),
            module: Some(dir.path().to_owned()),
            target: dir.path().join("out"),
            written: [dir.path().join("rustgo.go")].into(),
        };
        (dir, watched)
    }

    fn write(file: &Path, text: &str) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    fn names(dir: &Path, files: &Snapshot) -> Vec<String> {
        files.keys().map(|file| file.strip_prefix(dir).unwrap().to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn sources_are_watched_and_results_are_not() {
        let (dir, watched) = module();
        let state = watched.state();
        assert_eq!(names(dir.path(), &state.rust), ["rust/Cargo.toml", "rust/src/data.txt", "rust/src/lib.rs"]);
        assert_eq!(names(dir.path(), &state.go), ["a_test.go", "go.mod"]);
    }

    #[test]
    fn files_written_by_tests_are_ignored() {
        let (dir, watched) = module();
        let before = watched.state();
        write(&dir.path().join("c.out"), "a profile");
        assert_eq!(before.compare(&watched.state()), Some((Due::Test, dir.path().join("c.out"))));
        let after = watched.state().after_test(&watched);
        write(&dir.path().join("c.out"), "another profile");
        let after = after.after_test(&watched);
        assert_eq!(after.compare(&watched.state()), None);
        // A source that is saved during the test is a change.
        write(&dir.path().join("a_test.go"), "another text");
        assert_eq!(after.after_test(&watched).compare(&watched.state()), Some((Due::Test, dir.path().join("a_test.go"))));
    }

    #[test]
    fn rust_files_cause_a_build_and_go_files_a_test() {
        let (dir, watched) = module();
        let before = watched.state();
        assert_eq!(before.compare(&watched.state()), None);
        let check = |file: &str, text: Option<&str>, due: Option<Due>| {
            let before = watched.state();
            let file = dir.path().join(file);
            match text {
                Some(text) => write(&file, text),
                None => std::fs::remove_file(&file).unwrap(),
            }
            assert_eq!(before.compare(&watched.state()), due.map(|due| (due, file)));
        };
        check("rust/src/lib.rs", Some("another text"), Some(Due::BuildAndTest));
        check("rust/src/new.rs", Some(""), Some(Due::BuildAndTest));
        check("rust/src/new.rs", None, Some(Due::BuildAndTest));
        check("a_test.go", Some("another text"), Some(Due::Test));
        check("rust/target/x", Some("another text"), None);
        check("out/y", Some("another text"), None);
        check("rustgo.go", Some("another text"), None);
        check(".hidden", Some("another text"), None);
    }

    #[test]
    fn only_edits_during_a_build_cause_another() {
        let (dir, watched) = module();
        // Before the first build only the crate's folder is known.
        let first = Watched { module: None, written: BTreeSet::new(), ..watched.clone() };
        let before = first.state();
        write(&dir.path().join("rust/Cargo.lock"), "made by cargo");
        write(&dir.path().join("rustgo.go"), "made by rustgo");
        let after = before.clone().after_build(&watched);
        assert_eq!(after.compare(&watched.state()), None);
        let before = watched.state();
        write(&dir.path().join("rust/src/lib.rs"), "edited during the build");
        let after = before.after_build(&watched);
        assert_eq!(after.compare(&watched.state()), Some((Due::BuildAndTest, dir.path().join("rust/src/lib.rs"))));
    }
}

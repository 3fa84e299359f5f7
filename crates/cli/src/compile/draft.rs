//! The folder in which `rustgo get` makes a module. When all files are written, the folder is renamed to the module's folder. If an error occurs
//! before the renaming, the folder is removed.

use super::subject::{self, Mistake};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest::Manifest;
use crate::process;
use crate::target::Target;
use crate::toolchain::Cargo;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder beside the module's future folder, so that relative paths are the same in both.
#[derive(Debug)]
pub struct Draft {
    pub dir: PathBuf,
    /// Removes the folder, unless it was renamed.
    temporary: Option<TempDir>,
    /// The missing parent folders that were made, outermost first. When the draft is dropped, they are removed if they are empty.
    made: Vec<PathBuf>,
}

impl Draft {
    /// Makes the folder, and its missing parents. `module` is the module's future folder.
    pub fn new(module: &Path) -> Result<Draft> {
        let parent = module.parent().unwrap_or(Path::new("/"));
        let mut made: Vec<PathBuf> = parent.ancestors().take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
        made.reverse();
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rustgo-get-");
        // This folder will be the module's folder, so it gets the permissions of an ordinary folder.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let temporary = std::fs::create_dir_all(parent).and_then(|()| builder.tempdir_in(parent));
        let temporary = temporary.map_err(|error| {
            made.iter().rev().for_each(|dir| drop(std::fs::remove_dir(dir)));
            Diagnostic::new(ErrorCode::Output, format!("{}: {error}", parent.display())).hint("name another folder: rustgo get CRATE DIR")
        })?;
        process::remove_at_interrupt(temporary.path());
        Ok(Draft { dir: temporary.path().to_owned(), temporary: Some(temporary), made })
    }

    /// Writes a file of the module. `name` has `/` between folders.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        subject::write(&self.dir, name, text)
    }

    /// Type-checks the wrapper crate in the draft's folder `rust`, and returns the compiler's errors and its warnings about deprecated items.
    pub fn mistakes(&self, cargo: &Cargo, manifest: &Manifest, target: Target) -> Result<Vec<Mistake>> {
        subject::mistakes(cargo, &self.dir.join("rust"), manifest, target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        drop(self.temporary.take());
        self.made.iter().rev().for_each(|dir| drop(std::fs::remove_dir(dir)));
    }
}

/// Downloads the crate `krate` (as the user names it) and its dependencies for the scratch crate in `dir`.
///
/// # Errors
/// Fails if the registry has no such crate or version, if the crate has no library, or if the registry cannot be reached.
pub fn fetch(cargo: &Cargo, dir: &Path, krate: &str) -> Result<()> {
    let mut command = cargo.command(dir);
    // Use `cargo metadata`, because `cargo fetch` does not report that a dependency has no library.
    command.args(["metadata", "--format-version", "1"]).args(cargo.network_args());
    let output = process::capture(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
    if output.status.success() && !output.stderr.contains("missing a lib target") {
        return Ok(());
    }
    Err(Failure::from(explain(krate, &output.stderr)))
}

/// Returns the error that cargo's messages `stderr` describe. `krate` is the crate as the user names it.
fn explain(krate: &str, stderr: &str) -> Diagnostic {
    let (name, version) = krate.split_once('@').unwrap_or((krate, ""));
    let refused = |message: String| Diagnostic::new(ErrorCode::Request, message);
    let has = |text: &str| stderr.contains(text);
    let after = |text: &str| stderr.split_once(text).and_then(|(_, rest)| rest.lines().next()).map(|rest| rest.trim().to_owned());
    if has("missing a lib target") {
        return refused(format!("the crate {name} has no library")).hint("rustgo wraps libraries; a program can be run by os/exec");
    }
    if has("--offline was specified") || has("offline mode") {
        return refused(format!("the crate {krate} is not among the crates that cargo has downloaded")).hint("leave --offline out");
    }
    if has("no matching package named") || has("no matching package found") {
        return refused(format!("the registry has no crate {name}"))
            .hint("see https://crates.io for the name; a crate on this machine is named by --path DIR");
    }
    if has("candidate versions found which didn't match") || has("failed to select a version for the requirement") {
        let mut diagnostic = refused(format!("the crate {name} has no version {version}"));
        if let Some(versions) = after("candidate versions found which didn't match:") {
            diagnostic = diagnostic.note(format!("its versions: {versions}"));
        }
        return diagnostic.hint(format!("rustgo get {name} takes the newest version"));
    }
    if has("does not have that feature") || has("does not have these features") || has("does not have feature") {
        return refused(format!("the crate {name} has no such feature"))
            .note(stderr.lines().find(|line| line.contains("feature")).unwrap_or_default().trim().to_owned())
            .hint("cargo info NAME lists a crate's features");
    }
    let network = [
        "Could not resolve host",
        "Couldn't connect",
        "Couldn't resolve host",
        "download of",
        "failed to download",
        "network",
        "Timeout",
        "CONNECT tunnel",
    ];
    let mut diagnostic = match network.iter().any(|text| has(text)) {
        true => refused(format!("the registry cannot be reached for the crate {name}"))
            .hint("check the network and the proxy (HTTPS_PROXY); with --offline cargo takes what it has downloaded before"),
        false => refused(format!("cargo cannot get the crate {krate}")).hint("cargo's messages above say why"),
    };
    diagnostic.notes.extend(stderr.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("cargo: {}", line.trim())));
    diagnostic
}

/// Returns the texts of the licences in a crate's folder, by file name.
pub fn licences(dir: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut found: Vec<(String, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let upper = name.to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"].iter().any(|start| upper.starts_with(start));
            is_licence.then_some(())?;
            Some((name, std::fs::read_to_string(entry.path()).ok()?))
        })
        .collect();
    found.sort();
    found
}

/// Returns lines of a crate's tests, examples and sources, in this order, that contain a string literal and a word such as `parse` or `new(`. The
/// literals show which texts the crate's parsers accept.
pub fn making_lines(dir: &Path) -> String {
    const MAKING: [&str; 5] = ["assert", "from_str", "new(", "parse", "::from"];
    let mut found = String::new();
    for name in ["tests", "examples", "src"] {
        for file in sources(&dir.join(name)) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let lines = text.lines().filter(|line| line.contains('"') && MAKING.iter().any(|word| line.contains(word)));
            lines.take(200).for_each(|line| found.extend([line, "\n"]));
        }
    }
    found
}

/// Returns the Rust files below a folder, in a stable order.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let of = |path: PathBuf| match path.is_dir() {
        true => sources(&path),
        false if path.extension().is_some_and(|end| end == "rs") => vec![path],
        false => Vec::new(),
    };
    entries.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargos_messages_become_exact_errors() {
        for (krate, stderr, message) in [
            ("nosuch", "error: no matching package named `nosuch` found\n", "the registry has no crate nosuch"),
            (
                "semver@9.9.9",
                "error: failed to select a version for the requirement `semver = \"=9.9.9\"`\ncandidate versions found which didn't match: 1.0.28, 1.0.27, ...\n",
                "the crate semver has no version 9.9.9",
            ),
            ("semver", "  Could not resolve host: index.crates.io\n", "the registry cannot be reached for the crate semver"),
            (
                "ripgrep",
                "warning: ignoring invalid dependency `ripgrep` which is missing a lib target\n",
                "the crate ripgrep has no library",
            ),
            (
                "a",
                "error: attempting to make an HTTP request, but --offline was specified",
                "the crate a is not among the crates that cargo has downloaded",
            ),
            ("a", "error: something else", "cargo cannot get the crate a"),
        ] {
            let diagnostic = explain(krate, stderr);
            assert_eq!(diagnostic.message, message);
            assert!(diagnostic.hint.is_some(), "{krate}");
        }
        assert_eq!(explain("semver@9.9.9", "candidate versions found which didn't match: 1.0.28\n").notes, ["its versions: 1.0.28"]);
    }

    #[test]
    fn texts_of_tests_come_first() {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("src/lib.rs", "fn f() { parse(\"b\") }\nfn g() { \"c\" }\n"),
            ("tests/deep/a.rs", "assert_eq!(x, \"a\");\nlet y = parse(1);\n"),
            ("tests/a.txt", "parse \"d\""),
        ] {
            subject::write(root.path(), name, text).unwrap();
        }
        assert_eq!(making_lines(root.path()), "assert_eq!(x, \"a\");\nfn f() { parse(\"b\") }\n");
    }

    #[test]
    fn a_draft_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let draft = Draft::new(&root.path().join("a/b/module")).unwrap();
        draft.write("rust/src/lib.rs", "text").unwrap();
        assert_eq!(draft.dir.parent(), Some(root.path().join("a/b").as_path()));
        drop(draft);
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
        let draft = Draft::new(&root.path().join("a/module")).unwrap();
        std::fs::rename(&draft.dir, root.path().join("a/module")).unwrap();
        drop(draft);
        assert_eq!(std::fs::read_dir(root.path().join("a")).unwrap().count(), 1);
    }
}

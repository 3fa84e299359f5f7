//! Writes Cargo.toml and README.md of a module, and the digest that shows whether a file was edited.

use super::propose::Proposal;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::scaffold::{self, Place};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The crate that a module wraps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrapped {
    pub name: String,
    pub version: String,
    /// The folder of a crate that is not published, relative to the wrapper's crate or absolute.
    pub path: Option<String>,
    pub license: Option<String>,
    pub features: Vec<String>,
    pub no_default_features: bool,
}

/// The text before the digest.
const DIGEST: &str = "sha256:";

/// Returns the first lines of a wrapper. They end with the place for a digest of the following lines, which [`sealed`] fills in. They also say that
/// `rustgo update` replaces the file only while the digest is right, that is, until somebody edits the file.
pub fn head(wrapped: &Wrapped) -> Vec<String> {
    vec![
        format!("Proposed by rustgo get for {} {}. This file is yours to edit: rustgo update replaces it", wrapped.name, wrapped.version),
        "only while the digest of the following lines is".to_owned(),
        DIGEST.to_owned(),
    ]
}

/// Reads the version of the crate from the lines at the top of a wrapper.
pub fn proposed_for(source: &str, name: &str) -> Option<String> {
    let (_, rest) = source.split_once(&format!("Proposed by rustgo get for {name} "))?;
    rest.split_once(". ").map(|(version, _)| version.to_owned())
}

/// Fills in the digest of the lines that follow the line of the digest.
pub fn sealed(text: &str) -> String {
    match split(text) {
        Some((start, stated, rest)) => {
            let end = stated.trim_start_matches(|c: char| c.is_ascii_hexdigit());
            format!("{start}{DIGEST}{}{end}\n{rest}", digest(rest))
        }
        None => text.to_owned(),
    }
}

/// True if a file is as `rustgo get` has written it.
pub fn is_unedited(text: &str) -> bool {
    split(text).is_some_and(|(_, stated, rest)| stated.trim_end_matches(" -->") == digest(rest))
}

/// Splits a text into the part before the digest, the digest, and the part after the digest's line.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (start, rest) = text.split_once(DIGEST)?;
    let (stated, rest) = rest.split_once('\n')?;
    Some((start, stated, rest))
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Returns the dependency on the crate, as a line of Cargo.toml.
pub fn dependency(wrapped: &Wrapped) -> String {
    let mut table = Table::new();
    match &wrapped.path {
        Some(path) => table.insert("path".into(), Value::String(path.clone())),
        None => table.insert("version".into(), Value::String(format!("={}", wrapped.version))),
    };
    if wrapped.no_default_features {
        table.insert("default-features".into(), Value::Boolean(false));
    }
    if !wrapped.features.is_empty() {
        table.insert("features".into(), Value::Array(wrapped.features.iter().cloned().map(Value::String).collect()));
    }
    let value = match (table.len(), table.get("version")) {
        (1, Some(version)) => version.to_string(),
        _ => Value::Table(table).to_string(),
    };
    format!("{} = {value}", wrapped.name)
}

/// The comment above the setting `with-tests-skip` in Cargo.toml.
const SKIPPED: &str = "# Two calls of these may differ: they may read a clock or get random numbers.";

/// Returns the lines of Cargo.toml with the setting `with-tests-skip`, which lists the exports without tests.
fn skipped(untested: &BTreeSet<String>) -> String {
    if untested.is_empty() {
        return String::new();
    }
    let names: Vec<String> = untested.iter().map(|name| format!("{name:?}")).collect();
    format!("{SKIPPED}\nwith-tests-skip = [{}]\n", names.join(", "))
}

/// Returns Cargo.toml of the wrapper. `support` is the dependency on the support crate.
pub fn manifest(wrapped: &Wrapped, package: &str, support: &str, untested: &BTreeSet<String>) -> String {
    let runtime = scaffold::RUNTIME;
    let Wrapped { name, license, .. } = wrapped;
    let untested = skipped(untested);
    let license = license.as_ref().map_or_else(String::new, |license| format!("license = {license:?}\n"));
    format!(
        "\
[package]
name = \"{name}-go\"
description = \"The Rust crate {name} for Go\"
version = \"0.1.0\"
edition = \"2024\"
{license}publish = false

[dependencies]
# rustgo update changes this line.
{dependency}
rustgo-support = {support}

[package.metadata.rustgo]
out = \"..\"
package = \"{package}\"
# The Go packages that the generated code imports are copied into this folder of the Go module: importers need no other module.
runtime = \"{runtime}\"
# go test compares the package with the same Rust code run natively, where rustgo and cargo are installed.
with-tests = true
{untested}
# A crate of its own, whatever workspace may be above it.
[workspace]
",
        dependency = dependency(wrapped),
    )
}

/// Reads from Cargo.toml of a module which crate it wraps.
///
/// # Errors
/// [`ErrorCode::Request`] if `rustgo get` has not made the file.
pub fn wrapped(manifest: &str, shown: &str) -> Result<Wrapped> {
    let refused = |problem: &str| {
        Diagnostic::new(ErrorCode::Request, format!("{shown} {problem}"))
            .hint("name the folder of a module that rustgo get has made: --module DIR")
    };
    let table: Table = toml::from_str(manifest).map_err(|error| refused("cannot be read").note(error.to_string()))?;
    let package = table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str).unwrap_or_default();
    let Some(name) = package.strip_suffix("-go") else {
        return Err(refused("is not of a wrapper: the crate's name does not end with -go").into());
    };
    let Some(dependency) = table.get("dependencies").and_then(|list| list.get(name)) else {
        return Err(refused(&format!("is not of a wrapper: the crate does not depend on {name}")).into());
    };
    let text = |key: &str| dependency.get(key).and_then(Value::as_str).map(str::to_owned);
    let version = dependency.as_str().map(str::to_owned).or_else(|| text("version")).unwrap_or_default();
    let features = dependency.get("features").and_then(Value::as_array).into_iter().flatten();
    Ok(Wrapped {
        name: name.to_owned(),
        version: version.trim_start_matches('=').to_owned(),
        path: text("path"),
        license: None,
        features: features.filter_map(Value::as_str).map(str::to_owned).collect(),
        no_default_features: dependency.get("default-features") == Some(&Value::Boolean(false)),
    })
}

/// Replaces the dependency on the crate in Cargo.toml and keeps all other lines. `None` unless exactly one line has this dependency.
pub fn with_dependency(manifest: &str, wrapped: &Wrapped) -> Option<String> {
    let is_it = |line: &str| line.split_once('=').is_some_and(|(name, _)| name.trim() == wrapped.name);
    let found = manifest.lines().filter(|line| is_it(line)).count() == 1;
    let lines = manifest.lines().map(|line| if is_it(line) { dependency(wrapped) } else { line.to_owned() });
    found.then(|| lines.collect::<Vec<_>>().join("\n") + "\n")
}

/// Sets the list of exports without tests in Cargo.toml: the names in `untested`, and the names of the present list that are still declared.
pub fn with_untested(manifest: &str, untested: &BTreeSet<String>, is_declared: impl Fn(&str) -> bool) -> String {
    let is_setting = |line: &str| line.starts_with("with-tests-skip = [") && line.ends_with(']');
    let table: Table = manifest.lines().find(|line| is_setting(line)).and_then(|line| toml::from_str(line).ok()).unwrap_or_default();
    let named = table.get("with-tests-skip").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let all: BTreeSet<String> = named.filter(|name| is_declared(name)).map(str::to_owned).chain(untested.iter().cloned()).collect();
    let mut text = String::new();
    for line in manifest.lines().filter(|line| !is_setting(line) && *line != SKIPPED) {
        let _ = writeln!(text, "{line}");
        if line == "with-tests = true" {
            text.push_str(&skipped(&all));
        }
    }
    text
}

/// Returns README.md of the module.
pub fn readme(wrapped: &Wrapped, place: &Place, proposal: &Proposal, declarations: &[String]) -> String {
    let Place { name: package, import, .. } = place;
    let Wrapped { name, version, license, .. } = wrapped;
    let mut text = format!("<!-- Written by rustgo get; rustgo update replaces it while the digest holds. {DIGEST} -->\n");
    let from = if wrapped.path.is_some() {
        format!("the Rust crate {name}")
    } else {
        format!("the Rust crate [{name}](https://crates.io/crates/{name})")
    };
    let _ = writeln!(
        text,
        "# {package}\n\nPackage {package} is {from} {version} as a Go package: machine code in Go assembly, made by rustgo. Importers need only Go.\n"
    );
    let _ = writeln!(text, "```go\nimport \"{import}\"\n```\n");
    let _ = writeln!(
        text,
        "The crate's documentation describes the functions in full. `go test` compares them with the same Rust code run natively.\n"
    );
    if let Some(license) = license {
        let _ = writeln!(text, "The crate's licence is {license}; it applies to this package too.\n");
    }
    let _ = writeln!(text, "## Exported\n\n```go\n{}\n```\n", declarations.join("\n"));
    if proposal.left_out.is_empty() {
        text.push_str("## Left out\n\nNothing.\n");
    } else {
        text.push_str("## Left out\n\n| item | reason |\n|---|---|\n");
        for (path, reason) in &proposal.left_out {
            let _ = writeln!(text, "| `{}` | {} |", path.replace('|', "\\|"), cell(reason));
        }
    }
    if !proposal.useless.is_empty() {
        let counted = |(name, count): (&String, &usize)| format!("`{name}` ({count})");
        let all: Vec<String> = proposal.useless.iter().map(counted).collect();
        let _ = writeln!(text, "\nGo has no use for these traits of std, each with the number of its implementations: {}.", all.join(", "));
    }
    text.push_str("\n## Changes\n\nThe wrapper `rust/src/lib.rs` is yours to edit; `rustgo build --crate rust` builds it. `rustgo update` takes a newer version of the crate.\n");
    sealed(&text)
}

fn cell(reason: &str) -> String {
    let line: Vec<&str> = reason.split_whitespace().collect();
    line.join(" ").replace('|', "\\|").replace('<', "&lt;")
}

/// The number of reasons that a summary names.
const NAMED: usize = 8;

/// Returns lines with the number of items that are left out for each reason, the most frequent reasons first.
pub fn summary(proposal: &Proposal) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in proposal.left_out.values() {
        *counts.entry(reason.as_str()).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    let others: usize = counts.iter().skip(NAMED).map(|(_, count)| count).sum();
    let mut lines: Vec<String> =
        counts.iter().take(NAMED).map(|(reason, count)| format!("left out: {count}: {}", one_line(reason))).collect();
    lines.extend((others > 0).then(|| format!("left out: {others} for other reasons")));
    if !lines.is_empty() {
        lines.push("README.md lists each item that is left out, with the reason".to_owned());
    }
    lines
}

/// Returns the first lines of the wrapper's documentation.
pub fn introduction(wrapped: &Wrapped, package: &str) -> String {
    format!("Package {package} is the Rust crate {} {}.", wrapped.name, wrapped.version)
}

/// Returns the error for a crate without any item that can be exported.
pub fn nothing(wrapped: &Wrapped, proposal: &Proposal) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(ErrorCode::NoExports, format!("nothing of {} {} can be exported", wrapped.name, wrapped.version));
    diagnostic.notes.extend(proposal.left_out.iter().take(20).map(|(path, reason)| format!("{path}: {}", one_line(reason))));
    diagnostic.hint("write functions with types that can cross: rustgo new, docs/types.md")
}

/// Returns the error for a crate for which no proposal compiled.
pub fn no_end(wrapped: &Wrapped) -> Diagnostic {
    Diagnostic::new(ErrorCode::Compile, format!("no wrapper of {} {} was found that compiles", wrapped.name, wrapped.version))
        .hint("write the wrapper by hand, beginning with rustgo new, and report the crate to the authors of rustgo")
}

/// Returns the path of a crate's folder in a form that cannot be taken for a crate's name, such as `./demo`.
pub fn as_folder(path: &Path) -> String {
    let text = path.to_string_lossy().into_owned();
    if text.contains(['/', '\\']) || matches!(text.as_str(), "." | "..") { text } else { format!("./{text}") }
}

/// Returns the default folder for a crate's module: the crate's name in the form of a Go package's name.
pub fn default_folder(krate: &str) -> PathBuf {
    let name = krate.split('@').next().unwrap_or_default();
    let last = name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or_default();
    last.to_lowercase().replace(['-', '_', '.'], "").into()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn semver() -> Wrapped {
        Wrapped { name: "semver".into(), version: "1.0.27".into(), license: Some("MIT".into()), ..Wrapped::default() }
    }

    #[test]
    fn an_edited_file_is_noticed() {
        let head: Vec<String> = head(&semver()).iter().map(|line| format!("// {line}")).collect();
        let text = sealed(&format!("{}\n\n//! Text.\n", head.join("\n")));
        assert!(is_unedited(&text), "{text}");
        assert_eq!(proposed_for(&text, "semver").as_deref(), Some("1.0.27"));
        assert!(!is_unedited(&text.replace("Text", "Other")));
        assert!(!is_unedited("//! A file without a digest.\n"));
        let comment = sealed(&format!("<!-- Written. {DIGEST} -->\n# Title\n"));
        assert!(is_unedited(&comment) && comment.lines().next().is_some_and(|line| line.ends_with(" -->")), "{comment}");
    }

    #[test]
    fn the_manifest_says_what_is_wrapped() {
        let plain = manifest(&semver(), "semver", "\"=0.1.0\"", &BTreeSet::new());
        assert_eq!(wrapped(&plain, "Cargo.toml").unwrap(), Wrapped { license: None, ..semver() });
        let features = Wrapped { features: vec!["a".into(), "b".into()], no_default_features: true, license: None, ..semver() };
        let text = manifest(&features, "semver", "\"=0.1.0\"", &BTreeSet::new());
        assert_eq!(wrapped(&text, "Cargo.toml").unwrap(), features);
        let newer = Wrapped { version: "1.0.28".into(), ..semver() };
        assert_eq!(with_dependency(&plain, &newer).unwrap(), manifest(&newer, "semver", "\"=0.1.0\"", &BTreeSet::new()));
        assert!(wrapped("[package]\nname = \"other\"\n", "Cargo.toml").is_err());
    }

    #[test]
    fn updates_keep_the_exports_without_tests() {
        let with = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            manifest(&semver(), "semver", "\"=0.1.0\"", &names)
        };
        let new = |names: &[&str], old: &str| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            with_untested(old, &names, |name| name != "Gone")
        };
        assert_eq!(new(&["Later"], &with(&["Gone", "Now", "T.Kept"])), with(&["Later", "Now", "T.Kept"]));
        assert_eq!(new(&[], &with(&["Gone"])), with(&[]));
        assert_eq!(new(&["Now"], &with(&[])), with(&["Now"]));
    }
}

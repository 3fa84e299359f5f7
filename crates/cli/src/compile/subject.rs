//! The scratch crate of `rustgo survey`: it depends on the surveyed crate, and has a root for each function that is examined.
//!
//! A root is an export record whose address is the examined function itself. The record makes the loader keep the function, and all later stages
//! treat the function as an export. A root needs no shim, because a survey only examines the code and never passes arguments from Go.

use crate::abi;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest::{self, Manifest, SUPPORT};
use crate::process;
use crate::target::Target;
use crate::toolchain::Cargo;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use toml::{Table, Value};

/// The crate to survey, as the user names it.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// `NAME`, `NAME@VERSION`, or a folder.
    pub krate: &'a str,
    pub features: &'a [String],
    pub no_default_features: bool,
}

/// The scratch crate. Its folder is removed with the value, unless the user named the folder.
#[derive(Debug)]
pub struct Scratch {
    pub dir: PathBuf,
    _temporary: Option<TempDir>,
}

/// The features of the support crate that replace a C library and the heap. They do not change code that does not need them.
const SUPPORT_FEATURES: [&str; 3] = ["heap", "libc", "libm"];

/// The first lines of the source. Each root has one further line.
const HEAD: &str = "\
#![no_std]
#![allow(warnings)]
extern crate rustgo;
extern crate subject;
use rustgo::__private::{Describe, Record, Shim, describe::Function};
macro_rules! root { ($name:literal, $function:expr) => { const _: () = { const F: Function = Function { go_name: $name, rust_path: $name, ..Function::EMPTY }; #[used] #[unsafe(link_section = \"rustgo_exports\")] static R: Record<{ Describe::padded_len(&Describe::Function(&F)) }> = Record::new(Some(unsafe { core::mem::transmute::<*const (), Shim>($function as *const ()) }), &Describe::Function(&F)); }; } }
";

impl Scratch {
    /// Writes the crate without roots. `support` is the dependency on the support crate in the form of Cargo.toml.
    pub fn new(wanted: &Wanted<'_>, dir: Option<&Path>, support: &str) -> Result<Scratch> {
        let failed = |error: std::io::Error| Diagnostic::new(ErrorCode::Output, format!("cannot make a scratch crate: {error}"));
        let (dir, temporary) = match dir {
            Some(dir) => (std::path::absolute(dir).map_err(failed)?, None),
            None => {
                let temporary = tempfile::Builder::new().prefix("rustgo-survey-").tempdir().map_err(failed)?;
                process::remove_at_interrupt(temporary.path());
                (temporary.path().to_owned(), Some(temporary))
            }
        };
        let mut support: Table = toml::from_str(&format!("it = {support}"))
            .map_err(|error| Diagnostic::new(ErrorCode::Request, format!("the dependency on {SUPPORT}: {error}")))?;
        let mut support = match support.remove("it") {
            Some(Value::Table(table)) => table,
            Some(version) => Table::from_iter([("version".to_owned(), version)]),
            None => Table::new(),
        };
        support.insert("features".into(), texts(&SUPPORT_FEATURES.map(str::to_owned)));
        let dependencies =
            Table::from_iter([("subject".to_owned(), Value::Table(subject(wanted)?)), (SUPPORT.to_owned(), Value::Table(support))]);
        let package = [("name", "rustgo-survey"), ("version", "0.0.0"), ("edition", "2024")];
        let package = package.into_iter().map(|(key, value)| (key.to_owned(), Value::String(value.to_owned()))).collect();
        let mut manifest = Table::new();
        manifest.insert("package".into(), Value::Table(package));
        manifest.insert("dependencies".into(), Value::Table(dependencies));
        manifest.insert("workspace".into(), Value::Table(Table::new()));
        let scratch = Scratch { dir, _temporary: temporary };
        write(&scratch.dir, "Cargo.toml", &manifest.to_string())?;
        write(&scratch.dir, "src/lib.rs", HEAD)?;
        Ok(scratch)
    }

    /// Runs rustdoc on the surveyed crate and returns its description in JSON.
    pub fn documentation(&self, cargo: &Cargo, manifest: &Manifest, subject: &manifest::Subject, target: Target) -> Result<Vec<u8>> {
        let mut command = cargo.command(&self.dir);
        command.args(["rustdoc", "--lib", "--target", target.arch.triple(), "-p", &format!("{}@{}", subject.name, subject.version)]);
        command.args(cargo.network_args()).arg("--target-dir").arg(manifest.target_dir.join("rustgo-survey"));
        command.args(["--", "-Zunstable-options", "--output-format", "json", "--cap-lints=allow"]);
        // rustdoc writes JSON only with unstable options. All other crates are compiled as by a stable compiler.
        command.env("RUSTC_BOOTSTRAP", &subject.lib_name).env("CARGO_ENCODED_RUSTFLAGS", manifest::RUSTFLAGS);
        let output = process::pass_through(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
        if !output.status.success() {
            return Err(does_not_compile(&subject.name));
        }
        let path =
            manifest.target_dir.join("rustgo-survey").join(target.arch.triple()).join("doc").join(format!("{}.json", subject.lib_name));
        std::fs::read(&path)
            .map_err(|error| Diagnostic::new(ErrorCode::Toolchain, format!("rustdoc's output {}: {error}", path.display())).into())
    }

    /// Writes the source with a root for each of `roots`, which are pairs of a displayed path and an expression.
    pub fn write_roots<'r>(&self, roots: impl Iterator<Item = (&'r str, &'r str)>) -> Result<()> {
        let mut text = HEAD.to_owned();
        for (path, expression) in roots {
            let _ = writeln!(text, "root!({path:?}, {expression});");
        }
        write(&self.dir, "src/lib.rs", &text)
    }

    /// Type-checks the source, and returns the indices of the roots that the compiler refuses: some public paths in rustdoc's output cannot be named
    /// from another crate.
    pub fn refused_roots(&self, cargo: &Cargo, manifest: &Manifest, target: Target) -> Result<BTreeSet<usize>> {
        let mistakes = mistakes(cargo, &self.dir, manifest, target)?;
        let lines = mistakes.into_iter().filter(|mistake| !mistake.is_deprecation).flat_map(|mistake| mistake.lines);
        Ok(lines.filter_map(|line| (line as usize).checked_sub(HEAD.lines().count() + 1)).collect())
    }
}

/// A mistake that the compiler has found in the source of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The lines of `src/lib.rs` that the message is about.
    pub lines: Vec<u32>,
    pub message: String,
    /// True for a warning that the source uses a deprecated item.
    pub is_deprecation: bool,
}

/// Type-checks the library in `dir`, and returns the errors and the uses of deprecated items in its `src/lib.rs`. cargo itself prints its progress
/// for the user.
pub fn mistakes(cargo: &Cargo, dir: &Path, manifest: &Manifest, target: Target) -> Result<Vec<Mistake>> {
    let mut command = cargo.command(dir);
    command.args(["check", "--lib", "--target", target.arch.triple(), "--message-format", "json"]).args(cargo.network_args());
    command.arg("--target-dir").arg(manifest.target_dir.join("rustgo-survey"));
    // A type check needs no panic handler, but two panic handlers are an error. With the first flag the support crate defines no panic handler. With
    // the second flag its readers and writers implement the traits of std.
    let flags = [abi::CFG_STD, abi::CFG_IO].map(|cfg| format!("\u{1f}--cfg\u{1f}{cfg}")).concat();
    command.env("CARGO_ENCODED_RUSTFLAGS", format!("{}{flags}", manifest::RUSTFLAGS));
    let output = process::pass_through(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
    let library = manifest.name.replace('-', "_");
    let mut mistakes = Vec::new();
    for message in cargo_metadata::Message::parse_stream(output.stdout.as_slice()).flatten() {
        let cargo_metadata::Message::CompilerMessage(message) = message else { continue };
        let is_error = matches!(message.message.level, cargo_metadata::diagnostic::DiagnosticLevel::Error);
        let is_deprecation = !is_error && message.message.code.as_ref().is_some_and(|code| code.code == "deprecated");
        if !(is_error || is_deprecation) || message.target.name != library {
            continue;
        }
        let lines = error_lines(&message.message, "src/lib.rs");
        // The last message of a failed compilation only states the number of errors.
        if !lines.is_empty() {
            mistakes.push(Mistake { lines, message: message.message.message, is_deprecation });
        }
    }
    if output.status.success() || !mistakes.is_empty() { Ok(mistakes) } else { Err(does_not_compile(&manifest.name)) }
}

/// Writes a file below `dir`, unless the file already has this text. `name` has `/` between folders.
pub fn write(dir: &Path, name: &str, text: &str) -> Result<()> {
    let path = dir.join(name);
    if std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    std::fs::create_dir_all(path.parent().unwrap_or(dir))
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| Diagnostic::new(ErrorCode::Output, format!("{}: {error}", path.display())).into())
}

/// Returns the dependency on the surveyed crate.
fn subject(wanted: &Wanted<'_>) -> Result<Table> {
    let text = |text: &str| Value::String(text.to_owned());
    let mut table = Table::new();
    let is_folder = matches!(wanted.krate, "." | "..") || wanted.krate.contains(['/', '\\']);
    if is_folder && Path::new(wanted.krate).join("Cargo.toml").is_file() {
        let dir = Path::new(wanted.krate).canonicalize();
        let dir = dir.map_err(|error| Diagnostic::new(ErrorCode::Request, format!("the folder {}: {error}", wanted.krate)))?;
        let manifest = manifest::manifest(&Cargo::default(), &dir)?;
        table.insert("package".into(), text(&manifest.name));
        table.insert("path".into(), text(&manifest.dir.to_string_lossy()));
    } else {
        let (name, version) = wanted.krate.split_once('@').unwrap_or((wanted.krate, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) {
            return Err(Diagnostic::new(
                ErrorCode::Request,
                format!("{} is neither a crate's name nor a folder with a Cargo.toml", wanted.krate),
            )
            .hint("name a published crate, as in regex or regex@1.11.1, or a crate's folder, as in ./regex")
            .into());
        }
        let exact =
            |version: &str| if version.starts_with(|c: char| c.is_ascii_digit()) { format!("={version}") } else { version.to_owned() };
        // A version with fewer than three numbers selects the newest that matches.
        let version = match version {
            "" => "*".to_owned(),
            version if version.split('.').count() < 3 => version.to_owned(),
            version => exact(version),
        };
        table.insert("package".into(), text(name));
        table.insert("version".into(), text(&version));
    }
    table.insert("default-features".into(), Value::Boolean(!wanted.no_default_features));
    table.insert("features".into(), texts(wanted.features));
    Ok(table)
}

fn texts(list: &[String]) -> Value {
    Value::Array(list.iter().filter(|text| !text.is_empty()).map(|text| Value::String(text.clone())).collect())
}

/// Lists the lines of `file` that an error of the compiler is about.
fn error_lines(message: &cargo_metadata::diagnostic::Diagnostic, file: &str) -> Vec<u32> {
    let spans = message.spans.iter().filter(|span| span.is_primary).flat_map(|span| {
        // An error inside a macro is reported at the line that uses the macro.
        let mut spans = vec![span];
        while let Some(expansion) = spans.last().and_then(|span| span.expansion.as_ref()) {
            spans.push(&expansion.span);
        }
        spans
    });
    spans.filter(|span| span.file_name == file).map(|span| span.line_start as u32).collect()
}

fn does_not_compile(name: &str) -> Failure {
    let hint = "cargo and rustc have written the reasons to the standard error";
    Failure::Reported(Box::new(Diagnostic::new(ErrorCode::Compile, format!("the crate {name} does not compile")).hint(hint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(krate: &str) -> String {
        let features = ["a".to_owned(), String::new()];
        subject(&Wanted { krate, features: &features, no_default_features: true }).unwrap().to_string()
    }

    #[test]
    fn versions_may_be_incomplete() {
        for (krate, version) in
            [("regex", "*"), ("regex@1", "1"), ("regex@1.11", "1.11"), ("regex@1.11.1", "=1.11.1"), ("a@^1.2.3", "^1.2.3")]
        {
            let table = dependency(krate);
            assert!(table.contains(&format!("version = \"{version}\"\n")), "{table}");
            assert!(table.contains("default-features = false\n") && table.contains("features = [\"a\"]\n"), "{table}");
        }
        let wanted = Wanted { krate: "no/such", features: &[], no_default_features: false };
        assert!(subject(&wanted).is_err());
    }
}

//! Reads the hand-written files in the Go package's folder. Their package clauses give the package's name for the request. Before rustgo writes the
//! generated files, it checks that Go accepts the hand-written files together with them.
//!
//! The function [`clashes`] makes this check.
//!
//! `go vet` cannot make this check: it needs a module that can be loaded, available imports and finished code, but users may run rustgo before they
//! have all of these. So this module finds the top-level declarations of a file in its tokens ([`scan`]), and asks the go command only which files it
//! builds ([`ports`]).

mod clash;
mod ports;
mod scan;

pub use clash::clashes;

use crate::diag::Result;
use crate::gosrc;
use crate::target::Arch;
use crate::toolchain::Go;
use ports::Built;
use scan::{Declared, TopLevel};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The facts about a hand-written Go file in the package's folder that rustgo needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub path: PathBuf,
    /// The name in the package clause.
    pub package: String,
    pub is_test: bool,
    /// True if the file contains the package comment.
    pub documented: bool,
}

impl Member {
    /// Returns the name of the package to which the file belongs. The package clause of an external test (`package a_test`) has another name.
    pub fn of(&self) -> &str {
        self.package.strip_suffix("_test").filter(|name| self.is_test && !name.is_empty()).unwrap_or(&self.package)
    }

    /// Returns true if Go accepts the file in the folder of the package `package`.
    pub fn fits(&self, package: &str) -> bool {
        self.package == package || self.of() == package
    }
}

/// Lists the hand-written Go files of the package in the folder `dir`. Tests come last. Files that no build includes are left out: files of
/// `package documentation`, and files with constraints such as `ignore` or `tools`.
///
/// # Errors
/// Fails if the folder contains hand-written Go files and the go command cannot be run.
pub fn members(dir: &Path, go: &OsStr) -> Result<Vec<Member>> {
    let mut files = read(dir, |name| name.ends_with(".go"));
    files.retain(|file| matches!(&file.content, Content::Go(go) if !go.generated));
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let built = Built::anywhere(&Go::find(go)?, dir, &files.iter().map(File::name).collect::<Vec<_>>())?;
    files.retain(|file| built.contains(file.name()));
    let member = |file: File| match file.content {
        Content::Go(go) => {
            Some(Member { path: file.path, package: go.top.package, is_test: go.is_test, documented: go.documented && !go.is_test })
        }
        _ => None,
    };
    let (tests, others): (Vec<Member>, Vec<Member>) = files.into_iter().filter_map(member).partition(|member| member.is_test);
    Ok(others.into_iter().chain(tests).collect())
}

/// Returns true if the folder has a hand-written Go file that Go builds for other processors and not for `arches`. Such a file means that the author
/// has written the package's code for the other processors. The go command runs only if a file has a build constraint.
pub fn serve_other_processors(dir: &Path, arches: &[Arch], go: &Go) -> Result<bool> {
    let mut files = read(dir, |name| name.ends_with(".go"));
    files.retain(|file| matches!(&file.content, Content::Go(go) if go.constrained && !go.generated && !go.is_test));
    if files.is_empty() {
        return Ok(false);
    }
    let (ours, others) = (Built::with(go, dir, arches)?, Built::without(go, dir, arches)?);
    Ok(files.iter().any(|file| others.contains(file.name()) && !ours.contains(file.name())))
}

/// A file of the folder that Go reads.
struct File {
    path: PathBuf,
    content: Content,
}

impl File {
    fn name(&self) -> &str {
        self.path.file_name().and_then(OsStr::to_str).unwrap_or_default()
    }
}

enum Content {
    Go(GoFile),
    /// Go assembly, with the symbols that the file defines.
    Assembly(Vec<Declared>),
    /// A source file in a language that needs cgo. The text names the language.
    Other(&'static str),
}

struct GoFile {
    is_test: bool,
    documented: bool,
    generated: bool,
    /// True if the file may have a build constraint, in its text or in its name.
    constrained: bool,
    top: TopLevel,
}

/// Reads the files of the folder that Go would read, ordered by name. `wanted` selects files by their names. Unreadable files are left out.
fn read(dir: &Path, wanted: impl Fn(&str) -> bool) -> Vec<File> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted));
    paths.into_iter().filter_map(read_file).collect()
}

fn read_file(path: PathBuf) -> Option<File> {
    let name = path.file_name()?.to_str()?;
    // Go ignores files whose names begin with `_` or `.`. Only regular files are read, because reading a pipe would block.
    if name.starts_with(['_', '.']) || !path.is_file() {
        return None;
    }
    let (_, extension) = name.rsplit_once('.')?;
    let language = match extension {
        "go" | "s" => "",
        "c" => "C",
        "cc" | "cpp" | "cxx" => "C++",
        "m" => "Objective-C",
        "f" | "F" | "for" | "f90" => "Fortran",
        "swig" | "swigcxx" => "SWIG",
        // Leave out other files: Go accepts headers and object files beside assembly, and uses assembly for C compilers (.S) only in packages with
        // cgo.
        _ => return None,
    };
    let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
    let content = match extension {
        "go" => {
            let top = scan::top_level(&text);
            if top.package.is_empty() {
                return None;
            }
            Content::Go(GoFile {
                is_test: name.ends_with("_test.go"),
                documented: gosrc::is_documented(&text),
                generated: gosrc::is_generated(&text),
                constrained: name.contains('_') || text.contains("//go:build"),
                top,
            })
        }
        "s" => Content::Assembly(scan::assembly(&text)),
        _ => Content::Other(language),
    };
    Some(File { path, content })
}

#[cfg(test)]
mod tests;

//! Reads the hand-written files in the Go package's folder. The package's name for the request comes from them. Before the generated files are
//! written, these files are checked.
//!
//! Hand-written files may contain code that Go does not accept together with the generated files ([`clashes`]).
//!
//! `go list` and `go vet` need a module that can be loaded, available imports and finished code, but users may build before they have all of
//! these. So this module reads the name and the top of a file by the rules of `go/build` ([`constraint`]), and finds the file's top-level
//! declarations in its tokens ([`scan`]).

mod clash;
mod constraint;
mod scan;

pub use clash::clashes;

use crate::gosrc;
use constraint::Constraint;
use scan::{Declared, TopLevel};
use std::path::{Path, PathBuf};

/// A Go file of the package, with the facts from its package clause.
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

/// Lists the hand-written Go files of the package in the folder `dir`. Tests come last.
pub fn members(dir: &Path) -> Vec<Member> {
    let member = |file: File| match file.content {
        // Go ignores files of `package documentation`. No build includes files with constraints such as `ignore` or `tools`.
        Content::Go(go) if !go.generated && go.top.package != "documentation" && file.constraint.is_built() => {
            Some(Member { path: file.path, package: go.top.package, is_test: go.is_test, documented: go.documented && !go.is_test })
        }
        _ => None,
    };
    let files = read(dir, |name| name.ends_with(".go"));
    let (tests, others): (Vec<Member>, Vec<Member>) = files.into_iter().filter_map(member).partition(|member| member.is_test);
    others.into_iter().chain(tests).collect()
}

/// A file of the folder that Go reads.
struct File {
    path: PathBuf,
    constraint: Constraint,
    content: Content,
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
    top: TopLevel,
}

/// Reads the folder's files that Go reads, ordered by name. `wanted` selects files by their names. Unreadable files are left out.
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
        // Go accepts headers and object files. Go uses assembly for C compilers (.S) only in packages with cgo.
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
                top,
            })
        }
        "s" => Content::Assembly(scan::assembly(&text)),
        _ => Content::Other(language),
    };
    let constraint = Constraint::of(name, &text);
    Some(File { path, constraint, content })
}

#[cfg(test)]
mod tests;

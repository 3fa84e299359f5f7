//! The other files in the Go package's folder: those that people wrote.
//!
//! They say what the package is called, and they may hold what Go refuses beside the generated files ([`clashes`]).
//!
//! The go command is not asked, for it answers about whole packages: `go list` and `go vet` need a module that can be
//! loaded, imports that are there and code that is finished, and the order in which people work is their own affair. So a
//! file's name and head are read as `go/build` reads them ([`constraint`]), and its top level by the tokens ([`scan`]).

mod clash;
mod constraint;
mod scan;

pub use clash::clashes;

use crate::gosrc;
use constraint::Constraint;
use scan::{Declared, TopLevel};
use std::path::{Path, PathBuf};

/// A Go file by its package clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub path: PathBuf,
    /// As the clause says.
    pub package: String,
    pub is_test: bool,
    /// Does it document the package?
    pub documented: bool,
}

impl Member {
    /// The package that the file is of: tests from outside have names of their own.
    pub fn of(&self) -> &str {
        self.package.strip_suffix("_test").filter(|name| self.is_test && !name.is_empty()).unwrap_or(&self.package)
    }

    /// May the file stand in the folder of a package of this name?
    pub fn fits(&self, package: &str) -> bool {
        self.package == package || self.of() == package
    }
}

/// The Go files that are of the package in the folder and that rustgo has not made; the tests come last.
pub fn members(dir: &Path) -> Vec<Member> {
    let member = |file: File| match file.content {
        // `package documentation` is one that Go ignores; `//go:build ignore`, `tools` and the like are built by nobody.
        Content::Go(go) if !go.generated && go.top.package != "documentation" && file.constraint.is_built() => {
            Some(Member { path: file.path, package: go.top.package, is_test: go.is_test, documented: go.documented && !go.is_test })
        }
        _ => None,
    };
    let files = read(dir, |name| name.ends_with(".go"));
    let (tests, others): (Vec<Member>, Vec<Member>) = files.into_iter().filter_map(member).partition(|member| member.is_test);
    others.into_iter().chain(tests).collect()
}

/// A file that Go looks at.
struct File {
    path: PathBuf,
    constraint: Constraint,
    content: Content,
}

enum Content {
    Go(GoFile),
    /// Go's assembly, with the symbols it defines.
    Assembly(Vec<Declared>),
    /// A language that takes cgo.
    Other(&'static str),
}

struct GoFile {
    is_test: bool,
    documented: bool,
    generated: bool,
    top: TopLevel,
}

/// The files in a folder that Go looks at, of the names that are wanted, in the names' order. What cannot be read is left out.
fn read(dir: &Path, wanted: impl Fn(&str) -> bool) -> Vec<File> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted));
    paths.into_iter().filter_map(read_file).collect()
}

fn read_file(path: PathBuf) -> Option<File> {
    let name = path.file_name()?.to_str()?;
    // Go passes over such names. A pipe would make us wait.
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
        // Headers and objects are welcome, and assembly for C's compilers (.S) counts in packages with cgo only.
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

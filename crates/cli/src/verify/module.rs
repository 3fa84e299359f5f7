//! Makes the Go module in which `go vet` checks the generated package. The module consists of the package, and of stubs that declare the parts of
//! other packages that the package uses.

use super::{PACKAGE, in_parallel, write};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::gosrc::{File, NamedType};
use crate::runtime::{Copied, Library, PUBLISHED, Runtime};
use crate::target::Arch;
use crate::toolchain::Go;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The functions and types of `rt` that generated packages use.
pub const RT: &str = include_str!("rt.go.txt");

/// The types of the package `handle` that a generated package uses.
const HANDLE: &str = "package handle\n\ntype Handle uint64\n\ntype Of[T any] Handle\n";

/// The folders and import paths of the module in which `go vet` runs.
pub struct Module {
    root: PathBuf,
    /// The folder of the generated package.
    pub package: PathBuf,
    /// The import path of the generated package.
    path: String,
    /// The folder of the run-time packages. `other` is the path of their module if they are in a module of their own.
    runtime: PathBuf,
    other: Option<&'static str>,
}

impl Module {
    /// Describes the module in the folder `root`. If the package imports a copy of the run-time packages, the copy's path may contain `internal`. Go
    /// allows the import of such a path only below the folder that contains `internal`, so the package has the same import path here as in its own
    /// module.
    pub fn new(root: &Path, runtime: &Runtime) -> Module {
        let within = |path: &str| path.split('/').fold(root.to_owned(), |dir, name| if name.is_empty() { dir } else { dir.join(name) });
        let (package, path, runtime, other) = match runtime {
            Runtime::Published => (root.to_owned(), PACKAGE.to_owned(), within(PUBLISHED), Some(PUBLISHED)),
            Runtime::Copied(Copied { module, folder, package }) => (within(package), module.path.clone(), within(folder), None),
        };
        Module { root: root.to_owned(), package, path, runtime, other }
    }

    /// Adds stubs of the run-time packages that the package imports, and declares the types that the package's hand-written files declare. `go vet`
    /// accepts any declaration of such a type, because every handle has the same width, and every type implements an interface without methods.
    pub fn complete(&self, go_file: &File, runtime: &Runtime) -> Result<()> {
        let mut module = format!("module {}\n\ngo 1.24\n", self.path);
        if let Some(other) = self.other {
            let _ = write!(module, "\nrequire {other} v0.0.0\n\nreplace {other} => ./{other}\n");
            write(&self.runtime.join("go.mod"), &format!("module {other}\n\ngo 1.24\n"))?;
        }
        write(&self.root.join("go.mod"), &module)?;
        for (library, source) in [(Library::Rt, RT), (Library::Heap, "package heap\n"), (Library::Handle, HANDLE)] {
            if go_file.imports.iter().any(|import| import.path == runtime.import_path(library)) {
                write(&self.runtime.join(library.name()).join("stub.go"), source)?;
            }
        }
        let mut own = format!("package {}\n", go_file.package);
        for ty in go_file.types.iter().filter(|ty| ty.package.is_none()) {
            let kind = if ty.is_interface { "interface" } else { "struct" };
            let _ = write!(own, "\ntype {} {kind}{{}}\n", ty.name);
        }
        write(&self.package.join("own.go"), &own)
    }
}

/// Refuses types that the crate names but Go's standard library lacks. The author may have misspelt their names.
pub fn check_types(arch: Option<Arch>, dir: &Path, go_file: &File, go: &Go) -> Result<()> {
    let Some(arch) = arch else { return Ok(()) };
    let imported = go_file.types.iter().filter_map(|ty| Some((ty, ty.package.as_deref()?)));
    let imported: Vec<(usize, (&NamedType, &str))> = imported.enumerate().collect();
    let refused = in_parallel(&imported, |&(index, (ty, path))| {
        // Go reports only the first error of a package, so each type gets a package of its own.
        let dir = dir.join(format!("type{index}"));
        write(&dir.join("type.go"), &format!("package named\n\nimport named {path:?}\n\ntype _ = named.{}\n", ty.name))?;
        let output = go.vet(arch, &dir)?;
        Ok((!output.status.success()).then(|| unknown(ty, path, &output.stderr)))
    })?;
    let refused: Vec<Diagnostic> = refused.into_iter().flatten().collect();
    if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
}

fn unknown(ty: &NamedType, path: &str, output: &str) -> Diagnostic {
    // Go's message is `vet: ./type.go:5:16: undefined: named.Connection`, or `type.go:3:8: package x is not in std (/usr/lib/go/src/x)`.
    let message = output.split_once("type.go:").and_then(|(_, rest)| rest.lines().next()?.splitn(3, ':').nth(2)).unwrap_or(output);
    let message = message.split(" (/").next().unwrap_or_default().trim().replace("named.", &format!("{path}."));
    Diagnostic::new(ErrorCode::GoName, format!("Go does not know the type {path}.{}", ty.name))
        .at(ty.place.clone())
        .note(message)
        .hint("name it as Go does, with its import path: #[rustgo::go_type(\"net/http.Request\")]")
}

#[cfg(test)]
mod tests {
    use super::RT;
    use std::path::Path;

    #[test]
    fn the_stub_declares_what_rt_does() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../go/rt");
        let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "go") && !path.to_string_lossy().ends_with("_test.go"));
        let sources: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
        // A function's signature ends before the function's body. A type's declaration is compared only up to its first line.
        for line in RT.lines().filter(|line| line.starts_with("func ") || line.starts_with("type ") || line.starts_with("const ")) {
            let head = line.split(" {").next().unwrap_or_default();
            let head = head.split_once("struct{").map_or(head, |(head, _)| head).trim_end();
            assert!(sources.contains(&format!("\n{head}")), "go/rt does not declare {head}");
        }
    }
}

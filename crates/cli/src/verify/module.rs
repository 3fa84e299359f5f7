//! The Go module in which the generated package is vetted: what the package needs from others, reduced to what it uses.

use super::{PACKAGE, in_parallel, write};
use crate::diag::{Code, Diagnostic, Failure, Result};
use crate::gosrc::{File, NamedType};
use crate::target::Arch;
use crate::toolchain::Go;
use std::fmt::Write as _;
use std::path::Path;

/// The types of the package `rustgo.dev/go/handle` that a generated package names.
const HANDLE: &str = "package handle\n\ntype Handle uint64\n\ntype Of[T any] Handle\n";

/// Adds to the package in `dir` what it imports of rustgo's own module, and declarations of the types that other files of
/// the package declare: what they are does not matter, for a handle is as wide whatever it stands for.
pub fn complete(dir: &Path, go_file: &File) -> Result<()> {
    let module = format!("module {PACKAGE}\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => ./rustgo.dev/go\n");
    write(&dir.join("go.mod"), &module)?;
    write(&dir.join("rustgo.dev/go/go.mod"), "module rustgo.dev/go\n\ngo 1.24\n")?;
    write(&dir.join("rustgo.dev/go/rt/rt.go"), "package rt\n")?;
    write(&dir.join("rustgo.dev/go/handle/handle.go"), HANDLE)?;
    let mut own = format!("package {}\n", go_file.package);
    for ty in go_file.types.iter().filter(|ty| ty.package.is_none()) {
        let _ = write!(own, "\ntype {} struct{{}}\n", ty.name);
    }
    write(&dir.join("own.go"), &own)
}

/// Does Go know the types of its standard library that the crate names? The author may have misspelt them.
pub fn check_types(arch: Option<Arch>, dir: &Path, go_file: &File, go: &Go) -> Result<()> {
    let Some(arch) = arch else { return Ok(()) };
    let imported = go_file.types.iter().filter_map(|ty| Some((ty, ty.package.as_deref()?)));
    let imported: Vec<(usize, (&NamedType, &str))> = imported.enumerate().collect();
    let refused = in_parallel(&imported, |&(index, (ty, path))| {
        // A package each, for Go tells the first mistake in a package only.
        let dir = dir.join(format!("type{index}"));
        write(&dir.join("type.go"), &format!("package named\n\nimport named {path:?}\n\ntype _ = named.{}\n", ty.name))?;
        let output = go.vet(arch, &dir)?;
        Ok((!output.status.success()).then(|| unknown(ty, path, &output.stderr)))
    })?;
    let refused: Vec<Diagnostic> = refused.into_iter().flatten().collect();
    if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
}

fn unknown(ty: &NamedType, path: &str, said: &str) -> Diagnostic {
    // `vet: ./type.go:5:16: undefined: named.Connection`, or `type.go:3:8: package x is not in std (/usr/lib/go/src/x)`.
    let said = said.split_once("type.go:").and_then(|(_, said)| said.lines().next()?.splitn(3, ':').nth(2)).unwrap_or(said);
    let said = said.split(" (/").next().unwrap_or_default().trim().replace("named.", &format!("{path}."));
    Diagnostic::new(Code::GoName, format!("Go does not know the type {path}.{}", ty.name))
        .at(ty.place.clone())
        .note(said)
        .hint("name it as Go does, with its import path: #[rustgo::go_type(\"net/http.Request\")]")
}

//! Proves that Go's assembler makes the expected code from the assembly file (goasm::File) of each architecture. rustgo writes only files that are
//! [`Verified`].
//!
//! For every symbol of a file, verify checks:
//! - every byte has the expected value, at the offset that calls assume, with the alignment that constants need;
//! - every relocation has the expected place, kind, symbol and addend, and there are no further relocations. (This check finds a jump that has lost
//!   its offset);
//! - Go's SP table agrees at every instruction with the analysis; for code that the assembler adds (prologues, epilogues, entries), the table
//!   agrees with an independent reading of the bytes;
//! - an entry behaves as its contract states. The assembler chooses the instructions of entries, so there are no expected bytes; instead verify
//!   executes the entry step by step, for every possible alignment of SP. If there is enough stack, the entry must call the body with the right
//!   addresses and alignment; if 8 bytes are missing, it must grow the stack. verify executes other functions without expected bytes in the same way
//!   ([`crate::goasm::Contract`]);
//! - no function has the flag SPWRITE, which stops the unwinder, and every function that is not marked NOSPLIT has a stack check;
//! - no function contains an instruction that is forbidden on its architecture;
//! - the file defines all file-local symbols to which it refers, and defines no symbols that are not expected.
//!
//! verify checks the files for linux, for position-independent code and plugins, for darwin and for windows, because the code that the assembler adds
//! differs between these modes. Then `go vet` runs once for each architecture. Each architecture has a [`Prover`] for its part of the checks.
//!
//! verify proves neither that the analysis is right about the effect of the code on SP, nor that Go's linker applies relocations correctly. Tests of
//! the packages check the effect on SP: the tests fill stacks with a pattern, and record profiles.

mod compare;
mod module;
mod prover;

pub use compare::compare;
pub use prover::{Mode, Prover, Reference};

use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::goasm::File;
use crate::goobj::{self, GoObject};
use crate::gosrc;
use crate::process;
use crate::runtime::Runtime;
use crate::target::Target;
use crate::toolchain::Go;
use crate::write::Files;
use module::Module;
use rayon::prelude::*;
use std::path::Path;

/// Files whose code verify has proved. Only the function [`verify`] makes such a value.
#[derive(Debug)]
pub struct Verified {
    pub(crate) files: Files,
    /// The sizes of each architecture's code and data, in the order of the input.
    pub sizes: Vec<Sizes>,
}

/// The sizes of one architecture's code and data, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub target: Target,
    pub code: u64,
    pub data: u64,
}

/// The name of the generated Go file.
pub const GO_FILE: &str = "rustgo.go";

/// The import path of the package in the compared object files. The path is not part of the compared bytes.
const PACKAGE: &str = "rustgo.verify/p";

/// Assembles the files, compares the objects with the expected code, and runs `go vet`.
///
/// # Errors
/// [`ErrorCode::Verify`] if a file differs from the expected code, or if `go vet` reports an error. The message has the first 20 lines about the
/// first file and mode with a difference or error. [`ErrorCode::GoName`] for each type that Go does not know. [`ErrorCode::Output`] if the temporary
/// folder cannot be used.
pub fn verify(files: &[(&File, &dyn Prover)], go_file: &gosrc::File, runtime: &Runtime, go: &Go) -> Result<Verified> {
    let root =
        tempfile::tempdir().map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cannot make a temporary folder: {error}")))?;
    process::remove_at_interrupt(root.path());
    let module = Module::new(root.path(), runtime);
    let dir = module.package.as_path();
    let go_source = go_file.print();
    // Assertions that a type implements an interface are left out, because other files of the package may have the type's methods.
    write(&dir.join(GO_FILE), &go_file.without_assertions().print())?;
    let mut texts = Files::from([(GO_FILE.to_owned(), go_source.into_bytes())]);
    for (file, _) in files {
        let text = file.print();
        write(&dir.join(file.name()), &text)?;
        texts.insert(file.name(), text.into_bytes());
    }
    let jobs: Vec<_> = files.iter().flat_map(|&(file, prover)| prover.modes().iter().map(move |mode| (file, prover, mode))).collect();
    let mut sizes = in_parallel(&jobs, |&(file, prover, mode)| prove(file, prover, mode, go, dir))?;
    // Keeps, for each target, only the sizes in the first mode.
    sizes.dedup_by_key(|sizes| sizes.target);
    module.complete(go_file, runtime)?;
    module::check_types(files.first().map(|(file, _)| file.target.arch), dir, go_file, go)?;
    in_parallel(files, |(file, _)| {
        let output = go.vet(file.target.arch, dir)?;
        if output.status.success() {
            return Ok(());
        }
        Err(internal_error(format!("go vet ({}, {}) reports errors in the generated package", go.text, file.target), &output.stderr))
    })?;
    Ok(Verified { files: texts, sizes })
}

/// Runs `work` for each item, in parallel, with as many threads as processors. Returns the first failure in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> Result<R> + Sync + Send) -> Result<Vec<R>> {
    items.par_iter().map(work).collect::<Vec<Result<R>>>().into_iter().collect()
}

/// Assembles the file, which is in `dir`, in one mode of its architecture, and compares the object with the expected code.
fn prove(file: &File, prover: &dyn Prover, mode: &Mode, go: &Go, dir: &Path) -> Result<Sizes> {
    let object = match assemble(file, mode, go, dir)? {
        Ok(object) => object,
        Err(messages) => return Err(internal_error(format!("{} does not assemble for {}", file.name(), mode.name), &messages)),
    };
    let wrong = compare(file, &object, prover, mode.system);
    if !wrong.is_empty() {
        return Err(internal_error(
            format!("{} made other code than was expected ({}, {})", go.text, file.target, mode.name),
            &wrong.join("\n"),
        ));
    }
    // Symbols without a name do not count, because they are tables for Go's runtime.
    let size = |code: bool| {
        let of_kind = object.symbols.iter().filter(|s| !s.name.is_empty() && s.is_text() == code);
        of_kind.map(|s| u64::from(s.size)).sum()
    };
    Ok(Sizes { target: file.target, code: size(true), data: size(false) })
}

/// Assembles the file, which is in `dir`. Returns the object or the assembler's messages.
fn assemble(file: &File, mode: &Mode, go: &Go, dir: &Path) -> Result<std::result::Result<GoObject, String>> {
    let object = tempfile::Builder::new().suffix(".o").tempfile_in(dir);
    let object =
        object.map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cannot make a temporary file: {error}")))?.into_temp_path();
    let output = go.assemble(mode.goos, file.target.arch, PACKAGE, &dir.join(file.name()), &object, mode.flags)?;
    if !output.status.success() {
        return Ok(Err(output.stderr));
    }
    let bytes = std::fs::read(&object)
        .map_err(|error| Diagnostic::new(ErrorCode::Verify, format!("cannot read what go tool asm wrote: {error}")))?;
    let object = goobj::read(&bytes).map_err(|error| {
        Diagnostic::new(ErrorCode::Verify, format!("cannot read what {} assembled: {error}", go.text))
            .hint("this version of rustgo may be older than your Go; name another go command with --go")
    })?;
    Ok(Ok(object))
}

fn write(path: &Path, content: &str) -> Result<()> {
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, content));
    written.map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cannot write {}: {error}", path.display())).into())
}

/// Makes the message for an error in rustgo: rustgo accepted the input and made wrong output.
fn internal_error(message: String, detail: &str) -> Failure {
    let mut diagnostic = Diagnostic::new(ErrorCode::Verify, message)
        .hint("this is a fault of rustgo's; nothing was written. Please report it with the crate and the versions of rustgo, rustc and Go");
    for line in detail.lines().filter(|l| !l.trim().is_empty()).take(20) {
        diagnostic = diagnostic.note(line.to_owned());
    }
    diagnostic.into()
}

/// Returns all differences between `printed` and `expected` in the architecture's first mode, or the assembler's messages. For tests that break
/// the lowering on purpose (`tests/all/verify`).
pub fn compare_files(
    expected: &File,
    printed: &str,
    prover: &dyn Prover,
    go: &Go,
    dir: &Path,
) -> Result<std::result::Result<(), Vec<String>>> {
    write(&dir.join(expected.name()), printed)?;
    let Some(mode) = prover.modes().first() else { return Ok(Err(vec!["the machine names no mode".to_owned()])) };
    let object = match assemble(expected, mode, go, dir)? {
        Ok(object) => object,
        Err(said) => return Ok(Err(vec![said])),
    };
    let wrong = compare(expected, &object, prover, mode.system);
    Ok(if wrong.is_empty() { Ok(()) } else { Err(wrong) })
}

//! goasm::File, one a machine → Verified: what Go's assembler made of them, read back and compared.
//!
//! Checked, for every symbol of a file:
//! - every byte is the byte that was meant, at the offset that calls assume, with the alignment that constants need;
//! - every relocation is the one that was meant: place, kind, symbol and addend (a jump that loses its offset is caught
//!   here), and there are no others;
//! - Go's SP table says at every instruction what the analysis says; and for code that the assembler adds itself
//!   (prologues, epilogues, entries) the table agrees with an independent reading of the bytes;
//! - an entry, whose instructions the assembler chooses, is run step by step for every remainder of SP: it calls the body
//!   with the right addresses and alignment where there is stack enough, and makes the stack grow where 8 bytes are missing;
//!   so are the other functions that stand between and have no bytes to compare with ([`crate::goasm::Contract`]);
//! - no function carries the SPWRITE flag, which stops the unwinder, and none lost its stack check;
//! - the machine finds no instruction that must not be there;
//! - the file defines everything of its own that it refers to, and nothing else.
//!
//! This is done for linux, for position-independent code and plugins, for darwin and for windows, where the assembler's own part
//! differs. Then `go vet`, once for each target. What is known of a machine here is its [`Prover`].
//!
//! What this does not prove: that the analysis is right about what the code does to SP (the packages' own tests paint
//! stacks and profile for that), nor that Go's linker applies a relocation correctly.

mod compare;
mod module;
mod prover;

pub use compare::compare;
pub use prover::{Mode, Prover, Reference};

use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::goasm::File;
use crate::goobj::{self, GoObject};
use crate::gosrc;
use crate::runtime::Runtime;
use crate::target::Target;
use crate::toolchain::Go;
use crate::write::Files;
use module::Module;
use rayon::prelude::*;
use std::path::Path;

/// A set of files that has been proved to be what was meant. Only `verify` makes one; only `write` takes one.
#[derive(Debug)]
pub struct Verified {
    pub(crate) files: Files,
    /// By target, in the order they were given.
    pub sizes: Vec<Sizes>,
}

/// What a target's assembled object holds, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub target: Target,
    pub code: u64,
    pub data: u64,
}

/// Name of the generated Go file.
pub const GO_FILE: &str = "rustgo.go";

/// The import path the proof is made under; it is not part of the bytes.
const PACKAGE: &str = "rustgo.verify/p";

/// Assemble, compare, vet.
///
/// # Errors
/// [`ErrorCode::Verify`] for the first file, in the first mode, that is not what was meant, with all that differs; and where
/// `go vet` finds fault. [`ErrorCode::GoName`] for each type that Go does not know. [`ErrorCode::Output`] where the temporary folder
/// cannot be used.
pub fn verify(files: &[(&File, &dyn Prover)], go_file: &gosrc::File, runtime: &Runtime, go: &Go) -> Result<Verified> {
    let root =
        tempfile::tempdir().map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cannot make a temporary folder: {error}")))?;
    let module = Module::new(root.path(), runtime);
    let dir = module.package.as_path();
    let go_source = go_file.print();
    // What the file alone cannot fulfil is left to who builds the package as a whole.
    write(&dir.join(GO_FILE), &go_file.without_assertions().print())?;
    let mut texts = Files::from([(GO_FILE.to_owned(), go_source.into_bytes())]);
    for (file, _) in files {
        let text = file.print();
        write(&dir.join(file.name()), &text)?;
        texts.insert(file.name(), text.into_bytes());
    }
    let jobs: Vec<_> = files.iter().flat_map(|&(file, prover)| prover.modes().iter().map(move |mode| (file, prover, mode))).collect();
    let mut sizes = in_parallel(&jobs, |&(file, prover, mode)| prove(file, prover, mode, go, dir))?;
    // Those of the plain mode stand for all.
    sizes.dedup_by_key(|sizes| sizes.target);
    module.complete(go_file, runtime)?;
    module::check_types(files.first().map(|(file, _)| file.target.arch), dir, go_file, go)?;
    in_parallel(files, |(file, _)| {
        let output = go.vet(file.target.arch, dir)?;
        if output.status.success() {
            return Ok(());
        }
        Err(fault(format!("go vet ({}, {}) finds fault with the generated package", go.text, file.target), &output.stderr))
    })?;
    Ok(Verified { files: texts, sizes })
}

/// The work done for each item, by as many threads as there are processors; fails with the first failure in the items' order.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> Result<R> + Sync + Send) -> Result<Vec<R>> {
    items.par_iter().map(work).collect::<Vec<Result<R>>>().into_iter().collect()
}

/// Assemble the file, which lies in `dir`, in one mode of its machine and compare.
fn prove(file: &File, prover: &dyn Prover, mode: &Mode, go: &Go, dir: &Path) -> Result<Sizes> {
    let object = match assemble(file, mode, go, dir)? {
        Ok(object) => object,
        Err(said) => return Err(fault(format!("{} does not assemble for {}", file.name(), mode.name), &said)),
    };
    let wrong = compare(file, &object, prover, mode.system);
    if !wrong.is_empty() {
        return Err(fault(format!("{} made other code than was expected ({}, {})", go.text, file.target, mode.name), &wrong.join("\n")));
    }
    // Named symbols only: the others are the runtime's tables.
    let size = |code: bool| {
        let of_kind = object.symbols.iter().filter(|s| !s.name.is_empty() && s.is_text() == code);
        of_kind.map(|s| u64::from(s.size)).sum()
    };
    Ok(Sizes { target: file.target, code: size(true), data: size(false) })
}

/// What the assembler makes of the file, which lies in `dir`; or what it says, where it refuses.
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
            .hint("this version of rustgo may be older than your Go; name another one with --go")
    })?;
    Ok(Ok(object))
}

fn write(path: &Path, content: &str) -> Result<()> {
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, content));
    written.map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cannot write {}: {error}", path.display())).into())
}

/// A failure of ours: the input was accepted and the output is wrong.
fn fault(message: String, detail: &str) -> Failure {
    let mut diagnostic = Diagnostic::new(ErrorCode::Verify, message)
        .hint("this is a fault of rustgo's; nothing was written. Please report it with the crate and the versions of rustgo, rustc and Go");
    for line in detail.lines().filter(|l| !l.trim().is_empty()).take(20) {
        diagnostic = diagnostic.note(line.to_owned());
    }
    diagnostic.into()
}

/// Tests of the comparison break the lowering on purpose: see `tests/all/verify`. Everything that is wrong with `printed`,
/// in the first mode of the machine, where `meant` was meant; or what the assembler says.
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

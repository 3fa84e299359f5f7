//! The collection: one C file for each construct that compilers translate in special ways. The head of a file states the expected outcome:
//!
//! ```c
//! // What the file tests.
//! //@ expect: right
//! //@ expect arm64 clang O0: right or refused unsupported
//! ```
//!
//! The words before the colon restrict a line to a machine, compiler, level or set of flags. If several lines apply, the last of them counts. An
//! outcome is `right`, `refused CODE` or `not compiled`; alternatives are joined by `or`.

use super::options::Options;
use super::program::{Outcome, Program, runtime_dir};
use crate::common::directives::{Directive, Directives};
use crate::common::{read, stem};
use std::path::{Path, PathBuf};

/// The files, sorted by name.
pub fn sources() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adversary/c");
    let mut sources: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("the collection can be read").map(|entry| entry.expect("a file").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    sources
}

pub fn program(source: &Path, options: Options) -> Program {
    let arguments = vec!["-I".to_owned(), runtime_dir().display().to_string()];
    Program { name: stem(source), source: source.to_owned(), arguments, options }
}

/// The expected outcome for these options. The error describes a mistake in the file's head.
fn expected(source: &Path, options: Options) -> Result<String, String> {
    let words = [options.arch.to_string(), options.compiler.to_string(), options.level.to_owned(), options.flags.to_string()];
    let fits = |directive: &&Directive| directive.argument.split_whitespace().all(|word| words.iter().any(|known| known == word));
    let directives = Directives::parse(source, &read(source), &["expect"])?;
    let directive = directives.iter().rfind(fits).ok_or_else(|| format!("{} does not say what is expected", source.display()))?;
    Ok(directive.value.clone())
}

/// Returns the outcome unchanged if the file's head expects it; otherwise returns `Outcome::Wrong`.
pub fn judged(program: &Program, outcome: Outcome) -> Outcome {
    let got = match &outcome {
        Outcome::Right => "right".to_owned(),
        Outcome::Refused(code, _) => format!("refused {code}"),
        Outcome::NotCompiled(_) => "not compiled".to_owned(),
        Outcome::NoUse(why) => why.clone(),
        Outcome::Wrong(_) => return outcome,
    };
    let wanted = match expected(&program.source, program.options) {
        Ok(wanted) => wanted,
        Err(problem) => return Outcome::Wrong(problem),
    };
    if wanted.split(" or ").any(|one| one == got) { outcome } else { Outcome::Wrong(format!("expected {wanted}, and it is {outcome:?}")) }
}

//! Decides how paths of files cross: as texts, unless the function opens the file.

use super::cross::{Cross, Output};
use super::parameter::Parameter;
use rustdoc_types::{Function, Path, Span, Type};

/// The reason for leaving out a function that opens files.
const OPENED: &str = "a path: open files in Go";

/// Words in the source of functions that ask the operating system about a path.
const OPENING: [&str; 12] = [
    "File::",
    "fs::",
    "OpenOptions",
    "open(",
    "read_dir",
    "canonicalize(",
    "metadata(",
    "current_dir(",
    ".exists()",
    ".try_exists()",
    ".is_dir()",
    ".is_file()",
];

/// Returns the source text at a place. `None` if the crate's source cannot be read.
pub fn source(span: &Span) -> Option<String> {
    let text = std::fs::read_to_string(&span.filename).ok()?;
    let lines: Vec<&str> = text.lines().take(span.end.0).skip(span.begin.0.saturating_sub(1)).collect();
    Some(lines.join("\n"))
}

/// True if the source of a function shows that it opens files or asks the operating system about a path.
fn opens_files(function: &Span) -> bool {
    source(function).is_some_and(|source| OPENING.iter().any(|word| source.contains(word)))
}

impl Cross<'_> {
    /// True if a function fails with the error of std's `io`. With a path as a parameter, such a function opens the file.
    pub fn has_io_error(&self, function: &Function) -> bool {
        let Some(Type::ResolvedPath(result)) = function.sig.output.as_ref().map(|ty| self.resolve(ty)) else { return false };
        let is_io = |path: &Path| self.api.defined_at(path.id).is_some_and(|at| at.contains("io::error::"));
        let of_error = |ty: &&Type| matches!(self.resolve(ty), Type::ResolvedPath(path) if is_io(&path));
        is_io(&result) || super::api::arguments(&result).iter().any(of_error)
    }

    /// Returns the parameter for std's `PathBuf` or `OsString` (a reference to it if `is_lent`), or for a reference to `Path` or `OsStr`.
    pub fn path_parameter(&self, name: &str, path: &Path, is_lent: bool) -> Result<Parameter, String> {
        if self.fails_as_io || self.span.as_ref().is_some_and(opens_files) {
            return Err(OPENED.to_owned());
        }
        let start = if is_lent { "&" } else { "" };
        Ok(match self.api.std_name(path) {
            "Path" => Parameter::new("&str", format!("std::path::Path::new({name})")).lending(),
            "OsStr" => Parameter::new("&str", format!("std::ffi::OsStr::new({name})")).lending(),
            "PathBuf" => Parameter::new("&str", format!("{start}std::path::PathBuf::from({name})")),
            _ => Parameter::new("&str", format!("{start}std::ffi::OsString::from({name})")),
        })
    }

    /// Returns the wrapper's result for a path or a reference to one. A path that is not Unicode has U+FFFD in the text.
    pub fn path_result(&self) -> Output {
        Output::new("String", "$.to_string_lossy().into_owned()")
    }
}

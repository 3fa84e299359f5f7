//! GCC's execution tests (gcc.c-torture/execute). They are not in this repository: scripts/torture-source downloads them.

use super::options::{Compiler, Options};
use super::program::Program;
use crate::common::read;
use rustgo_cli::testing::target::Arch;
use std::path::{Path, PathBuf};

/// The folder of the tests; `None` if the folder is missing. In that case the function prints a message, or fails in CI.
pub fn folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    let folder = named("RUSTGO_TORTURE").or_else(|| Some(cache()?.join("rustgo/gcc-torture")))?;
    if !folder.join("20000112-1.c").is_file() {
        crate::say!("skipped: GCC's tests: they are not in {}: scripts/torture-source fetches them", folder.display());
        assert!(std::env::var_os("CI").is_none(), "GCC's tests are not in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// All tests, sorted by name.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the tests can be read");
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.expect("a test").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    sources
}

/// A test with the compiler options that its text requests.
pub fn program(source: &Path, options: Options) -> Program {
    let text = String::from_utf8_lossy(&std::fs::read(source).unwrap_or_else(|_| read(source).into_bytes())).into_owned();
    let mut arguments = Vec::new();
    for line in text.lines() {
        let asked = ["dg-options", "dg-additional-options"].iter().find_map(|word| line.split_once(word));
        let Some((_, asked)) = asked else { continue };
        let mut parts = asked.split('"');
        let (Some(_), Some(given), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { continue };
        // A test may request options for certain machines only. These options are used if the tested machine is amd64 and x86-64 is one of these
        // machines.
        let here = !rest.contains("target") || (rest.contains("x86_64") && !rest.contains("ia32") && options.arch == Arch::Amd64);
        // clang gets only the following options, because it does not know gcc's names of optimisation passes.
        let own = |flag: &&str| {
            options.compiler == Compiler::Gcc || matches!(*flag, "-fwrapv" | "-fgnu89-inline" | "-ffast-math") || flag.starts_with("-std=")
        };
        if here {
            arguments.extend(given.split_whitespace().filter(own).map(str::to_owned));
        }
    }
    Program { name: crate::common::stem(source), source: source.to_owned(), arguments, options }
}

//! The request: the crate to build, the targets, and the folder of the Go package. The module config makes the request, and all stages read it.

use crate::abi::{LIBM, SPAWN};
use crate::manifest::{Features, Manifest};
use crate::runtime::Runtime;
use crate::target::{Arch, Level, Target};
use crate::toolchain::Cargo;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

/// A request with every default set.
#[derive(Clone, Debug)]
pub struct Request {
    pub manifest: Manifest,
    /// The absolute path of the Go package's folder. If the user names no folder, the path of the crate's folder.
    pub out: PathBuf,
    /// True if the user named the folder `out`. In this case rustgo checks the folder's other files.
    pub out_is_named: bool,
    /// The Go package's name.
    pub go_package: String,
    /// The package comment of the generated file. None if another file of the package has the package comment.
    pub package_doc: Option<String>,
    /// The targets in ascending order, without duplicates. The package has assembly for each target.
    pub targets: Vec<Target>,
    /// A note for the user about a decision that config made.
    pub note: Option<String>,
    /// The place from which the package imports the run-time packages.
    pub runtime: Runtime,
    /// True if rt.Watch, which reports long calls, measures the package's calls.
    pub watch: bool,
    /// True if rustgo also writes a test that compares the package with the native program.
    pub with_tests: bool,
    /// The exports that the comparison with the native program leaves out.
    pub with_tests_skip: Vec<String>,
    /// True if the native test also leaves out the exports that may read a clock or get random numbers.
    pub skips_unrepeatable: bool,
    /// The largest accepted stack bound of an export, in bytes. For an export with a stated stack budget, the budget raises this limit.
    pub max_stack: u64,
    pub features: Features,
    /// The author's exceptions from refusals: names of crates that rely on destructors, and [`SPAWN`].
    pub allow: Vec<String>,
    /// The way in which panics leave the Rust code. `None` if the author does not choose. In this case panics unwind if the crate or a dependency
    /// links std. Without std they are abandoned, because unwinding needs std and would make the package larger.
    pub panics: Option<Panics>,
    /// True if Rust code cannot start threads, and all calls of the package run one after the other, as on one thread.
    pub no_threads: bool,
    /// The code for processors for which the package has no assembly. `None` if the author does not choose. A Go build for such a processor then
    /// fails with a message, unless hand-written files of the package serve it.
    pub fallback: Option<Fallback>,
    /// The cache folder for the standard libraries that rustgo compiles ([`crate::compile::library`]). `None` if the system has no folder for caches.
    pub cache: Option<PathBuf>,
    pub cargo: Cargo,
    /// The name or path of the go command.
    pub go: OsString,
    /// The path of this program, which cargo runs in place of rustc (`compile/wrapper.rs`).
    pub program: PathBuf,
}

impl Request {
    /// Returns this request with the support crate's feature for functions of C's math.h. `None` if the crate does not depend on the support crate.
    pub fn with_libm(&self) -> Option<Request> {
        let support = self.manifest.support.as_ref()?;
        Some(Request { features: self.features.and(format!("{support}/{LIBM}")), ..self.clone() })
    }

    /// True if the author allows [`SPAWN`].
    pub fn allows_spawn(&self) -> bool {
        self.allow.iter().any(|name| name == SPAWN)
    }
}

/// The way in which a panic leaves the Rust code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panics {
    /// The panic unwinds the frames: destructors run, and `catch_unwind` can catch the panic.
    Unwind,
    /// The panic abandons the frames of the Rust functions: no destructors run.
    Abandon,
}

impl FromStr for Panics {
    type Err = String;

    fn from_str(text: &str) -> Result<Panics, String> {
        match text {
            "unwind" => Ok(Panics::Unwind),
            "abandon" => Ok(Panics::Abandon),
            _ => Err("the ways are unwind and abandon".into()),
        }
    }
}

/// The code for processors for which a package has no assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Go code that is translated from WebAssembly.
    Wasm,
    /// Code by the author, in files of the package or in the packages that import it.
    Own,
}

impl FromStr for Fallback {
    type Err = String;

    fn from_str(text: &str) -> Result<Fallback, String> {
        match text {
            "wasm" => Ok(Fallback::Wasm),
            "own" => Ok(Fallback::Own),
            _ => Err("the fallbacks are wasm and own".into()),
        }
    }
}

impl Request {
    /// Returns true if rustgo translates the crate to Go for processors without assembly.
    pub fn is_translated(&self) -> bool {
        self.fallback == Some(Fallback::Wasm)
    }

    /// Returns the processor levels that the package requires. For each architecture, this level is the lowest level for which the package has code.
    /// An architecture is left out if this level is the baseline, which every processor has.
    pub fn needs(&self) -> Vec<Level> {
        let lowest = self.targets.chunk_by(|a, b| a.arch == b.arch).filter_map(|targets| targets.first());
        lowest.filter(|target| target.level != target.arch.baseline()).map(|target| target.level).collect()
    }

    /// Returns the name of a target in messages: `amd64`, or `amd64 (x86-64-v3)` if the architecture has several levels.
    pub fn shown(&self, target: Target) -> String {
        let levels = self.targets.iter().filter(|other| other.arch == target.arch).count();
        if levels > 1 { format!("{} ({})", target.arch, target.level) } else { target.to_string() }
    }

    /// Returns the architectures in ascending order, without duplicates.
    pub fn arches(&self) -> Vec<Arch> {
        let mut arches: Vec<Arch> = self.targets.iter().map(|target| target.arch).collect();
        arches.dedup();
        arches
    }
}

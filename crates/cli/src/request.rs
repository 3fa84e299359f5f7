//! The request: which crate to build, for which targets, into which folder. `config` makes it, and all stages read it.

use crate::manifest::{Features, Manifest};
use crate::runtime::Runtime;
use crate::target::{Arch, Level, Target};
use crate::toolchain::Cargo;
use std::ffi::OsString;
use std::path::PathBuf;

/// A request with every default decided.
#[derive(Clone, Debug)]
pub struct Request {
    pub manifest: Manifest,
    /// The Go package's folder, absolute. If the user named none, the crate's folder.
    pub out: PathBuf,
    /// Did the user name the folder? Then its other files are checked.
    pub out_is_named: bool,
    /// The Go package's name.
    pub go_package: String,
    /// The package comment of the generated file. None if another file of the package has one.
    pub package_doc: Option<String>,
    /// The targets in ascending order, without duplicates. The package has assembly for each.
    pub targets: Vec<Target>,
    /// A decision that the user should know about.
    pub note: Option<String>,
    /// Where the package imports the run-time packages from.
    pub runtime: Runtime,
    /// Does rt.Watch see the package's calls?
    pub watch: bool,
    /// Is the test written that compares the package with the native program?
    pub with_tests: bool,
    /// Exports that this test leaves out.
    pub with_tests_skip: Vec<String>,
    /// The largest frame of an export, in bytes.
    pub max_stack: u64,
    pub features: Features,
    pub cargo: Cargo,
    /// The go command.
    pub go: OsString,
    /// The path of this program: cargo runs it in place of rustc (`compile/wrapper.rs`).
    pub program: PathBuf,
}

impl Request {
    /// For each architecture, the lowest level that the package has code for, if the architecture has a lower one.
    pub fn needs(&self) -> Vec<Level> {
        let lowest = self.targets.chunk_by(|a, b| a.arch == b.arch).filter_map(|targets| targets.first());
        lowest.filter(|target| target.level != target.arch.baseline()).map(|target| target.level).collect()
    }

    /// The name of a target in messages: `amd64`, or with several levels `amd64 (x86-64-v3)`.
    pub fn shown(&self, target: Target) -> String {
        let levels = self.targets.iter().filter(|other| other.arch == target.arch).count();
        if levels > 1 { format!("{} ({})", target.arch, target.level) } else { target.to_string() }
    }

    /// The architectures in ascending order, without duplicates.
    pub fn arches(&self) -> Vec<Arch> {
        let mut arches: Vec<Arch> = self.targets.iter().map(|target| target.arch).collect();
        arches.dedup();
        arches
    }
}

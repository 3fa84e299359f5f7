//! What a command is to do: made by `config` of the command line and the settings.

use crate::manifest::{Features, Manifest};
use crate::runtime::Runtime;
use crate::target::{Arch, Level, Target};
use crate::toolchain::Cargo;
use std::ffi::OsString;
use std::path::PathBuf;

/// What is to be done with which crate. Nothing is decided after this.
#[derive(Clone, Debug)]
pub struct Request {
    pub manifest: Manifest,
    /// The Go package's folder, absolute. Where it was not given (and need not be), the crate's own.
    pub out: PathBuf,
    /// Was the folder named? If so, its other files count.
    pub out_is_named: bool,
    /// The Go package's name.
    pub go_package: String,
    /// The package comment of the generated file; none where a file written by hand has one.
    pub package_doc: Option<String>,
    /// What to compile for, in ascending order, none twice. The package has assembly for each.
    pub targets: Vec<Target>,
    /// Something decided for the user that the user should know.
    pub note: Option<String>,
    /// Where the package finds the packages that it imports.
    pub runtime: Runtime,
    /// Is the package one whose calls rt.Watch sees?
    pub watch: bool,
    /// Is the test written that compares the package with the native program?
    pub with_tests: bool,
    /// The exports that it leaves out.
    pub with_tests_skip: Vec<String>,
    /// Bytes: the largest frame an export may have.
    pub max_stack: u64,
    pub features: Features,
    pub cargo: Cargo,
    /// The go command.
    pub go: OsString,
    /// The rustgo program: cargo runs it in rustc's place, see `compile/wrapper.rs`.
    pub program: PathBuf,
}

impl Request {
    /// For each architecture the lowest level that the package has code for, where that is not the architecture's own lowest.
    pub fn needs(&self) -> Vec<Level> {
        let lowest = self.targets.chunk_by(|a, b| a.arch == b.arch).filter_map(|targets| targets.first());
        lowest.filter(|target| target.level != target.arch.baseline()).map(|target| target.level).collect()
    }

    /// A target for people, among the others: `amd64`, or with several levels `amd64 (x86-64-v3)`.
    pub fn shown(&self, target: Target) -> String {
        let levels = self.targets.iter().filter(|other| other.arch == target.arch).count();
        if levels > 1 { format!("{} ({})", target.arch, target.level) } else { target.to_string() }
    }

    /// The architectures that the package is for, in ascending order, none twice.
    pub fn arches(&self) -> Vec<Arch> {
        let mut arches: Vec<Arch> = self.targets.iter().map(|target| target.arch).collect();
        arches.dedup();
        arches
    }
}

//! The options of `audit` and `verify`, the commands that examine existing packages.

use super::{Arch, Choice, DEFAULT_GO};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  rustgo audit                               the packages of the Go module here
  rustgo audit ./server --db advisory-db     a Go program
  rustgo audit . --crate rust --db advisory-db    do exports call what is affected?
  rustgo audit rustgo.dev/packages@v0.1.0 --cyclonedx sbom.json
  git clone --depth 1 https://github.com/RustSec/advisory-db    a database

The exit code is 1 if a vulnerability is known, or if there is no package made
by rustgo. Warnings (unmaintained, unsound, notice) do not change it.")]
pub struct AuditArgs {
    /// A Go module's folder, with the modules that it imports; a package's folder; a Go program; or a module as PATH@VERSION
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: String,
    /// The advisories: a checkout of RustSec's advisory-db, or a folder with OSV's RUSTSEC-*.json
    #[arg(long, value_name = "DIR")]
    pub db: Option<PathBuf>,
    /// The crate that the package is made from: compile it, and tell which exports call affected functions
    #[arg(long = "crate", value_name = "DIR", requires = "db")]
    pub krate: Option<PathBuf>,
    /// The toolchain for --crate, as for build
    #[arg(long, value_name = "[ARCH=]NAME|DIR", value_delimiter = ',')]
    pub toolchain: Vec<Choice>,
    /// With --crate: do not let cargo use the network
    #[arg(long)]
    pub offline: bool,
    /// Write a bill of materials in the CycloneDX format to this file
    #[arg(long, value_name = "FILE")]
    pub cyclonedx: Option<PathBuf>,
    /// The go command
    #[arg(long, value_name = "GO", default_value = DEFAULT_GO)]
    pub go: OsString,
}

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  rustgo verify rustgo.dev/packages@v0.1.0
  rustgo verify .                            the module here, as it is now
  rustgo verify example.com/hash@v1.2.0 --arch amd64

It runs the build scripts and procedural macros of the module's crates.
The exit code is 0 if every generated file is what the source gives.")]
pub struct VerifyArgs {
    /// A module as PATH@VERSION, or the folder of a Go module or of a package
    #[arg(value_name = "MODULE@VERSION|DIR")]
    pub path: String,
    /// Only the code of these architectures, separated by commas [default: all that the package has]
    #[arg(long, value_name = "ARCH", value_delimiter = ',')]
    pub arch: Vec<Arch>,
    /// The toolchain to compile with, as for build [default: the one that made the package, if rustup has it]
    #[arg(long, value_name = "[ARCH=]NAME|DIR", value_delimiter = ',')]
    pub toolchain: Vec<Choice>,
    /// The folder of the crate rustgo-support, for crates that name it by a path [default: the one that rustgo was built with]
    #[arg(long, value_name = "DIR")]
    pub support: Option<PathBuf>,
    /// The go command
    #[arg(long, value_name = "GO", default_value = DEFAULT_GO)]
    pub go: OsString,
    /// Do not let cargo use the network
    #[arg(long)]
    pub offline: bool,
}

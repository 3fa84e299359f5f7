//! Finds the programs that rustgo needs (cargo, rustc and go), checks their versions, and makes their command lines.

pub mod choice;
pub mod library;

use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::process::{self, Output};
use crate::target::Arch;
use choice::{Toolchain, Toolchains};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest version of Go with which the generated code is tested.
pub const GO_MINIMUM: Version = Version { major: 1, minor: 24, patch: 0 };
/// The oldest version of rustc with which the tool and its crates are tested.
pub const RUST_MINIMUM: Version = Version { major: 1, minor: 95, patch: 0 };

const GET_GO: &str = "get it from https://go.dev/dl/, or name another go command with --go";
const GET_RUST: &str = "get it with rustup: https://rustup.rs";

/// The version of a release. The version of a pre-release is the version of the release that it precedes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    /// Reads the first version in `text`: `go1.26.8`, `1.95.0-nightly`, `go1.27rc1`.
    pub fn find(text: &str) -> Option<Version> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let mut numbers = text[start..].split('.').map(|part| {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            (part[..digits].parse::<u32>().ok(), digits == part.len())
        });
        let (major, _) = numbers.next()?;
        let (minor, whole) = numbers.next()?;
        // Versions such as go1.27rc1 and 1.95-beta have no patch level.
        let patch = if whole { numbers.next().and_then(|(patch, _)| patch).unwrap_or(0) } else { 0 };
        Some(Version { major: major?, minor: minor?, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.patch {
            0 => write!(f, "{}.{}", self.major, self.minor),
            patch => write!(f, "{}.{}.{patch}", self.major, self.minor),
        }
    }
}

/// The settings for running cargo and rustc. If the user names no toolchain, the environment variables `CARGO` and `RUSTC` name the programs, if they
/// are set.
#[derive(Clone, Debug, Default)]
pub struct Cargo {
    /// The toolchains that the user names, for all architectures or for a single architecture.
    pub toolchains: Toolchains,
    /// The architecture whose toolchain runs. `None` if any toolchain is suitable, for example to read the manifest.
    pub arch: Option<Arch>,
    /// True for the option `--offline`: cargo must not use the network.
    pub offline: bool,
    /// True for the option `--locked`: cargo must not change Cargo.lock.
    pub locked: bool,
    /// True if cargo prints only errors.
    pub quiet: bool,
    /// The value of cargo's option `--color`.
    pub color: Option<&'static str>,
}

/// The data in the output of `rustc -vV`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rustc {
    /// The first line of the output: `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub line: String,
    pub version: Version,
    /// The host's target triple.
    pub host: String,
    /// The commit from which the compiler was built. `None` if the build did not record it.
    pub commit: Option<String>,
}

impl Cargo {
    /// Returns a copy of the settings with which the toolchain for `arch` runs.
    pub fn of(&self, arch: Arch) -> Cargo {
        Cargo { arch: Some(arch), ..self.clone() }
    }

    /// Returns the toolchain that the user names for the architecture. `None` means cargo and rustc from the environment.
    pub fn toolchain(&self) -> Option<&Toolchain> {
        self.toolchains.of(self.arch)
    }

    /// Returns a cargo command that runs in `dir`, so that a `rust-toolchain.toml` there applies.
    pub fn command(&self, dir: &Path) -> Command {
        let mut command = self.tool("CARGO", "cargo", dir);
        if self.quiet {
            command.arg("--quiet");
        }
        if let Some(when) = self.color {
            command.args(["--color", when]);
        }
        command
    }

    /// Returns cargo's options for network and lock file.
    pub fn network_args(&self) -> Vec<&'static str> {
        [(self.offline, "--offline"), (self.locked, "--locked")].into_iter().filter_map(|(on, arg)| on.then_some(arg)).collect()
    }

    /// Returns a rustc command that runs in `dir`.
    pub fn rustc_command(&self, dir: &Path) -> Command {
        self.tool("RUSTC", "rustc", dir)
    }

    fn tool(&self, variable: &str, name: &str, dir: &Path) -> Command {
        let found = || Command::new(std::env::var_os(variable).filter(|value| !value.is_empty()).unwrap_or_else(|| name.into()));
        let mut command = match self.toolchain() {
            // Use `rustup run` instead of `cargo +NAME`, because only rustup's proxy understands `+NAME`. The variable CARGO may name the real cargo:
            // cargo sets the variable for the programs that it runs.
            Some(Toolchain::Named(toolchain)) => {
                let mut command = Command::new("rustup");
                command.args(["run", toolchain, name]).env_remove("CARGO").env_remove("RUSTC");
                command
            }
            Some(Toolchain::Dir(root)) => {
                let own = choice::program(root, name);
                // The folder of a toolchain may contain rustc without cargo. Any cargo can run this rustc.
                let mut command = if own.is_file() || name == "rustc" { Command::new(own) } else { found() };
                command.env("RUSTC", choice::program(root, "rustc"));
                command
            }
            None => found(),
        };
        command.current_dir(dir);
        command
    }

    /// Returns the compiler's version and host. Fails if the compiler is missing or too old.
    pub fn rustc(&self, dir: &Path) -> Result<Rustc> {
        let output = process::capture(self.rustc_command(dir).arg("-vV"))?.map_err(|error| self.cannot_run(&error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let rustc = Rustc::parse(&text).filter(|_| output.status.success()).ok_or_else(|| {
            let mut refusal = Diagnostic::new(ErrorCode::Toolchain, "rustc does not say its version").hint(GET_RUST);
            refusal.notes.extend(output.stderr.lines().map(str::to_owned));
            refusal
        })?;
        if rustc.version < RUST_MINIMUM {
            let update = match (self.toolchain(), self.arch) {
                (None, _) => "rustup update stable".to_owned(),
                (Some(_), None) => "name a newer one with --toolchain NAME".to_owned(),
                (Some(_), Some(arch)) => format!("name a newer one with --toolchain {arch}=NAME"),
            };
            let what = format!("{} is too old: {RUST_MINIMUM} or newer is needed", rustc.line);
            return Err(Diagnostic::new(ErrorCode::Toolchain, what).hint(update).into());
        }
        Ok(rustc)
    }

    /// Returns the compiler's sysroot, the folder with its libraries and sources.
    pub fn sysroot(&self, dir: &Path) -> Result<PathBuf> {
        let mut command = self.rustc_command(dir);
        let output = process::capture(command.args(["--print", "sysroot"]))?.map_err(|error| self.cannot_run(&error))?;
        Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
    }

    /// Returns true if the standard library for the architecture's target is installed.
    pub fn has_target(&self, dir: &Path, arch: Arch) -> Result<bool> {
        let mut command = self.rustc_command(dir);
        command.args(["--print", "target-libdir", "--target", arch.triple()]);
        let output = process::capture(&mut command)?.map_err(|error| self.cannot_run(&error))?;
        let libdir = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let core =
            |entry: io::Result<std::fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"));
        Ok(output.status.success() && std::fs::read_dir(libdir).is_ok_and(|mut entries| entries.any(core)))
    }

    /// Returns the refusal if cargo or rustc cannot be started.
    pub fn cannot_run(&self, error: &io::Error) -> Failure {
        let what = if matches!(self.toolchain(), Some(Toolchain::Named(_))) { "rustup" } else { "cargo and rustc" };
        Diagnostic::new(ErrorCode::Toolchain, format!("{what} cannot be run: {error}")).hint(GET_RUST).into()
    }
}

impl Rustc {
    /// Parses the output of `rustc -vV`.
    pub fn parse(text: &str) -> Option<Rustc> {
        let line = text.lines().next()?.trim();
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(|value| value.trim().to_owned());
        Some(Rustc {
            version: Version::find(line.strip_prefix("rustc ")?)?,
            line: line.to_owned(),
            host: value("host: ")?,
            commit: value("commit-hash: ").filter(|commit| commit != "unknown"),
        })
    }
}

/// The settings that decide which files the go command builds: operating system, processor, cgo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    pub goos: &'static str,
    pub goarch: &'static str,
    pub cgo: bool,
}

/// The fields of `go list` that name the source files of a package, including files that only cgo builds (C, C++ and others).
const SOURCES: &str = "GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,SFiles,CFiles,CXXFiles,MFiles,FFiles,SwigFiles,SwigCXXFiles";

/// A go command that runs and is new enough.
#[derive(Clone, Debug)]
pub struct Go {
    program: OsString,
    /// The version as Go prints it: `go1.26.8`.
    pub text: String,
    pub version: Version,
    pub goroot: PathBuf,
}

impl Go {
    /// Finds the go command and reads its version. Fails if the command is missing or too old.
    pub fn find(program: &OsStr) -> Result<Go> {
        let name = program.to_string_lossy();
        let mut command = Command::new(program);
        // The command runs in a folder without a go.mod, because the toolchain line of a go.mod would select another Go.
        command.args(["env", "GOVERSION", "GOROOT"]).current_dir(std::env::temp_dir()).env("GOWORK", "off").env("GOFLAGS", "");
        let output = process::capture(&mut command)?
            .map_err(|error| Diagnostic::new(ErrorCode::Toolchain, format!("{name} cannot be run: {error}")).hint(GET_GO))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = text.lines();
        let (version_text, goroot) = (lines.next().unwrap_or("").trim().to_owned(), PathBuf::from(lines.next().unwrap_or("").trim()));
        let Some(version) = Version::find(&version_text).filter(|_| output.status.success()) else {
            let mut refusal = Diagnostic::new(ErrorCode::Toolchain, format!("{name} does not say its version")).hint(GET_GO);
            refusal.notes.extend(output.stderr.lines().map(str::to_owned));
            return Err(refusal.into());
        };
        if version < GO_MINIMUM {
            return Err(Diagnostic::new(ErrorCode::Toolchain, format!("{version_text} is too old: go{GO_MINIMUM} or newer is needed"))
                .hint(GET_GO)
                .into());
        }
        Ok(Go { program: program.to_owned(), text: version_text, version, goroot })
    }

    /// Returns a go command without user settings that could change its output: no GOFLAGS, no workspace, no downloads. GOTOOLCHAIN keeps its
    /// value, because it selects the version of Go that the user wants.
    pub fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(dir).env("GOFLAGS", "").env("GOWORK", "off").env("GOPROXY", "off").env("CGO_ENABLED", "0").env("GOOS", "linux");
        command
    }

    /// Returns a go command that builds for this machine and may download modules.
    pub fn program(&self, dir: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(dir).env("GOFLAGS", "").env("GOWORK", "off").env_remove("GOOS").env_remove("GOARCH");
        command
    }

    /// Assembles `source` to the object file `object`. The assembler gets `package_path` as the path of the file's package.
    ///
    /// Returns the assembler's exit status and messages. `extra` are options that precede the file's name.
    pub fn assemble(&self, goos: &str, arch: Arch, package_path: &str, source: &Path, object: &Path, extra: &[&str]) -> Result<Output> {
        let dir = source.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut command = self.command(dir);
        command.args(["tool", "asm", "-p", package_path, "-I"]).arg(self.goroot.join("pkg/include"));
        command.args(["-D", &format!("GOOS_{goos}"), "-D", &format!("GOARCH_{arch}")]).args(extra);
        // The name of the source file is relative, so that the object does not depend on the folder.
        command.arg("-o").arg(object).arg(source.file_name().unwrap_or(source.as_os_str()));
        command.env("GOOS", goos).env("GOARCH", arch.goarch());
        self.run(&mut command)
    }

    /// Runs `go vet` on the package in `dir`, which must be inside a module.
    pub fn vet(&self, arch: Arch, dir: &Path) -> Result<Output> {
        let mut command = self.command(dir);
        command.args(["vet", "."]).env("GOARCH", arch.goarch());
        self.run(&mut command)
    }

    /// Returns the names of the source files in `dir` that Go builds for the port, as [`SOURCES`] lists them.
    ///
    /// The folder need not be in a module that can be loaded, because modules are turned off. The files need not be finished, because with `-e` the
    /// go command lists files in spite of errors in them.
    pub fn sources(&self, dir: &Path, port: Port) -> Result<BTreeSet<String>> {
        let mut command = self.command(dir);
        command.args(["list", "-e", "-find", &format!("-json={SOURCES}"), "."]).env("GO111MODULE", "off");
        command.env("GOOS", port.goos).env("GOARCH", port.goarch).env("CGO_ENABLED", if port.cgo { "1" } else { "0" });
        let output = self.run(&mut command)?;
        match serde_json::from_slice::<BTreeMap<String, Vec<String>>>(&output.stdout) {
            Ok(lists) if output.status.success() => Ok(lists.into_values().flatten().collect()),
            answer => {
                let what = format!("go list does not say which files of {} it builds for {}/{}", dir.display(), port.goos, port.goarch);
                let hint = "run go list in that folder and repair what it reports, or name another go command with --go";
                let mut refusal = Diagnostic::new(ErrorCode::Toolchain, what).hint(hint);
                refusal.notes.extend(output.stderr.lines().map(str::to_owned));
                refusal.notes.extend(answer.err().filter(|_| output.status.success()).map(|error| format!("its answer: {error}")));
                Err(refusal.into())
            }
        }
    }

    fn run(&self, command: &mut Command) -> Result<Output> {
        process::capture(command)?.map_err(|error| {
            Diagnostic::new(ErrorCode::Toolchain, format!("{} cannot be run: {error}", self.program.to_string_lossy())).hint(GET_GO).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    #[test]
    fn versions_are_found() {
        for (text, expected) in [
            ("go1.26.8", version(1, 26, 8)),
            ("go1.27rc1", version(1, 27, 0)),
            ("go1.24", version(1, 24, 0)),
            ("devel go1.28-abcdef", version(1, 28, 0)),
            ("1.95.0 (59807616e 2026-04-14)", version(1, 95, 0)),
            ("1.97.0-nightly", version(1, 97, 0)),
        ] {
            assert_eq!(Version::find(text), Some(expected), "{text}");
        }
        for text in ["", "go", "devel", "1"] {
            assert_eq!(Version::find(text), None, "{text}");
        }
        assert!(version(1, 9, 0) < GO_MINIMUM && version(1, 100, 0) > GO_MINIMUM);
    }

    #[test]
    fn rustcs_answer_is_read() {
        let text = "rustc 1.95.0 (59807616e 2026-04-14)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
        let rustc = Rustc::parse(text).unwrap();
        assert_eq!((rustc.version, rustc.host.as_str()), (version(1, 95, 0), "x86_64-unknown-linux-gnu"));
        assert_eq!(rustc.commit, None);
        let commit = |hash: &str| Rustc::parse(&format!("{text}commit-hash: {hash}\n")).unwrap().commit;
        assert_eq!((commit("59807616e1fa"), commit("unknown")), (Some("59807616e1fa".to_owned()), None));
        assert_eq!(Rustc::parse("clang version 19"), None);
    }

    #[test]
    fn a_missing_go_is_refused_with_the_way_out() {
        let Err(Failure::Refused(reasons)) = Go::find(OsStr::new("no-such-go-command")) else { panic!("found") };
        assert_eq!(reasons[0].code, ErrorCode::Toolchain);
        assert!(reasons[0].message.starts_with("no-such-go-command cannot be run"), "{}", reasons[0].message);
        assert!(reasons[0].hint.as_deref().unwrap().contains("https://go.dev/dl/"));
    }

    #[cfg(unix)]
    #[test]
    fn an_old_go_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let go = dir.path().join("go");
        // Another process writes the script. If this process wrote it, a program that another test starts at the same time could inherit the open
        // file, and the script could not run, because a file that is open for writing cannot be executed.
        let script = r#"printf '#!/bin/sh\necho go1.23.4\necho /usr/lib/go\n' >"$0" && chmod +x "$0""#;
        assert!(Command::new("sh").args(["-c", script]).arg(&go).status().unwrap().success());
        let Err(Failure::Refused(reasons)) = Go::find(go.as_os_str()) else { panic!("accepted") };
        assert_eq!(reasons[0].message, "go1.23.4 is too old: go1.24 or newer is needed");
    }
}

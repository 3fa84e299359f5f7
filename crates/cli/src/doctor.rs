//! `rustgo doctor` shows which tools are installed and which are missing. For each tool it shows why rustgo needs the tool and how to get it.

use crate::args::DoctorArgs;
use crate::compile::flags::cross_compiler;
use crate::compile::wasm;
use crate::config;
use crate::diag::render::{Role, Style};
use crate::diag::{Diagnostic, Failure, Result};
use crate::fallback;
use crate::process;
use crate::target::Arch;
use crate::toolchain::choice::Choice;
use crate::toolchain::{Cargo, Go, RUST_MINIMUM};
use serde::Serialize;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::Command;

/// The result of checking one tool. The report shows each result as a line of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: String,
    /// True if every build needs the tool.
    pub required: bool,
    /// The version that was found.
    pub found: Option<String>,
    /// The reason why the tool cannot be used, if it is missing or unusable.
    pub problem: Option<String>,
    pub needed_for: &'static str,
    /// Says how to get the tool.
    pub get: String,
}

impl Check {
    fn is_missing(&self) -> bool {
        self.problem.is_some()
    }

    fn human(&self, width: usize, style: Style, text: &mut String) {
        let (role, mark) = match (self.is_missing(), self.required) {
            (false, _) => (Role::Good, "ok      "),
            (true, true) => (Role::Error, "MISSING "),
            (true, false) => (Role::Faint, "missing "),
        };
        let what = self.problem.as_deref().or(self.found.as_deref()).unwrap_or_default();
        let _ = writeln!(text, "{} {:width$}  {what}", style.paint(role, mark), self.name);
        if self.is_missing() || !self.required {
            let _ = writeln!(text, "{:9}{:width$}  needed for {}", "", "", self.needed_for);
        }
        if self.is_missing() {
            let _ = writeln!(text, "{:9}{:width$}  {} {}", "", "", style.paint(Role::Hint, "get it:"), self.get);
        }
    }
}

/// The results of checking all tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub checks: Vec<Check>,
}

impl Report {
    /// Returns true if all required tools can be used.
    pub fn is_well(&self) -> bool {
        !self.checks.iter().any(|check| check.required && check.is_missing())
    }

    /// Returns the results as a table for people.
    pub fn human(&self, style: Style) -> String {
        let width = self.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        let (required, optional): (Vec<&Check>, Vec<&Check>) = self.checks.iter().partition(|check| check.required);
        for check in &required {
            check.human(width, style, &mut text);
        }
        if !optional.is_empty() {
            text.push_str("\nnot needed by every build:\n");
        }
        for check in &optional {
            check.human(width, style, &mut text);
        }
        text.push_str(if self.is_well() { "\nready: nothing that a build needs is missing\n" } else { "\nnot ready: see MISSING above\n" });
        text
    }

    /// Returns the results as JSON: one object for each tool, one object a line.
    pub fn json(&self) -> String {
        self.checks.iter().map(|check| serde_json::to_string(check).unwrap_or_default() + "\n").collect()
    }
}

/// Checks every tool. A missing tool is no error, but a line of the report. An interrupt is an error, and so is a named toolchain that does not
/// exist.
pub fn examine(args: &DoctorArgs, toolchain: Option<&Choice>) -> Result<Report> {
    let choices: Vec<Choice> = toolchain.into_iter().chain(&args.toolchain).cloned().collect();
    let cargo = Cargo { toolchains: config::toolchains(&choices)?, ..Cargo::default() };
    let here = std::env::current_dir().unwrap_or_else(|_| std::env::temp_dir());
    let mut checks = rust_checks(&cargo.of(Arch::Amd64), &here)?;
    checks.extend(arm64_checks(&cargo.of(Arch::Arm64), &here)?);
    checks.extend(go_checks(args)?);
    checks.extend(fallback_checks(&cargo, args, &here)?);
    let compiler = std::env::var("CC").ok().filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".into());
    checks.push(program(
        &compiler,
        &["--version"],
        "a C compiler",
        "crates that bring C or assembly (blake3), and the comparison with cgo",
        "apt-get install gcc",
    )?);
    // An arm64 machine needs no cross compiler and no emulator for arm64 code.
    let is_arm64 = std::env::consts::ARCH == "aarch64";
    if !is_arm64 {
        checks.push(program(
            cross_compiler(Arch::Arm64),
            &["--version"],
            "a C compiler for arm64",
            "code for arm64 of crates that bring C (blake3)",
            "apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
        )?);
    }
    checks.push(program("wine", &["--version"], "wine", "running tests of windows/amd64 programs here", "apt-get install wine")?);
    if !is_arm64 {
        checks.push(emulator()?);
    }
    Ok(Report { checks })
}

fn rust_checks(cargo: &Cargo, here: &Path) -> Result<Vec<Check>> {
    let get = "https://rustup.rs".to_owned();
    let rustc = outcome(cargo.rustc(here))?;
    let has_rustc = rustc.is_ok();
    let target = if has_rustc { outcome(cargo.has_target(here, Arch::Amd64))?.unwrap_or(false) } else { false };
    let triple = Arch::Amd64.triple();
    Ok(vec![
        Check::of("cargo", true, first_line(cargo.command(here).arg("--version"))?, "building the crate", get.clone()),
        Check::of(&format!("rustc >= {RUST_MINIMUM}"), true, rustc.map(|rustc| rustc.line), "building the crate", get),
        Check::of(
            &format!("std for {triple}"),
            true,
            if target { Ok("installed".into()) } else { Err("not installed".into()) },
            "code for amd64, whatever system the Go program will run on",
            format!("rustup target add {triple}"),
        ),
    ])
}

/// Checks the additional tools for arm64 code: a toolchain that can build the standard library. This toolchain may differ from the toolchain for
/// amd64.
fn arm64_checks(cargo: &Cargo, here: &Path) -> Result<Vec<Check>> {
    const NEEDED_FOR: &str = "code for arm64 and fallback = \"wasm\", for which rustgo compiles the standard library";
    let rustc = match outcome(cargo.rustc(here))? {
        Ok(rustc) => rustc,
        Err(problem) => return Ok(vec![Check::of("arm64", false, Err(problem), NEEDED_FOR, "https://rustup.rs".into())]),
    };
    let (found, get) = match cargo.library(here, &rustc)? {
        Ok(library) => (Ok(format!("{}, sources in {}", rustc.line, library.dir.display())), String::new()),
        Err(refusal) => (Err(refusal.message), refusal.hint.unwrap_or_default()),
    };
    Ok(vec![Check::of("rust-src for arm64", false, found, NEEDED_FOR, get)])
}

fn go_checks(args: &DoctorArgs) -> Result<Vec<Check>> {
    let get = "https://go.dev/dl/";
    let go = outcome(Go::find(&args.go))?;
    let (asm, vet) = match &go {
        Ok(go) => (try_asm(go)?, try_vet(go)?),
        Err(_) => (Err("there is no go command".to_owned()), Err("there is no go command".to_owned())),
    };
    Ok(vec![
        Check::of(
            &format!("go >= {}", crate::toolchain::GO_MINIMUM),
            true,
            go.map(|go| go.text),
            "proving and using the generated package",
            get.into(),
        ),
        Check::of("go tool asm", true, asm, "proving the generated assembly", format!("a complete Go: {get}")),
        Check::of("go vet", true, vet, "proving the generated declarations", format!("a complete Go: {get}")),
    ])
}

/// Checks the tools that only `fallback = "wasm"` needs. The fallback also needs the sources of the standard library, which [`arm64_checks`] checks.
fn fallback_checks(cargo: &Cargo, args: &DoctorArgs, here: &Path) -> Result<Vec<Check>> {
    const NEEDED_FOR: &str = "fallback = \"wasm\", which makes code for other processors";
    let arm64 = cargo.of(Arch::Arm64);
    let toolchains = [arm64.clone(), cargo.of(Arch::Amd64), Cargo::default()];
    let linker = match outcome(arm64.rustc(here))? {
        Ok(rustc) => outcome(wasm::linker(&toolchains, here, &rustc))?.map(|path| path.display().to_string()),
        Err(problem) => Err(problem),
    };
    let wasm2go = match outcome(Go::find(&args.go))? {
        Ok(go) => fallback::obtainable(&go, &std::env::temp_dir(), false)?,
        Err(_) => Err("there is no go command".into()),
    };
    let get = format!(
        "go install {}@{} must work: it needs a module proxy, or the module in Go's module cache",
        fallback::MODULE,
        fallback::VERSION
    );
    Ok(vec![
        Check::of(
            "a linker for WebAssembly",
            false,
            linker,
            NEEDED_FOR,
            "use a toolchain that rustup has installed, or run apt-get install lld".into(),
        ),
        Check::of("wasm2go", false, wasm2go, NEEDED_FOR, get),
    ])
}

impl Check {
    fn of(name: &str, required: bool, found: std::result::Result<String, String>, needed_for: &'static str, get: String) -> Check {
        let (found, problem) = match found {
            Ok(found) => (Some(found), None),
            Err(problem) => (None, Some(problem)),
        };
        Check { name: name.to_owned(), required, found, problem, needed_for, get }
    }
}

/// Checks the emulator of arm64. Debian has the emulator as two programs in two packages: the statically linked qemu-aarch64-static, and
/// qemu-aarch64.
fn emulator() -> Result<Check> {
    let check =
        |command| program(command, &["--version"], "qemu-user", "running tests of arm64 programs here", "apt-get install qemu-user-static");
    let linked_statically = check("qemu-aarch64-static")?;
    if linked_statically.is_missing() { check("qemu-aarch64") } else { Ok(linked_statically) }
}

fn program(command: &str, args: &[&str], name: &str, needed_for: &'static str, get: &str) -> Result<Check> {
    let mut words = command.split_whitespace();
    let found = first_line(Command::new(words.next().unwrap_or("cc")).args(words).args(args))?;
    Ok(Check::of(name, false, found, needed_for, get.to_owned()))
}

/// Returns the first line of a program's output, or the reason why there is no output.
fn first_line(command: &mut Command) -> Result<std::result::Result<String, String>> {
    let output = match process::capture(command)? {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Err("not found".into())),
        Err(error) => return Ok(Err(error.to_string())),
    };
    let line = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_owned();
    Ok(if output.status.success() { Ok(line) } else { Err(output.stderr.lines().next().unwrap_or("it fails").to_owned()) })
}

/// Separates the errors of a check. A refusal becomes the inner error, which the report shows. Every other error, such as an interrupt, stays the
/// outer error.
fn outcome<T>(result: Result<T>) -> Result<std::result::Result<T, String>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Failure::Refused(reasons)) => {
            Ok(Err(reasons.into_iter().map(|Diagnostic { message, .. }| message).collect::<Vec<_>>().join("; ")))
        }
        Err(other) => Err(other),
    }
}

const ASSEMBLY: &str =
    "#include \"textflag.h\"\n\n// func F(x uint64) uint64\nTEXT ·F(SB), NOSPLIT, $0-16\n\tMOVQ x+0(FP), AX\n\tMOVQ AX, ret+8(FP)\n\tRET\n";

/// Assembles a few lines, to check that Go's assembler works. Every build needs the assembler.
fn try_asm(go: &Go) -> Result<std::result::Result<String, String>> {
    let tried = scratch(go, |dir| go.assemble("linux", Arch::Amd64, "example", &dir.join("f_amd64.s"), &dir.join("f.o"), &[]));
    Ok(tried?.map(|()| "works".into()))
}

fn try_vet(go: &Go) -> Result<std::result::Result<String, String>> {
    Ok(scratch(go, |dir| go.vet(Arch::Amd64, dir))?.map(|()| "works".into()))
}

fn scratch(go: &Go, run: impl FnOnce(&Path) -> Result<process::Output>) -> Result<std::result::Result<(), String>> {
    let make = || {
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join("go.mod"), format!("module example\n\ngo {}.{}\n", go.version.major, go.version.minor))?;
        std::fs::write(dir.path().join("f.go"), "package example\n\nfunc F(x uint64) uint64\n")?;
        std::fs::write(dir.path().join("f_amd64.s"), ASSEMBLY)?;
        Ok::<_, io::Error>(dir)
    };
    let dir = match make() {
        Ok(dir) => dir,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let output = run(dir.path())?;
    let words = if output.stderr.is_empty() { String::from_utf8_lossy(&output.stdout).into_owned() } else { output.stderr };
    Ok(if output.status.success() {
        Ok(())
    } else {
        Err(words.lines().find(|line| !line.starts_with('#')).unwrap_or("it fails").to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(required_is_there: bool) -> Report {
        let found = |there: bool, text: &str| if there { Ok(text.to_owned()) } else { Err("not found".to_owned()) };
        Report {
            checks: vec![
                Check::of("go", true, found(required_is_there, "go1.26.8"), "building", "https://go.dev/dl/".into()),
                Check::of("wine", false, found(false, ""), "tests", "apt-get install wine".into()),
            ],
        }
    }

    #[test]
    fn optional_tools_may_be_missing() {
        assert!(report(true).is_well());
        assert_eq!(
            report(true).human(Style::Plain),
            "\
ok       go    go1.26.8

not needed by every build:
missing  wine  not found
               needed for tests
               get it: apt-get install wine

ready: nothing that a build needs is missing
"
        );
    }

    #[test]
    fn required_tools_may_not_be_missing() {
        assert!(!report(false).is_well());
        assert!(report(false).human(Style::Plain).starts_with("MISSING  go    not found\n"));
        assert!(report(false).json().starts_with(
            r#"{"name":"go","required":true,"found":null,"problem":"not found","needed_for":"building","get":"https://go.dev/dl/"}"#
        ));
    }
}

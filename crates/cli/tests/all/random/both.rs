//! A crate with the functions of several seeds: runs it natively, builds it for each machine, and runs it from Go.

use super::generate::{self, Export};
use super::odd;
use super::recursion;
use super::types::{Param, Return};
use super::unwinding;
use crate::common::arm64;
use crate::common::{go_mod, read, root, scratch, write};
use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::toolchain::Toolchain;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// How often each function is called.
const CALLS: u64 = 40;

/// The profile for Go and for the native program. It enables overflow checks, so that all kinds of checks occur.
const PROFILE: &str = "\n[profile.release]\noverflow-checks = true\n";

type Ran = Result<String, String>;

/// The sort of the functions of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Functions without std, whose panics abandon their frames.
    Plain,
    /// Functions whose panics unwind.
    Unwinding,
}

/// Generates a crate with the functions of all seeds, and checks that they return the same natively and from Go. Returns a text, or the error. The
/// text says for each machine how many functions, results and panics the Go test counted, or that the test was not run.
///
/// A crate with the functions of a seed for which [`generate::aligned`] is true is not built for arm64. So the caller must not mix such seeds with
/// others.
pub fn run(seeds: &[u64], sort: Sort) -> Ran {
    let (dir, mut library, metadata) = match sort {
        Sort::Plain => (scratch("random"), format!("{}{}", generate::CRATE, odd::CRATE), ""),
        Sort::Unwinding => (
            scratch("random-unwinding"),
            format!("{}{}", unwinding::CRATE, recursion::CRATE),
            "\n[package.metadata.rustgo]\npanic = \"unwind\"\n",
        ),
    };
    let mut exports = Vec::new();
    for &seed in seeds {
        let module = match sort {
            Sort::Plain => generate::module(seed),
            Sort::Unwinding => unwinding::module(seed).with(recursion::module(seed)),
        };
        writeln!(library, "pub mod s{seed};").expect("a string takes everything");
        write(&dir.join(format!("rust/src/s{seed}.rs")), &module.text);
        exports.extend(module.exports);
    }
    let support = root().join("crates/support");
    let manifest = format!(
        "[package]\nname = \"random\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = \"{}\" }}\n\n[features]\nnative = []\n{metadata}{PROFILE}",
        support.display()
    );
    write(&dir.join("rust/Cargo.toml"), &manifest);
    write(&dir.join("rust/src/lib.rs"), &library);
    lock(&dir.join("rust"));

    let want = dir.join("want.txt");
    std::fs::write(&want, native(&dir, &exports)?).map_err(|error| error.to_string())?;

    let go = dir.join("go");
    go_mod(&go);
    write(&go.join("inputs_test.go"), include_str!("inputs_test.go"));
    write(&go.join("functions_test.go"), &go_functions(&exports, sort));
    let mut machines = vec!["amd64"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["build", "--quiet", "--offline", "--color", "never", "--package", "random", "--crate"]);
    command.arg(dir.join("rust")).arg("--out").arg(&go).env("CARGO_TARGET_DIR", crate::common::target(0)).env_remove("RUSTFLAGS");
    if let Some(cpu) = std::env::var_os("RANDOM_CPU") {
        command.arg("--cpu").arg(cpu);
    }
    // One build for both machines, as users build packages.
    if (sort == Sort::Unwinding || !generate::aligned(seeds[0]))
        && let Some(toolchain) = arm64_toolchain()
    {
        machines.push("arm64");
        command.args(toolchain);
    }
    // RANDOM_ARCH restricts the test to one machine, for crates that the tool refuses for the other machine.
    if let Ok(alone) = std::env::var("RANDOM_ARCH") {
        machines.retain(|machine| *machine == alone);
        assert!(!machines.is_empty(), "RANDOM_ARCH={alone}: {seeds:?} cannot be built for it here");
    }
    for old in ["rustgo_amd64.s", "rustgo_arm64.s"] {
        let _ = std::fs::remove_file(go.join(old));
    }
    said(command.args(["--arch", &machines.join(",")]))?;
    let (mut ran, mut problems) = (String::new(), String::new());
    for machine in machines {
        match from_go(&go, &want, machine) {
            Ok(counted) => write!(ran, "{machine}: {counted}; ").expect("a string takes everything"),
            Err(problem) => problems.push_str(&problem),
        }
    }
    if problems.is_empty() { Ok(ran) } else { Err(problems) }
}

/// Calls the functions from Go on `machine`; returns the counted results, as text.
fn from_go(go: &Path, want: &Path, machine: &str) -> Ran {
    let mut test = Command::new("go");
    test.current_dir(go).args(["test", "-count=1", "-v", "."]).env("WANT", want);
    test.env("GOFLAGS", "-mod=mod").env("GOWORK", "off").env("GOPROXY", "off").env("GOARCH", machine).env("CGO_ENABLED", "0");
    match emulator(machine) {
        Some(Ok(emulator)) => drop(test.args(["-exec", emulator])),
        Some(Err(reason)) => {
            crate::say!("skipped: random functions on {machine}: {reason}: scripts/setup installs it");
            assert!(std::env::var_os("CI").is_none(), "nothing can be run for {machine}: {reason}");
            return Ok("not run".to_owned());
        }
        None => {}
    }
    let output = said(&mut test)?;
    let counted = output.lines().find(|line| line.contains(" functions, ")).ok_or("the test did not count")?;
    Ok(counted.rsplit(": ").next().unwrap_or_default().to_owned())
}

/// The emulator for programs of `machine`, or the reason why there is none; `None` if no emulator is needed.
fn emulator(machine: &str) -> Option<Result<&'static str, &'static str>> {
    const QEMU: &str = "qemu-aarch64-static";
    if machine == "amd64" || cfg!(target_arch = "aarch64") {
        return None;
    }
    Some(if Command::new(QEMU).arg("--version").output().is_ok() { Ok(QEMU) } else { Err("no qemu-aarch64-static") })
}

/// The arguments that select the toolchain for arm64; empty if the default toolchain can build for arm64, `None` if no toolchain can.
fn arm64_toolchain() -> Option<Vec<OsString>> {
    let toolchains = arm64::toolchain("random functions on arm64")?;
    Some(match toolchains.of(Some(Arch::Arm64)) {
        None => Vec::new(),
        Some(Toolchain::Named(name)) => vec!["--toolchain".into(), format!("arm64={name}").into()],
        Some(Toolchain::Dir(dir)) => vec!["--toolchain".into(), format!("arm64={}", dir.display()).into()],
    })
}

fn lock(dir: &Path) {
    if !dir.join("Cargo.lock").exists() {
        write(&dir.join("Cargo.lock"), &read(&root().join("Cargo.lock")));
    }
}

/// Runs the command to its end; returns its standard output. The error begins with the failed command.
fn said(command: &mut Command) -> Ran {
    let output = command.output().map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(out.into_owned()) } else { Err(format!("{command:?}: {}\n{out}{err}", output.status)) }
}

/// Runs the native program; returns its results.
fn native(dir: &Path, exports: &[Export]) -> Ran {
    let krate = dir.join("native");
    let mut main = "mod inputs;\nuse inputs::*;\n\n".to_owned();
    let mut calls = String::new();
    for export in exports {
        let Export { seed, name, params, returns, .. } = export;
        writeln!(main, "fn {name}(s: &mut Source) -> u64 {{").unwrap();
        let mut arguments = Vec::new();
        let mut after = String::new();
        for (n, param) in params.iter().enumerate() {
            match param {
                Param::One(scalar) => {
                    writeln!(main, "    let p{n}: {} = s.make();", scalar.name()).unwrap();
                    arguments.push(format!("p{n}"));
                }
                Param::Array(scalar, length, writes) => {
                    writeln!(main, "    let mut p{n}: [{}; {length}] = s.array();", scalar.name()).unwrap();
                    arguments.push(format!("&{}p{n}", if *writes { "mut " } else { "" }));
                    writeln!(after, "    h.all(&p{n});").unwrap();
                }
                Param::Slice(scalar, writes) => {
                    writeln!(main, "    let mut p{n}: Vec<{}> = s.slice();", scalar.name()).unwrap();
                    arguments.push(format!("&{}p{n}", if *writes { "mut " } else { "" }));
                    writeln!(after, "    h.all(&p{n});").unwrap();
                }
                Param::Text => {
                    writeln!(main, "    let p{n} = s.text();").unwrap();
                    arguments.push(format!("&p{n}"));
                }
                Param::Struct(_) => unreachable!("exports have none"),
            }
        }
        let count = results(returns);
        let call = format!("random::s{seed}::{name}({})", arguments.join(", "));
        writeln!(main, "    let r = {call};\n    let mut h = Sum::default();").unwrap();
        match returns {
            Return::One(_) => main.push_str("    h.one(r);\n"),
            _ => (0..count).for_each(|n| writeln!(main, "    h.one(r.{n});").unwrap()),
        }
        writeln!(main, "{after}    h.0\n}}\n").unwrap();
        writeln!(calls, "    print!(\"{{}}\", lines(\"{}\", {CALLS}, {}, {name}));", export.go_name(), start(export)).unwrap();
    }
    write(&krate.join("src/inputs.rs"), include_str!("inputs.rs"));
    write(&krate.join("src/main.rs"), &format!("#![allow(warnings)]\n{main}fn main() {{\n    catch_panics();\n{calls}}}\n"));
    let manifest = format!(
        "[package]\nname = \"random-native\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrandom = {{ path = \"../rust\", features = [\"native\"] }}\n{PROFILE}"
    );
    write(&krate.join("Cargo.toml"), &manifest);
    lock(&krate);
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.current_dir(&krate).env("CARGO_TARGET_DIR", dir.join("target")).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    said(build.args(["build", "--release", "--quiet", "--offline"]))?;
    said(&mut Command::new(dir.join("target").join("release/random-native")))
}

/// The first input of a function. It does not depend on the function's position in the crate.
fn start(export: &Export) -> u64 {
    export.name.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(byte.into())).wrapping_mul(0x1_0000)
}

fn results(returns: &Return) -> usize {
    match returns {
        Return::One(_) => 1,
        Return::Tuple(scalars) => scalars.len(),
        _ => 0,
    }
}

/// Returns a Go file that calls the exported functions with the inputs that the native program uses.
fn go_functions(exports: &[Export], sort: Sort) -> String {
    let unwinds = sort == Sort::Unwinding;
    let mut text = format!("package random\n\nconst unwinds = {unwinds}\n\nvar functions = []*function{{\n");
    for export in exports {
        let exhausts = if export.exhausts { ", exhausts: true" } else { "" };
        writeln!(
            text,
            "\t{{name: \"{0}\", seed: \"{1}\", start: {2}, call: call{0}{exhausts}}},",
            export.go_name(),
            export.seed,
            start(export)
        )
        .unwrap();
    }
    text.push_str("}\n");
    for export in exports {
        writeln!(text, "\nfunc call{}(s *source) uint64 {{", export.go_name()).unwrap();
        let mut arguments = Vec::new();
        let mut after = String::new();
        for (n, param) in export.params.iter().enumerate() {
            match param {
                Param::One(scalar) => {
                    writeln!(text, "\tp{n} := {}(s.value())", of(*scalar)).unwrap();
                    arguments.push(format!("p{n}"));
                }
                Param::Array(scalar, length, _) => {
                    writeln!(text, "\tvar p{n} [{length}]{}\n\tfill(s, {}, p{n}[:])", scalar.go(), function_of(*scalar)).unwrap();
                    arguments.push(format!("&p{n}"));
                    writeln!(after, "\tall(&h, p{n}[:])").unwrap();
                }
                Param::Slice(scalar, _) => {
                    writeln!(text, "\tp{n} := slice(s, {})", function_of(*scalar)).unwrap();
                    arguments.push(format!("p{n}"));
                    writeln!(after, "\tall(&h, p{n})").unwrap();
                }
                Param::Text => {
                    writeln!(text, "\tp{n} := s.text()").unwrap();
                    arguments.push(format!("p{n}"));
                }
                Param::Struct(_) => unreachable!("exports have none"),
            }
        }
        let names: Vec<String> = (0..results(&export.returns)).map(|n| format!("r{n}")).collect();
        let assigned = if names.is_empty() { String::new() } else { format!("{} := ", names.join(", ")) };
        writeln!(text, "\t{assigned}{}({})\n\tvar h sum", export.go_name(), arguments.join(", ")).unwrap();
        names.iter().for_each(|name| writeln!(text, "\tadd(&h, {name})").unwrap());
        writeln!(text, "{after}\treturn uint64(h)\n}}").unwrap();
    }
    text
}

/// The Go expression that makes a value of this type from a word.
fn of(scalar: super::types::Scalar) -> &'static str {
    match scalar.go() {
        "bool" => "toBool",
        "rune" => "toRune",
        "float32" => "toFloat32",
        "float64" => "toFloat64",
        name => name,
    }
}

fn function_of(scalar: super::types::Scalar) -> String {
    match of(scalar) {
        name if name.starts_with("to") => name.to_owned(),
        name => format!("func(w uint64) {name} {{ return {name}(w) }}"),
    }
}

//! `fallback = "wasm"`: the same tests pass for the machine code and for the translated crate, on processors with 32 and 64 bits and with both byte
//! orders; and packages that cannot be translated are refused.

use crate::common::{arm64, read, root, scratch, target, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(
    tests_pass_on_every_processor,
    exports_that_call_go_are_refused,
    numbers_for_64_bits_are_refused,
    constants_that_differ_are_refused,
    unknown_fallbacks_are_refused,
    the_tools_that_are_missing_are_named,
    a_package_outside_of_a_module_is_refused,
    code_in_c_is_refused,
    packages_without_a_fallback_say_so,
    own_code_for_other_processors_is_left_alone,
);

/// Creates a module with a crate in `rust`. The package has its own copy of the run-time packages.
fn module(name: &str, lib: &str, fallback: &str) -> PathBuf {
    let dir = scratch(&format!("translated_{name}"));
    write(&dir.join("go.mod"), &format!("module example.com/{name}\n\ngo 1.24\n"));
    write(
        &dir.join("rust/Cargo.toml"),
        &format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             rustgo-support = {{ path = {:?} }}\n\n[package.metadata.rustgo]\nout = \"..\"\nruntime = \"internal/rustgo\"\narch = \"amd64\"\n\
             fallback = \"{fallback}\"\n",
            root().join("crates/support")
        ),
    );
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&dir.join("rust/src/lib.rs"), lib);
    dir
}

fn build(dir: &Path, toolchain: Option<String>) -> Output {
    rustgo(dir, &["build"], toolchain, &[])
}

fn rustgo(dir: &Path, args: &[&str], toolchain: Option<String>, set: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(args).args(["--quiet", "--color", "never", "--crate"]).arg(dir.join("rust"));
    command.args(toolchain.iter().flat_map(|toolchain| ["--toolchain", toolchain]));
    command.env("CARGO_TARGET_DIR", target(1)).envs(set.iter().copied()).output().expect("the tool runs")
}

/// Builds the module's package. rustgo must refuse it with this text, and must write nothing. In the text, `DIR` replaces the path of the module's
/// folder.
fn refused(dir: &Path, toolchain: Option<String>, set: &[(&str, &Path)], text: &str) {
    let output = rustgo(dir, &["build"], toolchain, set);
    let said = said(&output).replace(&dir.display().to_string(), "DIR");
    assert_eq!((output.status.code(), said.as_str()), (Some(1), text));
    assert!(!dir.join("rustgo.go").exists() && !dir.join("internal").exists(), "something is written");
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn fixture(name: &str) -> String {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/translated").join(name))
}

fn tests_pass_on_every_processor() {
    let Some(toolchains) = arm64::toolchain("tests_pass_on_every_processor") else { return };
    let dir = module("every", &fixture("every.rs"), "wasm");
    write(&dir.join("every_test.go"), &fixture("every_test.go"));
    let output = build(&dir, arm64::argument(&toolchains));
    assert!(output.status.success(), "{}", said(&output));
    let go = |args: &[&str], arch: &str| {
        Command::new("go").current_dir(&dir).args(args).env("GOARCH", arch).env("CGO_ENABLED", "0").output().expect("go runs")
    };
    for (arch, qemu) in [("amd64", ""), ("386", ""), ("riscv64", "qemu-riscv64-static"), ("s390x", "qemu-s390x-static")] {
        if !qemu.is_empty() && Command::new(qemu).arg("--version").output().is_err() {
            crate::say!("skipped: tests_pass_on_every_processor: {arch}: no {qemu}");
            continue;
        }
        // On amd64 the tests run once with the machine code.
        for tags in if arch == "amd64" { ["-tags=", "-tags=purego"].as_slice() } else { ["-tags="].as_slice() } {
            let exec = format!("-exec={qemu}");
            let output = go(&["test", "-count=1", tags, exec.as_str(), "."], arch);
            assert!(output.status.success(), "{arch} {tags}: {}", said(&output));
        }
    }
    for args in [&["vet", "-tags=purego", "./..."][..], &["vet", "./..."]] {
        let output = go(args, "amd64");
        assert!(output.status.success(), "{}", said(&output));
    }
    // `rustgo check` translates the crate again, and compares the result with the module's files.
    let compare = || rustgo(&dir, &["check", "--locked"], arm64::argument(&toolchains), &[]);
    let output = compare();
    assert!(output.status.success(), "{}", said(&output));
    let translated = dir.join("internal/rustgo/wasm/wasm.go");
    let text = read(&translated);
    write(&translated, &text.replacen("package wasm", "package  wasm", 1));
    let output = compare();
    assert_eq!(output.status.code(), Some(1));
    let line = 1 + text.lines().position(|line| line == "package wasm").expect("the package clause");
    let stale = format!("rustgo: error: internal/rustgo/wasm/wasm.go is not what the source gives: line {line} differs\n");
    assert!(said(&output).starts_with(&stale), "{}", said(&output));
    write(&translated, &text);
    let output = Command::new("gofmt").arg("-l").args(["rustgo.go", "rustgo_other.go"]).current_dir(&dir).output().expect("gofmt runs");
    assert_eq!(said(&output), "");
}

fn exports_that_call_go_are_refused() {
    let lib = "\
//! Package calls calls Go.

use rustgo::{Func, Reader};
use std::io::Read;

/// Each calls f.
#[rustgo::export]
pub fn each(f: Func<'_, fn(u32)>) {
    f.call(1);
}

/// Count reads.
#[rustgo::export]
pub fn count(mut from: Reader<'_>) -> u64 {
    from.read(&mut [0; 8]).unwrap_or(0) as u64
}

/// One is 1.
#[rustgo::export]
pub fn one() -> u32 {
    1
}
";
    let dir = module("calls", lib, "wasm");
    refused(
        &dir,
        None,
        &[],
        "\
rustgo: error: Count cannot be translated to Go: translated code cannot call methods of Go values
  --> rust/src/lib.rs:14 (calls::count)
  hint: leave it out of this crate, or remove fallback = \"wasm\" under [package.metadata.rustgo]
rustgo: error: Each cannot be translated to Go: translated code cannot call Go functions
  --> rust/src/lib.rs:8 (calls::each)
  hint: leave it out of this crate, or remove fallback = \"wasm\" under [package.metadata.rustgo]
",
    );
}

fn numbers_for_64_bits_are_refused() {
    let lib = "\
//! Package wide has wide numbers.

/// NONE is no index.
#[rustgo::export]
pub const NONE: usize = usize::MAX;

/// SMALL fits.
#[rustgo::export]
pub const SMALL: isize = -1 << 31;

/// Span is a part of a text.
#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Span {
    /// START is the first byte.
    pub start: u64,
    /// END is the byte after the last.
    pub end: isize,
}

/// ALL holds spans.
#[rustgo::export]
pub static ALL: [Span; 2] = [Span { start: u64::MAX, end: 7 }, Span { start: 0, end: -1 << 40 }];

/// One takes a span.
#[rustgo::export]
pub fn one(span: Span) -> u32 {
    span.start as u32
}
";
    let dir = module("wide", lib, "wasm");
    refused(
        &dir,
        None,
        &[],
        "\
rustgo: error: All cannot be translated to Go: Go's int has 32 bits on some processors, too few for the value
  --> rust/src/lib.rs:23 (wide::ALL)
  hint: use u64 or i64, or remove fallback = \"wasm\" under [package.metadata.rustgo]
rustgo: error: None cannot be translated to Go: Go's int has 32 bits on some processors, too few for the value
  --> rust/src/lib.rs:5 (wide::NONE)
  hint: use u64 or i64, or remove fallback = \"wasm\" under [package.metadata.rustgo]
",
    );
}

fn constants_that_differ_are_refused() {
    let Some(toolchains) = arm64::toolchain("constants_that_differ_are_refused") else { return };
    let lib = "\
//! Package lanes has a constant that depends on the processor.

/// LANES is a number.
#[rustgo::export]
pub const LANES: u32 = if cfg!(target_arch = \"x86_64\") { 4 } else { 1 };

/// One is 1.
#[rustgo::export]
pub fn one() -> u32 {
    1
}
";
    refused(
        &module("lanes", lib, "wasm"),
        arm64::argument(&toolchains),
        &[],
        "\
rustgo: error: lanes::LANES differs between wasm64 and the machine code
  --> rust/src/lib.rs:5 (lanes::LANES)
  hint: give the constant the same type and value whatever the target is, or remove fallback = \"wasm\"
",
    );
}

const ONE: &str = "//! Package one is 1.\n\n/// One is 1.\n#[rustgo::export]\npub fn one() -> u32 {\n    1\n}\n";

fn unknown_fallbacks_are_refused() {
    let dir = module("unknown", ONE, "purego");
    refused(
        &dir,
        None,
        &[],
        "\
rustgo: error: [package.metadata.rustgo] in DIR/rust/Cargo.toml: fallback: the fallbacks are wasm and own
  hint: the keys are out, package, arch, cpu, max-stack, runtime, features, allow, panic, threads, fallback, with-tests and with-tests-skip
",
    );
}

fn the_tools_that_are_missing_are_named() {
    let dir = module("tools", ONE, "wasm");
    let (proxy, cache) = (Path::new("off"), scratch("translated_no_modules"));
    refused(
        &dir,
        None,
        &[("GOPROXY", proxy), ("GOMODCACHE", &cache)],
        "\
rustgo: error: fallback = \"wasm\" needs wasm2go v0.4.22, which the go command cannot get
  note: go: github.com/ncruces/wasm2go@v0.4.22: module lookup disabled by GOPROXY=off
  hint: go install github.com/ncruces/wasm2go@v0.4.22 must work: it needs a module proxy, or the module in Go's module cache
",
    );
}

/// The translated crate becomes a Go package of its own. A Go package has an import path only inside a module.
fn a_package_outside_of_a_module_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = module("no_module", ONE, "wasm");
    std::fs::rename(made.join("rust"), folder.path().join("rust")).expect("the crate can be moved");
    let manifest = folder.path().join("rust/Cargo.toml");
    write(&manifest, &read(&manifest).replace("runtime = \"internal/rustgo\"\n", ""));
    let text = "\
rustgo: error: fallback = \"wasm\" needs a Go module: the translated crate is a package of its own
  hint: make a go.mod in the output folder or above it: go mod init
";
    refused(folder.path(), None, &[], text);
}

fn code_in_c_is_refused() {
    let Some(toolchains) = arm64::toolchain("code_in_c_is_refused") else { return };
    let dir = module("c", ONE, "wasm");
    let manifest = dir.join("rust/Cargo.toml");
    write(&manifest, &read(&manifest).replace("[package.metadata", "[build-dependencies]\ncc = \"1\"\n\n[package.metadata"));
    write(&dir.join("rust/build.rs"), "fn main() {\n    cc::Build::new().file(\"one.c\").compile(\"one\");\n}\n");
    write(&dir.join("rust/one.c"), "int one_in_c(void) { return 1; }\n");
    let no_compiler = [("CC_wasm64_unknown_unknown", Path::new("no-such-compiler"))];
    let output = rustgo(&dir, &["build", "--message-format", "json"], arm64::argument(&toolchains), &no_compiler);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in [
        "failed to find tool \"no-such-compiler\"",
        "\"message\":\"the crate c does not compile for wasm64-unknown-unknown, which fallback = \\\"wasm\\\" needs\"",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert!(!dir.join("rustgo.go").exists());
}

/// A package without a fallback builds only for the architectures of its machine code. For other architectures, the Go compiler's message says this.
fn packages_without_a_fallback_say_so() {
    let dir = module("alone", ONE, "wasm");
    let manifest = dir.join("rust/Cargo.toml");
    write(&manifest, &read(&manifest).replace("fallback = \"wasm\"\n", ""));
    let output = build(&dir, None);
    assert!(output.status.success(), "{}", said(&output));
    write(&dir.join("use/main.go"), "package main\n\nimport alone \"example.com/alone\"\n\nfunc main() { println(alone.One()) }\n");
    let message = "`package translatedalone has code only for amd64; fallback = \"wasm\" in its Cargo.toml makes code for every processor`.unsupported \
                   undefined (type untyped string has no field or method unsupported)";
    let file = read(&dir.join("rustgo_unsupported.go"));
    let line = 1 + file.lines().position(|line| line.starts_with("type _")).expect("the declaration");
    let column = 1 + file.lines().nth(line - 1).and_then(|line| line.find(".unsupported)")).expect("the selector") + 1;
    for arch in ["arm64", "386", "riscv64", "s390x"] {
        let go = |args: &[&str]| {
            let output =
                Command::new("go").current_dir(&dir).args(args).env("GOARCH", arch).env("CGO_ENABLED", "0").output().expect("go runs");
            (output.status.code(), said(&output))
        };
        let place = format!("./rustgo_unsupported.go:{line}:{column}: {message}\n");
        assert_eq!(go(&["build", "-o", "/dev/null", "./use"]), (Some(1), format!("# example.com/alone\n{place}")), "{arch}");
        assert_eq!(go(&["build", "./..."]), (Some(1), format!("# example.com/alone\n{place}")), "{arch}");
        let vet = go(&["vet", "."]);
        assert!(vet.0 == Some(1) && vet.1.ends_with(&format!("vet: {place}")), "{arch}: {vet:?}");
        assert_eq!(go(&["list", "./..."]), (Some(0), "example.com/alone\nexample.com/alone/use\n".to_owned()), "{arch}");
    }
    let output = Command::new("gofmt").arg("-l").arg("rustgo_unsupported.go").current_dir(&dir).output().expect("gofmt runs");
    assert_eq!(said(&output), "");
}

/// If the author has Go code for other processors, rustgo does not write `rustgo_unsupported.go`. The author's code is in the package or, with
/// `fallback = "own"`, elsewhere.
fn own_code_for_other_processors_is_left_alone() {
    let unsupported = |name: &str, fallback: &str, other: &str| {
        let dir = module(name, ONE, "own");
        let manifest = dir.join("rust/Cargo.toml");
        write(&manifest, &read(&manifest).replace("fallback = \"own\"\n", fallback));
        write(&dir.join("one_generic.go"), other);
        let output = build(&dir, None);
        assert!(output.status.success(), "{}", said(&output));
        dir.join("rustgo_unsupported.go").exists()
    };
    let other = "package one_is\n\nfunc One() uint32 { return 1 }\n";
    assert!(!unsupported("one_is", "", &format!("//go:build !amd64\n\n{other}")));
    assert!(!unsupported("own", "fallback = \"own\"\n", "package own\n"));
    // A file that is built for all processors is not a fallback.
    assert!(unsupported("shared", "", "package shared\n"));
}

//! `fallback = "wasm"`: the same tests pass for the machine code and for the translated crate, on processors with 32 and 64 bits and with both byte
//! orders; and packages that cannot be translated are refused.

use crate::common::{arm64, read, root, scratch, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(tests_pass_on_every_processor, exports_that_call_go_are_refused, unknown_fallbacks_are_refused);

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
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["build", "--quiet", "--color", "never", "--crate"]).arg(dir.join("rust"));
    command.args(toolchain.iter().flat_map(|toolchain| ["--toolchain", toolchain]));
    command.env("CARGO_TARGET_DIR", scratch("target")).output().expect("the tool runs")
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
    let output = build(&dir, None);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in [
        "error: Count cannot be translated to Go: translated code cannot call methods of Go values",
        "error: Each cannot be translated to Go: translated code cannot call Go functions",
        "leave it out of this crate, or remove fallback = \"wasm\" under [package.metadata.rustgo]",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert!(!said.contains("One cannot") && !dir.join("rustgo.go").exists(), "{said}");
}

fn unknown_fallbacks_are_refused() {
    let dir = module("unknown", "", "purego");
    let output = build(&dir, None);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("fallback: wasm is the only fallback"), "{}", said(&output));
}

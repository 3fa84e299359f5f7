//! Published packages. `rustgo new` makes them with a copy of the run-time packages, a module proxy in a folder serves them, and a program without
//! `replace` directives imports them with an empty module cache.
//!
//! One program imports two such modules, each with its own copy of the run-time packages. Their import paths contain characters that assembly
//! names must escape.

use crate::common::arm64;
use rustgo_cli::testing::target::Arch;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(fetched_modules_need_nothing_else, readme_example_works,);

const EMULATOR: &str = "qemu-aarch64-static";

/// For each module: the import path, the folder, and the folder with the copy of the run-time packages.
const MODULES: [(&str, &str, &str); 2] =
    [("example.com/my-user/my_hash.v0", "my-hash", "internal/rustgo"), ("9fans.example/~b/hash", "hash", "rust+go/copies")];

fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("publish")
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/publish").join(name)
}

fn said(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{command:?}\n{}", text(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(command: &mut Command) -> String {
    let output = run(command);
    assert_eq!(output.status.code(), Some(1), "{command:?}\n{}", text(&output));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn rustgo(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(args).args(["--quiet", "--color", "never"]).env_remove("RUSTFLAGS").env("CARGO_TARGET_DIR", crate::common::target(1));
    // The crate's rust-toolchain.toml is for users. The test uses its own toolchain.
    command.env("RUSTUP_TOOLCHAIN", std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".into()));
    command
}

/// Runs `build` or `check` for the crate in a folder, for the given machines.
fn on_crate(args: &[&str], krate: &Path, arches: &[Arch]) -> Command {
    let names: Vec<&str> = arches.iter().map(|arch| arch.goarch()).collect();
    let mut command = rustgo(args);
    command.args(["--offline", "--arch", &names.join(",")]).arg("--crate").arg(krate);
    if arches.contains(&Arch::Arm64) {
        let toolchain = arm64::toolchain("publish").as_ref().and_then(arm64::argument);
        command.args(toolchain.iter().flat_map(|toolchain| ["--toolchain", toolchain]));
    }
    command
}

fn go(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("go");
    command.args(args).current_dir(dir).env("GOFLAGS", "").env("GOWORK", "off").env("CGO_ENABLED", "0");
    command
}

/// Makes a module as an author would, but with this test's crate.
fn make(root: &Path, (module, folder, runtime): (&str, &str, &str), arches: &[Arch]) -> PathBuf {
    let dir = root.join(folder);
    said(rustgo(&["new", "--name", "hash", "--module", module]).arg(&dir));
    // The package gets code for two CPU levels, because the entries of such code use a variable in the copied run-time packages.
    let runtime = format!("\"{runtime}\"\ncpu = [\"x86-64\", \"x86-64-v3\"]");
    let manifest = std::fs::read_to_string(dir.join("rust/Cargo.toml")).unwrap().replace("\"internal/rustgo\"", &runtime);
    std::fs::write(dir.join("rust/Cargo.toml"), manifest).unwrap();
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock"), dir.join("rust/Cargo.lock")).unwrap();
    // Builds and tests the package that `rustgo new` made.
    said(&mut on_crate(&["build"], &dir.join("rust"), &[Arch::Amd64]));
    said(&mut go(&dir, &["vet", "./..."]));
    said(&mut go(&dir, &["test", "./..."]));
    std::fs::remove_file(dir.join("hash_test.go")).unwrap();

    std::fs::copy(source("lib.rs"), dir.join("rust/src/lib.rs")).unwrap();
    said(&mut on_crate(&["build"], &dir.join("rust"), arches));
    said(&mut on_crate(&["check", "--locked"], &dir.join("rust"), arches));
    assert!(
        std::fs::read_to_string(dir.join("rustgo_amd64.s")).unwrap().contains("rt·cpuLevel(SB)"),
        "the code is the same at both levels"
    );
    for arch in arches {
        said(go(&dir, &["vet", "./..."]).env("GOARCH", arch.goarch()));
    }
    dir
}

/// A second package of the module uses the same copy of the run-time packages. rustgo reports a copy that was changed.
fn share(dir: &Path, runtime: &str) {
    let inner = dir.join("inner");
    said(rustgo(&["new"]).arg(&inner));
    assert!(!inner.join("go.mod").exists() && !inner.join(".github").exists(), "the package is one of the module above");
    let manifest = std::fs::read_to_string(inner.join("rust/Cargo.toml")).unwrap().replace("internal/rustgo", runtime);
    std::fs::write(inner.join("rust/Cargo.toml"), manifest).unwrap();
    std::fs::copy(dir.join("rust/Cargo.lock"), inner.join("rust/Cargo.lock")).unwrap();
    let copy = dir.join(runtime).join("rt/panic.go");
    let modified = || std::fs::metadata(&copy).unwrap().modified().unwrap();
    let before = modified();
    said(&mut on_crate(&["build"], &inner.join("rust"), &[Arch::Amd64]));
    assert_eq!(modified(), before);
    said(&mut go(dir, &["test", "./..."]));

    let text = std::fs::read_to_string(&copy).unwrap();
    std::fs::write(&copy, text.replace("return p.Message\n", "return \"\"\n")).unwrap();
    let told = refused(&mut on_crate(&["check", "--locked"], &inner.join("rust"), &[Arch::Amd64]));
    assert!(told.contains(&format!("{runtime}/rt/panic.go is not what the source gives: line ")), "{told}");
    std::fs::write(&copy, text).unwrap();
    said(&mut on_crate(&["check", "--locked"], &inner.join("rust"), &[Arch::Amd64]));
    std::fs::remove_dir_all(inner).unwrap();
}

fn fetched_modules_need_nothing_else() {
    let root = scratch().join("modules");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).unwrap();
    let mut arches = vec![Arch::Amd64];
    arches.extend(arm64::toolchain("publish").map(|_| Arch::Arm64));

    let mut zip = go(&root, &["run"]);
    zip.arg(source("proxy.go")).arg(root.join("proxy"));
    for module in MODULES {
        let dir = make(&root, module, &arches);
        share(&dir, module.2);
        zip.arg(format!("{}={}", module.0, dir.display()));
    }
    said(&mut zip);

    // The user's module cache could contain an earlier version, so the test has its own.
    let cache = tempfile::tempdir_in(&root).unwrap();
    let program = root.join("program");
    std::fs::create_dir(&program).unwrap();
    std::fs::copy(source("main.go"), program.join("main.go")).unwrap();
    let requires: String = MODULES.iter().map(|(module, ..)| format!("require {module} v0.1.0\n")).collect();
    std::fs::write(program.join("go.mod"), format!("module program\n\ngo 1.24\n\n{requires}")).unwrap();
    for arch in arches {
        let binary = program.join(format!("program_{arch}"));
        let mut build = go(&program, &["build", "-mod=mod", "-modcacherw", "-o"]);
        build.arg(&binary).arg(".").env("GOARCH", arch.goarch());
        build.env("GOPROXY", format!("file://{}", root.join("proxy").display())).env("GOSUMDB", "off").env("GONOPROXY", "none");
        build.env("GOMODCACHE", cache.path()).env("GOTOOLCHAIN", "local");
        said(&mut build);
        let mut run = if arch == Arch::Arm64 { Command::new(EMULATOR) } else { Command::new(&binary) };
        if arch == Arch::Arm64 {
            if Command::new(EMULATOR).arg("--version").output().is_err() {
                crate::say!("skipped: the program on arm64: no {EMULATOR}: install qemu-user-static");
                assert!(std::env::var_os("CI").is_none(), "no {EMULATOR}");
                continue;
            }
            run.arg(&binary);
        }
        assert_eq!(said(&mut run), "ok\n", "{arch}");
    }
}

/// Follows the README's example step by step: each code block is a command, or the content of the file that its first line names.
fn readme_example_works() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let example = readme.split_once("\n## Example\n").unwrap().1.split("\n## ").next().unwrap();
    let blocks: Vec<&str> = example.split("\n```").skip(1).step_by(2).collect();
    let root = scratch().join("readme");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).unwrap();
    let dir = root.join("versions");
    let mut seen = Vec::new();
    for block in blocks {
        let (language, text) = block.split_once('\n').unwrap();
        match (language, text.split_once('\n')) {
            ("", _) => {
                for line in text.lines().filter(|line| !line.starts_with("cd ")) {
                    let words: Vec<&str> = line.split(' ').collect();
                    let mut command = match words[0] {
                        "rustgo" => rustgo(&words[1..]),
                        program => Command::new(program),
                    };
                    if words[0] != "rustgo" {
                        command.args(&words[1..]);
                    } else if words[1] == "build" {
                        command.args(["--arch", "amd64"]);
                    }
                    command.current_dir(if words.contains(&"new") { &root } else { &dir });
                    command.env("RUSTUP_TOOLCHAIN", std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".into()));
                    said(&mut command);
                    seen.push(format!("{} {}", words[0], words[1]));
                }
            }
            (_, Some((first, _))) if first.starts_with("// ") && dir.join(&first[3..]).exists() => {
                std::fs::write(dir.join(&first[3..]), format!("{text}\n")).unwrap();
                seen.push(first[3..].to_owned());
            }
            // The code block is an excerpt of the generated file.
            _ => {
                let made = std::fs::read_to_string(dir.join("rustgo.go")).unwrap();
                assert!(made.contains(text), "rustgo.go has not\n{text}\n{made}");
                seen.push("rustgo.go".into());
            }
        }
    }
    assert_eq!(seen, ["rustgo new", "cargo add", "rust/src/lib.rs", "versions_test.go", "rustgo build", "go test", "rustgo.go"]);
}

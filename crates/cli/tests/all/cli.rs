//! The commands `rustgo` and `cargo rustgo` as a user sees them: exit codes, streams, colours.

use crate::common::script::script;
use std::path::Path;
use std::process::{Command, Output};

crate::tests!(
    exit_codes_of_wrong_usage_and_help,
    refusals_exit_with_one_and_a_hint,
    errors_are_one_line_of_json,
    cargo_errors_are_reported_in_json,
    errors_are_annotations_for_github,
    shells_complete_and_manual_pages_are_written,
    colours_are_used_only_if_wanted,
    toolchains_may_have_rustup_names,
    cargo_passes_the_word_rustgo_first,
    doctor_fails_if_a_requirement_is_missing,
    go_settings_do_not_affect_rustgo,
    doctor_checks_the_toolchain_of_each_architecture,
    doctor_checks_the_tools_for_other_processors,
    new_does_not_overwrite_folders,
    new_packages_may_have_names_that_their_test_uses,
);

fn run(program: &str, args: &[&str], set: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(set.iter().copied());
    command.output().unwrap()
}

fn rustgo(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_rustgo"), args, &[])
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// An empty folder.
fn empty() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn exit_codes_of_wrong_usage_and_help() {
    for args in
        [&[][..], &["frobnicate"], &["build", "--no-such-option"], &["build", "--arch", "x86_64"], &["build", "--max-stack", "much"]]
    {
        let output = rustgo(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stdout(&output).is_empty() && !stderr(&output).is_empty(), "{args:?}");
    }
    assert!(stderr(&rustgo(&["build", "--arch", "x86_64"])).contains("Go calls it amd64"));
    for args in [&["--help"][..], &["check", "--help"], &["--version"]] {
        let output = rustgo(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!stdout(&output).is_empty() && stderr(&output).is_empty(), "{args:?}");
    }
    assert!(stdout(&rustgo(&["--help"])).contains("Exit codes:"));
}

fn refusals_exit_with_one_and_a_hint() {
    let dir = empty();
    let output = rustgo(&["build", "--crate", text(dir.path())]);
    assert_eq!(output.status.code(), Some(1));
    let dir = dir.path().canonicalize().unwrap();
    assert_eq!(
        stderr(&output),
        format!("rustgo: error: no Cargo.toml in {}\n  hint: name the crate's folder with --crate DIR\n", dir.display())
    );
    assert!(stdout(&output).is_empty());
}

fn errors_are_one_line_of_json() {
    let dir = empty();
    let output = rustgo(&["check", "--message-format", "json", "--crate", text(dir.path())]);
    assert_eq!(output.status.code(), Some(1));
    let line: serde_json::Value = serde_json::from_str(stdout(&output).trim_end()).unwrap();
    assert_eq!((line["severity"].as_str(), line["code"].as_str()), (Some("error"), Some("crate")));
    assert!(line["hint"].as_str().unwrap().contains("--crate"));
    assert!(stderr(&output).is_empty());
}

/// With `--message-format github`, the text of an error stays on stderr. An annotation on stdout names the file relative to the checkout.
fn errors_are_annotations_for_github() {
    let checkout = empty();
    let krate = checkout.path().join("hash/rust");
    let support = crate::common::root().join("crates/support");
    let manifest = format!(
        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = {support:?} }}\n"
    );
    crate::common::write(&checkout.path().join("go.mod"), "module example.com/demo\n\ngo 1.24\n");
    crate::common::write(&krate.join("Cargo.toml"), &manifest);
    crate::common::write(&krate.join("Cargo.lock"), &crate::common::read(&crate::common::root().join("Cargo.lock")));
    crate::common::write(
        &krate.join("src/lib.rs"),
        "#[rustgo::export]\npub fn files() -> usize {\n    std::thread::spawn(|| 1).join().unwrap()\n}\n",
    );
    let target = crate::common::target(0);
    let set = [("GITHUB_WORKSPACE", text(checkout.path())), ("CARGO_TARGET_DIR", text(&target))];
    let args = ["check", "--offline", "--arch", "amd64", "--message-format", "github", "--color", "never", "--crate", text(&krate)];
    let output = run(env!("CARGO_BIN_EXE_rustgo"), &[&args[..], &["--out", text(&checkout.path().join("hash"))]].concat(), &set);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("rustgo: error: "), "{}", stderr(&output));
    let annotations = stdout(&output);
    assert!(!annotations.is_empty());
    for line in annotations.lines() {
        assert!(line.starts_with("::error file=hash/rust/src/lib.rs,line="), "{line}");
        assert!(line.contains(",title=rustgo%3A ") && line.contains("%0A  hint: "), "{line}");
    }
}

fn shells_complete_and_manual_pages_are_written() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = rustgo(&["completions", shell]);
        assert!(output.status.success() && stdout(&output).contains("inspect"), "{shell}: {}", stderr(&output));
    }
    assert_eq!(rustgo(&["completions", "tcsh"]).status.code(), Some(2));
    // Asks bash to complete "rustgo ins".
    let script =
        "source <(\"$1\" completions bash); COMP_WORDS=(rustgo ins); COMP_CWORD=1; _rustgo rustgo ins rustgo; echo \"${COMPREPLY[@]}\"";
    let output = run("bash", &["-c", script, "bash", env!("CARGO_BIN_EXE_rustgo")], &[]);
    assert_eq!(stdout(&output), "inspect\n", "{}", stderr(&output));

    let dir = empty();
    let manual = dir.path().join("man");
    assert!(rustgo(&["man", text(&manual)]).status.success());
    let page = std::fs::read_to_string(manual.join("rustgo-check.1")).unwrap();
    assert!(page.contains("\\-\\-locked") && page.contains(".TH"), "{page}");
    let again = rustgo(&["man", text(&manual)]);
    assert!(again.status.code() == Some(1) && stderr(&again).starts_with("rustgo: error: "), "{}", stderr(&again));
}

/// cargo reports its own errors as text. With `--message-format json`, rustgo also reports them in JSON, with a code.
fn cargo_errors_are_reported_in_json() {
    let dir = empty();
    let krate = text(dir.path());
    let code = |args: &[&str]| {
        let output = rustgo(&[&["check", "--message-format", "json", "--crate", krate], args].concat());
        assert_eq!(output.status.code(), Some(1));
        let line: serde_json::Value = serde_json::from_str(stdout(&output).trim_end()).unwrap();
        assert!(line["hint"].is_string(), "{line}");
        line["code"].as_str().unwrap().to_owned()
    };
    std::fs::write(dir.path().join("Cargo.toml"), "[package\n").unwrap();
    assert_eq!(code(&[]), "crate");
    for choice in ["no-such-toolchain", "arm64=no-such-toolchain"] {
        assert_eq!(code(&["--toolchain", choice]), "toolchain");
    }
    // Without the option for JSON, only cargo's own message is printed.
    let said = stderr(&rustgo(&["check", "--crate", krate]));
    assert!(said.contains("Cargo.toml") && !said.contains("rustgo"), "{said}");
}

fn colours_are_used_only_if_wanted() {
    let dir = empty();
    let program = env!("CARGO_BIN_EXE_rustgo");
    let colored = |args: &[&str], set: &[(&str, &str)]| {
        let args = [&["build", "--crate", text(dir.path())], args].concat();
        stderr(&run(program, &args, set)).contains('\x1b')
    };
    assert!(!colored(&[], &[]), "a pipe is no terminal");
    assert!(colored(&["--color", "always"], &[]));
    assert!(!colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("NO_COLOR", "1")]));
}

fn toolchains_may_have_rustup_names() {
    let dir = empty();
    std::fs::write(dir.path().join("Cargo.toml"), "[package]\nname = \"a\"\nversion = \"0.1.0\"\n[workspace]\n").unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    std::fs::write(dir.path().join("src/lib.rs"), "").unwrap();
    let krate = text(dir.path());
    for args in [&["+no-such-toolchain", "check", "--crate", krate][..], &["check", "--toolchain", "no-such-toolchain", "--crate", krate]] {
        let output = rustgo(args);
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        assert!(
            said.starts_with("rustgo: error: rustup cannot run the toolchain no-such-toolchain\n") || said.contains("rustup cannot be run"),
            "{said}"
        );
        assert!(said.contains("\n  hint: "), "{said}");
    }
}

fn cargo_passes_the_word_rustgo_first() {
    let program = env!("CARGO_BIN_EXE_cargo-rustgo");
    for args in [&["rustgo", "--version"][..], &["--version"]] {
        let output = run(program, args, &[]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), stdout(&rustgo(&["--version"]))));
    }
    assert_eq!(run(program, &["rustgo", "rustgo"], &[]).status.code(), Some(2));
}

fn doctor_fails_if_a_requirement_is_missing() {
    let output = rustgo(&["doctor", "--go", "no-such-go"]);
    assert_eq!(output.status.code(), Some(1));
    let table = stdout(&output);
    for part in ["MISSING  go >= 1.24", "no-such-go cannot be run", "needed for proving", "get it: https://go.dev/dl/", "not ready"] {
        assert!(table.contains(part), "{part} is missing in\n{table}");
    }
    assert!(table.contains("ok       rustc >= 1.95"), "{table}");
    for line in stdout(&rustgo(&["doctor", "--go", "no-such-go", "--message-format", "json"])).lines() {
        let check: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(check["name"].is_string() && check["required"].is_boolean() && check["needed_for"].is_string(), "{line}");
    }
}

/// The user's environment variables for the go command do not affect rustgo.
fn go_settings_do_not_affect_rustgo() {
    let settings = [("GOFLAGS", "-mod=mod -tags=x"), ("GOWORK", "/nowhere/go.work"), ("GOARCH", "arm64"), ("CGO_ENABLED", "1")];
    let output = run(env!("CARGO_BIN_EXE_rustgo"), &["doctor"], &settings);
    let table = stdout(&output);
    if table.contains("ok       go >= 1.24") {
        assert!(table.contains("ok       go tool asm") && table.contains("ok       go vet"), "{table}");
    }
}

fn doctor_checks_the_toolchain_of_each_architecture() {
    let dir = empty();
    let root = dir.path();
    let compiler = format!(
        "if [ \"$1\" = -vV ]; then\necho 'rustc 1.96.0 (ac68faa20 2026-05-25)'\necho 'host: x86_64-unknown-linux-gnu'\nelse echo '{}'\nfi\n",
        text(root)
    );
    script(&root.join("bin/rustc"), &compiler);
    let choice = format!("arm64={}", text(root));
    let line = |table: &str| {
        table
            .lines()
            .skip_while(|line| !line.contains("rust-src for arm64"))
            .take(3)
            .map(|line| format!("{}\n", line.trim()))
            .collect::<String>()
    };

    let place = root.join("lib/rustlib/src/rust");
    let missing = stdout(&rustgo(&["doctor", "--toolchain", &choice]));
    // The table pads names to the longest name, so remove the padding.
    let missing = line(&missing).split("  ").filter(|part| !part.is_empty()).map(str::trim_start).collect::<Vec<_>>().join("  ");
    assert_eq!(
        missing,
        format!(
            "missing  rust-src for arm64  code for arm64 needs the sources of the standard library, and {0} does not hold them\n\
             needed for code for arm64 and fallback = \"wasm\", for which rustgo compiles the standard library\n\
             get it: put the sources of Rust 1.96 into {0}, or name another toolchain with --toolchain arm64=NAME\n",
            place.display()
        )
    );

    for (name, text) in [("core/src/lib.rs", "#[stable(feature = \"x\", since = \"1.96.0\")]"), ("std/src/lib.rs", ""), ("Cargo.lock", "")]
    {
        let path = place.join("library").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let found = stdout(&run(env!("CARGO_BIN_EXE_rustgo"), &["doctor"], &[("RUSTGO_TOOLCHAIN", &choice)]));
    assert!(found.contains("rustc 1.96.0 (ac68faa20 2026-05-25), sources in "), "{found}");
    assert!(!found.contains("rustc >= 1.95                     rustc 1.96.0"), "amd64 has the other toolchain's compiler:\n{found}");
    assert_eq!(rustgo(&["doctor", "--toolchain", "arm64=./nowhere"]).status.code(), Some(1));
}

fn new_does_not_overwrite_folders() {
    let root = empty();
    let new = |dir: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
        command.current_dir(root.path()).args(["new", dir]).args(more).env_remove("RUSTUP_TOOLCHAIN").output().unwrap()
    };
    let made = new("my-hash", &[]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert!(stderr(&made).contains("made my-hash: the Go package example.com/myhash and"), "{}", stderr(&made));
    assert!(stderr(&made).contains("the module is example.com/myhash, since no --module was given"), "{}", stderr(&made));
    for name in ["go.mod", "generate.go", "myhash_test.go", ".gitignore", ".gitattributes", ".github/workflows/ci.yml", "rust/src/lib.rs"] {
        assert!(root.path().join("my-hash").join(name).is_file(), "{name}");
    }
    let workflow = std::fs::read_to_string(root.path().join("my-hash/.github/workflows/ci.yml")).unwrap();
    assert!(workflow.contains("rustgo check --locked --crate rust\n"));

    // Inside a module, `rustgo new` adds a package but no second go.mod.
    let inner = new("my-hash/walk", &[]);
    assert!(stderr(&inner).contains("the Go package example.com/myhash/walk and"), "{}", stderr(&inner));
    assert!(!root.path().join("my-hash/walk/go.mod").exists());

    for (dir, more, why) in [
        ("my-hash", &[][..], "my-hash already exists"),
        ("my-hash/other", &["--module", "example.com/x"], "is in the Go module example.com/myhash already"),
        ("größe", &[], "cannot be the package's name"),
        ("func", &[], "cannot be the package's name"),
        ("a", &["--module", "example.com/my hash"], "cannot be an import path in Go"),
        ("a", &["--module", "example.com//a"], "cannot be an import path in Go"),
        ("a", &["--module", "example.com/nul/a"], "cannot be an import path in Go"),
        ("init", &[], "cannot be the package's name"),
    ] {
        let refused = new(dir, more);
        assert_eq!(refused.status.code(), Some(1), "{dir}");
        assert!(stderr(&refused).contains(why) && stderr(&refused).contains("\n  hint: "), "{}", stderr(&refused));
        assert!(dir == "my-hash" || !root.path().join(dir).exists(), "{dir}");
    }
}

/// A new package may have the name of a package that its test imports, of a variable of its test, of a predeclared Go identifier, of a Rust keyword,
/// or of a Rust crate.
fn new_packages_may_have_names_that_their_test_uses() {
    const NAMES: [&str; 24] = [
        "fmt", "bytes", "testing", "f", "t", "b", "data", "got", "want", "byte", "len", "nil", "int64", "string", "true", "error",
        "unsafe", "runtime", "hash", "fn", "self", "rustgo", "fmtpkg", "cheese",
    ];
    let root = empty();
    std::fs::write(root.path().join("go.mod"), "module example.com/names\n\ngo 1.24\n").unwrap();
    for name in NAMES {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
        let made = command.current_dir(root.path()).args(["new", name]).env_remove("RUSTUP_TOOLCHAIN").output().unwrap();
        assert!(made.status.success(), "{}", stderr(&made));
        // This file replaces the generated rustgo.go, and declares the same function. So the test needs no build.
        let stand_in = format!("package {name}\n\nfunc Count(data []byte, b byte) int {{ return 0 }}\n");
        std::fs::write(root.path().join(name).join("rustgo.go"), stand_in).unwrap();
    }
    let vet = Command::new("go").args(["vet", "./..."]).current_dir(root.path()).output().unwrap();
    assert!(vet.status.success(), "{}", stderr(&vet));
    let listed = Command::new("gofmt").args(["-l", "."]).current_dir(root.path()).output().unwrap();
    assert_eq!(stdout(&listed), "");
}

fn doctor_checks_the_tools_for_other_processors() {
    let cache = empty();
    let settings = [("GOPROXY", "off"), ("GOMODCACHE", text(cache.path()))];
    let output = run(env!("CARGO_BIN_EXE_rustgo"), &["doctor", "--message-format", "json"], &settings);
    let checks: Vec<serde_json::Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} is not checked"));
    assert_eq!(of("wasm2go")["problem"], "go: github.com/ncruces/wasm2go@v0.4.22: module lookup disabled by GOPROXY=off");
    for name in ["wasm2go", "a linker for WebAssembly"] {
        assert_eq!(
            (&of(name)["required"], &of(name)["needed_for"]),
            (&false.into(), &"fallback = \"wasm\", which makes code for other processors".into())
        );
    }
}

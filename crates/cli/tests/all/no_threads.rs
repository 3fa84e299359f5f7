//! `threads = "none"`: rustgo refuses code that would need another thread, and says what the author can do. (The promise `no_threads` runs a package
//! with this setting.)

use crate::common::{arm64, read, root, scratch, target, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(
    work_for_later_is_refused,
    work_for_later_can_be_allowed,
    rayon_needs_destructors,
    calls_of_go_and_blocking_exports_are_refused,
    unknown_versions_of_rayon_are_refused,
    wrong_values_are_refused,
);

/// Creates a module with a crate in `rust`. `settings` are lines for the manifest.
fn module(name: &str, settings: &str, lib: &str) -> PathBuf {
    let dir = scratch("no_threads").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    write(&dir.join("go.mod"), "module example.com/demo\n\ngo 1.24\n");
    let manifest = format!(
        "[package]\nname = \"only-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = {:?} }}\n{settings}",
        root().join("crates/support")
    );
    write(&dir.join("rust/Cargo.toml"), &manifest);
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&dir.join("rust/src/lib.rs"), lib);
    dir
}

/// Builds the package.
fn build(dir: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["build", "--offline", "--quiet", "--color", "never", "--arch", "amd64", "--crate"]).arg(dir.join("rust")).args(more);
    command.env("CARGO_TARGET_DIR", target(0)).output().expect("the tool runs")
}

/// Builds the package. rustgo must refuse it. Returns the messages.
fn refused(dir: &Path, more: &[&str]) -> String {
    let output = build(dir, more);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!dir.join("rustgo.go").exists(), "something is written");
    said
}

const NONE: &str = "rayon = \"1.12\"\n\n[package.metadata.rustgo]\nout = \"..\"\nthreads = \"none\"\n";

fn work_for_later_is_refused() {
    for (name, call) in
        [("spawn", "rayon::spawn(|| work())"), ("fifo", "rayon::spawn_fifo(work)"), ("broadcast", "rayon::spawn_broadcast(|_| work())")]
    {
        let lib = format!(
            "use std::sync::atomic::{{AtomicU32, Ordering}};\nstatic DONE: AtomicU32 = AtomicU32::new(0);\nfn work() {{\n    DONE.fetch_add(1, Ordering::Relaxed);\n}}\n#[rustgo::export]\npub fn later() -> u32 {{\n    {call};\n    DONE.load(Ordering::Relaxed)\n}}\n"
        );
        let said = refused(&module(name, NONE, &lib), &[]);
        let message =
            "error: the crate uses rayon::spawn, spawn_fifo or spawn_broadcast, and with threads = \"none\" no thread does that work later";
        assert!(said.contains(message), "{call}: {said}");
        assert!(said.contains("hint: use rayon::scope, rayon::join or parallel iterators, which wait for their work"), "{said}");
    }
}

/// An author can allow a function such as `rayon::spawn`, for example because no call reaches it when the program runs. The generated files name the
/// allowed function.
fn work_for_later_can_be_allowed() {
    let lib = "#[rustgo::export]\npub fn parts(later: bool) -> usize {\n    if later {\n        rayon::spawn(|| println!(\"late\"));\n    }\n    rayon::current_num_threads()\n}\n";
    let dir = module("allowed", &format!("{NONE}runtime = \"internal/rustgo\"\nallow = [\"rayon::spawn\"]\n"), lib);
    let output = build(&dir, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in ["rustgo.go", "rustgo_amd64.s"] {
        let text = read(&dir.join(file));
        assert!(text.contains("\n// allowed, although no thread does its work later: rayon::spawn\n"), "{file}");
    }
}

/// If a panic abandoned its frames, rayon's queue would still contain addresses in these frames.
fn rayon_needs_destructors() {
    const ONE: &str = "#[rustgo::export]\npub fn one() -> u32 {\n    1\n}\n";
    let reason = "the crate rayon-core is sound only if destructors run during a panic";
    let dir = module("abandons", NONE, ONE);
    let said = refused(&dir, &["--panic", "abandon"]);
    assert!(said.contains(&format!("{reason}, and in this package they do not")), "{said}");

    write(&dir.join("rust/src/lib.rs"), &ONE.replace("export]", "export(panic = \"abandon\")]"));
    let said = refused(&dir, &[]);
    assert!(said.contains(&format!("error: only_abandons::one states panic = \"abandon\", and {reason}")), "{said}");
    assert!(said.contains("put allow = [\"rayon-core\"] into"), "{said}");

    // Without `threads = "none"`, rustgo refuses every export that reaches rayon. So it need not refuse the crate, and the author cannot allow it.
    let with_threads = NONE.replace("threads = \"none\"\n", "allow = [\"rayon-core\"]\n");
    let said = refused(&module("with-threads", &with_threads, ONE), &[]);
    assert!(said.contains("allow in [package.metadata.rustgo] names rayon-core, which rustgo does not refuse"), "{said}");

    let Some(toolchains) = arm64::toolchain("rayon_needs_destructors") else { return };
    let dir = module("translated", &format!("{NONE}runtime = \"internal/rustgo\"\nfallback = \"wasm\"\n"), ONE);
    let toolchain = arm64::argument(&toolchains);
    let said = refused(&dir, &toolchain.iter().flat_map(|toolchain| ["--toolchain", toolchain.as_str()]).collect::<Vec<_>>());
    assert!(said.contains(&format!("{reason}, and in code for fallback = \"wasm\" they do not")), "{said}");
    assert!(said.contains("hint: leave out fallback = \"wasm\"; or "), "{said}");
}

fn calls_of_go_and_blocking_exports_are_refused() {
    let lib = "#[rustgo::export]\npub fn call(f: rustgo::Func<'_, fn()>) {\n    f.call();\n}\n#[rustgo::export(blocking)]\npub fn block() -> u32 {\n    1\n}\n";
    let said = refused(&module("calls", NONE, lib), &[]);
    assert!(
        said.contains(
            "only_calls::call cannot be in Go: it takes a Go value that Rust may call, and all calls of a package with threads = \"none\""
        ),
        "{said}"
    );
    assert!(
        said.contains("only_calls::block cannot be in Go: it is blocking, and all calls of a package with threads = \"none\""),
        "{said}"
    );
    let said = refused(&module("levels", NONE, "#[rustgo::export]\npub fn one() -> u32 {\n    1\n}\n"), &["--cpu", "x86-64,x86-64-v3"]);
    assert!(said.contains("One is a task, which a package with several levels of processors cannot have"), "{said}");
}

fn unknown_versions_of_rayon_are_refused() {
    let settings = NONE.replace("rayon = \"1.12\"", "rayon-core = { path = \"core\" }");
    let dir = module("version", &settings, "#[rustgo::export]\npub fn one() -> u32 {\n    rayon_core::one()\n}\n");
    write(&dir.join("rust/core/Cargo.toml"), "[package]\nname = \"rayon-core\"\nversion = \"1.99.0\"\nedition = \"2024\"\n");
    write(&dir.join("rust/core/src/lib.rs"), "pub fn one() -> u32 {\n    1\n}\n");
    let said = refused(&dir, &[]);
    assert!(said.contains("threads = \"none\" works with rayon-core 1.12 and 1.13, and the crate depends on 1.99.0"), "{said}");
}

fn wrong_values_are_refused() {
    let said = refused(&module("value", &NONE.replace("\"none\"", "\"many\""), ""), &[]);
    assert!(said.contains("threads: the only value is none"), "{said}");
}

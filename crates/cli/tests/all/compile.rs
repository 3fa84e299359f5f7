//! The compile stage: the archive does not depend on the checkout's folder, crates may link std, and errors have clear messages.

use object::read::archive::ArchiveFile;
use rustgo_cli::testing::args;
use rustgo_cli::testing::compile::{self, Archive};
use rustgo_cli::testing::config;
use rustgo_cli::testing::diag::{ErrorCode, Failure, Result};
use rustgo_cli::testing::progress::Progress;
use rustgo_cli::testing::request::Request;
use rustgo_cli::testing::target::{Arch, Level, Target};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};

crate::tests!(
    archive_does_not_depend_on_the_checkout_folder,
    crates_may_link_std,
    dependencies_are_not_linked,
    crates_unsuitable_for_go_are_refused,
    messages_of_cargo_and_rustc_are_shown,
    a_wrong_guess_about_std_shows_no_error,
    libm_is_added_automatically,
    unsupported_types_are_reported_once,
    inspect_prints_text_json_and_graphs,
    user_flags_are_not_used,
    interrupt_ends_cargo_and_leaves_no_files,
);

/// Replaces the support crate. The crates of these tests need only its panic handler.
const SUPPORT: &str = "\
#![no_std]
#[cfg(all(rustgo, not(rustgo_std)))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern \"C\" {
        fn rustgo_panic(info: *const u8) -> !;
    }
    unsafe { rustgo_panic(core::ptr::from_ref(info).cast()) }
}
";

const LIB: &str = "\
#![no_std]
extern crate rustgo;
mod inner;
include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));

#[unsafe(no_mangle)]
pub extern \"C\" fn divide(a: u64, b: u64) -> u64 {
    inner::divide(a, b) + dep::third(a) + MADE
}
";

fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{rest}\n")
}

/// Creates a crate in `root/pkg/rust`, its Go package in `root/pkg`, and the support crate and a dependency in `root`.
fn checkout(root: &Path, lib: &str, dep: &str) {
    let depends = "[dependencies]\nrustgo-support = { path = \"../../support\" }\ndep = { path = \"../../dep\" }\n[workspace]\n[package.metadata.rustgo]\nout = \"..\"";
    write(
        root,
        &[
            ("go.mod", "module example\n"),
            ("support/Cargo.toml", &manifest("rustgo-support", "[lib]\nname = \"rustgo\"")),
            ("support/src/lib.rs", SUPPORT),
            ("dep/Cargo.toml", &manifest("dep", "")),
            ("dep/src/lib.rs", dep),
            ("pkg/rust/Cargo.toml", &manifest("demo", depends)),
            (
                "pkg/rust/build.rs",
                "fn main() { std::fs::write(std::env::var(\"OUT_DIR\").unwrap() + \"/made.rs\", \"const MADE: u64 = 3;\").unwrap() }",
            ),
            ("pkg/rust/src/lib.rs", lib),
            ("pkg/rust/src/inner.rs", "#[inline(never)]\npub fn divide(a: u64, b: u64) -> u64 {\n    a / b\n}\n"),
        ],
    );
}

const DEP: &str = "#![no_std]\n#[inline(never)]\npub fn third(a: u64) -> u64 { [1, 2, 3][a as usize] }\n";

fn request(krate: &Path, more: &[&str]) -> Result<Request> {
    let mut line: Vec<OsString> = vec!["rustgo".into(), "build".into(), "--offline".into(), "-q".into(), "--crate".into(), krate.into()];
    line.extend(more.iter().map(OsString::from));
    let cli = args::parse(line).unwrap();
    let mut request =
        config::resolve(&cli.command.build_args(None).unwrap(), &cli.output, args::Output::Written, env!("CARGO_BIN_EXE_rustgo").into())?;
    // The two checkouts must not share a target folder, so ignore the CARGO_TARGET_DIR of the test run.
    request.manifest.target_dir = request.manifest.dir.join("target");
    Ok(request)
}

fn build(krate: &Path, more: &[&str]) -> Result<Archive> {
    compile::compile(&request(krate, more)?, Target::baseline(Arch::Amd64), &Progress::silent())
}

/// The contents of the archive's members by name. The hash that cargo adds to the name of the crate's own member is removed.
fn members(archive: &Archive) -> BTreeMap<String, Vec<u8>> {
    let bytes = std::fs::read(&archive.path).unwrap();
    let file = ArchiveFile::parse(&*bytes).unwrap();
    let entry = |member: object::Result<object::read::archive::ArchiveMember<'_>>| {
        let member = member.unwrap();
        let name = String::from_utf8(member.name().to_vec()).unwrap();
        let name = name.split_once(".demo.").filter(|_| name.starts_with("demo-")).map_or(name.clone(), |(_, rest)| format!("demo.{rest}"));
        (name, member.data(&*bytes).unwrap().to_vec())
    };
    file.members().map(entry).collect()
}

fn contains(archive: &Archive, text: &str) -> bool {
    members(archive).iter().any(|(_, bytes)| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

fn refusal<T: std::fmt::Debug>(result: Result<T>) -> (ErrorCode, String) {
    match result {
        Err(Failure::Refused(mut reasons)) => {
            let reason = reasons.remove(0);
            assert!(reason.hint.is_some(), "{} has no hint", reason.message);
            (reason.code, reason.message)
        }
        other => panic!("{other:?}"),
    }
}

fn archive_does_not_depend_on_the_checkout_folder() {
    let root = tempfile::tempdir().unwrap();
    let places = [root.path().join("one"), root.path().join("some where/deeper/two")];
    let archives: Vec<Archive> = places
        .iter()
        .map(|place| {
            checkout(place, LIB, DEP);
            build(&place.join("pkg/rust"), &[]).unwrap()
        })
        .collect();
    assert_eq!(archives[0].digest, archives[1].digest);
    assert!(archives[0].digest.starts_with("sha256:") && archives[0].digest.len() == 7 + 64);
    assert!(members(&archives[0]) == members(&archives[1]), "the archives differ");
    for archive in &archives {
        assert!(!contains(archive, root.path().to_str().unwrap()), "the archive names the folder it was built in");
        assert!(contains(archive, "rust/src/inner.rs"), "the panic's location is seen from the Go package");
        assert!(contains(archive, "/cargo/dep-0.1.0/src/lib.rs"));
        assert!(!archive.links_std);
        let names: Vec<&str> = archive.packages.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["demo", "dep", "rustgo-support"]);
    }

    // The digest changes if and only if an input of the archive changes.
    let place = &places[0];
    std::fs::write(place.join("pkg/rust/src/unused.rs"), "").unwrap();
    assert_eq!(build(&place.join("pkg/rust"), &[]).unwrap().digest, archives[0].digest);
    std::fs::write(place.join("dep/src/lib.rs"), format!("{DEP}// more\n")).unwrap();
    assert_ne!(build(&place.join("pkg/rust"), &[]).unwrap().digest, archives[0].digest);

    // Another folder for the Go package changes only the file names that the archive contains.
    let moved = build(&place.join("pkg/rust"), &["--out", place.join("go").to_str().unwrap()]).unwrap();
    assert!(contains(&moved, "../pkg/rust/src/inner.rs"));
    assert_eq!(moved.display_path("/rustgo/../pkg/rust/src/inner.rs"), "../pkg/rust/src/inner.rs");
}

fn crates_may_link_std() {
    let root = tempfile::tempdir().unwrap();
    let build_with = |name: &str, lib: &str, dep: &str| {
        let place = root.path().join(name);
        checkout(&place, lib, dep);
        // The support crate of this test cannot unwind.
        build(&place.join("pkg/rust"), &["--panic", "abandon"]).unwrap().links_std
    };
    let std_lib = LIB.replace("#![no_std]\n", "");
    assert!(build_with("plain", &std_lib, DEP));
    assert!(build_with("by-dependency", LIB, &DEP.replace("#![no_std]", "")));
    // The source of the first crate hides that it links std. The source of the second crate looks as if it linked std, but it does not.
    let hidden = format!(
        "{DEP}mod deep {{ extern crate std; pub fn f() -> std::string::String {{ std::string::String::new() }} }}\npub use deep::f;"
    );
    assert!(build_with("hidden", LIB, &hidden));
    let pretended = LIB.replace("#![no_std]", "#![cfg_attr(target_vendor = \"unknown\", no_std)]");
    assert!(!build_with("pretended", &pretended, DEP));
}

/// A dependency that is also a C library (`cdylib`) is compiled only as a Rust library, so no linker runs. A second build does not compile it again.
fn dependencies_are_not_linked() {
    let root = tempfile::tempdir().unwrap();
    let lib = "#![no_std]\nextern crate rustgo;\n#[unsafe(no_mangle)]\npub extern \"C\" fn third(a: u64) -> u64 {\n    dep::third(a)\n}\n";
    checkout(root.path(), lib, DEP);
    let krate = root.path().join("pkg/rust");
    // Remove the build script. It is compiled for this machine, which is also the target, so it would need the target's linker.
    std::fs::remove_file(krate.join("build.rs")).unwrap();
    write(
        root.path(),
        &[
            ("dep/Cargo.toml", &manifest("dep", "[lib]\ncrate-type = [\"cdylib\", \"lib\"]")),
            ("pkg/rust/.cargo/config.toml", "[target.x86_64-unknown-linux-gnu]\nlinker = \"/nowhere/linker\"\n"),
        ],
    );
    let made = || {
        let archive = build(&krate, &[]).unwrap();
        assert!(contains(&archive, "third"));
        let deps = krate.join("target/rustgo/x86_64-unknown-linux-gnu/release/deps");
        let files = std::fs::read_dir(deps).unwrap().map(|file| file.unwrap());
        let library = files
            .into_iter()
            .find(|file| file.file_name().to_str().unwrap().starts_with("libdep") && file.path().extension().unwrap() == "rlib");
        library.unwrap().metadata().unwrap().modified().unwrap()
    };
    assert_eq!(made(), made());
}

fn crates_unsuitable_for_go_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    write(
        root.path(),
        &[
            ("empty/readme", ""),
            ("workspace/Cargo.toml", "[workspace]\nmembers = [\"member\"]\nresolver = \"3\"\n"),
            ("workspace/member/Cargo.toml", &manifest("member", "")),
            ("workspace/member/src/lib.rs", ""),
            ("program/Cargo.toml", &manifest("program", "[workspace]")),
            ("program/src/main.rs", "fn main() {}"),
            ("macro/Cargo.toml", &manifest("a-macro", "[lib]\nproc-macro = true\n[workspace]")),
            ("macro/src/lib.rs", ""),
            ("plain/Cargo.toml", &manifest("plain", "[workspace]\n[package.metadata.rustgo]\nout = \"go\"")),
            ("plain/src/lib.rs", ""),
            ("support/Cargo.toml", &manifest("rustgo-support", "[lib]\nname = \"rustgo\"")),
            ("support/src/lib.rs", SUPPORT),
            ("scoped-tls/Cargo.toml", &manifest("scoped-tls", "")),
            ("scoped-tls/src/lib.rs", ""),
            (
                "scoped/Cargo.toml",
                &manifest(
                    "scoped",
                    "[dependencies]\nrustgo-support = { path = \"../support\" }\nscoped-tls = { path = \"../scoped-tls\" }\n[workspace]\n[package.metadata.rustgo]\nout = \"go\"",
                ),
            ),
            ("scoped/src/lib.rs", ""),
            (
                "conditional/Cargo.toml",
                &manifest(
                    "conditional",
                    "[dependencies]\nrustgo-support = { path = \"../support\" }\n[target.'cfg(target_feature = \"avx2\")'.dependencies]\nscoped-tls = { path = \"../scoped-tls\" }\n[workspace]\n[package.metadata.rustgo]\nout = \"go\"",
                ),
            ),
            ("conditional/src/lib.rs", ""),
            ("tokio/Cargo.toml", &manifest("tokio", "[features]\nsync = []\nmacros = []")),
            ("tokio/src/lib.rs", ""),
            (
                "notified/Cargo.toml",
                &manifest(
                    "notified",
                    "[dependencies]\nrustgo-support = { path = \"../support\" }\ntokio = { path = \"../tokio\", features = [\"sync\"] }\n[workspace]\n[package.metadata.rustgo]\nout = \"go\"",
                ),
            ),
            ("notified/src/lib.rs", ""),
        ],
    );
    assert_eq!(refusal(build(&at("missing"), &[])).0, ErrorCode::Request);
    for (name, message) in [
        ("empty", "no Cargo.toml in"),
        ("workspace", "is a workspace, not a crate"),
        ("program", "the crate program has no library"),
        ("macro", "the crate a-macro is a procedural macro"),
        ("plain", "the crate plain does not depend on rustgo-support"),
        ("scoped", "the crate scoped-tls is sound only if destructors run"),
        ("notified", "the crate tokio is sound only if destructors run"),
    ] {
        let (code, text) = refusal(build(&at(name), &["--panic", "abandon"]));
        assert!(code == ErrorCode::Crate && text.contains(message), "{name}: {text}");
    }
    // The author allows a crate by its name. To allow a crate that rustgo does not refuse is an error.
    let allow = |of: &str, list: &str| {
        let path = at(of).join("Cargo.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.split("\nallow = ").next().unwrap().to_owned() + &format!("\nallow = [{list}]\n")).unwrap();
    };
    allow("scoped", "\"tokio\"");
    assert!(refusal(build(&at("scoped"), &["--panic", "abandon"])).1.contains("the crate scoped-tls is sound only"));
    allow("scoped", "\"scoped_tls\"");
    let (code, text) = refusal(build(&at("scoped"), &[]));
    assert!(code == ErrorCode::Request && text.contains("names scoped_tls, which rustgo does not refuse"), "{text}");
    write(root.path(), &[("scoped/src/lib.rs", "#![no_std]\nuse rustgo as _;\n"), ("scoped-tls/src/lib.rs", "#![no_std]\n")]);
    allow("scoped", "\"tokio\", \"scoped-tls\"");
    let reliant = build(&at("scoped"), &[]).unwrap().reliant;
    assert_eq!((reliant.allowed, reliant.others), (vec!["scoped-tls 0.1.0".to_owned()], Vec::new()));
    // The refused crate is a dependency only on some CPU levels.
    let avx2 = Target { arch: Arch::Amd64, level: Level::X86_64V3 };
    let refused = compile::compile(&request(&at("conditional"), &["--panic", "abandon"]).unwrap(), avx2, &Progress::silent());
    assert!(refusal(refused).1.contains("the crate scoped-tls is sound only if destructors run"));
    assert!(!at("plain/go").exists());
}

fn rustgo(args: &[&str], krate: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(args).arg("--offline").arg("--crate").arg(krate).env_remove("CARGO_TARGET_DIR");
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn messages_of_cargo_and_rustc_are_shown() {
    let root = tempfile::tempdir().unwrap();
    checkout(root.path(), &LIB.replace("+ MADE", "+ \"MADE\""), DEP);
    let krate = root.path().join("pkg/rust");
    let output = rustgo(&["build"], &krate).output().unwrap();
    let stderr = text(&output);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error[E0277]: cannot add `&str` to `u64`"), "{stderr}");
    assert!(stderr.contains("--> src/lib.rs:"), "the author's own path is not shown:\n{stderr}");
    assert!(!stderr.contains("rustgo: error"), "{stderr}");

    let output = rustgo(&["build", "--arch", "amd64", "--message-format", "json"], &krate).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("\"code\":\"compile\"") && told.contains("the crate demo does not compile for amd64"), "{told}");

    // The support crate fails to compile as if the compiler lacked the interfaces for panics that unwind.
    std::fs::write(root.path().join("pkg/rust/src/lib.rs"), LIB.replace("#![no_std]\n", "")).unwrap();
    let support = root.path().join("support/src/lib.rs");
    std::fs::write(&support, format!("{SUPPORT}#[cfg(rustgo_unwind)]\ncompile_error!(\"the compiler is another\");\n")).unwrap();
    let output = rustgo(&["build", "--arch", "amd64"], &krate).output().unwrap();
    let stderr = text(&output);
    assert!(output.status.code() == Some(1) && stderr.contains("rustgo: error: panics cannot unwind with rustc 1."), "{stderr}");
    assert!(stderr.contains("or write panic = \"abandon\""), "{stderr}");

    std::fs::write(krate.join("Cargo.toml"), "[package\n").unwrap();
    let output = rustgo(&["build"], &krate).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("error:"), "{}", text(&output));
    assert!(!root.path().join("pkg/rustgo.go").exists());
}

/// Creates a crate that depends on the real support crate.
fn with_support(dir: &Path, name: &str, depends: &str, lib: &str) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let depends = format!("[dependencies]\nrustgo-support = {{ path = {:?} }}\n{depends}\n[workspace]", workspace.join("crates/support"));
    write(dir, &[("Cargo.toml", &manifest(name, &depends)), ("src/lib.rs", lib)]);
    std::fs::copy(workspace.join("Cargo.lock"), dir.join("Cargo.lock")).unwrap();
}

/// Before the build rustgo guesses whether a crate links std. After a wrong guess it builds again. The user sees no error of the first build. If the
/// flags stay the same, the second build compiles only two crates again: the crate itself and the support crate.
fn a_wrong_guess_about_std_shows_no_error() {
    let root = tempfile::tempdir().unwrap();
    let exported = |more: &str| format!("#![no_std]\n{more}\n#[rustgo::export]\npub fn twice(x: u64) -> u64 {{\n    x * 2\n}}\n");
    let hidden = "#![no_std]\nmod deep { extern crate std; }\npub fn f() {}\n";
    let with_std = "a dependency links std: building again with it";
    // With std panics unwind, unless the author says otherwise. Then the second build has other flags, and compiles all crates again.
    for (name, panic, dep, lib, note, compiled) in [
        ("hidden", Some("abandon"), hidden, exported("pub use dep::f;"), with_std, 1),
        ("unwinding", None, hidden, exported("pub use dep::f;"), with_std, 2),
        ("unused", Some("abandon"), "pub fn f() {}\n", exported(""), "nothing links std: building again without it", 1),
    ] {
        let krate = root.path().join(name);
        with_support(&krate, name, "dep = { path = \"dep\" }", &lib);
        write(&krate, &[("dep/Cargo.toml", &manifest("dep", "")), ("dep/src/lib.rs", dep)]);
        let out = krate.join("go");
        let line = ["build", "--arch", "amd64", "--package", "demo", "--out", out.to_str().unwrap()];
        let line: Vec<&str> = line.into_iter().chain(panic.map(|_| "--panic")).chain(panic).collect();
        let output = rustgo(&line, &krate).output().unwrap();
        let stderr = text(&output);
        assert!(output.status.success(), "{stderr}");
        assert!(stderr.contains(note) && !stderr.contains("error"), "{stderr}");
        for (of, times) in [("dep", compiled), ("rustgo-schema", compiled), ("rustgo-support", 2), (name, 2)] {
            assert_eq!(stderr.matches(&format!("Compiling {of} v0.1.0")).count(), times, "{of}: {stderr}");
        }
        // rustgo remembers whether the crate links std, so the next build guesses right and compiles nothing.
        std::fs::remove_dir_all(&out).unwrap();
        let stderr = text(&rustgo(&line, &krate).output().unwrap());
        assert!(!stderr.contains("building again") && !stderr.contains("Compiling"), "{stderr}");
    }
}

/// If an export reaches a mathematical function of the C library, the crate is built a second time, with the feature `libm` of the support crate. A
/// crate that needs no such function is built once and does not contain libm.
fn libm_is_added_automatically() {
    let root = tempfile::tempdir().unwrap();
    let build = |name: &str, depends: &str, lib: &str, more: &[&str]| {
        let (krate, out) = (root.path().join(name), root.path().join("go"));
        with_support(&krate, "curves", depends, lib);
        let line = [&["build", "--arch", "amd64", "--package", "demo", "--out", out.to_str().unwrap()], more].concat();
        let output = rustgo(&line, &krate).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        let files = ["rustgo.go", "rustgo_amd64.s"].map(|name| std::fs::read_to_string(out.join(name)).unwrap());
        std::fs::remove_dir_all(&out).unwrap();
        (text(&output), files)
    };
    const NOTE: &str = "the crate calls functions of C's mathematics: building again with the crate libm";
    let sine = "#[rustgo::export]\npub fn sine(x: f64) -> f64 {\n    x.sin()\n}\n";
    let (said, by_itself) = build("sine", "", sine, &[]);
    assert!(said.contains(NOTE), "{said}");
    assert!(by_itself.iter().all(|file| file.contains(", libm 0.2.16,")), "{}", by_itself[0]);
    let (said, turned_on) = build("sine", "", sine, &["--features", "rustgo-support/libm"]);
    assert!(!said.contains(NOTE) && by_itself == turned_on, "{said}");
    let (said, plain) = build("sine", "", &sine.replace(".sin()", ".sqrt()"), &[]);
    assert!(!said.contains(NOTE) && !plain[0].contains("libm"), "{said}");
}

/// A type that cannot be passed to Go is reported once by cargo and once by rustgo. In rustgo's build the macro also generates a shim and a record.
/// They name the type too, but cause no further messages.
fn unsupported_types_are_reported_once() {
    let root = tempfile::tempdir().unwrap();
    let lib = "#![no_std]\npub struct Point(u8);\n\n#[rustgo::export]\npub fn take(dst: &mut [u8], point: Point, key: &[u8; 32]) -> u64 {\n    dst.len() as u64\n}\n";
    with_support(root.path(), "wrong", "", lib);
    let mut check = Command::new("cargo");
    check.args(["check", "--offline"]).current_dir(root.path()).env("CARGO_TARGET_DIR", root.path().join("target"));
    let out = root.path().join("go");
    let mut build = rustgo(&["build", "--arch", "amd64", "--out", out.to_str().unwrap()], root.path());
    for output in [check.output().unwrap(), build.output().unwrap()] {
        let stderr = text(&output);
        assert!(!output.status.success(), "{stderr}");
        assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
        assert!(stderr.contains("error[E0277]: parameters of type `Point` cannot cross the boundary to Go"), "{stderr}");
        assert!(stderr.contains("--> src/lib.rs:5:36"), "{stderr}");
        assert!(!stderr.contains("__"), "{stderr}");
    }
}

fn inspect_prints_text_json_and_graphs() {
    let root = tempfile::tempdir().unwrap();
    let lib = "#![no_std]\n#[rustgo::export(stack = \"64k\")]\npub fn sum(xs: &[u64]) -> u64 {\n    walk(xs, 0)\n}\n\
        #[inline(never)]\nfn walk(xs: &[u64], at: usize) -> u64 {\n    if xs[at] == 0 { 0 } else { 1 + step(xs, at + 1) }\n}\n\
        #[inline(never)]\nfn step(xs: &[u64], at: usize) -> u64 {\n    if xs[at] % 3 == 0 { walk(xs, at) } else { walk(xs, at + 1) / 2 }\n}\n";
    with_support(root.path(), "demo", "", lib);
    let inspect = |more: &[&str]| {
        let output = rustgo(&[&["inspect", "--arch", "amd64"], more].concat(), root.path()).output().unwrap();
        assert!(output.status.success(), "{more:?}: {}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    };

    let table = inspect(&[]);
    assert!(table.starts_with("export  entry") && table.contains("demo::walk (recursive)"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");

    let told = inspect(&["--message-format", "json"]);
    assert_eq!(told.lines().count(), 1, "{told}");
    let json: serde_json::Value = serde_json::from_str(&told).unwrap();
    let export = &json["exports"][0];
    assert_eq!((export["name"].as_str(), export["budget"].as_u64()), (Some("Sum"), Some(65536)));
    let functions = json["functions"].as_array().unwrap();
    let of = |path: &serde_json::Value| functions.iter().find(|function| function["path"] == *path).unwrap();
    assert!(of(&export["function"])["code"].as_u64().unwrap() > 0);
    let walk = of(&"demo::walk".into());
    assert!(walk["recursive"] == true && walk["calls"].as_array().unwrap().contains(&"demo::step".into()), "{walk}");
    assert!(json["formatting"]["functions"].as_u64().unwrap() > 0, "{told}");

    let listing: serde_json::Value = serde_json::from_str(&inspect(&["--message-format", "json", "--asm", "walk"])).unwrap();
    assert!(listing["function"] == "demo::walk" && listing["listing"].as_str().unwrap().contains("depth  instruction"), "{listing}");

    let graph = inspect(&["--graph"]);
    for part in ["digraph calls {", "tooltip=\"demo::walk\"", "\"demo::walk\" -> \"demo::step\"", "Sum\\nframe", "blue: exported to Go"] {
        assert!(graph.contains(part), "{part}: {graph}");
    }
}

/// The user's compiler flags reach neither the build nor cargo's queries of rustc. rustgo's own flags reach both, because conditions in a manifest
/// may depend on them.
fn user_flags_are_not_used() {
    let root = tempfile::tempdir().unwrap();
    checkout(root.path(), LIB, DEP);
    let krate = root.path().join("pkg/rust");
    let made = |flags: Option<&str>| {
        let mut command = rustgo(&["build", "-q", "--arch", "amd64"], &krate);
        // The replaced support crate has no exports. So rustgo refuses the crate, but only after cargo has built it successfully.
        let output = flags.into_iter().fold(command.env_remove("RUSTFLAGS"), |command, flags| command.env("RUSTFLAGS", flags)).output();
        text(&output.unwrap())
    };
    let plain = made(None);
    assert!(plain.starts_with("rustgo: error: "), "{plain}");
    // Stable compilers refuse the first flag, all compilers the second.
    for flags in ["-Zthreads=8", "--no-such-flag"] {
        assert_eq!(made(Some(flags)), plain);
        write(root.path(), &[("pkg/rust/.cargo/config.toml", &format!("[build]\nrustflags = [\"{flags}\"]\n"))]);
        assert_eq!(made(None), plain);
        std::fs::remove_dir_all(krate.join(".cargo")).unwrap();
    }
    let name = krate.join("Cargo.toml");
    let manifest = std::fs::read_to_string(&name).unwrap().replace("dep = {", "[target.'cfg(rustgo)'.dependencies]\ndep = {");
    std::fs::write(name, manifest).unwrap();
    let names: Vec<String> = build(&krate, &[]).unwrap().packages.into_iter().map(|package| package.name).collect();
    assert_eq!(names, ["demo", "dep", "rustgo-support"]);
}

fn interrupt_ends_cargo_and_leaves_no_files() {
    use std::time::Duration;
    let root = tempfile::tempdir().unwrap();
    checkout(root.path(), LIB, DEP);
    let krate = root.path().join("pkg/rust");
    let begun = root.path().join("begun");
    // The test interrupts only rustgo. The build script ends by itself when the test removes its folder. If the interrupt has no effect, the
    // build script ends after ten minutes, and the test fails.
    let waits = format!(
        "use std::path::Path; fn main() {{ std::fs::write({begun:?}, \"\").unwrap(); \
         for _ in 0..12_000 {{ if Path::new({begun:?}).exists() {{ std::thread::sleep(std::time::Duration::from_millis(50)) }} }} }}"
    );
    std::fs::write(krate.join("build.rs"), waits).unwrap();
    let mut child = rustgo(&["build", "-q"], &krate).spawn().unwrap();
    while !begun.exists() {
        assert!(child.try_wait().unwrap().is_none(), "the build ends before it is interrupted");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<_> = std::fs::read_dir(root.path().join("pkg")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["rust"]);
    let target = std::fs::read_dir(krate.join("target/rustgo")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(target.filter(|name| name.starts_with("archive-")).count(), 0);
}

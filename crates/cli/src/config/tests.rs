use super::*;
use crate::runtime::Library;

fn manifest(dir: &Path, settings: serde_json::Value) -> Manifest {
    Manifest {
        name: "demo-crate".into(),
        version: "0.1.0".into(),
        description: Some("adds numbers".into()),
        dir: dir.to_owned(),
        target_dir: dir.join("target"),
        lib_source: dir.join("src/lib.rs"),
        support: Some("rustgo-support".into()),
        settings,
    }
}

fn request(dir: &Path, args: BuildArgs, settings: serde_json::Value) -> Result<Request> {
    request_for(Output::Written, dir, args, settings, || Ok(None))
}

fn request_for(
    output: Output,
    dir: &Path,
    args: BuildArgs,
    settings: serde_json::Value,
    missing: impl FnOnce() -> Result<Option<Diagnostic>>,
) -> Result<Request> {
    let manifest = manifest(dir, settings);
    let settings = super::settings(&manifest)?;
    let args = BuildArgs { go: "go".into(), ..args };
    merge(&args, settings, manifest, Cargo::default(), output, "rustgo".into(), missing)
}

fn messages(result: Result<Request>) -> Vec<String> {
    match result {
        Err(Failure::Refused(reasons)) => reasons.into_iter().map(|reason| reason.message).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn settings_fill_what_the_command_line_leaves_out() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let krate = root.join("edwards/rust");
    std::fs::create_dir_all(&krate).unwrap();
    let settings = serde_json::json!({ "out": "..", "arch": "amd64", "cpu": "x86-64-v3", "max-stack": "1m", "features": ["fast"] });

    let from_settings = request(&krate, BuildArgs::default(), settings.clone()).unwrap();
    assert_eq!(from_settings.out, root.join("edwards"));
    assert_eq!(from_settings.go_package, "edwards");
    assert_eq!((from_settings.targets, from_settings.max_stack), (vec![Target { arch: Arch::Amd64, level: Level::X86_64V3 }], 1 << 20));
    assert_eq!(from_settings.features.named, ["fast"]);
    assert_eq!(from_settings.package_doc.as_deref(), Some("Package edwards is made from a Rust crate: adds numbers."));

    let args = BuildArgs {
        out: Some(root.join("not-yet/there")),
        package: Some("other".into()),
        cpu: vec![Level::X86_64V2, Level::Armv8A],
        max_stack: Some(4096),
        no_default_features: true,
        ..BuildArgs::default()
    };
    let from_args = request(&krate, args, settings).unwrap();
    assert_eq!(from_args.out, root.join("not-yet/there"));
    assert_eq!((from_args.go_package.as_str(), from_args.max_stack), ("other", 4096));
    assert_eq!(from_args.targets, [Target { arch: Arch::Amd64, level: Level::X86_64V2 }]);
    assert_eq!(from_args.features, Features { named: vec![], all: false, no_default: true });
}

#[test]
fn the_runtime_may_be_copied() {
    let dir = tempfile::tempdir().unwrap();
    let krate = dir.path().canonicalize().unwrap().join("hash/rust");
    std::fs::create_dir_all(&krate).unwrap();
    std::fs::write(dir.path().join("go.mod"), "module example.com/m\n\ngo 1.24\n").unwrap();
    let settings = serde_json::json!({ "out": "..", "runtime": "internal/rustgo" });
    let copied = request(&krate, BuildArgs::default(), settings.clone()).unwrap().runtime;
    assert_eq!(copied.import_path(Library::Rt), "example.com/m/internal/rustgo/rt");
    let args = BuildArgs { runtime: Some("rustgo.dev/go".into()), ..BuildArgs::default() };
    assert_eq!(request(&krate, args, settings).unwrap().runtime, Runtime::Published);
    let wrong = serde_json::json!({ "out": "..", "runtime": "../rustgo" });
    assert!(messages(request(&krate, BuildArgs::default(), wrong))[0].starts_with("runtime = \"../rustgo\" cannot be"));
}

#[test]
fn inspect_uses_one_architecture() {
    let dir = tempfile::tempdir().unwrap();
    let shown = |args: &[Arch], settings| {
        let mut asked = false;
        let args = BuildArgs { arch: args.to_vec(), ..BuildArgs::default() };
        let missing = || {
            asked = true;
            Ok(None)
        };
        let request = request_for(Output::Shown, dir.path(), args, settings, missing).unwrap();
        (request.arches(), asked)
    };
    let both = serde_json::json!({ "arch": ["arm64", "amd64"] });
    assert_eq!(shown(&[], serde_json::json!({})), (vec![Arch::Amd64], false));
    assert_eq!(shown(&[], both.clone()), (vec![Arch::Amd64], false));
    assert_eq!(shown(&[Arch::Arm64], both), (vec![Arch::Arm64], true));
    assert_eq!(shown(&[], serde_json::json!({ "arch": "arm64" })), (vec![Arch::Arm64], true));
}

#[test]
fn defaults() {
    let dir = tempfile::tempdir().unwrap();
    let args = BuildArgs { out: Some(dir.path().join("My-Pkg")), ..BuildArgs::default() };
    let request = request(dir.path(), args, serde_json::Value::Null).unwrap();
    assert_eq!((request.targets, request.max_stack), (Arch::ALL.map(Target::baseline).to_vec(), 1 << 20));
    assert_eq!(request.go_package, "mypkg");
}

#[test]
fn unknown_keys_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let messages = messages(request(dir.path(), BuildArgs::default(), serde_json::json!({ "outt": ".." })));
    assert!(messages[0].contains("unknown field outt, expected one of out, package"), "{}", messages[0]);
}

#[test]
fn wrong_value_types_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (settings, problem) in [
        (serde_json::json!({ "cpu": 3 }), "cpu: expected a text or a list of texts"),
        (serde_json::json!({ "arch": ["amd64", 3] }), "arch: expected a text or a list of texts"),
        (serde_json::json!({ "max-stack": true }), "max-stack: expected a size such as \"64k\" or 65536"),
        (serde_json::json!({ "with-tests-skip": ["F", 3] }), "with-tests-skip[1]: invalid type: integer 3, expected a string"),
        (serde_json::json!(3), "invalid type: integer 3, expected struct Settings"),
    ] {
        let messages = messages(request(dir.path(), BuildArgs::default(), settings));
        assert!(messages[0].ends_with(problem), "{}", messages[0]);
    }
}

#[test]
fn every_mistake_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let settings =
        serde_json::json!({ "arch": ["arm64", "mips"], "cpu": "native", "max-stack": "much", "panic": "throw", "package": "func" });
    let messages = messages(request(dir.path(), BuildArgs::default(), settings)).join("\n");
    for part in [
        "unknown architecture mips",
        "cpu: name the level",
        "max-stack: much",
        "panic: the ways are unwind and abandon",
        "no output folder",
        "\"func\" cannot be",
    ] {
        assert!(messages.contains(part), "{part} is missing in\n{messages}");
    }
}

#[test]
fn other_go_files_name_the_package() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("folder");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("doc.go"), "// Package curve is documented by hand.\npackage curve\n").unwrap();
    std::fs::write(out.join("gen.go"), "//go:build ignore\n\npackage main\n").unwrap();
    std::fs::write(out.join("x_test.go"), "package curve_test\n").unwrap();
    let args = BuildArgs { out: Some(out.clone()), ..BuildArgs::default() };
    let found = request(dir.path(), args.clone(), serde_json::Value::Null).unwrap();
    assert_eq!((found.go_package.as_str(), found.package_doc), ("curve", None));

    let clash = BuildArgs { package: Some("other".into()), ..args };
    let messages = messages(request(dir.path(), clash, serde_json::Value::Null));
    assert!(messages[0].ends_with("doc.go is of package curve"), "{}", messages[0]);
}

/// Resolves a request whose output folder is named `folder` and contains `files`. Returns the Go package's name, or the messages if the request is
/// refused.
fn named(package: Option<&str>, folder: &str, files: &[(&str, &str)]) -> (String, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join(folder);
    std::fs::create_dir(&out).unwrap();
    for (name, text) in files {
        std::fs::write(out.join(name), text).unwrap();
    }
    let args = BuildArgs { out: Some(out), package: package.map(str::to_owned), ..BuildArgs::default() };
    match request(dir.path(), args, serde_json::Value::Null) {
        Ok(request) => (request.go_package, Vec::new()),
        refused => (String::new(), messages(refused)),
    }
}

#[test]
fn foreign_files_do_not_name_the_package() {
    for (files, expected) in [
        (&[("tools.go", "//go:build tools\n\npackage tools\n")][..], "folder"),
        (&[("gen.go", "//go:build generate\n\npackage main\n")], "folder"),
        (&[("gen.go", "// +build ignore\n\npackage main\n")], "folder"),
        (&[("_x.go", "package x\n"), (".y.go", "package y\n")], "folder"),
        (&[("doc.go", "package documentation\n")], "folder"),
        (&[("generic.go", "//go:build !amd64 && !arm64\n\npackage curve\n")], "curve"),
        // The package clause of a test file also contains the package's name. In an external test, `_test` follows the name.
        (&[("k_test.go", "package kinds\n")], "kinds"),
        (&[("a_test.go", "package foo_test\n")], "foo"),
        (&[("a_test.go", "package foo_test\n"), ("b.go", "package foo\n")], "foo"),
        (&[("a_test.go", "package foo_test\n"), ("b.go", "package foo_test\n")], "foo_test"),
    ] {
        assert_eq!(named(None, "folder", files), (expected.to_owned(), vec![]), "{files:?}");
    }
    let (_, messages) = named(None, "folder", &[("a.go", "package a\n"), ("b_test.go", "package b_test\n")]);
    assert!(messages[0].starts_with("the package is to be named a, but ") && messages[0].ends_with("b_test.go is of package b_test"));
    assert_eq!(messages.len(), 1);
}

#[test]
fn package_main_is_not_created() {
    // `main` cannot be the default name of the package, so the crate's name is used.
    assert_eq!(named(None, "main", &[]).0, "democrate");
    assert_eq!(named(None, "documentation", &[]).0, "democrate");
    let problem = |name: &str| named(Some(name), "folder", &[]).1.concat();
    assert_eq!(
        problem("main"),
        "\"main\" cannot be a Go package's name: Go builds package main as a program, which no other package can import"
    );
    assert_eq!(problem("documentation"), "\"documentation\" cannot be a Go package's name: Go passes over the files of such a package");
    // An existing program, which is a package `main`, may get exported functions.
    let program = [("main.go", "package main\n\nfunc main() {}\n")];
    assert_eq!(named(None, "main", &program), ("main".to_owned(), vec![]));
    assert_eq!(named(Some("main"), "folder", &program), ("main".to_owned(), vec![]));
}

/// Returns the default architectures and the note to the user. `missing` is true if code for arm64 cannot be built on this machine.
fn default_arches_of(out: &Path, output: Output, missing: bool) -> (Vec<Arch>, Option<String>) {
    let missing = missing.then(|| Diagnostic::new(ErrorCode::Toolchain, "no sources").hint("get them"));
    default_arches(out, output, || Ok(missing)).unwrap()
}

#[test]
fn default_architectures() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path();
    let both = vec![Arch::Amd64, Arch::Arm64];
    assert_eq!(default_arches_of(out, Output::Written, false), (both.clone(), None));
    let (arches, note) = default_arches_of(out, Output::Written, true);
    assert_eq!(
        (arches, note.unwrap().as_str()),
        (
            vec![Arch::Amd64],
            "without code for arm64: no sources: get them; or say --arch amd64, or arch = \"amd64\" under [package.metadata.rustgo]"
        )
    );

    // A comparison with the committed files uses the architectures of these files on every machine.
    std::fs::write(out.join("rustgo_amd64.s"), "// Code generated by rustgo build; DO NOT EDIT.\n").unwrap();
    assert_eq!(default_arches_of(out, Output::Compared, false), (vec![Arch::Amd64], None));
    assert_eq!(default_arches_of(out, Output::Written, false), (both.clone(), None));
    std::fs::write(out.join("rustgo_arm64.s"), "// by hand\n").unwrap();
    assert_eq!(default_arches_of(out, Output::Compared, true).0, [Arch::Amd64]);
    std::fs::write(out.join("rustgo_arm64.s"), "// Code generated by rustgo build; DO NOT EDIT.\n").unwrap();
    assert_eq!(default_arches_of(out, Output::Compared, true), (both.clone(), None));

    // If a tool is missing, the build fails rather than leave out an architecture that the package has.
    assert_eq!(default_arches_of(out, Output::Ignored, true).0, [Arch::Amd64]);
    let missing = || Ok(Some(Diagnostic::new(ErrorCode::Toolchain, "no sources").hint("get them")));
    let Err(Failure::Refused(reasons)) = default_arches(out, Output::Written, missing) else { panic!("arm64 is taken away") };
    assert_eq!(reasons[0].hint.as_deref(), Some("get them; to give arm64 up, say --arch amd64"));
    assert!(reasons[0].notes[0].starts_with("the package has code for arm64: "), "{:?}", reasons[0].notes);
}

#[test]
fn a_named_architecture_must_be_available() {
    let dir = tempfile::tempdir().unwrap();
    let with = |args: BuildArgs, settings: serde_json::Value| {
        let manifest = manifest(dir.path(), settings);
        let settings = super::settings(&manifest).unwrap();
        let missing = || Ok(Some(Diagnostic::new(ErrorCode::Toolchain, "no sources").hint("get them")));
        merge(&args, settings, manifest, Cargo::default(), Output::Written, "rustgo".into(), missing)
    };
    let out = Some(dir.path().join("p"));
    assert_eq!(
        messages(with(BuildArgs { arch: vec![Arch::Arm64], out: out.clone(), ..BuildArgs::default() }, serde_json::Value::Null)),
        ["no sources"]
    );
    let settings = serde_json::json!({ "out": "p", "arch": ["amd64", "arm64"] });
    assert_eq!(messages(with(BuildArgs::default(), settings.clone())), ["no sources"]);
    let only_amd64 = with(BuildArgs { arch: vec![Arch::Amd64], ..BuildArgs::default() }, settings).unwrap();
    assert_eq!((only_amd64.arches(), only_amd64.note), (vec![Arch::Amd64], None));
}

#[test]
fn the_documentation_of_a_crate() {
    let cases = [
        ("//! Adds.\n//!\n//!     code\n#![no_std]\n//! Last.\n\n/// No.\npub fn f() {}", Some("Adds.\n\n    code\nLast.")),
        ("#![doc = \"One \\\"line\\\".\"]", Some("One \"line\".")),
        ("#![doc = include_str!(\"../README.md\")]", None),
        ("/*! In a block. */", Some("In a block.")),
        ("// A comment.\n#![no_std]", None),
        ("fn", None),
    ];
    for (source, doc) in cases {
        assert_eq!(crate_doc(source).as_deref(), doc, "{source}");
    }
}

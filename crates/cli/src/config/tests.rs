use super::*;

fn manifest(dir: &Path, settings: serde_json::Value) -> Manifest {
    Manifest {
        name: "demo-crate".into(),
        version: "0.1.0".into(),
        description: Some("adds numbers".into()),
        dir: dir.to_owned(),
        workspace_root: dir.to_owned(),
        target_dir: dir.join("target"),
        lib_source: dir.join("src/lib.rs"),
        settings,
    }
}

fn request(dir: &Path, args: BuildArgs, settings: serde_json::Value) -> Result<Request> {
    let manifest = manifest(dir, settings);
    let settings = super::settings(&manifest)?;
    merge(&args, settings, manifest, Cargo::default(), Output::Written, "rustgo".into(), || Ok(None))
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
    assert_eq!((from_settings.cpu, from_settings.max_stack), (Cpu::V3, 1 << 20));
    assert_eq!(from_settings.features.named, ["fast"]);
    assert_eq!(from_settings.package_doc.as_deref(), Some("Package edwards is made from a Rust crate: adds numbers."));

    let args = BuildArgs {
        out: Some(root.join("not-yet/there")),
        package: Some("other".into()),
        cpu: Some(Cpu::V2),
        max_stack: Some(4096),
        no_default_features: true,
        ..BuildArgs::default()
    };
    let from_args = request(&krate, args, settings).unwrap();
    assert_eq!(from_args.out, root.join("not-yet/there"));
    assert_eq!((from_args.go_package.as_str(), from_args.cpu, from_args.max_stack), ("other", Cpu::V2, 4096));
    assert_eq!(from_args.features, Features { named: vec![], all: false, no_default: true });
}

#[test]
fn defaults() {
    let dir = tempfile::tempdir().unwrap();
    let args = BuildArgs { out: Some(dir.path().join("My-Pkg")), ..BuildArgs::default() };
    let request = request(dir.path(), args, serde_json::Value::Null).unwrap();
    assert_eq!((request.arches.as_slice(), request.cpu, request.max_stack), (&[Arch::Amd64, Arch::Arm64][..], Cpu::X86_64, 65536));
    assert_eq!(request.go_package, "mypkg");
}

#[test]
fn unknown_keys_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let messages = messages(request(dir.path(), BuildArgs::default(), serde_json::json!({ "outt": ".." })));
    assert!(messages[0].contains("unknown field outt, expected one of out, package"), "{}", messages[0]);
}

#[test]
fn every_mistake_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let settings = serde_json::json!({ "arch": ["arm64", "mips"], "cpu": "native", "max-stack": "much", "package": "func" });
    let messages = messages(request(dir.path(), BuildArgs::default(), settings)).join("\n");
    for part in [
        "unknown architecture mips",
        "cpu: the level must be named",
        "max-stack: much",
        "no output folder",
        "\"func\" cannot be",
    ] {
        assert!(messages.contains(part), "{part} is missing in\n{messages}");
    }
}

#[test]
fn go_files_beside_the_output_name_the_package() {
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

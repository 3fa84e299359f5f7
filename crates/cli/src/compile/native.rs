//! Builds the program of `rustgo native`, which runs a crate's exports natively for the tests of `--with-tests`.
//!
//! The program is a generated crate of three lines in cargo's target folder. It depends on the author's crate and on `rustgo-native`, and is a
//! workspace of its own. All settings that decide the behaviour of the author's code are copied from the author's workspace: the locked versions,
//! the features, the release profile and the patches.

use crate::abi::LIBM;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest::{self, Manifest, Package, SUPPORT};
use crate::process;
use crate::request::Request;
use crate::target::{Arch, Target};
use crate::toolchain::Cargo;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const MAIN: &str = "//! Runs the exports of a crate for the test of its Go package. Made by rustgo native.\n\nuse subject as _;\n\nfn main() {\n    rustgo_native::serve();\n}\n";

/// Settings of the release profile that override the author's settings.
const PROFILE: [(&str, &str); 6] = [
    // The program reports a panic as the result of a call, and then continues.
    ("panic", "\"unwind\""),
    ("lto", "false"),
    ("codegen-units", "16"),
    ("debug", "false"),
    ("strip", "\"none\""),
    ("incremental", "false"),
];

/// Builds the program and returns its path. cargo itself prints its progress for the user.
///
/// # Errors
/// Fails with [`Failure::Reported`] if cargo or the compiler has explained the reason. Otherwise the failure describes the problem with the crate
/// or the tools.
pub fn build(request: &Request) -> Result<PathBuf> {
    let manifest = &request.manifest;
    let arch = if cfg!(target_arch = "aarch64") { Arch::Arm64 } else { Arch::Amd64 };
    let cargo = request.cargo.of(arch);
    let rustc = cargo.rustc(&manifest.dir)?;
    if !rustc.host.contains("linux") {
        return Err(Diagnostic::new(ErrorCode::Request, format!("a native program cannot be made on {}", rustc.host))
            .hint("make and run the tests on linux: the exports are found by a section of an ELF file")
            .into());
    }
    let packages = manifest::packages(&cargo, manifest, &request.features, Target::baseline(arch))?;
    let Some(support) = packages.iter().find(|package| package.name == SUPPORT) else {
        return Err(Diagnostic::new(
            ErrorCode::Crate,
            format!("the crate {} does not depend on {SUPPORT}, so it exports nothing", manifest.name),
        )
        .into());
    };
    let dir = manifest.target_dir.join("rustgo").join("native").join(&manifest.name);
    let root = workspace(&cargo, manifest)?;
    write(&dir, &root, &helper(request, support, &root)?).map_err(|problem| Diagnostic::new(ErrorCode::Output, problem))?;

    let mut command = cargo.command(&manifest.dir);
    command.args(["build", "--release", "--message-format", "json-render-diagnostics"]);
    command.arg("--manifest-path").arg(dir.join("Cargo.toml"));
    command.arg("--target-dir").arg(manifest.target_dir.join("rustgo").join("native").join("target"));
    for (key, value) in PROFILE {
        command.arg("--config").arg(format!("profile.release.{key}={value}"));
    }
    if cargo.offline {
        command.arg("--offline");
    }
    // Allow all lints: the user has seen the crate's warnings in other builds, and flags that turn warnings into errors on a CI are not meant
    // for this build.
    command.env("CARGO_ENCODED_RUSTFLAGS", "--cap-lints=allow");
    let output = process::pass_through(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
    process::pass_on(&output);
    if !output.status.success() {
        let message = format!("the crate {} does not compile natively", manifest.name);
        let hint = "cargo and rustc have written the reasons to the standard error";
        return Err(Failure::Reported(Box::new(Diagnostic::new(ErrorCode::Compile, message).hint(hint))));
    }
    let artifacts = cargo_metadata::Message::parse_stream(output.stdout.as_slice()).flatten();
    let executables = artifacts.filter_map(|message| match message {
        cargo_metadata::Message::CompilerArtifact(artifact) => artifact.executable,
        _ => None,
    });
    executables
        .last()
        .map(Into::into)
        .ok_or_else(|| Diagnostic::new(ErrorCode::Toolchain, "cargo reports no program although the build went well").into())
}

/// Returns the path of the workspace's manifest, which may be the crate's own manifest.
fn workspace(cargo: &Cargo, manifest: &Manifest) -> Result<PathBuf> {
    let mut command = cargo.command(&manifest.dir);
    command.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let output = process::capture(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Ok(if output.status.success() && path.is_file() { path } else { manifest.dir.join("Cargo.toml") })
}

/// Makes the manifest of the generated crate.
fn helper(request: &Request, support: &Package, root: &Path) -> Result<Table> {
    let manifest = &request.manifest;
    let text = |text: &str| Value::String(text.to_owned());
    let path = |path: &Path| text(&path.to_string_lossy());
    let mut subject = Table::from_iter([("package".to_owned(), text(&manifest.name)), ("path".to_owned(), path(&manifest.dir))]);
    subject.insert("default-features".into(), Value::Boolean(!request.features.no_default || request.features.all));
    let mut features = match request.features.all {
        true => all_features(&manifest.dir),
        false => request.features.named.clone(),
    };
    // The generated crate cannot turn on a feature of a dependency's dependency. So rustgo-native turns on the support crate's feature for
    // mathematics.
    let mathematics = manifest.support.as_ref().map(|support| format!("{support}/{LIBM}"));
    let with_libm = request.features.named.iter().any(|feature| Some(feature) == mathematics.as_ref());
    features.retain(|feature| Some(feature) != mathematics.as_ref());
    subject.insert("features".into(), Value::Array(features.iter().map(|name| text(name)).collect()));
    // rustgo-native must match the support crate: take it from the same checkout, or in the same version from a registry.
    let mut own = match &support.source {
        None => Table::from_iter([("path".to_owned(), path(&support.dir.join("../native")))]),
        Some(_) => Table::from_iter([("version".to_owned(), text(&format!("={}", support.version)))]),
    };
    if with_libm {
        own.insert("features".into(), Value::Array(vec![text(LIBM)]));
    }
    let dependencies = Table::from_iter([("subject".to_owned(), Value::Table(subject)), ("rustgo-native".to_owned(), Value::Table(own))]);
    let package = [("name", text(&format!("{}-native", manifest.name))), ("version", text("0.0.0")), ("edition", text("2024"))];
    let mut table = Table::new();
    table.insert("package".into(), Value::Table(package.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()));
    table.insert("dependencies".into(), Value::Table(dependencies));
    table.insert("workspace".into(), Value::Table(Table::new()));
    let root_text = std::fs::read_to_string(root).unwrap_or_default();
    let of_root: Table = toml::from_str(&root_text).unwrap_or_default();
    for key in ["profile", "patch"] {
        if let Some(value) = of_root.get(key) {
            let mut value = value.clone();
            if key == "patch" {
                make_absolute(&mut value, root.parent().unwrap_or(Path::new("/")));
            }
            table.insert(key.into(), value);
        }
    }
    Ok(table)
}

/// Makes the paths in patches absolute. Relative paths count from the folder `from`.
fn make_absolute(value: &mut Value, from: &Path) {
    let Value::Table(table) = value else { return };
    for (key, value) in table {
        match value {
            Value::String(path) if key == "path" => *path = from.join(path.as_str()).to_string_lossy().into_owned(),
            value => make_absolute(value, from),
        }
    }
}

/// Lists the features that the crate's manifest defines.
fn all_features(dir: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join("Cargo.toml")).unwrap_or_default();
    let manifest: Table = toml::from_str(&text).unwrap_or_default();
    let features = manifest.get("features").and_then(Value::as_table);
    features.map(|features| features.keys().cloned().collect()).unwrap_or_default()
}

/// Writes the generated crate. Leaves unchanged files untouched, so that cargo does not build the crate again.
fn write(dir: &Path, root: &Path, manifest: &Table) -> std::result::Result<(), String> {
    let put = |name: &str, text: &[u8]| {
        let path = dir.join(name);
        if std::fs::read(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(dir);
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)).map_err(|error| format!("{}: {error}", path.display()))
    };
    let text = toml::to_string(manifest).map_err(|error| error.to_string())?;
    put("Cargo.toml", text.as_bytes())?;
    put("src/main.rs", MAIN.as_bytes())?;
    // Copy the locked versions of the author's package. cargo adds the dependencies of the generated crate.
    match std::fs::read(root.with_file_name("Cargo.lock")) {
        Ok(lock) => put("Cargo.lock", &lock),
        Err(_) => Ok(()),
    }
}

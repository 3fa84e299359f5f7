//! One crate of `promises/`: creates it and builds its Go package.

use super::native::said;
use crate::common::arm64;
use crate::common::directives::Directives;
use crate::common::{read, root, stem, target, write};
use rustgo_cli::testing::target::Arch;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Promise {
    /// The name of the Go package.
    pub name: String,
    pub krate: PathBuf,
    source: String,
    directives: Directives,
    feature: Option<String>,
}

pub fn lock(dir: &Path) {
    if !dir.join("Cargo.lock").exists() {
        write(&dir.join("Cargo.lock"), &read(&root().join("Cargo.lock")));
    }
}

impl Promise {
    /// Reads a file, and returns a crate for each of its variants. The error describes a wrong directive.
    pub fn read(dir: &Path, path: &Path) -> Result<Vec<Promise>, String> {
        let (name, source) = (stem(path), read(path));
        let krate = dir.join("rust").join(&name);
        let directives = Directives::parse(path, &source, &["args", "manifest", "variants", "native"])?;
        let whole = Promise { name, krate, source, directives, feature: None };
        let features: Vec<String> = whole.directives.words("variants").map(str::to_owned).collect();
        let mut manifest = format!(
            "[package]\nname = \"promise-{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = \"{}\" }}\n",
            whole.name,
            root().join("crates/support").display()
        );
        whole.directives.all("manifest").for_each(|line| writeln!(manifest, "{line}").expect("a string takes everything"));
        if !features.is_empty() {
            manifest.push_str("\n[features]\n");
        }
        features.iter().for_each(|feature| writeln!(manifest, "{feature} = []").expect("a string takes everything"));
        write(&whole.krate.join("Cargo.toml"), &manifest);
        write(&whole.krate.join("src/lib.rs"), &whole.source);
        lock(&whole.krate);
        if features.is_empty() {
            return Ok(vec![whole]);
        }
        let variant = |feature: String| Promise {
            name: format!("{}_{feature}", whole.name),
            krate: whole.krate.clone(),
            source: whole.source.clone(),
            directives: whole.directives.clone(),
            feature: Some(feature),
        };
        Ok(features.into_iter().map(variant).collect())
    }

    /// Builds the Go package in one of the target folders. The error is the tool's message.
    pub fn build(&self, go: &Path, arch: Arch, target_dir: usize) -> Result<(), String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
        command.args(["build", "--quiet", "--offline", "--color", "never", "--arch", arch.goarch(), "--package", &self.name]);
        command.args(self.directives.words("args"));
        command.args(self.feature.iter().flat_map(|feature| ["--features", feature]));
        if arch == Arch::Arm64
            && let Some(toolchain) = arm64::toolchain("promises").as_ref().and_then(arm64::argument)
        {
            command.args(["--toolchain", &toolchain]);
        }
        command.arg("--crate").arg(&self.krate).arg("--out").arg(go.join(&self.name));
        command.env("CARGO_TARGET_DIR", target(target_dir)).env_remove("RUSTFLAGS");
        said(&mut command).map(drop)
    }

    /// The exports of the form `pub fn NAME(x: u64) -> u64` whose results are compared with the results of a native run.
    pub fn functions(&self) -> Vec<&str> {
        let wanted: Vec<&str> = self.directives.words("native").collect();
        let declared = self.source.lines().filter_map(|line| line.strip_prefix("pub fn ")?.strip_suffix("(x: u64) -> u64 {"));
        declared.filter(|name| wanted.contains(&"all") || wanted.contains(name)).collect()
    }
}

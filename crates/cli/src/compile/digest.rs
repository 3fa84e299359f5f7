//! Computes a digest of all inputs from which an archive is made. The digest is equal on every machine, and differs if the archive may differ.

use super::Build;
use super::paths::Paths;
use super::wrapper::hex;
use crate::manifest::Package;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Computes the digest of the archive's inputs: `sha256:` and 64 hexadecimal digits.
///
/// The digest covers the compiler, the flags, the packages with their features and checksums, and every source file without a checksum from a
/// registry. `dep_info` is the file next to the archive in which cargo lists the files that the build read.
pub fn digest(build: &Build<'_>, flags: &[String], packages: &[Package], paths: &Paths, dep_info: &Path) -> String {
    let mut hash = Sha256::new();
    let mut add = |kind: &str, bytes: &[u8]| {
        // Hash the lengths too. Otherwise two different lists could give the same bytes: `ab`, `c` and `a`, `bc`.
        hash.update((kind.len() as u64).to_le_bytes());
        hash.update(kind);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add("rustgo", env!("CARGO_PKG_VERSION").as_bytes());
    add("rustc", build.rustc.line.as_bytes());
    add("target", build.target.arch.triple().as_bytes());
    for flag in flags {
        add("flag", flag.as_bytes());
    }
    for package in packages {
        let source = package.source.as_deref().unwrap_or("");
        let line =
            [&package.name, &package.version, source, package.checksum.as_deref().unwrap_or(""), &package.features.join(",")].join("\n");
        add("package", line.as_bytes());
    }
    let listed = std::fs::read_to_string(dep_info).unwrap_or_default();
    let mut files: Vec<(String, PathBuf)> =
        dependencies(&listed).into_iter().filter_map(|path| Some((stable_name(paths, &path)?, path))).collect();
    files.sort();
    files.dedup();
    for (name, path) in files {
        add("file", name.as_bytes());
        add("text", &std::fs::read(path).unwrap_or_default());
    }
    format!("sha256:{}", hex(&hash.finalize()))
}

/// Returns a name for a source file. The name does not depend on the place of the checkout. `None` for a file that the build makes.
fn stable_name(paths: &Paths, path: &Path) -> Option<String> {
    if path.starts_with(&paths.target_dir) {
        return None;
    }
    let below = |dir: &Path| path.strip_prefix(dir).ok().map(|rest| rest.to_string_lossy().replace('\\', "/"));
    if let Some(rest) = below(&paths.crate_dir) {
        return Some(rest);
    }
    if let Some((root, name)) = &paths.library
        && let Some(rest) = below(root)
    {
        return Some(format!("{name}/{rest}"));
    }
    let mut packages = paths
        .packages
        .iter()
        .filter_map(|(dir, name)| Some((dir.components().count(), format!("/{name}/{}", below(dir)?))))
        .collect::<Vec<_>>();
    packages.sort();
    let known = packages.pop().map(|(_, name)| name);
    Some(known.unwrap_or_else(|| format!("//{}", path.file_name().unwrap_or_default().to_string_lossy())))
}

/// Returns the prerequisites of a Makefile rule in the form that cargo and rustc write: spaces in file names are escaped.
fn dependencies(text: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((_, right)) = line.split_once(": ") else { continue };
        let mut name = String::new();
        let mut letters = right.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' if letters.peek() == Some(&' ') => name.extend(letters.next()),
                ' ' => files.extend((!name.is_empty()).then(|| PathBuf::from(std::mem::take(&mut name)))),
                letter => name.push(letter),
            }
        }
        files.extend((!name.is_empty()).then(|| PathBuf::from(name)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dep_info_is_read() {
        assert_eq!(
            dependencies("/t/libx.a: /c/src/lib.rs /c/with\\ blank/x.rs  /c/y.rs\n\n# env-dep:A=1\n/c/src/lib.rs:\n"),
            ["/c/src/lib.rs", "/c/with blank/x.rs", "/c/y.rs"].map(PathBuf::from)
        );
    }

    #[test]
    fn files_are_named_by_their_package() {
        let paths = Paths {
            crate_dir: "/home/me/p".into(),
            crate_name: "rust".into(),
            target_dir: "/home/me/p/target".into(),
            packages: [(PathBuf::from("/home/me"), "outer-1.0.0".to_owned()), ("/home/me/dep".into(), "dep-2.0.0".into())].into(),
            library: Some(("/rust/src".into(), "/rustc/0123".into())),
            shipped: None,
        };
        let name = |path: &str| stable_name(&paths, Path::new(path));
        assert_eq!(name("/home/me/p/src/lib.rs").as_deref(), Some("src/lib.rs"));
        assert_eq!(name("/home/me/dep/src/lib.rs").as_deref(), Some("/dep-2.0.0/src/lib.rs"));
        assert_eq!(name("/home/me/p/target/out/x.rs"), None);
        assert_eq!(name("/rust/src/library/core/src/lib.rs").as_deref(), Some("/rustc/0123/library/core/src/lib.rs"));
        assert_eq!(name("/usr/include/table.bin").as_deref(), Some("//table.bin"));
    }
}

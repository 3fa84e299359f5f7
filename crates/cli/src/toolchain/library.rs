//! Finds the sources of the Rust standard library. rustgo compiles them for arm64 and for WebAssembly.
//!
//! On arm64 Go reserves the register x28, and some systems reserve x18. The precompiled standard library uses both registers, so rustgo compiles the
//! library again without them. This build needs the library's sources, and flags that are unstable in rustc.

use super::choice::Toolchain;
use super::{Cargo, Rustc};
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::target::Arch;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the sources inside a toolchain, as rustc and cargo define it.
const PLACE: &str = "lib/rustlib/src/rust";

/// The sources of the standard library that belong to a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The folder that contains `library/`. The path of a folder from which rustgo builds the library has no symbolic links, because cargo resolves
    /// such links.
    pub dir: PathBuf,
    /// The name that replaces the folder in generated code: rustc's name for the sources of its precompiled library.
    pub name: String,
}

impl Library {
    /// Returns the folder of the sources, and the name that replaces the folder in generated code.
    pub fn place(&self) -> (PathBuf, String) {
        (self.dir.clone(), self.name.clone())
    }
}

impl Cargo {
    /// Finds the standard library's sources for `rustc`. The inner error is the reason why rustgo cannot build the library from them, with a hint.
    pub fn library(&self, dir: &Path, rustc: &Rustc) -> Result<std::result::Result<Library, Diagnostic>> {
        let sysroot = self.sysroot(dir)?;
        Ok(self.library_in(&sysroot, rustc))
    }

    fn library_in(&self, sysroot: &Path, rustc: &Rustc) -> std::result::Result<Library, Diagnostic> {
        let by_rustup = sysroot.parent().is_some_and(|dir| dir.ends_with("toolchains"));
        let named = match self.toolchain() {
            Some(Toolchain::Named(name)) => format!(" --toolchain {name}"),
            _ => String::new(),
        };
        let place = sysroot.join(PLACE);
        let wanted = format!("{}.{}", rustc.version.major, rustc.version.minor);
        let by_hand = format!(
            "put the sources of Rust {wanted} into {}, or name another toolchain with --toolchain {}=NAME",
            place.display(),
            Arch::Arm64
        );
        let there =
            ["library/Cargo.lock", "library/core/src/lib.rs", "library/std/src/lib.rs"].iter().all(|file| place.join(file).is_file());
        let Ok(found) = place.canonicalize().map_err(drop).and_then(|place| if there { Ok(place) } else { Err(()) }) else {
            return Err(Diagnostic::new(
                ErrorCode::Toolchain,
                format!("code for {} needs the sources of the standard library, and {} does not hold them", Arch::Arm64, place.display()),
            )
            .hint(if by_rustup { format!("rustup component add rust-src{named}") } else { by_hand }));
        };
        let release = Release::of(&found.join("library/core/src"));
        if !release.belongs_to(rustc) {
            return Err(Diagnostic::new(
                ErrorCode::Toolchain,
                format!(
                    "the sources of the standard library in {} are those of {release}, but the compiler is {}",
                    place.display(),
                    rustc.line
                ),
            )
            .hint(if by_rustup {
                format!("rustup component remove rust-src{named} && rustup component add rust-src{named}")
            } else {
                by_hand
            }));
        }
        Ok(Library { dir: found, name: name(rustc) })
    }

    /// Returns the folder in which `rustc` looks for the sources of its precompiled library, and the name that `rustc` uses instead if the sources
    /// are missing.
    pub fn shipped(&self, dir: &Path, rustc: &Rustc) -> Result<Library> {
        Ok(Library { dir: self.sysroot(dir)?.join(PLACE), name: name(rustc) })
    }
}

/// Returns the name of the sources in rustup's builds. If the compiler does not state its commit, the name contains the release instead.
fn name(rustc: &Rustc) -> String {
    format!("/rustc/{}", rustc.commit.clone().unwrap_or_else(|| rustc.version.to_string()))
}

/// The release of Rust to which the sources belong.
///
/// No file of the sources states the release, neither in rustup's component nor in the packages of distributions. But the attribute `stable` of a
/// function states the release that made the function stable, and every release has made some function stable. So the newest release in these
/// attributes is the release of the sources. In sources between two releases, the attributes for the coming release contain a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Release {
    /// The minor version of the newest release that an attribute `stable` names, such as 96 for Rust 1.96. 0 if no attribute names a release.
    newest: u32,
    unreleased: bool,
}

impl Release {
    fn of(core: &Path) -> Release {
        let mut release = Release { newest: 0, unreleased: false };
        let mut folders = BTreeSet::from([core.to_owned()]);
        while let Some(folder) = folders.pop_first() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.insert(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    release.read(&std::fs::read_to_string(path).unwrap_or_default());
                }
            }
        }
        release
    }

    fn read(&mut self, text: &str) {
        // Other attributes (`deprecated`) may name future releases, so only lines with `stable(` count.
        for line in text.lines().filter(|line| line.contains("stable(")) {
            let Some((_, since)) = line.split_once("since = \"") else { continue };
            self.unreleased |= since.starts_with("CURRENT_RUSTC_VERSION");
            if let Some(minor) = since.strip_prefix("1.").and_then(|rest| rest.split('.').next()).and_then(|minor| minor.parse().ok()) {
                self.newest = self.newest.max(minor);
            }
        }
    }

    fn belongs_to(self, rustc: &Rustc) -> bool {
        let minor = rustc.version.minor;
        let released = !["-nightly", "-dev", "-beta"].iter().any(|mark| rustc.line.contains(mark));
        match released {
            true => self.newest == minor && !self.unreleased,
            // rustc's own version number changes some time before this number replaces the placeholder `CURRENT_RUSTC_VERSION` in the sources.
            false => self.newest == minor || self.newest + 1 == minor,
        }
    }
}

impl std::fmt::Display for Release {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.newest, self.unreleased) {
            (0, false) => write!(f, "no release that is known"),
            (minor, false) => write!(f, "Rust 1.{minor}"),
            (minor, true) => write!(f, "a version after Rust 1.{minor}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn rustc(version: &str) -> Rustc {
        Rustc::parse(&format!("rustc {version} (0123abc 2026-01-01)\nhost: x86_64-unknown-linux-gnu\ncommit-hash: 0123abcdef\n")).unwrap()
    }

    fn marks(newest: &str) -> String {
        format!(
            "#[stable(feature = \"a\", since = \"1.0.0\")]\n#[rustc_const_stable(feature = \"b\", since = \"{newest}\")]\n\
             #[deprecated(since = \"1.199.0\", note = \"x\")]\n#[unstable(feature = \"c\", issue = \"1\")]\n"
        )
    }

    /// Makes a sysroot with sources of the standard library. Their stability attributes state two releases: 1.0.0 and `newest`.
    fn sysroot(newest: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let library = root.path().join(PLACE).join("library");
        for (name, text) in
            [("Cargo.lock", ""), ("core/src/lib.rs", "mod a;"), ("core/src/a/mod.rs", &marks(newest)), ("std/src/lib.rs", "")]
        {
            fs::create_dir_all(library.join(name).parent().unwrap()).unwrap();
            fs::write(library.join(name), text).unwrap();
        }
        root
    }

    #[test]
    fn sources_tell_their_release() {
        for (newest, version, fits) in [
            ("1.96.0", "1.96.0", true),
            ("1.96.0", "1.96.1", true),
            ("1.96.0", "1.95.0", false),
            ("1.96.0", "1.97.0", false),
            ("CURRENT_RUSTC_VERSION", "1.96.0", false),
            ("1.96.0", "1.97.0-nightly", true),
            ("1.97.0", "1.97.0-beta.2", true),
            ("1.96.0", "1.98.0-nightly", false),
            ("none", "1.96.0", false),
        ] {
            let root = sysroot(newest);
            assert_eq!(Cargo::default().library_in(root.path(), &rustc(version)).is_ok(), fits, "sources {newest}, rustc {version}");
        }
        let root = sysroot("1.96.0");
        let library = Cargo::default().library_in(root.path(), &rustc("1.96.0")).unwrap();
        assert_eq!(library.name, "/rustc/0123abcdef");
        assert!(library.dir.join("library/core/src/lib.rs").is_file());
    }

    #[test]
    fn the_hint_fits_the_kind_of_toolchain() {
        let root = tempfile::tempdir().unwrap();
        let by_rustup = root.path().join("toolchains/stable");
        let refusal = |root: &Path, version: &str| Cargo::default().library_in(root, &rustc(version)).unwrap_err();
        assert_eq!(refusal(&by_rustup, "1.96.0").hint.unwrap(), "rustup component add rust-src");
        assert!(refusal(root.path(), "1.96.0").hint.unwrap().starts_with("put the sources of Rust 1.96 into"));
        let named = Cargo { toolchains: super::super::Toolchains::from_variable("arm64=nightly").unwrap(), ..Cargo::default() };
        let refusal = named.of(Arch::Arm64).library_in(&by_rustup, &rustc("1.96.0")).unwrap_err();
        assert_eq!(refusal.hint.unwrap(), "rustup component add rust-src --toolchain nightly");
    }
}

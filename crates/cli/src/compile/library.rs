//! Compiles the standard library for two targets that cannot use a precompiled one. On arm64 the precompiled library uses registers that Go reserves.
//! For WebAssembly with 64 bits no toolchain has a precompiled library.
//!
//! This module makes a sysroot, a folder from which rustc takes the standard library in place of its own. A sysroot depends only on the compiler and
//! on flags that are the same for all crates. So the sysroot is kept in the user's cache folder, and all crates use it. Like a precompiled library,
//! it is compiled for the lowest processor level. A higher level changes only the code of the crates.

use super::flags::{ALLOW_NONE, LIBRARY_SETTINGS};
use super::paths::Paths;
use super::wrapper::{self, Plan, hex};
use super::{REMAP_SCOPE, find_artifacts, lock};
use crate::abi;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::process;
use crate::progress::Progress;
use crate::request::Request;
use crate::toolchain::library::Library;
use crate::toolchain::{Cargo, Rustc};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Sysroots that no build has used for this time are removed when another sysroot is made.
const UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// The beginning of the names of folders in which the library is compiled.
const SCRATCH: &str = "making-";
/// If a folder in which the library is compiled is older than this, its build was killed.
const KILLED: Duration = Duration::from_secs(24 * 60 * 60);
/// The name of the file in a sysroot that lists the other files. A build that uses the sysroot changes the file's time.
const FILES: &str = "files";
/// Increase this number if a change of this module changes the compiled library.
const FORMAT: u32 = 1;

/// The compiled standard library for a target.
#[derive(Clone, Debug)]
pub(super) struct Compiled<'a> {
    pub cargo: &'a Cargo,
    pub rustc: &'a Rustc,
    /// The sources.
    pub library: &'a Library,
    /// rustc's name for the target.
    pub triple: &'static str,
    /// The flags for rustc that change code.
    pub flags: Vec<String>,
    /// True if the library's code can unwind. In any case the library contains the crate panic_abort, for crates whose panics abort.
    pub unwinds: bool,
    /// The setting `debug` of cargo's profile.
    pub debug: &'static str,
}

impl Compiled<'_> {
    /// Returns a digest of the compiler and the flags. The digest is equal on every machine. cargo gets the digest in the flags for each crate, so
    /// that a crate is compiled again if the standard library changes.
    pub fn key(&self) -> String {
        let inputs = [env!("CARGO_PKG_VERSION"), &self.rustc.line, &self.library.name, self.triple, self.debug, self.crates()];
        let text = format!("{FORMAT}\n{inputs:?}\n{:?}\n{PROFILE:?}\n{LIBRARY_SETTINGS:?}", self.flags);
        hex(&Sha256::digest(text))[..16].to_owned()
    }

    /// Returns a digest of the place and the time of the sources: two toolchains of one version may have different sources.
    fn place(&self) -> String {
        let time = self.library.dir.join("library").metadata().and_then(|metadata| metadata.modified());
        hex(&Sha256::digest(format!("{:?}\n{:?}", self.library.dir, time.ok())))[..8].to_owned()
    }

    /// Returns cargo's option that selects the crates of the library.
    fn crates(&self) -> &'static str {
        if self.unwinds { "-Zbuild-std=std,panic_unwind,panic_abort" } else { "-Zbuild-std=std,panic_abort" }
    }

    /// Returns the two arguments of rustc that contain the key.
    pub fn key_flags(&self) -> [String; 2] {
        ["--cfg".to_owned(), format!("{}=\"{}\"", abi::CFG_LIBRARY, self.key())]
    }

    /// Returns the folder of the sysroot. If the sysroot does not exist yet, compiles the library first. cargo itself prints its messages for the
    /// user.
    ///
    /// # Errors
    /// Fails with [`Failure::Reported`] if the library does not compile. Also fails if the folder cannot be written.
    pub fn sysroot(&self, request: &Request, progress: &Progress) -> Result<PathBuf> {
        let name = format!("{}-{}-{}", self.triple, self.key(), self.place());
        let parents: Vec<PathBuf> =
            request.cache.iter().cloned().chain([request.manifest.target_dir.join("rustgo")]).map(|dir| dir.join("std")).collect();
        if let Some(parent) = parents.iter().find(|parent| is_whole(&parent.join(&name))) {
            return Ok(parent.join(&name));
        }
        let parent = writable(parents.into_iter())
            .map_err(|error| Diagnostic::new(ErrorCode::Output, format!("no folder for the standard library: {error}")))?;
        let _lock = lock(&parent.join(".lock"), "waiting for another build of the standard library", progress)?;
        let sysroot = parent.join(&name);
        if is_whole(&sysroot) {
            return Ok(sysroot);
        }
        remove_unused(&parent);
        progress.note(&format!("compiling the standard library for {}: once for each version of Rust", self.triple));
        let failed = |error: io::Error| Diagnostic::new(ErrorCode::Output, format!("{}: {error}", parent.display()));
        let scratch = tempfile::Builder::new().prefix(SCRATCH).tempdir_in(&parent).map_err(failed)?;
        process::remove_at_interrupt(scratch.path());
        let libraries = self.build(request, scratch.path())?;
        let made = scratch.path().join("sysroot");
        let place = made.join("lib").join("rustlib").join(self.triple).join("lib");
        std::fs::create_dir_all(&place).map_err(failed)?;
        let mut names = String::new();
        for path in libraries {
            let name = path.file_name().unwrap_or_default();
            std::fs::rename(&path, place.join(name)).or_else(|_| std::fs::copy(&path, place.join(name)).map(drop)).map_err(failed)?;
            names += &format!("{}\n", Path::new("lib/rustlib").join(self.triple).join("lib").join(name).display());
        }
        // If a folder of this name exists, it lacks files: the calls of `is_whole` above have not accepted it. So remove it.
        let _ = std::fs::remove_dir_all(&sysroot);
        std::fs::write(made.join(FILES), names).and_then(|()| std::fs::rename(&made, &sysroot)).map_err(failed)?;
        Ok(sysroot)
    }

    /// Compiles the library in the folder `scratch`, and returns the paths of its crates' files.
    fn build(&self, request: &Request, scratch: &Path) -> Result<Vec<PathBuf>> {
        let failed = |error: io::Error| Diagnostic::new(ErrorCode::Output, format!("{}: {error}", scratch.display()));
        // cargo compiles the standard library only as a dependency of a crate, so make an empty crate.
        let manifest =
            "[package]\nname = \"rustgo-std\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\npath = \"lib.rs\"\n\n[workspace]\n";
        std::fs::write(scratch.join("Cargo.toml"), manifest).and_then(|()| std::fs::write(scratch.join("lib.rs"), "")).map_err(failed)?;
        let plan = Plan {
            paths: Paths {
                crate_dir: scratch.to_owned(),
                crate_name: String::new(),
                target_dir: scratch.join("target"),
                packages: BTreeMap::new(),
                library: Some(self.library.place()),
                shipped: None,
            },
            target: self.triple.to_owned(),
            // Do not run the user's wrapper: it may change the code, and all crates share the compiled library.
            next: None,
            scoped: self.rustc.version >= REMAP_SCOPE,
            unstable: true,
            sysroot: None,
            links_std: true,
            unwinds: false,
            extends_std: false,
            has_io: false,
            level: Vec::new(),
        };
        plan.save(scratch).map_err(failed)?;
        // cargo runs in the crate's folder, where the user may have selected a toolchain and a registry.
        let mut command = self.cargo.command(&request.manifest.dir);
        command.args(["rustc", "--lib", "--release", "--crate-type", "staticlib", "--message-format", "json-render-diagnostics"]);
        command.args([
            "--target",
            self.triple,
            if self.unwinds { "-Zbuild-std=std,panic_unwind,panic_abort" } else { "-Zbuild-std=std,panic_abort" },
        ]);
        command.arg("--manifest-path").arg(scratch.join("Cargo.toml")).arg("--target-dir").arg(scratch.join("target"));
        let panic = if self.unwinds { "\"unwind\"" } else { "\"abort\"" };
        for (key, value) in PROFILE.into_iter().chain([("panic", panic), ("debug", self.debug)]) {
            command.arg("--config").arg(format!("profile.release.{key}={value}"));
        }
        if request.cargo.offline {
            command.arg("--offline");
        }
        let mut flags = self.flags.clone();
        flags.push(ALLOW_NONE.to_owned());
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env("RUSTC_BOOTSTRAP", "1");
        command.env("RUSTC_WRAPPER", &request.program).env(wrapper::VARIABLE, scratch).env_remove("CARGO_INCREMENTAL");
        let output = process::pass_through(&mut command)?.map_err(|error| self.cargo.cannot_run(&error))?;
        process::pass_on(&output);
        if !output.status.success() {
            let message = format!("the standard library of {} does not compile for {}", self.rustc.line, self.triple);
            let hint = "cargo and rustc have written the reasons to the standard error";
            return Err(Failure::Reported(Box::new(Diagnostic::new(ErrorCode::Compile, message).hint(hint))));
        }
        Ok(find_artifacts(&output.stdout, "rlib").map(|(_, path)| path).collect())
    }
}

/// Settings of the release profile for the standard library.
const PROFILE: [(&str, &str); 4] = [
    ("opt-level", "3"),
    // With fat LTO, rustc writes only LLVM bitcode for each crate. The build of the author's crate makes machine code from it.
    ("lto", "\"fat\""),
    ("strip", "\"none\""),
    ("incremental", "false"),
];

/// Returns the first of these folders that exists or can be made.
fn writable(folders: impl Iterator<Item = PathBuf>) -> io::Result<PathBuf> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    for folder in folders {
        // A folder can exist on a file system that is read-only, so make something in it.
        result = std::fs::create_dir_all(&folder).and_then(|()| tempfile::tempdir_in(&folder)).map(|_| folder);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// True if the sysroot exists and lacks no file. Notes the time of the use.
fn is_whole(sysroot: &Path) -> bool {
    let Ok(names) = std::fs::read_to_string(sysroot.join(FILES)) else { return false };
    // If the time cannot be written, the sysroot may be removed, and then compiled again.
    let _ = File::options().write(true).open(sysroot.join(FILES)).and_then(|file| file.set_modified(SystemTime::now()));
    !names.is_empty() && names.lines().all(|name| sysroot.join(name).is_file())
}

/// Removes sysroots that no build has used for a long time, and folders of builds that were killed. Ignores errors: they only cost space.
fn remove_unused(parent: &Path) {
    let is_older = |path: &Path, than: Duration| {
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > than))
    };
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_killed = entry.file_name().to_string_lossy().starts_with(SCRATCH) && is_older(&path, KILLED);
        if path.is_dir() && (is_killed || is_older(&path.join(FILES), UNUSED)) {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_folders_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str, age: Duration| {
            let dir = parent.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            std::fs::write(dir.join("core"), "").unwrap();
            std::fs::write(dir.join(FILES), "core\n").unwrap();
            for path in [dir.join(FILES), dir.clone()] {
                File::options().read(true).open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
            }
            dir
        };
        let minute = Duration::from_secs(60);
        let dirs =
            [make("old", UNUSED + minute), make("new", UNUSED - minute), make("making-a", KILLED + minute), make("making-b", minute)];
        remove_unused(parent.path());
        assert_eq!(dirs.each_ref().map(|dir| dir.exists()), [false, true, false, true]);
    }

    #[test]
    fn a_sysroot_that_lacks_a_file_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_whole(dir.path()));
        std::fs::write(dir.path().join(FILES), "core\nstd\n").unwrap();
        std::fs::write(dir.path().join("core"), "").unwrap();
        assert!(!is_whole(dir.path()));
        std::fs::write(dir.path().join("std"), "").unwrap();
        let old = SystemTime::now() - UNUSED;
        File::options().write(true).open(dir.path().join(FILES)).unwrap().set_modified(old).unwrap();
        assert!(is_whole(dir.path()));
        assert!(dir.path().join(FILES).metadata().unwrap().modified().unwrap() > old);
    }

    #[test]
    fn the_first_writable_folder_is_taken() {
        let parent = tempfile::tempdir().unwrap();
        std::fs::write(parent.path().join("file"), "").unwrap();
        let [none, some] = ["file/std", "folder/std"].map(|name| parent.path().join(name));
        assert_eq!(writable([none.clone(), some.clone()].into_iter()).unwrap(), some);
        assert!(writable([none].into_iter()).is_err());
    }
}

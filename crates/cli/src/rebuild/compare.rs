//! Compares the files of a module with the result of building its source.

use super::result::{FileResult, Package};
use crate::bind::TRANSLATED_FILE;
use crate::diag::Result;
use crate::provenance::sha256;
use crate::target::{Arch, Target};
use crate::verify::GO_FILE;
use crate::write::{self, Folder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The digests of a module's files by folder and name. The files are read before the first build, because build scripts run as the user and could
/// change the files.
pub struct Originals {
    folders: BTreeMap<PathBuf, BTreeMap<String, String>>,
}

impl Originals {
    /// Reads the files at `root` and below.
    ///
    /// # Errors
    /// [`crate::diag::ErrorCode::Request`] if a folder or file cannot be read.
    pub fn read(root: &Path) -> Result<Originals> {
        let mut folders = BTreeMap::new();
        let mut queue = vec![root.to_owned()];
        while let Some(dir) = queue.pop() {
            let mut files = BTreeMap::new();
            let cannot = |path: &Path, error: &std::io::Error| super::refuse(format!("{}: {error}", path.display()));
            for entry in std::fs::read_dir(&dir).map_err(|error| cannot(&dir, &error))? {
                let path = entry.map_err(|error| cannot(&dir, &error))?.path();
                if path.is_file() {
                    let bytes = std::fs::read(&path).map_err(|error| cannot(&path, &error))?;
                    files.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), sha256(&bytes));
                } else if path.is_dir() && !path.is_symlink() && !write::is_left_out(&path) {
                    queue.push(path);
                }
            }
            folders.insert(dir, files);
        }
        Ok(Originals { folders })
    }

    /// Returns the name of a file or folder below `root` that differs from `self`, is missing or is new.
    ///
    /// # Errors
    /// The errors of [`Originals::read`].
    pub fn changed(&self, root: &Path) -> Result<Option<String>> {
        let now = Originals::read(root)?;
        let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
        for dir in self.folders.keys().chain(now.folders.keys()) {
            let (Some(before), Some(now)) = (self.folders.get(dir), now.folders.get(dir)) else { return Ok(Some(shown(dir))) };
            if let Some(name) = before.keys().chain(now.keys()).find(|name| before.get(*name) != now.get(*name)) {
                return Ok(Some(shown(&dir.join(name))));
            }
        }
        Ok(None)
    }

    /// Replaces the recorded digest of a file by the digest of its present contents.
    ///
    /// # Errors
    /// The errors of [`Originals::read`].
    pub fn accept(&mut self, dir: &Path, name: &str) -> Result<()> {
        let path = dir.join(name);
        let bytes = std::fs::read(&path).map_err(|error| super::refuse(format!("{}: {error}", path.display())))?;
        self.folders.entry(dir.to_owned()).or_default().insert(name.to_owned(), sha256(&bytes));
        Ok(())
    }

    /// Returns the bytes of a file. `None` if the file did not exist before the first build. An error text if the file has changed since then.
    fn bytes(&self, dir: &Path, name: &str) -> Option<std::result::Result<Vec<u8>, String>> {
        let digest = self.folders.get(dir)?.get(name)?;
        let bytes = std::fs::read(dir.join(name)).ok().filter(|bytes| sha256(bytes) == *digest);
        Some(bytes.ok_or_else(|| "changed while the source was built".to_owned()))
    }

    /// Compares the files of a folder with the files that were built. `dir` is the folder in the module, `folder` has the built files, `all` are the
    /// architectures of the package, and `built` the architectures that were built. Adds files that cannot be compared without the other
    /// architectures to `package.skipped`, and hand-written files to `package.foreign`.
    pub fn compare(&self, dir: &Path, folder: &Folder, all: &[Arch], built: &[Arch], package: &mut Package) -> Vec<FileResult> {
        let is_own = folder.shown.is_empty();
        let is_whole = all.len() == built.len();
        let mut results = Vec::new();
        for (name, made) in &folder.files {
            let shown = format!("{}{name}", folder.shown);
            let difference = match self.bytes(dir, name) {
                None => Some("is missing".to_owned()),
                Some(Err(problem)) => Some(problem),
                Some(Ok(there)) if is_whole || !is_own || name.ends_with(".s") => difference(&there, made),
                Some(Ok(there)) if [GO_FILE, TRANSLATED_FILE].contains(&name.as_str()) => {
                    difference(&without_architectures(&there, all), &without_architectures(made, built))
                }
                Some(Ok(_)) => {
                    package.skipped.push(name.clone());
                    continue;
                }
            };
            results.push(FileResult { name: shown, difference });
        }
        let left_out: Vec<String> =
            all.iter().filter(|arch| !built.contains(arch)).map(|&arch| Target::baseline(arch).file_name()).collect();
        for name in self.folders.get(dir).into_iter().flat_map(BTreeMap::keys) {
            if folder.files.contains_key(name) || is_own && left_out.contains(name) {
                continue;
            }
            if let Some(problem) = write::misplaced(folder, dir, name) {
                results.push(FileResult { name: format!("{}{name}", folder.shown), difference: Some(problem.to_owned()) });
            } else if is_own && write::is_go_source(name) && !name.ends_with("_test.go") {
                package.foreign.push(name.clone());
            }
        }
        results
    }
}

fn difference(there: &[u8], made: &[u8]) -> Option<String> {
    let found = write::first_difference(there, made)?;
    Some(format!("line {} is `{}`, and the source gives `{}`", found.line, found.old, found.new))
}

/// Returns a Go file without the parts that depend on the set of architectures: the comments of its header are removed, and one word replaces the
/// architectures in its build constraint. Everything else above the package clause stays, because another constraint could exclude the file from
/// builds.
fn without_architectures(bytes: &[u8], arches: &[Arch]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let (header, rest) = text.find("\npackage ").map_or((&*text, ""), |at| text.split_at(at + 1));
    let list = arches.iter().map(|arch| arch.goarch()).collect::<Vec<_>>().join(" || ");
    let is_comment = |line: &str| line == "//" || line.strip_prefix("// ").is_some_and(|text| !text.trim_start().starts_with("+build"));
    let mut kept = String::new();
    for line in header.lines().filter(|line| !line.is_empty() && !is_comment(line)) {
        match line.starts_with("//go:build ") {
            true => kept += &line.replace(&format!("({list})"), "ARCHITECTURES").replace(&list, "ARCHITECTURES"),
            false => kept += line,
        }
        kept.push('\n');
    }
    (kept + rest).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_compared_without_the_architectures() {
        let of = |text: &str, arches: &[Arch]| String::from_utf8(without_architectures(text.as_bytes(), arches)).unwrap();
        let (both, one) = ([Arch::Amd64, Arch::Arm64], [Arch::Amd64]);
        let rest = "package p\n\nvar X int\n";
        for (all, only) in [
            ("amd64 || arm64", "amd64"),
            ("(amd64 || arm64) && !purego", "amd64 && !purego"),
            ("purego || !(amd64 || arm64)", "purego || !amd64"),
        ] {
            let there = of(&format!("// x (amd64)\n// y (arm64)\n\n//go:build {all}\n\n{rest}"), &both);
            assert_eq!(there, of(&format!("// x\n\n//go:build {only}\n\n{rest}"), &one));
            assert!(there.ends_with(&format!("\n{rest}")) && there.contains("ARCHITECTURES"), "{there}");
        }
        let made = of(&format!("// x\n\n//go:build amd64\n\n{rest}"), &one);
        for header in [
            "//go:build never",
            "//go:build (amd64 || arm64) && never",
            "//go:build arm64",
            "//go:build amd64 || arm64\n\n// +build never",
            "//go:build amd64 || arm64\n\n/*\npackage x\n*/",
            "\u{feff}//go:build amd64 || arm64",
        ] {
            assert_ne!(of(&format!("// x\n\n{header}\n\n{rest}"), &both), made, "{header}");
        }
    }

    #[test]
    fn changes_of_copies_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir(root.join("a")).unwrap();
        std::fs::write(root.join("a/b"), "1").unwrap();
        let mut originals = Originals::read(root).unwrap();
        assert_eq!(originals.changed(root).unwrap(), None);
        std::fs::write(root.join("a/b"), "2").unwrap();
        assert_eq!(originals.changed(root).unwrap().as_deref(), Some("a/b"));
        originals.accept(&root.join("a"), "b").unwrap();
        std::fs::write(root.join("a/c"), "").unwrap();
        assert_eq!(originals.changed(root).unwrap().as_deref(), Some("a/c"));
        std::fs::remove_file(root.join("a/c")).unwrap();
        // A target folder, as cargo makes it.
        std::fs::create_dir(root.join("target")).unwrap();
        std::fs::write(root.join("target/CACHEDIR.TAG"), "").unwrap();
        assert_eq!(originals.changed(root).unwrap(), None);
        // In a folder of sources, a new CACHEDIR.TAG is a change, although new folders with this file are skipped.
        std::fs::write(root.join("a/CACHEDIR.TAG"), "").unwrap();
        assert_eq!(originals.changed(root).unwrap().as_deref(), Some("a"));
    }

    #[test]
    fn originals_are_read_before_the_build() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("rustgo.go"), "evil\n").unwrap();
        let originals = Originals::read(dir.path()).unwrap();
        let folder =
            Folder { dir: dir.path().to_owned(), shown: String::new(), files: [("rustgo.go".to_owned(), b"good\n".to_vec())].into() };
        let compared = || {
            let results = originals.compare(dir.path(), &folder, &[Arch::Amd64], &[Arch::Amd64], &mut Package::default());
            results.into_iter().map(|file| file.difference).collect::<Vec<_>>()
        };
        assert_eq!(compared(), [Some("line 1 is `evil`, and the source gives `good`".to_owned())]);
        // A build script of the module replaces the file by the file that the source gives.
        std::fs::write(dir.path().join("rustgo.go"), "good\n").unwrap();
        assert_eq!(compared(), [Some("changed while the source was built".to_owned())]);
    }
}

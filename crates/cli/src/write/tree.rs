//! Creates, copies and moves folders, and replaces texts in a folder. If a creation or move fails, it has changed nothing.

use super::{Folder, refuse_path};
use crate::diag::{Failure, Result};
use crate::process;
use std::io;
use std::path::{Path, PathBuf};

/// Creates the folder `dir` with files of these names and texts. Names have `/` between folders. Before the call, `dir` must be missing or empty.
///
/// # Errors
/// [`crate::diag::ErrorCode::Output`] if the folder cannot be created. After an error, all files are as before.
pub fn make_tree(dir: &Path, files: &[(String, String)]) -> Result<()> {
    process::uninterrupted(|| make(dir, files).map_err(|error| Failure::from(refuse_path(dir, &error))))
}

/// Returns true for folders that [`copy_tree`] leaves out: folders of version control, and build folders, which contain the file `CACHEDIR.TAG`.
pub fn is_left_out(dir: &Path) -> bool {
    let is_repository = [".git", ".hg", ".jj", ".svn"].iter().any(|name| dir.ends_with(name));
    is_repository || dir.join("CACHEDIR.TAG").exists()
}

/// Copies a folder with its files and subfolders, except the folders that are [left out](is_left_out).
///
/// # Errors
/// [`crate::diag::ErrorCode::Output`] if a file cannot be read or written.
pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    let refuse = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| Failure::from(refuse_path(&path, &error))
    };
    std::fs::create_dir_all(to).map_err(refuse(to))?;
    for entry in std::fs::read_dir(from).map_err(refuse(from))? {
        let entry = entry.map_err(refuse(from))?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(refuse(&path))?.is_dir() {
            if !is_left_out(&path) {
                copy_tree(&path, &copy)?;
            }
        } else if path.is_file() {
            // Do not copy the permissions, because files in Go's module cache are read-only.
            let bytes = std::fs::read(&path).map_err(refuse(&path))?;
            std::fs::write(&copy, bytes).map_err(refuse(&copy))?;
        }
    }
    Ok(())
}

/// Renames the finished folder `made` to `dir`. Both paths must be in the same file system. Also writes the files of the folders `outside`, which are
/// not in `dir`.
///
/// If `dir` exists, the content of `made` moves into `dir`, and every file of `dir` stays. If both folders have a file of the same name, the file
/// from `made` gets the suffix [`BESIDE`] in `dir`. But this file stays in `made` if the two files are equal, or if `is_common` returns true for the
/// name. Returns the names of the files of `dir` beside which a file with this suffix was put.
///
/// # Errors
/// [`crate::diag::ErrorCode::Output`] if something cannot be renamed or a file cannot be written. After an error, all files are as before.
pub fn adopt(made: &Path, dir: &Path, is_common: impl Fn(&str) -> bool, outside: &[Folder]) -> Result<Vec<String>> {
    process::uninterrupted(|| {
        let mut moved = Moved::default();
        let stayed = moved.all(made, dir, is_common).map_err(|error| Failure::from(refuse_path(dir, &error)));
        // Write `outside` last. If its files are refused, the renamings are undone.
        let all = stayed.and_then(|stayed| super::write(outside).map(|_| stayed));
        all.inspect_err(|_| moved.undo())
    })
}

/// The suffix that [`adopt`] adds to the name of a new file if another file already has this name.
pub const BESIDE: &str = ".new";

/// Renamed files and folders, as pairs of the old and the new path.
#[derive(Default)]
struct Moved(Vec<(PathBuf, PathBuf)>);

impl Moved {
    /// Moves the folder `made` to `dir`, or moves its content into `dir` if `dir` exists.
    fn all(&mut self, made: &Path, dir: &Path, is_common: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
        let mut stayed = Vec::new();
        if !dir.exists() {
            self.one(made, dir)?;
            return Ok(stayed);
        }
        let mut names = std::fs::read_dir(made)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        for name in names {
            let (from, to) = (made.join(&name), dir.join(&name));
            if !to.exists() {
                self.one(&from, &to)?;
            } else if !to.is_file() || !from.is_file() {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} already exists", to.display())));
            } else if !is_common(&name.to_string_lossy()) && std::fs::read(&from)? != std::fs::read(&to)? {
                self.one(&from, &to.with_added_extension(BESIDE.trim_start_matches('.')))?;
                stayed.push(name.to_string_lossy().into_owned());
            }
        }
        Ok(stayed)
    }

    fn one(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        // Without this check, the renaming would replace the file `to`.
        if to.exists() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} already exists", to.display())));
        }
        std::fs::rename(from, to)?;
        self.0.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn undo(self) {
        self.0.iter().rev().for_each(|(from, to)| drop(std::fs::rename(to, from)));
    }
}

/// Replaces the texts of files in `dir`. Each replacement is atomic. Names have `/` between folders.
///
/// # Errors
/// [`crate::diag::ErrorCode::Output`] for the first file that cannot be written.
pub fn replace_texts(dir: &Path, files: &[(String, String)]) -> Result<()> {
    let replace = |name: &str, text: &str| {
        let path = dir.join(name);
        let staged = path.with_added_extension("rustgo");
        std::fs::write(&staged, text).and_then(|()| std::fs::rename(&staged, &path)).inspect_err(|_| drop(std::fs::remove_file(&staged)))
    };
    process::uninterrupted(|| {
        files.iter().try_for_each(|(name, text)| replace(name, text).map_err(|error| Failure::from(refuse_path(&dir.join(name), &error))))
    })
}

/// Writes the files to a temporary folder next to `dir`. Then moves this folder to `dir`.
fn make(dir: &Path, files: &[(String, String)]) -> io::Result<()> {
    let parent = dir.parent().unwrap_or(dir);
    let missing: Vec<&Path> = parent.ancestors().take_while(|dir| !dir.exists()).collect();
    let made = std::fs::create_dir_all(parent).and_then(|()| {
        let staged = tempfile::Builder::new().prefix(".rustgo-new-").tempdir_in(parent)?;
        let tree = staged.path().join("tree");
        for (name, text) in files {
            let path = tree.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&tree))?;
            std::fs::write(path, text)?;
        }
        let mut moved = Moved::default();
        moved.all(&tree, dir, |_| false).map(drop).inspect_err(|_| moved.undo())
    });
    if made.is_err() {
        missing.iter().for_each(|dir| drop(std::fs::remove_dir(dir)));
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_made_whole_or_not_at_all() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("file"), "text").unwrap();
        assert!(make(&root.path().join("file/hash"), &[("a".into(), "b\n".into())]).is_err());
        // The second file needs a folder with the name of the first file, so it cannot be written.
        let files = [("a".to_owned(), "b\n".to_owned()), ("a/c".to_owned(), "d\n".to_owned())];
        assert!(make(&root.path().join("new/hash"), &files).is_err());
        let names: Vec<_> = std::fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["file"]);

        let files = [("a".to_owned(), "b\n".to_owned()), ("c/d".to_owned(), "e\n".to_owned())];
        std::fs::create_dir(root.path().join("empty")).unwrap();
        for name in ["new/hash", "empty"] {
            make(&root.path().join(name), &files).unwrap();
            assert_eq!(std::fs::read_to_string(root.path().join(name).join("c/d")).unwrap(), "e\n");
        }
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 3);
    }
}

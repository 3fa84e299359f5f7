//! Writes verified files to the Go package's folder, and copied run-time packages to their folders. Either all files are written or none.
//!
//! New contents are first written durably to hidden files next to the old files. Then the hidden files are renamed, which needs no further space. If
//! a renaming fails, the earlier renamings are undone. Files that would not change are not written, so that build systems see no change. Files that
//! rustgo did not write are never replaced.

use crate::diag::{Diagnostic, ErrorCode, Failure, Place, Result};
use crate::gosrc;
use crate::process;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

mod compiler;
mod extra;
mod tree;

pub use extra::{file_names, is_go_source, misplaced};
pub use tree::{BESIDE, adopt, copy_tree, is_left_out, make_tree, replace_texts};

/// The name of the file with the package's provenance ([`crate::provenance`]).
pub const PROVENANCE: &str = "rustgo.provenance.json";

/// The contents of files by file name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A folder, and the files that it should contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The folder's path, absolute or relative to the current folder. The folder is created if it is missing.
    pub dir: PathBuf,
    /// The prefix of the folder's file names in messages and in the provenance: empty for the package's folder, and the path in the module for the
    /// copy of a run-time package, such as `internal/rustgo/rt/`.
    pub shown: String,
    pub files: Files,
}

/// The result of writing, with the names of files as in messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub written: Vec<String>,
    pub unchanged: Vec<String>,
    /// Files that an earlier build generated and this build does not generate, for example for an architecture that the package no longer has. These
    /// files are not removed.
    pub left_over: Vec<String>,
}

/// A file whose contents must change.
struct Change<'a> {
    folder: &'a Path,
    name: &'a str,
    bytes: &'a [u8],
    /// True if a file of this name exists.
    exists: bool,
}

/// Writes the files of all `folders`.
///
/// # Errors
/// [`ErrorCode::Output`] if a folder cannot be used, or if a file that rustgo did not write has the name of a generated file. After an error, all
/// files are as before.
pub fn write(folders: &[Folder]) -> Result<Written> {
    let mut done = Written::default();
    let (mut changes, mut foreign) = (Vec::new(), Vec::new());
    for folder in folders {
        let old = read_old(&folder.dir, &folder.files)?;
        foreign.extend(old.iter().filter(|(_, bytes)| !is_ours(bytes)).map(|(name, _)| refuse_foreign(&folder.dir, name)));
        for (name, bytes) in &folder.files {
            let (old, shown) = (old.get(name), format!("{}{name}", folder.shown));
            if old == Some(bytes) {
                done.unchanged.push(shown);
            } else {
                done.written.push(shown);
                changes.push(Change { folder: &folder.dir, name, bytes, exists: old.is_some() });
            }
        }
    }
    if !foreign.is_empty() {
        return Err(Failure::Refused(foreign));
    }
    if !changes.is_empty() {
        process::uninterrupted(|| put_in_place(&changes))?;
    }
    done.left_over = folders.iter().flat_map(left_over).collect();
    Ok(done)
}

/// Creates missing folders and replaces the files. After an error, all files are as before.
fn put_in_place(changes: &[Change<'_>]) -> Result<()> {
    let mut made = Vec::new();
    let mut attempt = || {
        for change in changes {
            make_dir(change.folder, &mut made).map_err(|error| refuse_folder(change.folder, &error))?;
        }
        replace(changes, |staged, path| staged.persist(path).map_err(|error| error.error))
    };
    attempt().map_err(|refused| {
        made.iter().rev().for_each(|dir| drop(std::fs::remove_dir(dir)));
        refused.into()
    })
}

/// Compares `folders` with the files on disk. Reports the first differing line of each file.
///
/// # Errors
/// [`ErrorCode::Stale`] for each file that differs, is missing, is no longer generated, or must not be beside the generated files. If another rustc
/// compiled the committed files, the error reports this compiler instead of the differences in contents.
pub fn compare(folders: &[Folder]) -> Result<()> {
    let mut stale = Vec::new();
    for folder in folders {
        compare_folder(folder, &mut stale)?;
    }
    if stale.is_empty() {
        return Ok(());
    }
    for diagnostic in &mut stale {
        diagnostic.hint.get_or_insert_with(|| "run rustgo build and commit what it writes".into());
    }
    Err(Failure::Refused(stale))
}

fn compare_folder(folder: &Folder, stale: &mut Vec<Diagnostic>) -> Result<()> {
    let Folder { dir: out, shown, files } = folder;
    let old = read_old(out, files)?;
    let other = compiler::differences(out, &old, files);
    let other_compiler = !other.is_empty();
    stale.extend(other);
    // The provenance contains the digests of the other files, so it differs whenever another file differs. Compare it last, and only if no other file
    // differs.
    let last = files.get_key_value(PROVENANCE);
    for (name, new) in files.iter().filter(|(name, _)| *name != PROVENANCE).chain(last) {
        if name == PROVENANCE && !stale.is_empty() {
            continue;
        }
        let Some(old) = old.get(name) else {
            stale.push(Diagnostic::new(ErrorCode::Stale, format!("{shown}{name} is missing")));
            continue;
        };
        // Another rustc makes other code, so differences in the code do not show that the committed files are out of date.
        if let Some(difference) = first_difference(old, new).filter(|_| !other_compiler) {
            let at = Place {
                function: String::new(),
                file: Some(out.join(name).display().to_string()),
                line: Some(difference.line),
                ..Place::default()
            };
            stale.push(
                Diagnostic::new(ErrorCode::Stale, format!("{shown}{name} is not what the source gives: line {} differs", difference.line))
                    .at(at)
                    .note(format!("committed: {}\nthe source gives: {}", difference.old, difference.new)),
            );
        }
    }
    let old = left_over(folder);
    for name in file_names(out) {
        let shown = format!("{shown}{name}");
        let problem = match old.contains(&shown) {
            true => Some("is no longer made from the source"),
            false => misplaced(folder, out, &name),
        };
        stale.extend(problem.map(|problem| Diagnostic::new(ErrorCode::Stale, format!("{shown} {problem}")).hint("remove it")));
    }
    Ok(())
}

/// The first line in which two texts differ.
pub struct Difference {
    /// The line's number, counted from 1.
    pub line: u32,
    pub old: String,
    pub new: String,
}

/// Returns the first line in which two texts differ. `None` if they are equal.
pub fn first_difference(old: &[u8], new: &[u8]) -> Option<Difference> {
    if old == new {
        return None;
    }
    let show = |line: Option<&[u8]>| match line {
        // A generated line can be very long, so show only its beginning. The difference may be after the beginning, but the message also has the line
        // number.
        Some(line) => String::from_utf8_lossy(line).trim_end().chars().take(160).collect(),
        None => "(the end of the file)".to_owned(),
    };
    let (mut old, mut new) = (old.split_inclusive(|byte| *byte == b'\n'), new.split_inclusive(|byte| *byte == b'\n'));
    let mut line = 1;
    loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (a, b) if a == b => line += 1,
            (a, b) => return Some(Difference { line, old: show(a), new: show(b) }),
        }
    }
}

/// Reads the current contents of these files. Missing files are left out.
fn read_old(out: &Path, files: &Files) -> Result<Files> {
    if out.exists() && !out.is_dir() {
        return Err(Diagnostic::new(ErrorCode::Output, format!("{} is not a folder", out.display()))
            .hint("name the Go package's folder with --out DIR")
            .into());
    }
    let mut old = Files::new();
    for name in files.keys() {
        match std::fs::read(out.join(name)) {
            Ok(bytes) => drop(old.insert(name.clone(), bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refuse_folder(&out.join(name), &error).into()),
        }
    }
    Ok(old)
}

fn is_ours(bytes: &[u8]) -> bool {
    // Search only the top of the file for the header, because the file can have megabytes of assembly.
    let top = String::from_utf8_lossy(&bytes[..bytes.len().min(8192)]);
    gosrc::is_generated(&top) || gosrc::is_generated_json(&top)
}

/// Lists Go and assembly files that rustgo wrote to the folder earlier and that are not in `folder.files`. In a package's own folder, only files
/// whose names begin with rustgo count.
fn left_over(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(&folder.dir).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_candidate = |name: &String| {
        let source = name.ends_with(".go") || name.ends_with(".s");
        source && (!folder.shown.is_empty() || name.starts_with("rustgo")) && !folder.files.contains_key(name)
    };
    let is_generated = |name: &String| std::fs::read(folder.dir.join(name)).is_ok_and(|bytes| is_ours(&bytes));
    let names = names.filter(|name| is_candidate(name) && is_generated(name));
    let mut names: Vec<String> = names.map(|name| format!("{}{name}", folder.shown)).collect();
    names.sort();
    names
}

/// Creates the folder and all missing folders above it. Adds the created folders to `made`, the outermost first.
fn make_dir(dir: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut missing: Vec<PathBuf> = dir.ancestors().take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
    missing.reverse();
    made.extend(missing);
    std::fs::create_dir_all(dir)
}

/// Moves the new contents of the changed files to their place with `put`. After an error, all files are as before.
fn replace(changes: &[Change<'_>], mut put: impl FnMut(TempPath, &Path) -> io::Result<()>) -> std::result::Result<(), Diagnostic> {
    // Do everything that can fail for lack of space or permission before the first file is replaced.
    let mut staged = Vec::new();
    for change in changes {
        let path = change.folder.join(change.name);
        let refuse = |error| refuse_folder(change.folder, &error);
        let backup = change.exists.then(|| back_up(change.folder, &path)).transpose().map_err(refuse)?;
        staged.push((stage(change.folder, change.bytes, &path).map_err(refuse)?, backup, path, change.folder));
    }
    let mut done: Vec<(Option<TempPath>, PathBuf)> = Vec::new();
    for (new, backup, path, folder) in staged {
        if let Err(error) = put(new, &path) {
            for (backup, path) in done.into_iter().rev() {
                // Ignore an error of undoing, because the first error is reported.
                let _ = match backup {
                    Some(backup) => backup.persist(&path).map_err(|error| error.error),
                    None => std::fs::remove_file(&path),
                };
            }
            return Err(refuse_folder(folder, &error));
        }
        done.push((backup, path));
    }
    changes.chunk_by(|a, b| a.folder == b.folder).for_each(|changes| sync_dir(changes[0].folder));
    Ok(())
}

/// Writes new contents durably to a hidden file next to `path`. The name of the hidden file begins with a dot, so Go's tools ignore it.
fn stage(out: &Path, bytes: &[u8], path: &Path) -> io::Result<TempPath> {
    let mut file = hidden(out)?;
    file.write_all(bytes)?;
    if let Ok(metadata) = std::fs::metadata(path) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file.into_temp_path())
}

/// Makes a backup of the current file: a hard link, or a copy if the file system has no hard links.
fn back_up(out: &Path, path: &Path) -> io::Result<TempPath> {
    let backup = hidden(out)?.into_temp_path();
    std::fs::remove_file(&backup)?;
    if std::fs::hard_link(path, &backup).is_err() {
        std::fs::copy(path, &backup)?;
    }
    Ok(backup)
}

fn hidden(out: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rustgo-").suffix(".tmp");
    // Request mode 0666, so that the user's umask decides who may read source files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(out)
}

/// Makes the renamings durable if the system can sync a folder. Even without this, each renaming is atomic.
fn sync_dir(out: &Path) {
    if let Ok(dir) = std::fs::File::open(out) {
        let _ = dir.sync_all();
    }
}

fn refuse_folder(path: &Path, error: &io::Error) -> Diagnostic {
    refuse_path(path, error).hint("name a folder that can be written with --out DIR")
}

/// Returns the refusal of a path for commands without `--out`.
fn refuse_path(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::new(ErrorCode::Output, format!("{}: {error}", path.display()))
}

fn refuse_foreign(out: &Path, name: &str) -> Diagnostic {
    Diagnostic::new(ErrorCode::Output, format!("{} was not written by rustgo and will not be replaced", out.join(name).display()))
        .hint("rename it, or name another folder with --out DIR")
}

#[cfg(test)]
mod tests;

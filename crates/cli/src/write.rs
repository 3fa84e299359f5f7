//! Verified files → the Go package's folder: all of them or none.
//!
//! New contents are written beside the old under hidden names, made durable, and only then put in place by renaming, which
//! cannot run out of space. If one renaming fails, those before it are undone. Files that would not change are not touched,
//! so that build systems see nothing new; files that are not ours are never touched.

use crate::diag::{Code, Diagnostic, Failure, Place, Result};
use crate::gosrc;
use crate::process;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

mod compiler;

/// File name → contents.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub written: Vec<String>,
    pub unchanged: Vec<String>,
    /// Generated files in the folder that are no longer made, e.g. of an architecture that was given up. They are left there.
    pub left_over: Vec<String>,
}

/// Writes `files` into the folder `out`, made if it is missing.
///
/// # Errors
/// [`Code::Output`] where the folder cannot be used or holds a file of one of the names that rustgo did not write; nothing
/// has changed then.
pub fn write(out: &Path, files: &Files) -> Result<Written> {
    let old = read_old(out, files)?;
    let foreign: Vec<Diagnostic> = old.iter().filter(|(_, bytes)| !is_ours(bytes)).map(|(name, _)| refuse_foreign(out, name)).collect();
    if !foreign.is_empty() {
        return Err(Failure::Refused(foreign));
    }
    let (changed, unchanged): (Vec<&String>, Vec<&String>) = files.keys().partition(|name| old.get(*name) != files.get(*name));
    if !changed.is_empty() {
        process::uninterrupted(|| {
            let made = make_dir(out).map_err(|error| refuse_folder(out, &error))?;
            replace(out, files, &changed, &old, |staged, path| staged.persist(path).map_err(|error| error.error)).map_err(|error| {
                made.iter().for_each(|dir| drop(std::fs::remove_dir(dir)));
                Failure::from(refuse_folder(out, &error))
            })
        })?;
    }
    let own = |names: Vec<&String>| names.into_iter().cloned().collect();
    Ok(Written { written: own(changed), unchanged: own(unchanged), left_over: left_over(out, files) })
}

/// Are the files in `out` these files, and no generated ones besides? Says which differs first and in which line.
///
/// # Errors
/// [`Code::Stale`] for each file that differs, is missing, or is no longer made; where another rustc made the files, that alone.
pub fn compare(out: &Path, files: &Files) -> Result<()> {
    let old = read_old(out, files)?;
    let mut stale = compiler::differences(out, &old, files);
    let other_compiler = !stale.is_empty();
    for (name, new) in files {
        let Some(old) = old.get(name) else {
            stale.push(Diagnostic::new(Code::Stale, format!("{name} is missing")));
            continue;
        };
        // Another rustc makes other code: what else may differ is not known.
        if let Some(difference) = first_difference(old, new).filter(|_| !other_compiler) {
            let at = Place { function: String::new(), file: Some(out.join(name).display().to_string()), line: Some(difference.line) };
            stale.push(
                Diagnostic::new(Code::Stale, format!("{name} is not what the source gives: line {} differs", difference.line))
                    .at(at)
                    .note(format!("committed: {}\nthe source gives: {}", difference.old, difference.new)),
            );
        }
    }
    for name in left_over(out, files) {
        stale.push(Diagnostic::new(Code::Stale, format!("{name} is no longer made from the source")).hint("remove it"));
    }
    if stale.is_empty() {
        return Ok(());
    }
    for diagnostic in &mut stale {
        diagnostic.hint.get_or_insert_with(|| "run rustgo build and commit what it writes".into());
    }
    Err(Failure::Refused(stale))
}

/// The first line in which two texts differ.
struct Difference {
    /// Counted from one.
    line: u32,
    old: String,
    new: String,
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<Difference> {
    if old == new {
        return None;
    }
    let show = |line: Option<&[u8]>| match line {
        // A generated line can be very long: what differs may lie further on, but the place is known.
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

/// What is in the folder under the names of `files`.
fn read_old(out: &Path, files: &Files) -> Result<Files> {
    if out.exists() && !out.is_dir() {
        return Err(Diagnostic::new(Code::Output, format!("{} is not a folder", out.display()))
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
    // The header stands at the top: the rest may be megabytes of assembly.
    gosrc::is_generated(&String::from_utf8_lossy(&bytes[..bytes.len().min(8192)]))
}

/// Files in the folder that rustgo once wrote and that are not of this set.
fn left_over(out: &Path, files: &Files) -> Vec<String> {
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let candidate =
        |name: &String| name.starts_with("rustgo") && (name.ends_with(".go") || name.ends_with(".s")) && !files.contains_key(name);
    let mut names: Vec<String> =
        names.filter(candidate).filter(|name| std::fs::read(out.join(name)).is_ok_and(|bytes| is_ours(&bytes))).collect();
    names.sort();
    names
}

/// Makes the folder and those above it; returns those that were missing, the innermost first.
fn make_dir(out: &Path) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<PathBuf> = out.ancestors().take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
    std::fs::create_dir_all(out)?;
    Ok(missing)
}

/// Puts the changed files in place with `put`, or leaves everything as it was.
fn replace(
    out: &Path,
    files: &Files,
    changed: &[&String],
    old: &Files,
    mut put: impl FnMut(TempPath, &Path) -> io::Result<()>,
) -> io::Result<()> {
    // First everything that can fail for want of space or rights.
    let mut staged = Vec::new();
    for &name in changed {
        let path = out.join(name);
        let backup = old.contains_key(name).then(|| back_up(out, &path)).transpose()?;
        staged.push((stage(out, &files[name], &path)?, backup, path));
    }
    let mut done: Vec<(Option<TempPath>, PathBuf)> = Vec::new();
    for (new, backup, path) in staged {
        if let Err(error) = put(new, &path) {
            for (backup, path) in done.into_iter().rev() {
                // The reason that counts is the first one.
                let _ = match backup {
                    Some(backup) => backup.persist(&path).map_err(|error| error.error),
                    None => std::fs::remove_file(&path),
                };
            }
            return Err(error);
        }
        done.push((backup, path));
    }
    sync_dir(out);
    Ok(())
}

/// Writes new contents beside the file they are for, durable. Go's tools ignore names that begin with a dot.
fn stage(out: &Path, bytes: &[u8], path: &Path) -> io::Result<TempPath> {
    let mut file = hidden(out)?;
    file.write_all(bytes)?;
    if let Ok(metadata) = std::fs::metadata(path) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file.into_temp_path())
}

/// A second name for what is there now, or a copy where the file system has no second names.
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
    // Source files, readable as the user's umask allows, not secrets.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(out)
}

/// Makes the renamings durable where a folder can be synchronised; they are atomic in any case.
fn sync_dir(out: &Path) {
    if let Ok(dir) = std::fs::File::open(out) {
        let _ = dir.sync_all();
    }
}

fn refuse_folder(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::new(Code::Output, format!("{}: {error}", path.display())).hint("name a folder that can be written with --out DIR")
}

fn refuse_foreign(out: &Path, name: &str) -> Diagnostic {
    Diagnostic::new(Code::Output, format!("{} was not written by rustgo and will not be replaced", out.join(name).display()))
        .hint("rename it, or name another folder with --out DIR")
}

#[cfg(test)]
mod tests;

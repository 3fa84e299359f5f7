//! Folders of cases with rooms. A room is a subfolder for one subject. The cases of arm64 are in the subfolder `aarch64`, with rooms of their own.

use super::{entries, stem};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The rooms of a folder, sorted.
pub fn of(dir: &Path) -> Vec<PathBuf> {
    entries(dir).into_iter().filter(|path| path.is_dir() && !path.ends_with("aarch64")).collect()
}

/// The cases in all rooms of a folder whose names have one of these extensions, sorted by name. Panics if a file is outside of the rooms, or if two
/// cases have the same name.
pub fn cases(dir: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let cases = find(dir, extensions).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(!cases.is_empty(), "{} has no cases", dir.display());
    cases
}

/// The room is not part of a test's name, so names must differ between rooms.
fn find(dir: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    if let Some(file) = entries(dir).iter().find(|path| path.is_file()) {
        return Err(format!("{}: cases are in subfolders by subject", file.display()));
    }
    let is_case = |path: &PathBuf| path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension));
    let mut cases: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in of(dir).iter().flat_map(|room| entries(room)).filter(is_case) {
        if let Some(other) = cases.insert(stem(&path), path.clone()) {
            return Err(format!("two cases have the same name: {} and {}", other.display(), path.display()));
        }
    }
    Ok(cases.into_values().collect())
}

crate::tests!(cases_of_all_rooms_are_sorted_by_name, files_outside_of_rooms_and_equal_names_are_errors);

/// Creates a folder with these files.
fn folder(files: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a scratch folder");
    files.iter().for_each(|file| super::write(&dir.path().join(file), ""));
    dir
}

fn cases_of_all_rooms_are_sorted_by_name() {
    let dir = folder(&["stack/b.s", "stack/b.txt", "data/c.rs", "data/a.s", "aarch64/stack/b.s", "harness/a_test.go"]);
    let names = |dir: &Path, extensions: &[&str]| -> Result<Vec<String>, String> {
        Ok(find(dir, extensions)?.iter().map(|path| stem(path)).collect())
    };
    assert_eq!(names(dir.path(), &["s", "rs"]), Ok(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
    assert_eq!(names(dir.path(), &["rs"]), Ok(vec!["c".to_owned()]));
    assert_eq!(names(&dir.path().join("aarch64"), &["s", "rs"]), Ok(vec!["b".to_owned()]));
}

fn files_outside_of_rooms_and_equal_names_are_errors() {
    for (files, said) in [
        (["stack/a.s", "b_test.go"], "DIR/b_test.go: cases are in subfolders by subject"),
        (["stack/a.s", "data/a.s"], "two cases have the same name: DIR/data/a.s and DIR/stack/a.s"),
        (["stack/a.s", "stack/a.rs"], "two cases have the same name: DIR/stack/a.rs and DIR/stack/a.s"),
    ] {
        let dir = folder(&files);
        let problem = find(dir.path(), &["s", "rs"]).expect_err(said);
        assert_eq!(problem.replace(&dir.path().display().to_string(), "DIR"), said);
    }
}

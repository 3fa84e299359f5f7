//! Converts the setting `runtime` to a [`Runtime`]. The setting names a folder of the Go module, into which the run-time packages are copied.

use super::go_module::GoModule;
use super::import_path;
use crate::diag::{Diagnostic, ErrorCode};
use crate::runtime::{Copied, Library, PUBLISHED, Runtime};
use std::path::Path;

/// The minimum Go language version that compiles the run-time packages.
const GO_MINIMUM: (u32, u32) = (1, 24);

/// Returns the place from which the generated package in the folder `out` imports the run-time packages.
pub fn runtime(setting: Option<&str>, out: &Path) -> Result<Runtime, Diagnostic> {
    let Some(folder) = setting.filter(|setting| *setting != PUBLISHED) else { return Ok(Runtime::Published) };
    if let Some(problem) = folder_problem(folder) {
        return Err(refuse(format!("runtime = {folder:?} cannot be: {problem}")).hint(format!(
            "name a folder of the Go module, as in runtime = \"internal/rustgo\", or the published module: runtime = {PUBLISHED:?}"
        )));
    }
    let Some(module) = GoModule::of(out) else {
        return Err(refuse(format!(
            "runtime = {folder:?} is a folder of the package's Go module, and {} is in none: there is no go.mod",
            out.display()
        ))
        .hint("make the module first, in the folder that is to be its root: go mod init example.com/your/module"));
    };
    if let Some(version) = module.go.as_deref().filter(|version| is_older(version)) {
        return Err(refuse(format!(
            "{} says go {version}, and the copied packages need go {}.{}",
            module.root.join("go.mod").display(),
            GO_MINIMUM.0,
            GO_MINIMUM.1
        ))
        .hint(format!("in that folder: go mod edit -go={}.{}", GO_MINIMUM.0, GO_MINIMUM.1)));
    }
    let package = module.within(out);
    if let Some(above) = above_internal(folder).filter(|above| !is_below(&package, above)) {
        return Err(refuse(format!("runtime = {folder:?} is internal to the folder {above:?}, and {} is outside of it", out.display()))
            .hint("name a folder that the package may import, as in runtime = \"internal/rustgo\""));
    }
    if Library::ALL.iter().any(|library| format!("{folder}/{}", library.name()) == package) {
        return Err(refuse(format!("runtime = {folder:?} is where the package itself is to be")).hint("name another folder"));
    }
    Ok(Runtime::Copied(Copied { module, folder: folder.to_owned(), package }))
}

fn folder_problem(folder: &str) -> Option<String> {
    let name = folder.split('/').find(|name| {
        let ignored = name.starts_with(['.', '_']) || matches!(*name, "vendor" | "testdata");
        name.is_empty() || ignored || !import_path::is_element(name)
    })?;
    Some(match name {
        "" if Path::new(folder).is_absolute() => "it is absolute".into(),
        "" => "a part of it is empty".into(),
        name => format!("Go does not import from folders named {name:?}"),
    })
}

/// Returns the part of the path before its last `internal`. Only packages below this folder may import `folder`.
fn above_internal(folder: &str) -> Option<String> {
    let names: Vec<&str> = folder.split('/').collect();
    let last = names.iter().rposition(|name| *name == "internal")?;
    Some(names[..last].join("/"))
}

fn is_below(package: &str, folder: &str) -> bool {
    folder.is_empty() || package == folder || package.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn is_older(version: &str) -> bool {
    let mut parts = version.split(['.', 'r', 'b']).map_while(|part| part.parse::<u32>().ok());
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < GO_MINIMUM
}

fn refuse(message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(folder: &str, out: &Path) -> String {
        runtime(Some(folder), out).expect_err(folder).message
    }

    #[test]
    fn the_published_module_is_the_default() {
        for setting in [None, Some(PUBLISHED)] {
            assert_eq!(runtime(setting, Path::new("/nowhere")), Ok(Runtime::Published));
        }
    }

    #[test]
    fn invalid_folders_are_refused() {
        for (folder, why) in [
            ("", "a part of it is empty"),
            ("/rustgo", "absolute"),
            ("internal//rustgo", "a part of it is empty"),
            ("internal/", "a part of it is empty"),
            ("../rustgo", "named \"..\""),
            (".", "named \".\""),
            ("_rustgo", "named \"_rustgo\""),
            ("my runtime", "named \"my runtime\""),
            ("vendor/rustgo", "named \"vendor\""),
        ] {
            assert!(refusal(folder, Path::new("/nowhere")).contains(why), "{folder}");
        }
    }

    #[test]
    fn the_module_must_be_there_and_new_enough() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("hash");
        assert!(refusal("internal/rustgo", &out).ends_with("is in none: there is no go.mod"));
        let write = |text: &str| std::fs::write(root.path().join("go.mod"), text).unwrap();
        write("module example.com/m\n\ngo 1.23.4\n");
        assert!(refusal("internal/rustgo", &out).ends_with("says go 1.23.4, and the copied packages need go 1.24"));
        for version in ["1.24", "1.24rc1", "1.25.3", "2.0"] {
            write(&format!("module example.com/m\n\ngo {version}\n"));
            let Ok(Runtime::Copied(copied)) = runtime(Some("internal/rustgo"), &out) else { panic!("{version}") };
            assert_eq!((copied.module.path.as_str(), copied.package.as_str()), ("example.com/m", "hash"));
        }
    }

    #[test]
    fn internal_folders_are_internal() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("go.mod"), "module m\n\ngo 1.24\n").unwrap();
        let runtime_of = |folder, package| runtime(Some(folder), &root.path().join(package));
        for (folder, package) in [("a/internal/r", "a"), ("a/internal/r", "a/b"), ("internal", "a"), ("r", "a"), ("internal/r", "")] {
            assert!(runtime_of(folder, package).is_ok(), "{folder} {package}");
        }
        for (folder, package) in [("a/internal/r", "b"), ("a/internal/r", ""), ("a/internal/r", "ab"), ("a/internal/b/internal/c", "a")] {
            assert!(runtime_of(folder, package).is_err_and(|why| why.message.contains("is internal to the folder")), "{folder} {package}");
        }
        assert!(runtime_of("r", "r/rt").is_err());
    }
}

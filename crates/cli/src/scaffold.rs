//! `rustgo new`: makes a new crate, the Go package generated from the crate, tests of both, and the files of a repository.

use crate::args::NewArgs;
use crate::config::{self, go_module::GoModule, import_path};
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::gosrc;
use crate::process;
use crate::progress::Progress;
use crate::toolchain::choice::Choice;
use crate::toolchain::{Cargo, Rustc};
use crate::write;
use std::path::{Path, PathBuf};

/// The folder for copies of the run-time packages, relative to the module's folder.
pub const RUNTIME: &str = "internal/rustgo";

/// The folder of the support crate in the source tree from which this program was built. The folder exists on this machine if the program was built
/// from a clone here.
const SUPPORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../support");

const TEST: &str = include_str!("scaffold/package_test.go.txt");

/// Names and texts of the files in the new folder. [`Project::fill`] replaces placeholders such as `@name@`.
const FILES: &[(&str, &str)] = &[
    (".gitattributes", include_str!("scaffold/gitattributes")),
    (".gitignore", include_str!("scaffold/gitignore")),
    ("@name@_test.go", TEST),
    ("generate.go", include_str!("scaffold/generate.go.txt")),
    ("rust/Cargo.toml", include_str!("scaffold/Cargo.toml.txt")),
    ("rust/rust-toolchain.toml", include_str!("scaffold/rust-toolchain.toml.txt")),
    ("rust/src/lib.rs", include_str!("scaffold/lib.rs.txt")),
];

/// Files at the root of a Go module. A package in an existing module does not get these files.
const MODULE_FILES: &[(&str, &str)] =
    &[(".github/workflows/ci.yml", include_str!("scaffold/ci.yml")), ("go.mod", "module @module@\n\ngo 1.24\n")];

/// The values that replace the placeholders in the files.
struct Project {
    /// The name of the package and the crate.
    name: String,
    /// The package's import path.
    import: String,
    /// The dependency on the support crate, as a value for Cargo.toml.
    support: String,
    /// The name in rustup of the toolchain to pin. `channel_why` is the text of a comment that explains this choice.
    channel: String,
    channel_why: &'static str,
}

/// The place of a new Go package.
#[derive(Clone, Debug)]
pub struct Place {
    pub dir: PathBuf,
    /// The name of the package and the crate.
    pub name: String,
    /// The package's import path.
    pub import: String,
    /// True if the package becomes part of a Go module that exists.
    pub in_module: bool,
}

/// The names, in capital letters, of files that a new repository may already have. `rustgo get` keeps these files. From the fifth name on, longer
/// names that continue with `.` or `-`, such as `README.MD`, count too.
const OF_REPOSITORIES: [&str; 10] =
    [".GIT", ".GITATTRIBUTES", ".GITIGNORE", "GO.MOD", "README", "LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"];

/// True for a name that a new repository may have.
fn is_of_repository(name: &str) -> bool {
    let name = name.to_uppercase();
    let (exact, starts) = OF_REPOSITORIES.split_at(4);
    exact.contains(&name.as_str())
        || starts.iter().any(|start| name == *start || name.starts_with(&format!("{start}.")) || name.starts_with(&format!("{start}-")))
}

/// Finds the place of a new package. If `in_repository` is true, the folder may already have the files of a new repository.
/// # Errors
/// [`ErrorCode::Request`] for an invalid name or import path, for a folder that contains other files, and for a `go.mod` that does not fit.
pub fn place(dir: &Path, name: Option<&str>, module: Option<&str>, in_repository: bool) -> Result<Place> {
    let dir = config::absolute(&std::env::current_dir().unwrap_or_default(), dir);
    let name = self::name(&dir, name)?;
    let is_foreign = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.map_or(true, |entry| !in_repository || !is_of_repository(&entry.file_name().to_string_lossy()))
    };
    if dir.exists() && std::fs::read_dir(&dir).map_or(true, |mut entries| entries.any(is_foreign)) {
        let hint = match in_repository {
            true => "name a folder that does not exist, an empty one, or one with only .git, go.mod, README and LICENSE",
            false => "name a folder that does not exist, or an empty one",
        };
        return Err(refuse(format!("{} already exists", dir.display())).hint(hint).into());
    }
    let outer = GoModule::of(&dir);
    if outer.as_ref().is_none_or(|outer| outer.root != dir) && dir.join("go.mod").exists() {
        return Err(refuse(format!("{} names no module", dir.join("go.mod").display()))
            .hint("add the line that names it: go mod edit -module PATH, in this folder")
            .into());
    }
    let import = match (&outer, module) {
        (Some(outer), None) if outer.root == dir => outer.path.clone(),
        (Some(outer), Some(module)) if outer.root == dir && outer.path == module => outer.path.clone(),
        (Some(outer), Some(_)) if outer.root == dir => {
            return Err(refuse(format!("{} is the Go module {} already", dir.display(), outer.path))
                .hint("leave --module out, or change the line in go.mod")
                .into());
        }
        (Some(outer), None) => format!("{}/{}", outer.path, outer.within(&dir)),
        (Some(outer), Some(_)) => {
            return Err(refuse(format!("{} is in the Go module {} already", dir.display(), outer.path))
                .hint("leave --module out: the package will belong to that module")
                .into());
        }
        (None, Some(module)) => module.to_owned(),
        (None, None) => format!("example.com/{name}"),
    };
    if let Some(part) = import.split('/').find(|part| !import_path::is_element(part)) {
        return Err(refuse(format!("{import:?} cannot be an import path in Go: no part may be {part:?}"))
            .hint("name it as it will be fetched: --module github.com/you/name")
            .into());
    }
    Ok(Place { dir, name, import, in_module: outer.is_some() })
}

/// Makes the folder that `args` names.
/// # Errors
/// [`ErrorCode::Request`] for an invalid name and for a folder that contains files, [`ErrorCode::Toolchain`] if there is no rustc, and
/// [`ErrorCode::Output`] if the folder cannot be written. If an error is returned, nothing has been written.
pub fn scaffold(args: &NewArgs, plus_toolchain: Option<&Choice>, progress: &Progress) -> Result<()> {
    let place = place(&args.dir, args.name.as_deref(), args.module.as_deref(), false)?;
    let (project, from_clone) = Project::new(&place, plus_toolchain)?;
    let files = project.files(&place, FILES);
    write::make_tree(&place.dir, &files)?;

    let shown = args.dir.display();
    progress.done(&format!("made {shown}: the Go package {} and the Rust crate that it is made from, in {shown}/rust", project.import));
    notes(&place, args.module.is_some(), from_clone, progress);
    progress.done(&format!("next: cd {shown} && rustgo build --crate rust && go test ./..."));
    Ok(())
}

/// Prints notes about a new package.
fn notes(place: &Place, is_named: bool, from_clone: bool, progress: &Progress) {
    if from_clone {
        progress.note("rust/Cargo.toml names the folder of the crate rustgo-support, which is not published yet");
    }
    if !place.in_module && !is_named {
        progress.note(&format!(
            "the module is example.com/{}, since no --module was given: to rename it, change go.mod and the test, and build again",
            place.name
        ));
    }
}

/// Returns the names and texts of the files that every new package has, without the crate's sources.
///
/// # Errors
/// [`ErrorCode::Toolchain`] if there is no rustc.
pub fn common_files(place: &Place, plus_toolchain: Option<&Choice>) -> Result<Vec<(String, String)>> {
    const OWN: [&str; 3] = ["@name@_test.go", "rust/Cargo.toml", "rust/src/lib.rs"];
    let common: Vec<(&str, &str)> = FILES.iter().filter(|(name, _)| !OWN.contains(name)).copied().collect();
    let (project, _) = Project::new(place, plus_toolchain)?;
    Ok(project.files(place, &common))
}

/// Returns the dependency of a new package's crate on the support crate, as a value for Cargo.toml.
pub fn support_dependency(place: &Place) -> String {
    support(&place.dir).0
}

impl Project {
    /// Returns the values for the placeholders, and true if the crate depends on the support crate by a path.
    fn new(place: &Place, plus_toolchain: Option<&Choice>) -> Result<(Project, bool)> {
        let (support, from_clone) = support(&place.dir);
        let (channel, channel_why) = channel(&place.dir, plus_toolchain)?;
        Ok((Project { name: place.name.clone(), import: place.import.clone(), support, channel, channel_why }, from_clone))
    }

    fn files(&self, place: &Place, names: &[(&str, &str)]) -> Vec<(String, String)> {
        let module_files = if place.in_module { &[] } else { MODULE_FILES };
        names.iter().chain(module_files).map(|(name, text)| (self.fill(name), self.fill(text))).collect()
    }

    fn fill(&self, text: &str) -> String {
        let package = package_in_test(&self.name);
        let rename = if package == self.name { String::new() } else { format!("{package} ") };
        let pairs = [
            ("@name@", self.name.as_str()),
            ("@package@", &package),
            ("@rename@", &rename),
            ("@module@", &self.import),
            ("@support@", &self.support),
            ("@channel@", &self.channel),
            ("@channel_why@", self.channel_why),
            ("@version@", env!("CARGO_PKG_VERSION")),
            ("@runtime@", RUNTIME),
        ];
        pairs.iter().fold(text.to_owned(), |text, (key, value)| text.replace(key, value))
    }
}

/// Returns the name under which the test imports the package: the package's own name, unless the test uses this name for something else.
fn package_in_test(name: &str) -> String {
    if identifiers(TEST).any(|used| used == name) { format!("{name}pkg") } else { name.to_owned() }
}

/// Lists the identifiers and keywords of a Go text that has no comments and no raw strings. Placeholders (`@name@`) and character literals (`'e'`)
/// are returned with their marks, so they equal no identifier.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let outside_strings = text.lines().flat_map(|line| line.split('"').step_by(2));
    outside_strings.flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '@' | '\'')))
}

/// Returns the name of the package and the crate: the given name or, without one, the folder's name.
fn name(dir: &Path, given: Option<&str>) -> Result<String> {
    let folder = dir.file_name().unwrap_or_default().to_string_lossy();
    let name = given.map_or_else(|| folder.to_lowercase().replace(['-', '.'], ""), str::to_owned);
    let problem = gosrc::package_name_problem(&name).or_else(|| {
        // Go would accept more names, but cargo does not.
        let plain =
            name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        (!plain).then_some("it must be of lower-case letters and digits")
    });
    let reserved = matches!(name.as_str(), "main" | "test" | "core" | "std" | "alloc").then_some("the word has a meaning of its own");
    let not_imported = match name.as_str() {
        "init" => Some("Go does not import a package of that name, except under another one"),
        _ if !import_path::is_element(&name) => Some("Go does not accept it in an import path"),
        _ => None,
    };
    match problem.or(reserved).or(not_imported) {
        None => Ok(name),
        Some(problem) => Err(refuse(format!("{name:?} cannot be the package's name: {problem}"))
            .hint("choose another folder name, or name only the package: --name NAME")
            .into()),
    }
}

/// Returns the dependency on the support crate as a value for Cargo.toml, and true if it names a folder.
fn support(dir: &Path) -> (String, bool) {
    match support_folder() {
        Some(support) => (format!("{{ path = {:?} }}", relative(&dir.join("rust"), &support)), true),
        None => (format!("\"={}\"", env!("CARGO_PKG_VERSION")), false),
    }
}

/// Returns the dependency on the support crate as a value for Cargo.toml. The value is valid for a crate in any folder of this machine.
pub fn absolute_support() -> String {
    support_folder().map_or_else(|| format!("\"={}\"", env!("CARGO_PKG_VERSION")), |support| format!("{{ path = {support:?} }}"))
}

/// Returns the folder of the support crate, if rustgo was built in its repository.
pub fn support_folder() -> Option<PathBuf> {
    PathBuf::from(SUPPORT).canonicalize().ok().filter(|support| support.join("Cargo.toml").is_file())
}

/// Returns the relative path from one absolute folder to another.
fn relative(from: &Path, to: &Path) -> String {
    let shared = from.iter().zip(to.iter()).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(shared).map(|_| "..".to_owned());
    let down = to.iter().skip(shared).map(|name| name.to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Returns the name of the toolchain to pin, and a comment with the reason. If rustup has a toolchain whose name is the version in use, or if rustup
/// is not installed, the name is this version. Otherwise rustup has the version under another name such as `stable`. If the version were pinned, the
/// first build would download the same toolchain again, so the name is `stable`.
fn channel(dir: &Path, plus_toolchain: Option<&Choice>) -> Result<(String, &'static str)> {
    const PINNED: &str = "Another rustc makes other code, and other generated files.";
    const STABLE: &str = "Write a version here, such as 1.95.0, so that everybody makes the same files: another rustc makes other code.";
    let cargo = Cargo { toolchains: config::toolchains(plus_toolchain.cloned().as_slice())?, ..Cargo::default() };
    let existing = dir.ancestors().find(|dir| dir.is_dir()).unwrap_or(Path::new("."));
    let rustc: Rustc = cargo.rustc(existing)?;
    let version = rustc.line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut named = cargo.rustc_command(existing);
    named.arg("-vV").env("RUSTUP_TOOLCHAIN", &version).env("RUSTUP_AUTO_INSTALL", "0");
    let is_there = process::capture(&mut named)?.is_ok_and(|output| output.status.success());
    Ok(if is_there { (version, PINNED) } else { ("stable".to_owned(), STABLE) })
}

fn refuse(message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_folder() {
        for (folder, expected) in [("hash", "hash"), ("My-Hash", "myhash"), ("go.hash2", "gohash2")] {
            assert_eq!(name(Path::new(folder), None).unwrap(), expected);
        }
        assert_eq!(name(Path::new("other"), Some("hash")).unwrap(), "hash");
        for folder in ["", "main", "func", "2hash", "größe", "test", "init", "vendor", "nul", "com1"] {
            assert!(name(Path::new(folder), None).is_err(), "{folder}");
        }
        assert!(name(Path::new("hash"), Some("my_hash")).is_err());
    }

    #[test]
    fn new_repositories_have_few_files() {
        for name in [".git", ".gitignore", "go.mod", "README", "README.md", "LICENSE-MIT", "license.txt", "README.md.new"] {
            assert!(is_of_repository(name), "{name}");
        }
        for name in [".github", "go.sum", "readme_test.go", "LICENSES", "licensed.go", "main.go", "rust", ".gitmodules"] {
            assert!(!is_of_repository(name), "{name}");
        }
    }

    #[test]
    fn the_test_renames_a_package_only_where_it_must() {
        for name in ["fmt", "bytes", "testing", "b", "data", "got", "byte", "len", "nil", "int64"] {
            assert_eq!(package_in_test(name), format!("{name}pkg"));
        }
        for name in ["hash", "e", "d", "cheese", "name", "rename", "string", "errors"] {
            assert_eq!(package_in_test(name), name);
        }
    }

    #[test]
    fn paths_are_relative() {
        for (from, to, way) in [
            ("/src/hello/rust", "/src/rustgo/crates/support", "../../rustgo/crates/support"),
            ("/a", "/a/b", "b"),
            ("/a/b", "/c", "../../c"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), way);
        }
    }

    #[test]
    fn everything_is_filled_in() {
        let project = Project {
            name: "hash".into(),
            import: "example.com/hash".into(),
            support: "\"=0.1.0\"".into(),
            channel: "1.95.0".into(),
            channel_why: "Why.",
        };
        for (name, text) in FILES.iter().chain(MODULE_FILES) {
            let (name, text) = (project.fill(name), project.fill(text));
            assert!(!name.contains('@'), "{name}");
            // The text may contain the versions of actions: `actions/checkout@v5`.
            let left = text.split_whitespace().find(|word| word.matches('@').count() > 1 || word.starts_with('@'));
            assert_eq!(left, None, "{name}");
            assert!(text.ends_with('\n'), "{name}");
        }
    }
}

//! Gives source folders names that are equal on every machine.
//!
//! The machine code (panic locations) and the debug information contain paths of source files, and the generated assembly contains copies of them. So
//! every folder is renamed: the author's crate to its path relative to the Go package (`rust/src/lib.rs`, which an editor can open), every other
//! package to `/cargo/NAME-VERSION`. The precompiled standard library already has the name `/rustc/HASH`. A standard library that rustgo compiles
//! gets the same name, and its dependencies get `/rust/deps/NAME-VERSION`, as in rustup's builds.

use crate::manifest::{Manifest, Package};
use crate::toolchain::library::Library;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The folder that debug information names as the compiler's working folder. Relative names of the author's files are joined to this folder.
pub const WORK_DIR: &str = "/rustgo";

/// The folders of the sources, with names for them that are equal on every machine.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Paths {
    /// The folder of the author's crate.
    pub crate_dir: PathBuf,
    /// The name of the folder of the author's crate: usually its path relative to the Go package, with `/` between folders. Empty if both are in one
    /// folder. `/cargo/NAME-VERSION` if the two folders are unrelated.
    pub crate_name: String,
    /// cargo's target folder.
    pub target_dir: PathBuf,
    /// The folders of all other packages, each with the package's name and version (`curve25519-dalek-4.1.3`).
    pub packages: BTreeMap<PathBuf, String>,
    /// The folder of the standard library's sources and the name for this folder, if rustgo compiles the standard library for the target.
    pub library: Option<(PathBuf, String)>,
    /// The folder where the sources of the precompiled standard library may be installed, and the name for this folder. The compiler names the
    /// standard library's files by this folder if the sources are installed, and otherwise by `/rustc/HASH`. Without a renaming the output would
    /// depend on the installation.
    pub shipped: Option<(PathBuf, String)>,
}

impl Paths {
    pub fn new(manifest: &Manifest, packages: &[Package], out: &Path) -> Paths {
        let mut taken = BTreeSet::new();
        let mut names = BTreeMap::new();
        for package in packages.iter().filter(|package| package.dir != manifest.dir) {
            let mut name = format!("{}-{}", package.name, package.version);
            // Packages from two registries or checkouts can have the same name and version. In that case the first package keeps this name, the
            // second gets the name with a `+`, and so on. `packages` is ordered by name, version and source, so the result is equal on every machine.
            while !taken.insert(name.clone()) {
                name.push('+');
            }
            names.insert(package.dir.clone(), name);
        }
        let crate_name = crate_name(manifest, out);
        Paths {
            crate_dir: manifest.dir.clone(),
            crate_name,
            target_dir: manifest.target_dir.clone(),
            packages: names,
            library: None,
            shipped: None,
        }
    }

    /// Adds the sources of the standard library, if rustgo compiles the standard library for the target.
    pub fn with_library(self, library: Option<&Library>) -> Paths {
        Paths { library: library.map(Library::place), ..self }
    }

    /// Adds the sources of the precompiled standard library.
    pub fn with_shipped(self, shipped: &Library) -> Paths {
        Paths { shipped: Some(shipped.place()), ..self }
    }

    /// Returns the machine-independent name of a package of the standard library.
    pub fn library_package(&self, dir: &Path) -> Option<String> {
        let (root, name) = self.library.as_ref()?;
        Some(match dir.strip_prefix(root) {
            Ok(rest) => format!("{name}/{}", rest.to_string_lossy().replace('\\', "/")),
            Err(_) => format!("/rust/deps/{}", dir.file_name()?.to_string_lossy()),
        })
    }

    /// Returns the arguments of `--remap-path-prefix` for a package of the standard library, like [`Paths::remappings`] for other packages.
    pub fn library_remappings(&self, work_dir: &Path, package_dir: &Path, out_dir: Option<&Path>) -> Vec<(PathBuf, String)> {
        let (Some((root, name)), Some(own)) = (&self.library, self.library_package(package_dir)) else { return Vec::new() };
        let mut list = vec![(self.target_dir.clone(), "/cargo/target".to_owned()), (work_dir.to_owned(), name.clone())];
        list.push((root.clone(), name.clone()));
        list.push((package_dir.to_owned(), own.clone()));
        list.extend(out_dir.map(|dir| (dir.to_owned(), format!("{own}/out"))));
        list
    }

    /// Returns the machine-independent name of the package in `dir`: an absolute path or, for the author's crate, [`Paths::crate_name`].
    pub fn package_name(&self, dir: &Path) -> Option<String> {
        if dir == self.crate_dir {
            return Some(self.crate_name.clone());
        }
        self.packages.get(dir).map(|name| format!("/cargo/{name}"))
    }

    /// Returns the arguments of `--remap-path-prefix` for the compiler call that builds the package in `package_dir`, as (prefix, new name).
    /// The compiler runs in `work_dir`, and `source` is the source file that its command line names. If several prefixes match, the compiler
    /// uses the last one.
    pub fn remappings(&self, work_dir: &Path, package_dir: &Path, source: &Path, out_dir: Option<&Path>) -> Vec<(PathBuf, String)> {
        let Some(name) = self.package_name(package_dir) else { return Vec::new() };
        let own = package_dir == self.crate_dir;
        let mut list: Vec<_> = self.shipped.iter().cloned().collect();
        list.push((self.target_dir.clone(), "/cargo/target".to_owned()));
        // A local package can be in any folder, so the compiler may use a relative path for its files.
        list.extend(self.packages.iter().map(|(dir, name)| (dir.clone(), format!("/cargo/{name}"))));
        list.push((work_dir.to_owned(), if own || work_dir != package_dir { WORK_DIR.to_owned() } else { name.clone() }));
        let inside = |folder: &str| match name.as_str() {
            "" => folder.to_owned(),
            name => format!("{name}/{folder}"),
        };
        // If the package is a member of a workspace, the compiler runs in the workspace's folder, so rename the package's folder as a whole.
        // Otherwise the compiler runs in the package's folder, and paths are relative to that folder, so only folders inside of it can be renamed.
        if work_dir != package_dir {
            list.push((package_dir.to_owned(), name.clone()));
        }
        if let Ok(relative) = package_dir.strip_prefix(work_dir)
            && relative.components().next().is_some()
        {
            list.push((relative.to_owned(), name.clone()));
        } else if source.is_relative()
            && let Some(Component::Normal(first)) = source.components().next()
        {
            let folder = inside(&first.to_string_lossy());
            list.push((package_dir.join(first), folder.clone()));
            list.push((first.into(), folder));
        }
        if let Some(out_dir) = out_dir {
            list.push((out_dir.to_owned(), if own { format!("{WORK_DIR}/out") } else { format!("{name}/out") }));
        }
        list.retain(|(from, to)| from.as_os_str() != to.as_str() && !to.is_empty());
        list
    }

    /// Returns the name to print for a file that the debug information names: the author's files relative to the Go package, the standard
    /// library's files without the compiler's hash (the header of the generated files states the version), all other files unchanged.
    pub fn display_path(&self, name: &str) -> String {
        let own = name.strip_prefix(WORK_DIR).and_then(|rest| rest.strip_prefix('/'));
        let library = || Some(format!("/rustc/{}", name.strip_prefix("/rustc/")?.split_once('/')?.1));
        own.map(str::to_owned).or_else(library).unwrap_or_else(|| name.to_owned())
    }
}

/// Returns the name of the crate's folder in generated code. It is the path relative to `out` if the crate lies inside `out`, or if both lie in one
/// checkout or Go module. Otherwise it is `/cargo/NAME-VERSION`, as for a dependency.
fn crate_name(manifest: &Manifest, out: &Path) -> String {
    let common: PathBuf = manifest.dir.components().zip(out.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let one_checkout = common == out
        || common.ancestors().any(|dir| [".git", ".hg", ".jj", "go.mod", "go.work"].iter().any(|mark| dir.join(mark).exists()));
    if !one_checkout {
        return format!("/cargo/{}-{}", manifest.name, manifest.version);
    }
    let up = out.components().count() - common.components().count();
    let down = manifest
        .dir
        .strip_prefix(&common)
        .unwrap_or(Path::new(""))
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::repeat_n("..".to_owned(), up).chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(dir: &Path) -> Manifest {
        Manifest {
            name: "demo".into(),
            version: "0.1.0".into(),
            description: None,
            dir: dir.to_owned(),
            target_dir: dir.join("target"),
            lib_source: dir.join("src/lib.rs"),
            support: None,
            settings: serde_json::Value::Null,
        }
    }

    fn package(name: &str, dir: &str) -> Package {
        Package {
            name: name.into(),
            version: "1.0.0".into(),
            license: None,
            dir: dir.into(),
            source: None,
            checksum: None,
            features: vec![],
            lib_source: None,
        }
    }

    /// Applies rustc's rule: prefixes match by whole path components, and the last matching prefix is used.
    fn remap(list: &[(PathBuf, String)], path: &str) -> String {
        let found = list.iter().rev().find_map(|(from, to)| Some((Path::new(path).strip_prefix(from).ok()?, to)));
        found
            .map_or(path.to_owned(), |(rest, to)| if rest.as_os_str().is_empty() { to.clone() } else { format!("{to}/{}", rest.display()) })
    }

    #[test]
    fn the_authors_files_are_relative_to_the_go_package() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("go.mod"), "module m\n").unwrap();
        let at = |path: &str| root.path().join(path);
        for (krate, out, expected) in [("p/rust", "p", "rust"), ("p", "p", ""), ("rust/p", "go/p", "../../rust/p"), ("p", "p/go", "..")] {
            assert_eq!(crate_name(&manifest(&at(krate)), &at(out)), expected);
        }
        assert_eq!(crate_name(&manifest(Path::new("/nowhere/a/rust")), Path::new("/nowhere/b")), "/cargo/demo-0.1.0");
        assert_eq!(crate_name(&manifest(Path::new("/nowhere/a/rust")), Path::new("/nowhere/a")), "rust");
    }

    #[test]
    fn every_folder_gets_a_stable_name() {
        let dir = Path::new("/home/me/p/rust");
        let packages = [
            package("demo", "/home/me/p/rust"),
            package("dep", "/home/me/dep"),
            package("reg", "/home/me/.cargo/registry/src/x/reg-1.0.0"),
        ];
        let paths = Paths::new(&manifest(dir), &packages, Path::new("/home/me/p"));

        let own = paths.remappings(dir, dir, Path::new("src/lib.rs"), Some(Path::new("/home/me/p/rust/target/x/demo-77/out")));
        assert_eq!(remap(&own, "src/lib.rs"), "rust/src/lib.rs");
        assert_eq!(remap(&own, "/home/me/p/rust/src/x.rs"), "rust/src/x.rs");
        assert_eq!(remap(&own, "/home/me/p/rust"), "/rustgo");
        assert_eq!(remap(&own, "/home/me/p/rust/target/x/demo-77/out/table.rs"), "/rustgo/out/table.rs");
        assert_eq!(paths.display_path("/rustgo/rust/src/lib.rs"), "rust/src/lib.rs");
        assert_eq!(paths.display_path("rust/src/lib.rs"), "rust/src/lib.rs");
        assert_eq!(paths.display_path("/cargo/dep-1.0.0/src/lib.rs"), "/cargo/dep-1.0.0/src/lib.rs");
        assert_eq!(paths.display_path("/rustc/0123/library/core/src/lib.rs"), "/rustc/library/core/src/lib.rs");

        let dep = Path::new("/home/me/dep");
        let other = paths.remappings(dep, dep, Path::new("/home/me/dep/src/lib.rs"), None);
        assert_eq!(remap(&other, "/home/me/dep/src/lib.rs"), "/cargo/dep-1.0.0/src/lib.rs");
        assert_eq!(paths.remappings(dep, Path::new("/elsewhere"), Path::new("x.rs"), None), []);

        let core = "/rust/lib/rustlib/src/rust/library/core/src/fmt/mod.rs";
        assert_eq!(remap(&own, core), core);
        let paths = paths.with_shipped(&Library { dir: "/rust/lib/rustlib/src/rust".into(), name: "/rustc/0123".into() });
        let own = paths.remappings(dir, dir, Path::new("src/lib.rs"), None);
        assert_eq!(remap(&own, core), "/rustc/0123/library/core/src/fmt/mod.rs");
    }

    #[test]
    fn the_standard_library_has_rustcs_name() {
        let library = Library { dir: "/rust/lib/rustlib/src/rust".into(), name: "/rustc/0123".into() };
        let paths = Paths::new(&manifest(Path::new("/home/me/p")), &[], Path::new("/home/me/p")).with_library(Some(&library));
        let core = Path::new("/rust/lib/rustlib/src/rust/library/core");
        let list = paths.library_remappings(core, core, Some(Path::new("/home/me/p/target/x/out")));
        assert_eq!(remap(&list, "/rust/lib/rustlib/src/rust/library/core/src/fmt/mod.rs"), "/rustc/0123/library/core/src/fmt/mod.rs");
        // The source of core includes files from neighbouring folders, such as stdarch.
        assert_eq!(remap(&list, "/rust/lib/rustlib/src/rust/library/stdarch/x.rs"), "/rustc/0123/library/stdarch/x.rs");
        assert_eq!(remap(&list, "/home/me/p/target/x/out/made.rs"), "/rustc/0123/library/core/out/made.rs");
        let dep = Path::new("/home/me/.cargo/registry/src/x/hashbrown-0.16.1");
        let list = paths.library_remappings(dep, dep, None);
        assert_eq!(remap(&list, "/home/me/.cargo/registry/src/x/hashbrown-0.16.1/src/map.rs"), "/rust/deps/hashbrown-0.16.1/src/map.rs");
    }

    #[test]
    fn members_of_a_workspace_are_named_by_their_folders() {
        let (root, dir, dep) = (Path::new("/w"), Path::new("/w/demo"), Path::new("/w/dep"));
        let paths = Paths::new(&manifest(dir), &[package("demo", "/w/demo"), package("dep", "/w/dep")], Path::new("/w"));
        let own = paths.remappings(root, dir, Path::new("demo/src/lib.rs"), None);
        assert_eq!((remap(&own, "demo/src/lib.rs"), remap(&own, "/w")), ("demo/src/lib.rs".into(), "/rustgo".into()));
        let other = paths.remappings(root, dep, Path::new("dep/src/lib.rs"), None);
        assert_eq!((remap(&other, "dep/src/lib.rs"), remap(&other, "/w")), ("/cargo/dep-1.0.0/src/lib.rs".into(), "/rustgo".into()));
    }
}

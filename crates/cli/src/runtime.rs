//! Copies the run-time packages, the Go packages that generated packages import: `rt`, which turns Rust panics into Go panics and contains the Rust
//! heap; `rt/heap`, which starts the heap; `rt/translated` for crates translated to Go; `handle`; and `nativetest` for tests. Two internal packages
//! contain the code of `rt` for each operating system: `rt/internal/hwcap`, and for the heap `rt/internal/system`.
//!
//! The run-time packages are published in the Go module `rustgo.dev/go`. Another Go module can have a copy of them instead, so that its packages need
//! no further module. The program rustgo contains the sources of the run-time packages, and writes copies like generated files.

mod sources;

use crate::abi::{ENTER_CALL, LEAVE_CALL, LEVEL};
use crate::config::go_module::GoModule;
use crate::exits::{Exit, Part};
use crate::gosrc;
use crate::write::{Files, Folder};
use std::path::PathBuf;

/// The import path of the published module.
pub const PUBLISHED: &str = "rustgo.dev/go";

/// A run-time package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Rt,
    Heap,
    /// The package that runs crates translated to Go.
    Translated,
    Handle,
    /// The package `nativetest`. Only tests use it, to compare a generated package with the native program.
    NativeTest,
    /// The package with which `rt` reads the processor's features. Only `rt` imports it.
    Hwcap,
    /// The package with which the heap's files in `rt` get memory and random numbers. Only `rt` imports it.
    System,
}

impl Library {
    pub const ALL: [Library; 7] =
        [Library::Rt, Library::Heap, Library::Translated, Library::Handle, Library::NativeTest, Library::Hwcap, Library::System];

    /// Returns the last part of the package's import path.
    pub fn name(self) -> &'static str {
        match self {
            Library::Rt => "rt",
            Library::Heap => "rt/heap",
            Library::Translated => "rt/translated",
            Library::Handle => "handle",
            Library::NativeTest => "nativetest",
            Library::Hwcap => "rt/internal/hwcap",
            Library::System => "rt/internal/system",
        }
    }

    fn sources(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Library::Rt => sources::RT,
            Library::Heap => sources::HEAP,
            Library::Translated => sources::TRANSLATED,
            Library::Handle => sources::HANDLE,
            Library::NativeTest => sources::NATIVETEST,
            Library::Hwcap => sources::HWCAP,
            Library::System => sources::SYSTEM,
        }
    }

    /// Returns the internal package that a copy of this package needs. A copy with `rt/heap` also has the files of `rt` for the heap, and these files
    /// import `rt/internal/system`.
    fn internal(self) -> Option<Library> {
        match self {
            Library::Rt => Some(Library::Hwcap),
            Library::Heap => Some(Library::System),
            _ => None,
        }
    }
}

/// The module from which a generated package imports the run-time packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Runtime {
    /// The published module `rustgo.dev/go`.
    #[default]
    Published,
    /// The generated package's own module, which has a copy of the run-time packages.
    Copied(Copied),
}

/// A copy of the run-time packages in the author's module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    pub module: GoModule,
    /// The folder that contains the copies, relative to the module's folder: `internal/rustgo`.
    pub folder: String,
    /// The generated package's folder relative to the module's folder. Empty if it is the module's folder itself.
    pub package: String,
}

impl Copied {
    /// Returns the folder of a run-time package's copy, relative to the module's folder.
    fn shown(&self, library: Library) -> String {
        format!("{}/{}", self.folder, library.name())
    }

    fn dir(&self, library: Library) -> PathBuf {
        self.shown(library).split('/').fold(self.module.root.clone(), |dir, name| dir.join(name))
    }
}

impl Runtime {
    /// Returns the import path of a run-time package.
    pub fn import_path(&self, library: Library) -> String {
        match self {
            Runtime::Published => format!("{PUBLISHED}/{}", library.name()),
            Runtime::Copied(Copied { module, folder, .. }) => format!("{}/{folder}/{}", module.path, library.name()),
        }
    }

    /// Returns the prefix of symbols of `rt` in generated assembly.
    pub fn symbols(&self) -> String {
        spell(&self.import_path(Library::Rt))
    }

    /// Returns the folders of the copies to write for a package that imports `libraries`: these packages, and then the internal packages that they need.
    /// If the module already has a copy of `rt/heap`, the files of the heap are written too, because another package of the module may need them.
    pub fn folders(&self, libraries: &[Library]) -> Vec<Folder> {
        let Runtime::Copied(copied) = self else { return Vec::new() };
        let mut libraries = libraries.to_vec();
        if libraries.contains(&Library::Rt) && !libraries.contains(&Library::Heap) && copied.dir(Library::Heap).is_dir() {
            libraries.push(Library::Heap);
        }
        let internal: Vec<Library> = libraries.iter().filter_map(|library| library.internal()).collect();
        libraries.extend(internal);
        let folder = |&library: &Library| {
            let (shown, dir) = (copied.shown(library), copied.dir(library));
            let carried = library.sources().iter().filter(|(name, _)| libraries.contains(&Library::Heap) || !is_of_heap(library, name));
            let own = |text: &str| text.replace(&format!("\"{PUBLISHED}/"), &format!("\"{}/{}/", copied.module.path, copied.folder));
            let mut files: Files = carried.map(|&(name, text)| (name.to_owned(), copy(library, &own(text)))).collect();
            if library == Library::Rt && self.symbols() != plainly(&self.import_path(library)) {
                let part = if libraries.contains(&Library::Heap) { Part::Heap } else { Part::Core };
                files.insert("names.s".to_owned(), copy_of(&names(&self.symbols(), part)));
                files.insert("names.go".to_owned(), copy_of(&named_level(&self.symbols())));
            }
            Folder { dir, shown: format!("{shown}/"), files }
        };
        libraries.iter().map(folder).collect()
    }
}

/// Returns true for files of `rt` that only the heap needs.
fn is_of_heap(library: Library, name: &str) -> bool {
    library == Library::Rt && ["heap", "system", "rustgo"].iter().any(|part| name.starts_with(part))
}

/// Returns an assembly file that gives a second name to each function of `rt` that generated assembly calls (the [exits](Exit)). Assembly in other
/// packages needs the second names if the import path of `rt` cannot be spelled in assembly.
fn names(symbols: &str, part: Part) -> String {
    let mut text = String::from(
        "//go:build amd64 || arm64\n\n\
         // Assembly in other packages cannot spell this package's import path: these are the names by which it finds the functions.\n\n\
         #include \"textflag.h\"\n#include \"funcdata.h\"\n",
    );
    let exits = Exit::ALL.map(Exit::row).into_iter().filter(|row| row.part <= part || row.part == Part::Unwinding).map(|row| row.function);
    let name = |entry| format!("\nTEXT {symbols}·{entry}(SB), NOSPLIT|NOFRAME, $0-0\n\tNO_LOCAL_POINTERS\n\tJMP ·{entry}(SB)\n");
    text.extend(exits.chain([ENTER_CALL, LEAVE_CALL]).map(name));
    text
}

/// Returns a Go file with a copy of the variable that contains the processor's level. The copy has a name that assembly in other packages can spell.
/// The copy is set before packages that import `rt` are initialized.
fn named_level(symbols: &str) -> String {
    let package = symbols.replace('·', ".").replace('∕', "/");
    format!(
        "//go:build amd64 || arm64\n\n\
         package rt\n\n\
         import _ \"unsafe\"\n\n\
         // Assembly in other packages cannot spell this package's import path: this is the name by which it finds {LEVEL}.\n\
         //\n\
         //go:linkname namedLevel {package}.{LEVEL}\n\
         var namedLevel = {LEVEL}\n"
    )
}

/// Returns the text of a run-time package's source file, with the header of a copy.
fn copy(library: Library, text: &str) -> Vec<u8> {
    let note =
        format!("// Copied from {PUBLISHED}/{}, which is the same code: whoever imports it there or here gets this.\n\n", library.name());
    copy_of(&(note + text))
}

fn copy_of(text: &str) -> Vec<u8> {
    let header = format!("// {}\n//\n// SPDX-License-Identifier: MIT OR Apache-2.0\n\n", gosrc::generated_line("rustgo build"));
    (header + text).into_bytes()
}

/// Writes an import path in the form of assembly symbols: a dot becomes `·`, a slash `∕`.
fn plainly(path: &str) -> String {
    path.replace('.', "·").replace('/', "∕")
}

/// Writes an import path as the start of a symbol's name. Go's assembler reads the result as an identifier (letters, digits except at the start, `_`,
/// `·` and `∕`: `isIdentRune`, cmd/asm/internal/lex/tokenizer.go). Dots and slashes are replaced as by [`plainly`]; ASCII letters, and digits after
/// the start, stay. Every other character, including `_`, is replaced by its code point between two `_`, so that different paths have different
/// names.
fn spell(path: &str) -> String {
    let mut spelled = String::new();
    for (index, c) in path.chars().enumerate() {
        match c {
            '.' => spelled.push('·'),
            '/' => spelled.push('∕'),
            c if c.is_ascii_alphabetic() || index > 0 && c.is_ascii_digit() => spelled.push(c),
            c => spelled += &format!("_{:x}_", u32::from(c)),
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn copied(path: &str) -> Runtime {
        let module = GoModule { root: "/m".into(), path: path.into(), go: None };
        Runtime::Copied(Copied { module, folder: "internal/rustgo".into(), package: String::new() })
    }

    #[test]
    fn every_source_file_is_included() {
        for library in Library::ALL {
            let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../go").join(library.name());
            let names = std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let is_source = |name: &String| (name.ends_with(".go") || name.ends_with(".s")) && !name.ends_with("_test.go");
            let on_disk: BTreeSet<String> = names.filter(is_source).collect();
            let carried: BTreeSet<String> = library.sources().iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(carried, on_disk, "{}", dir.display());
            for (name, text) in library.sources() {
                assert_eq!(*text, std::fs::read_to_string(dir.join(name)).unwrap(), "{name}");
                // A copy differs from the published source only in the lines that precede the source.
                let copy = String::from_utf8(copy(library, text)).unwrap();
                assert!(copy.ends_with(text) && gosrc::is_generated(&copy), "{copy}");
                assert!(copy[..copy.len() - text.len()].lines().all(|line| line.is_empty() || line.starts_with("//")), "{copy}");
            }
        }
    }

    #[test]
    fn named_functions_exist_in_rt() {
        for (name, text) in sources::RT.iter().filter(|(name, _)| name.starts_with("panic_") && name.ends_with(".s")) {
            for entry in Exit::of(Part::Core).map(|row| row.function) {
                assert!(text.contains(&format!("\nTEXT ·{entry}(SB)")), "{name}: {entry}");
            }
        }
    }

    #[test]
    fn import_paths_are_spelled() {
        assert_eq!(Runtime::Published.symbols(), "rustgo·dev∕go∕rt");
        assert_eq!(copied("example.com/m").symbols(), "example·com∕m∕internal∕rustgo∕rt");
        assert_eq!(copied("9fans.net/my-hash_2").symbols(), "_39_fans·net∕my_2d_hash_5f_2∕internal∕rustgo∕rt");
        let has_names = |path: &str| copied(path).folders(&[Library::Rt])[0].files.contains_key("names.s");
        assert_eq!((has_names("example.com/m"), has_names("example.com/my-hash")), (false, true));
    }

    #[test]
    fn only_imported_packages_are_copied() {
        assert_eq!(Runtime::Published.folders(&[Library::Rt]).len(), 0);
        assert_eq!(copied("m").folders(&[]).len(), 0);
        let names = |libraries: &[Library]| copied("m").folders(libraries)[0].files.keys().cloned().collect::<Vec<_>>();
        assert!(!names(&[Library::Rt]).iter().any(|name| name.starts_with("heap") || name.starts_with("rustgo")));
        let shown = |libraries: &[Library]| copied("m").folders(libraries).into_iter().map(|folder| folder.shown).collect::<Vec<_>>();
        let with_heap = [Library::Rt, Library::Heap];
        assert!(names(&with_heap).contains(&"rustgo_amd64.s".to_owned()) && names(&with_heap).contains(&"panic_amd64.s".to_owned()));
        // The copied package rt/heap imports the copied package rt, not the published one.
        let heap = &copied("example.com/m").folders(&with_heap)[1].files["heap.go"];
        assert!(String::from_utf8_lossy(heap).contains("\nimport \"example.com/m/internal/rustgo/rt\"\n"));
        let folders = copied("m").folders(&[Library::Rt, Library::Handle]);
        assert_eq!(
            folders.iter().map(|folder| folder.dir.to_str().unwrap()).collect::<Vec<_>>(),
            ["/m/internal/rustgo/rt", "/m/internal/rustgo/handle", "/m/internal/rustgo/rt/internal/hwcap"]
        );
        assert_eq!(shown(&[Library::Handle]), ["internal/rustgo/handle/"]);
        let [rt, heap] = ["internal/rustgo/rt/", "internal/rustgo/rt/heap/"];
        assert_eq!(shown(&with_heap), [rt, heap, "internal/rustgo/rt/internal/hwcap/", "internal/rustgo/rt/internal/system/"]);
    }

    /// Each package that a copied file imports is copied too, and no other package of the published module is imported.
    #[test]
    fn copies_import_only_copies() {
        for libraries in [
            &[Library::Rt][..],
            &[Library::Rt, Library::Heap],
            &[Library::Rt, Library::Translated],
            &[Library::Handle],
            &[Library::NativeTest],
        ] {
            let folders = copied("example.com/m").folders(libraries);
            let copies: BTreeSet<String> =
                folders.iter().map(|folder| format!("example.com/m/{}", folder.shown.trim_end_matches('/'))).collect();
            let mut imported = BTreeSet::new();
            for (name, bytes) in folders.iter().flat_map(|folder| &folder.files).filter(|(name, _)| name.ends_with(".go")) {
                let text = String::from_utf8_lossy(bytes);
                assert!(!text.contains(&format!("\"{PUBLISHED}/")), "{name} imports the published module");
                imported.extend(text.split('"').filter(|path| path.starts_with("example.com/m/")).map(str::to_owned));
            }
            assert!(imported.is_subset(&copies), "{imported:?} of {copies:?}");
            let unused: Vec<&String> = copies.difference(&imported).filter(|path| path.contains("/rt/internal/")).collect();
            assert!(unused.is_empty(), "{unused:?}");
        }
    }

    #[test]
    fn a_copy_that_has_the_heap_keeps_it() {
        let root = tempfile::tempdir().unwrap();
        let module = GoModule { root: root.path().to_owned(), path: "m".into(), go: None };
        let runtime = Runtime::Copied(Copied { module, folder: "internal/rustgo".into(), package: String::new() });
        let files = |libraries: &[Library]| -> Vec<_> {
            runtime
                .folders(libraries)
                .into_iter()
                .flat_map(|folder| folder.files.into_keys().map(move |name| folder.dir.join(name)))
                .collect()
        };
        let small = files(&[Library::Rt]);
        let large = files(&[Library::Rt, Library::Heap]);
        assert!(small.len() < large.len());
        std::fs::create_dir_all(root.path().join("internal/rustgo/rt/heap")).unwrap();
        assert_eq!(files(&[Library::Rt]), large);
        // If a package does not use rt, its module gets no copy of rt.
        assert_eq!(files(&[]), [] as [PathBuf; 0]);
    }
}

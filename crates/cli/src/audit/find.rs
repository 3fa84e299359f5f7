//! Finds the packages made by rustgo: in a folder, in the modules that a Go module needs, and in a program.

use crate::config::go_module::GoModule;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::gosrc;
use crate::marker::{self, Marker, Source, Unread};
use crate::origin;
use crate::process;
use crate::provenance::{self, Provenance};
use crate::toolchain::Go;
use crate::verify::GO_FILE;
use crate::write;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A package made by rustgo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The import path, or the package's name if the path is not known.
    pub name: String,
    /// The package's folder. `None` for a package in a program.
    pub dir: Option<PathBuf>,
    pub rustgo: String,
    /// The compilers, as pairs of an architecture and the compiler's version line. The architecture is empty if one compiler made all code.
    pub compilers: Vec<(String, String)>,
    /// The digests of the builds' inputs.
    pub digests: Vec<String>,
    pub crates: Vec<Linked>,
}

/// A crate in the code of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    pub name: String,
    pub version: String,
    /// `None` if only the header of the files names the crate.
    pub source: Option<Source>,
    pub license: Option<String>,
    /// The SHA-256 of the crate's archive in the registry.
    pub checksum: Option<String>,
}

impl Found {
    /// Lists the versions of the compilers, such as `1.95.0`.
    pub fn rustc_versions(&self) -> BTreeSet<&str> {
        self.compilers.iter().filter_map(|(_, line)| line.strip_prefix("rustc ")?.split(' ').next()).collect()
    }
}

/// Finds the packages that a path names: a folder, a program, or a module as `PATH@VERSION`.
///
/// # Errors
/// [`ErrorCode::Request`] if there is no package, or if a package's files cannot be read or do not agree.
pub fn find(path: &str, go: &std::ffi::OsStr) -> Result<Vec<Found>> {
    let place = Path::new(path);
    if is_module(path) {
        return in_module(path, go);
    }
    if place.is_file() {
        return in_program(place);
    }
    if place.is_dir() {
        return in_folder(place, go);
    }
    Err(refuse(format!("{path} is neither a folder nor a program nor MODULE@VERSION"))
        .hint("name a Go module's folder, a package's folder, a Go program, or a module such as rustgo.dev/packages@v0.1.0")
        .into())
}

/// Returns true if the argument is `MODULE@VERSION`. A folder or file of such a name must be written as `./NAME` or with an absolute path. Otherwise
/// a folder in the current folder could pass for a published module.
pub fn is_module(path: &str) -> bool {
    let is_local = path.starts_with("./") || path.starts_with("../") || Path::new(path).is_absolute();
    !is_local && path.split_once('@').is_some_and(|(module, version)| !module.is_empty() && !version.is_empty())
}

fn refuse(message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, message)
}

/// Reads the markers of a program.
fn in_program(path: &Path) -> Result<Vec<Found>> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| refuse(format!("{shown}: {error}")))?;
    const STARTS: [&[u8]; 5] = [b"\x7fELF", b"MZ", b"\xCF\xFA\xED\xFE", b"\xCA\xFE\xBA\xBE", b"\0asm"];
    if !STARTS.iter().any(|start| bytes.starts_with(start)) {
        return Err(refuse(format!("{shown} is not a program"))
            .hint("name a Go program (ELF, PE, Mach-O or WebAssembly) or a folder")
            .into());
    }
    let markers = marker::find(&bytes).map_err(|unread| match unread {
        Unread::Format(format) => {
            refuse(format!("{shown} has a package marker of format {format}, and this rustgo reads {}", marker::FORMAT))
                .hint("use a newer version of rustgo")
        }
        Unread::Line(line) => {
            let start: String = line.chars().take(160).collect();
            refuse(format!("{shown} has a package marker that is not understood: {start}"))
        }
    })?;
    if markers.is_empty() {
        return Err(refuse(format!("{shown} contains no package made by rustgo"))
            .hint("packages made before rustgo wrote markers are not found in programs: audit the Go module instead")
            .into());
    }
    Ok(markers.into_iter().map(of_marker).collect())
}

fn of_marker(marker: Marker) -> Found {
    let commit = marker.commit.map_or_else(String::new, |commit| format!(" ({commit})"));
    Found {
        name: marker.package,
        dir: None,
        rustgo: marker.rustgo,
        compilers: vec![(marker.target, format!("rustc {}{commit}", marker.rustc))],
        digests: marker.digests,
        crates: marker
            .crates
            .into_iter()
            .map(|krate| Linked { name: krate.name, version: krate.version, source: Some(krate.source), license: None, checksum: None })
            .collect(),
    }
}

/// Reads the packages of a published module. The go command downloads the module to the module cache and checks it.
fn in_module(module: &str, go: &std::ffi::OsStr) -> Result<Vec<Found>> {
    let dir = download(module, go)?;
    let mut found = Vec::new();
    for package in packages_below(&dir)? {
        let path = module.split('@').next().unwrap_or_default();
        found.push(read(&package, &joined(path, &dir, &package))?);
    }
    if found.is_empty() { Err(refuse(format!("{module} contains no package made by rustgo")).into()) } else { Ok(found) }
}

/// Downloads a module (`PATH@VERSION`) to the module cache. Returns its folder.
///
/// # Errors
/// [`ErrorCode::Request`] with the go command's message.
pub fn download(module: &str, go: &std::ffi::OsStr) -> Result<PathBuf> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Answer {
        dir: Option<PathBuf>,
        error: Option<String>,
    }
    let go = Go::find(go)?;
    let scratch = tempfile::tempdir().map_err(|error| refuse(format!("cannot make a temporary folder: {error}")))?;
    process::remove_at_interrupt(scratch.path());
    let mut command = go.program(scratch.path());
    command.args(["mod", "download", "-json", module]).env("GOFLAGS", "-mod=mod");
    let output = process::capture(&mut command)?.map_err(|error| refuse(format!("go cannot be run: {error}")))?;
    let answer = serde_json::from_slice::<Answer>(&output.stdout).unwrap_or(Answer { dir: None, error: None });
    match answer {
        Answer { dir: Some(dir), error: None } if output.status.success() => Ok(dir),
        Answer { error, .. } => {
            let mut refused = refuse(format!("the go command cannot download {module}"));
            let said = error.unwrap_or(output.stderr);
            refused.notes.extend(said.lines().take(10).map(str::to_owned));
            Err(refused.hint("name a version as go get does, such as v0.1.0 or latest; GOPROXY, GOPRIVATE and GONOSUMDB apply").into())
        }
    }
}

/// Reads the packages in a folder. If the folder is in a Go module, also reads the packages that the folder's packages import.
fn in_folder(dir: &Path, go: &std::ffi::OsStr) -> Result<Vec<Found>> {
    let dir = dir.canonicalize().map_err(|error| refuse(format!("{}: {error}", dir.display())))?;
    let mut packages: BTreeMap<PathBuf, Option<String>> = packages_below(&dir)?.into_iter().map(|package| (package, None)).collect();
    let module = GoModule::of(&dir);
    if module.is_some() {
        packages.extend(listed(&dir, go)?.into_iter().map(|(dir, import)| (dir, Some(import))));
    }
    let mut found = Vec::new();
    for (package, import) in &packages {
        let name = match (import, &module) {
            (Some(import), _) => import.clone(),
            (None, Some(module)) => joined(&module.path, &module.root, package),
            (None, None) => package.strip_prefix(&dir).ok().filter(|below| !below.as_os_str().is_empty()).map_or_else(
                || dir.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                |below| below.to_string_lossy().replace('\\', "/"),
            ),
        };
        found.push(read(package, &name)?);
    }
    if !found.is_empty() {
        return Ok(found);
    }
    Err(refuse(format!("{} contains and imports no package made by rustgo", dir.display()))
        .hint("a package made by rustgo has a file rustgo.go")
        .into())
}

/// Returns the import path of the package in `package`, below the module in `dir`.
fn joined(module: &str, dir: &Path, package: &Path) -> String {
    match package.strip_prefix(dir) {
        Ok(below) if !below.as_os_str().is_empty() => format!("{module}/{}", below.to_string_lossy().replace('\\', "/")),
        _ => module.to_owned(),
    }
}

/// Lists the folders with a package made by rustgo, at `dir` and below.
///
/// # Errors
/// [`ErrorCode::Request`] if a folder cannot be listed.
pub fn packages_below(dir: &Path) -> Result<Vec<PathBuf>> {
    Ok(folders_below(dir)?.into_iter().filter(|dir| is_package(dir)).collect())
}

/// Lists the folders, at `dir` and below, whose packages Go code can import. If `dir` is in a module, lists only folders of this module.
///
/// # Errors
/// [`ErrorCode::Request`] if a folder cannot be listed.
pub fn folders_below(dir: &Path) -> Result<Vec<PathBuf>> {
    let in_module = GoModule::of(dir).is_some();
    let is_root = |dir: &Path| dir.join("go.mod").is_file();
    let mut found = Vec::new();
    let mut queue = vec![dir.to_owned()];
    while let Some(dir) = queue.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|error| refuse(format!("{}: {error}", dir.display())))?;
        for entry in entries.flatten() {
            let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
            // The pattern `./...` leaves out more folders, such as `testdata` and `_x`, but their packages can be imported.
            let is_ignored = name.starts_with('.') || name == "vendor" && is_root(&dir) || in_module && is_root(&path);
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_ignored {
                queue.push(path);
            }
        }
        found.push(dir);
    }
    found.sort();
    Ok(found)
}

/// Returns true if a folder has a file of a package made by rustgo. One such file suffices, so that a package whose Go file has lost its header is
/// found too, and then refused.
pub fn is_package(dir: &Path) -> bool {
    let is_generated = std::fs::read_to_string(dir.join(GO_FILE)).is_ok_and(|text| gosrc::is_generated(&text));
    let is_assembly = |name: &str| name.starts_with("rustgo_") && name.ends_with(".s");
    is_generated || dir.join(provenance::FILE).exists() || write::file_names(dir).iter().any(|name| is_assembly(name))
}

/// Systems and processors for which imports are listed, in addition to the go command's defaults.
const PORTS: [(&str, &str); 6] =
    [("linux", "amd64"), ("linux", "arm64"), ("windows", "amd64"), ("windows", "arm64"), ("darwin", "amd64"), ("darwin", "arm64")];

/// Lists the packages made by rustgo that are at `dir` or below, or that the Go packages there import, directly or indirectly. Each entry is a
/// package's folder and import path.
fn listed(dir: &Path, go: &std::ffi::OsStr) -> Result<BTreeMap<PathBuf, String>> {
    let go = Go::find(go)?;
    let mut found = BTreeMap::new();
    for port in [None].into_iter().chain(PORTS.map(Some)) {
        let mut command = go.command(dir);
        command.args(["list", "-deps", "-test", "-f", "{{.Dir}}\t{{.ImportPath}}\t{{.Name}}"]);
        if let Some((system, processor)) = port {
            // `-e` accepts a module that does not build for a port.
            command.arg("-e").env("GOOS", system).env("GOARCH", processor);
        }
        let output = process::capture(command.arg("./..."))?.map_err(|error| refuse(format!("go cannot be run: {error}")))?;
        if !output.status.success() && port.is_none() {
            let mut refused = refuse(format!("go list does not say which packages {} imports", dir.display()));
            refused.notes.extend(output.stderr.lines().take(10).map(str::to_owned));
            return Err(refused.hint("run go mod download in the module, or repair what go list ./... reports").into());
        }
        found.extend(of_list(&String::from_utf8_lossy(&output.stdout)).filter(|(dir, _)| is_package(dir)));
    }
    Ok(found)
}

/// Reads the lines that `go list` prints. Leaves out test packages (`…_test`) and the programs that run tests. Removes the suffix ` [pkg.test]`,
/// which `go list` adds to the path of a package that is compiled again for a test.
fn of_list(text: &str) -> impl Iterator<Item = (PathBuf, String)> {
    text.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (dir, import, name) = (fields.next()?, fields.next()?, fields.next()?);
        let (import, is_anew) = import.split_once(" [").map_or((import, false), |(import, _)| (import, true));
        let is_test = name == "main" && import.ends_with(".test") || is_anew && name.ends_with("_test");
        (!dir.is_empty() && !is_test).then(|| (PathBuf::from(dir), import.to_owned()))
    })
}

/// Reads a package in a folder from its provenance file, or from the header of its Go file if it has no provenance file.
fn read(dir: &Path, name: &str) -> Result<Found> {
    let path = dir.join(GO_FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| refuse(format!("{}: {error}", path.display())))?;
    let header = of_header(&text).ok_or_else(|| {
        refuse(format!("{} has no header that is understood", path.display())).hint("build the package with this version of rustgo")
    })?;
    let found = match provenance_of(dir)? {
        Some(provenance) => of_provenance(provenance),
        None => return Ok(Found { name: name.to_owned(), dir: Some(dir.to_owned()), ..header }),
    };
    let names = |found: &Found| -> BTreeSet<(String, String)> {
        found.crates.iter().map(|krate| (krate.name.clone(), krate.version.clone())).collect()
    };
    if let Some((krate, version)) = names(&header).symmetric_difference(&names(&found)).next() {
        let message = format!("{} and {GO_FILE} in {} do not name the same crates: {krate} {version}", provenance::FILE, dir.display());
        return Err(refuse(message).hint("one of the files was changed: build the package again").into());
    }
    Ok(Found { name: name.to_owned(), dir: Some(dir.to_owned()), ..found })
}

/// Reads the provenance file of the package in a folder. `None` if the package has no such file.
///
/// # Errors
/// [`ErrorCode::Request`] if the file cannot be read.
pub fn provenance_of(dir: &Path) -> Result<Option<Provenance>> {
    let path = dir.join(provenance::FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => Provenance::parse(&text, &path.display().to_string()).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refuse(format!("{}: {error}", path.display())).into()),
    }
}

fn of_provenance(provenance: Provenance) -> Found {
    let mut compilers: Vec<(String, String)> = provenance.code.iter().map(|code| (code.arch.clone(), code.rustc.clone())).collect();
    compilers.extend(provenance.translated.iter().map(|code| ("other".to_owned(), code.rustc.clone())));
    let linked = |krate: provenance::Crate| Linked {
        source: Some(krate.source()),
        name: krate.name,
        version: krate.version,
        license: krate.license,
        checksum: krate.checksum,
    };
    Found {
        name: String::new(),
        dir: None,
        rustgo: provenance.rustgo,
        compilers,
        digests: provenance.code.into_iter().flat_map(|code| code.levels).map(|level| level.source).collect(),
        crates: provenance.crates.into_iter().map(linked).collect(),
    }
}

/// Reads the header of a generated Go file.
fn of_header(text: &str) -> Option<Found> {
    // In a copy of a run-time package, the header of the copy precedes the header of the code.
    let copied = text.find("\n// Copied from ").filter(|&at| !text[..at].contains("\npackage "));
    let text = copied.and_then(|at| text[at..].split_once("\n\n")).map_or(text, |(_, text)| text);
    let header = || text.lines().map_while(|line| line.strip_prefix("//").map(str::trim));
    let (mut rustgo, mut compilers) = (String::new(), Vec::new());
    for line in header() {
        let Some((version, rest)) = line.strip_prefix("rustgo ").and_then(|rest| rest.split_once(", ")) else { continue };
        // `rest` is, for example, `rustc 1.95.0 (59807616e 2026-04-14), x86-64 (amd64)`. If the package has only one architecture, ` (amd64)` is
        // missing.
        let (rustc, levels) = rest.rsplit_once(", ")?;
        let arch = levels.split_once(" (").and_then(|(_, arch)| arch.strip_suffix(')')).unwrap_or_default();
        version.clone_into(&mut rustgo);
        compilers.push((arch.to_owned(), rustc.to_owned()));
    }
    let mut crates = Vec::new();
    let lists = [("linked", None), (origin::WITH_STD, Some(Source::Std)), (origin::BUILT_WITH, Some(Source::Build))];
    let of_lists = |line| lists.into_iter().find_map(|(start, source)| Some((str::strip_prefix(line, start)?.strip_prefix(": ")?, source)));
    for (line, source) in header().filter_map(of_lists) {
        // If the lists of two targets differ, each list ends with the names of its targets.
        let list = if line.ends_with(')') { line.rsplit_once(" (")?.0 } else { line };
        for krate in list.split(", ") {
            let (name, version) = krate.split_once(' ')?;
            let linked = Linked { name: name.into(), version: version.into(), source, license: None, checksum: None };
            if !crates.contains(&linked) {
                crates.push(linked);
            }
        }
    }
    let digests = header().filter_map(|line| line.split(' ').find(|word| word.starts_with("sha256:"))).map(str::to_owned).collect();
    let is_whole = !compilers.is_empty() && !crates.is_empty();
    is_whole.then(|| Found { name: String::new(), dir: None, rustgo, compilers, digests, crates })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_folders_are_told_apart() {
        for (path, expected) in [
            ("example.com/hash@v0.1.0", true),
            ("hash@latest", true),
            ("./example.com/hash@v0.1.0", false),
            ("../hash@v0.1.0", false),
            ("/tmp/hash@v0.1.0", false),
            ("hash", false),
            ("@v0.1.0", false),
            ("hash@", false),
        ] {
            assert_eq!(is_module(path), expected, "{path}");
        }
    }

    #[test]
    fn lists_of_packages_are_read() {
        let text = "/m\tm\tm\n/m\tm.test\tmain\n/a\ta.test\ta\n/b\tb [m.test]\tb\n/m\tm_test [m.test]\tm_test\n\tc\tc\n\n";
        let found: Vec<String> = of_list(text).map(|(dir, import)| format!("{} {import}", dir.display())).collect();
        assert_eq!(found, ["/m m", "/a a.test", "/b b"]);
    }

    #[test]
    fn headers_are_read() {
        let text = "// Code generated by rustgo build; DO NOT EDIT.\n//\n// rustgo 0.1.0, rustc 1.95.0 (598 2026-04-14), x86-64 (amd64)\n\
            // rustgo 0.1.0, rustc 1.96.0 (ac6 2026-05-25) (built from a source tarball), armv8-a (arm64)\n// c sha256:aa\n\
            // linked: c 0.1.0, a 1.0.0 (amd64)\n// linked: c 0.1.0, b 2.0.0 (arm64)\n// linked with std: h 1.0.0 (arm64)\n// native code built with: cc 1.2.0\n// panics unwind\n\npackage c\n\n// linked: x 1.0\n";
        let found = of_header(text).unwrap();
        assert_eq!(found.crates.iter().map(|krate| krate.name.as_str()).collect::<Vec<_>>(), ["c", "a", "b", "h", "cc"]);
        assert_eq!(found.crates.iter().filter_map(|krate| krate.source).collect::<Vec<_>>(), [Source::Std, Source::Build]);
        assert_eq!((found.rustgo.as_str(), found.digests.as_slice()), ("0.1.0", ["sha256:aa".to_owned()].as_slice()));
        assert_eq!(found.rustc_versions(), BTreeSet::from(["1.95.0", "1.96.0"]));
        let one = of_header("// rustgo 0.1.0, rustc 1.95.0 (x), x86-64\n// linked: c 0.1.0\n").unwrap();
        assert_eq!(one.compilers, [(String::new(), "rustc 1.95.0 (x)".to_owned())]);
        assert_eq!(of_header("// Code generated by rustgo build; DO NOT EDIT.\n"), None);
        let copy =
            "// Code generated by rustgo build; DO NOT EDIT.\n//\n// SPDX-License-Identifier: MIT\n\n// Copied from rustgo.dev/go/rt.\n\n";
        assert_eq!(of_header(&format!("{copy}{text}")), Some(found));
    }
}

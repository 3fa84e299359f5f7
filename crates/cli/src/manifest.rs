//! Reads, through cargo, the crate's manifest and the list of packages from which the crate is built.

use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::process;
use crate::target::Target;
use crate::toolchain::Cargo;
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, PackageId, TargetKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The name of the support crate's package. The author's crate depends on this package.
pub const SUPPORT: &str = "rustgo-support";
/// Flags for rustc, in cargo's encoding (`CARGO_ENCODED_RUSTFLAGS`). The dependencies in a manifest may depend on these flags:
/// `[target.'cfg(rustgo)'.dependencies]`.
pub const RUSTFLAGS: &str = "--cfg\u{1f}rustgo";

/// The value of [`Package::source`] for a package that is a part of the standard library.
pub const OF_STD: &str = "std";
/// The value of [`Package::source`] for a build dependency of a package with a native library.
pub const OF_BUILD: &str = "build";

/// The data from the crate's manifest. Reading the manifest resolves no dependencies and downloads nothing.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub name: String,
    pub version: String,
    pub description: Option<String>,
    /// The folder that contains Cargo.toml.
    pub dir: PathBuf,
    /// cargo's target folder.
    pub target_dir: PathBuf,
    /// The path of the library's root file, usually `src/lib.rs`.
    pub lib_source: PathBuf,
    /// The name under which the manifest lists the dependency on rustgo-support, followed by `?` if the dependency is optional. For cargo, this name
    /// followed by `/FEATURE` is a feature of rustgo-support. `None` if the crate does not depend on rustgo-support itself.
    pub support: Option<String>,
    /// The table `[package.metadata.rustgo]`, or null.
    pub settings: serde_json::Value,
}

/// A package whose code may be linked into the static library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// The licence expression in the package's manifest.
    pub license: Option<String>,
    pub dir: PathBuf,
    /// The registry or repository of the package. None for a package in a local folder.
    pub source: Option<String>,
    /// The checksum in Cargo.lock, if the package is from a registry.
    pub checksum: Option<String>,
    /// The package's enabled features, sorted.
    pub features: Vec<String>,
    /// The path of the root file of the package's library. None if the package has no library that can be linked.
    pub lib_source: Option<PathBuf>,
}

/// The cargo features with which the crate is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    pub named: Vec<String>,
    pub all: bool,
    pub no_default: bool,
}

impl Features {
    /// Returns these features and one more.
    pub fn and(&self, name: String) -> Features {
        let mut features = self.clone();
        features.named.push(name);
        features
    }

    /// Returns cargo's options for these features.
    pub fn args(&self) -> Vec<String> {
        let mut args = Vec::new();
        if !self.named.is_empty() {
            args.push(format!("--features={}", self.named.join(",")));
        }
        if self.all {
            args.push("--all-features".into());
        }
        if self.no_default {
            args.push("--no-default-features".into());
        }
        args
    }
}

/// Reads the manifest of the crate in `dir`. Needs no network.
pub fn manifest(cargo: &Cargo, dir: &Path) -> Result<Manifest> {
    let path = dir.join("Cargo.toml");
    if !path.is_file() {
        return Err(Diagnostic::new(ErrorCode::Crate, format!("no Cargo.toml in {}", dir.display()))
            .hint("name the crate's folder with --crate DIR")
            .into());
    }
    let metadata = query(cargo, &path, None, |command| {
        command.no_deps();
    })?;
    let Some(package) = metadata.packages.iter().find(|package| same_file(package.manifest_path.as_std_path(), &path)) else {
        let members: Vec<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
        return Err(Diagnostic::new(ErrorCode::Crate, format!("{} is a workspace, not a crate", path.display()))
            .note(format!("its members: {}", members.join(", ")))
            .hint("name a member's folder with --crate DIR")
            .into());
    };
    let Some(lib) = package.targets.iter().find(|target| target.kind.iter().any(is_library)) else {
        let proc_macro = package.targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro));
        let what = if proc_macro { "is a procedural macro" } else { "has no library" };
        return Err(Diagnostic::new(ErrorCode::Crate, format!("the crate {} {what}", package.name))
            .hint("put the exported functions into src/lib.rs")
            .into());
    };
    Ok(Manifest {
        name: package.name.to_string(),
        version: package.version.to_string(),
        description: package.description.as_ref().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()),
        dir: parent(package.manifest_path.as_std_path()),
        target_dir: metadata.target_directory.clone().into(),
        lib_source: lib.src_path.clone().into(),
        support: package.dependencies.iter().find_map(support),
        settings: package.metadata.get("rustgo").cloned().unwrap_or_default(),
    })
}

/// Returns the name of a dependency on rustgo-support, for use in names of features (`NAME/libm`); `None` for any other dependency. An optional
/// dependency gets the suffix `?`, because without it cargo would also turn on the dependency.
fn support(dependency: &cargo_metadata::Dependency) -> Option<String> {
    let is_it = dependency.name == SUPPORT && dependency.kind == cargo_metadata::DependencyKind::Normal;
    let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
    is_it.then(|| format!("{name}{}", if dependency.optional { "?" } else { "" }))
}

/// Lists the packages that are linked into the library of `manifest`: first the crate itself, then the others, ordered by name, version and
/// source.
pub fn packages(cargo: &Cargo, manifest: &Manifest, features: &Features, platform: impl Into<Platform>) -> Result<Vec<Package>> {
    Ok(packages_and_builders(cargo, manifest, features, platform)?.0)
}

/// The platform whose dependencies count.
#[derive(Clone, Copy)]
pub struct Platform {
    triple: &'static str,
    /// The target whose flags cargo passes to rustc when it asks for the platform's configuration.
    target: Option<Target>,
}

impl Platform {
    /// A platform without machine code of rustgo's, by rustc's name.
    pub fn named(triple: &'static str) -> Platform {
        Platform { triple, target: None }
    }
}

impl From<Target> for Platform {
    fn from(target: Target) -> Platform {
        Platform { triple: target.arch.triple(), target: Some(target) }
    }
}

/// Returns two lists: the packages that [`packages`] lists, and the build dependencies of packages with a native library (`links` in Cargo.toml). The
/// build script of such a package makes the library, often from sources in a build dependency such as openssl-src.
pub fn packages_and_builders(
    cargo: &Cargo,
    manifest: &Manifest,
    features: &Features,
    platform: impl Into<Platform>,
) -> Result<(Vec<Package>, Vec<Package>)> {
    let path = manifest.dir.join("Cargo.toml");
    let metadata = resolved(cargo, manifest, features, platform.into())?;
    let root = metadata.packages.iter().find(|package| same_file(package.manifest_path.as_std_path(), &path));
    let (Some(root), Some(resolve)) = (root, metadata.resolve.as_ref()) else {
        return Err(Diagnostic::new(ErrorCode::Crate, format!("cargo metadata does not know the crate {}", manifest.name)).into());
    };
    let features_of: BTreeMap<&PackageId, Vec<String>> =
        resolve.nodes.iter().map(|node| (&node.id, node.features.iter().map(ToString::to_string).collect())).collect();
    let checksums = checksums(&metadata.workspace_root.as_std_path().join("Cargo.lock"));

    let describe = |package: &cargo_metadata::Package| {
        let lib = package.targets.iter().find(|target| target.kind.iter().any(is_library));
        let (name, version) = (package.name.to_string(), package.version.to_string());
        let source = package.source.as_ref().map(|source| source.repr.clone());
        let mut features = features_of.get(&package.id).cloned().unwrap_or_default();
        features.sort();
        Package {
            checksum: checksums.get(&(name.clone(), version.clone(), source.clone())).cloned(),
            license: package.license.clone(),
            dir: parent(package.manifest_path.as_std_path()),
            lib_source: lib.map(|target| target.src_path.clone().into()),
            name,
            version,
            source,
            features,
        }
    };
    let list = |ids: &BTreeSet<&PackageId>| {
        let mut found: Vec<(bool, Package)> = metadata
            .packages
            .iter()
            .filter(|package| ids.contains(&package.id))
            .map(|package| (package.id != root.id, describe(package)))
            .collect();
        found.sort_by(|a, b| (a.0, &a.1.name, &a.1.version, &a.1.source).cmp(&(b.0, &b.1.name, &b.1.version, &b.1.source)));
        found.into_iter().map(|(_, package)| package).collect()
    };
    let linked = linked(&root.id, &metadata);
    let builders = builders(&linked, &metadata);
    Ok((list(&linked), list(&builders)))
}

/// The crate that `rustgo survey` or `rustgo get` examines. A scratch crate depends on it under the name `subject`.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub version: String,
    /// The library's name in Rust code.
    pub lib_name: String,
    /// The crate's features that are enabled.
    pub features: BTreeSet<String>,
    /// For each library that the crate needs only through optional dependencies, by the library's name in Rust code: the enabled features of the
    /// crate that turn these dependencies on.
    pub brought_by: BTreeMap<String, BTreeSet<String>>,
}

/// Finds the crate that the scratch crate depends on.
pub fn subject(cargo: &Cargo, manifest: &Manifest, target: Target) -> Result<Subject> {
    let metadata = resolved(cargo, manifest, &Features::default(), target.into())?;
    let unknown = || Diagnostic::new(ErrorCode::Toolchain, "cargo metadata does not name the surveyed crate");
    let resolve = metadata.resolve.as_ref().ok_or_else(unknown)?;
    let nodes: BTreeMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let dep = resolve.root.as_ref().and_then(|root| nodes.get(root)?.deps.iter().find(|dep| dep.name == "subject")).ok_or_else(unknown)?;
    let package_of = |id: &PackageId| metadata.packages.iter().find(|package| package.id == *id);
    let package = package_of(&dep.pkg).ok_or_else(unknown)?;
    let lib_name = |package: &cargo_metadata::Package| {
        let lib = package.targets.iter().find(|target| target.kind.iter().any(is_library));
        lib.map(|target| target.name.replace('-', "_"))
    };
    let no_library = || Diagnostic::new(ErrorCode::Crate, format!("the crate {} has no library", package.name));
    let enabled: BTreeSet<String> =
        nodes.get(&dep.pkg).map(|node| node.features.iter().map(ToString::to_string).collect()).unwrap_or_default();
    let optional: BTreeSet<String> = package
        .dependencies
        .iter()
        .filter(|dep| dep.optional)
        .map(|dep| dep.rename.as_ref().unwrap_or(&dep.name).replace('-', "_"))
        .collect();
    let direct = nodes.get(&dep.pkg).map(|node| node.deps.as_slice()).unwrap_or_default();
    let below = |start: Vec<&PackageId>| {
        let mut seen: BTreeSet<PackageId> = BTreeSet::new();
        let mut todo: Vec<PackageId> = start.into_iter().cloned().collect();
        while let Some(id) = todo.pop() {
            if seen.insert(id.clone()) {
                todo.extend(nodes.get(&id).into_iter().flat_map(|node| node.deps.iter().map(|dep| dep.pkg.clone())));
            }
        }
        seen
    };
    let always = below(direct.iter().filter(|dep| !optional.contains(&dep.name)).map(|dep| &dep.pkg).collect());
    let mut brought_by: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for dep in direct.iter().filter(|dep| optional.contains(&dep.name)) {
        let brings = |needs: &String| {
            let named = needs.strip_prefix("dep:").or_else(|| needs.split_once('/').map(|(dep, _)| dep)).unwrap_or(needs);
            named.replace('-', "_") == dep.name
        };
        let by: BTreeSet<String> = package
            .features
            .iter()
            .filter(|(name, needs)| enabled.contains(*name) && needs.iter().any(brings))
            .map(|(name, _)| name.clone())
            .collect();
        for id in below(vec![&dep.pkg]).difference(&always) {
            if let Some(name) = package_of(id).and_then(lib_name) {
                brought_by.entry(name).or_default().extend(by.iter().cloned());
            }
        }
    }
    Ok(Subject {
        name: package.name.to_string(),
        version: package.version.to_string(),
        lib_name: lib_name(package).ok_or_else(no_library)?,
        features: enabled,
        brought_by,
    })
}

/// Returns true if a build of the crate uses the package `name`, even as a build dependency, which is not linked.
pub fn needs(cargo: &Cargo, manifest: &Manifest, features: &Features, target: Target, name: &str) -> Result<bool> {
    let metadata = resolved(cargo, manifest, features, target.into())?;
    let ids: BTreeSet<&PackageId> = metadata.packages.iter().filter(|package| package.name == name).map(|package| &package.id).collect();
    Ok(metadata.resolve.iter().flat_map(|resolve| &resolve.nodes).any(|node| ids.contains(&node.id)))
}

/// Returns cargo's metadata of the crate and of all its dependencies for a platform.
fn resolved(cargo: &Cargo, manifest: &Manifest, features: &Features, platform: Platform) -> Result<Metadata> {
    query(cargo, &manifest.dir.join("Cargo.toml"), platform.target, |command| {
        if features.all {
            command.features(CargoOpt::AllFeatures);
        }
        if features.no_default {
            command.features(CargoOpt::NoDefaultFeatures);
        }
        if !features.named.is_empty() {
            command.features(CargoOpt::SomeFeatures(features.named.clone()));
        }
        let mut options = vec!["--filter-platform".to_owned(), platform.triple.to_owned()];
        options.extend(cargo.network_args().into_iter().map(str::to_owned));
        command.other_options(options);
    })
}

/// Returns the packages that `root` needs through normal dependencies, without procedural macros and their dependencies.
fn linked<'a>(root: &'a PackageId, metadata: &'a Metadata) -> BTreeSet<&'a PackageId> {
    let Some(resolve) = metadata.resolve.as_ref() else { return BTreeSet::new() };
    let nodes: BTreeMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let runs_at_build: BTreeSet<&PackageId> = metadata
        .packages
        .iter()
        .filter(|package| package.targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro)))
        .map(|package| &package.id)
        .collect();
    let mut seen = BTreeSet::from([root]);
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        for dep in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
            let normal = dep.dep_kinds.iter().any(|kind| kind.kind == cargo_metadata::DependencyKind::Normal);
            if normal && !runs_at_build.contains(&dep.pkg) && seen.insert(&dep.pkg) {
                todo.push(&dep.pkg);
            }
        }
    }
    seen
}

/// Returns the packages that are not linked themselves but are build dependencies of linked packages with a native library.
fn builders<'a>(linked: &BTreeSet<&PackageId>, metadata: &'a Metadata) -> BTreeSet<&'a PackageId> {
    let native = metadata.packages.iter().filter(|package| package.links.is_some() && linked.contains(&package.id));
    let native: BTreeSet<&PackageId> = native.map(|package| &package.id).collect();
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes).filter(|node| native.contains(&node.id));
    let is_build = |dep: &&cargo_metadata::NodeDep| dep.dep_kinds.iter().any(|kind| kind.kind == cargo_metadata::DependencyKind::Build);
    nodes.flat_map(|node| &node.deps).filter(is_build).map(|dep| &dep.pkg).filter(|id| !linked.contains(id)).collect()
}

/// Runs `cargo metadata`. cargo evaluates the conditions of dependencies for `target`, including `cfg(target_feature)`.
fn query(cargo: &Cargo, manifest: &Path, target: Option<Target>, set: impl FnOnce(&mut MetadataCommand)) -> Result<Metadata> {
    let mut query = MetadataCommand::new();
    query.manifest_path(manifest);
    set(&mut query);
    // cargo_metadata only makes the command line. rustgo itself runs the command, so that an interrupt ends the command and the user sees cargo's
    // stderr.
    let mut command = cargo.command(&parent(manifest));
    command.args(query.cargo_command().get_args());
    // For `--filter-platform`, cargo asks rustc for the target's configuration. cargo passes the user's flags to rustc unless this variable has
    // other flags.
    let level = target.into_iter().flat_map(Target::level_flags).map(|flag| format!("\u{1f}-C\u{1f}{flag}"));
    command.env("CARGO_ENCODED_RUSTFLAGS", RUSTFLAGS.to_owned() + &level.collect::<String>());
    let output = process::pass_through(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
    if !output.status.success() {
        return Err(refused(cargo, &parent(manifest))?);
    }
    MetadataCommand::parse(String::from_utf8_lossy(&output.stdout)).map_err(|error| {
        Diagnostic::new(ErrorCode::Toolchain, "the output of cargo metadata cannot be parsed").note(error.to_string()).into()
    })
}

/// Returns the reason why cargo failed. If cargo cannot even print its version, the cause is the toolchain: a `rust-toolchain.toml` may name a
/// missing toolchain. Otherwise the cause is the manifest or a dependency.
fn refused(cargo: &Cargo, dir: &Path) -> Result<Failure> {
    let works = process::capture(cargo.command(dir).arg("--version"))?.is_ok_and(|output| output.status.success());
    let diagnostic = if works {
        Diagnostic::new(ErrorCode::Crate, format!("cargo refuses the crate in {}", dir.display()))
            .hint("cargo printed the reason on stderr: correct Cargo.toml or the dependency")
    } else {
        Diagnostic::new(ErrorCode::Toolchain, format!("cargo cannot be run in {}", dir.display()))
            .hint("the standard error has the reason: install the toolchain, or name another with --toolchain")
    };
    Ok(Failure::Reported(Box::new(diagnostic)))
}

fn is_library(kind: &TargetKind) -> bool {
    matches!(kind, TargetKind::Lib | TargetKind::RLib | TargetKind::DyLib | TargetKind::CDyLib | TargetKind::StaticLib)
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("/")).to_owned()
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Reads the checksums in Cargo.lock, by name, version and source of a package. If the file is missing or unreadable, the result is empty. The
/// checksums may be missing, because the digest of the archive covers the contents of local sources.
fn checksums(lock: &Path) -> BTreeMap<(String, String, Option<String>), String> {
    #[derive(serde::Deserialize)]
    struct Lock {
        #[serde(default)]
        package: Vec<Entry>,
    }
    #[derive(serde::Deserialize)]
    struct Entry {
        name: String,
        version: String,
        source: Option<String>,
        checksum: Option<String>,
    }
    let text = std::fs::read_to_string(lock).unwrap_or_default();
    let lock: Lock = toml::from_str(&text).unwrap_or(Lock { package: Vec::new() });
    lock.package.into_iter().filter_map(|entry| Some(((entry.name, entry.version, entry.source), entry.checksum?))).collect()
}

//! `rustgo verify`: makes the packages of a published module again and compares every generated file.
//!
//! The module is copied to a scratch folder, and its packages are built there with the compilers and options that their provenance states. The module
//! itself stays unchanged. Files that are not generated are listed, but not verified.

mod compare;
mod result;
mod toolchains;

use crate::args::{BuildArgs, Output, OutputArgs, VerifyArgs};
use crate::audit::find;
use crate::config::{self, go_module::GoModule};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest::SUPPORT;
use crate::process;
use crate::product::Product;
use crate::progress::Progress;
use crate::provenance::{self, Provenance};
use crate::request::Request;
use crate::scaffold;
use crate::start;
use crate::target::Arch;
use crate::toolchain::choice::Choice;
use crate::write;
use compare::Originals;
use result::{FileResult, Outcome};
pub use result::{Package, Verification};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// The function of `lib.rs` that runs the stages of a build.
pub type Build<'a> = &'a dyn Fn(&Request, &Progress) -> Result<Product>;

/// Verifies the packages that the arguments name. `plus_toolchain` is the toolchain of `rustgo +NAME`.
///
/// # Errors
/// [`ErrorCode::Request`] if there is no package made by rustgo, [`ErrorCode::Output`] if the scratch folder cannot be used. A package that differs
/// or cannot be rebuilt is no error: the returned [`Verification`] states it.
pub fn verify(
    args: &VerifyArgs,
    plus_toolchain: Option<&Choice>,
    messages: &OutputArgs,
    progress: &Progress,
    build: Build<'_>,
) -> Result<Verification> {
    let place = Path::new(&args.path);
    let dir = match place.is_dir() {
        _ if find::is_module(&args.path) => find::download(&args.path, &args.go)?,
        true => place.canonicalize().map_err(|error| refuse(format!("{}: {error}", place.display())))?,
        false => {
            return Err(refuse(format!("{} is neither a folder nor MODULE@VERSION", args.path))
                .hint("name a module such as rustgo.dev/packages@v0.1.0, or a Go module's folder")
                .into());
        }
    };
    let packages = find::packages_below(&dir)?;
    if packages.is_empty() {
        return Err(refuse(format!("{} contains no package made by rustgo", args.path))
            .hint("a package made by rustgo has a file rustgo.go")
            .into());
    }
    let Some(module) = GoModule::of(&dir) else {
        return Err(refuse(format!("{} is in no Go module", dir.display())).hint("name the folder of a Go module").into());
    };
    let scratch = tempfile::Builder::new()
        .prefix("rustgo-verify-")
        .tempdir()
        .map_err(|error| refuse(format!("cannot make a temporary folder: {error}")))?;
    process::remove_at_interrupt(scratch.path());
    // Resolve the path of the scratch folder, which may contain a symbolic link, as on macOS.
    let root = scratch.path().canonicalize().map_err(|error| refuse(format!("{}: {error}", scratch.path().display())))?.join("module");
    let originals = Originals::read(&module.root)?;
    let native = native_files(&module.root)?;
    write::copy_tree(&module.root, &root)?;
    let copied = RefCell::new(Originals::read(&root)?);
    let support = match &args.support {
        Some(dir) => Some(dir.canonicalize().map_err(|error| refuse(format!("the folder of {SUPPORT}: {}: {error}", dir.display())))?),
        None => scaffold::support_folder(),
    };
    let choices: Vec<Choice> = plus_toolchain.into_iter().chain(&args.toolchain).cloned().collect();
    let copies = RefCell::default();
    let job = Job { args, choices, messages, progress, build, root: &module.root, copy: &root, support, originals, copied, copies };
    // Packages with provenance come first, because copies of run-time packages are verified together with them.
    let (first, others): (Vec<_>, Vec<_>) = packages.iter().partition(|dir| dir.join(provenance::FILE).exists());
    let mut verified = first.into_iter().map(|dir| job.package(dir, &module)).collect::<Result<Vec<_>>>()?;
    let others = others.into_iter().filter(|dir| !job.copies.borrow().contains(*dir)).map(|dir| job.package(dir, &module));
    verified.extend(others.collect::<Result<Vec<_>>>()?);
    verified.sort_by(|a, b| a.name.cmp(&b.name));
    let copies = job.copies.borrow();
    let elsewhere = native.into_iter().filter(|(dir, _)| !copies.contains(dir));
    let elsewhere = elsewhere.map(|(dir, name)| dir.strip_prefix(&module.root).unwrap_or(&dir).join(name).display().to_string()).collect();
    Ok(Verification { packages: verified, elsewhere })
}

/// Lists the assembly, C and object files in those Go packages of a module that rustgo did not make, as pairs of folder and name. Go or a C compiler
/// makes machine code from these files.
fn native_files(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for dir in find::folders_below(root)?.into_iter().filter(|dir| !find::is_package(dir)) {
        let names = write::file_names(&dir);
        let sources = names.iter().filter(|name| write::is_go_source(name));
        let (go, others): (Vec<_>, Vec<_>) = sources.partition(|name| name.ends_with(".go"));
        if !go.is_empty() {
            found.extend(others.into_iter().map(|name| (dir.clone(), name.clone())));
        }
    }
    Ok(found)
}

fn refuse(message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, message)
}

struct Job<'a> {
    args: &'a VerifyArgs,
    choices: Vec<Choice>,
    messages: &'a OutputArgs,
    progress: &'a Progress,
    build: Build<'a>,
    /// The module's folder. `copy` is the folder of its copy.
    root: &'a Path,
    copy: &'a Path,
    /// The folder of the support crate.
    support: Option<PathBuf>,
    originals: Originals,
    /// The digests of the copy's files, updated for the changes that verify itself makes.
    copied: RefCell<Originals>,
    /// The folders in the module that were compared with copies of run-time packages.
    copies: RefCell<BTreeSet<PathBuf>>,
}

/// The reason why a package cannot be rebuilt, or an interrupt.
enum Obstacle {
    Reason(String),
    Interrupted,
}

impl From<Failure> for Obstacle {
    fn from(failure: Failure) -> Obstacle {
        match failure {
            Failure::Interrupted => Obstacle::Interrupted,
            Failure::Reported(reason) => Obstacle::Reason(reason.message),
            Failure::Refused(reasons) => Obstacle::Reason(match reasons.as_slice() {
                [] => "no reason is known".to_owned(),
                [first, others @ ..] => {
                    let more = if others.is_empty() { String::new() } else { format!(" (and {} more reasons)", others.len()) };
                    let hint = first.hint.as_ref().map_or_else(String::new, |hint| format!(": {hint}"));
                    format!("{}{hint}{more}", first.message)
                }
            }),
        }
    }
}

fn obstacle<T>(reason: impl Into<String>) -> std::result::Result<T, Obstacle> {
    Err(Obstacle::Reason(reason.into()))
}

impl Job<'_> {
    fn package(&self, dir: &Path, module: &GoModule) -> Result<Package> {
        let within = module.within(dir);
        let name = if within.is_empty() { module.path.clone() } else { format!("{}/{within}", module.path) };
        let mut package = Package { name, ..Package::default() };
        package.outcome = match self.rebuilt(dir, &mut package) {
            Ok(files) => Outcome::Compared(files),
            Err(Obstacle::Reason(reason)) => Outcome::Impossible(reason),
            Err(Obstacle::Interrupted) => return Err(Failure::Interrupted),
        };
        Ok(package)
    }

    /// Builds the package in the copy and compares its files.
    fn rebuilt(&self, dir: &Path, package: &mut Package) -> std::result::Result<Vec<FileResult>, Obstacle> {
        let Some(provenance) = find::provenance_of(dir)? else {
            return obstacle(format!("it has no {}", provenance::FILE));
        };
        let all: Vec<Arch> = provenance.code.iter().filter_map(|code| code.arch.parse().ok()).collect();
        if all.len() != provenance.code.len() {
            return obstacle("it has code for an architecture that this rustgo does not know");
        }
        let arches: Vec<Arch> = all.iter().copied().filter(|arch| self.args.arch.is_empty() || self.args.arch.contains(arch)).collect();
        package.unchecked = all.iter().filter(|arch| !arches.contains(arch)).map(ToString::to_string).collect();
        if arches.is_empty() {
            return obstacle("it has no code for the architectures of --arch");
        }
        if provenance.rustgo != env!("CARGO_PKG_VERSION") {
            let made_by = &provenance.rustgo;
            return obstacle(format!(
                "rustgo {made_by} made it, and this is rustgo {}: cargo install cargo-rustgo --version {made_by} --locked",
                env!("CARGO_PKG_VERSION")
            ));
        }
        let out = self.in_copy(dir);
        let krate = self.krate(&provenance, &out)?;
        package.source = Some(source(&provenance));
        self.refuse_settings(&krate)?;
        self.set_support(&krate)?;
        let (needs, choices) = toolchains::choose(&provenance, &arches, &self.choices, &krate)?;
        package.needs = needs;
        if let Some(missing) = package.needs.iter().find(|need| !need.is_here) {
            return obstacle(missing.to_string());
        }
        let mut request = self.request(&provenance, &arches, choices, krate, out)?;
        if request.manifest.target_dir.starts_with(self.copy) {
            // Put the target folder beside the copy, so that a build adds no file to the copy.
            request.manifest.target_dir = self.copy.with_file_name("target");
        }
        self.refuse_changes()?;
        let product = (self.build)(&request, self.progress)?;
        self.refuse_changes()?;
        let mut results = Vec::new();
        for folder in &product.folders {
            let original = folder.dir.strip_prefix(self.copy).map_or_else(|_| dir.to_owned(), |below| self.root.join(below));
            results.extend(self.originals.compare(&original, folder, &all, &arches, package));
            self.copies.borrow_mut().extend((!folder.shown.is_empty()).then_some(original));
        }
        Ok(results)
    }

    /// Returns the path in the copy of a file or folder of the module.
    fn in_copy(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.root).map_or_else(|_| self.copy.to_owned(), |below| self.copy.join(below))
    }

    /// Returns the crate's folder in the copy.
    fn krate(&self, provenance: &Provenance, out: &Path) -> std::result::Result<PathBuf, Obstacle> {
        let Some(path) = &provenance.krate.path else {
            return obstacle(format!("its crate {} is not part of the module", provenance.krate.name));
        };
        let krate = plain(&out.join(path));
        if Path::new(path).is_absolute() || !krate.starts_with(self.copy) || !krate.join("Cargo.toml").is_file() {
            return obstacle(format!("its crate {} ({path}) is not part of the module", provenance.krate.name));
        }
        if !krate.join("Cargo.lock").is_file() {
            return obstacle(format!("its crate {} has no Cargo.lock", provenance.krate.name));
        }
        Ok(krate)
    }

    /// Refuses settings files of the module that could make cargo or rustup run another compiler, wrapper or linker, or get crates from other
    /// sources.
    fn refuse_settings(&self, krate: &Path) -> std::result::Result<(), Obstacle> {
        for dir in krate.ancestors().take_while(|dir| dir.starts_with(self.copy)) {
            let shown = |name: &str| dir.strip_prefix(self.copy).unwrap_or(dir).join(name).display().to_string();
            if let Some(name) = [".cargo/config.toml", ".cargo/config"].into_iter().find(|name| dir.join(name).exists()) {
                return obstacle(format!(
                    "{} could change how cargo builds it, and verify accepts no settings of cargo from the module",
                    shown(name)
                ));
            }
            for name in ["rust-toolchain.toml", "rust-toolchain"] {
                let Ok(text) = std::fs::read_to_string(dir.join(name)) else { continue };
                let toolchain = toml::from_str::<Table>(&text).ok().and_then(|table| table.get("toolchain").cloned());
                if toolchain.is_some_and(|toolchain| toolchain.get("path").is_some()) {
                    return obstacle(format!(
                        "{} names the folder of a toolchain, and verify runs no toolchain from the module",
                        shown(name)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Refuses a copy whose sources were changed while a package was built. Otherwise a build script of the module could replace sources for a part
    /// of the build or for the next package.
    fn refuse_changes(&self) -> std::result::Result<(), Obstacle> {
        match self.copied.borrow().changed(self.copy)? {
            Some(name) => obstacle(format!("a build script may have changed {name} in the copy of the module")),
            None => Ok(()),
        }
    }

    /// Changes Cargo.toml in the copy so that it names the support crate's folder on this machine. Refuses a dependency on any other folder outside
    /// of the module.
    fn set_support(&self, krate: &Path) -> std::result::Result<(), Obstacle> {
        let path = krate.join("Cargo.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| Obstacle::Reason(format!("{}: {error}", path.display())))?;
        let mut manifest: Table =
            toml::from_str(&text).map_err(|error| Obstacle::Reason(format!("its Cargo.toml: {}", error.message())))?;
        let mut changed = false;
        for dependency in tables(&mut manifest) {
            let (name, table) = dependency;
            let Some(there) = table.get("path").and_then(Value::as_str) else { continue };
            let is_support = table.get("package").and_then(Value::as_str).unwrap_or(&name) == SUPPORT;
            if !is_support {
                let target = plain(&krate.join(there));
                if !target.starts_with(self.copy) || !target.is_dir() {
                    return obstacle(format!("it depends on the folder {there} of the crate {name}, which is not part of the module"));
                }
                continue;
            }
            let Some(support) = &self.support else {
                return obstacle(format!("it depends on the folder {there} of {SUPPORT}: name that crate's folder with --support DIR"));
            };
            table.insert("path".into(), Value::String(support.display().to_string()));
            changed = true;
        }
        if changed {
            write::replace_texts(krate, &[("Cargo.toml".into(), manifest.to_string())])?;
            self.copied.borrow_mut().accept(krate, "Cargo.toml")?;
        }
        Ok(())
    }

    fn request(
        &self,
        provenance: &Provenance,
        arches: &[Arch],
        toolchain: Vec<Choice>,
        krate: PathBuf,
        out: PathBuf,
    ) -> std::result::Result<Request, Obstacle> {
        let options = &provenance.options;
        let codes = provenance.code.iter().filter(|code| arches.iter().any(|arch| arch.goarch() == code.arch));
        let levels = codes.flat_map(|code| &code.levels).map(|level| level.cpu.parse().map_err(Obstacle::Reason));
        let panic = options.panic.as_deref().map(str::parse).transpose().map_err(Obstacle::Reason)?;
        let build = BuildArgs {
            krate,
            out: Some(out),
            package: Some(provenance.package.clone()),
            arch: arches.to_vec(),
            cpu: levels.collect::<std::result::Result<_, _>>()?,
            max_stack: Some(options.max_stack),
            panic,
            runtime: options.runtime.clone(),
            watch: options.watch,
            with_tests: options.with_tests,
            features: options.features.clone(),
            all_features: options.all_features,
            no_default_features: options.no_default_features,
            toolchain,
            go: self.args.go.clone(),
            offline: self.args.offline,
            locked_deps: true,
        };
        Ok(config::resolve(&build, self.messages, Output::Compared, start::program())?)
    }
}

/// Names the crate and the features from which a package is made.
fn source(provenance: &Provenance) -> String {
    let (krate, options) = (&provenance.krate, &provenance.options);
    let mut text = format!("{} {} in {}", krate.name, krate.version, krate.path.as_deref().unwrap_or_default());
    if options.all_features {
        text += ", all features";
    }
    if options.no_default_features {
        text += ", no default features";
    }
    if !options.features.is_empty() {
        text += &format!(", features {}", options.features.join(" "));
    }
    text
}

/// Returns the path without `.` and `..`. The folders need not exist.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Lists the dependencies that a manifest states as tables, as pairs of name and table.
fn tables(manifest: &mut Table) -> Vec<(String, &mut Table)> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let mut found = Vec::new();
    for (key, value) in manifest.iter_mut() {
        let Value::Table(table) = value else { continue };
        if KINDS.contains(&key.as_str()) {
            found.extend(table.iter_mut().filter_map(|(name, value)| Some((name.clone(), value.as_table_mut()?))));
        } else if key == "target" {
            let targets = table.iter_mut().filter_map(|(_, target)| target.as_table_mut());
            found.extend(targets.flat_map(tables));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_found_in_all_tables() {
        let mut manifest: Table = toml::from_str(
            "[dependencies]\na = { path = \"a\" }\nb = \"1\"\n[dependencies.c]\npath = \"c\"\n[target.'cfg(unix)'.dependencies]\nd = { path = \"d\" }\n\
             [dev-dependencies]\ne = { path = \"e\" }\n[package]\nname = \"p\"\n",
        )
        .unwrap();
        let mut names: Vec<String> = tables(&mut manifest).into_iter().map(|(name, _)| name).collect();
        names.sort();
        assert_eq!(names, ["a", "c", "d", "e"]);
    }

    #[test]
    fn paths_are_plain() {
        assert_eq!(plain(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
        assert_eq!(plain(Path::new("/a/../../d")), Path::new("/d"));
    }
}

//! Builds the archive of a request: cargo compiles the crate to a static library whose code can run in a Go program.
//!
//! Settings that change code go into `RUSTFLAGS` and the release profile, because flags after `--` reach only the last crate.
//! `CARGO_ENCODED_RUSTFLAGS` and `--config` override the user's environment and configuration, so that equal sources give equal code on every
//! machine. A crate that needs other flags must use features.

mod destructors;
mod digest;
pub mod draft;
pub mod flags;
pub mod library;
pub mod native;
pub mod paths;
mod std_link;
pub mod subject;
pub mod wasm;
pub mod wrapper;

use crate::abi;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest::{self, Package, SUPPORT};
use crate::process;
use crate::progress::Progress;
use crate::request::{Panics, Request};
use crate::target::{Arch, Target};
use crate::toolchain::choice::Toolchain;
use crate::toolchain::library::Library;
use crate::toolchain::{Cargo, Rustc, Version};
pub use destructors::Reliant;
use library::Compiled;
use paths::Paths;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use wrapper::{Plan, Verdict};

/// The first version of rustc with `--remap-path-scope`. With this flag, the paths in compiler messages stay unchanged.
const REMAP_SCOPE: Version = Version { major: 1, minor: 95, patch: 0 };

/// The static library of the author's crate, with facts about its build.
#[derive(Debug)]
pub struct Archive {
    /// The path of the `.a` file. Other builds do not touch this file. Dropping this value removes the file.
    pub path: PathBuf,
    pub target: Target,
    pub crate_name: String,
    /// The output of `rustc --version`, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub rustc_version: String,
    /// The commit from which the compiler was built, if `rustc -vV` states it.
    pub rustc_commit: Option<String>,
    /// The digest of all inputs from which the archive is made, `sha256:…`. It is equal on every machine.
    pub digest: String,
    /// The linked packages. The first is the author's crate.
    pub packages: Vec<Package>,
    /// The build dependencies of linked packages that link a native library.
    pub builders: Vec<Package>,
    /// The linked packages that rely on destructors.
    pub reliant: Reliant,
    /// True if the crate or a dependency links std. Then the archive contains std's panic handler.
    pub links_std: bool,
    /// True if panics unwind.
    pub unwinds: bool,
    /// True if Rust code cannot start threads.
    pub no_threads: bool,
    /// True if the author allows `rayon::spawn` and similar functions, which queue work for another thread, in a crate that cannot start threads.
    pub allows_spawn: bool,
    paths: Paths,
    _dir: TempDir,
}

impl Archive {
    /// Returns the name to print for a file that the debug information names: the author's files relative to the Go package
    /// (`rust/src/lib.rs`), other files by package (`/cargo/curve25519-dalek-4.1.3/src/edwards.rs`) or as `/rustc/library/…`.
    pub fn display_path(&self, name: &str) -> String {
        self.paths.display_path(name)
    }
}

/// The build of a request for one target.
pub(crate) struct Build<'a> {
    pub(crate) request: &'a Request,
    pub(crate) target: Target,
    /// The cargo of the toolchain for the target's architecture.
    pub(crate) cargo: Cargo,
    pub(crate) rustc: Rustc,
    /// The sources of the standard library, if rustgo compiles it for the target.
    pub(crate) library: Option<Library>,
    /// The way in which panics leave the Rust code. With `None`, panics unwind if the crate links std, and otherwise abandon their frames.
    pub(crate) panics: Option<Panics>,
    /// True if a call that has to abandon its frames ends the process.
    pub(crate) ends_process: bool,
    /// True if the author's crate itself links std.
    pub(crate) author_links_std: bool,
}

/// Builds the crate for `target`. cargo itself prints its messages for the user.
///
/// # Errors
/// Fails with [`Failure::Reported`] if cargo or the compiler has already explained the reason. Otherwise the failure describes the problem with
/// the crate or the tools.
pub fn compile(request: &Request, target: Target, progress: &Progress) -> Result<Archive> {
    let arch = target.arch;
    let dir = &request.manifest.dir;
    let cargo = request.cargo.of(arch);
    let rustc = cargo.rustc(dir)?;
    let library = match arch {
        Arch::Amd64 => {
            if !cargo.has_target(dir, arch)? {
                return Err(no_target(&cargo, arch));
            }
            None
        }
        Arch::Arm64 => Some(cargo.library(dir, &rustc)??),
    };
    let (packages, builders) = manifest::packages_and_builders(&cargo, &request.manifest, &request.features, target)?;
    if !packages.iter().any(|package| package.name == SUPPORT) {
        return Err(Diagnostic::new(
            ErrorCode::Crate,
            format!("the crate {} does not depend on {SUPPORT}, so it exports nothing", request.manifest.name),
        )
        .hint(format!(
            "depend on it by path ({SUPPORT} = {{ path = \"RUSTGO/crates/support\" }}), and write #[rustgo::export] above the functions Go is to call"
        ))
        .into());
    }
    if request.no_threads {
        check_rayon(&packages)?;
    }
    let paths =
        Paths::new(&request.manifest, &packages, &request.out).with_library(library.as_ref()).with_shipped(&cargo.shipped(dir, &rustc)?);
    let author_links_std = std_link::links_std(packages.get(..1).unwrap_or_default());
    let mut build = Build { request, target, cargo, rustc, library, panics: request.panics, ends_process: false, author_links_std };
    let code = if build.unwinds(true) { destructors::Code::Unwinding } else { destructors::Code::Abandoning };
    let reliant = destructors::check(&packages, request, code)?;
    if !reliant.others.is_empty() {
        (build.panics, build.ends_process) = (Some(Panics::Unwind), true);
    }

    let dir = private_dir(&request.manifest.target_dir)?;
    process::remove_at_interrupt(dir.path());
    let lock = exclusively(&request.manifest.target_dir, progress)?;
    let sysroot = build.compiled_library().map(|library| library.sysroot(request, progress)).transpose()?;
    let memory = std_link::Memory::new(&request.manifest, &packages);
    let guess = build.panics == Some(Panics::Unwind) || memory.recall().unwrap_or_else(|| std_link::links_std(&packages));
    progress.detail(&format!("{} {} std", request.manifest.name, if guess { "links" } else { "does not link" }));
    let (built, links_std) = match build.run(&paths, sysroot.as_deref(), guess, dir.path(), Attempt::First)? {
        Built::Archive(path) => (path, guess),
        Built::Wrong(Verdict::Missing) if !guess => return Err(no_exports(&request.manifest.name)),
        Built::Wrong(Verdict::Twice) if guess => return Err(no_single_panic_handler(&request.manifest.name)),
        Built::Wrong(verdict) => {
            let links_std = verdict == Verdict::Twice;
            progress.note(if links_std {
                "a dependency links std: building again with it"
            } else {
                "nothing links std: building again without it"
            });
            match build.run(&paths, sysroot.as_deref(), links_std, dir.path(), Attempt::Second)? {
                Built::Archive(path) => {
                    memory.keep(links_std);
                    (path, links_std)
                }
                Built::Wrong(Verdict::Missing) if !links_std => return Err(no_exports(&request.manifest.name)),
                // Both guesses fail, so the crate or a dependency defines a panic handler of its own.
                Built::Wrong(_) => return Err(no_single_panic_handler(&request.manifest.name)),
            }
        }
    };
    // The build assumed that the crate links std, but std's panic handler is not in the archive. So the crate or a dependency defines the panic
    // handler.
    if links_std && !std_link::holds_std(&built) {
        return Err(no_single_panic_handler(&request.manifest.name));
    }
    let digest =
        digest::digest(&build, &build.rustflags(links_std, build.unwinds(links_std)), &packages, &paths, &built.with_extension("d"));
    let path = dir.path().join("crate.a");
    // A hard link suffices, because cargo replaces a finished archive and never changes it in place.
    if std::fs::hard_link(&built, &path).is_err() {
        std::fs::copy(&built, &path).map_err(|error| Diagnostic::new(ErrorCode::Archive, format!("{}: {error}", built.display())))?;
    }
    drop(lock);
    Ok(Archive {
        path,
        target,
        crate_name: request.manifest.name.clone(),
        rustc_version: build.rustc.line.clone(),
        rustc_commit: build.rustc.commit.clone(),
        digest,
        packages,
        builders,
        reliant,
        links_std,
        unwinds: build.unwinds(links_std),
        no_threads: request.no_threads,
        allows_spawn: request.allows_spawn(),
        paths,
        _dir: dir,
    })
}

/// Refuses a version of rayon-core in which the loader may not recognize the functions that queue work for another thread (`rayon::spawn`).
fn check_rayon(packages: &[Package]) -> Result<()> {
    let is_known = |package: &Package| ["1.12.", "1.13."].iter().any(|known| package.version.starts_with(known));
    let Some(other) = packages.iter().find(|package| package.name == "rayon-core" && !is_known(package)) else { return Ok(()) };
    let message = format!("threads = \"none\" works with rayon-core 1.12 and 1.13, and the crate depends on {}", other.version);
    Err(Diagnostic::new(ErrorCode::Crate, message).hint("cargo update -p rayon-core --precise 1.13.0").into())
}

fn no_target(cargo: &Cargo, arch: Arch) -> Failure {
    let diagnostic = Diagnostic::new(ErrorCode::Toolchain, format!("the standard library for {} is not installed", arch.triple()));
    let hint = match cargo.toolchain() {
        Some(Toolchain::Named(name)) => format!("rustup target add {} --toolchain {name}", arch.triple()),
        Some(Toolchain::Dir(_)) => "name with --toolchain a toolchain that has it".into(),
        None => format!("rustup target add {}", arch.triple()),
    };
    diagnostic.hint(hint).into()
}

fn private_dir(target_dir: &Path) -> Result<TempDir> {
    let parent = target_dir.join("rustgo");
    std::fs::create_dir_all(&parent)
        .and_then(|()| tempfile::Builder::new().prefix("archive-").tempdir_in(&parent))
        .map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cargo's target folder {}: {error}", parent.display())).into())
}

/// Waits until no other process of rustgo builds in the target folder, and returns the lock. Dropping the lock lets the next process build.
///
/// cargo has a lock of its own, but releases it before rustgo has made a hard link to the finished archive. In between, another process could build
/// another crate of the same name and replace the archive, because the path of an archive in cargo's folder depends only on the crate's name.
fn exclusively(target_dir: &Path, progress: &Progress) -> Result<File> {
    lock(&target_dir.join("rustgo").join(".lock"), "waiting for another build in the target folder", progress)
}

/// Locks the file until the returned value is dropped. Shows `waiting` while another process has the lock.
fn lock(path: &Path, waiting: &str, progress: &Progress) -> Result<File> {
    let failed = |error| Diagnostic::new(ErrorCode::Output, format!("{}: {error}", path.display()));
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        // Some file systems have no locks. cargo does not lock its folders there either.
        Err(TryLockError::Error(_)) => {}
        Err(TryLockError::WouldBlock) => {
            let _watch = progress.wait(waiting);
            lock.lock().map_err(failed)?;
        }
    }
    Ok(lock)
}

/// Returns the error for a crate that does not use the support crate. Its archive has no panic handler: neither std nor rustgo-support provides one.
fn no_exports(name: &str) -> Failure {
    Diagnostic::new(ErrorCode::NoExports, format!("the crate {name} exports no function"))
        .hint("write #[rustgo::export] above the functions that Go should call")
        .into()
}

fn no_single_panic_handler(name: &str) -> Failure {
    Diagnostic::new(ErrorCode::Crate, format!("the crate {name} has a panic handler of its own, or one in a dependency"))
        .hint(format!("leave it to {SUPPORT}, or put it under #[cfg(not(rustgo))]"))
        .into()
}

/// The first or second attempt to build the crate. In the first attempt, rustgo may guess wrongly whether the crate links std, and errors are shown
/// only if the guess is right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    First,
    Second,
}

enum Built {
    Archive(PathBuf),
    /// The archive has two panic handlers or none. The user has seen no message about this.
    Wrong(Verdict),
}

impl Build<'_> {
    /// Returns rustc's name for the target.
    fn triple(&self) -> &'static str {
        self.target.arch.triple()
    }

    /// True if panics unwind in this build.
    fn unwinds(&self, links_std: bool) -> bool {
        links_std && self.panics != Some(Panics::Abandon)
    }

    /// True if the support crate implements std's traits. For these traits the support crate links std, which would hide a wrong guess about std. So
    /// this function returns true only if std is linked in any case: by the author's crate, or because panics unwind.
    fn has_io(&self, links_std: bool) -> bool {
        links_std && (self.author_links_std || self.unwinds(links_std))
    }

    /// Returns the flags for every crate in the archive. The wrapper around rustc adds the cfg names for std and for unwinding for some crates.
    fn rustflags(&self, links_std: bool, unwinds: bool) -> Vec<String> {
        let known = [abi::CFG, abi::CFG_STD, abi::CFG_ENDS_PROCESS, abi::CFG_NO_THREADS].map(|cfg| format!("cfg({cfg})"));
        let mut flags = vec!["--cfg", abi::CFG];
        flags.extend(known.iter().flat_map(|known| ["--check-cfg", known]));
        if links_std {
            flags.extend(["--cfg", abi::CFG_STD]);
        }
        if self.ends_process {
            flags.extend(["--cfg", abi::CFG_ENDS_PROCESS]);
        }
        if self.request.no_threads {
            flags.extend(["--cfg", abi::CFG_NO_THREADS, "-C", "symbol-mangling-version=v0"]);
        }
        // If Rust does not unwind, Rust needs no unwind tables: Go's panics pass through Rust code by Go's own tables.
        flags.extend(["-C", if unwinds { "panic=unwind" } else { "panic=abort" }]);
        flags.extend(CODE_FLAGS.iter().flat_map(|flag| ["-C", flag]));
        let machine = flags::rustflags(self.target);
        flags.extend(machine.iter().map(String::as_str));
        flags.extend(["-C", "debuginfo=line-tables-only", "-C", "strip=none"]);
        let library = self.compiled_library().map(|library| library.key_flags());
        flags.into_iter().map(str::to_owned).chain(library.into_iter().flatten()).collect()
    }

    /// Returns the settings of the standard library that rustgo compiles for the target. `None` if the precompiled one is used.
    fn compiled_library(&self) -> Option<Compiled<'_>> {
        let mut flags = ["-C", "panic=unwind"].map(str::to_owned).to_vec();
        flags.extend(CODE_FLAGS.iter().flat_map(|flag| ["-C".to_owned(), (*flag).to_owned()]));
        flags.extend(flags::rustflags(Target::baseline(self.target.arch)));
        let library = self.library.as_ref()?;
        Some(Compiled { cargo: &self.cargo, rustc: &self.rustc, library, triple: self.triple(), flags, unwinds: true, debug: DEBUG })
    }

    fn run(&self, paths: &Paths, sysroot: Option<&Path>, links_std: bool, dir: &Path, attempt: Attempt) -> Result<Built> {
        let plan = Plan {
            paths: paths.clone(),
            target: self.triple().to_owned(),
            next: wrapper::next(),
            scoped: self.rustc.version >= REMAP_SCOPE,
            unstable: self.library.is_some(),
            sysroot: sysroot.map(Path::to_owned),
            links_std,
            unwinds: self.unwinds(links_std),
            extends_std: self.unwinds(links_std),
            has_io: self.has_io(links_std),
            level: flags::to_the_lowest(self.target),
        };
        plan.save(dir).map_err(|error| Diagnostic::new(ErrorCode::Output, format!("{}: {error}", dir.display())))?;
        let mut command = self.command(paths, links_std, dir);
        let output = match attempt {
            Attempt::First => process::pass_through_until_error(&mut command)?,
            Attempt::Second => process::pass_through(&mut command)?,
        };
        let output = output.map_err(|error| self.cargo.cannot_run(&error))?;
        let verdict = wrapper::take_verdict(dir).filter(|_| !output.status.success());
        if verdict.is_none() {
            process::pass_on(&output);
        }
        if !output.status.success() {
            return match verdict {
                Some(verdict) => Ok(Built::Wrong(verdict)),
                None => Err(self.missing_c_compiler(dir)?.map_or_else(|| self.does_not_compile(dir), Failure::from)),
            };
        }
        let manifest = self.request.manifest.dir.join("Cargo.toml");
        find_artifact(&output.stdout, &manifest, "a")
            .map(Built::Archive)
            .ok_or_else(|| Diagnostic::new(ErrorCode::Toolchain, "cargo reports no static library although the build went well").into())
    }

    fn does_not_compile(&self, dir: &Path) -> Failure {
        if wrapper::lacks_unwinding(dir) {
            let message = format!("panics cannot unwind with {}, which lacks an interface that {SUPPORT} needs for them", self.rustc.line);
            let hint = "use a version of Rust with which rustgo was tested (docs/testing.md), or write panic = \"abandon\" under [package.metadata.rustgo]";
            return Diagnostic::new(ErrorCode::Compile, message).hint(hint).into();
        }
        let Target { arch, level } = self.target;
        let level = if level == arch.baseline() { String::new() } else { format!(" at the level {level}") };
        let message = format!("the crate {} does not compile for {arch}{level}", self.request.manifest.name);
        let hint = "cargo and rustc have written the reasons to the standard error";
        Failure::Reported(Box::new(Diagnostic::new(ErrorCode::Compile, message).hint(hint)))
    }

    /// Returns an error if a build script has probably failed because it compiles C and this machine has no C cross compiler. The signs of this are
    /// that no call of rustc failed, that the crate needs the crate `cc`, and that the cross compiler cannot be run. The error explains what to do;
    /// the message of `cc` does not.
    fn missing_c_compiler(&self, dir: &Path) -> Result<Option<Diagnostic>> {
        let (arch, triple) = (self.target.arch, self.triple());
        let compiler = flags::cross_compiler(arch);
        let variables = self.c_variables("CC");
        let named = variables.iter().any(|name| std::env::var_os(name).is_some());
        if self.rustc.host == triple || named || wrapper::has_complained(dir) {
            return Ok(None);
        }
        if !manifest::needs(&self.cargo, &self.request.manifest, &self.request.features, self.target, "cc")? {
            return Ok(None);
        }
        Ok(match process::capture(Command::new(compiler).arg("--version"))? {
            Ok(_) => None,
            Err(_) => Some(
                Diagnostic::new(
                    ErrorCode::Toolchain,
                    format!("the crate brings C, and there is no C compiler for {arch}: {compiler} cannot be run"),
                )
                .hint(format!(
                    "apt-get install gcc-{}, or name a compiler: {}=…",
                    compiler.trim_end_matches("-gcc"),
                    variables[1]
                )),
            ),
        })
    }

    fn command(&self, paths: &Paths, links_std: bool, dir: &Path) -> Command {
        let request = self.request;
        let mut command = self.cargo.command(&request.manifest.dir);
        command.args(["rustc", "--lib", "--release", "--crate-type", "staticlib", "--message-format", "json-render-diagnostics"]);
        // Name the target even if it is the host. Without --target the flags would apply to build scripts and procedural macros.
        command.args(["--target", self.triple()]);
        command.arg("--manifest-path").arg(request.manifest.dir.join("Cargo.toml"));
        // Build in a folder of rustgo's own, because the user's builds have other flags.
        command.arg("--target-dir").arg(request.manifest.target_dir.join("rustgo"));
        if self.library.is_some() {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        let panic = if self.unwinds(links_std) { "\"unwind\"" } else { "\"abort\"" };
        for (key, value) in PROFILE.into_iter().chain([("panic", panic)]) {
            command.arg("--config").arg(format!("profile.release.{key}={value}"));
        }
        command.args(self.cargo.network_args()).args(request.features.args());
        // Pass the crate's path relative to the Go package. A change of `--out` changes only this path, and cargo must see the change to
        // compile the crate again.
        command.args(["--", "--remap-path-prefix", &format!("/rustgo-crate={}", paths.crate_name)]);

        // If the flags change, cargo compiles every crate again. So these flags do not contain the cfg names for std. If the flag for panics is also
        // equal in both attempts, the second attempt compiles only the crates that depend on whether std is linked.
        command.env("CARGO_ENCODED_RUSTFLAGS", self.rustflags(false, self.unwinds(links_std)).join("\u{1f}"));
        match (links_std, self.has_io(links_std)) {
            (true, true) => command.env(wrapper::STD_VARIABLE, "io"),
            (true, false) => command.env(wrapper::STD_VARIABLE, "1"),
            (false, _) => command.env_remove(wrapper::STD_VARIABLE),
        };
        command.env("RUSTC_WRAPPER", &request.program).env(wrapper::VARIABLE, dir);
        command.env_remove("CARGO_INCREMENTAL");
        for (name, value) in self.c_flags(paths) {
            command.env(name, value);
        }
        command
    }

    /// Returns the flags for C and assembly in build scripts (crate `cc`): the user's flags followed by rustgo's flags.
    fn c_flags(&self, paths: &Paths) -> Vec<(String, OsString)> {
        let (triple, arch) = (self.triple(), self.target.arch);
        let mut ours: Vec<String> = flags::c_flags(arch).iter().map(|&flag| flag.to_owned()).collect();
        for (from, to) in
            paths.packages.iter().map(|(dir, name)| (dir, format!("/cargo/{name}"))).chain([(&paths.crate_dir, paths::WORK_DIR.to_owned())])
        {
            // The crate `cc` splits flags at spaces, so a folder with a space in its path gets no flag.
            if let Some(from) = from.to_str().filter(|from| !from.contains(char::is_whitespace)) {
                ours.push(format!("-ffile-prefix-map={from}={to}"));
            }
        }
        let defaults = flags::default_compilers(arch, self.rustc.host == triple);
        [("CFLAGS", "CC"), ("CXXFLAGS", "CXX")]
            .into_iter()
            .zip(defaults)
            .map(|((name, compiler), default)| {
                let named = self.c_variables(compiler).iter().find_map(std::env::var_os).unwrap_or_else(|| default.into());
                let more = match maker(&named) {
                    Some(Maker::Gcc) => flags::GCC_FLAGS,
                    Some(Maker::Clang) => flags::clang_flags(arch),
                    None => &[],
                };
                let mut flags = self.c_variables(name).iter().find_map(std::env::var_os).unwrap_or_default();
                for flag in ours.iter().map(String::as_str).chain(more.iter().copied()) {
                    flags.push(" ");
                    flags.push(flag);
                }
                (format!("{name}_{triple}"), flags)
            })
            .collect()
    }

    /// Lists the environment variables that the crate `cc` reads for a setting, in the order in which it reads them.
    fn c_variables(&self, name: &str) -> [String; 4] {
        let triple = self.triple();
        [format!("{name}_{triple}"), format!("{name}_{}", triple.replace('-', "_")), format!("TARGET_{name}"), name.to_owned()]
    }
}

/// The project that a C compiler comes from.
enum Maker {
    Gcc,
    Clang,
}

/// Determines from the output of `--version` whether a C compiler is gcc or clang. The compiler's name does not tell, and the command may have
/// arguments, as in `ccache clang`.
fn maker(compiler: &OsStr) -> Option<Maker> {
    let mut words = compiler.to_str().unwrap_or_default().split_whitespace();
    let said = process::capture(Command::new(words.next()?).args(words).arg("--version")).ok()?.ok()?;
    let said = String::from_utf8_lossy(&said.stdout);
    match () {
        () if said.contains("clang version") => Some(Maker::Clang),
        () if said.contains("Free Software Foundation") => Some(Maker::Gcc),
        () => None,
    }
}

/// Settings of the release profile that decide the form of the archive. `overflow-checks`, `debug-assertions` and the profiles of single packages
/// stay as the author set them.
const PROFILE: [(&str, &str); 6] = [
    ("opt-level", "3"),
    // Make one object file with a section for each function, and with only the reachable part of the dependencies.
    ("lto", "\"fat\""),
    ("codegen-units", "1"),
    ("debug", DEBUG),
    ("strip", "\"none\""),
    ("incremental", "false"),
];

/// The value of the profile's setting `debug`.
const DEBUG: &str = "\"line-tables-only\"";

/// Values of rustc's flag `-C`, for every crate and the standard library.
const CODE_FLAGS: [&str; 3] = [
    "relocation-model=pic",
    // Signal handlers of a Go program may run on the goroutine's stack and overwrite memory below SP.
    "no-redzone",
    "embed-bitcode=yes",
];

/// Finds the path of the file with this extension in cargo's messages about the package of `manifest`.
fn find_artifact(messages: &[u8], manifest: &Path, extension: &str) -> Option<PathBuf> {
    find_artifacts(messages, extension).filter(|(package, _)| package == manifest).last().map(|(_, path)| path)
}

/// Finds the paths of all files with this extension in cargo's messages, each with the path of its package's Cargo.toml.
fn find_artifacts(messages: &[u8], extension: &str) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    cargo_metadata::Message::parse_stream(messages).flatten().filter_map(move |message| {
        let cargo_metadata::Message::CompilerArtifact(artifact) = message else { return None };
        let path = artifact.filenames.into_iter().find(|name| name.extension() == Some(extension))?;
        Some((artifact.manifest_path.into(), path.into()))
    })
}

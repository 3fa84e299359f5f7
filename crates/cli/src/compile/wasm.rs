//! Builds the author's crate for WebAssembly (`fallback = "wasm"`). The stage `fallback` translates the resulting WebAssembly to Go.
//!
//! The target has addresses of 64 bits, so types have the same sizes as in the machine code, and the same records describe the exports. No toolchain
//! has a standard library for this target, so rustgo compiles one from the sources that code for arm64 needs too.

use super::destructors;
use super::flags::ALLOW_NONE;
use super::library::Compiled;
use super::paths::Paths;
use super::wrapper::{self, Plan};
use super::{exclusively, private_dir};
use crate::abi;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest;
use crate::process;
use crate::progress::Progress;
use crate::request::Request;
use crate::target::Arch;
use crate::toolchain::{Cargo, Rustc};
use std::path::{Path, PathBuf};
use std::process::Command;

/// rustc's name for the target.
pub const TRIPLE: &str = "wasm64-unknown-unknown";

/// The crate as a WebAssembly module.
pub struct WasmModule {
    pub bytes: Vec<u8>,
    /// The output of `rustc --version`.
    pub rustc_version: String,
    /// The commit from which the compiler was built, if `rustc -vV` states it.
    pub rustc_commit: Option<String>,
    /// The linked packages. The first is the author's crate.
    pub packages: Vec<manifest::Package>,
}

/// Builds the crate. cargo itself prints its messages for the user.
///
/// # Errors
/// Fails as [`super::compile`] does, if there is no linker, and for a crate that relies on destructors.
pub fn compile(request: &Request, progress: &Progress) -> Result<WasmModule> {
    let manifest = &request.manifest;
    // The toolchain for arm64 is the one that has the sources of the standard library.
    let cargo = request.cargo.of(Arch::Arm64);
    let rustc = cargo.rustc(&manifest.dir)?;
    let library = cargo.library(&manifest.dir, &rustc)?.map_err(|mut missing| {
        missing.message = missing.message.replacen("code for arm64", "fallback = \"wasm\"", 1);
        missing
    })?;
    let linker = linker(&[cargo.clone(), request.cargo.of(Arch::Amd64), Cargo::default()], &manifest.dir, &rustc)?;
    let packages = manifest::packages(&cargo, manifest, &request.features, manifest::Platform::named(TRIPLE))?;
    destructors::check(&packages, request, destructors::Code::Translated)?;
    let paths =
        Paths::new(manifest, &packages, &request.out).with_library(Some(&library)).with_shipped(&cargo.shipped(&manifest.dir, &rustc)?);
    let dir = private_dir(&manifest.target_dir)?;
    process::remove_at_interrupt(dir.path());
    let _lock = exclusively(&manifest.target_dir, progress)?;
    let compiled = Compiled {
        cargo: &cargo,
        rustc: &rustc,
        library: &library,
        triple: TRIPLE,
        flags: FLAGS.map(str::to_owned).to_vec(),
        unwinds: false,
        debug: DEBUG,
    };
    let plan = Plan {
        paths: paths.clone(),
        target: TRIPLE.to_owned(),
        next: wrapper::next(),
        scoped: rustc.version >= super::REMAP_SCOPE,
        unstable: true,
        sysroot: Some(compiled.sysroot(request, progress)?),
        links_std: true,
        unwinds: false,
        extends_std: true,
        has_io: true,
        level: Vec::new(),
    };
    plan.save(dir.path()).map_err(|error| Diagnostic::new(ErrorCode::Output, format!("{}: {error}", dir.path().display())))?;
    let mut command = command(&compiled, request, &paths, &linker, dir.path());
    let output = process::pass_through(&mut command)?.map_err(|error| cargo.cannot_run(&error))?;
    process::pass_on(&output);
    if !output.status.success() {
        let message = format!("the crate {} does not compile for {TRIPLE}, which fallback = \"wasm\" needs", manifest.name);
        let hint = "cargo and rustc have written the reasons to the standard error";
        return Err(Failure::Reported(Box::new(Diagnostic::new(ErrorCode::Compile, message).hint(hint))));
    }
    let path = super::find_artifact(&output.stdout, &manifest.dir.join("Cargo.toml"), "wasm")
        .ok_or_else(|| Diagnostic::new(ErrorCode::Toolchain, "cargo reports no WebAssembly module although the build went well"))?;
    let bytes = std::fs::read(&path).map_err(|error| Diagnostic::new(ErrorCode::Archive, format!("{}: {error}", path.display())))?;
    Ok(WasmModule { bytes, rustc_version: rustc.line, rustc_commit: rustc.commit, packages })
}

fn command(library: &Compiled<'_>, request: &Request, paths: &Paths, linker: &Path, dir: &Path) -> Command {
    let mut command = library.cargo.command(&request.manifest.dir);
    command.args(["rustc", "--lib", "--release", "--crate-type", "cdylib", "--message-format", "json-render-diagnostics"]);
    command.args(["--target", TRIPLE]).env("RUSTC_BOOTSTRAP", "1");
    command.arg("--manifest-path").arg(request.manifest.dir.join("Cargo.toml"));
    command.arg("--target-dir").arg(request.manifest.target_dir.join("rustgo"));
    for (key, value) in PROFILE {
        command.arg("--config").arg(format!("profile.release.{key}={value}"));
    }
    command.args(library.cargo.network_args()).args(request.features.args());
    command.args(["--", "--remap-path-prefix", &format!("/rustgo-crate={}", paths.crate_name)]);
    let known = [abi::CFG, abi::CFG_STD, abi::CFG_ENDS_PROCESS, abi::CFG_NO_THREADS].map(|cfg| format!("cfg({cfg})"));
    let key = library.key_flags();
    let mut flags = vec!["--cfg", abi::CFG];
    known.iter().for_each(|known| flags.extend(["--check-cfg", known]));
    flags.extend(FLAGS);
    // Export the stack pointer, because Go code resets it after a panic.
    flags.extend(["-C", "link-arg=--export=__stack_pointer", ALLOW_NONE]);
    flags.extend(key.iter().map(String::as_str));
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    command.env(wrapper::STD_VARIABLE, "io").env("RUSTC_WRAPPER", &request.program).env(wrapper::VARIABLE, dir);
    command.env("CARGO_TARGET_WASM64_UNKNOWN_UNKNOWN_LINKER", linker).env_remove("CARGO_INCREMENTAL");
    command
}

/// Settings of the release profile. The names of functions stay, so that profiles and tracebacks of Go show them.
/// `opt-level` stays as the author has set it, so that the author can make the module smaller; cargo's default is 3.
const PROFILE: [(&str, &str); 6] = [
    ("panic", "\"abort\""),
    ("lto", "\"fat\""),
    ("codegen-units", "1"),
    ("debug", DEBUG),
    ("strip", "\"debuginfo\""),
    ("incremental", "false"),
];

/// The value of the profile's setting `debug`.
const DEBUG: &str = "false";

/// The flags for every crate and the standard library.
const FLAGS: [&str; 2] = ["-C", "panic=abort"];

/// Finds the linker: in the first of these toolchains with a linker, otherwise in `PATH`.
pub fn linker(toolchains: &[Cargo], dir: &Path, rustc: &Rustc) -> Result<PathBuf> {
    let name = format!("rust-lld{}", std::env::consts::EXE_SUFFIX);
    for cargo in toolchains {
        let found = cargo.sysroot(dir)?.join("lib/rustlib").join(&rustc.host).join("bin").join(&name);
        if found.is_file() {
            return Ok(found);
        }
    }
    for name in ["rust-lld", "wasm-ld"] {
        if process::capture(Command::new(name).arg("--version"))?.is_ok() {
            return Ok(name.into());
        }
    }
    Err(Diagnostic::new(ErrorCode::Toolchain, "fallback = \"wasm\" needs the linker rust-lld or wasm-ld, and neither is found")
        .hint("use a toolchain of rustup's, which has rust-lld, or install LLVM's lld: apt-get install lld")
        .into())
}

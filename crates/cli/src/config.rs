//! Makes the [`Request`] for all stages from the command line and from `[package.metadata.rustgo]` in Cargo.toml. In a request every default is
//! set and every path is absolute.

pub mod go_module;
pub mod import_path;
mod runtime_folder;

use crate::args::{BuildArgs, Color, Output, OutputArgs};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::gosrc;
use crate::manifest::{self, Features, Manifest};
use crate::neighbours;
use crate::request::Request;
use crate::runtime::Runtime;
use crate::target::{Arch, Level, Target, parse_size, show_size};
use crate::toolchain::Cargo;
use crate::toolchain::choice::{self, Choice, Toolchains};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The default limit of an export's stack need, in bytes.
///
/// If the goroutine's stack is too small for an export, Go copies the stack to a larger one. Only a later run of the garbage collector makes the
/// stack smaller again. So a large stack need costs the caller time and memory, and the author should decide whether to allow it. No crate that was
/// tried with rustgo needs as much as this limit.
pub const DEFAULT_MAX_STACK: u64 = 1 << 20;
/// The largest limit that the user can set, in bytes. On 64-bit systems Go ends a program whose stack exceeds 1 GB, so the stack of an
/// export must be much smaller.
const LARGEST_MAX_STACK: u64 = 256 << 20;

/// The settings in the manifest's table `[package.metadata.rustgo]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    out: Option<PathBuf>,
    package: Option<String>,
    #[serde(default)]
    arch: OneOrMore,
    #[serde(default)]
    cpu: OneOrMore,
    max_stack: Option<Size>,
    runtime: Option<String>,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default)]
    allow: Vec<String>,
    panic: Option<String>,
    threads: Option<String>,
    fallback: Option<String>,
    #[serde(default)]
    with_tests: bool,
    #[serde(default)]
    with_tests_skip: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn into_names(self) -> Vec<String> {
        match self {
            OneOrMore::One(name) => vec![name],
            OneOrMore::More(names) => names,
        }
    }
}

impl Default for OneOrMore {
    fn default() -> Self {
        OneOrMore::More(Vec::new())
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a size such as \"64k\" or 65536")]
enum Size {
    Bytes(u64),
    Text(String),
}

/// Returns the toolchains that the user names on the command line or, if there are none, in the environment. Fails if a named toolchain does not
/// exist.
pub fn toolchains(choices: &[Choice]) -> Result<Toolchains> {
    let toolchains = match std::env::var(choice::VARIABLE) {
        Ok(value) if choices.is_empty() => Toolchains::from_variable(&value)?,
        _ => choices.iter().cloned().collect(),
    };
    toolchains.check()?;
    Ok(toolchains)
}

/// Makes the request. `output` states how the command uses the output folder, the folder of the Go package. The user must name this folder if the
/// command writes files or compares them.
pub fn resolve(args: &BuildArgs, messages: &OutputArgs, output: Output, program: PathBuf) -> Result<Request> {
    let cargo = Cargo {
        toolchains: toolchains(&args.toolchain)?,
        arch: None,
        offline: args.offline,
        locked: args.locked_deps,
        quiet: messages.quiet,
        color: match messages.color {
            Color::Auto => None,
            Color::Always => Some("always"),
            Color::Never => Some("never"),
        },
    };
    let dir = args.krate.canonicalize().map_err(|error| {
        Diagnostic::new(ErrorCode::Request, format!("the crate's folder {}: {error}", args.krate.display()))
            .hint("name it with --crate DIR")
    })?;
    if dir.to_str().is_none() {
        return Err(Diagnostic::new(ErrorCode::Request, format!("the path {} is not UTF-8", dir.display())).into());
    }
    let manifest = manifest::manifest(&cargo, &dir)?;
    let settings = settings(&manifest)?;
    let (dir, arm64) = (manifest.dir.clone(), cargo.of(Arch::Arm64));
    // The reason why the toolchain cannot build code for arm64, if there is one.
    let missing = || Ok(arm64.library(&dir, &arm64.rustc(&dir)?)?.err());
    merge(args, settings, manifest, cargo, output, program, missing)
}

fn settings(manifest: &Manifest) -> Result<Settings> {
    if manifest.settings.is_null() {
        return Ok(Settings::default());
    }
    serde_path_to_error::deserialize(&manifest.settings).map_err(|error| {
        let (key, problem) = (error.path().to_string(), error.into_inner().to_string().replace('`', ""));
        let is_named = problem.starts_with("unknown field") || key == ".";
        refuse_setting(manifest, if is_named { problem } else { format!("{key}: {problem}") }).into()
    })
}

fn refuse_setting(manifest: &Manifest, problem: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, format!("[package.metadata.rustgo] in {}: {problem}", manifest.dir.join("Cargo.toml").display()))
        .hint("the keys are out, package, arch, cpu, max-stack, runtime, features, allow, panic, threads, fallback, with-tests and with-tests-skip")
}

/// Merges the settings: the command line overrides the manifest, and the manifest overrides the defaults. Reports every mistake, not only the
/// first.
fn merge(
    args: &BuildArgs,
    settings: Settings,
    manifest: Manifest,
    cargo: Cargo,
    output: Output,
    program: PathBuf,
    missing: impl FnOnce() -> Result<Option<Diagnostic>>,
) -> Result<Request> {
    let mut refused = Vec::new();
    let mut arches = args.arch.clone();
    if arches.is_empty() {
        for name in settings.arch.into_names() {
            match name.parse() {
                Ok(arch) => arches.push(arch),
                Err(problem) => refused.push(refuse_setting(&manifest, format!("arch: {problem}"))),
            }
        }
    }
    arches.sort();
    arches.dedup();
    if output == Output::Shown {
        arches.truncate(1);
        if arches.is_empty() {
            arches.push(Arch::Amd64);
        }
    }
    // `levels` may contain levels of all architectures. `Target::each` later selects the levels of one architecture.
    let mut levels = args.cpu.clone();
    if levels.is_empty() {
        for name in settings.cpu.into_names() {
            match name.parse::<Level>() {
                Ok(level) => levels.push(level),
                Err(problem) => refused.push(refuse_setting(&manifest, format!("cpu: {problem}"))),
            }
        }
    }

    let max_stack = match (args.max_stack, settings.max_stack) {
        (Some(bytes), _) | (None, Some(Size::Bytes(bytes))) => Ok(bytes),
        (None, Some(Size::Text(text))) => parse_size(&text),
        (None, None) => Ok(DEFAULT_MAX_STACK),
    };
    let max_stack = max_stack.unwrap_or_else(|problem| {
        refused.push(refuse_setting(&manifest, format!("max-stack: {problem}")));
        DEFAULT_MAX_STACK
    });
    if max_stack > LARGEST_MAX_STACK {
        refused.push(
            Diagnostic::new(ErrorCode::Request, format!("a stack of {} is more than Go can give", show_size(max_stack)))
                .hint(format!("the largest is {}", show_size(LARGEST_MAX_STACK))),
        );
    }

    let mut stated =
        |name: String| name.parse().map_err(|problem| refused.push(refuse_setting(&manifest, format!("panic: {problem}")))).ok();
    let panics = args.panic.or_else(|| settings.panic.and_then(&mut stated));
    let no_threads = match settings.threads.as_deref() {
        None => false,
        Some("none") => true,
        Some(_) => {
            refused.push(refuse_setting(&manifest, "threads: the only value is none".into()));
            false
        }
    };
    let fallback = settings
        .fallback
        .and_then(|name| name.parse().map_err(|problem| refused.push(refuse_setting(&manifest, format!("fallback: {problem}")))).ok());

    let mut features = Features { named: args.features.clone(), all: args.all_features, no_default: args.no_default_features };
    features.named.retain(|name| !name.is_empty());
    if features == Features::default() {
        features.named = settings.features;
    }

    let given = match (&args.out, settings.out) {
        (Some(out), _) => Some(absolute(&std::env::current_dir().unwrap_or_default(), out)),
        (None, Some(out)) => Some(absolute(&manifest.dir, &out)),
        (None, None) => None,
    };
    if given.is_none() && matches!(output, Output::Written | Output::Compared) {
        refused.push(
            Diagnostic::new(ErrorCode::Request, "no output folder is given")
                .hint("name it with --out DIR, or write out = \"..\" under [package.metadata.rustgo] in the crate's Cargo.toml"),
        );
    }
    let out_is_named = given.is_some();
    let out = given.unwrap_or_else(|| manifest.dir.clone());
    if out.to_str().is_none() {
        refused.push(Diagnostic::new(ErrorCode::Request, format!("the path {} is not UTF-8", out.display())));
    }

    let runtime = args.runtime.clone().or(settings.runtime);
    let runtime = runtime_folder::runtime(runtime.as_deref(), &out).unwrap_or_else(|problem| {
        refused.push(problem);
        Runtime::Published
    });

    let mut note = None;
    if arches.is_empty() && refused.is_empty() {
        (arches, note) = default_arches(&out, output, missing)?;
    } else if arches.contains(&Arch::Arm64) {
        refused.extend(missing()?);
    }

    let go = if Path::new(&args.go).components().count() > 1 {
        std::path::absolute(&args.go).map_or(args.go.clone(), Into::into)
    } else {
        args.go.clone()
    };
    // `inspect` and `native` do not read the output folder, because reading it needs Go.
    let members = if output == Output::Shown { Ok(Vec::new()) } else { neighbours::members(&out, &go) };
    let members = match members {
        Err(Failure::Refused(problems)) => {
            refused.extend(problems);
            Vec::new()
        }
        members => members?,
    };
    let go_package = match args.package.clone().or(settings.package) {
        Some(name) => name,
        None => members.first().map_or_else(|| default_package(&out, &manifest.name), |member| member.of().to_owned()),
    };
    // Accept the name `main` if the folder already contains a program, because exported functions may become part of an existing program. rustgo
    // itself never creates a package `main`.
    let is_program = go_package == "main" && members.iter().any(|member| member.package == go_package && !member.is_test);
    if let Some(problem) = gosrc::package_name_problem(&go_package).filter(|_| !is_program && output != Output::Shown) {
        refused.push(
            Diagnostic::new(ErrorCode::GoName, format!("{go_package:?} cannot be a Go package's name: {problem}"))
                .hint("name the package with --package NAME"),
        );
    }
    if let Some(other) = members.iter().find(|member| !member.fits(&go_package)) {
        refused.push(
            Diagnostic::new(
                ErrorCode::Request,
                format!("the package is to be named {go_package}, but {} is of package {}", other.path.display(), other.package),
            )
            .hint(format!("--package {}", other.of())),
        );
    }
    let documented = members.iter().any(|member| member.documented);
    let package_doc = if documented { None } else { package_doc(&go_package, &manifest) };

    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    Ok(Request {
        manifest,
        out,
        out_is_named,
        go_package,
        package_doc,
        targets: arches.into_iter().flat_map(|arch| Target::each(arch, &levels)).collect(),
        note,
        runtime,
        watch: args.watch,
        with_tests: args.with_tests || settings.with_tests,
        with_tests_skip: settings.with_tests_skip,
        skips_unrepeatable: false,
        max_stack,
        features,
        allow: settings.allow,
        panics,
        no_threads,
        fallback,
        cache: cache_dir(),
        cargo,
        go,
        program,
    })
}

/// Returns rustgo's cache folder: the value of `RUSTGO_CACHE`, or a folder in the system's folder for caches.
fn cache_dir() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The XDG Base Directory Specification requires that relative paths are ignored.
    let of_system = || match std::env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => Some(variable("HOME")?.join("Library").join("Caches")),
        _ => variable("XDG_CACHE_HOME").filter(|dir| dir.is_absolute()).or_else(|| Some(variable("HOME")?.join(".cache"))),
    };
    let named = variable("RUSTGO_CACHE").and_then(|dir| std::path::absolute(dir).ok());
    named.or_else(|| Some(of_system()?.join("rustgo")))
}

/// Returns the architectures to build if the user names none: all architectures for which the toolchain can build code. A command that compares, such
/// as `rustgo check --locked`, builds the architectures of the committed files instead, so that its result is equal on every machine. A command that
/// writes the package fails if the existing package has code for arm64 and the toolchain cannot build such code. The second result is a note for the
/// user if arm64 is left out.
fn default_arches(out: &Path, output: Output, missing: impl FnOnce() -> Result<Option<Diagnostic>>) -> Result<(Vec<Arch>, Option<String>)> {
    let there = generated_arches(out);
    if output == Output::Compared && !there.is_empty() {
        return Ok((there.into_iter().collect(), None));
    }
    let Some(mut problem) = missing()? else { return Ok((Arch::ALL.to_vec(), None)) };
    let cure = problem.hint.take().unwrap_or_default();
    if output == Output::Written && there.contains(&Arch::Arm64) {
        let file = out.join(Target::baseline(Arch::Arm64).file_name());
        problem.notes.push(format!("the package has code for arm64: {}", file.display()));
        return Err(problem.hint(format!("{cure}; to give arm64 up, say --arch amd64")).into());
    }
    Ok((
        vec![Arch::Amd64],
        Some(format!(
            "without code for arm64: {}: {cure}; or say --arch amd64, or arch = \"amd64\" under [package.metadata.rustgo]",
            problem.message
        )),
    ))
}

/// Returns the architectures for which `out` contains generated files.
fn generated_arches(out: &Path) -> BTreeSet<Arch> {
    let file = |arch: Arch| out.join(Target::baseline(arch).file_name());
    let is_generated = |arch: &Arch| std::fs::read_to_string(file(*arch)).is_ok_and(|text| gosrc::is_generated(&text));
    Arch::ALL.into_iter().filter(is_generated).collect()
}

/// Returns the absolute path without `.` and `..`. The last folders of the path need not exist.
pub fn absolute(base: &Path, path: &Path) -> PathBuf {
    let path = base.join(path);
    let mut existing = path.as_path();
    let mut missing = Vec::new();
    loop {
        if let Ok(found) = existing.canonicalize() {
            return missing.iter().rev().fold(found, |path, name| path.join(name));
        }
        match (existing.parent(), existing.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name.to_owned());
                existing = parent;
            }
            // A path like `missing/..` has no meaning while the folder `missing` does not exist.
            _ => return path,
        }
    }
}

/// Returns the default name of the Go package: the name of the folder `out` if the name is valid for a package, otherwise the crate's name.
fn default_package(out: &Path, crate_name: &str) -> String {
    let clean = |name: &str| -> String { name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect() };
    let folder = clean(&out.file_name().unwrap_or_default().to_string_lossy());
    if gosrc::package_name_problem(&folder).is_none() { folder } else { clean(crate_name) }
}

/// Returns the text of the Go package comment: the crate's documentation, or the description in its manifest. Go's tools expect that the comment
/// begins with the package's name.
fn package_doc(package: &str, manifest: &Manifest) -> Option<String> {
    let begins = format!("Package {package} ");
    if let Some(doc) = std::fs::read_to_string(&manifest.lib_source).ok().and_then(|text| crate_doc(&text)) {
        let introduction = || format!("Package {package} is made from the Rust crate {}.\n\n", manifest.name);
        return Some(if doc.starts_with(&begins) { doc } else { introduction() + &doc });
    }
    let description = manifest.description.as_deref()?;
    let stop = if description.ends_with(['.', '!', '?']) { "" } else { "." };
    Some(match description.starts_with(&begins) {
        true => description.to_owned(),
        false => format!("Package {package} is made from a Rust crate: {description}{stop}"),
    })
}

/// Returns the documentation at the top of a crate's source (`//!`, `#![doc = "…"]`), without the space at the start of each line. `None` if the
/// source has no documentation or includes it from another file (`include_str!`).
fn crate_doc(source: &str) -> Option<String> {
    let file = syn::parse_file(source).ok()?;
    let text = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(literal), .. }) if path.is_ident("doc") => match &literal.lit
        {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    let inner = file.attrs.iter().filter(|attribute| matches!(attribute.style, syn::AttrStyle::Inner(_)));
    let texts: Vec<String> = inner.filter_map(text).collect();
    let lines = texts.iter().flat_map(|text| text.split('\n')).map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    let doc = lines.collect::<Vec<_>>().join("\n");
    let doc = doc.trim_matches('\n');
    (!doc.is_empty()).then(|| doc.to_owned())
}

#[cfg(test)]
mod tests;
